//! Objects that are made to slow conversions down: with many items, many entries, many annotations,
//! or all of these at once. The cost should grow with the object's length, and no faster.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crd_conv::ResourceType;
use flate2::{Compression, GzBuilder};
use serde_json::{Map, Value, json};

use crate::reviews::request;

mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct AtticSpec {
        plain: Option<Vec<Item>>,
        #[versioned(list_map_keys(name))]
        keyed: Option<Vec<Item>>,
        map: Option<BTreeMap<String, Item>>,
        rows: Option<Vec<Row>>,
        chain: Option<Box<Link>>,
        open: Option<Open>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Row {
        items: Vec<Item>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Item {
        name: Option<String>,
        holder: Option<Holder>,
        shown: Option<Shown>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Holder {
        a: Option<i64>,
        k: Option<i64>,
        kind: Option<Kind>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum Kind {
        Old,
        Other,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Shown {
        k: Option<i64>,
        r: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Link {
        holder: Option<Holder>,
        next: Option<Box<Link>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Open {
        size: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct AtticStatus {
        phase: Option<String>,
    }
}

mod v2 {
    use std::collections::BTreeMap;

    use crd_conv::{ConvertError, Converter, Versioned};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::AtticSpec)]
    pub struct AtticSpec {
        plain: Option<Vec<Item>>,
        #[versioned(list_map_keys(name))]
        keyed: Option<Vec<Item>>,
        map: Option<BTreeMap<String, Item>>,
        rows: Option<Vec<Row>>,
        chain: Option<Box<Link>>,
        open: Option<Open>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Row)]
    pub struct Row {
        items: Vec<Item>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Item, moved(holder.a => b))]
    pub struct Item {
        name: Option<String>,
        holder: Option<Holder>,
        b: Option<i64>,
        #[serde(default)]
        shown: Shown,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Holder, removed(a))]
    pub struct Holder {
        k: Option<i64>,
        #[versioned(added)]
        q: Option<i64>,
        kind: Option<Kind>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Kind)]
    pub enum Kind {
        #[versioned(renamed_from = Old)]
        New,
        Other,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v1::Shown, removed(r))]
    pub struct Shown {
        k: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Link, moved(holder.a => b))]
    pub struct Link {
        holder: Option<Holder>,
        b: Option<i64>,
        next: Option<Box<Link>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Open)]
    pub struct Open {
        #[versioned(with = Halved)]
        size: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::AtticStatus)]
    pub struct AtticStatus {
        #[versioned(renamed_from = phase)]
        state: Option<String>,
    }

    pub(crate) struct Halved;

    impl Converter<i64, i64> for Halved {
        fn upgrade(&self, older: i64) -> Result<i64, ConvertError> {
            Ok(older / 2)
        }

        fn downgrade(&self, newer: i64) -> Result<i64, ConvertError> {
            newer.checked_mul(2).ok_or_else(|| "no such size".into())
        }
    }
}

mod v3 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::AtticSpec)]
    pub struct AtticSpec {
        plain: Option<Vec<Item>>,
        #[versioned(list_map_keys(name))]
        keyed: Option<Vec<Item>>,
        map: Option<BTreeMap<String, Item>>,
        rows: Option<Vec<Row>>,
        chain: Option<Box<super::v2::Link>>,
        open: Option<super::v2::Open>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Row)]
    pub struct Row {
        items: Vec<Item>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Item)]
    pub struct Item {
        name: Option<String>,
        holder: Option<Holder>,
        b: Option<i64>,
        #[serde(default)]
        shown: Shown,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Holder)]
    pub struct Holder {
        k: Option<i64>,
        q: Option<i64>,
        kind: Option<super::v2::Kind>,
        #[versioned(added)]
        late: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v2::Shown)]
    pub struct Shown {
        k: Option<i64>,
        #[versioned(added)]
        late: Option<i64>,
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "attics", scope = "Namespaced"))]
pub enum Attic {
    #[versioned(storage)]
    V1 {
        spec: v1::AtticSpec,
        status: Option<v1::AtticStatus>,
    },
    V2 {
        spec: v2::AtticSpec,
        status: Option<v2::AtticStatus>,
    },
    V3 {
        spec: v3::AtticSpec,
        status: Option<v2::AtticStatus>,
    },
}

/// An object in which one thing is made large.
pub struct Attack {
    pub name: &'static str,
    /// A review with one object of a size.
    pub request: fn(usize) -> String,
    /// The sizes to compare.
    pub sizes: [usize; 2],
}

const SIZES: [usize; 2] = [100, 800];

const fn attack(name: &'static str, request: fn(usize) -> String) -> Attack {
    Attack { name, request, sizes: SIZES }
}

pub const ATTACKS: [Attack; 24] = [
    attack("moves, forged entries", |n| forged(n, "plain", "v2", "holder.q", n)),
    attack("moves, packed entries", |n| packed("plain", n, 4 * n)),
    attack("moves, a rule nobody knows", |n| forged(n, "plain", "v2", "holder.zz", n)),
    attack("moves, another version", |n| forged(n, "plain", "v3", "holder.late", n)),
    attack("moves, a version nobody knows", |n| forged(n, "plain", "v9", "holder.zz", n)),
    attack("moves, annotations", |n| many_annotations(n, "v2", "holder.f")),
    attack("moves, other annotations", |n| many_annotations(n, "v9", "holder.f")),
    attack("moves, other annotations here", |n| many_annotations(n, "v3", "holder.f")),
    attack("shown, other annotations", |n| many_annotations(n, "v3", "shown.f")),
    attack("shown, another version", |n| forged(n, "plain", "v3", "shown.late", n)),
    attack("list with keys", |n| forged(n, "keyed", "v2", "holder.q", n)),
    attack("list with keys, another version", |n| forged(n, "keyed", "v3", "holder.late", n)),
    attack("map", |n| forged(n, "map", "v2", "holder.q", n)),
    attack("map, another version", |n| forged(n, "map", "v3", "holder.late", n)),
    attack("map, packed entries", |n| packed("map", n, 4 * n)),
    attack("nested lists", |n| forged(n, "rows", "v2", "items.holder.q", n)),
    attack("nested lists, another version", |n| forged(n, "rows", "v3", "items.holder.late", n)),
    attack("there and back", |n| back(n, |_| {})),
    attack("there and back, edited", |n| back(n, edit)),
    attack("there and back, all made new", |n| back(n, renew)),
    attack("depth", chain),
    Attack { name: "a large guard", request: guard, sizes: [300, 2_400] },
    Attack { name: "annotations about the status", request: aside, sizes: [300, 2_400] },
    Attack { name: "more than there is room for", request: no_room, sizes: [3_000, 12_000] },
];

/// A review of one object, which is to be converted to another version.
fn review(from: &str, to: &str, parts: &Value, annotations: &[(String, String)]) -> String {
    let annotations: Map<String, Value> = annotations
        .iter()
        .map(|(name, value)| (format!("conversion.example.com/{name}"), value.clone().into()))
        .collect();
    let metadata = json!({ "name": "attic", "namespace": "default", "annotations": annotations });
    let mut object = json!({ "apiVersion": format!("example.com/{from}"), "kind": "Attic", "metadata": metadata });
    let parts = parts.as_object().into_iter().flatten();
    object
        .as_object_mut()
        .expect("an object")
        .extend(parts.map(|(name, part)| (name.clone(), part.clone())));
    request(to, std::iter::once(object))
}

/// This number of items in a field, each with a value that moves.
fn items(field: &str, count: usize) -> Value {
    let item = |n: usize| json!({ "name": format!("item-{n}"), "holder": { "a": n } });
    let items: Value = match field {
        "map" => {
            let items: Map<_, _> = (0..count).map(|n| (format!("item-{n}"), item(n))).collect();
            items.into()
        }
        "rows" => {
            let places: Vec<usize> = (0..count).collect();
            let rows = places.chunks(8);
            rows.map(|row| json!({ "items": row.iter().map(|n| item(*n)).collect::<Vec<_>>() }))
                .collect()
        }
        _ => (0..count).map(item).collect(),
    };
    json!({ "spec": { field: items } })
}

/// An annotation's entries. None of them belongs to an existing item.
fn entries(field: &str, peer: &str, count: usize) -> String {
    let mut entries = String::new();
    for n in 0..count {
        let at = match field {
            "map" => format!("\"x{n}\""),
            "keyed" => format!("[\"x{n}\"]"),
            "rows" => {
                format!(
                    r#"{{"is":"{:016x}","nth":0,"of":1}},{{"is":"{n:016x}","nth":0,"of":1}}"#,
                    n / 8
                )
            }
            _ => format!(r#"{{"is":"{n:016x}","nth":0,"of":1}}"#),
        };
        let comma = if n == 0 { "" } else { "," };
        write!(entries, r#"{comma}{{"at":[{at}],"keep":{{}}}}"#).expect("writing to a text");
    }
    format!(r#"{{"format":1,"peer":"{peer}","entries":[{entries}]}}"#)
}

/// The version before another one, for which that one's entries are kept.
fn peer(home: &str) -> &str {
    match home {
        "v2" => "v1",
        "v3" => "v2",
        _ => "v8",
    }
}

/// This number of items, and this number of entries in one annotation.
fn forged(count: usize, field: &str, home: &str, rule: &str, entries_of: usize) -> String {
    let annotation =
        (format!("{home}.spec.{field}.{rule}"), entries(field, peer(home), entries_of));
    review("v1", "v2", &items(field, count), &[annotation])
}

/// The same with a packed annotation.
pub fn packed(field: &str, count: usize, entries_of: usize) -> String {
    let text = entries(field, "v1", entries_of);
    let (_, body) = text.split_once("\"entries\"").expect("entries");
    let text = format!("{{\"entries\"{body}");
    let gzip = |comment: usize| {
        let builder = GzBuilder::new().comment(vec![b' '; comment]);
        let mut encoder = builder.write(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("writing to memory");
        STANDARD.encode(encoder.finish().expect("writing to memory"))
    };
    // Texts that are packed better than 32 to 1 aren't unpacked.
    let missing = text.len().div_ceil(32).saturating_sub(gzip(0).len());
    let packed = gzip(missing);
    let annotation = format!(r#"{{"format":1,"peer":"v1","packed":"{packed}"}}"#);
    review("v1", "v2", &items(field, count), &[(format!("v2.spec.{field}.holder.q"), annotation)])
}

/// The same object without the annotation.
pub fn plain(field: &str, count: usize) -> String {
    review("v1", "v2", &items(field, count), &[])
}

/// This number of items, and of annotations.
fn many_annotations(count: usize, home: &str, rule: &str) -> String {
    let annotation = |n: usize| {
        let entry = r#"{"at":[{"is":"00","nth":0,"of":1}],"keep":{"x":1}}"#;
        let text = format!(r#"{{"format":1,"peer":"{}","entries":[{entry}]}}"#, peer(home));
        (format!("{home}.spec.plain.{rule}{n}"), text)
    };
    let annotations: Vec<_> = (0..count).map(annotation).collect();
    review("v1", "v2", &items("plain", count), &annotations)
}

/// An object that was converted and is to be converted back, perhaps after a client's edits.
fn back(count: usize, edit: fn(&mut Value)) -> String {
    let item = |n: usize| {
        let kind = if n.is_multiple_of(3) { json!("Old") } else { Value::Null };
        match n % 4 {
            0 => json!({ "name": format!("item-{n}"), "b": n }),
            1 => json!({ "name": format!("item-{n}"), "holder": { "q": n, "kind": kind } }),
            2 => json!({ "name": format!("item-{n}"), "b": n, "holder": { "q": n } }),
            _ => json!({ "name": format!("item-{n}") }),
        }
    };
    let items: Vec<Value> = (0..count).map(item).collect();
    let rows: Vec<Value> = items.chunks(100).map(|row| json!({ "items": row })).collect();
    let object = json!({
        "apiVersion": "example.com/v2", "kind": "Attic",
        "metadata": { "name": "attic" }, "spec": { "rows": rows },
    });
    let there =
        ResourceType::of::<Attic>().convert(object.to_string().as_bytes(), "v1").expect("converts");
    let mut object: Value = serde_json::from_str(&there.json).expect("JSON");
    assert!(object["metadata"]["annotations"].is_object(), "{object}");
    edit(&mut object);
    request("v2", std::iter::once(object))
}

fn each_item(object: &mut Value, edit: impl Fn(usize, &mut Value)) {
    let rows = object["spec"]["rows"].as_array_mut().expect("rows").iter_mut();
    for row in rows {
        let items = row["items"].as_array_mut().expect("items").iter_mut();
        items.enumerate().for_each(|(n, item)| edit(n, item));
    }
}

/// Every sixth item gets another name.
fn edit(object: &mut Value) {
    each_item(object, |n, item| {
        if n.is_multiple_of(6) {
            item["holder"]["k"] = json!(n);
        }
    });
}

/// All items get another name.
fn renew(object: &mut Value) {
    each_item(object, |n, item| item["name"] = json!(format!("new-{n}")));
}

/// This number of objects inside each other. Each has a value that moves, and an annotation.
fn chain(depth: usize) -> String {
    let link = |next: Value, n: usize| json!({ "holder": { "a": n, "kind": "Old" }, "next": next });
    let chain = (0..depth).fold(Value::Null, link);
    let entry = r#"{"format":1,"peer":"v2","keep":{"x":1}}"#.to_owned();
    let annotation = |n: usize| (format!("v3.spec.chain.next.holder.f{n}"), entry.clone());
    let annotations: Vec<_> = (0..depth).map(annotation).collect();
    review("v1", "v2", &json!({ "spec": { "chain": chain } }), &annotations)
}

/// An entry that names as many fields as an object has.
fn guard(count: usize) -> String {
    let members = |with: Value| {
        let mut members: Map<_, _> = (0..count).map(|n| (format!("f{n}"), json!(n))).collect();
        members.extend(
            with.as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        Value::from(members)
    };
    let entry = json!({ "format": 1, "peer": "v1", "keep": { "size": 4 }, "guard": members(json!({ "size": 9 })) });
    let annotation = ("v2.spec.open.size".to_owned(), entry.to_string());
    review("v1", "v2", &json!({ "spec": { "open": members(json!({ "size": 9 })) } }), &[annotation])
}

/// Annotations for status fields, which can't be trusted.
fn aside(count: usize) -> String {
    let entry = r#"{"format":1,"peer":"v1","keep":{"x":1}}"#.to_owned();
    let annotations: Vec<_> =
        (0..count).map(|n| (format!("v9.status.f{n}"), entry.clone())).collect();
    review("v1", "v2", &json!({ "spec": {}, "status": { "phase": "a" } }), &annotations)
}

/// Annotations most of which have no room.
fn no_room(count: usize) -> String {
    let text = "x".repeat(200);
    let entry = format!(r#"{{"format":1,"peer":"v8","keep":{{"x":"{text}"}}}}"#);
    let annotations: Vec<_> =
        (0..count).map(|n| (format!("v9.spec.f{n}"), entry.clone())).collect();
    review("v1", "v2", &json!({ "spec": {} }), &annotations)
}
