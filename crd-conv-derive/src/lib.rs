//! The derive macro of `crd-conv`.

// What an input goes through, in `derive`: `attr` reads its attributes, `check` makes the `model` of them and refuses what can't be
// right, `expand` writes tokens and can't fail. None imports a later one. Below them all are `name`,
// `types`, `case` and `ctxt`, which collects errors.
mod attr;
mod case;
mod check;
mod ctxt;
mod derive;
mod expand;
mod model;
mod name;
#[cfg(test)]
mod size;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives the conversions of a versioned struct, or the definition of a resource.
///
#[doc = include_str!("../attributes.md")]
///
#[doc = include_str!("../messages.md")]
#[proc_macro_derive(Versioned, attributes(versioned))]
pub fn versioned(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::derive(&input).into()
}
