//! CEL rules.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::option;
use crate::model::ValidationRule;

/// ```text
/// &[__p::ValidationRule {
///     rule: "self.min <= self.max",
///     message: Some("…"),
///     message_expression: None,
///     reason: None,
///     field_path: Some(".min"),
///     optional_old_self: false,
/// }]
/// ```
pub(super) fn validations(rules: &[ValidationRule]) -> TokenStream {
    let rules = rules.iter().map(|written| {
        let ValidationRule { rule, optional_old_self, .. } = written;
        let message = option(written.message.as_ref());
        let message_expression = option(written.message_expression.as_ref());
        let reason = option(written.reason.as_ref());
        let field_path = option(written.field_path.as_ref());
        quote! {
            __p::ValidationRule {
                rule: #rule,
                message: #message,
                message_expression: #message_expression,
                reason: #reason,
                field_path: #field_path,
                optional_old_self: #optional_old_self,
            }
        }
    });
    quote!(&[#(#rules),*])
}
