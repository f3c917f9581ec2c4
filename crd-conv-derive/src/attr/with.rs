//! Reads the converter of fields, the fallback for values that it refuses, and the reason why it
//! may refuse them.

use syn::{Expr, Ident, Path, Token, ext::IdentExt, parse::ParseStream, token};

use super::{Inside, Once, constant, items, parenthesized, text, unknown, unquoted};
use crate::{
    ctxt::Ctxt,
    model::{Conversion, Converter, Directions, Fallback, Refuses},
};

/// The settings that say how values are converted.
#[derive(Default)]
pub(crate) struct Converts {
    pub(crate) with: Once<Converter>,
    pub(crate) fallback: Once<Fallback>,
    pub(crate) refuses: Once<Refuses>,
}

impl Converts {
    /// Reads the part after a key. Returns `false` if the key is none of these.
    pub(super) fn read(
        &mut self,
        cx: &Ctxt,
        key: &Ident,
        input: ParseStream<'_>,
    ) -> syn::Result<bool> {
        match key.to_string().as_str() {
            "with" => self.with.set(cx, key, with(key, input)?),
            "fallback" => self.fallback.set(cx, key, fallback(cx, key, input)?),
            "refuses" => self.refuses.set(cx, key, refuses(cx, key, input)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The first of the keys.
    pub(crate) fn key(&self) -> Option<&Ident> {
        self.with.key().or(self.fallback.key()).or(self.refuses.key())
    }

    /// Returns the conversion, or `None` without a converter. Then nothing can be refused.
    pub(crate) fn conversion(&self, cx: &Ctxt) -> Option<Conversion> {
        let Some(by) = self.with.get() else {
            if let Some(key) = self.key() {
                cx.error(
                    key,
                    format!(
                        "nothing can be refused here: `{key}` is for values that a converter refuses; add `with = …`, or remove it"
                    ),
                );
            }
            return None;
        };
        Some(Conversion {
            by: by.clone(),
            fallback: self.fallback.get().cloned().unwrap_or_default(),
            refuses: self.refuses.get().cloned().unwrap_or_default(),
        })
    }
}

/// Reads `= constant` or `(upgrade = path, downgrade = path)`.
fn with(key: &Ident, input: ParseStream<'_>) -> syn::Result<Converter> {
    const HOW: &str =
        "write `with = Converter`, or `with(upgrade = function, downgrade = function)`";
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.peek(syn::LitStr) {
            return Err(unquoted(input, "a converter"));
        }
        let value: Expr = input.parse()?;
        if matches!(value, Expr::Closure(_)) {
            return Err(syn::Error::new_spanned(
                value,
                "a closure converts in one direction only: write a function for each direction, and name both: `with(upgrade = function, \
                 downgrade = function)`",
            ));
        }
        return Ok(Converter::Value(Box::new(value)));
    }
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    let (mut upgrade, mut downgrade) = (None, None);
    parenthesized(input, |content| {
        while !content.is_empty() {
            let direction: Ident = content.call(Ident::parse_any)?;
            let slot = match direction.to_string().as_str() {
                "upgrade" => &mut upgrade,
                "downgrade" => &mut downgrade,
                _ => return Err(unknown(&direction, "`with`", Inside::Directions.items())),
            };
            content.parse::<Token![=]>()?;
            let function: Path = content.parse().map_err(|error| {
                syn::Error::new(error.span(), "write a function's path here, not a closure")
            })?;
            if slot.replace(function).is_some() {
                return Err(syn::Error::new_spanned(
                    &direction,
                    format!("`{direction}` is written twice"),
                ));
            }
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(())
    })?;
    match (upgrade, downgrade) {
        (Some(upgrade), Some(downgrade)) => Ok(Converter::Functions { upgrade, downgrade }),
        (Some(_), None) => Err(syn::Error::new_spanned(
            key,
            "the downgrade is missing: add `downgrade = function`",
        )),
        (None, Some(_)) => {
            Err(syn::Error::new_spanned(key, "the upgrade is missing: add `upgrade = function`"))
        }
        (None, None) => Err(syn::Error::new_spanned(key, HOW)),
    }
}

/// Reads `(upgrade = value, downgrade = (value, _))`. One direction is enough.
fn fallback(cx: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Fallback> {
    const HOW: &str = "write `fallback(upgrade = value)`, `fallback(downgrade = value)` or both, with the value that the other version \
                       shows in place of a refused one";
    directions(cx, key, input, HOW, |direction, input| {
        if !input.peek(Token![=]) {
            return Err(syn::Error::new_spanned(
                direction,
                format!(
                    "write the value: `{direction} = …`, or `{direction} = _` to leave the field out"
                ),
            ));
        }
        input.parse::<Token![=]>()?;
        if input.peek(token::Paren) {
            parenthesized(input, |values| {
                values.parse_terminated(value, Token![,]).map(|all| all.into_iter().collect())
            })
        } else {
            Ok(vec![value(input)?])
        }
    })
}

/// Reads `(upgrade = "why", downgrade = "why")`. One direction is enough.
fn refuses(cx: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Refuses> {
    const HOW: &str = "write `refuses(upgrade = \"why\")`, `refuses(downgrade = \"why\")` or both, with the reason why the converter may \
                       refuse a value that the schema allows";
    directions(cx, key, input, HOW, |direction, input| {
        let why = text(direction, input)?;
        if why.value().trim().is_empty() {
            return Err(syn::Error::new_spanned(why, "write why the converter may refuse a value"));
        }
        Ok(why)
    })
}

/// Reads the items in the parentheses, for one direction or both.
fn directions<T>(
    cx: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
    how: &str,
    mut said: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Directions<T>> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, how));
    }
    let mut all = Directions::default();
    parenthesized(input, |content| {
        if content.is_empty() {
            return Err(syn::Error::new_spanned(key, how));
        }
        items(cx, content, |direction, input| {
            let slot = match direction.to_string().as_str() {
                "upgrade" => &mut all.upgrade,
                "downgrade" => &mut all.downgrade,
                _ => {
                    let place = format!("`{key}`");
                    return Err(unknown(direction, &place, Inside::Directions.items()));
                }
            };
            let said = said(direction, input)?;
            if slot.replace((direction.clone(), said)).is_some() {
                return Err(syn::Error::new_spanned(
                    direction,
                    format!("`{direction}` is written twice"),
                ));
            }
            Ok(())
        });
        Ok(())
    })?;
    Ok(all)
}

/// Reads a constant, or `_` for a field that is left out.
fn value(input: ParseStream<'_>) -> syn::Result<Option<Expr>> {
    if input.peek(Token![_]) {
        input.parse::<Token![_]>()?;
        return Ok(None);
    }
    constant(input, "").map(Some)
}
