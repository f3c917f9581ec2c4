//! Small pieces of tokens that all of `expand` uses.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, spanned::Spanned};

pub(super) fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

/// Calls a builder's method if there is a value.
pub(super) fn one<T: ToTokens>(method: &str, value: Option<T>) -> TokenStream {
    let method = format_ident!("{method}");
    value.map(|value| quote!(.#method(#value))).unwrap_or_default()
}

/// Calls a builder's method with a slice if there are items.
pub(super) fn all(method: &str, items: &TokenStream) -> TokenStream {
    one(method, (!items.is_empty()).then(|| quote!(&[#items])))
}

/// A field's place as a type. A number costs rustc as much as a small function, so the first places
/// have names.
pub(super) fn place(index: usize) -> TokenStream {
    if index < 32 {
        let name = format_ident!("F{index}");
        quote!(__p::#name)
    } else {
        quote!(__p::At<#index>)
    }
}

/// The span of the author's tokens, marked as generated, so that clippy doesn't report its style to
/// the author.
///
/// The tokens' own spans are better where mistakes in a mapping are reported: with this span, rustc
/// adds a note on macros.
pub(super) fn at(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// A variable of the generated code with the span of the author's tokens. Inside a user's macro,
/// those tokens couldn't see it otherwise.
pub(super) fn variable(name: &str, tokens: &impl Spanned) -> Ident {
    Ident::new(name, at(tokens))
}
