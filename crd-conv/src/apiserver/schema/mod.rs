//! The schema of a value, as a CustomResourceDefinition has it.

mod extensions;
mod follow;
mod read;
mod typed;

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Serialize;

use crate::json::{Json, Number};
use extensions::is_false;

pub(crate) use extensions::{
    EMBEDDED, INT_OR_STRING, LIST_TYPE, MAP_KEYS, MAP_TYPE, PRESERVE, VALIDATIONS,
};
pub use extensions::{Extensions, ValidationRule};
pub(crate) use follow::follow;

/// A structural schema, with its fields in the order of the Kubernetes API.
///
/// Keywords that a structural schema can't have aren't written.
///
/// The features of `serde_json` that the author's build enables don't change how it is written.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::crd::CrdErrors> {
/// use crd_conv::{ResourceType, crd::{CrdOptions, Webhook}, schema::SchemaType};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = ResourceType::of::<Box>().crd(&options)?;
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
    pub max_length: Option<i64>,
    /// The minimum length of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<i64>,
    /// A regular expression in Go's RE2 syntax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The maximum length of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<i64>,
    /// The minimum length of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<i64>,
    /// A number that the value must be a multiple of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<Number>,
    /// The only allowed values.
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Json>,
    /// The maximum number of properties of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_properties: Option<i64>,
    /// The minimum number of properties of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_properties: Option<i64>,
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
    pub extensions: Extensions,
    /// Keywords that no structural schema has.
    #[serde(skip)]
    pub(crate) others: Option<Box<Others>>,
    #[serde(skip)]
    pub(crate) hollow: Hollow,
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
    pub(crate) const ALL: [Self; 6] =
        [Self::Array, Self::Boolean, Self::Integer, Self::Number, Self::Object, Self::Text];

    /// The type with a name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

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

/// Keywords that the API server reads, although it refuses or ignores them in a CustomResourceDefinition.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Others {
    pub(crate) id: String,
    pub(crate) schema: String,
    pub(crate) reference: Option<String>,
    /// A type that isn't one of JSON's.
    pub(crate) ty: Option<String>,
    pub(crate) unique_items: bool,
    /// `items`, unless it is one schema.
    pub(crate) items: Option<Vec<Schema>>,
    /// `additionalProperties`, if it is `true` or `false`.
    pub(crate) additional_properties: Option<bool>,
    pub(crate) additional_items: Option<(Option<Box<Schema>>, Option<bool>)>,
    pub(crate) pattern_properties: BTreeMap<String, Schema>,
    pub(crate) dependencies: Option<BTreeMap<String, Option<Schema>>>,
    pub(crate) definitions: BTreeMap<String, Schema>,
    pub(crate) external_docs: Option<Json>,
    pub(crate) example: Option<Json>,
}

/// Members that are written and empty. Go sees them in some comparisons; two schemas are the same with and without them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hollow {
    pub(crate) lists: bool,
    pub(crate) properties: bool,
}

impl PartialEq for Hollow {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What an object may have in addition to its properties.
#[derive(Clone, Copy)]
pub(crate) enum Additional<'s> {
    Undeclared,
    /// `true` or `false`.
    Allowed(bool),
    Schema(&'s Schema),
}

impl Schema {
    /// An object without any property yet.
    pub(crate) fn object() -> Self {
        Self { ty: Some(SchemaType::Object), ..Self::default() }
    }

    /// What accepts anything but null, and keeps it.
    pub(crate) fn anything() -> Self {
        let mut anything = Self::default();
        anything.extensions.preserve_unknown_fields = Some(true);
        anything
    }

    /// The name of the type; empty if there is none.
    pub(crate) fn type_name(&self) -> &str {
        let other = || self.others().ty.as_deref();
        self.ty.map(SchemaType::name).or_else(other).unwrap_or_default()
    }

    pub(crate) fn others(&self) -> &Others {
        static NOTHING: LazyLock<Others> = LazyLock::new(Others::default);
        self.others.as_deref().unwrap_or(&NOTHING)
    }

    /// Removes keywords that no structural schema has.
    pub(crate) fn without(&mut self, remove: impl FnOnce(&mut Others)) {
        self.others.take_if(|others| {
            remove(others);
            **others == Others::default()
        });
    }

    /// Whether schemas are exactly `[{type: integer}, {type: string}]`, which `x-kubernetes-int-or-string` implies.
    pub(crate) fn are_int_or_string(schemas: &[Self]) -> bool {
        let is_only = |schema: &Self, ty: SchemaType| {
            let mut rest = schema.clone();
            // Go drops both in a junctor.
            rest.without(|others| {
                others.additional_properties.take_if(|allows| !*allows);
                others.items.take_if(|items| items.is_empty());
            });
            let hollow = schema.hollow.lists || schema.hollow.properties;
            !hollow && rest == Self { ty: Some(ty), ..Self::default() }
        };
        matches!(schemas, [integer, text] if is_only(integer, SchemaType::Integer) && is_only(text, SchemaType::Text))
    }

    /// A default of null is none.
    pub(crate) fn default_value(&self) -> Option<&Json> {
        self.default.as_ref().filter(|default| **default != Json::Null)
    }

    pub(crate) fn preserves(&self) -> bool {
        self.extensions.preserve_unknown_fields == Some(true)
    }

    pub(crate) fn additional(&self) -> Additional<'_> {
        match (&self.additional_properties, self.others().additional_properties) {
            (Some(schema), _) => Additional::Schema(schema),
            (None, Some(allows)) => Additional::Allowed(allows),
            (None, None) => Additional::Undeclared,
        }
    }

    /// The schema of a member; the inner `None` is anything. The outer one is a member that isn't declared.
    #[expect(
        clippy::option_option,
        reason = "`additionalProperties: true` declares without a schema"
    )]
    pub(crate) fn member(&self, name: &str) -> Option<Option<&Self>> {
        match (self.properties.get(name), self.additional()) {
            (Some(property), _) => Some(Some(property)),
            (None, Additional::Schema(schema)) => Some(Some(schema)),
            (None, Additional::Allowed(_)) => Some(None),
            (None, Additional::Undeclared) => None,
        }
    }

    /// The schema of a member, if it has one.
    pub(crate) fn declared(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).or(self.additional_properties.as_deref())
    }
}
