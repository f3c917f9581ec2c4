//! Changes of one field.

use crd_conv::{diff::Level, schema::Json, verify::verify};
use serde_json::{Value, json};

use super::{changes, compare, document, with_spec};
use Level::{Breaking, Risky, Safe};

type Change = (Value, Value, Level, &'static str);

/// Each is of one kind and level, and both documents are such as the API server takes.
#[track_caller]
fn mean(all: impl IntoIterator<Item = Change>) {
    for (old, new, level, kind) in all {
        let (older, newer) = (document(&old), document(&new));
        let report = compare(&older, &newer);
        assert_eq!(changes(&report), [(level, ".spec.a", kind)], "{old} became {new}");
        // A remedy stands where there is something to do.
        assert!(report.changes.iter().all(|change| change.remedy.is_empty() == (level == Safe)));
        for document in [&older, &newer] {
            let verdict = verify(&Json::from(document));
            assert!(verdict.accepts(), "the premise: {verdict}");
        }
    }
}

fn with(base: &Value, more: &Value) -> Value {
    let mut all = base.as_object().unwrap().clone();
    all.extend(more.as_object().unwrap().clone());
    Value::Object(all)
}

fn string(more: &Value) -> Value {
    with(&json!({"type": "string"}), more)
}

fn number(more: &Value) -> Value {
    with(&json!({"type": "integer"}), more)
}

fn object(more: &Value) -> Value {
    with(&json!({"type": "object"}), more)
}

fn list(more: &Value) -> Value {
    let item = json!({"type": "object", "required": ["k", "l"],
        "properties": {"k": {"type": "string"}, "l": {"type": "string"}}});
    with(&json!({"type": "array", "items": item}), more)
}

fn open() -> Value {
    object(&json!({"x-kubernetes-preserve-unknown-fields": true}))
}

fn int_or_string() -> Value {
    json!({"x-kubernetes-int-or-string": true})
}

#[test]
fn types_and_values() {
    mean([
        (string(&json!({})), number(&json!({})), Breaking, "type-changed"),
        (number(&json!({})), json!({"type": "number"}), Risky, "type-widened"),
        (json!({"type": "number"}), number(&json!({})), Breaking, "type-changed"),
        (string(&json!({})), int_or_string(), Risky, "type-widened"),
        (int_or_string(), string(&json!({})), Breaking, "type-changed"),
        (string(&json!({})), string(&json!({"enum": ["x"]})), Breaking, "enum-added"),
        (string(&json!({"enum": ["x"]})), string(&json!({})), Risky, "enum-removed"),
        (
            string(&json!({"enum": ["x", "y"]})),
            string(&json!({"enum": ["y"]})),
            Breaking,
            "enum-value-removed",
        ),
        (
            string(&json!({"enum": ["x"]})),
            string(&json!({"enum": ["y", "x"]})),
            Risky,
            "enum-value-added",
        ),
        (string(&json!({})), string(&json!({"default": "x"})), Risky, "default-added"),
        (
            string(&json!({"default": "x"})),
            string(&json!({"default": "y"})),
            Breaking,
            "default-changed",
        ),
        (string(&json!({"default": "x"})), string(&json!({})), Breaking, "default-removed"),
        (string(&json!({})), string(&json!({"nullable": true})), Risky, "nullable-added"),
        (string(&json!({"nullable": true})), string(&json!({})), Safe, "nullable-removed"),
    ]);
}

/// The server drops null from an object, puts a default in its place, and refuses it in a list and in an enum.
#[test]
fn null() {
    let nullable = |schema: &Value| with(schema, &json!({"nullable": true}));
    let (plain, listed) = (string(&json!({})), string(&json!({"enum": ["x"]})));
    let listed_with_null = string(&json!({"enum": ["x", null]}));
    let default = string(&json!({"default": "x"}));
    let map = |of: &Value| object(&json!({"additionalProperties": of}));
    let items = |of: &Value| json!({"type": "array", "items": of});
    let required = |of: &Value| object(&json!({"properties": {"b": of}, "required": ["b"]}));
    let removed = "nullable-removed";
    for (old, new, expected) in [
        (nullable(&plain), plain.clone(), vec![(Safe, ".spec.a", removed)]),
        (nullable(&default), default.clone(), vec![(Breaking, ".spec.a", removed)]),
        (map(&nullable(&plain)), map(&plain), vec![(Breaking, ".spec.a.*", removed)]),
        (items(&nullable(&plain)), items(&plain), vec![(Breaking, ".spec.a[]", removed)]),
        (required(&nullable(&plain)), required(&plain), vec![(Breaking, ".spec.a.b", removed)]),
        // To the server null is of no enum.
        (nullable(&listed), listed.clone(), vec![]),
        (nullable(&listed_with_null), listed.clone(), vec![]),
        (listed_with_null.clone(), listed.clone(), vec![]),
        (nullable(&listed_with_null), nullable(&listed), vec![]),
        (listed.clone(), listed_with_null.clone(), vec![]),
        (items(&listed), items(&nullable(&listed_with_null)), vec![]),
        (required(&nullable(&listed_with_null)), required(&listed), vec![]),
        (listed.clone(), nullable(&listed), vec![(Breaking, ".spec.a", "nullable-added")]),
        (map(&listed), map(&nullable(&listed)), vec![(Breaking, ".spec.a.*", "nullable-added")]),
        (
            plain.clone(),
            nullable(&listed),
            vec![(Breaking, ".spec.a", "enum-added"), (Breaking, ".spec.a", "nullable-added")],
        ),
        (nullable(&plain), nullable(&listed), vec![(Breaking, ".spec.a", "enum-added")]),
        (nullable(&listed), plain, vec![(Risky, ".spec.a", "enum-removed")]),
    ] {
        let report = compare(&document(&old), &document(&new));
        assert_eq!(changes(&report), expected, "{old} became {new}");
    }
}

/// The server passes over formats that it doesn't know.
#[test]
fn formats_of_nobody() {
    let format = |format: &str| number(&json!({"format": format}));
    for (old, new) in [
        (format("uint32"), number(&json!({}))),
        (number(&json!({})), format("uint8")),
        (format("uint"), format("uint64")),
        (string(&json!({"format": "int32"})), string(&json!({"format": "quantity"}))),
    ] {
        assert_eq!(changes(&compare(&document(&old), &document(&new))), [], "{old} became {new}");
    }
}

/// Other generators leave the bound of a `u32` to its format.
#[test]
fn bounds_that_a_format_said() {
    let old = number(&json!({"format": "uint32", "minimum": 0}));
    for (most, level) in [(4_294_967_295_i64, Risky), (4_294_967_294, Breaking)] {
        let new = number(&json!({"minimum": 0, "maximum": most}));
        let report = compare(&document(&old), &document(&new));
        assert_eq!(changes(&report), [(level, ".spec.a", "bound-tightened")]);
    }
}

/// Server-side apply takes only plain values in a set.
#[test]
fn sets_that_nobody_applies() {
    let of = |list_type: &str, items: &Value| json!({"type": "array", "x-kubernetes-list-type": list_type, "items": items});
    let atomic = json!({"type": "object", "x-kubernetes-map-type": "atomic"});
    let lists = json!({"type": "array", "items": {"type": "string"}});
    for (items, never) in [(&atomic, true), (&lists, true), (&json!({"type": "string"}), false)] {
        let documents = ["set", "atomic"].map(|list_type| document(&of(list_type, items)));
        let report = compare(&documents[0], &documents[1]);
        assert_eq!(changes(&report), [(Risky, ".spec.a", "list-type-changed")]);
        assert_eq!(report.changes[0].what.contains("server-side apply refused"), never, "{report}");
        let report = compare(&documents[1], &documents[0]);
        assert_eq!(changes(&report), [(Breaking, ".spec.a", "list-type-changed")]);
        assert_eq!(report.changes[0].what.contains("server-side apply refuses"), never, "{report}");
    }
}

#[test]
fn bounds_and_forms() {
    mean([
        (string(&json!({"format": "date"})), string(&json!({})), Safe, "format-removed"),
        (string(&json!({"not": {"pattern": "a"}})), string(&json!({})), Safe, "logic-removed"),
        (string(&json!({})), string(&json!({"maxLength": 9})), Breaking, "bound-tightened"),
        (
            string(&json!({"maxLength": 9})),
            string(&json!({"maxLength": 10})),
            Safe,
            "bound-loosened",
        ),
        (
            number(&json!({"minimum": 1})),
            number(&json!({"minimum": 2})),
            Breaking,
            "bound-tightened",
        ),
        (number(&json!({"minimum": 2})), number(&json!({"minimum": -1})), Safe, "bound-loosened"),
        (
            number(&json!({"maximum": 9})),
            number(&json!({"maximum": 9, "exclusiveMaximum": true})),
            Breaking,
            "bound-tightened",
        ),
        (
            number(&json!({"multipleOf": 6})),
            number(&json!({"multipleOf": 3})),
            Safe,
            "bound-loosened",
        ),
        (
            number(&json!({"multipleOf": 3})),
            number(&json!({"multipleOf": 6})),
            Breaking,
            "bound-tightened",
        ),
        (string(&json!({})), string(&json!({"pattern": "^a"})), Breaking, "pattern-added"),
        (
            string(&json!({"pattern": "^a"})),
            string(&json!({"pattern": "^ab?"})),
            Risky,
            "pattern-changed",
        ),
        (string(&json!({"pattern": "^a"})), string(&json!({})), Safe, "pattern-removed"),
        (string(&json!({})), string(&json!({"format": "date"})), Breaking, "format-added"),
        (
            number(&json!({"format": "int32"})),
            number(&json!({"format": "int64"})),
            Safe,
            "format-changed",
        ),
        (
            number(&json!({"format": "int64"})),
            number(&json!({"format": "int32"})),
            Breaking,
            "format-added",
        ),
        (
            string(&json!({})),
            string(&json!({"anyOf": [{"maxLength": 3}]})),
            Breaking,
            "logic-added",
        ),
        (
            string(&json!({"not": {"pattern": "a"}})),
            string(&json!({"not": {"pattern": "b"}})),
            Risky,
            "logic-changed",
        ),
    ]);
}

#[test]
fn lists_maps_and_rules() {
    let for_changes =
        json!({"x-kubernetes-validations": [{"rule": "oldSelf == oldSelf && self == 'a'"}]});
    let for_all = json!({"x-kubernetes-validations": [
        {"rule": "oldSelf == oldSelf && self == 'a'", "optionalOldSelf": true}]});
    mean([
        (
            object(&json!({})),
            object(&json!({"additionalProperties": {"type": "string"}})),
            Safe,
            "map-added",
        ),
        (
            with(&open(), &json!({"x-kubernetes-embedded-resource": true})),
            open(),
            Breaking,
            "embedded-resource-removed",
        ),
        (
            list(&json!({})),
            list(&json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})),
            Breaking,
            "list-type-changed",
        ),
        (
            list(&json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})),
            list(&json!({})),
            Risky,
            "list-type-changed",
        ),
        (
            list(&json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})),
            list(
                &json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "l"]}),
            ),
            Breaking,
            "list-map-keys-changed",
        ),
        (
            object(&json!({"additionalProperties": {"type": "string"}})),
            object(
                &json!({"x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "string"}}),
            ),
            Risky,
            "map-type-changed",
        ),
        (
            object(&json!({"additionalProperties": {"type": "string"}})),
            object(&json!({"properties": {}})),
            Breaking,
            "map-removed",
        ),
        (open(), object(&json!({})), Breaking, "preserve-unknown-fields-removed"),
        (object(&json!({})), open(), Safe, "preserve-unknown-fields-added"),
        (
            open(),
            with(&open(), &json!({"x-kubernetes-embedded-resource": true})),
            Breaking,
            "embedded-resource-added",
        ),
        (
            string(&json!({})),
            string(&json!({"x-kubernetes-validations": [{"rule": "self != 'a'"}]})),
            Breaking,
            "rule-added",
        ),
        (
            string(&json!({"x-kubernetes-validations": [{"rule": "self != 'a'"}]})),
            string(&json!({})),
            Safe,
            "rule-removed",
        ),
        (
            string(&json!({"x-kubernetes-validations": [{"rule": "self != 'a'"}]})),
            string(&json!({"x-kubernetes-validations": [{"rule": "self != 'b'"}]})),
            Risky,
            "rule-changed",
        ),
        (string(&for_changes), string(&for_all), Breaking, "rule-changed"),
        (string(&for_all), string(&for_changes), Safe, "rule-changed"),
    ]);
}

/// What code generators write otherwise from one release to the next.
#[test]
fn two_ways_to_say_it() {
    let either = json!([{"type": "integer"}, {"type": "string"}]);
    for (one, other) in [
        (
            string(&json!({"enum": ["x"]})),
            string(&json!({"allOf": [{"enum": ["x"]}, {"enum": ["x"]}]})),
        ),
        (
            string(&json!({"maxLength": 9, "pattern": "^a", "minLength": 1})),
            string(
                &json!({"maxLength": 9, "allOf": [{"maxLength": 9, "pattern": "^a"}, {"minLength": 1}]}),
            ),
        ),
        (number(&json!({"maximum": 9})), number(&json!({"allOf": [{"maximum": 9}]}))),
        (int_or_string(), with(&int_or_string(), &json!({"anyOf": either}))),
        (
            with(&int_or_string(), &json!({"pattern": "^a"})),
            with(&int_or_string(), &json!({"allOf": [{"anyOf": either}, {"pattern": "^a"}]})),
        ),
        // What the server passes over.
        (list(&json!({})), list(&json!({"pattern": "^a", "minLength": 1, "maximum": 3}))),
        (string(&json!({})), string(&json!({"minimum": 3, "maxItems": 1}))),
        (number(&json!({})), number(&json!({"maxProperties": 3, "pattern": "^a"}))),
        // What all listed values fit.
        (
            string(&json!({"enum": ["abc", "b"]})),
            string(&json!({"enum": ["abc", "b"], "pattern": "^[ab]", "maxLength": 3})),
        ),
        (
            object(&json!({"x-kubernetes-preserve-unknown-fields": true})),
            object(
                &json!({"additionalProperties": {"x-kubernetes-preserve-unknown-fields": true}}),
            ),
        ),
    ] {
        for [old, new] in [[&one, &other], [&other, &one]] {
            let documents = [old, new].map(document);
            assert_eq!(changes(&compare(&documents[0], &documents[1])), [], "{old} became {new}");
            for document in documents {
                let verdict = verify(&Json::from(&document));
                assert!(verdict.accepts(), "the premise: {verdict}");
            }
        }
    }
    // What a value doesn't fit is as it is elsewhere.
    let one = string(&json!({"enum": ["abc", "b"]}));
    for (other, expected) in [
        (json!({"pattern": "^[ab]"}), vec![(Risky, ".spec.a", "enum-removed")]),
        (
            json!({"pattern": "^a"}),
            vec![(Breaking, ".spec.a", "pattern-added"), (Risky, ".spec.a", "enum-removed")],
        ),
        (
            json!({"enum": ["b"], "pattern": "^b"}),
            vec![(Breaking, ".spec.a", "enum-value-removed")],
        ),
    ] {
        let report = compare(&document(&one), &document(&string(&other)));
        assert_eq!(changes(&report), expected, "{one} became {other}");
    }
    // Null is of no enum, but of any branch.
    let one = string(&json!({"nullable": true, "allOf": [{"enum": ["x"]}]}));
    let other = string(&json!({"nullable": true, "enum": ["x"]}));
    let report = compare(&document(&one), &document(&other));
    assert_eq!(
        changes(&report),
        [(Breaking, ".spec.a", "enum-added"), (Safe, ".spec.a", "logic-removed")],
    );
    // What a branch has that stands otherwise next to it stays there.
    let one = number(&json!({"maximum": 9, "allOf": [{"maximum": 5, "exclusiveMaximum": true}]}));
    let other = number(&json!({"maximum": 9, "exclusiveMaximum": true, "allOf": [{"maximum": 5}]}));
    let report = compare(&document(&one), &document(&other));
    assert_eq!(
        changes(&report),
        [(Breaking, ".spec.a", "bound-tightened"), (Risky, ".spec.a", "logic-changed")],
    );
}

#[test]
fn fields_that_nobody_declares() {
    let map = |of: &str| object(&json!({"additionalProperties": {"type": of}}));
    let declared = object(&json!({"properties": {"b": {"type": "string"}}}));
    for (old, new, expected) in [
        (open(), map("string"), vec![(Breaking, ".spec.a.*", "type-changed")]),
        (map("string"), open(), vec![(Risky, ".spec.a.*", "type-widened")]),
        // A list that preserves unknown fields does so in its items.
        (
            list(&json!({})),
            list(&json!({"x-kubernetes-preserve-unknown-fields": true})),
            vec![(Safe, ".spec.a[]", "preserve-unknown-fields-added")],
        ),
        (
            list(&json!({"x-kubernetes-preserve-unknown-fields": true})),
            list(&json!({})),
            vec![(Breaking, ".spec.a[]", "preserve-unknown-fields-removed")],
        ),
        (
            list(&json!({})),
            json!({"type": "array", "x-kubernetes-preserve-unknown-fields": true,
                "items": {"type": "object", "properties": {"k": {"type": "string"}}}}),
            vec![
                (Risky, ".spec.a[].l", "field-removed"),
                (Safe, ".spec.a[].k", "required-removed"),
                (Safe, ".spec.a[]", "preserve-unknown-fields-added"),
            ],
        ),
        // The values of a map are checked, whatever is preserved in it.
        (
            with(&open(), &map("string")),
            with(&open(), &map("integer")),
            vec![(Breaking, ".spec.a.*", "type-changed")],
        ),
        (declared.clone(), map("string"), vec![(Safe, ".spec.a", "map-added")]),
        (
            declared.clone(),
            map("integer"),
            vec![(Breaking, ".spec.a.b", "type-changed"), (Safe, ".spec.a", "map-added")],
        ),
        (
            map("string"),
            declared,
            vec![(Breaking, ".spec.a", "map-removed"), (Risky, ".spec.a.b", "field-added")],
        ),
    ] {
        let report = compare(&document(&old), &document(&new));
        assert_eq!(changes(&report), expected, "{old} became {new}");
    }
}

/// Objects get the same value.
#[test]
fn a_default_may_leave_out_the_defaults_inside_it() {
    let with_default = |default: Value, inside: u64| {
        document(&json!({"type": "object", "default": default,
            "properties": {"b": {"type": "integer", "default": inside}, "c": {"type": "string"}}}))
    };
    let short = with_default(json!({}), 1);
    let long = with_default(json!({"b": 1}), 1);
    assert_eq!(changes(&compare(&short, &long)), []);
    assert_eq!(changes(&compare(&long, &short)), []);
    let inside = [(Breaking, ".spec.a.b", "default-changed")];
    assert_eq!(changes(&compare(&short, &with_default(json!({}), 2))), inside);
    let other = with_default(json!({"c": ""}), 1);
    assert_eq!(changes(&compare(&short, &other)), [(Breaking, ".spec.a", "default-changed")]);
}

/// Every object has these fields. `compare` has to see only what is said about their values.
#[test]
fn what_every_object_has_needs_no_declaration() {
    let root = |change: fn(&mut Value)| {
        let mut document = document(&json!({"type": "string"}));
        let place = "/spec/versions/0/schema/openAPIV3Schema";
        change(document.pointer_mut(place).unwrap());
        document
    };
    let bare = root(|_| {});
    let declared = root(|schema| {
        schema["properties"]["apiVersion"] = json!({"type": "string", "description": "Who."});
        schema["properties"]["kind"] = json!({"type": "string", "enum": ["Box"]});
        schema["properties"]["metadata"] = json!({"type": "object"});
        schema["required"] = json!(["metadata"]);
    });
    let restricted = root(|schema| {
        let name = json!({"type": "string", "maxLength": 9});
        let metadata = json!({"type": "object", "properties": {"name": name}});
        schema["properties"]["metadata"] = metadata;
    });
    assert_eq!(changes(&compare(&bare, &declared)), []);
    assert_eq!(changes(&compare(&declared, &bare)), []);
    assert_eq!(changes(&compare(&restricted, &restricted)), []);
    for other in [&bare, &declared] {
        let seen = [(Safe, ".metadata.name", "bound-loosened")];
        assert_eq!(changes(&compare(&restricted, other)), seen);
        let seen = [(Breaking, ".metadata.name", "bound-tightened")];
        assert_eq!(changes(&compare(other, &restricted)), seen);
    }
}

/// The same in a resource inside an object.
#[test]
fn what_an_embedded_resource_has_needs_no_declaration() {
    let embedded = |more: &Value| {
        let base = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
        document(&with(&base, more))
    };
    let text = json!({"type": "string"});
    let bare = embedded(&json!({}));
    let declared = embedded(
        &json!({"properties": {"apiVersion": text, "kind": text, "metadata": {"type": "object"}}}),
    );
    assert_eq!(changes(&compare(&bare, &declared)), []);
    assert_eq!(changes(&compare(&declared, &bare)), []);
    let kind = json!({"properties": {"kind": {"type": "string", "enum": ["Pod"]}}});
    let name = json!({"properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}}});
    let annotated =
        json!({"properties": {"metadata": {"type": "object", "required": ["annotations"]}}});
    for (restriction, path, kind) in [
        (kind, ".spec.a.kind", "enum-added"),
        (name, ".spec.a.metadata.name", "bound-tightened"),
        (annotated, ".spec.a.metadata.annotations", "required-added"),
    ] {
        for other in [&bare, &declared] {
            let seen = compare(other, &embedded(&restriction));
            assert_eq!(changes(&seen), [(Breaking, path, kind)], "{restriction}");
        }
    }
}

/// `additionalProperties: true` keeps values, and empties the objects in them.
#[test]
fn fields_of_undeclared_objects() {
    let object = |more: &Value| document(&with(&json!({"type": "object"}), more));
    let keeps = object(&json!({"x-kubernetes-preserve-unknown-fields": true}));
    let any = object(&json!({"additionalProperties": true}));
    let both = object(
        &json!({"x-kubernetes-preserve-unknown-fields": true, "additionalProperties": true}),
    );
    let none = object(&json!({"additionalProperties": false}));
    let pruned = object(&json!({}));
    let dropped = "preserve-unknown-fields-removed";
    let kept = "preserve-unknown-fields-added";
    for (old, new, expected) in [
        (&keeps, &any, (Breaking, ".spec.a.*", dropped)),
        (&keeps, &both, (Breaking, ".spec.a.*", dropped)),
        (&any, &keeps, (Safe, ".spec.a.*", kept)),
        (&pruned, &any, (Safe, ".spec.a", "map-added")),
        (&keeps, &none, (Breaking, ".spec.a", "additional-properties-refused")),
        (&pruned, &none, (Breaking, ".spec.a", "additional-properties-refused")),
        (&any, &none, (Breaking, ".spec.a", "additional-properties-refused")),
        (&none, &keeps, (Safe, ".spec.a", "additional-properties-no-longer-refused")),
    ] {
        assert_eq!(changes(&compare(old, new)), [expected]);
    }
}

#[test]
fn fields_come_and_go() {
    let none = json!({"type": "object"});
    let a = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let required =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    let defaulted = json!({"type": "object", "required": ["a"],
        "properties": {"a": {"type": "string", "default": "x"}}});
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    for (old, new, expected) in [
        (&none, &a, vec![(Safe, ".spec.a", "field-added")]),
        (&a, &none, vec![(Breaking, ".spec.a", "field-removed")]),
        (&a, &required, vec![(Breaking, ".spec.a", "required-added")]),
        (&required, &a, vec![(Safe, ".spec.a", "required-removed")]),
        (&none, &required, vec![(Breaking, ".spec.a", "required-added")]),
        (&none, &defaulted, vec![(Safe, ".spec.a", "required-added")]),
        (
            &a,
            &open,
            vec![
                (Risky, ".spec.a", "field-removed"),
                (Safe, ".spec", "preserve-unknown-fields-added"),
            ],
        ),
        (
            &open,
            &a,
            vec![
                (Breaking, ".spec", "preserve-unknown-fields-removed"),
                (Risky, ".spec.a", "field-added"),
            ],
        ),
    ] {
        let report = compare(&with_spec(old), &with_spec(new));
        assert_eq!(changes(&report), expected, "{old} became {new}");
    }
}
