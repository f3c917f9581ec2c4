//! CEL rules.

use super::{Schema, ValidationRule};
use crate::plan::{self, Declared, Flat};

/// Adds rules behind those that are there.
pub(crate) fn add(schema: &mut Schema, rules: &[plan::ValidationRule]) {
    schema.extensions.validations.extend(rules.iter().map(ValidationRule::from));
}

impl From<&plan::ValidationRule> for ValidationRule {
    fn from(rule: &plan::ValidationRule) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            rule: rule.rule.to_owned(),
            message: owned(rule.message),
            message_expression: owned(rule.message_expression),
            reason: owned(rule.reason),
            field_path: owned(rule.field_path),
            optional_old_self: rule.optional_old_self.then_some(true),
        }
    }
}

/// Adds the rules of a struct and of those that are flattened into it.
pub(super) fn add_of_struct(schema: &mut Schema, declared: Declared) {
    let Declared::Fields(of, fields) = declared else { return };
    add(schema, of.validations);
    for facts in fields.iter().filter(|facts| matches!(facts.field.flat, Flat::Fields(_))) {
        if let Some(inside) = facts.field.inside.get() {
            add_of_struct(schema, inside);
        }
    }
}
