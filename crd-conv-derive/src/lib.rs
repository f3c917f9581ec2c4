//! The derive macro of `crd-conv`.

use proc_macro::TokenStream;

/// Derives the conversions of a versioned struct, or the definition of a resource.
#[proc_macro_derive(Versioned, attributes(versioned))]
pub fn versioned(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}
