//! Two versions inserted between two others, with the mapping between them: neither end of the hop is one of the entry.

use crd_conv::{UnrestoredReason, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Release, assert_same, assert_unrestored, carrier, object};

fn lower(name: Option<String>) -> Option<String> {
    name.map(|name| name.to_lowercase())
}
fn same(name: Option<String>) -> Option<String> {
    name
}
fn tens(count: Option<i64>) -> Option<i64> {
    count.map(|count| count / 10)
}
fn times_ten(size: Option<i64>) -> Option<i64> {
    size.map(|size| size * 10)
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        name: Option<String>,
        modes: Vec<Mode>,
        keyed: Vec<Port>,
        other: Vec<Port>,
        loose: Vec<Port>,
        place: Option<Place>,
        late: Option<i64>,
        count: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mode {
        Slow,
        Odd,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        name: String,
        number: i64,
        zone: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Place {
        Rack(Rack),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Rack {
        row: i64,
        owner: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        #[versioned(renamed_from = name)]
        label: Option<String>,
        modes: Vec<v1::Mode>,
        #[versioned(renamed_from = keyed)]
        ports: Vec<v1::Port>,
        other: Vec<v1::Port>,
        loose: Vec<v1::Port>,
        place: Option<v1::Place>,
        late: Option<i64>,
        count: Option<i64>,
    }
}

mod v3 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v2::Spec,
        map(label <=> title, with(upgrade = super::lower, downgrade = super::same)),
        map(count <=> size, with(upgrade = super::tens, downgrade = super::times_ten)),
    )]
    pub(super) struct Spec {
        title: Option<String>,
        modes: Vec<Mode>,
        #[versioned(list_map_keys(name))]
        ports: Vec<Port>,
        #[versioned(list_map_keys(number))]
        other: Vec<Port>,
        loose: Vec<Port>,
        place: Option<Place>,
        #[versioned(default = 7)]
        late: Option<i64>,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mode, removed(Odd = Slow))]
    pub(super) enum Mode {
        Slow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Port, removed(zone))]
    pub(super) struct Port {
        name: String,
        number: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1::Place)]
    pub(super) enum Place {
        #[versioned(renamed_from = Rack)]
        Shelf(Rack),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Rack, removed(owner))]
    pub(super) struct Rack {
        row: i64,
    }
}

mod v4 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v3::Spec)]
    pub(super) struct Spec {
        #[versioned(renamed_from = title)]
        heading: Option<String>,
        modes: Vec<v3::Mode>,
        #[versioned(renamed_from = ports, list_map_keys(id))]
        keyed: Vec<Port>,
        #[versioned(list_map_keys(id))]
        other: Vec<Port>,
        loose: Vec<Port>,
        place: Option<v3::Place>,
        #[versioned(default = 7)]
        late: Option<i64>,
        #[versioned(default = 9)]
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v3::Port)]
    pub(super) struct Port {
        #[versioned(renamed_from = name)]
        id: String,
        number: i64,
    }
}

mod first {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        map(name <=> heading, with(upgrade = super::lower, downgrade = super::same)),
        map(count <=> size, with(upgrade = super::tens, downgrade = super::times_ten)),
    )]
    pub(super) struct Spec {
        heading: Option<String>,
        modes: Vec<v3::Mode>,
        #[versioned(list_map_keys(id))]
        keyed: Vec<Port>,
        #[versioned(list_map_keys(id))]
        other: Vec<Port>,
        loose: Vec<Port>,
        place: Option<v3::Place>,
        #[versioned(default = 7)]
        late: Option<i64>,
        #[versioned(default = 9)]
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Port, removed(zone))]
    pub(super) struct Port {
        #[versioned(renamed_from = name)]
        id: String,
        number: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(super) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V4 {
            spec: Spec,
        },
    }
}

mod second {
    use super::*;

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(super) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        V2 {
            spec: v2::Spec,
        },
        V3 {
            spec: v3::Spec,
        },
        #[versioned(storage)]
        V4 {
            spec: v4::Spec,
        },
    }
}

fn full() -> Value {
    let ports = json!([{ "name": "a", "number": 1, "zone": "z1" }, { "name": "b", "number": 2, "zone": "z2" }]);
    object(
        "v1",
        json!({
            "name": "Ada",
            "modes": ["Slow", "Odd"],
            "keyed": ports,
            "other": [],
            "loose": [],
            "place": { "rack": { "row": 3, "owner": "me" } },
            "count": 200,
        }),
    )
}

#[test]
fn the_mapping_is_between_the_two() {
    let (first, second) =
        (Release::without_schema::<first::Gate>(), Release::without_schema::<second::Gate>());
    for ((way, old), (_, new)) in first.ways().into_iter().zip(second.ways()) {
        let stored = old(&full(), "v4");
        let back = new(&stored, "v1");
        assert_same(&back, &full(), way);
        assert_unrestored(&second.converted(&stored, "v1"), &[]);
        // What waits for another hop is none of this one's business.
        let between = new(&stored, "v3");
        assert_eq!(carrier(&between), carrier(&stored), "{way}");
        assert_same(&new(&between, "v4"), &stored, way);
        assert_same(&new(&between, "v1"), &full(), way);
        // A client at `v2` deletes all that `v3` can't say.
        let mut edited = new(&stored, "v2");
        assert!(carrier(&edited).is_empty(), "{edited}");
        edited["spec"]["label"] = json!("ada");
        edited["spec"]["late"] = json!(1);
        edited["spec"]["modes"] = json!(["Slow", "Slow"]);
        edited["spec"]["ports"] = json!([{ "name": "a", "number": 1 }]);
        edited["spec"]["place"] = json!({ "rack": { "row": 3 } });
        assert_same(&new(&new(&edited, "v4"), "v2"), &edited, way);
        assert!(carrier(&new(&edited, "v4")).is_empty(), "{way}");
    }
}

/// Other keys may name another item, and an item with other names shows something else.
#[test]
fn items_that_are_told_apart_in_another_way_keep_their_entries() {
    let (first, second) =
        (Release::without_schema::<first::Gate>(), Release::without_schema::<second::Gate>());
    let mut before = full();
    before["spec"]["other"] = before["spec"]["keyed"].clone();
    before["spec"]["loose"] = before["spec"]["keyed"].clone();
    let stored = first.convert(&before, "v4");
    let back = second.convert(&stored, "v1");
    let bare = json!([{ "name": "a", "number": 1 }, { "name": "b", "number": 2 }]);
    assert_eq!((&back["spec"]["other"], &back["spec"]["loose"]), (&bare, &bare));
    assert_unrestored(&second.converted(&stored, "v1"), &[(UnrestoredReason::Ignored, 2)]);
    assert_eq!(carrier(&back), ["v1.spec.loose.zone", "v1.spec.other.zone"]);
    // They are there for a rollback.
    assert_same(
        &first.convert(&second.convert(&second.convert(&stored, "v3"), "v4"), "v1"),
        &before,
        "rollback",
    );
}

/// The server has filled in at `v4` what `v3` doesn't fill in: nobody can tell that from an edit.
#[test]
fn other_defaults() {
    let (first, second) =
        (Release::without_schema::<first::Gate>(), Release::without_schema::<second::Gate>());
    let mut before = full();
    before["spec"]["count"] = json!(95);
    let mut stored = first.convert(&before, "v4");
    stored["spec"]["late"] = json!(7);
    let back = second.convert(&stored, "v1");
    assert_eq!(back["spec"].get("late"), None);
    assert_eq!(back["spec"]["count"], json!(90));
    assert_unrestored(&second.converted(&stored, "v1"), &[(UnrestoredReason::Ignored, 1)]);
    assert_eq!(carrier(&back), ["v1.spec.count"]);
}
