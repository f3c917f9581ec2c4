//! CEL rules.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::one;
use crate::model::ValidationRule;

/// ```text
/// const { &[__p::ValidationRule::new("self.min <= self.max").message("…").field_path(".min")] }
/// ```
pub(super) fn validations(written: &[ValidationRule]) -> TokenStream {
    let rules = written.iter().map(|written| {
        let ValidationRule { rule, .. } = written;
        let more = [
            one("message", written.message.as_ref()),
            one("message_expression", written.message_expression.as_ref()),
            one("reason", written.reason.as_ref()),
            one("field_path", written.field_path.as_ref()),
            one("optional_old_self", written.optional_old_self.then_some(true)),
        ];
        quote!(__p::ValidationRule::new(#rule) #(#more)*)
    });
    if written.is_empty() {
        return quote!(&[]);
    }
    // Constructors are evaluated at compile time only in a constant.
    quote!(const { &[#(#rules),*] })
}
