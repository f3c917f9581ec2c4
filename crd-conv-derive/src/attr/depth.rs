//! Reads how many levels of a recursive type the schema writes out.

use syn::{Ident, LitInt, Token, parse::ParseStream};

/// The schema writes out each level for each field that holds the type, so the limit is low.
const MOST: u8 = 8;

const HOW: &str = "write `recursion_depth = 3` with the number of times that the type is written out inside itself";

/// Reads `= 3`.
pub(super) fn read(key: &Ident, input: ParseStream<'_>) -> syn::Result<u8> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    input.parse::<Token![=]>()?;
    let written: LitInt = input.parse().map_err(|error| syn::Error::new(error.span(), HOW))?;
    let refuse = |message: String| Err(syn::Error::new_spanned(&written, message));
    match written.base10_parse::<u64>() {
        Ok(0) => refuse(
            "with 0, the schema would describe nothing of the type inside itself: write `preserve_unknown_fields` instead"
                .to_owned(),
        ),
        Ok(depth) => match u8::try_from(depth) {
            Ok(depth) if depth <= MOST => Ok(depth),
            _ => refuse(format!(
                "each level is written out in the schema, so `recursion_depth` can be at most {MOST}: write a smaller number; deeper \
                 levels are kept unchanged"
            )),
        },
        Err(_) => refuse(HOW.to_owned()),
    }
}
