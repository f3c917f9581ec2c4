//! What rules cost by `crd_conv::verify::rule_costs`, and what the server's own code estimates.

use std::cell::Cell;
use std::collections::BTreeMap;

use crd_conv::verify::rule_costs;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Names, condition, read, schema};
use crate::objects::SHRINKS;
use crate::random::Random;
use crate::{cases, run, start};

/// Sets keywords that decide how large values can be.
fn bound(schema: &mut Value, random: &mut Random) {
    let numbers =
        |random: &mut Random| json!(*random.pick(&[0, 1, 5, 63, 1000, 100_000, 10_000_000]));
    match schema["type"].as_str() {
        Some("string") if schema["format"].is_null() => match random.below(6) {
            0 => schema["enum"] = json!(["a", "abcdefghij", "\u{e4}\u{e4}"]),
            1 => schema["format"] = json!(*random.pick(&["date", "byte", "uuid", "duration"])),
            2 => {}
            _ => schema["maxLength"] = numbers(random),
        },
        Some("array") if random.once_in(2) => schema["maxItems"] = numbers(random),
        Some("object") if !schema["additionalProperties"].is_null() && random.once_in(2) => {
            schema["maxProperties"] = numbers(random);
        }
        None if random.once_in(2) => schema["maxLength"] = numbers(random),
        _ => {}
    }
    let names: Vec<String> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    let required: Vec<&String> = names.iter().filter(|_| random.once_in(4)).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    for name in &names {
        bound(&mut schema["properties"][name], random);
    }
    for inside in ["items", "additionalProperties"] {
        if schema[inside].is_object() {
            bound(&mut schema[inside], random);
        }
    }
}

/// A schema whose parts are in lists, maps and resources.
fn deep(random: &mut Random) -> Value {
    let mut root = schema(random);
    let inside = root["properties"]["spec"].clone();
    match random.below(4) {
        0 => root["properties"]["spec"] = json!({"type": "array", "items": inside}),
        1 => root["properties"]["spec"] = json!({"type": "object", "additionalProperties": inside}),
        2 => {
            root["properties"]["spec"] =
                json!({"type": "array", "items": {"type": "array", "items": inside}});
        }
        _ => {}
    }
    if random.once_in(4) {
        root["properties"]["metadata"] =
            json!({"type": "object", "properties": {"name": {"type": "string"}}});
        if random.once_in(2) {
            root["properties"]["metadata"]["properties"]["generateName"] =
                json!({"type": "string"});
            for name in ["apiVersion", "kind"] {
                root["properties"][name] = json!({"type": "string"});
            }
        }
    }
    bound(&mut root, random);
    let rules = [
        "self.metadata.name.startsWith(self.kind)",
        "self.metadata.name.contains(self.metadata.generateName)",
        "self.metadata.name + self.apiVersion != ''",
    ];
    root["x-kubernetes-validations"] = json!([{"rule": *random.pick(&rules)}]);
    if random.once_in(3) {
        root["properties"]["template"] = json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "required": ["kind", "metadata", "a"], "properties": {"a": {"type": "boolean"}},
            "x-kubernetes-validations": [{"rule": *random.pick(&rules)}, {"rule": "has(self.a) && self.a"}],
        });
    }
    if random.once_in(3) {
        let mut inside = &mut root["properties"]["spec"];
        while inside["properties"].is_null() {
            let next = if inside["items"].is_null() { "additionalProperties" } else { "items" };
            inside = &mut inside[next];
        }
        let rule = condition(&Names::spec(false), 4, random);
        inside["x-kubernetes-validations"] = json!([{"rule": rule}]);
    }
    root
}

#[test]
fn rules_have_the_servers_estimate() {
    let verdict = start();
    let [known, unknown, broken, unbounded] = [const { Cell::new(0_u32) }; 4];
    let add = |count: &Cell<u32>| count.set(count.get() + 1);
    run(cases() / 4, SHRINKS, &any::<u64>(), |seed| {
        let json = deep(&mut Random::new(seed));
        let schema = read(&json);
        let theirs = verdict.borrow_mut().costs(&schema).expect("an answer");
        let theirs: BTreeMap<_, _> =
            theirs.into_iter().map(|rule| (rule.path.clone(), rule)).collect();
        let ours = rule_costs(&schema);
        prop_assert_eq!(ours.len(), theirs.len(), "{}", json);
        for own in ours {
            let server = &theirs[&own.path];
            let Some(cost) = own.cost else {
                add(if server.error.is_empty() { &unknown } else { &broken });
                continue;
            };
            add(if cost > 10_000_000 { &unbounded } else { &known });
            prop_assert_eq!(&*server.error, "", "{}: {}", own.path, json);
            prop_assert_eq!(cost, server.cost, "{}: {}", own.path, json);
        }
        Ok(())
    });
    let [known, unknown, broken, unbounded] =
        [known, unknown, broken, unbounded].map(|count| count.get());
    println!(
        "{known} allowed, {unbounded} too expensive, {unknown} unknown, {broken} without types"
    );
    assert!(known > unknown + broken && unbounded * 20 > known, "invalid test case");
}
