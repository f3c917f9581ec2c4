//! What authors declare of whole types: that no `Option` in them is nullable, and how the API server merges their values.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use crd_conv::crd::CrdOptions;
use crd_conv::testing::Tree;
use crd_conv::{__private::Shape, ResourceType, Versioned};
use crd_conv_tests::served::{Server, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Without a word for null.
mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        /// Never null in the version in the middle.
        pub(super) note: Option<String>,
        /// Null in all versions.
        pub(super) loose: Option<String>,
        /// Null in none.
        #[versioned(nullable = false)]
        pub(super) strict: Option<i64>,
        pub(super) filled: Option<i64>,
        pub(super) level: Option<Level>,
        pub(super) weight: i64,
        pub(super) timeout: Option<String>,
        pub(super) source: Option<Source>,
        #[serde(default)]
        pub(super) sources: Vec<Source>,
        pub(super) early: Option<i64>,
        pub(super) checks: Option<Checks>,
        #[serde(default)]
        pub(super) pools: BTreeMap<String, Pool>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub(super) parts: Vec<Part>,
        #[serde(flatten)]
        pub(super) common: Common,
        pub(super) gone: Option<String>,
    }

    #[derive(
        Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, PartialOrd, Ord,
    )]
    pub(super) enum Level {
        Low,
        High,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub(super) enum Source {
        Empty,
        Git { url: Option<String>, depth: Option<i64> },
        Http { url: Option<String> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        pub(super) url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        pub(super) zone: Option<String>,
        pub(super) size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Part {
        pub(super) name: String,
        pub(super) note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Common {
        pub(super) region: Option<String>,
    }
}

/// With it on nearly all types.
mod v1beta1 {
    use crd_conv::with::{GoDuration, Then, Wrapped};
    use crd_conv_tests::shipment::converters::{Holds, Kilos};

    use super::v1alpha1::Level;
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1alpha1::Spec,
        nullable = false,
        removed(gone),
        moved(early => checks.time),
    )]
    pub(super) struct Spec {
        pub(super) note: Option<String>,
        #[versioned(nullable)]
        pub(super) loose: Option<String>,
        pub(super) strict: Option<i64>,
        #[versioned(default = 5)]
        pub(super) filled: Option<i64>,
        pub(super) level: Option<Level>,
        #[versioned(with = Kilos)]
        pub(super) weight: Weight,
        #[versioned(with = Then::<_, _, i64>::new(GoDuration::SECONDS, Wrapped("seconds")),
            refuses(upgrade = "the operator never took anything but durations", downgrade = "nobody waits for centuries"))]
        pub(super) timeout: Option<Limits>,
        pub(super) source: Option<Source>,
        #[serde(default)]
        pub(super) sources: Vec<Source>,
        pub(super) checks: Option<Checks>,
        #[serde(default)]
        pub(super) pools: BTreeMap<String, Pool>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub(super) parts: Vec<Part>,
        #[serde(flatten)]
        pub(super) common: Common,
        #[versioned(added)]
        pub(super) come: Option<String>,
    }

    /// What a converter makes.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(nullable = false, map_type = "atomic")]
    pub(super) struct Weight {
        pub(super) kilo: i64,
        pub(super) unit: Option<String>,
        #[versioned(default = "x")]
        pub(super) name: Option<String>,
        #[versioned(nullable)]
        pub(super) note: Option<String>,
        pub(super) held: Held,
        pub(super) list: Vec<Held>,
        pub(super) map: BTreeMap<String, Held>,
        pub(super) queue: VecDeque<HeldStruct>,
        pub(super) set: BTreeSet<HeldStruct>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone)]
    #[serde(tag = "type")]
    #[versioned(nullable = false, map_type = "granular")]
    pub(super) enum Held {
        Plain { unit: Option<String> },
        Other(HeldStruct),
    }

    #[derive(
        Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord,
    )]
    #[versioned(nullable = false, map_type = "atomic")]
    pub(super) struct HeldStruct {
        pub(super) unit: Option<String>,
        pub(super) level: Option<Level>,
    }

    impl Holds for Weight {
        fn of(kilo: i64) -> Self {
            let plain = Held::Plain { unit: None };
            let structure = HeldStruct { unit: None, level: None };
            let other = Held::Other(structure.clone());
            Self {
                kilo,
                unit: None,
                name: None,
                note: None,
                held: if kilo % 2 == 0 { plain.clone() } else { other.clone() },
                list: vec![plain.clone(), other],
                map: BTreeMap::from([("a".to_owned(), plain)]),
                queue: VecDeque::from([structure.clone()]),
                set: BTreeSet::from([structure]),
            }
        }

        fn kilo(&self) -> i64 {
            self.kilo
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    #[versioned(nullable = false)]
    pub(super) struct Limits {
        pub(super) seconds: i64,
        pub(super) unit: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[versioned(from = super::v1alpha1::Source, nullable = false, removed(Http = Git))]
    pub(super) enum Source {
        Empty,
        Git { url: Option<String>, depth: Option<i64> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Checks, nullable = false)]
    pub(super) struct Checks {
        pub(super) url: Option<String>,
        #[versioned(added)]
        pub(super) time: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Pool, nullable = false)]
    pub(super) struct Pool {
        #[versioned(renamed_from = zone)]
        pub(super) region: Option<String>,
        #[versioned(default = 3)]
        pub(super) size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Part, nullable = false)]
    pub(super) struct Part {
        pub(super) name: String,
        pub(super) note: Option<String>,
        #[versioned(added)]
        pub(super) more: Option<i64>,
    }

    /// Its fields say it themselves, wherever they stand.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Common)]
    pub(super) struct Common {
        pub(super) region: Option<String>,
    }
}

/// With it on other types.
mod v1 {
    use crd_conv::with::Inverse;
    use crd_conv_tests::shipment::converters::Kilos;

    use super::v1alpha1::Level;
    use super::v1beta1::{Checks, Limits, Source};
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        pub(super) note: Option<String>,
        pub(super) loose: Option<String>,
        #[versioned(nullable = false)]
        pub(super) strict: Option<i64>,
        pub(super) filled: Option<i64>,
        pub(super) level: Option<Level>,
        #[versioned(with = Inverse(Kilos))]
        pub(super) weight: i64,
        pub(super) timeout: Option<Limits>,
        pub(super) source: Option<Source>,
        #[serde(default)]
        pub(super) sources: Vec<Source>,
        pub(super) checks: Option<Checks>,
        #[serde(default)]
        pub(super) pools: BTreeMap<String, Pool>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub(super) parts: Vec<Part>,
        #[serde(flatten)]
        pub(super) common: Common,
        pub(super) come: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Pool)]
    pub(super) struct Pool {
        pub(super) region: Option<String>,
        pub(super) size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Part)]
    pub(super) struct Part {
        pub(super) name: String,
        #[versioned(default = "n")]
        pub(super) note: Option<String>,
        pub(super) more: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Common, nullable = false)]
    pub(super) struct Common {
        pub(super) region: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crates", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Crate {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::Spec,
    },
    V1 {
        spec: v1::Spec,
    },
}

mod laws {
    crd_conv::laws!(super::Crate);
}

/// What the schema says of null at each path that ends in a field.
fn nullable(version: &str, paths: &[&str]) -> Vec<bool> {
    let schema = schema::<Crate>(version);
    let at = |path: &str| {
        let spec = &schema["properties"]["spec"];
        path.split('.').fold(spec, |schema, name| match name {
            "[]" => &schema["items"],
            "*" => &schema["additionalProperties"],
            name => &schema["properties"][name],
        })
    };
    let is_nullable = |path: &&str| {
        let schema = at(path);
        assert!(schema.is_object(), "{path} of {version}");
        schema["nullable"] == true
    };
    paths.iter().map(is_nullable).collect()
}

/// What the plan says of null, in the order of the fields.
fn planned<T: Shape>() -> Vec<(&'static str, bool)> {
    T::FIELDS.iter().map(|facts| (facts.field.rust, facts.field.nullable)).collect()
}

#[test]
fn no_option_of_the_type_is_nullable_unless_it_says_so() {
    let paths = ["note", "loose", "strict", "filled", "source", "checks"];
    assert_eq!(nullable("v1alpha1", &paths), [true, true, false, true, true, true]);
    assert_eq!(nullable("v1beta1", &paths), [false, true, false, false, false, false]);
    assert_eq!(nullable("v1", &paths), [true, true, false, true, true, true]);

    let fields = planned::<v1beta1::Spec>();
    let nullable: Vec<_> = fields.iter().filter(|(_, nullable)| *nullable).collect();
    assert_eq!(nullable, [&("loose", true)]);
    // The same word by field gives the same.
    assert_eq!(planned::<v1beta1::Pool>(), [("region", false), ("size", false)]);
    assert_eq!(planned::<v1::Pool>(), [("region", true), ("size", true)]);
}

/// Each type says it of its own fields: those around it and in it have their own word.
#[test]
fn types_inside_have_a_word_of_their_own() {
    let inside =
        ["weight.unit", "weight.name", "weight.note", "weight.held.unit", "weight.held.level"];
    assert_eq!(nullable("v1beta1", &inside), [false, false, true, false, false]);
    let paths = ["pools.*.size", "parts.[].note", "region"];
    assert_eq!(nullable("v1beta1", &paths), [false, false, true]);
    assert_eq!(nullable("v1", &paths), [true, true, false]);
}

#[test]
fn it_holds_for_the_fields_of_all_variants() {
    let paths = ["source.url", "source.depth", "sources.[].url"];
    assert_eq!(nullable("v1alpha1", &paths), [true, true, true]);
    assert_eq!(nullable("v1beta1", &paths), [false, false, false]);
}

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Crate>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Crate","metadata":{{"name":"c"}},"spec":{spec}}}"#
    )
}

/// A null is kept for the version that takes it, through the API server, and shown to no other one.
#[test]
fn a_null_comes_back_by_way_of_a_version_that_takes_none() {
    let spec = r#"{"checks":{"url":null},"loose":null,"note":null,"parts":[],"pools":{"a":{"size":1,"zone":null}},"source":{"depth":null,"type":"Git"},"sources":[],"weight":2000}"#;
    let object = object("v1alpha1", spec);
    let there = convert(&object, "v1beta1");
    let server = Server::of(&ResourceType::of::<Crate>(), &["v1beta1"]);
    let stored = server.between(&there, 0);
    let shown = Tree::read(&stored);
    for gone in [
        &["spec", "note"][..],
        &["spec", "checks", "url"],
        &["spec", "pools", "a", "region"],
        &["spec", "source", "depth"],
    ] {
        assert_eq!(shown.at(gone), None, "{stored}");
    }
    assert_eq!(shown.at(&["spec", "loose"]), Some(&Tree::read("null")));
    assert_eq!(shown.at(&["spec"]), Tree::read(&there).at(&["spec"]), "as the server has it");
    let back = Tree::read(&convert(&stored, "v1alpha1"));
    assert_eq!(back.at(&["spec"]), Some(&Tree::read(spec)));
}

/// An item that the API server compares as a whole.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[versioned(map_type = "atomic", nullable = false)]
struct Atom {
    name: String,
    note: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(map_type = "granular")]
struct Family {
    name: String,
    #[versioned(recursion_depth = 1)]
    children: Vec<Family>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
#[versioned(map_type = "atomic")]
enum Choice {
    Atom(Atom),
    Tree(Branch),
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(map_type = "granular")]
struct Branch {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
enum Around {
    Atom(Atom),
    Fields { atom: Option<Atom> },
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Merged {
    plain: Atom,
    maybe: Option<Box<Atom>>,
    #[versioned(map_type = "granular")]
    single: Option<Atom>,
    #[versioned(map_type = "atomic")]
    same: Atom,
    items: Vec<Atom>,
    set: BTreeSet<Atom>,
    hashed: HashSet<Atom>,
    pair: [Atom; 2],
    queue: VecDeque<Atom>,
    values: BTreeMap<String, Atom>,
    #[versioned(map_type = "granular")]
    map: BTreeMap<String, Atom>,
    tree: Family,
    choice: Choice,
    #[versioned(map_type = "granular")]
    chosen: Choice,
    around: Around,
    #[serde(flatten)]
    flat: Flat,
}

/// Its fields stand in the struct around it, so there is no object of its own.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(map_type = "atomic")]
struct Flat {
    beside: Atom,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "merges", scope = "Namespaced"))]
enum Merge {
    #[versioned(storage)]
    V1 { spec: Merged, status: Option<Atom> },
}

/// Where the word is, and which.
fn map_types(schema: &Value, path: &str, found: &mut BTreeMap<String, String>) {
    if let Some(map_type) = schema["x-kubernetes-map-type"].as_str() {
        found.insert(path.to_owned(), map_type.to_owned());
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        map_types(property, &format!("{path}.{name}"), found);
    }
    for (keyword, step) in [("items", "[]"), ("additionalProperties", "*")] {
        if schema[keyword].is_object() {
            map_types(&schema[keyword], &format!("{path}.{step}"), found);
        }
    }
}

#[test]
fn the_map_type_stands_wherever_the_type_does() {
    let schema = schema::<Merge>("v1");
    let mut found = BTreeMap::new();
    map_types(&schema, "", &mut found);
    let expected = json!({
        ".spec.plain": "atomic",
        ".spec.maybe": "atomic",
        ".spec.single": "granular",
        ".spec.same": "atomic",
        ".spec.items.[]": "atomic",
        ".spec.set.[]": "atomic",
        ".spec.hashed.[]": "atomic",
        ".spec.pair.[]": "atomic",
        ".spec.queue.[]": "atomic",
        ".spec.values.*": "atomic",
        ".spec.map": "granular",
        ".spec.map.*": "atomic",
        ".spec.tree": "granular",
        ".spec.tree.children.[]": "granular",
        ".spec.tree.children.[].children.[]": "granular",
        ".spec.choice": "atomic",
        ".spec.chosen": "granular",
        ".spec.around.Atom": "atomic",
        ".spec.around.Fields.atom": "atomic",
        ".spec.beside": "atomic",
        ".status": "atomic",
    });
    assert_eq!(json!(found), expected);
    let set = &schema["properties"]["spec"]["properties"]["set"];
    assert_eq!(
        set.get("x-kubernetes-list-type"),
        None,
        "server-side apply takes no objects in sets"
    );
}

/// Sets, arrays and queues once had the schema of their items alone.
#[test]
fn what_is_declared_is_known_of_all_lists() {
    let schema = schema::<Merge>("v1");
    let spec = &schema["properties"]["spec"]["properties"];
    for list in ["items", "set", "hashed", "pair", "queue"] {
        let note = &spec[list]["items"]["properties"]["note"];
        assert_eq!(*note, json!({"type": "string"}), "{list}");
    }
}

/// What generation says of a type with these attributes.
macro_rules! refused {
    ($($test:ident $(#[$attr:meta])* { $($item:tt)* } => $says:literal)*) => {$(
        #[test]
        fn $test() {
            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            $(#[$attr])*
            enum Choice { $($item)* }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            struct Spec {
                choice: Choice,
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "merges", scope = "Cluster"))]
            enum Merge {
                #[versioned(storage)]
                V1 { spec: Spec },
            }

            let error = ResourceType::of::<Merge>().crd(&CrdOptions::new()).expect_err("a mistake");
            assert_eq!(error.errors.len(), 1, "{error}");
            assert!(error.to_string().contains($says), "{error}");
        }
    )*};
}

refused! {
    a_map_type_of_no_object #[serde(untagged)] #[versioned(map_type = "atomic")] { A(Atom), B(String) }
        => "`.spec.choice` (Rust type `Choice`) has a `map_type`, but isn't a struct or a map"
    two_map_types #[versioned(map_type = "atomic")]
        #[schemars(extend("x-kubernetes-map-type" = "granular"))] { A(Atom), B(Atom) }
        => "`.spec.choice` (Rust type `Choice`) has the map type \"atomic\", and its schema has `x-kubernetes-map-type`: \"granular\""
    some_variants #[serde(tag = "type")] { A(Atom), B { name: String } }
        => "is an enum whose variants don't all have `x-kubernetes-map-type`, but the API server prunes and fills in defaults by one schema at each place: write `#[versioned(map_type = …)]` on the enum, or remove it"
}

#[test]
fn the_root_of_an_object_has_none() {
    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "atoms", scope = "Cluster"))]
    enum Root {
        #[versioned(storage)]
        V1(Atom),
    }

    let error = ResourceType::of::<Root>().crd(&CrdOptions::new()).expect_err("a mistake");
    assert!(error.to_string().contains("has `x-kubernetes-map-type`"), "{error}");
}
