//! Reads `validation(…)`, a CEL rule.

use syn::{Ident, LitStr, Token, parse::ParseStream, token};

use super::{Inside, Once, flag, items, parenthesized, text, unknown};
use crate::ctxt::Ctxt;

const HOW: &str = "write `validation(\"self.min <= self.max\", message = \"…\")`";

/// The content of `validation(…)`.
pub(crate) struct Validation {
    pub(crate) key: Ident,
    pub(crate) rule: LitStr,
    pub(crate) message: Once<LitStr>,
    pub(crate) message_expression: Once<LitStr>,
    pub(crate) reason: Once<LitStr>,
    pub(crate) field_path: Once<LitStr>,
    pub(crate) optional_old_self: Once<bool>,
}

/// Reads one rule.
pub(super) fn validation(
    cx: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<Validation> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    parenthesized(input, |content| {
        let rule = content.parse().map_err(|error| {
            syn::Error::new(error.span(), format!("the rule comes first: {HOW}"))
        })?;
        let mut read = Validation {
            key: key.clone(),
            rule,
            message: Once::default(),
            message_expression: Once::default(),
            reason: Once::default(),
            field_path: Once::default(),
            optional_old_self: Once::default(),
        };
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
        if content.peek(LitStr) {
            return Err(content.error(
                "a rule is one expression: write `message = \"…\"` for the error's text, and another `validation(…)` for another rule",
            ));
        }
        items(cx, content, |key, input| {
            match key.to_string().as_str() {
                "message" => read.message.set(cx, key, text(key, input)?),
                "message_expression" => read.message_expression.set(cx, key, text(key, input)?),
                "reason" => read.reason.set(cx, key, text(key, input)?),
                "field_path" => read.field_path.set(cx, key, text(key, input)?),
                "optional_old_self" => read.optional_old_self.set(cx, key, flag(key, input)?),
                _ => {
                    return Err(unknown(key, "`validation`", Inside::Validation.items()));
                }
            }
            Ok(())
        });
        Ok(read)
    })
}
