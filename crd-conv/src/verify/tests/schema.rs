use serde_json::{Value, json};

use super::{field, refusals, warnings, with};

/// What the server refuses of a field `a`.
#[test]
fn rules() {
    let map = |keys: Value, key: Value| {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            "items": {"type": "object", "required": ["k"], "properties": {"k": key}},
        })
    };
    let rule = |rule: Value| json!({"type": "object", "properties": {"b": {"type": "string"}}, "x-kubernetes-validations": [rule]});
    let in_open = |rules: Value| json!({"type": "array", "x-kubernetes-int-or-string": true, "items": rule(json!({"rule": "true"})), "x-kubernetes-validations": rules});
    let text = json!({"type": "string"});
    let rules = "a.x-kubernetes-validations[0]";
    let table: Vec<(Value, Vec<String>)> = vec![
        // Types.
        (json!({}), vec!["a.type: required: write the type".into()]),
        (json!({"type": "text"}), vec!["a.type: not supported: `text` is unknown; write one of array".into()]),
        (json!({"type": "null"}), vec!["a.type: forbidden: write `nullable: true`".into()]),
        (json!({"type": ["string", "null"]}), vec!["a.type: malformed: write a string here, not a list".into(), "a.type: required".into()]),
        (json!({"type": "array"}), vec!["a.items: required: write the schema of the items".into()]),
        (json!({"type": "array", "items": {}}), vec!["a.items.type: required: write the type of the items".into()]),
        (json!({"type": "array", "items": [text]}), vec!["a.items: required".into(), "a.items: forbidden: write one schema for all items".into()]),
        (json!({"type": "integer", "exclusiveMinimum": 3}), vec!["a.exclusiveMinimum: malformed: write `true` or `false` here, not a number".into()]),
        (json!({"type": "string", "maxLength": 1.5}), vec!["a.maxLength: malformed: write a whole number here, not a number that doesn't fit".into()]),
        (json!({"type": "string", "maxLength": 3.0, "nullable": true, "format": "uuid"}), vec![]),
        (json!({"x-kubernetes-int-or-string": true}), vec![]),
        (json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}), vec![]),
        (json!({"x-kubernetes-int-or-string": true, "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}]}), vec![]),
        (
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "string"}, {"type": "integer"}]}),
            vec!["a.anyOf[0].type: forbidden: it isn't allowed in `allOf`".into(), "a.anyOf[1].type: forbidden".into()],
        ),
        (
            json!({"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true}),
            vec!["a.x-kubernetes-preserve-unknown-fields: invalid: it can't be combined with `x-kubernetes-int-or-string`".into()],
        ),
        (json!({"x-kubernetes-preserve-unknown-fields": true}), vec![]),
        (json!({"type": "object", "x-kubernetes-preserve-unknown-fields": false}), vec!["a.x-kubernetes-preserve-unknown-fields: invalid: it must be `true` or absent".into()]),
        // Keywords.
        (json!({"type": "string", "$ref": "#/b"}), vec!["a.$ref: forbidden: a CustomResourceDefinition has no `$ref`; write the schema itself".into()]),
        (json!({"type": "string", "id": "b"}), vec!["a.id: forbidden".into()]),
        (json!({"type": "object", "patternProperties": {"b": text}}), vec!["a.patternProperties: forbidden: a CustomResourceDefinition has no `patternProperties`; write `additionalProperties`".into()]),
        (json!({"type": "array", "items": text, "uniqueItems": true}), vec!["a.uniqueItems: forbidden: it takes too long to check; write `x-kubernetes-list-type: set`".into()]),
        (json!({"type": "object", "properties": {"b": text}, "additionalProperties": text}), vec!["a.additionalProperties: forbidden: it can't be combined with `properties`".into()]),
        (json!({"type": "object", "properties": {"b": text}, "additionalProperties": true}), vec![]),
        (json!({"type": "object", "additionalProperties": "b"}), vec!["a.additionalProperties: malformed: write a schema, `true` or `false` here, not a string".into()]),
        (json!({"type": "string", "pattern": "(?=b)"}), vec!["a.pattern: invalid: `(?=b)` isn't a regular expression in Go's RE2 syntax: it has no look-around".into()]),
        // Junctors.
        (json!({"type": "string", "allOf": [{"description": "b"}]}), vec!["a.allOf[0].description: forbidden: it isn't allowed in `allOf`".into()]),
        (json!({"type": "string", "oneOf": [{"default": "b"}]}), vec!["a.oneOf[0].default: forbidden".into()]),
        (json!({"type": "string", "not": {"nullable": true}}), vec!["a.not.nullable: forbidden".into()]),
        (json!({"type": "string", "anyOf": [{"pattern": "["}]}), vec!["a.anyOf[0].pattern: invalid".into()]),
        (json!({"type": "object", "not": {"properties": {"metadata": {}}}}), vec!["a.not.properties[metadata]: forbidden: `allOf`, `anyOf`, `oneOf` and `not` can't restrict the metadata".into()]),
        // Embedded resources.
        (json!({"type": "object", "x-kubernetes-embedded-resource": true}), vec!["a.properties: required: declare the properties of the embedded resource".into()]),
        (json!({"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}), vec!["a.type: required: an embedded resource is an object".into()]),
        (
            json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "integer"}}}),
            vec!["a.properties[kind].type: invalid: write `type: string`".into()],
        ),
        // Lists and maps.
        (json!({"type": "string", "x-kubernetes-list-type": "set"}), vec!["a.type: invalid: `x-kubernetes-list-type` is for type array".into()]),
        (json!({"type": "array", "items": text, "x-kubernetes-list-type": "bag"}), vec!["a.x-kubernetes-list-type: not supported: `bag` is unknown".into()]),
        (json!({"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"}), vec!["a.items.x-kubernetes-map-type: invalid: the items of a set must be atomic".into()]),
        (json!({"type": "array", "items": {"type": "string", "nullable": true}, "x-kubernetes-list-type": "set"}), vec!["a.items.nullable: forbidden: the items of a list of type `set`".into()]),
        (json!({"type": "array", "items": text, "x-kubernetes-list-map-keys": ["k"]}), vec!["a.x-kubernetes-list-type: required: only a list of type `map`".into()]),
        (map(json!(["k"]), text.clone()), vec![]),
        (map(json!([]), text.clone()), vec!["a.x-kubernetes-list-map-keys: required: write the properties".into()]),
        (map(json!(["k", "k"]), text.clone()), vec!["a.x-kubernetes-list-map-keys: invalid: `k` is listed twice".into()]),
        (map(json!(["k", "l"]), text.clone()), vec!["a.x-kubernetes-list-map-keys: invalid: `l` isn't a property of the items".into()]),
        (map(json!(["k"]), json!({"type": "object"})), vec!["a.items.properties[k].type: invalid: `k` is a key of the list and must be a scalar".into()]),
        (map(json!(["k"]), json!({"type": "string", "nullable": true})), vec!["a.items.properties[k].nullable: forbidden: `k` is a key of the list and can't be null".into()]),
        (
            json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "properties": {"k": text}}}),
            vec!["a.items.properties[k].default: required: `k` is a key of the list, but items may leave it out".into()],
        ),
        (json!({"type": "object", "x-kubernetes-map-type": "set"}), vec!["a.x-kubernetes-map-type: not supported: `set` is unknown; write `atomic` or `granular`".into()]),
        // Rules.
        (rule(json!({"rule": " "})), vec![format!("{rules}.rule: required: write the expression")]),
        (rule(json!({"rule": "true &&"})), vec![format!("{rules}.rule: invalid: it isn't a CEL expression: a value is missing at the end")]),
        (rule(json!({"rule": "true", "message": " "})), vec![format!("{rules}.message: invalid: it is blank")]),
        (rule(json!({"rule": "true", "message": "a\nb"})), vec![format!("{rules}.message: invalid: it has a line break")]),
        (rule(json!({"rule": "true\n|| true"})), vec![format!("{rules}.message: required: a rule with several lines needs a message")]),
        (rule(json!({"rule": "true", "messageExpression": "'"})), vec![format!("{rules}.messageExpression: invalid: it isn't a CEL expression: a string has no closing quote")]),
        (rule(json!({"rule": "true", "reason": "Nonsense"})), vec![format!("{rules}.reason: not supported: `Nonsense` is unknown; write one of FieldValueDuplicate")]),
        (rule(json!({"rule": "true", "fieldPath": ".b"})), vec![]),
        (rule(json!({"rule": "true", "fieldPath": "['b']"})), vec![]),
        (rule(json!({"rule": "true", "fieldPath": "b"})), vec![format!("{rules}.fieldPath: invalid: `b` has `b` where a `.` belongs")]),
        (rule(json!({"rule": "true", "fieldPath": ".c"})), vec![format!("{rules}.fieldPath: invalid: `.c` leads to `c`, which the schema doesn't declare")]),
        (rule(json!({"rule": "true", "optionalOldSelf": true})), vec![format!("{rules}.optionalOldSelf: invalid: the rule doesn't use `oldSelf`")]),
        (rule(json!({"rule": "self == oldSelf"})), vec![]),
        (json!({"type": "array", "items": rule(json!({"rule": "self == oldSelf"}))}), vec!["a.items.x-kubernetes-validations[0].rule: invalid: `oldSelf` is unknown in the items of a list".into()]),
        (json!({"type": "object", "additionalProperties": rule(json!({"rule": "self == oldSelf"}))}), vec![]),
        (json!({"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{"rule": "true"}]}), vec!["a.x-kubernetes-validations: invalid: CEL expressions have no type for this value".into()]),
        (in_open(json!([{"rule": "true"}])), vec!["a.items.x-kubernetes-validations: invalid: this is inside an int-or-string".into()]),
        (in_open(json!([])), vec![]),
    ];
    for (schema, expected) in table {
        let found = refusals(&schema);
        assert_eq!(found.len(), expected.len(), "{schema}: {found:#?}");
        for expected in expected {
            assert!(
                found.iter().any(|found| found.starts_with(&expected)),
                "{expected}\n{found:#?}"
            );
        }
    }
}

#[test]
fn defaults() {
    let object = |default: Value| {
        json!({
            "type": "object", "default": default, "required": ["b"],
            "properties": {"b": {"type": "integer", "maximum": 9, "default": 1}, "c": {"type": "array", "items": {"type": "string"}}},
        })
    };
    let plain = |schema: Value, default: Value| {
        let mut schema = schema;
        schema["default"] = default;
        schema
    };
    let embedded = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    let table = [
        (object(json!({"b": 3, "c": ["d"]})), None),
        (object(json!({})), Some("a.default.b: required: the default must have it")),
        (
            object(json!({"b": 10})),
            Some(
                "a.default.b: invalid: 10: the default doesn't fit its own schema: b in body should be less than or equal to 9",
            ),
        ),
        (
            object(json!({"b": 3, "c": [1]})),
            Some(
                "a.default.c[0]: invalid: \"integer\": the default doesn't fit its own schema: c[0] in body must be of type string: \"integer\"",
            ),
        ),
        (
            object(json!({"b": 3, "d": 1})),
            Some(
                "a.default.d: invalid: the schema doesn't declare the field; declare it, or remove it from the default",
            ),
        ),
        (object(json!(null)), None),
        (
            plain(json!({"type": "string"}), json!(1)),
            Some(
                "a.default: invalid: \"integer\": the default doesn't fit its own schema: in body must be of type string: \"integer\"",
            ),
        ),
        (plain(json!({"type": "integer"}), json!(1.0)), None),
        (
            plain(json!({"type": "string", "enum": ["x"]}), json!("y")),
            Some(
                "a.default: not supported: \"y\": the default doesn't fit its own schema: supported values: \"x\"",
            ),
        ),
        (
            plain(json!({"type": "string", "pattern": "^x"}), json!("y")),
            Some("in body should match '^x'"),
        ),
        (plain(json!({"type": "string", "maxLength": 1}), json!("\u{e4}")), None),
        (
            plain(json!({"type": "string", "format": "date"}), json!("2021-02-29")),
            Some("in body must be of type date: \"2021-02-29\""),
        ),
        (
            plain(json!({"type": "integer", "format": "int32"}), json!(3_000_000_000_u32)),
            Some("Checked value must be of type integer with format int32"),
        ),
        (
            plain(json!({"type": "integer", "oneOf": [{"minimum": 1}, {"minimum": 2}]}), json!(3)),
            Some("must validate one and only one schema (oneOf). Found 2 valid alternatives"),
        ),
        (
            plain(json!({"type": "integer", "not": {"minimum": 1}}), json!(3)),
            Some("must not validate the schema (not)"),
        ),
        (plain(embedded.clone(), json!({"apiVersion": "v1", "kind": "Pod", "x": 1})), None),
        (
            plain(embedded.clone(), json!({"kind": "Pod"})),
            Some("a.default.apiVersion: required: the default must have it"),
        ),
        (
            plain(embedded, json!({"apiVersion": "a/b/c", "kind": "Pod"})),
            Some("unexpected GroupVersion string: a/b/c"),
        ),
    ];
    for (schema, problem) in table {
        let found = refusals(&schema);
        assert_eq!(found.len(), usize::from(problem.is_some()), "{schema}: {found:#?}");
        assert!(
            found.iter().all(|found| found.starts_with("a.default")
                && found.contains(problem.unwrap_or_default())),
            "{problem:?}\n{found:#?}"
        );
    }
}

#[test]
fn the_server_writes_some_defaults_that_it_never_checks() {
    let report =
        field(&json!({"type": "object", "additionalProperties": {"type": "string", "default": 7}}));
    assert!(report.accepts(), "{report}");
    let found = warnings(&report);
    assert!(found.len() == 1 && found[0].contains("but it writes them"), "{found:?}");
}

#[test]
fn what_is_not_checked_is_listed() {
    let report = field(&json!({
        "type": "string", "format": "email", "default": "A <a@b>",
        "x-kubernetes-validations": [{"rule": "string(self) == 'a'"}],
    }));
    let found: Vec<_> = report.unchecked.iter().map(ToString::to_string).collect();
    let path = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a]";
    assert_eq!(
        found,
        [
            format!("{path}.default: whether \"A <a@b>\" is of the format `email`"),
            format!("{path}.default: whether it keeps its rule in `x-kubernetes-validations`"),
            format!(
                "{path}.x-kubernetes-validations[0]: the types, functions and estimated cost of the expression"
            ),
        ]
    );
}

#[test]
fn the_root_takes_less_with_a_status() {
    let root = "/spec/versions/0/schema/openAPIV3Schema";
    let status = ("/spec/versions/0/subresources", json!({"status": {}}));
    for (keyword, value) in [
        ("minProperties", json!(1)),
        ("oneOf", json!([{"required": ["spec"]}])),
        ("x-kubernetes-map-type", json!("atomic")),
    ] {
        let pointer = format!("{root}/{keyword}");
        let change = (pointer.as_str(), value);
        assert!(with(std::slice::from_ref(&change)).accepts(), "{keyword}");
        let report = with(&[change, status.clone()]);
        assert_eq!(report.violations.len(), 1, "{report}");
    }
    let metadata = |schema| with(&[(&format!("{root}/properties/metadata"), schema)]).accepts();
    assert!(metadata(
        json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}})
    ));
    assert!(!metadata(json!({"type": "object", "description": "more"})));
    assert!(!metadata(json!({"type": "object", "properties": {"labels": {"type": "object"}}})));
}

/// The server then moves the schema to a place of its own, and its status to all versions.
#[test]
fn versions_with_one_schema_are_checked_once() {
    let schema = json!({"type": "object", "minProperties": 1, "properties": {"a": {}}});
    let version = |name: &str, status: Value| json!({"name": name, "storage": name == "v1", "schema": {"openAPIV3Schema": schema}, "subresources": status});
    let report = with(&[(
        "/spec/versions",
        json!([version("v1", json!(null)), version("v2", json!({"status": {}}))]),
    )]);
    let paths: Vec<_> = report.violations.iter().map(|violation| violation.path.as_str()).collect();
    let path = "spec.versions[0].schema.openAPIV3Schema";
    assert_eq!(paths, [format!("{path}.minProperties"), format!("{path}.properties[a].type")]);
}
