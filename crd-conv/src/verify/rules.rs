//! `x-kubernetes-validations`: where rules are allowed, and their parts. What an expression means is checked in `costs`.

use super::{around::Around, cel};
use crate::apiserver::{
    finding::Kind,
    place::Place,
    schema::{Schema, SchemaType, VALIDATIONS, ValidationRule, follow},
};

const REASONS: &[&str] =
    &["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Whether expressions have a type for a schema.
///
/// Source: `CELSchemaContext` of `pkg/apis/apiextensions/validation/cel_validation.go`.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// There is no rule here or above, or this is a place without rules.
    Outside,
    /// There is a rule here or above.
    Inside(Typed),
}

/// What the server knows about a schema's type in expressions.
#[derive(Clone, Copy)]
pub(super) enum Typed {
    Known,
    /// An int-or-string may be anything, whatever its `type`.
    Anything,
    /// The server assumes that the items of an int-or-string have a type, and fails when it needs it.
    Lost,
    No,
}

impl Scope {
    pub(super) fn root(schema: &Schema) -> Self {
        Self::Outside.property(schema)
    }

    /// Goes to a property.
    pub(super) fn property(self, schema: &Schema) -> Self {
        match self {
            Self::Outside if schema.extensions.validations.is_empty() => Self::Outside,
            Self::Inside(Typed::No | Typed::Lost) => self,
            _ if schema.extensions.int_or_string => Self::Inside(Typed::Anything),
            _ if has_type(schema) => Self::Inside(Typed::Known),
            _ => Self::Inside(Typed::No),
        }
    }

    /// Goes to an item of a list, or a value of a map.
    pub(super) fn element(self, schema: &Schema) -> Self {
        match self {
            Self::Inside(Typed::Anything) => Self::Inside(Typed::Lost),
            _ => self.property(schema),
        }
    }
}

/// Whether a schema has a type in expressions.
///
/// Source: `SchemaDeclType` of `k8s.io/apiserver/pkg/cel/common/schemas.go`.
fn has_type(schema: &Schema) -> bool {
    if schema.extensions.int_or_string {
        return true;
    }
    match schema.ty {
        None => false,
        Some(SchemaType::Array) => schema.items.as_deref().is_some_and(has_type),
        Some(SchemaType::Object) => schema.additional_properties.as_deref().is_none_or(has_type),
        Some(_) => true,
    }
}

pub(super) fn check(
    schema: &Schema,
    around: &Around,
    scope: Scope,
    sound: bool,
    place: &mut Place,
) {
    if schema.extensions.validations.is_empty() {
        return;
    }
    let untyped = match scope {
        Scope::Inside(Typed::No) => Some(
            "CEL expressions have no type for this value; write its type, or move the rules to the schema around it",
        ),
        Scope::Inside(Typed::Lost) => Some(
            "this is inside an int-or-string, where the API server fails on rules; remove `x-kubernetes-int-or-string` there",
        ),
        _ => None,
    };
    if let Some(untyped) = untyped.filter(|_| sound) {
        place.refuse_at(VALIDATIONS, Kind::Invalid, untyped);
    }
    for (i, rule) in schema.extensions.validations.iter().enumerate() {
        place.item(VALIDATIONS, i, |place| {
            texts(rule, place);
            field_path(rule, schema, place);
            expressions(rule, around, place);
        });
    }
}

fn texts(rule: &ValidationRule, place: &mut Place) {
    let message = rule.message.as_deref().unwrap_or_default().trim();
    let breaks = |text: &str| text.contains(['\n', '\r']);
    if rule.rule.trim().is_empty() {
        place.refuse_at("rule", Kind::Required, "write the expression that must hold");
    } else if rule.message.is_some() && message.is_empty() {
        place.refuse_at("message", Kind::Invalid, "it is blank; write the message, or remove it");
    } else if breaks(message) {
        place.refuse_at("message", Kind::Invalid, "it has a line break; write it on one line");
    } else if breaks(rule.rule.trim()) && message.is_empty() {
        place.refuse_at(
            "message",
            Kind::Required,
            "a rule with several lines needs a message; write one",
        );
    }
    if rule.message_expression.as_ref().is_some_and(|text| text.trim().is_empty()) {
        place.refuse_at(
            "messageExpression",
            Kind::Required,
            "it is blank; write the expression, or remove it",
        );
    }
    if let Some(reason) = rule.reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
        place.refuse_at(
            "reason",
            Kind::NotSupported,
            format!("`{reason}` is unknown; write one of {}", REASONS.join(", ")),
        );
    }
}

fn field_path(rule: &ValidationRule, schema: &Schema, place: &mut Place) {
    let Some(path) = &rule.field_path else { return };
    if path.contains(['\n', '\r']) {
        place.refuse_at("fieldPath", Kind::Invalid, "it has a line break; write it on one line");
    } else if let Err(problem) = follow(path, schema, true) {
        place.refuse_at(
            "fieldPath",
            Kind::Invalid,
            format!("`{path}` {problem}; write the path from this value to a field below it, such as `.size`"),
        );
    }
}

fn expressions(rule: &ValidationRule, around: &Around, place: &mut Place) {
    if rule.rule.trim().is_empty() {
        return;
    }
    let uses_old_self = match cel::parse(&rule.rule) {
        Ok(Some(expression)) => {
            #[cfg(not(feature = "cel"))]
            place.pass_over("the types, functions and estimated cost of the expression");
            Some(expression.uses_old_self)
        }
        Ok(None) => {
            place.pass_over(too_deep("rule"));
            None
        }
        Err(problem) => {
            place.refuse_at("rule", Kind::Invalid, format!("it isn't a CEL expression: {problem}"));
            Some(false)
        }
    };
    if uses_old_self == Some(true) && around.uncorrelated {
        place.refuse_at(
            "rule",
            Kind::Invalid,
            "`oldSelf` is unknown in the items of a list that isn't of type `map`; write `x-kubernetes-list-type: map` with keys on the list, or move the rule up to the list",
        );
    }
    if uses_old_self == Some(false) && rule.optional_old_self.is_some() {
        place.refuse_at(
            "optionalOldSelf",
            Kind::Invalid,
            "the rule doesn't use `oldSelf`; remove it",
        );
    }
    let Some(expression) = &rule.message_expression else { return };
    if expression.trim().is_empty() {
        return;
    }
    match cel::parse(expression) {
        Ok(Some(_)) => {}
        Ok(None) => place.pass_over(too_deep("messageExpression")),
        Err(problem) => place.refuse_at(
            "messageExpression",
            Kind::Invalid,
            format!("it isn't a CEL expression: {problem}"),
        ),
    }
}

fn too_deep(name: &str) -> String {
    format!("`{name}`, which is nested more than {} levels deep", cel::MAX_DEPTH)
}
