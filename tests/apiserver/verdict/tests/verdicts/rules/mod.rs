//! What the API server says of objects by rules of CEL, and what `crd_conv::validation` says where it evaluates them.

mod costs;
mod expressions;

use std::cell::Cell;

use crd_conv::schema::{Json, Schema, SchemaType, ValidationRule};
use crd_conv::testing::server;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::objects::{SHRINKS, ours, sorted};
use crate::random::Random;
use crate::{cases, run, start};
use expressions::{Names, condition};

fn item() -> Value {
    json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "v": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}}}})
}

fn spec() -> Value {
    json!({"type": "object", "properties": {
        "n": {"type": "integer"}, "m": {"type": "integer", "default": 2}, "d": {"type": "number"},
        "s": {"type": "string"}, "t": {"type": "string"}, "b": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "string"}},
        "nums": {"type": "array", "items": {"type": "integer"}},
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "items": {"type": "array", "items": item(), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
        "things": {"type": "array", "items": item()},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "limits": {"type": "object", "additionalProperties": {"type": "object", "properties": {
            "v": {"type": "integer"}, "s": {"type": "string"}}}},
        "obj": {"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": "string", "nullable": true}}},
        "maybe": {"type": "integer", "nullable": true},
        "port": {"x-kubernetes-int-or-string": true},
        "dur": {"type": "string", "format": "duration"},
        "when": {"type": "string", "format": "date-time"},
        "namespace": {"type": "integer"}, "foo-bar": {"type": "string"}}})
}

/// A schema with rules at several places.
fn schema(random: &mut Random) -> Value {
    let mut spec = spec();
    let rules = |names: &dyn Fn(bool) -> Names, depth: usize, random: &mut Random| {
        let rule = |random: &mut Random| {
            let with_old = random.once_in(4);
            let mut rule = json!({"rule": condition(&names(with_old), depth, random)});
            match random.below(8) {
                0 => rule["message"] = json!(" a message "),
                1 => rule["reason"] = json!("FieldValueForbidden"),
                2 => rule["reason"] = json!("FieldValueDuplicate"),
                _ => {}
            }
            rule
        };
        (0..=random.below(2)).map(|_| rule(random)).collect::<Vec<_>>()
    };
    let depth = 2 + random.below(3);
    let mut of_spec = rules(&Names::spec, depth, random);
    if random.once_in(4) {
        of_spec[0]["fieldPath"] =
            json!(*random.pick(&[".n", ".obj.a", ".labels['a']", ".limits.b.v"]));
    }
    spec["x-kubernetes-validations"] = of_spec.into();
    for name in ["items", "things"] {
        if random.once_in(3) {
            // Only items with keys replace others.
            let names = |with_old| Names::item(with_old && name == "items");
            spec["properties"][name]["items"]["x-kubernetes-validations"] =
                rules(&names, 2, random).into();
        }
    }
    if random.once_in(4) {
        let rule = *random.pick(&["self > 1", "self == oldSelf", "self >= oldSelf"]);
        spec["properties"]["n"]["x-kubernetes-validations"] = json!([{"rule": rule}]);
    }
    if random.once_in(6) {
        let rule = *random.pick(&["self.all(k, self[k] != 'b')", "size(self) < 2"]);
        spec["properties"]["labels"]["x-kubernetes-validations"] = json!([{"rule": rule}]);
    }
    let mut root = json!({"type": "object", "properties": {"spec": spec}});
    if random.once_in(4) {
        let rule = *random.pick(&[
            "self.metadata.name == 'a'",
            "has(self.spec) && self.kind != ''",
            "has(self.metadata.generateName)",
        ]);
        root["x-kubernetes-validations"] = json!([{"rule": rule}]);
    }
    root
}

/// The keywords that are used here.
fn read(json: &Value) -> Schema {
    let text = |json: &Value| json.as_str().map(str::to_owned);
    let texts = |json: &Value| json.as_array().into_iter().flatten().filter_map(text).collect();
    let inside = |json: &Value| json.is_object().then(|| Box::new(read(json)));
    let rule = |json: &Value| {
        let mut rule = ValidationRule::default();
        rule.rule = text(&json["rule"]).expect("a rule");
        rule.message = text(&json["message"]);
        rule.reason = text(&json["reason"]);
        rule.field_path = text(&json["fieldPath"]);
        rule
    };
    let mut schema = Schema::default();
    let types = [
        ("array", SchemaType::Array),
        ("boolean", SchemaType::Boolean),
        ("integer", SchemaType::Integer),
        ("number", SchemaType::Number),
        ("object", SchemaType::Object),
        ("string", SchemaType::Text),
    ];
    schema.ty = types.iter().find(|(name, _)| json["type"] == *name).map(|(_, ty)| *ty);
    schema.format = text(&json["format"]);
    schema.default = json.get("default").map(Json::from);
    schema.nullable = json["nullable"] == true;
    schema.max_length = json["maxLength"].as_i64();
    schema.max_items = json["maxItems"].as_i64();
    schema.max_properties = json["maxProperties"].as_i64();
    schema.values = json["enum"].as_array().into_iter().flatten().map(Json::from).collect();
    schema.required = texts(&json["required"]);
    schema.items = inside(&json["items"]);
    schema.additional_properties = inside(&json["additionalProperties"]);
    let properties = json["properties"].as_object().into_iter().flatten();
    schema.properties = properties.map(|(name, json)| (name.clone(), read(json))).collect();
    let own = &mut schema.extensions;
    own.embedded_resource = json["x-kubernetes-embedded-resource"] == true;
    own.int_or_string = json["x-kubernetes-int-or-string"] == true;
    own.list_type = text(&json["x-kubernetes-list-type"]);
    own.list_map_keys = texts(&json["x-kubernetes-list-map-keys"]);
    own.validations =
        json["x-kubernetes-validations"].as_array().into_iter().flatten().map(rule).collect();
    schema
}

fn text(random: &mut Random) -> Value {
    json!(*random.pick(&["", "a", "b", "ab", "A b", "\u{e4}", "1", "1h"]))
}

fn int(random: &mut Random) -> Value {
    json!(*random.pick(&[0_i64, 1, 2, 3, -1, i64::MAX]))
}

fn some(times: usize, random: &mut Random, value: fn(&mut Random) -> Value) -> Value {
    (0..random.below(times)).map(|_| value(random)).collect()
}

fn distinct(of: Value, key: fn(&Value) -> Value) -> Value {
    let Value::Array(items) = of else { return of };
    let mut known = Vec::new();
    items
        .into_iter()
        .filter(|item| {
            let is_new = !known.contains(&key(item));
            known.push(key(item));
            is_new
        })
        .collect()
}

fn some_item(random: &mut Random) -> Value {
    let mut item = json!({"name": text(random)});
    if random.below(3) > 0 {
        item["v"] = int(random);
    }
    if random.once_in(2) {
        item["tags"] = some(3, random, text);
    }
    item
}

fn member(name: &str, random: &mut Random) -> Value {
    match name {
        "n" | "m" | "namespace" => int(random),
        "maybe" => {
            if random.once_in(3) {
                Value::Null
            } else {
                int(random)
            }
        }
        "d" => json!(*random.pick(&[0.0, 1.0, 1.5, -2.5, 1e300])),
        "b" => json!(random.once_in(2)),
        "list" => some(4, random, text),
        "nums" => some(4, random, int),
        "set" => distinct(some(4, random, text), Value::clone),
        "items" => distinct(some(4, random, some_item), |item| item["name"].clone()),
        "things" => some(4, random, some_item),
        "labels" => {
            let names = ["a", "b", "A b"].iter().filter(|_| random.once_in(2)).collect::<Vec<_>>();
            names
                .into_iter()
                .map(|name| ((*name).to_owned(), text(random)))
                .collect::<Map<_, _>>()
                .into()
        }
        "limits" => {
            let mut all = Map::new();
            for name in ["a", "b"] {
                if random.once_in(2) {
                    all.insert(name.to_owned(), json!({"v": int(random), "s": text(random)}));
                }
            }
            all.into()
        }
        "obj" => {
            let mut object = json!({"a": int(random)});
            if random.once_in(2) {
                object["b"] = text(random);
            }
            if random.once_in(4) {
                object["c"] = Value::Null;
            }
            object
        }
        "port" => {
            if random.once_in(2) {
                int(random)
            } else {
                text(random)
            }
        }
        "dur" => json!(*random.pick(&["1h", "90m", "1h30m", "-1s", "3 weeks"])),
        "when" => json!("2020-02-29T12:34:56Z"),
        _ => text(random),
    }
}

fn object(random: &mut Random) -> Value {
    let names: Vec<_> =
        spec()["properties"].as_object().expect("an object").keys().cloned().collect();
    let rare = random.once_in(3);
    let mut spec = Map::new();
    for name in names {
        if !(rare && random.once_in(2) || random.once_in(8)) {
            spec.insert(name.clone(), member(&name, random));
        }
    }
    let mut metadata = json!({"name": *random.pick(&["a", "b"])});
    if random.once_in(8) {
        // No rule is evaluated then.
        spec.insert("n".to_owned(), json!("wrong"));
    }
    if random.once_in(8) {
        metadata = json!({"generateName": "a-"});
    }
    json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "spec": spec})
}

/// The object after an edit.
fn edited(old: &Value, random: &mut Random) -> Value {
    let mut new = old.clone();
    new["metadata"]["annotations"] = json!({"edited": "yes"});
    for _ in 0..random.below(3) {
        let names: Vec<_> =
            spec()["properties"].as_object().expect("an object").keys().cloned().collect();
        let name = random.pick(&names).clone();
        if random.once_in(4) {
            new["spec"].as_object_mut().expect("an object").remove(&name);
        } else {
            new["spec"][&name] = member(&name, random);
        }
    }
    for name in ["list", "set", "items", "things"] {
        if random.once_in(4)
            && let Some(items) = new["spec"][name].as_array_mut()
        {
            items.reverse();
        }
    }
    if new["spec"].as_object().is_some_and(|spec| spec.values().any(Value::is_null)) {
        // What was looked for and not found is there now.
        new["spec"]
            .as_object_mut()
            .expect("an object")
            .retain(|name, value| name == "maybe" || !value.is_null());
    }
    new
}

#[test]
fn rules_have_the_servers_verdict() {
    let verdict = start();
    let [whole, part, refused, accepted, passed] = [const { Cell::new(0_u32) }; 5];
    // Each case has eight verdicts, and the server compiles all rules for each of them.
    run(cases() / 4, SHRINKS, &any::<u64>(), |seed| {
        let random = &mut Random::new(seed);
        let json = schema(random);
        let schema = read(&json);
        for _ in 0..4 {
            let old = object(random);
            let new = edited(&old, random);
            let pair = json!({"old": old, "new": new}).to_string();
            let [old, new] = [old.to_string(), new.to_string()];
            let ask = |op, object: &str| verdict.borrow_mut().causes(op, &schema, object);
            let asked = [
                (server::validate(&old, &schema), ask("validate", &old)),
                (server::validate_update(&old, &new, &schema), ask("updates", &pair)),
            ];
            for (ours_, theirs) in asked {
                let invalid = ours_.expect("it can be decoded");
                let (own, theirs) = (
                    words(ours(&invalid)),
                    words(sorted(theirs.expect("an answer").expect("causes"))),
                );
                if theirs.iter().any(|cause| cause.message.contains("compile")) {
                    passed.set(passed.get() + 1);
                    let claims = own.iter().all(|cause| theirs.contains(cause));
                    prop_assert!(claims, "{own:?}\n{theirs:?}\n{json}\n{pair}");
                    continue;
                }
                let count = if invalid.unchecked.is_empty() {
                    prop_assert_eq!(&own, &theirs, "{}\n{}", json, pair);
                    &whole
                } else {
                    let claims = own.iter().all(|cause| theirs.contains(cause));
                    prop_assert!(claims, "{own:?}\n{theirs:?}\n{json}\n{pair}");
                    &part
                };
                count.set(count.get() + 1);
                let count = if theirs.is_empty() { &accepted } else { &refused };
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    let [whole, part, refused, accepted, passed] =
        [whole, part, refused, accepted, passed].map(|count| count.get());
    println!(
        "{whole} compared, {part} compared in part, {accepted} accepted, {refused} refused, {passed} without types"
    );
    assert!(
        whole > part && refused * 20 > accepted && accepted * 20 > refused,
        "invalid test case"
    );
}

/// Which of several errors an expression ends with depends on the order of keys, which the server leaves to chance.
fn words(mut causes: Vec<crd_conv_verdict::Cause>) -> Vec<crd_conv_verdict::Cause> {
    for cause in &mut causes {
        if let Some((_, rule)) = cause.message.split_once(" evaluating rule: ") {
            cause.message = format!("fails: {rule}");
        }
    }
    causes.sort();
    causes.dedup();
    causes
}
