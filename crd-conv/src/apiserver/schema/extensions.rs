//! The keywords of Kubernetes beside OpenAPI's own.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    apiserver::{place::Place, read::Object, report::VerificationReport},
    json::Json,
};

pub(crate) use crate::outline::keywords::{INT_OR_STRING, PRESERVE, VALIDATIONS};

pub(crate) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
pub(crate) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(crate) const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
pub(crate) const MAP_TYPE: &str = "x-kubernetes-map-type";

/// The `x-kubernetes-…` keywords of a schema.
///
/// ```
/// use crd_conv::schema::Schema;
///
/// let mut schema = Schema::default();
/// schema.extensions.list_type = Some("set".to_owned());
/// assert_eq!(serde_json::to_string(&schema).unwrap(), r#"{"x-kubernetes-list-type":"set"}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Extensions {
    /// Whether the object is a resource with `apiVersion`, `kind` and `metadata`.
    #[serde(rename = "x-kubernetes-embedded-resource", skip_serializing_if = "is_false")]
    pub embedded_resource: bool,
    /// Whether the value is an integer or a string.
    #[serde(rename = "x-kubernetes-int-or-string", skip_serializing_if = "is_false")]
    pub int_or_string: bool,
    /// The properties that identify an item of a list of type `map`.
    #[serde(rename = "x-kubernetes-list-map-keys", skip_serializing_if = "Vec::is_empty")]
    pub list_map_keys: Vec<String>,
    /// `atomic`, `map` or `set`.
    #[serde(rename = "x-kubernetes-list-type", skip_serializing_if = "Option::is_none")]
    pub list_type: Option<String>,
    /// `atomic` or `granular`.
    #[serde(rename = "x-kubernetes-map-type", skip_serializing_if = "Option::is_none")]
    pub map_type: Option<String>,
    /// Whether undeclared fields are kept. The API server refuses `false`.
    #[serde(
        rename = "x-kubernetes-preserve-unknown-fields",
        skip_serializing_if = "Option::is_none"
    )]
    pub preserve_unknown_fields: Option<bool>,
    /// CEL rules.
    #[serde(rename = "x-kubernetes-validations", skip_serializing_if = "Vec::is_empty")]
    pub validations: Vec<ValidationRule>,
    /// Keywords of this form that the API server doesn't know and drops.
    #[serde(flatten)]
    pub others: BTreeMap<String, Json>,
}

/// One of the rules in `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ValidationRule {
    /// The path of the field that the API server names when the rule is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_path: Option<String>,
    /// What the API server says when the rule is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// An expression that makes the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_expression: Option<String>,
    /// Whether the rule also applies to new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional_old_self: Option<bool>,
    /// The machine-readable reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The expression in CEL.
    pub rule: String,
}

impl Extensions {
    pub(super) fn read(o: &mut Object<'_>, place: &mut Place) -> Self {
        Self {
            preserve_unknown_fields: o.optional_flag(PRESERVE, place),
            embedded_resource: o.flag(EMBEDDED, place),
            int_or_string: o.flag(INT_OR_STRING, place),
            list_map_keys: o.texts(MAP_KEYS, place),
            list_type: o.optional_text(LIST_TYPE, place),
            map_type: o.optional_text(MAP_TYPE, place),
            validations: o.list(VALIDATIONS, place, ValidationRule::read),
            others: BTreeMap::new(),
        }
    }

    /// Reads keywords of a type, and keeps those that the API server doesn't know. Returns what it would refuse or drop in the others.
    pub(crate) fn of_type(keywords: BTreeMap<String, Json>) -> (Self, VerificationReport) {
        const KNOWN: [&str; 7] =
            [EMBEDDED, INT_OR_STRING, LIST_TYPE, MAP_KEYS, MAP_TYPE, PRESERVE, VALIDATIONS];
        let is_known = |name: &String| KNOWN.contains(&name.as_str());
        let (known, others) = keywords.into_iter().partition(|(name, _)| is_known(name));
        let mut place = Place::default();
        let read = Self::read(&mut Object::new(&Json::Object(known), &mut place), &mut place);
        (Self { others, ..read }, place.report)
    }

    /// Adds the keywords of another schema of the same value. Where both have one, the other's counts.
    pub(crate) fn add(&mut self, other: Self) {
        self.embedded_resource |= other.embedded_resource;
        self.int_or_string |= other.int_or_string;
        if !other.list_map_keys.is_empty() {
            self.list_map_keys = other.list_map_keys;
        }
        self.list_type = other.list_type.or(self.list_type.take());
        self.map_type = other.map_type.or(self.map_type.take());
        self.preserve_unknown_fields =
            other.preserve_unknown_fields.or(self.preserve_unknown_fields);
        if !other.validations.is_empty() {
            self.validations = other.validations;
        }
        self.others.extend(other.others);
    }
}

impl ValidationRule {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut object = Object::new(json, place);
        let o = &mut object;
        let rule = Self {
            rule: o.text("rule", place),
            message: o.some_text("message", place),
            message_expression: o.some_text("messageExpression", place),
            reason: o.optional_text("reason", place),
            field_path: o.some_text("fieldPath", place),
            optional_old_self: o.optional_flag("optionalOldSelf", place),
        };
        object.finish(place);
        rule
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}
