//! Second opinions.

use crd_conv::ResourceType;
use crd_conv::schema::Schema;
use crd_conv::testing::Trial;
use crd_conv_zoo::zoo;
use serde_json::{Map, Value, json};

use super::golden::schema_of;

const OBJECTS: usize = 60;

/// What serde reads more narrowly than a structural schema can say.
const NARROWER: &[(&str, &str)] = &[
    ("Tree", "what the type holds of itself is anything"),
    ("Deep", "what is too deep is anything"),
    ("DeepChain", "what is too deep is anything"),
    ("Rules", "what is too deep is anything"),
    ("DeepSum", "what is too deep is anything"),
    ("std::time::SystemTime", "the sum of the two fields is bounded"),
    ("HashMap<u32, String>", "keys are any strings"),
    ("BTreeMap<i8, bool>", "keys are any strings"),
    ("BTreeMap<char, BTreeMap<bool, i32>>", "keys are any strings"),
    ("BTreeMap<uuid::Uuid, bool>", "keys are any strings"),
    ("BTreeMap<Names, i32>", "keys are any strings"),
    ("BTreeMap<IpAddr, bool>", "keys are any strings"),
    ("(i32, String)", "each place has a type of its own"),
    ("Tuple", "each place has a type of its own"),
    ("(bool, Option<String>, f64)", "each place has a type of its own"),
    ("(u8, (i64, bool), Vec<String>)", "each place has a type of its own"),
    ("(Empty, Value, i32)", "each place has a type of its own"),
    ("Either<(i32, bool), (bool, i32)>", "each place has a type of its own"),
    ("Renamed", "each place of a tuple has a type of its own"),
    ("OsString", "only the strings of one system are read"),
    ("Secret", "it has one version and one kind"),
    ("SocketAddr", "there is no format"),
    ("chrono::NaiveDateTime", "there is no format"),
    ("chrono::NaiveTime", "there is no format"),
    ("jiff::civil::DateTime", "there is no format"),
    ("jiff::civil::Time", "there is no format"),
];

#[test]
fn what_serde_writes_is_valid() {
    for shape in zoo() {
        let Ok(schema) = schema_of(&shape) else { continue };
        let validator = jsonschema::draft4::new(&open_api(&schema)).expect("a schema");
        for sample in &shape.samples {
            let outcome = validator.validate(sample);
            assert!(outcome.is_ok(), "{}: {sample} isn't valid: {outcome:?}", shape.name);
        }
    }
}

#[test]
fn serde_reads_what_is_valid() {
    let mut wrong = Vec::new();
    for shape in zoo() {
        let Ok(schema) = schema_of(&shape) else { continue };
        let validator = jsonschema::draft4::new(&open_api(&schema)).expect("a schema");
        let resource: ResourceType = (shape.resource)();
        let trial = Trial::of(&resource).expect("a schema");
        let narrower = NARROWER.iter().any(|(name, _)| *name == shape.name);
        let mut unread = 0;
        for object in trial.objects("v1").take(OBJECTS) {
            // Half a surrogate pair is no string to serde.
            let Ok(object) = serde_json::from_str::<Value>(&object) else { continue };
            // The server drops null where it is no value.
            let Some(value) = object["spec"].get("value") else { continue };
            let outcome = validator.validate(value);
            if let Err(error) = outcome {
                wrong.push(format!("{}: {value} was drawn: {error}", shape.name));
                break;
            }
            match (shape.written)(&object["spec"].to_string()) {
                Err(error) if !narrower => {
                    wrong.push(format!("{}: {value}: {error}", shape.name));
                    break;
                }
                Err(_) => unread += 1,
                Ok(_) => {}
            }
        }
        if narrower && unread == 0 {
            wrong.push(format!("{} isn't read more narrowly", shape.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The schema in the words of JSON Schema's draft 4, from which OpenAPI took bounds.
fn open_api(schema: &Schema) -> Value {
    translated(&serde_json::to_value(schema).expect("JSON"))
}

fn translated(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let mut out = Map::new();
    for (keyword, value) in keywords {
        let value = match keyword.as_str() {
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                properties.map(|(name, schema)| (name.clone(), translated(schema))).collect()
            }
            "items" | "additionalProperties" | "not" => translated(value),
            "allOf" | "anyOf" | "oneOf" => {
                value.as_array().into_iter().flatten().map(translated).collect()
            }
            "x-kubernetes-int-or-string" => {
                out.insert("type".to_owned(), json!(["integer", "string"]));
                continue;
            }
            // The server's `duration` is Go's, that of JSON Schema is another one.
            "format" if value == "duration" => continue,
            _ => value.clone(),
        };
        out.insert(keyword.clone(), value);
    }
    if out.remove("nullable") == Some(Value::Bool(true)) {
        return json!({ "anyOf": [{ "type": "null" }, out] });
    }
    Value::Object(out)
}
