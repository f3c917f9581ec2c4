//! Counts the tokens that the derive writes for a struct, because they determine how much it costs
//! an author's build. A clock would measure the machine, too.

use proc_macro2::{TokenStream, TokenTree};
use quote::format_ident;
use syn::{DeriveInput, parse_quote};

use crate::derive::derive;

/// A struct of plain fields, either as its first version or as a version that keeps all fields.
fn expanded(fields: usize, is_first: bool) -> TokenStream {
    let names = (0..fields).map(|number| format_ident!("field{number}"));
    let mut input: DeriveInput = parse_quote!(struct Spec { #(#names: Option<String>),* });
    if !is_first {
        input.attrs.push(parse_quote!(#[versioned(from = super::v1::Spec)]));
    }
    derive(&input)
}

fn count(tokens: TokenStream, counts: &impl Fn(&TokenTree) -> bool) -> usize {
    let count = |token: TokenTree| {
        let inside = match &token {
            TokenTree::Group(group) => count(group.stream(), counts),
            _ => 0,
        };
        inside + usize::from(counts(&token))
    };
    tokens.into_iter().map(count).sum()
}

/// The count that each field adds, and the count without fields.
fn sizes(is_first: bool, counts: impl Fn(&TokenTree) -> bool) -> (usize, usize) {
    let of = |fields| count(expanded(fields, is_first), &counts);
    let (ten, twenty) = (of(10), of(20));
    ((twenty - ten) / 10, ten - (twenty - ten))
}

#[test]
fn a_plain_field_is_data() {
    let functions = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "fn");
    assert_eq!(sizes(true, functions).0, 0);
    assert_eq!(sizes(false, functions).0, 0);
    // A field that both versions have needs one constant, its place, which does all checks.
    let constants = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "At");
    assert_eq!(sizes(true, constants).0, 0);
    assert_eq!(sizes(false, constants).0, 1);
}

#[test]
fn little_is_written() {
    let tokens = |_: &TokenTree| true;
    for (is_first, most) in [(true, (155, 420)), (false, (270, 730))] {
        let (field, rest) = sizes(is_first, tokens);
        assert!(
            field <= most.0 && rest <= most.1,
            "{field} tokens for a field, {rest} for the struct"
        );
    }
}
