//! The derive macro of `crd-conv`.

mod attr;
mod case;
mod check;
mod ctxt;
mod expand;
mod model;
mod name;

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
    expand::derive(&input).into()
}
