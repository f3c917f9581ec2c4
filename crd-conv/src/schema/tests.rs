#![allow(dead_code, reason = "the types are there for their schemas")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Schema, SchemaError, agreement::agree, read};
use crate::definition::TypeRef;
use crate::outline::outline;

pub(super) fn schema_of<T: JsonSchema>() -> (Schema, Vec<SchemaError>) {
    let mut errors = Vec::new();
    let schema = read(TypeRef::of::<T>("Tested"), ".spec", &mut errors);
    if errors.is_empty() {
        let outline = outline(schemars::SchemaGenerator::subschema_for::<T>);
        agree(&outline.expect("conversions know it, too"), &schema, ".spec");
    }
    (schema, errors)
}

#[track_caller]
fn gives<T: JsonSchema>(expected: &str) {
    let (schema, errors) = schema_of::<T>();
    assert_eq!(errors, []);
    assert_eq!(serde_json::to_string(&schema).unwrap(), expected);
}

#[track_caller]
fn refuses<T: JsonSchema>(expected: &[(&str, &str, &str)]) {
    let (_, errors) = schema_of::<T>();
    let found: Vec<_> =
        errors.iter().map(|error| (error.path.as_str(), error.ty.as_str())).collect();
    let places: Vec<_> = expected.iter().map(|(path, ty, _)| (*path, *ty)).collect();
    assert_eq!(found, places, "{errors:#?}");
    for (error, (_, _, problem)) in errors.iter().zip(expected) {
        assert!(error.to_string().contains(problem), "{error}");
    }
}

/// What a container is.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Container {
    image: String,
    /// How often.
    #[serde(default)]
    count: u8,
}

#[derive(JsonSchema)]
enum Plain {
    Always,
    #[schemars(rename = "never")]
    Never,
}

#[derive(JsonSchema)]
enum Documented {
    /// At once.
    Now,
    Later,
    /// Not at all.
    Never,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Clashing {
    Map(BTreeMap<String, bool>),
    Struct { a: i32 },
}

mod accepted {
    use super::*;

    #[test]
    fn scalars() {
        gives::<String>(r#"{"type":"string"}"#);
        gives::<bool>(r#"{"type":"boolean"}"#);
        gives::<i32>(r#"{"type":"integer","format":"int32"}"#);
        gives::<i64>(r#"{"type":"integer","format":"int64"}"#);
        gives::<f64>(r#"{"type":"number","format":"double"}"#);
        gives::<u32>(r#"{"type":"integer","maximum":4294967295,"minimum":0}"#);
        gives::<u128>(r#"{"type":"integer","minimum":0}"#);
        gives::<i128>(r#"{"type":"integer"}"#);
        // The server knows no format for these.
        gives::<u8>(r#"{"type":"integer","maximum":255,"minimum":0}"#);
        gives::<u64>(r#"{"type":"integer","minimum":0}"#);
        gives::<i8>(r#"{"type":"integer","maximum":127,"minimum":-128}"#);
    }

    #[test]
    fn options_are_nullable_except_of_enums() {
        gives::<Option<String>>(r#"{"type":"string","nullable":true}"#);
        gives::<Option<Option<bool>>>(r#"{"type":"boolean","nullable":true}"#);
        gives::<Option<Plain>>(r#"{"type":"string","enum":["Always","never"]}"#);
        gives::<Option<Documented>>(
            r#"{"description":"- `Now`: At once.\n- `Never`: Not at all.","type":"string","enum":["Later","Now","Never"]}"#,
        );
        gives::<Option<Container>>(
            r#"{"description":"What a container is.","type":"object","required":["image"],"properties":{"count":{"description":"How often.","type":"integer","default":0,"maximum":255,"minimum":0},"image":{"type":"string"}},"nullable":true}"#,
        );
    }

    #[test]
    fn collections() {
        gives::<Vec<String>>(r#"{"type":"array","items":{"type":"string"}}"#);
        gives::<[bool; 2]>(
            r#"{"type":"array","maxItems":2,"minItems":2,"items":{"type":"boolean"}}"#,
        );
        gives::<Vec<Option<String>>>(
            r#"{"type":"array","items":{"type":"string","nullable":true}}"#,
        );
        gives::<HashMap<String, BTreeMap<String, bool>>>(
            r#"{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"boolean"}}}"#,
        );
    }

    #[test]
    fn recursion_ends_where_unknown_fields_are_preserved() {
        #[derive(JsonSchema)]
        struct Tree {
            name: String,
            #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
            children: Vec<Tree>,
            #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
            other: Option<Box<Tree>>,
        }
        gives::<Tree>(concat!(
            r#"{"type":"object","required":["children","name"],"properties":{"#,
            r#""children":{"type":"array","items":{"type":"object","#,
            r#""x-kubernetes-preserve-unknown-fields":true},"#,
            r#""x-kubernetes-preserve-unknown-fields":true},"#,
            r#""name":{"type":"string"},"#,
            r#""other":{"type":"object","nullable":true,"x-kubernetes-preserve-unknown-fields":true}}}"#,
        ));
    }

    #[test]
    fn bounds_that_the_server_reads() {
        #[derive(JsonSchema)]
        struct Bounded {
            #[schemars(range(max = u64::MAX))]
            a: u64,
            #[schemars(range(min = i64::MIN, max = i64::MAX))]
            b: i64,
            #[schemars(extend("exclusiveMinimum" = 0.5, "maximum" = 10.5))]
            c: i32,
            #[schemars(extend("minimum" = -5_000_000_000_i64, "maximum" = 5_000_000_000_i64))]
            d: i32,
        }
        gives::<Bounded>(concat!(
            r#"{"type":"object","required":["a","b","c","d"],"properties":{"#,
            r#""a":{"type":"integer","minimum":0},"#,
            // The server reads its smallest integer as one that is too small, and would refuse every value.
            r#""b":{"type":"integer","format":"int64"},"#,
            r#""c":{"type":"integer","format":"int32","maximum":10,"minimum":1},"#,
            r#""d":{"type":"integer","format":"int32"}}}"#
        ));
    }

    #[test]
    fn sets_maps_and_whatever_there_is() {
        #[derive(JsonSchema)]
        #[schemars(untagged)]
        #[expect(dead_code, reason = "only its schema is read")]
        enum IntOrText {
            Int(i64),
            Text(String),
        }
        #[derive(JsonSchema)]
        #[schemars(deny_unknown_fields)]
        struct Denying {
            a: String,
        }
        gives::<BTreeSet<u8>>(
            r#"{"type":"array","items":{"type":"integer","maximum":255,"minimum":0},"x-kubernetes-list-type":"set"}"#,
        );
        // Server-side apply takes no other items in a set.
        gives::<BTreeSet<Vec<BTreeSet<bool>>>>(
            r#"{"type":"array","items":{"type":"array","items":{"type":"array","items":{"type":"boolean"},"x-kubernetes-list-type":"set"}}}"#,
        );
        gives::<BTreeSet<(bool, bool)>>(
            r#"{"type":"array","items":{"type":"array","maxItems":2,"minItems":2,"items":{"type":"boolean"}}}"#,
        );
        gives::<HashSet<Option<bool>>>(
            r#"{"type":"array","items":{"type":"boolean","nullable":true}}"#,
        );
        gives::<BTreeSet<BTreeMap<String, bool>>>(
            r#"{"type":"array","items":{"type":"object","additionalProperties":{"type":"boolean"}}}"#,
        );
        gives::<BTreeSet<serde_json::Value>>(
            r#"{"type":"array","items":{"nullable":true,"x-kubernetes-preserve-unknown-fields":true}}"#,
        );
        gives::<BTreeSet<IntOrText>>(
            r#"{"type":"array","items":{"x-kubernetes-int-or-string":true},"x-kubernetes-list-type":"set"}"#,
        );
        gives::<BTreeMap<u32, bool>>(
            r#"{"type":"object","additionalProperties":{"type":"boolean"}}"#,
        );
        gives::<serde_json::Value>(
            r#"{"nullable":true,"x-kubernetes-preserve-unknown-fields":true}"#,
        );
        gives::<(bool, bool)>(
            r#"{"type":"array","maxItems":2,"minItems":2,"items":{"type":"boolean"}}"#,
        );
        gives::<Denying>(
            r#"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#,
        );
    }

    #[test]
    fn enums_with_data() {
        /// Around.
        #[derive(JsonSchema)]
        enum External {
            /// The first.
            One(String),
            Two {
                a: i32,
            },
        }
        #[derive(JsonSchema)]
        enum Mixed {
            /// Nothing at all.
            None,
            Some(bool),
        }
        #[derive(JsonSchema)]
        #[schemars(tag = "type")]
        enum Internal {
            /// With a number.
            A {
                x: i32,
                y: Option<bool>,
            },
            B(Container),
            C {
                x: String,
            },
        }
        #[derive(JsonSchema)]
        #[schemars(tag = "t", content = "c")]
        enum Adjacent {
            A(bool),
            B { a: String },
            C,
        }
        #[derive(JsonSchema)]
        #[schemars(untagged)]
        enum Untagged {
            A { a: String },
            B { a: String, b: Option<bool> },
            C(Vec<bool>),
            D(bool),
        }
        gives::<External>(
            r#"{"description":"Around.","type":"object","oneOf":[{"required":["One"]},{"required":["Two"]}],"properties":{"One":{"description":"The first.","type":"string"},"Two":{"type":"object","required":["a"],"properties":{"a":{"type":"integer","format":"int32"}}}}}"#,
        );
        gives::<Option<Mixed>>(
            r#"{"description":"- `None`: Nothing at all.","oneOf":[{"enum":["None"]},{"maxProperties":1,"required":["Some"],"not":{"maxProperties":0,"minProperties":1}}],"properties":{"Some":{"type":"boolean"}},"nullable":true,"x-kubernetes-preserve-unknown-fields":true}"#,
        );
        gives::<Internal>(
            r#"{"type":"object","required":["type"],"oneOf":[{"required":["x"],"not":{"anyOf":[{"required":["count"]},{"required":["image"]}]},"properties":{"type":{"enum":["A"]},"x":{"maximum":2147483647,"minimum":-2147483648,"not":{"maximum":0,"minimum":1}}}},{"required":["image"],"not":{"anyOf":[{"required":["x"]},{"required":["y"]}]},"properties":{"type":{"enum":["B"]}}},{"required":["x"],"not":{"anyOf":[{"required":["count"]},{"required":["image"]},{"required":["y"]}]},"properties":{"type":{"enum":["C"]},"x":{"not":{"maxLength":0,"minLength":1}}}}],"properties":{"count":{"description":"How often.","type":"integer","maximum":255,"minimum":0},"image":{"type":"string"},"type":{"description":"- `A`: With a number.\n- `B`: What a container is.","type":"string","enum":["A","B","C"]},"x":{"x-kubernetes-int-or-string":true},"y":{"type":"boolean","nullable":true}}}"#,
        );
        gives::<Adjacent>(
            r#"{"type":"object","required":["t"],"oneOf":[{"required":["c"],"properties":{"c":{"enum":[false,true]},"t":{"enum":["A"]}}},{"required":["c"],"properties":{"c":{"required":["a"],"not":{"maxProperties":0,"minProperties":1}},"t":{"enum":["B"]}}},{"not":{"required":["c"]},"properties":{"t":{"enum":["C"]}}}],"properties":{"c":{"properties":{"a":{"type":"string"}},"x-kubernetes-preserve-unknown-fields":true},"t":{"type":"string","enum":["A","B","C"]}}}"#,
        );
        gives::<Untagged>(
            r#"{"items":{"type":"boolean"},"anyOf":[{"required":["a"],"not":{"anyOf":[{"maxProperties":0,"minProperties":1},{"required":["b"]}]}},{"required":["a"],"not":{"maxProperties":0,"minProperties":1}},{"not":{"maxItems":0,"minItems":1}},{"enum":[false,true]}],"properties":{"a":{"type":"string"},"b":{"type":"boolean","nullable":true}},"x-kubernetes-preserve-unknown-fields":true}"#,
        );
    }

    #[test]
    fn enums_of_an_integer_and_a_string() {
        #[derive(JsonSchema)]
        #[schemars(untagged)]
        enum Number {
            A(i64),
            B(String),
        }
        #[derive(JsonSchema)]
        #[schemars(untagged)]
        enum CountOrShare {
            Count(i32),
            Share(#[schemars(regex(pattern = "%$"))] String),
        }
        #[derive(JsonSchema)]
        #[schemars(untagged, extend("pattern" = "%$", "minimum" = 1))]
        enum ShareOrCount {
            Share(String),
            Count(i64),
        }
        #[derive(JsonSchema)]
        #[schemars(untagged, extend("pattern" = "%$"))]
        enum Twice {
            Count(i64),
            Share(#[schemars(regex(pattern = "^[0-9]"))] String),
        }
        #[derive(JsonSchema)]
        #[schemars(transparent)]
        struct Count(#[schemars(range(min = 2))] i64);
        #[derive(JsonSchema)]
        #[schemars(untagged, extend("minimum" = 1))]
        enum Referring {
            Count(Count),
            Share(String),
        }
        #[derive(JsonSchema)]
        #[schemars(untagged, extend("minimum" = 1, "maximum" = 70_000, "maxLength" = 9))]
        enum PortOrName {
            Port(u16),
            Name(#[schemars(length(max = 20))] String),
        }
        gives::<Option<Number>>(r#"{"nullable":true,"x-kubernetes-int-or-string":true}"#);
        gives::<CountOrShare>(
            r#"{"maximum":2147483647,"minimum":-2147483648,"pattern":"%$","x-kubernetes-int-or-string":true}"#,
        );
        gives::<Option<ShareOrCount>>(
            r#"{"minimum":1,"pattern":"%$","nullable":true,"x-kubernetes-int-or-string":true}"#,
        );
        refuses::<Twice>(&[(".spec", "Twice", "`pattern` next to the schemas of its variants")]);
        refuses::<Referring>(&[(
            ".spec",
            "Referring",
            "`minimum` next to the schemas of its variants",
        )]);
        gives::<PortOrName>(
            r#"{"maximum":65535,"minimum":1,"maxLength":9,"x-kubernetes-int-or-string":true}"#,
        );
    }

    #[test]
    fn bounds_lengths_and_patterns() {
        #[derive(JsonSchema)]
        struct Bounded {
            #[schemars(range(min = 1, max = 10))]
            a: i32,
            #[schemars(length(min = 1, max = 63), regex(pattern = "^a+$"))]
            b: String,
            #[schemars(length(max = 4), inner(length(min = 2)))]
            c: Vec<String>,
            #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1.5, "minimum" = -1))]
            d: f32,
            #[schemars(url, extend("maxProperties" = 3))]
            e: String,
        }
        gives::<Bounded>(concat!(
            r#"{"type":"object","required":["a","b","c","d","e"],"properties":{"#,
            r#""a":{"type":"integer","format":"int32","maximum":10,"minimum":1},"#,
            r#""b":{"type":"string","maxLength":63,"minLength":1,"pattern":"^a+$"},"#,
            r#""c":{"type":"array","maxItems":4,"items":{"type":"string","minLength":2}},"#,
            r#""d":{"type":"number","format":"float","maximum":1.5,"exclusiveMaximum":true,"minimum":0,"exclusiveMinimum":true},"#,
            r#""e":{"type":"string","format":"uri","maxProperties":3}}}"#
        ));
    }

    #[test]
    fn extensions_pass_and_the_place_wins_over_the_type() {
        #[derive(JsonSchema)]
        struct Extended {
            /// Said here.
            container: Container,
            #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["image"]))]
            list: Vec<Container>,
            #[schemars(extend("x-kubernetes-list-type" = "set"))]
            set: BTreeSet<String>,
            #[schemars(with = "serde_json::Value", extend("x-kubernetes-int-or-string" = true))]
            port: String,
            #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
            free: HashMap<String, serde_json::Value>,
        }
        let (schema, errors) = schema_of::<Extended>();
        assert_eq!(errors, []);
        let json = |name: &str| serde_json::to_string(&schema.properties[name]).unwrap();
        assert_eq!(schema.properties["container"].description.as_deref(), Some("Said here."));
        assert!(json("list").ends_with(
            r#""x-kubernetes-list-map-keys":["image"],"x-kubernetes-list-type":"map"}"#
        ));
        assert_eq!(
            json("set"),
            r#"{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}"#
        );
        assert_eq!(json("port"), r#"{"x-kubernetes-int-or-string":true}"#);
        assert_eq!(
            json("free"),
            r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#
        );
    }

    #[test]
    fn defaults_are_what_serde_writes_without_the_nulls_of_options() {
        #[derive(Serialize, Deserialize, JsonSchema)]
        struct Inner {
            b: Option<Vec<i32>>,
            a: f64,
        }
        #[derive(Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        struct Outer {
            inner: Inner,
            none: Option<bool>,
            some: Option<u64>,
        }
        impl Default for Outer {
            fn default() -> Self {
                Self { inner: Inner { b: None, a: 1.5 }, none: None, some: Some(7) }
            }
        }
        let (schema, errors) = schema_of::<Outer>();
        assert_eq!(errors, []);
        let default =
            |name: &str| schema.properties[name].default.as_ref().map(ToString::to_string);
        assert_eq!(default("inner").as_deref(), Some(r#"{"a":1.5}"#));
        assert_eq!(default("none"), None);
        assert_eq!(default("some").as_deref(), Some("7"));
    }
}

mod refused {
    use super::*;

    #[test]
    fn all_errors_at_once_with_path_and_type() {
        #[derive(JsonSchema)]
        enum Never {}
        #[derive(JsonSchema)]
        struct Inner {
            never: Vec<Never>,
            unit: (),
        }
        #[derive(JsonSchema)]
        struct Outer {
            data: Vec<Clashing>,
            map: HashMap<String, Option<Inner>>,
        }
        refuses::<Outer>(&[
            (".spec.data[]", "Clashing", "a map and a struct"),
            (".spec.map.*.never[]", "Inner", "serde(skip)"),
            (".spec.map.*.unit", "Inner", "null"),
        ]);
    }

    #[test]
    fn what_the_server_has_no_words_for() {
        #[derive(JsonSchema)]
        struct Flattened {
            a: String,
            #[schemars(flatten)]
            rest: HashMap<String, String>,
        }
        #[derive(JsonSchema)]
        struct Recursive {
            children: Vec<Recursive>,
            other: Option<Box<Mutual>>,
        }
        #[derive(JsonSchema)]
        struct Mutual {
            back: Option<Box<Recursive>>,
        }
        #[derive(JsonSchema)]
        struct Odd {
            #[schemars(extend("contentEncoding" = "base64"))]
            a: String,
            #[schemars(extend("x-kubernetes-preserve-unknown-fields" = false))]
            b: String,
            #[schemars(extend("default" = 5))]
            c: String,
            #[schemars(extend("default" = u64::MAX))]
            d: u64,
        }
        refuses::<Flattened>(&[(".spec", "Flattened", "exclude each other")]);
        refuses::<Recursive>(&[
            (".spec.children[]", "Recursive", "inside itself"),
            (".spec.other.back", "Mutual", "inside itself"),
        ]);
        refuses::<Odd>(&[
            (".spec.a", "Odd", "contentEncoding"),
            (".spec.b", "Odd", "true or absent"),
            (".spec.c", "Odd", "default"),
            (".spec.d", "Odd", "default"),
        ]);
    }
}
