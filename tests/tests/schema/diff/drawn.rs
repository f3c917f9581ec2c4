//! Documents that nobody thought of.

use std::cell::Cell;

use crd_conv::{diff::Level::Breaking, schema::Json, validation::Validator};
use proptest::{collection::btree_map, prelude::*, sample::select};
use serde_json::{Map, Value, json};

use super::{compare, document};

/// A schema of one value, of keywords that may contradict each other, some of them in `allOf`.
pub(super) fn schema() -> impl Strategy<Value = Value> {
    (plain(), 0..3)
        .prop_map(|(schema, form)| if form == 0 { inside_all_of(&schema) } else { schema })
}

/// The same, with its validations in `allOf`.
fn inside_all_of(schema: &Value) -> Value {
    let names = [
        "enum",
        "pattern",
        "format",
        "not",
        "maxLength",
        "maxItems",
        "maxProperties",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMaximum",
    ];
    // In a branch, the server doesn't know a number's format, because the type isn't next to it.
    let is_text = schema["type"] == "string";
    let all = schema.as_object().unwrap().clone().into_iter();
    let (validations, mut rest): (Map<_, _>, Map<_, _>) =
        all.partition(|(name, _)| names.contains(&&**name) && (name != "format" || is_text));
    rest.insert("allOf".to_owned(), json!([validations.clone(), validations]));
    Value::Object(rest)
}

/// What the kind says by itself.
fn of_kind(kind: &str) -> Map<String, Value> {
    let mut schema = Map::new();
    let mut add = |name: &str, value: Value| schema.insert(name.to_owned(), value);
    match kind {
        "either" => add("x-kubernetes-int-or-string", json!(true)),
        "list" | "set" => {
            if kind == "set" {
                add("x-kubernetes-list-type", json!("set"));
            }
            add("items", json!({"type": "string"}));
            add("type", json!("array"))
        }
        "map" => {
            add("additionalProperties", json!({"type": "string"}));
            add("type", json!("object"))
        }
        "objects" | "open objects" => {
            if kind == "open objects" {
                add("x-kubernetes-preserve-unknown-fields", json!(true));
            }
            add("items", json!({"type": "object", "properties": {"x": {"type": "string"}}}));
            add("type", json!("array"))
        }
        "numbers" => {
            add("additionalProperties", json!({"type": "integer"}));
            add("type", json!("object"))
        }
        "open map" => {
            add("additionalProperties", json!({"type": "string"}));
            add("x-kubernetes-preserve-unknown-fields", json!(true));
            add("type", json!("object"))
        }
        "object" => {
            add("properties", json!({"x": {"type": "string"}, "y": {"type": "string"}}));
            add("type", json!("object"))
        }
        "open" => {
            add("x-kubernetes-preserve-unknown-fields", json!(true));
            add("type", json!("object"))
        }
        "any values" | "open, any values" | "closed" => {
            if kind == "open, any values" {
                add("x-kubernetes-preserve-unknown-fields", json!(true));
            }
            add("additionalProperties", json!(kind != "closed"));
            add("type", json!("object"))
        }
        "resource" | "small resource" | "pod" | "declared resource" => {
            let name = json!({"type": "string", "maxLength": 1});
            let properties = match kind {
                "resource" => json!({"spec": {"type": "object"}}),
                "pod" => json!({"kind": {"type": "string", "enum": ["Pod"]}}),
                "small resource" => {
                    json!({"metadata": {"type": "object", "properties": {"name": name}}})
                }
                _ => json!({"kind": {"type": "string"}, "metadata": {"type": "object"}}),
            };
            add("x-kubernetes-embedded-resource", json!(true));
            add("properties", properties);
            add("type", json!("object"))
        }
        named => add("type", json!(named)),
    };
    schema
}

fn plain() -> impl Strategy<Value = Value> {
    let keywords = btree_map(
        select(vec![
            "min",
            "max",
            "exclusive",
            "multiple",
            "enum",
            "nullable",
            "pattern",
            "format",
            "length",
            "not",
        ]),
        0..3_u8,
        0..4,
    );
    (
        select(vec![
            "integer",
            "number",
            "string",
            "either",
            "list",
            "set",
            "map",
            "numbers",
            "object",
            "open",
            "open map",
            "objects",
            "open objects",
            "any values",
            "open, any values",
            "closed",
            "resource",
            "small resource",
            "pod",
            "declared resource",
        ]),
        keywords,
    )
        .prop_map(|(kind, keywords)| {
            let mut schema = of_kind(kind);
            let mut add = |name: &str, value: Value| schema.insert(name.to_owned(), value);
            for (keyword, n) in keywords {
                let (is_number, is_text) = (matches!(kind, "integer" | "number"), kind == "string");
                match keyword {
                    // Beside another type they say nothing.
                    "min" if is_number || n == 2 => add("minimum", json!(n)),
                    "max" if is_number => add("maximum", json!(n + 2)),
                    "exclusive" if is_number && n == 0 => add("exclusiveMaximum", json!(true)),
                    "multiple" if is_number => add("multipleOf", json!(n + 1)),
                    "enum" if is_text => {
                        add("enum", json!(["", "a", "ab"][..=usize::from(n)].to_vec()))
                    }
                    "nullable" => add("nullable", json!(n > 0)),
                    "pattern" if is_text || n == 0 => {
                        add("pattern", json!(["^a", "b$", ".*"][usize::from(n)]))
                    }
                    "format" if is_text => {
                        add("format", json!(["date", "password", "semver"][usize::from(n)]))
                    }
                    "format" if is_number => {
                        add("format", json!(["int32", "int64", "double"][usize::from(n)]))
                    }
                    "length" if is_text || kind == "integer" => add("maxLength", json!(n)),
                    "length" if matches!(kind, "list" | "set") => add("maxItems", json!(n)),
                    "length" if matches!(kind, "map" | "object") => add("maxProperties", json!(n)),
                    "not" if is_text => {
                        add("not", json!({"enum": [(["a", "ab", "2020-01-01"][usize::from(n)])]}))
                    }
                    _ => None,
                };
            }
            Value::Object(schema)
        })
}

/// What is called neither breaking nor undecided isn't refused and loses nothing.
#[test]
fn what_was_taken_is_taken() {
    let values = [
        json!(0),
        json!(1),
        json!(2),
        json!(4),
        json!(1.5),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("b"),
        json!("2020-01-01"),
        json!([]),
        json!(["a"]),
        json!(["a", "a"]),
        json!(["a", "b", "c"]),
        json!({}),
        json!({"x": "a"}),
        json!({"x": "a", "y": "b"}),
        json!({"z": "a"}),
        json!({"z": 1}),
        json!([{"x": "a"}]),
        json!([{"z": "a"}]),
        json!({"z": {"q": 1}}),
        json!({"z": [{"q": {}}]}),
        json!(5_000_000_000_i64),
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}),
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "of-secrets", "labels": {"a": "b"}}}),
        json!(null),
    ];
    let (refused, taken) = (Cell::new(0), Cell::new(0));
    let cases =
        ProptestConfig { cases: 4 * ProptestConfig::default().cases, ..ProptestConfig::default() };
    // Two that are drawn apart seldom agree in all but their form.
    let pair = (schema(), schema(), 0..3).prop_map(|(old, new, form)| match form {
        0 => (old.clone(), inside_all_of(&old)),
        1 => (inside_all_of(&old), old),
        _ => (old, new),
    });
    proptest!(cases, |((old, new) in pair)| {
        let (older, newer) = (document(&old), document(&new));
        let report = compare(&older, &newer);
        let [Ok(before), Ok(after)] =
            [&older, &newer].map(|document| Validator::read(&Json::from(document)))
        else {
            return Ok(());
        };
        let may_break = report.changes.iter().any(|change| {
            change.level == Breaking || change.what.contains("this comparison can't tell") || change.kind == "field-removed"
        });
        // The server doesn't look at the type of some values beside a format; nobody has such objects.
        let values = values.iter().filter(|value| old.get("format").is_none() || value.is_string());
        for value in values {
            let object = json!({"apiVersion": "example.com/v1", "kind": "Box", "metadata": {"name": "b"}, "spec": {"a": value}});
            let object = object.to_string();
            let was = before.validate(&object).unwrap();
            if !was.accepts() || !was.pruned.is_empty() {
                continue;
            }
            let is = after.validate(&was.object).unwrap();
            if is.accepts() && is.pruned.is_empty() {
                taken.set(taken.get() + 1);
            } else {
                refused.set(refused.get() + 1);
                prop_assert!(may_break, "{object} isn't taken any more: {:?}, {:?}\n{report}", is.causes, is.pruned);
            }
        }
    });
    let (refused, taken) = (refused.get(), taken.get());
    assert!(refused > 0 && taken > 0, "the premise: {refused} refused, {taken} taken");
}

/// Where its validations stand makes no difference, but for null, which the server doesn't look for in branches, and for exclusive bounds.
#[test]
fn all_of_says_the_same() {
    proptest!(|(old in plain(), new in plain())| {
        prop_assume!([&old, &new].iter().all(|schema| {
            (schema["nullable"] != true || schema.get("enum").is_none()) && schema.get("exclusiveMaximum").is_none()
        }));
        let [old_inside, new_inside] = [&old, &new].map(inside_all_of);
        let expected = compare(&document(&old), &document(&new)).changes;
        for (old, new) in [(&old_inside, &new), (&old, &new_inside), (&old_inside, &new_inside)] {
            prop_assert_eq!(&compare(&document(old), &document(new)).changes, &expected);
        }
    });
}

/// Whatever stands in a document, it is the same as itself.
#[test]
fn the_same_is_no_change() {
    proptest!(|(schema in schema())| {
        let document = document(&schema);
        prop_assert!(compare(&document, &document).changes.is_empty());
    });
}
