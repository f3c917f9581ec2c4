//! Checks CEL rules, as far as that is possible without the schema.

use syn::LitStr;

use crate::{
    attr::validation::Validation,
    ctxt::Ctxt,
    model::ValidationRule,
    name::{did_you_mean, listed},
};

const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Reports rules that the API server would refuse.
pub(super) fn validations(cx: &Ctxt, written: &[Validation]) -> Vec<ValidationRule> {
    written.iter().map(|written| validation(cx, written)).collect()
}

fn validation(cx: &Ctxt, written: &Validation) -> ValidationRule {
    let Validation { rule, message, message_expression, reason, field_path, .. } = written;
    let expression = rule.value();
    if is_blank(rule) {
        cx.error(rule, "the rule is empty: write a CEL expression, such as `self.min <= self.max`");
    } else if has_break(expression.trim()) && message.get().is_none() {
        cx.error(
            rule,
            "the API server requires a message for a rule of several lines: add `message = \"…\"`, or write the rule on one line",
        );
    }
    if let Some(message) = message.get() {
        if is_blank(message) {
            cx.error(
                message,
                "the message is empty: write one, or remove `message`, and the API server shows the rule",
            );
        } else if has_break(message.value().trim()) {
            cx.error(
                message,
                "the API server accepts only a message of one line: remove the line breaks",
            );
        }
    }
    if let Some(message) = message_expression.get().filter(|text| is_blank(text)) {
        cx.error(
            message,
            "the message expression is empty: write a CEL expression that returns the message, or remove `message_expression`",
        );
    }
    if let Some(reason) = reason.get().filter(|reason| !REASONS.contains(&&*reason.value())) {
        let name = reason.value();
        let near = did_you_mean(&name, REASONS);
        let rest =
            if near.is_empty() { format!("; write one of {}", listed(REASONS)) } else { near };
        cx.error(reason, format!("the API server doesn't know the reason `{name}`{rest}"));
    }
    if let Some(path) = field_path.get()
        && !is_path(&path.value())
    {
        cx.error(
            path,
            format!(
                "`{}` isn't a path from the value to a field in it: write `.field`, `.struct.field`, or `['a-field']` for a name with \
                 other characters",
                path.value().escape_debug()
            ),
        );
    }
    let optional = written.optional_old_self.get().copied().unwrap_or_default();
    if optional && !expression.contains("oldSelf") {
        cx.error(
            written.optional_old_self.key(),
            "the rule doesn't use `oldSelf`, so the API server always checks it: remove `optional_old_self`",
        );
    }
    let text = |text: Option<&LitStr>| text.map(LitStr::value);
    ValidationRule {
        rule: expression,
        message: text(message.get()),
        message_expression: text(message_expression.get()),
        reason: text(reason.get()),
        field_path: text(field_path.get()),
        optional_old_self: optional,
    }
}

fn is_blank(text: &LitStr) -> bool {
    text.value().trim().is_empty()
}

fn has_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Whether a path consists of names, each after a dot or quoted in brackets. The schema decides
/// later whether the path exists.
fn is_path(path: &str) -> bool {
    let mut rest = path;
    while !rest.is_empty() {
        let quoted = rest.strip_prefix("['").and_then(|rest| rest.split_once("']"));
        rest = if let Some((name, rest)) = quoted {
            if name.is_empty() {
                return false;
            }
            rest
        } else if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, rest) = name.split_at(end);
            if name.is_empty() || name.contains([']', '\'', '*', ' ', '\n', '\r', '\t']) {
                return false;
            }
            rest
        } else {
            return false;
        };
    }
    !path.is_empty() && !has_break(path)
}
