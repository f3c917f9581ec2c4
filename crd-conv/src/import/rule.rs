//! A CEL rule as an attribute.

use super::text::string;
use crate::apiserver::schema::ValidationRule;

/// A rule as an attribute, unless the API server refuses it.
pub(super) fn validation(rule: &ValidationRule) -> Result<String, &'static str> {
    const REASONS: [&str; 4] =
        ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
    let has_break = |text: &str| text.trim().contains(['\n', '\r']);
    let is_blank = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
    if rule.rule.trim().is_empty() {
        return Err("it is empty");
    }
    if has_break(&rule.rule) && rule.message.is_none() {
        return Err("a rule of several lines needs a message");
    }
    if is_blank(&rule.message) || is_blank(&rule.message_expression) {
        return Err("its message is empty");
    }
    if rule.message.as_ref().is_some_and(|message| has_break(message)) {
        return Err("its message has several lines");
    }
    if rule.reason.as_ref().is_some_and(|reason| !REASONS.contains(&&**reason)) {
        return Err("the API server doesn't know the reason");
    }
    let mut text = format!("validation({}", string(&rule.rule));
    for (name, value) in [
        ("message", &rule.message),
        ("message_expression", &rule.message_expression),
        ("reason", &rule.reason),
        ("field_path", &rule.field_path),
    ] {
        if let Some(value) = value {
            text += &format!(", {name} = {}", string(value));
        }
    }
    if rule.optional_old_self == Some(true) && rule.rule.contains("oldSelf") {
        text += ", optional_old_self";
    }
    Ok(text + ")")
}
