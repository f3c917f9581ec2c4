//! The derive macro of `crd-conv`. Use it as `crd_conv::Versioned`.

// `derive` runs three steps on an input. `attr` reads its attributes. `check` refuses mistakes and
// makes the `model`. `expand` writes tokens from the model and can't fail. No step imports a later
// one. `complete` reads half-typed attributes, only for the editor. The layer below them is `name`,
// `types`, `case` and `ctxt`, which collects errors.
mod attr;
mod case;
mod check;
mod complete;
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

/// Derives the conversions of a versioned struct or enum, or the definition of a resource.
///
#[doc = include_str!("../attributes.md")]
///
#[doc = include_str!("../messages.md")]
#[proc_macro_derive(Versioned, attributes(versioned))]
pub fn versioned(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::derive(&input).into()
}
