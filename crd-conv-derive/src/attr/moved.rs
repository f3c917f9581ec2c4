//! Reads `moved(…)` on a struct or a version.

use quote::quote;
use syn::{Ident, Token, ext::IdentExt, parse::ParseStream, token};

use super::{Inside, drain, each, field_name, parenthesized, unknown, with::Converts};
use crate::{
    ctxt::Ctxt,
    model::{Path, Way},
    name::{Name, dotted, nearest},
};

/// Reads the part after `moved`: the moves, or one move and its converter. `example` is a move for
/// messages.
pub(super) fn moved(
    cx: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
    example: &str,
    all: &mut Vec<Way>,
) -> syn::Result<()> {
    let how = format!(
        "write `moved({example})` with the field's place in the older version, then in this one"
    );
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, how));
    }
    parenthesized(input, |content| {
        if content.is_empty() {
            return Err(syn::Error::new_spanned(key, how));
        }
        if let Some(key) = keyword(content) {
            let message =
                format!("the move comes first: write `moved({example}, with = Converter)`");
            return Err(syn::Error::new_spanned(key, message));
        }
        let mut moves: Vec<Way> = Vec::new();
        let mut converts = Converts::default();
        let before = cx.count();
        each(cx, content, |content| {
            if let Some(key) = keyword(content) {
                content.call(Ident::parse_any)?;
                if !converts.read(cx, &key, content)? {
                    return Err(unknown(&key, "`moved`", Inside::Mapping.items()));
                }
            } else {
                moves.push(way(content, &how)?);
            }
            let (Some(with), [.., last], 2..) = (converts.with.key(), &*moves, moves.len()) else {
                return Ok(());
            };
            drain(content)?;
            Err(syn::Error::new_spanned(
                with,
                format!(
                    "a converter is for one move, and there are several here: write a `moved(…)` of its own for each move that has a \
                     converter, such as `moved({} => {}, with = …)`",
                    dotted(&last.older[0]),
                    dotted(&last.newer[0])
                ),
            ))
        });
        // A mistake in a converter was reported already.
        let by = if cx.count() == before { converts.conversion(cx) } else { None };
        for way in moves {
            match (&*way.older[0], &*way.newer[0]) {
                ([older], [newer]) => cx.push(not_inside(older, newer, by.is_some())),
                _ => all.push(Way { by: by.clone(), ..way }),
            }
        }
        Ok(())
    })
}

/// The key of a setting, if there is one here. A field may have the name of a key.
fn keyword(content: ParseStream<'_>) -> Option<Ident> {
    let ahead = content.fork();
    let key = ahead.call(Ident::parse_any).ok()?;
    let (name, keys) = (key.to_string(), Inside::Mapping.items());
    let is_key = if ahead.peek(Token![=]) && !ahead.peek(Token![=>]) {
        nearest(&name, keys.iter().copied()).is_some()
    } else if ahead.is_empty() || ahead.peek(Token![,]) {
        keys.contains(&&*name)
    } else {
        ahead.peek(token::Paren)
    };
    is_key.then_some(key)
}

/// Reads a move.
fn way(content: ParseStream<'_>, how: &str) -> syn::Result<Way> {
    let older = path(content)?;
    if !content.peek(Token![=>]) {
        return Err(content.error(how));
    }
    content.parse::<Token![=>]>()?;
    Ok(Way { older: vec![older], newer: vec![path(content)?], by: None })
}

/// Reads names separated by dots.
pub(super) fn path(content: ParseStream<'_>) -> syn::Result<Path> {
    let mut names = vec![field_name(content)?];
    while content.peek(Token![.]) {
        content.parse::<Token![.]>()?;
        names.push(field_name(content)?);
    }
    Ok(names)
}

/// The error for a move between fields of the two structs themselves.
fn not_inside(older: &Name, newer: &Name, converts: bool) -> syn::Error {
    let (ident, from, to) = (&older.ident, &older.text, &newer.text);
    let rest = if !converts {
        format!(
            "if only the name of `{from}` changed, write `#[versioned(renamed_from = {from})]` on `{to}`"
        )
    } else if from == to {
        format!("write `#[versioned(with = …)]` on `{to}`")
    } else {
        format!("write `#[versioned(renamed_from = {from}, with = …)]` on `{to}`")
    };
    syn::Error::new_spanned(
        quote!(#ident),
        format!("neither side is inside another struct: {rest}"),
    )
}
