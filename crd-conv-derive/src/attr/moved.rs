//! Reads `moved(…)` on a struct or a version.

use quote::quote;
use syn::{Ident, Token, ext::IdentExt, parse::ParseStream, token};

use super::{each, field_name, parenthesized, with::with};
use crate::{ctxt::Ctxt, name::Name};

/// An element of `moved(…)`: a field's path in the older version and in the newer one. Neither is
/// empty.
pub(crate) struct Moved {
    pub(crate) older: Vec<Name>,
    pub(crate) newer: Vec<Name>,
}

/// Reads the part after `moved`. `how` tells the author what to write.
pub(super) fn moved(
    cx: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
    how: &'static str,
    all: &mut Vec<Moved>,
) -> syn::Result<()> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, how));
    }
    parenthesized(input, |content| {
        if content.is_empty() {
            return Err(syn::Error::new_spanned(key, how));
        }
        each(cx, content, |content| {
            if let Some(key) = converter(content)? {
                return Err(syn::Error::new_spanned(key, UNCHANGED));
            }
            let older = way(content)?;
            if !content.peek(Token![=>]) {
                return Err(content.error(how));
            }
            content.parse::<Token![=>]>()?;
            let newer = way(content)?;
            if let ([older], [newer]) = (&*older, &*newer) {
                let ident = &older.ident;
                return Err(syn::Error::new_spanned(
                    quote!(#ident),
                    format!(
                        "neither side is inside another struct: if only the name of `{0}` changed, write `#[versioned(renamed_from = \
                         {0})]` on `{1}`",
                        older.text, newer.text
                    ),
                ));
            }
            all.push(Moved { older, newer });
            Ok(())
        });
        Ok(())
    })
}

/// The key of a converter, if there is one here. Also reads the converter, so that its commas don't
/// separate elements.
fn converter(content: ParseStream<'_>) -> syn::Result<Option<Ident>> {
    let ahead = content.fork();
    let is_value = |input: ParseStream<'_>| input.peek(Token![=]) && !input.peek(Token![=>]);
    match ahead.call(Ident::parse_any) {
        Ok(key) if key == "with" && (is_value(&ahead) || ahead.peek(token::Paren)) => {
            content.call(Ident::parse_any)?;
            with(&key, content)?;
            Ok(Some(key))
        }
        _ => Ok(None),
    }
}

const UNCHANGED: &str = "`moved` can't convert a value: convert it in one version and move it in the next (one of the two can be an extra \
                         version in between with `#[versioned(served = false)]`), or convert the field to the whole struct with `map(field \
                         <=> struct, with = Converter)`";

/// Reads names separated by dots.
fn way(content: ParseStream<'_>) -> syn::Result<Vec<Name>> {
    let mut names = vec![field_name(content)?];
    while content.peek(Token![.]) {
        content.parse::<Token![.]>()?;
        names.push(field_name(content)?);
    }
    Ok(names)
}
