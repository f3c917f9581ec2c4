//! The keywords of a JSON Schema that `schemars` made.

use schemars::{Schema as JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::plan::ForeignType;

/// Whether the server keeps fields that the schema doesn't declare.
pub(crate) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
pub(crate) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The CEL rules of a schema.
pub(crate) const VALIDATIONS: &str = "x-kubernetes-validations";

/// How often a type may be written out inside itself. It is read like one of the server's extensions, and not written.
pub(crate) const DEPTH: &str = "x-crd-conv-recursion-depth";

/// Keywords that don't restrict values.
pub(crate) const ANNOTATIONS: &[&str] =
    &["$comment", "$defs", "$id", "$schema", "deprecated", "examples", "readOnly", "writeOnly"];

pub(crate) const JUNCTORS: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Whether there is more than one schema to read.
pub(crate) fn is_compound(keywords: &Map<String, Value>) -> bool {
    JUNCTORS.iter().any(|junctor| keywords.contains_key(*junctor)) || types(keywords).len() > 1
}

/// Keywords that apply only to values of one type.
pub(crate) const BOUNDS: [&str; 8] = [
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "multipleOf",
    "maxLength",
    "minLength",
    "pattern",
];

/// What `schemars` says about a type.
pub(crate) struct Described {
    /// The types that it refers to, in `$defs`.
    pub(crate) document: JsonSchema,
    /// The type's own schema.
    pub(crate) root: JsonSchema,
    /// The type's name in `$defs`, if it contains itself.
    pub(crate) itself: Option<String>,
}

impl Described {
    /// With references instead of inlined schemas, a message can name the Rust type, and a type that contains itself is
    /// noticed.
    pub(crate) fn of(ty: ForeignType) -> Self {
        let mut generator =
            SchemaSettings::draft2020_12().with(|s| s.meta_schema = None).into_generator();
        let root = ty(&mut generator);
        let definitions = generator.take_definitions(false);
        let itself = definitions.iter().find(|(_, definition)| *definition == root.as_value());
        let itself = itself.map(|(name, _)| name.clone());
        let mut document = JsonSchema::default();
        document.insert("$defs".to_owned(), Value::Object(definitions));
        Self { document, root, itself }
    }
}

/// The types except `null`, if several are named.
pub(crate) fn types(keywords: &Map<String, Value>) -> Vec<&str> {
    let Some(Value::Array(types)) = keywords.get("type") else { return Vec::new() };
    types.iter().filter_map(Value::as_str).filter(|ty| *ty != "null").collect()
}

/// The format of an `f32`.
pub(crate) const FLOAT: &str = "float";

/// The `f64` with the digits of an `f32`, if a number is exactly an `f32`.
pub(crate) fn settled_f32(float: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "compared with the number itself")]
    let narrow = float as f32;
    let is_f32 = f64::from(narrow).to_bits() == float.to_bits();
    is_f32.then(|| narrow.to_string().parse().ok()).flatten().unwrap_or(float)
}

/// Whether a schema lists the names of an enum, and says nothing else.
pub(crate) fn is_names(keywords: &Map<String, Value>) -> bool {
    let known = ["type", "const", "enum", "description", "title", "deprecated"];
    keywords.get("type").is_some_and(|ty| ty == "string")
        && keywords.keys().all(|keyword| known.contains(&keyword.as_str()))
        && (keywords.contains_key("const") || keywords.get("enum").is_some_and(Value::is_array))
}

pub(crate) fn says_no_form(keyword: &str) -> bool {
    matches!(keyword, "description" | "title") || keyword.starts_with("x-kubernetes-")
}

/// Adds keywords; existing ones stay as they are.
pub(crate) fn combine(keywords: &mut Map<String, Value>, more: Map<String, Value>) {
    for (keyword, value) in more {
        match (keywords.get_mut(&keyword), value) {
            (None, value) => {
                keywords.insert(keyword, value);
            }
            (Some(Value::Object(known)), Value::Object(more)) if keyword == "properties" => {
                for (name, property) in more {
                    known.entry(name).or_insert(property);
                }
            }
            // The rules of a type come before those of its place.
            (Some(Value::Array(known)), Value::Array(more)) if keyword == VALIDATIONS => {
                let more = more.into_iter().filter(|one| !known.contains(one));
                known.splice(0..0, more.collect::<Vec<_>>());
            }
            (Some(Value::Array(known)), Value::Array(more))
                if keyword == "required" || keyword == "allOf" =>
            {
                known.extend(
                    more.into_iter().filter(|one| !known.contains(one)).collect::<Vec<_>>(),
                );
            }
            (Some(known), value)
                if (keyword == "oneOf" || keyword == "anyOf") && *known != value =>
            {
                let part = Value::Object(Map::from_iter([(keyword, value)]));
                let all = keywords.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
                all.as_array_mut().into_iter().for_each(|all| all.push(part.clone()));
            }
            _ => {}
        }
    }
}

/// A schema for values that fit one of several schemas. A structural schema can't give each item of a tuple its own type.
pub(crate) fn any_of(all: Vec<Value>) -> Value {
    let mut distinct: Vec<Value> = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    if distinct.len() == 1 {
        return distinct.remove(0);
    }
    Value::Object(Map::from_iter([("anyOf".to_owned(), Value::Array(distinct))]))
}

/// The junctor and the other branch, if the schema is that of an `Option` that isn't said by `type`.
pub(super) fn without_null(
    keywords: &Map<String, Value>,
) -> Option<(&'static str, Map<String, Value>)> {
    let is_null = |branch: &Value| branch.get("type").is_some_and(|ty| ty == "null");
    ["anyOf", "oneOf"].into_iter().find_map(|junctor| match &keywords.get(junctor)?.as_array()?[..]
    {
        [Value::Object(other), null] | [null, Value::Object(other)] if is_null(null) => {
            Some((junctor, other.clone()))
        }
        _ => None,
    })
}
