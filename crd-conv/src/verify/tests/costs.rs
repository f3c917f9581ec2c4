//! The types and estimated costs of rules.

use serde_json::json;

use super::{field, refusals};

#[test]
fn rules_name_declared_fields() {
    let of = |rule: &str| {
        let item = json!({"type": "object", "properties": {"name": {"type": "string"}, "a-b": {"type": "string"}}});
        let found = refusals(&json!({
            "type": "object", "properties": {
                "items": {"type": "array", "items": item},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}}},
            "x-kubernetes-validations": [{"rule": rule}],
        }));
        found
            .into_iter()
            .map(|refusal| refusal.split('`').nth(1).map(str::to_owned))
            .collect::<Vec<_>>()
    };
    for rule in ["self.items.all(i, i.name != '' && has(i.a__dash__b))", "self.labels.any != ''"] {
        assert!(of(rule).is_empty(), "{rule}");
    }
    for (rule, name) in [
        ("has(self.item)", "item"),
        ("self.items.all(i, i.nam != '')", "nam"),
        ("self.items[0].a_b == 'a'", "a_b"),
    ] {
        assert_eq!(of(rule), [Some(name.to_owned())], "{rule}");
    }
}

#[test]
fn types_that_are_known_are_checked() {
    let of = |rule: &str, message: &str| {
        let rule = json!({"rule": rule, "messageExpression": message});
        field(&json!({
            "type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
            "x-kubernetes-validations": [rule],
        }))
    };
    assert!(of("self.name.size() > self.size", "'not ' + self.name").unchecked.is_empty());
    for (rule, message, unknown) in [
        ("self.name", "'no'", "the expression"),
        ("self.name > self.size", "'no'", "the expression"),
        ("self.name.matches('(')", "'no'", "the expression"),
        ("self.size > 1", "self.size", "`messageExpression`"),
    ] {
        let report = of(rule, message);
        let found: Vec<_> = report.unchecked.iter().map(|each| each.what.clone()).collect();
        let what = format!("the types, functions and estimated cost of {unknown}");
        assert_eq!(found, [what], "{rule}, {message}");
    }
    assert_eq!(
        refusals(&json!({
            "type": "object", "properties": {"name": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "self.name != ''", "messageExpression": "self.nam"}],
        })),
        [
            "a.x-kubernetes-validations[0].messageExpression: invalid: it names the field `nam`, which has no type in the schema; declare the field with its type, or correct its name"
        ]
    );
}

#[test]
fn a_mistake_elsewhere_hides_no_cost() {
    let found = refusals(&json!({
        "type": "object", "properties": {
            "broken": {"type": "text"},
            "names": {
                "type": "array", "items": {"type": "string"},
                "x-kubernetes-validations": [{"rule": "self.all(a, self.all(b, a != b))"}],
            },
        },
    }));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(
        found[1].contains("names].x-kubernetes-validations[0].rule: forbidden: "),
        "{found:#?}"
    );
}

#[test]
fn expensive_rules_name_the_remedy() {
    let of = |items: i64, rules: usize| {
        let rule = json!({"rule": "self.all(a, self.exists_one(b, a == b))"});
        refusals(&json!({
            "type": "array", "maxItems": items, "items": {"type": "string", "maxLength": 63},
            "x-kubernetes-validations": vec![rule; rules],
        }))
    };
    assert!(of(300, 1).is_empty());
    // 1,000 times 1,000 items, and 30 units for each, 26 of them to compare two strings of up to 252 bytes.
    let [one] = &*of(1_000, 1) else { panic!("one refusal") };
    assert_eq!(
        one,
        "a.x-kubernetes-validations[0].rule: forbidden: the API server estimates that it costs 3.0 times as much as it allows; set `maxItems`, `maxProperties` and `maxLength` on the lists, maps and strings that are read and on the lists and maps around them, or simplify the expression"
    );
    let all = of(500, 14);
    let [all] = &*all else { panic!("{all:#?}") };
    assert!(all.contains("all its rules together cost 1."), "{all}");
    assert_eq!(all.matches(".rule`").count(), 4, "{all}");
}

/// The server counts them as often as the object may have other fields.
#[test]
fn declared_fields_beside_others_are_as_many() {
    let of = |more: serde_json::Value| {
        let mut schema = json!({
            "type": "object", "properties": {"a": {
                "type": "string", "maxLength": 100, "x-kubernetes-validations": [{"rule": "self in ['a', 'b']"}]}},
        });
        schema
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().into_iter().flatten());
        refusals(&schema).len()
    };
    assert_eq!(of(json!({})), 0);
    assert_eq!(of(json!({"additionalProperties": true})), 1);
    assert_eq!(of(json!({"additionalProperties": true, "maxProperties": 10})), 0);
}

/// The server takes their type from the value around them.
#[test]
fn parts_of_another_type_are_not_checked() {
    let inside = json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self > 3"}]});
    let of = |schema: serde_json::Value| field(&schema).unchecked.len();
    assert_eq!(of(json!({"type": "array", "items": inside})), 0);
    assert_eq!(of(json!({"type": "object", "additionalProperties": inside})), 0);
    assert_eq!(of(json!({"type": "string", "items": inside})), 1);
    let map =
        json!({"type": "object", "additionalProperties": {"type": "string"}, "items": inside});
    assert_eq!(of(map), 1);
}
