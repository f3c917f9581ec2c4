//! Turns the checked model into tokens.

mod codec;
mod converted;
mod declared;
mod editor;
mod moved;
mod places;
pub(crate) mod resource;
pub(crate) mod structure;
mod tokens;
mod upgrade;
mod validation;
pub(crate) mod values;

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Container;

/// ```text
/// const _: () = {
///     use ::crd_conv::__private as __p;
///     …
/// };
/// ```
pub(crate) fn wrap(container: &Container<'_>, body: &TokenStream) -> TokenStream {
    let Container { private, keywords, .. } = container;
    quote! {
        #[allow(
            clippy::redundant_closure,
            reason = "a closure that only calls the author's function keeps the types in its signature"
        )]
        #[allow(unexpected_cfgs, reason = "`rust_analyzer` is set by the editor alone")]
        const _: () = {
            use #private as __p;
            #keywords
            #[allow(unused_imports, reason = "through which trait a method is found depends on the fields' types")]
            use __p::traits::*;
            #body
        };
    }
}
