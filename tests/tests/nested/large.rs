//! Objects that are large, deep or have very many parts: the engine looks at each part once, so that what follows is
//! over in a moment. With a step that takes the square of it none of these tests would end.

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, UnrestoredReason};
use crd_conv_tests::nest::resource;

fn object(version: &str, metadata: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Nest","metadata":{{{metadata}}},"spec":{spec}}}"#
    )
}

/// There and back; gives the object as the other version shows it.
fn round_trip(spec: &str) -> String {
    let resource = resource();
    let object = object("v1alpha1", "", spec);
    let there = resource.convert(object.as_bytes(), "v1beta1").unwrap();
    let back = resource.convert(there.json.as_bytes(), "v1alpha1").unwrap();
    assert!(there.unrestored.is_empty() && back.unrestored.is_empty());
    assert_eq!(back.json.len(), object.len());
    there.json
}

fn nested(levels: usize, open: &str, inside: &str, close: &str) -> String {
    format!(r#"{{"tree":{}{inside}{}}}"#, open.repeat(levels), close.repeat(levels))
}

/// Their entries have room in the object's annotations.
const LEVELS: usize = 600;

#[test]
fn many_items_in_one_list_and_in_many() {
    let items: Vec<String> =
        (0..100_000).map(|item| format!(r#"{{"title":"{item}","tier":"none"}}"#)).collect();
    round_trip(&format!(r#"{{"parts":[{}]}}"#, items.join(",")));
    let zoned = items.iter().map(|item| item.replace('}', ",\"zone\":\"z\"}"));
    let lists: Vec<String> = zoned.take(4_000).map(|item| format!("[{item}]")).collect();
    let there = round_trip(&format!(r#"{{"grid":[{}]}}"#, lists.join(",")));
    assert!(there.contains("v1alpha1.spec.grid.zone"));
}

#[test]
fn many_levels_of_fields_lists_and_maps() {
    let field = r#"{"text":"t","shade":"s","left":"#;
    let list = r#"{"text":"t","shade":"s","children":["#;
    let map = r#"{"text":"t","shade":"s","named":{"key":"#;
    for (open, inside, close) in [(field, "null", "}"), (list, "", "]}"), (map, "null", "}}")] {
        let there = round_trip(&nested(LEVELS, open, inside, close));
        // An entry doesn't grow with the number of levels around it.
        assert!(there.contains("v1alpha1.") && there.len() < LEVELS * 600, "{}", there.len());
    }
}

#[test]
fn many_items_below_many_levels() {
    let leaves = vec![r#"{"shade":"s"}"#; 8_000];
    let links = vec![r#"{"left":{"left":{}}}"#; 50_000];
    for open in [r#"{"left":"#, r#"{"children":["#] {
        let close = if open.ends_with('[') { "]}" } else { "}" };
        round_trip(&nested(
            1_000,
            open,
            &format!(r#"{{"children":[{}]}}"#, leaves.join(",")),
            close,
        ));
        round_trip(&nested(
            1_000,
            open,
            &format!(r#"{{"children":[{}]}}"#, links.join(",")),
            close,
        ));
    }
}

/// A key is in the place of every entry inside its value.
#[test]
fn a_long_key_is_written_once() {
    let leaves = vec![r#"{"shade":"s"}"#; 5_000].join(",");
    let others = leaves.replace(r#":"s""#, r#":"t""#);
    let (key, other) = ("k".repeat(200_000), "k".repeat(200_001));
    let there = round_trip(&format!(
        r#"{{"tree":{{"named":{{"{key}":{{"children":[{leaves}]}},"{other}":{{"children":[{others}]}}}}}}}}"#
    ));
    assert!(there.len() < 2_000_000, "{}", there.len());
}

/// The API server sorts the keys, and the items are the same all the same.
#[test]
fn items_are_found_again_however_deep_they_are() {
    let spec = nested(300, r#"{"text":"t","shade":"s","children":["#, "", "]}");
    let object = object("v1alpha1", "", &spec);
    let resource = resource();
    let there = resource.convert(object.as_bytes(), "v1").unwrap();
    let stored = Tree::read(&there.json).write();
    assert_ne!(stored, there.json);
    let back = resource.convert(stored.as_bytes(), "v1alpha1").unwrap();
    assert!(back.unrestored.is_empty(), "{:?}", back.unrestored);
    assert_eq!(Tree::read(&back.json), Tree::read(&object));
}

#[test]
fn a_carrier_full_of_nonsense() {
    let resource = resource();
    let entry = |print: usize| {
        format!(r#"{{\"at\":[{{\"is\":\"{print:016x}\",\"nth\":0,\"of\":1}}],\"keep\":{{}}}}"#)
    };
    let entries: Vec<String> = (0..5_000).map(entry).collect();
    let annotation = |name: &str, entries: &str| {
        format!(
            r#""conversion.example.com/v1alpha1.{name}":"{{\"format\":1,\"peer\":\"v1beta1\",\"entries\":[{entries}]}}""#
        )
    };
    let mut annotations: Vec<String> =
        (0..1_000).map(|rule| annotation(&format!("x{rule}"), &entry(rule))).collect();
    annotations.push(annotation("spec.parts.zone", &entries.join(",")));
    let metadata = format!(r#""annotations":{{{}}}"#, annotations.join(","));
    let items = vec![r#"{"name":""}"#; 50_000].join(",");
    let object = object("v1beta1", &metadata, &format!(r#"{{"items":[{items}]}}"#));
    let converted = resource.convert(object.as_bytes(), "v1alpha1").unwrap();
    assert_eq!(converted.unrestored.count(UnrestoredReason::AnchorGone), 5_000);
    assert_eq!(converted.unrestored.count(UnrestoredReason::Ignored), 1_000);
}

/// Types that all hold each other: from one to another there are more ways than anyone can list.
mod knot {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    macro_rules! strands {
        ($($name:ident)*) => {
            pub(super) mod v1 {
                use super::*;
                $(
                    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                    pub(crate) struct $name {
                        a: Option<Box<A>>,
                        b: Option<Box<B>>,
                        c: Vec<C>,
                        d: Option<Box<D>>,
                        e: Vec<E>,
                        f: Option<Box<F>>,
                        g: Option<Box<G>>,
                    }
                )*
            }

            pub(super) mod v2 {
                use super::*;
                $(
                    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                    #[versioned(from = super::v1::$name)]
                    pub(crate) struct $name {
                        a: Option<Box<A>>,
                        b: Option<Box<B>>,
                        c: Vec<C>,
                        d: Option<Box<D>>,
                        e: Vec<E>,
                        f: Option<Box<F>>,
                        g: Option<Box<G>>,
                        #[versioned(added)]
                        extra: Option<i64>,
                    }
                )*
            }
        };
    }

    strands!(A B C D E F G);

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "knots", scope = "Cluster"))]
    pub(super) enum Knot {
        V1 {
            spec: v1::A,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::A,
        },
    }
}

#[test]
fn types_that_all_hold_each_other() {
    let resource = ResourceType::of::<knot::Knot>();
    let object = r#"{"apiVersion":"example.com/v2","kind":"Knot","metadata":{},"spec":{"g":{"c":[{"extra":2}],"extra":1}}}"#;
    let there = resource.convert(object.as_bytes(), "v1").unwrap().json;
    assert_eq!(resource.convert(there.as_bytes(), "v2").unwrap().json, object);
    // What is near the root is known to be gone.
    let gone = there.replace(r#""spec":{"g":{"c":[{}]}}"#, r#""spec":{}"#);
    assert_ne!(gone, there);
    let back = resource.convert(gone.as_bytes(), "v2").unwrap();
    assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::AnchorGone, 2)]);
}
