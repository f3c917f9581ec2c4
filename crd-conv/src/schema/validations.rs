//! CEL rules.

use super::{Schema, extensions::VALIDATIONS};
use crate::json::Json;
use crate::plan::{Declared, Flat, ValidationRule};

/// Adds rules behind those that are there.
pub(crate) fn add(schema: &mut Schema, rules: &[ValidationRule]) {
    if rules.is_empty() {
        return;
    }
    let all = schema.extensions.entry(VALIDATIONS.to_owned());
    // What else may stand there is refused with the document.
    if let Json::Array(all) = all.or_insert_with(|| Json::Array(Vec::new())) {
        all.extend(rules.iter().map(written));
    }
}

/// Adds the rules of another schema of the same place, which stay behind.
pub(super) fn join(schema: &mut Schema, other: &mut Schema) {
    let Some(more) = other.extensions.remove(VALIDATIONS) else { return };
    match (schema.extensions.get_mut(VALIDATIONS), more) {
        (Some(Json::Array(rules)), Json::Array(more)) => rules.extend(more),
        (_, more) => {
            schema.extensions.insert(VALIDATIONS.to_owned(), more);
        }
    }
}

fn written(rule: &ValidationRule) -> Json {
    let texts = [
        ("rule", Some(rule.rule)),
        ("message", rule.message),
        ("messageExpression", rule.message_expression),
        ("reason", rule.reason),
        ("fieldPath", rule.field_path),
    ];
    let text = |(name, text): (&str, Option<&str>)| {
        text.map(|text| (name.to_owned(), Json::Text(text.to_owned())))
    };
    let flag = rule.optional_old_self.then(|| ("optionalOldSelf".to_owned(), true.into()));
    Json::Object(texts.into_iter().filter_map(text).chain(flag).collect())
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

/// How many rules there are.
pub(crate) fn count(schema: &Schema) -> usize {
    schema.extensions.get(VALIDATIONS).map_or(0, |rules| match rules {
        Json::Array(rules) => rules.len(),
        _ => 0,
    })
}
