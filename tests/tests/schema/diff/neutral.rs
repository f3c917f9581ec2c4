//! Differences without an effect.

use std::cell::Cell;

use crd_conv::{schema::Json, validation::Validator};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use super::{compare, document, drawn::schema};

/// A difference without an effect, or nothing if there is no place for it in this schema.
type Neutral = fn(&mut Value);

/// Sets keywords that the schema doesn't have.
fn set(schema: &mut Value, keywords: &[(&str, Value)]) {
    if keywords.iter().all(|(name, _)| schema.get(name).is_none()) {
        for (name, value) in keywords {
            schema[*name] = value.clone();
        }
    }
}

/// Adds a branch.
fn push(schema: &mut Value, junctor: &str, branch: Value) {
    match schema.get_mut(junctor).and_then(Value::as_array_mut) {
        Some(branches) => branches.push(branch),
        None => schema[junctor] = json!([branch]),
    }
}

fn has_type(schema: &Value, types: &[&str]) -> bool {
    schema.get("type").and_then(Value::as_str).is_some_and(|ty| types.contains(&ty))
}

const NEUTRAL: [(&str, Neutral); 16] = [
    ("a length of at least 0", |schema| set(schema, &[("minLength", json!(0))])),
    ("at least 0 items", |schema| set(schema, &[("minItems", json!(0))])),
    ("at least 0 properties", |schema| set(schema, &[("minProperties", json!(0))])),
    ("an empty pattern", |schema| set(schema, &[("pattern", json!(""))])),
    ("a length of what isn't a text", |schema| {
        if has_type(schema, &["integer", "number", "array", "object"]) {
            set(schema, &[("maxLength", json!(1)), ("pattern", json!("^a$"))]);
        }
    }),
    ("a bound of what isn't a number", |schema| {
        if has_type(schema, &["string", "array", "object"]) {
            set(schema, &[("maximum", json!(1)), ("multipleOf", json!(7))]);
        }
    }),
    ("a field of what isn't an object", |schema| {
        if has_type(schema, &["string", "integer", "number", "array"]) {
            set(schema, &[("required", json!(["x"])), ("maxProperties", json!(0))]);
        }
    }),
    ("an unknown format", |schema| set(schema, &[("format", json!("semver"))])),
    ("an unknown format in a branch", |schema| push(schema, "allOf", json!({"format": "semver"}))),
    ("a format of another type", |schema| {
        if has_type(schema, &["string", "array", "object"]) {
            set(schema, &[("format", json!("int32"))]);
        }
    }),
    ("another name of a format", |schema| {
        if schema.get("format") == Some(&json!("date")) {
            schema["format"] = json!("da-te");
        }
    }),
    ("anything", |schema| push(schema, "allOf", json!({}))),
    ("anything, or something", |schema| {
        if schema.get("anyOf").is_none() {
            schema["anyOf"] = json!([{"pattern": "^a"}, {}]);
        }
    }),
    ("one of anything", |schema| set(schema, &[("oneOf", json!([{}]))])),
    ("the empty pattern in a branch", |schema| push(schema, "allOf", json!({"pattern": ""}))),
    ("a title", |schema| set(schema, &[("title", json!("A")), ("description", json!("It is a."))])),
];

/// A document with two versions, each with its own schema.
fn versions(first: &Value, second: &Value) -> Value {
    let [mut document, other] = [first, second].map(document);
    let mut version = other["spec"]["versions"][0].clone();
    version["name"] = json!("v2");
    version["storage"] = json!(false);
    document["spec"]["versions"].as_array_mut().expect("versions").push(version);
    document
}

/// Documents that differ in the schema of their only version, or of the older or newer of two.
fn pairs(other: &Value, old: &Value, new: &Value) -> [(Value, Value); 3] {
    [
        (document(old), document(new)),
        (versions(old, other), versions(new, other)),
        (versions(other, old), versions(other, new)),
    ]
}

#[test]
fn a_difference_without_an_effect_is_no_change() {
    let drawn = (schema(), schema(), select(NEUTRAL.to_vec()), select(NEUTRAL.to_vec()));
    let differing = Cell::new(0);
    let cases =
        ProptestConfig { cases: 4 * ProptestConfig::default().cases, ..ProptestConfig::default() };
    proptest!(cases, |((other, old, first, second) in drawn)| {
        let mut new = old.clone();
        for (_, change) in [first, second] {
            change(&mut new);
        }
        differing.set(differing.get() + u32::from(old != new));
        for (older, newer) in [(&old, &new), (&new, &old)] {
            for (older, newer) in pairs(&other, older, newer) {
                let report = compare(&older, &newer);
                prop_assert!(report.changes.is_empty(), "{} and {}: {report}", first.0, second.0);
            }
        }
    });
    assert!(differing.get() > 100, "the premise");
}

/// The differences have no effect: each value is accepted by both schemas, or by neither.
#[test]
fn the_premise() {
    let values = [
        json!(0),
        json!(7),
        json!(-5_000_000_000_i64),
        json!(1.5),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("2020-01-01"),
        json!([]),
        json!(["a", "a"]),
        json!({}),
        json!({"x": "a"}),
        json!({"z": 1}),
        json!(null),
    ];
    let accepted = Cell::new(0);
    proptest!(|(old in schema(), (name, change) in select(NEUTRAL.to_vec()))| {
        let mut new = old.clone();
        change(&mut new);
        let [Ok(old), Ok(new)] =
            [&old, &new].map(|schema| Validator::read(&Json::from(&document(schema))))
        else {
            return Ok(());
        };
        for value in &values {
            let object = json!({"apiVersion": "example.com/v1", "kind": "Box", "metadata": {"name": "b"}, "spec": {"a": value}}).to_string();
            let [old, new] = [&old, &new].map(|validator| validator.validate(&object).unwrap());
            prop_assert_eq!(old.accepts(), new.accepts(), "{} for {}", name, object);
            prop_assert_eq!(old.object, new.object, "{}", name);
            accepted.set(accepted.get() + u32::from(old.causes.is_empty()));
        }
    });
    assert!(accepted.get() > 100, "the premise");
}

/// Each pair differs only in what the API server doesn't look at.
#[test]
fn other_differences_without_an_effect() {
    let integer = |keywords: Value| {
        let mut schema = json!({"type": "integer", "format": "int32"});
        schema.as_object_mut().unwrap().extend(keywords.as_object().unwrap().clone());
        schema
    };
    let one_of = |names: [&str; 3]| {
        let branches: Vec<_> = names.iter().map(|name| json!({"required": [name]})).collect();
        let properties =
            json!({"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}});
        json!({"type": "object", "properties": properties, "oneOf": branches})
    };
    let rule = |rule: &str| json!({"type": "string", "x-kubernetes-validations": [{"rule": rule}]});
    let embedded = |required: Value| json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "required": required});
    let alike = [
        (
            json!({"type": "integer"}),
            json!({"type": "integer", "format": "int64", "multipleOf": 1}),
        ),
        (json!({"type": "number"}), json!({"type": "number", "format": "double"})),
        (json!({"type": "string"}), json!({"type": "string", "format": "password"})),
        (json!({"type": "string"}), json!({"type": "string", "pattern": ".*"})),
        (
            json!({"type": "string"}),
            json!({"type": "string", "properties": {"x": {"type": "string"}}, "items": {"type": "string"}}),
        ),
        (integer(json!({})), integer(json!({"minimum": i32::MIN, "maximum": i32::MAX}))),
        (one_of(["a", "b", "c"]), one_of(["c", "a", "b"])),
        (
            rule("self.size()>3&&self!='a  b'"),
            rule("self.size() > 3\n  && self != 'a  b' // short"),
        ),
        (
            rule("[self,'a'].filter(x,x=='b').size()-1 == 0?true:self[? -1].orValue(!false)"),
            rule(
                "// One.\n[ self , 'a' ] . filter ( x , x == 'b' ).size ( ) - 1==0 ? true : self [?- 1].orValue(! false)",
            ),
        ),
        (embedded(json!(["a"])), embedded(json!(["apiVersion", "kind", "a"]))),
        (
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "string", "format": "datetime"}),
        ),
    ];
    let other = json!({"type": "string", "x-kubernetes-validations": [{"rule": "self != 'b'"}]});
    for (old, new) in alike {
        for (older, newer) in [(&old, &new), (&new, &old)] {
            for (older, newer) in pairs(&other, older, newer) {
                let report = compare(&older, &newer);
                assert!(report.changes.is_empty(), "{older} to {newer}: {report}");
            }
        }
    }
}

/// These look alike, and are changes.
#[test]
fn differences_with_an_effect() {
    let rule = |rule: &str| json!({"type": "string", "x-kubernetes-validations": [{"rule": rule}]});
    let pairs = [
        (rule("self != 'a b'"), rule("self != 'a  b'")),
        (rule("self in ['a']"), rule("selfin ['a']")),
        (rule("self != r'\\''"), rule("self != '\\''")),
        (
            json!({"type": "integer", "format": "int32"}),
            json!({"type": "integer", "format": "int32", "maximum": i32::MAX - 1}),
        ),
        (
            json!({"type": "integer", "format": "int32"}),
            json!({"type": "integer", "format": "int32", "maximum": i32::MAX, "exclusiveMaximum": true}),
        ),
        // A bound that the format can't express refuses everything.
        (
            json!({"type": "integer", "format": "int32"}),
            json!({"type": "integer", "format": "int32", "minimum": -3_000_000_000_i64}),
        ),
        (json!({"type": "string"}), json!({"type": "string", "oneOf": [{}, {}]})),
        (json!({"type": "string"}), json!({"type": "string", "not": {}})),
    ];
    for (old, new) in pairs {
        let report = compare(&document(&old), &document(&new));
        assert!(!report.changes.is_empty(), "{old} to {new}");
    }
}
