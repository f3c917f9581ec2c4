//! What the server takes, and what goes wrong later.

use serde_json::{Value, json};

use super::{super::About, SPEC, SPEC_PATH, field, warnings, with};

#[test]
fn junctors_below_the_root_name_only_declared_properties() {
    let junctor = json!([{"required": ["b"]}, {"properties": {"c": {"minimum": 1}}}]);
    let report = with(&[(&format!("{SPEC}/anyOf"), junctor.clone())]);
    assert!(report.accepts(), "{report}");
    let found = warnings(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains(
            ".properties[spec].properties[c]: `allOf`, `anyOf`, `oneOf` or `not` has a rule for `c`"
        ),
        "{}",
        found[0]
    );
    let report = with(&[("/spec/versions/0/schema/openAPIV3Schema/anyOf", junctor)]);
    assert_eq!(report.violations.len(), 1, "{report}");
}

#[test]
fn null_is_never_of_an_enum() {
    let found = field(&json!({"type": "string", "nullable": true, "enum": ["a", null]}));
    assert!(found.accepts());
    assert!(warnings(&found)[0].contains("null is never a value of an enum"), "{found}");
}

#[test]
fn what_server_side_apply_refuses_later() {
    let set =
        |items: Value| json!({"type": "array", "x-kubernetes-list-type": "set", "items": items});
    let keyed = |key: Value| {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "required": ["k"], "properties": {"k": key}},
        })
    };
    let atomic = json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "string"}}});
    let list = json!({"type": "array", "items": {"type": "string"}});
    let anything = json!({"x-kubernetes-preserve-unknown-fields": true});
    let either = json!({"x-kubernetes-int-or-string": true});
    for (schema, problem) in [
        (set(atomic.clone()), Some("has an object here")),
        (set(list.clone()), Some("has a list here")),
        (set(anything.clone()), Some("has an object or a list here")),
        (json!({"type": "array", "items": set(list.clone())}), Some("has a list here")),
        (
            json!({"type": "object", "additionalProperties": set(atomic)}),
            Some("has an object here"),
        ),
        (keyed(anything), Some("`k` is a key of the list and has no type")),
        (
            json!({"type": "string", "x-kubernetes-int-or-string": true}),
            Some("server-side apply accepts only type `string`"),
        ),
        (set(json!({"type": "string"})), None),
        (set(json!({"type": "number"})), None),
        (set(json!({"type": "boolean"})), None),
        (set(either.clone()), None),
        (keyed(either.clone()), None),
        (keyed(json!({"type": "number"})), None),
        (keyed(json!({"type": "boolean"})), None),
        (json!({"type": "array", "items": list}), None),
        (either, None),
    ] {
        let report = field(&schema);
        let found = warnings(&report);
        assert!(report.accepts(), "{report}");
        assert_eq!(found.len(), usize::from(problem.is_some()), "{schema}: {found:?}");
        assert!(found.iter().all(|found| found.contains(problem.unwrap_or_default())), "{found:?}");
        assert!(report.warnings.iter().all(|each| each.about == About::ServerSideApply));
    }
}

#[test]
fn formats_that_nobody_checks() {
    for (schema, known) in [
        (json!({"type": "string", "format": "date-time"}), true),
        (json!({"type": "string", "format": "int32"}), false),
        (json!({"type": "integer", "format": "uint8"}), false),
        (json!({"type": "number", "format": "double"}), true),
    ] {
        assert_eq!(warnings(&field(&schema)).is_empty(), known, "{schema}");
    }
}

#[test]
fn keywords_that_restrict_values_of_other_types() {
    for (schema, idle) in [
        (json!({"type": "integer", "maxLength": 5, "pattern": "a"}), vec!["maxLength", "pattern"]),
        (json!({"type": "string", "minimum": 1, "required": ["a"]}), vec!["minimum", "required"]),
        (json!({"type": "array", "items": {"type": "string"}, "minLength": 1}), vec!["minLength"]),
        (json!({"type": "object", "maxItems": 3}), vec!["maxItems"]),
        (json!({"type": "string", "allOf": [{"multipleOf": 2}]}), vec!["allOf[0].multipleOf"]),
        (
            json!({
                "type": "object", "properties": {"b": {"type": "integer"}},
                "not": {"properties": {"b": {"pattern": "a"}}},
            }),
            vec!["not.properties[b].pattern"],
        ),
        // The type of the value isn't known.
        (json!({"x-kubernetes-preserve-unknown-fields": true, "maxLength": 5}), vec![]),
        (json!({"x-kubernetes-int-or-string": true, "pattern": "a", "minimum": 1}), vec![]),
        (json!({"type": "number", "maximum": 5, "multipleOf": 1}), vec![]),
        (json!({"type": "object", "maxProperties": 5, "minProperties": 1}), vec![]),
    ] {
        let report = field(&schema);
        assert!(report.accepts(), "{report}");
        assert!(report.warnings.iter().all(|each| each.about == About::IdleKeyword), "{report}");
        let start = format!("{SPEC_PATH}.properties[a].");
        let places = report.warnings.iter().map(|each| each.path.strip_prefix(&start));
        assert_eq!(places.collect::<Vec<_>>(), idle.into_iter().map(Some).collect::<Vec<_>>());
    }
}

/// The server looks for a type next to the format.
#[test]
fn a_branch_has_no_format_of_numbers() {
    let of = |branch: Value| field(&json!({"type": "integer", "anyOf": [branch]}));
    let report = of(json!({"format": "int32"}));
    assert!(report.accepts() && report.warnings[0].about == About::UnknownFormat, "{report}");
    assert!(of(json!({"minimum": 3})).is_beyond_doubt());
}

#[test]
fn patterns_that_no_string_matches() {
    for pattern in ["a^", "$a", "^a$b", "[^\\s\\S]", "(a^|$b)", "^\\b$", "(?:x$)+y"] {
        let report = field(&json!({"type": "string", "pattern": pattern}));
        assert!(report.accepts(), "{report}");
        let about: Vec<_> = report.warnings.iter().map(|each| each.about).collect();
        assert_eq!(about, [About::UnmatchedPattern], "{pattern}");
    }
    for pattern in
        ["", "^$", "^$^", "a*^", "(a^|b)", "\\B", "^\\p{L}{1,200}$", "(?m)^a$\nb", "$|^a"]
    {
        let report = field(&json!({"type": "string", "pattern": pattern}));
        assert!(report.warnings.is_empty(), "{report}");
    }
}
