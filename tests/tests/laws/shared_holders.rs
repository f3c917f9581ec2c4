//! Structs that values reach from several structs around them, and what other versions kept inside structs that are gone.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        port: Option<Port>,
        dock: Option<Dock>,
        quay: Option<Quay>,
        #[serde(default)]
        quays: BTreeMap<String, Quay>,
        #[serde(default)]
        trucks: Vec<Truck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Truck {
        load: Option<i64>,
        weight: Option<i64>,
        hold: Option<Hold>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hold {
        length: Option<i64>,
        tag: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        crane: Option<Crane>,
    }

    /// Both values leave it, one for a struct beside the port.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Crane {
        #[versioned(default = "a")]
        name: Option<String>,
        #[versioned(default = "a")]
        hook: Option<String>,
        load: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Dock {
        gate: Option<Gate>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Gate {
        width: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Quay {
        berth: Option<Berth>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Berth {
        depth: Option<i64>,
    }
}

mod v1beta2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec, moved(port.crane.hook => dock.gate.hook))]
    pub(super) struct Spec {
        port: Option<Port>,
        dock: Option<Dock>,
        quay: Option<Quay>,
        #[serde(default)]
        quays: BTreeMap<String, Quay>,
        #[serde(default)]
        trucks: Vec<Truck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Truck, moved(load => hold.load))]
    pub(super) struct Truck {
        weight: Option<i64>,
        hold: Option<Hold>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Hold, removed(tag))]
    pub(super) struct Hold {
        length: Option<i64>,
        #[versioned(added)]
        load: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Port, moved(crane.name => name))]
    pub(super) struct Port {
        crane: Option<Crane>,
        name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Crane, removed(name, hook))]
    pub(super) struct Crane {
        load: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Dock)]
    pub(super) struct Dock {
        gate: Option<Gate>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Gate)]
    pub(super) struct Gate {
        width: Option<i64>,
        #[versioned(added, default = "a")]
        hook: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Quay)]
    pub(super) struct Quay {
        #[versioned(default = DEEP)]
        berth: Option<Berth>,
    }

    const DEEP: Berth = Berth { depth: Some(9) };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Berth)]
    pub(super) struct Berth {
        depth: Option<i64>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Spec)]
    pub(super) struct Spec {
        port: Option<super::v1beta2::Port>,
        dock: Option<super::v1beta2::Dock>,
        quay: Option<Quay>,
        #[serde(default)]
        quays: BTreeMap<String, Quay>,
        #[serde(default)]
        trucks: Vec<Truck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Truck, moved(weight => hold.weight))]
    pub(super) struct Truck {
        hold: Option<Hold>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Hold)]
    pub(super) struct Hold {
        length: Option<i64>,
        load: Option<i64>,
        #[versioned(added)]
        weight: Option<i64>,
        #[versioned(added)]
        seals: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Quay)]
    pub(super) struct Quay {
        berth: Option<Berth>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Berth)]
    pub(super) struct Berth {
        depth: Option<i64>,
        #[versioned(added)]
        bollards: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "harbours", scope = "Namespaced"))]
enum Harbour {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1beta2 {
        spec: v1beta2::Spec,
    },
    V1 {
        spec: v1::Spec,
    },
}

crd_conv::laws!(Harbour);

fn convert(object: &str, to: &str) -> Tree {
    let converted = ResourceType::of::<Harbour>().convert(object.as_bytes(), to);
    Tree::read(&converted.unwrap_or_else(|error| panic!("{error}: {object}")).json)
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Harbour","metadata":{{}},"spec":{spec}}}"#
    )
}

/// The crane is made for the port's name; its hook is only shown, so no gate comes of it.
#[test]
fn what_is_shown_beside_a_value_of_another_struct_moves_nowhere() {
    let spec = r#"{"port":{"name":"q"},"dock":{},"quays":{},"trucks":[]}"#;
    let there = convert(&object("v1beta2", spec), "v1beta1");
    let crane = r#"{"name":"q","hook":"a"}"#;
    assert_eq!(there.at(&["spec", "port", "crane"]), Some(&Tree::read(crane)));
    let back = convert(&there.write(), "v1beta2");
    assert_eq!(back.at(&["spec"]), Some(&Tree::read(spec)));
}

/// A client takes the berths away, and the middle version shows others in their place: what v1 knew of them is gone.
#[test]
fn what_was_kept_in_a_struct_goes_with_it() {
    let spec = r#"{"quay":{"berth":{"depth":9,"bollards":7}},"quays":{"a":{"berth":{"depth":9,"bollards":7}},"b":{"berth":{"depth":9,"bollards":8}}}}"#;
    let mut there = convert(&object("v1", spec), "v1beta1");
    assert!(there.write().contains("bollards"), "{}", there.write());
    for way in [&["spec", "quay"][..], &["spec", "quays", "a"]] {
        let quay = there.at_mut(way).and_then(Tree::members_mut).expect("a quay");
        assert!(quay.remove("berth").is_some());
    }
    let back = convert(&there.write(), "v1");
    let spec = r#"{"quay":{"berth":{"depth":9}},"quays":{"a":{"berth":{"depth":9}},"b":{"berth":{"depth":9,"bollards":8}}}}"#;
    assert_eq!(back.at(&["spec"]), Some(&Tree::read(spec)));
}

/// A struct that is made for a moved value goes with it, unless something is kept for it: not for one in another item.
#[test]
fn what_is_kept_in_one_item_makes_no_struct_in_another() {
    let spec = r#"{"quays":{},"trucks":[{"load":1},{"load":2}]}"#;
    let there = convert(&object("v1beta1", spec), "v1");
    let load = r#"{"load":1}"#;
    assert_eq!(there.write().matches(load).count(), 1, "{}", there.write());
    let sealed = there.write().replace(load, r#"{"load":1,"seals":7}"#);
    let back = convert(&sealed, "v1beta1");
    let spec = r#"{"quays":{},"trucks":[{"load":1,"hold":{}},{"load":2}]}"#;
    assert_eq!(back.at(&["spec"]), Some(&Tree::read(spec)));
    let again = convert(&back.write(), "v1");
    assert_eq!(again.at(&["spec"]), Tree::read(&sealed).at(&["spec"]));
}

/// As long as only the version that an object goes to tells which item it is.
#[test]
fn what_a_third_version_keeps_in_one_item_leaves_no_struct_in_another() {
    let spec = r#"{"quays":{},"trucks":[{"weight":1},{"weight":2,"hold":{"tag":"a"}},{"weight":2,"hold":{}},{"weight":2}]}"#;
    let there = convert(&object("v1beta1", spec), "v1");
    assert!(there.write().contains("tag"), "{}", there.write());
    let back = convert(&there.write(), "v1beta1");
    assert_eq!(back.write(), Tree::read(&object("v1beta1", spec)).write());

    // A client takes the item away: of the others each is what it was.
    let spec = r#"{"quays":{},"trucks":[{"weight":1},{"weight":2,"hold":{"tag":"a"}},{"weight":3,"hold":{}},{"weight":4}]}"#;
    let mut edited = convert(&object("v1beta1", spec), "v1");
    let Some(Tree::List(trucks)) = edited.at_mut(&["spec", "trucks"]) else { panic!("no trucks") };
    trucks.remove(1);
    let back = convert(&edited.write(), "v1beta1");
    let spec = r#"{"quays":{},"trucks":[{"weight":1},{"weight":3,"hold":{}},{"weight":4}]}"#;
    assert_eq!(back.at(&["spec"]), Some(&Tree::read(spec)));
}

/// As in maps and in lists with keys. Of items that are equal in between it is that of the one in the same place.
#[test]
fn what_is_kept_in_a_struct_of_an_item_goes_with_the_struct() {
    let loaded = r#"{"hold":{"load":2,"seals":0}}"#;
    for (trucks, shown, edited, there) in [
        (
            format!("[{{}},{{}},{loaded}]"),
            r#"[{},{},{"hold":{},"load":2}]"#,
            r#"[{},{"load":2}]"#,
            r#"[{},{"hold":{"load":2}}]"#.to_owned(),
        ),
        (
            format!("[{loaded},{loaded}]"),
            r#"[{"hold":{},"load":2},{"hold":{},"load":2}]"#,
            r#"[{"load":2},{"hold":{},"load":2}]"#,
            format!(r#"[{{"hold":{{"load":2}}}},{loaded}]"#),
        ),
        (
            format!(r#"[{loaded},{{"hold":{{"load":2}}}}]"#),
            r#"[{"hold":{},"load":2},{"hold":{},"load":2}]"#,
            r#"[{"load":2},{"hold":{},"load":2}]"#,
            r#"[{"hold":{"load":2}},{"hold":{"load":2}}]"#.to_owned(),
        ),
        (
            r#"[{"hold":{"length":1,"load":2,"seals":0}},{}]"#.to_owned(),
            r#"[{"hold":{"length":1},"load":2},{}]"#,
            r#"[{"load":2},{}]"#,
            r#"[{"hold":{"load":2}},{}]"#.to_owned(),
        ),
    ] {
        let spec = |trucks: &str| format!(r#"{{"quays":{{}},"trucks":{trucks}}}"#);
        let mut view = convert(&object("v1", &spec(&trucks)), "v1beta1");
        let Some(list) = view.at_mut(&["spec", "trucks"]) else { panic!("no trucks") };
        assert_eq!(*list, Tree::read(shown));
        *list = Tree::read(edited);
        let again = convert(&view.write(), "v1");
        assert_eq!(again.at(&["spec"]), Some(&Tree::read(&spec(&there))), "{edited}");
    }
}
