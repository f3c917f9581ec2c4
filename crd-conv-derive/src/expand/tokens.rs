//! Pieces of tokens that everything here is made of.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, spanned::Spanned};

pub(super) fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

/// The place of a field as a type. A number there costs rustc as much as a small function, so the first of them have names.
pub(super) fn place(index: usize) -> TokenStream {
    if index < 32 {
        let name = format_ident!("F{index}");
        quote!(__p::#name)
    } else {
        quote!(__p::At<#index>)
    }
}

/// The place of the author's tokens, for code whose style clippy would otherwise hold against the author.
///
/// Where a mapping's mistakes are shown the tokens' own spans say more: these let rustc add a note on macros.
pub(super) fn at(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// A variable of the generated code where the author's tokens are: inside a user's macro those wouldn't see it.
pub(super) fn variable(name: &str, tokens: &impl Spanned) -> Ident {
    Ident::new(name, at(tokens))
}
