//! A structural schema.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::json::{Json, Number};

/// A structural schema, with its fields in the order of the Kubernetes API.
///
/// The features of `serde_json` that the author's build enables don't change how it is written.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::crd::CrdErrors> {
/// use crd_conv::{Resource, crd::{CrdOptions, Webhook}, schema::SchemaType};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = Resource::of::<Box>().crd(&options)?;
/// let v2 = &crd.spec.versions[0];
/// let spec = &v2.schema.open_api_v3_schema.properties["spec"];
/// assert_eq!(spec.properties["replicas"].ty, Some(SchemaType::Integer));
/// assert_eq!(spec.required, ["replicas"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the fields of the Kubernetes API, and what isn't written"
)]
pub struct Schema {
    /// A description of the value, from the doc comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON type. Only an int-or-string, and a value whose unknown fields are preserved, may
    /// have none.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<SchemaType>,
    /// A format that the API server knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// A short name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The value that the API server writes if the value is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Json>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number>,
    /// Whether `maximum` itself is excluded.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive_maximum: bool,
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number>,
    /// Whether `minimum` itself is excluded.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive_minimum: bool,
    /// The maximum length of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The minimum length of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// A regular expression in Go's RE2 syntax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The maximum length of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The minimum length of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// A number that the value must be a multiple of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<Number>,
    /// The only allowed values.
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Json>,
    /// The maximum number of properties of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_properties: Option<u64>,
    /// The minimum number of properties of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_properties: Option<u64>,
    /// The required properties, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// The schema of a list's items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Schema>>,
    /// Schemas that must all hold. This and the next three fields contain only what restricts a
    /// value: no type, no description, no default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_of: Vec<Schema>,
    /// Schemas of which exactly one must hold: the variants of an enum with a tag.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<Schema>,
    /// Schemas of which at least one must hold: the variants of an enum without a tag.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Schema>,
    /// A schema that must not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Schema>>,
    /// The fields of a struct.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Schema>,
    /// The schema of a map's values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Schema>>,
    /// Whether `null` is a value of its own.
    #[serde(skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// The `x-kubernetes-…` extensions.
    #[serde(flatten)]
    pub extensions: BTreeMap<String, Json>,
    /// Whether the Rust type takes no other fields than its own. The server prunes those, so this isn't written.
    #[serde(skip)]
    pub(crate) closed: bool,
}

/// The JSON types that a structural schema may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SchemaType {
    /// A list.
    Array,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A struct or a map.
    Object,
    /// A string. With the name `String`, rustc would write `std::string::String` in every author's
    /// messages.
    #[serde(rename = "string")]
    Text,
}

impl SchemaType {
    /// The name in a schema.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Object => "object",
            Self::Text => "string",
        }
    }
}

impl Schema {
    /// An object without any property yet.
    pub(crate) fn object() -> Self {
        Self { ty: Some(SchemaType::Object), ..Self::default() }
    }

    /// Whether an extension is there with the value `true`.
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.extensions.get(extension) == Some(&Json::Boolean(true))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}
