//! Reads the restrictions that [`take_conditions`] finds.

use serde_json::{Map, Value};

use super::{
    Schema,
    plain::{take_bounds, take_string},
};
use crate::json::Json;
#[cfg(doc)]
use crate::outline::conditions::take_conditions;

/// Reads them exactly as they are written: the API server gets what the author wrote for it.
pub(super) fn conditions(mut from: Map<String, Value>) -> Schema {
    let mut schema = Schema { format: take_string(&mut from, "format"), ..Schema::default() };
    take_bounds(&mut from, &mut schema);
    for (keyword, value) in from {
        match (keyword.as_str(), value) {
            ("enum", Value::Array(values)) => {
                schema.values = values.iter().map(Json::from).collect();
            }
            ("required", Value::Array(names)) => {
                schema.required =
                    names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            }
            ("properties", Value::Object(all)) => {
                schema.properties =
                    all.into_iter().map(|(name, value)| (name, restriction(value))).collect();
            }
            ("oneOf", Value::Array(all)) => schema.one_of = restrictions(all),
            ("anyOf", Value::Array(all)) => schema.any_of = restrictions(all),
            ("allOf", Value::Array(all)) => schema.all_of = restrictions(all),
            ("not", value) => schema.not = Some(Box::new(restriction(value))),
            ("items", value) => schema.items = Some(Box::new(restriction(value))),
            _ => {}
        }
    }
    schema
}

fn restrictions(all: Vec<Value>) -> Vec<Schema> {
    all.into_iter().map(restriction).collect()
}

fn restriction(value: Value) -> Schema {
    match value {
        Value::Object(keywords) => conditions(keywords),
        _ => Schema::default(),
    }
}

#[cfg(test)]
#[allow(dead_code, reason = "the types are there for their schemas")]
mod tests {
    use schemars::JsonSchema;
    use serde_json::{Value, json};

    use crate::schema::tests::schema_of;

    #[derive(JsonSchema)]
    #[schemars(extend("oneOf" = [{"required": ["a"]}, {"required": ["b"]}], "not" = {"required": ["a", "b"]}))]
    struct Either {
        a: Option<i64>,
        b: Option<bool>,
    }

    #[derive(JsonSchema)]
    #[schemars(rename_all = "lowercase")]
    enum Data {
        Text(String),
        Number(i64),
    }

    fn field(schema: &Value, name: &str) -> Value {
        schema["properties"][name].clone()
    }

    /// The conditions of a type, of a field that refers to it, and of fields of other types.
    #[test]
    fn restrictions_next_to_a_type_are_conditions() {
        #[derive(JsonSchema)]
        struct Holder {
            plain: Either,
            #[schemars(extend("allOf" = [{"properties": {"a": {"minimum": 1, "not": {"enum": [7]}}}}]))]
            more: Either,
            #[schemars(extend("oneOf" = [{"required": ["b"]}]))]
            maybe: Option<Either>,
            #[schemars(extend("allOf" = [{"maxLength": 9}, {"maxLength": 5}], "not" = {"pattern": "^a"}))]
            text: Option<String>,
            #[schemars(extend("anyOf" = [{"items": {"maximum": 3}}, {"maxItems": 0}]))]
            list: Vec<i64>,
            #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true, "anyOf" = [{"minimum": 0}, {"format": "cidr"}]))]
            any: Value,
        }
        let (schema, errors) = schema_of::<Holder>();
        assert_eq!(errors, []);
        let schema = serde_json::to_value(&schema).unwrap();
        let one_of = json!([{"required": ["a"]}, {"required": ["b"]}]);
        let not = json!({"required": ["a", "b"]});
        for name in ["plain", "more"] {
            assert_eq!(field(&schema, name)["oneOf"], one_of, "{name}: {schema}");
            assert_eq!(field(&schema, name)["not"], not, "{name}: {schema}");
        }
        let bounds = json!({"properties": {"a": {"minimum": 1, "not": {"enum": [7]}}}});
        assert_eq!(field(&schema, "more")["allOf"], json!([bounds]));
        // Those of the field and those of its type.
        let maybe = field(&schema, "maybe");
        assert_eq!(maybe["oneOf"], json!([{"required": ["b"]}]));
        assert_eq!(maybe["allOf"], json!([{"oneOf": one_of}]));
        assert_eq!((&maybe["not"], &maybe["nullable"]), (&not, &json!(true)));
        assert_eq!(
            field(&schema, "text"),
            json!({"type": "string", "nullable": true, "allOf": [{"maxLength": 9}, {"maxLength": 5}],
                "not": {"pattern": "^a"}})
        );
        let any_of = json!([{"items": {"maximum": 3}}, {"maxItems": 0}]);
        assert_eq!(field(&schema, "list")["anyOf"], any_of);
        assert_eq!(field(&schema, "any")["anyOf"], json!([{"minimum": 0}, {"format": "cidr"}]));
    }

    /// A branch with a type makes the junctor a part of the type.
    #[test]
    fn alternatives_of_a_type_are_none() {
        #[derive(JsonSchema)]
        struct Both {
            #[schemars(flatten)]
            data: Data,
            #[schemars(extend("not" = {"const": 0}))]
            count: i64,
        }
        #[derive(JsonSchema)]
        struct Mixed {
            #[schemars(extend("oneOf" = [{"required": ["a"]}, {"type": "object"}]))]
            a: Either,
        }
        let (schema, errors) = schema_of::<Both>();
        assert_eq!(errors, []);
        assert_eq!(
            serde_json::to_value(&schema).unwrap(),
            json!({"type": "object", "required": ["count"], "properties": {
                "count": {"type": "integer", "format": "int64", "not": {"enum": [0]}},
                "number": {"type": "integer", "format": "int64"}, "text": {"type": "string"}},
                "oneOf": [{"required": ["text"]}, {"required": ["number"]}]})
        );
        assert_ne!(schema_of::<Mixed>().1, []);
    }

    /// Also next to the alternatives of a type.
    #[test]
    fn an_enum_can_have_conditions_of_its_own() {
        #[derive(JsonSchema)]
        #[schemars(rename_all = "lowercase", extend("type" = "object", "not" = {"required": ["other"]}))]
        enum Restricted {
            Text(String),
            Number(i64),
        }
        let (schema, errors) = schema_of::<Restricted>();
        assert_eq!(errors, []);
        let (plain, _) = schema_of::<Data>();
        assert_eq!(schema.one_of, plain.one_of);
        let all_of = serde_json::to_value(&schema.all_of).unwrap();
        assert_eq!(all_of, json!([{"not": {"required": ["other"]}}]));
    }

    #[test]
    fn a_format_is_written_as_it_is_said() {
        #[derive(JsonSchema)]
        struct Formats {
            #[schemars(extend("format" = "byte"))]
            none_or_bytes: String,
            #[schemars(extend("x-crd-conv-format" = "byte"))]
            bytes: Option<String>,
        }
        let (schema, errors) = schema_of::<Formats>();
        assert_eq!(errors, []);
        let schema = serde_json::to_value(&schema).unwrap();
        assert_eq!(
            schema["properties"],
            json!({"none_or_bytes": {"type": "string", "anyOf": [{"format": "byte"}, {"maxLength": 0}]},
                "bytes": {"type": "string", "format": "byte", "nullable": true}})
        );
    }
}
