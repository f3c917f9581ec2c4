//! What `#[versioned(…)]` says on a struct and on its fields.

use quote::quote;
use syn::{Attribute, Expr, Ident, LitStr, Path, Token, ext::IdentExt, parse::ParseStream, token};

use super::{Once, constant, each, flag, items, parenthesized, unknown, versioned};
use crate::{
    ctxt::Ctxt,
    model::{Converter, ListKey},
    name::Name,
};

/// On a struct.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) krate: Once<Path>,
    pub(crate) from: Once<Path>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) maps: Vec<Map>,
    pub(crate) moved: Vec<Moved>,
}

/// An element of `removed(…)`.
pub(crate) struct Removed {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
}

/// `map((a, b) <=> (c, d), with = Converter)`.
pub(crate) struct Map {
    pub(crate) key: Ident,
    pub(crate) older: Vec<Name>,
    pub(crate) newer: Vec<Name>,
    pub(crate) by: Converter,
}

/// An element of `moved(…)`: a field that stands in a struct in one of the versions.
pub(crate) struct Moved {
    /// The field of the struct.
    pub(crate) holder: Name,
    /// Whether the newer version has the struct; else the older one has.
    pub(crate) nested: bool,
    pub(crate) inside: Name,
    pub(crate) outside: Name,
}

/// On a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) renamed_from: Once<Name>,
    /// With the value.
    pub(crate) added: Once<Option<Expr>>,
    pub(crate) with: Once<Converter>,
    pub(crate) list_keys: Once<Vec<ListKey>>,
    pub(crate) nullable: Once<bool>,
}

impl Field {
    /// Any of the keys that say something of this version alone.
    pub(crate) fn declares(&self) -> Option<&Ident> {
        self.list_keys.key().or(self.nullable.key())
    }

    /// Any of the keys that say where the field comes from.
    pub(crate) fn key(&self) -> Option<&Ident> {
        self.renamed_from.key().or(self.added.key()).or(self.with.key())
    }
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container = Container::default();
    versioned(cx, attrs, |key, input| {
        match key.to_string().as_str() {
            "crate" => container.krate.set(cx, key, path(key, input)?),
            "from" => container.from.set(cx, key, path(key, input)?),
            "removed" | "map" | "moved" => mapping(cx, &mut container, key, input)?,
            "resource" => {
                return Err(syn::Error::new_spanned(
                    key,
                    "`resource(…)` stands on an enum with one variant for each version",
                ));
            }
            "added" | "renamed_from" | "with" | "list_map_keys" | "nullable" => {
                return Err(syn::Error::new_spanned(
                    key,
                    format!("`{key}` stands on a field, not on the struct"),
                ));
            }
            _ => {
                return Err(unknown(
                    key,
                    "a struct",
                    &["from", "removed", "map", "moved", "crate"],
                ));
            }
        }
        Ok(())
    });
    container
}

/// What says of several fields at once where they come from.
pub(super) fn mapping(
    cx: &Ctxt,
    container: &mut Container,
    key: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<()> {
    match key.to_string().as_str() {
        "removed" => {
            if !input.peek(token::Paren) {
                return Err(syn::Error::new_spanned(
                    key,
                    "write `removed(field)`, or `removed(field = value)` if the older version requires it",
                ));
            }
            parenthesized(input, |content| {
                if content.is_empty() {
                    return Err(content.error("name the older version's fields that are gone"));
                }
                each(cx, content, |content| {
                    let name = field_name(content)?;
                    let value = if content.peek(Token![=]) {
                        content.parse::<Token![=]>()?;
                        Some(constant(content)?)
                    } else {
                        None
                    };
                    container.removed.push(Removed { name, value });
                    Ok(())
                });
                Ok(())
            })?;
        }
        "map" => {
            let map = parenthesized(input, |content| map(cx, key, content))?;
            container.maps.extend(map);
        }
        _ => {
            if !input.peek(token::Paren) {
                return Err(syn::Error::new_spanned(key, MOVED));
            }
            parenthesized(input, |content| {
                if content.is_empty() {
                    return Err(syn::Error::new_spanned(key, MOVED));
                }
                each(cx, content, |content| {
                    container.moved.push(moved(content)?);
                    Ok(())
                });
                Ok(())
            })?;
        }
    }
    Ok(())
}

pub(crate) fn field(cx: &Ctxt, attrs: &[Attribute]) -> Field {
    let mut field = Field::default();
    versioned(cx, attrs, |key, input| {
        match key.to_string().as_str() {
            "renamed_from" => {
                if !input.peek(Token![=]) {
                    return Err(syn::Error::new_spanned(
                        key,
                        "write `renamed_from = name` with the field's Rust name in the older version",
                    ));
                }
                input.parse::<Token![=]>()?;
                field.renamed_from.set(cx, key, field_name(input)?);
            }
            "added" => {
                let value = if input.peek(token::Paren) {
                    Some(parenthesized(input, |content| {
                        let value = content.call(Ident::parse_any)?;
                        if value != "value" {
                            return Err(unknown(&value, "`added`", &["value"]));
                        }
                        content.parse::<Token![=]>()?;
                        constant(content)
                    })?)
                } else if input.peek(Token![=]) {
                    return Err(syn::Error::new_spanned(
                        key,
                        "write the value in parentheses: `added(value = …)`",
                    ));
                } else {
                    None
                };
                field.added.set(cx, key, value);
            }
            "with" => field.with.set(cx, key, with(key, input)?),
            "list_map_keys" => {
                const HOW: &str = "write `list_map_keys(name)` with the fields by which the items of this list are \
                                   told apart";
                if !input.peek(token::Paren) {
                    return Err(syn::Error::new_spanned(key, HOW));
                }
                let keys = parenthesized(input, |content| {
                    if content.is_empty() {
                        return Err(syn::Error::new_spanned(key, HOW));
                    }
                    Ok(content.parse_terminated(list_key, Token![,])?.into_iter().collect())
                })?;
                field.list_keys.set(cx, key, keys);
            }
            "nullable" => field.nullable.set(cx, key, flag(input)?),
            "from" | "removed" | "map" | "moved" | "crate" => {
                return Err(syn::Error::new_spanned(
                    key,
                    format!("`{key}` stands on the struct, not on a field"),
                ));
            }
            _ => {
                return Err(unknown(
                    key,
                    "a field",
                    &["renamed_from", "added", "with", "list_map_keys", "nullable"],
                ));
            }
        }
        Ok(())
    });
    field
}

pub(super) fn path(key: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(key, format!("write `{key} = path`")));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

/// A field's Rust name, or its name in JSON in quotes.
fn list_key(input: ParseStream<'_>) -> syn::Result<ListKey> {
    if input.peek(LitStr) {
        input.parse().map(ListKey::Wire)
    } else {
        field_name(input).map(ListKey::Field).map_err(|error| {
            syn::Error::new(
                error.span(),
                "a field's Rust name stands here, or its name in JSON in quotes",
            )
        })
    }
}

/// A field's Rust name, also where it is a keyword.
fn field_name(input: ParseStream<'_>) -> syn::Result<Name> {
    if input.peek(syn::LitStr) {
        return Err(input.error("a field's Rust name stands here without quotes"));
    }
    input.call(Ident::parse_any).map(Name::new)
}

/// `= Type` or `(upgrade = path, downgrade = path)`.
fn with(key: &Ident, input: ParseStream<'_>) -> syn::Result<Converter> {
    const HOW: &str =
        "write `with = Converter`, or `with(upgrade = function, downgrade = function)`";
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return if input.peek(syn::LitStr) {
            Err(input.error("a converter's type stands here without quotes"))
        } else {
            Ok(Converter::Type(input.parse()?))
        };
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
                _ => return Err(unknown(&direction, "`with`", &["upgrade", "downgrade"])),
            };
            content.parse::<Token![=]>()?;
            let function: Path = content.parse().map_err(|error| {
                syn::Error::new(error.span(), "a function's path stands here, not a closure")
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
            "the way back is missing: write `downgrade = function` too",
        )),
        (None, Some(_)) => Err(syn::Error::new_spanned(
            key,
            "the way up is missing: write `upgrade = function` too",
        )),
        (None, None) => Err(syn::Error::new_spanned(key, HOW)),
    }
}

/// What stands in `map(…)`; nothing if its converter has been refused.
fn map(cx: &Ctxt, key: &Ident, content: ParseStream<'_>) -> syn::Result<Option<Map>> {
    const HOW: &str = "write `map((older, fields) <=> (newer, fields), with = Converter)`";
    let older = side(content)?;
    if !content.peek(Token![<=]) {
        return Err(content.error(HOW));
    }
    content.parse::<Token![<=]>()?;
    content.parse::<Token![>]>().map_err(|error| syn::Error::new(error.span(), HOW))?;
    let newer = side(content)?;
    if content.is_empty() {
        return Err(syn::Error::new_spanned(
            key,
            "nothing converts these fields: write `with = Converter` behind them",
        ));
    }
    content.parse::<Token![,]>()?;
    let mut by = Once::default();
    items(cx, content, |key, input| {
        if key == "with" {
            by.set(cx, key, with(key, input)?);
            Ok(())
        } else {
            Err(unknown(key, "`map`", &["with"]))
        }
    });
    Ok(by.take().map(|by| Map { key: key.clone(), older, newer, by }))
}

/// One name, or several in parentheses.
fn side(content: ParseStream<'_>) -> syn::Result<Vec<Name>> {
    if !content.peek(token::Paren) {
        return Ok(vec![field_name(content)?]);
    }
    parenthesized(content, |names| {
        let names = names.parse_terminated(field_name, Token![,])?;
        if names.is_empty() {
            return Err(content.error(
                "a mapping has a field on each side: use `added` or `removed` for fields that only one version has",
            ));
        }
        Ok(names.into_iter().collect())
    })
}

const MOVED: &str = "write `moved(field => holder.field)`, or `moved(holder.field => field)` where the older version has the \
                     struct";

/// `field => holder.field` or `holder.field => field`.
fn moved(content: ParseStream<'_>) -> syn::Result<Moved> {
    let older = place(content)?;
    if !content.peek(Token![=>]) {
        return Err(content.error(MOVED));
    }
    content.parse::<Token![=>]>()?;
    let newer = place(content)?;
    let tokens = |names: &[Name]| {
        let idents = names.iter().map(|name| &name.ident);
        quote!(#(#idents).*)
    };
    let (nested, holder, inside, outside) = match (&*older, &*newer) {
        ([outside], [holder, inside]) => (true, holder, inside, outside),
        ([holder, inside], [outside]) => (false, holder, inside, outside),
        ([older], [newer]) => {
            return Err(syn::Error::new_spanned(
                tokens(std::slice::from_ref(older)),
                format!(
                    "neither side stands in a struct: if `{0}` only has another name, write \
                     `#[versioned(renamed_from = {0})]` on `{1}`",
                    older.text, newer.text
                ),
            ));
        }
        ([_, _], [_, _]) => {
            return Err(syn::Error::new_spanned(
                tokens(&newer),
                "a field can't move from one struct into another yet: write `map(…, with = …)` with the two structs",
            ));
        }
        _ => {
            let deep = if older.len() > newer.len() { &older } else { &newer };
            return Err(syn::Error::new_spanned(
                tokens(deep),
                "a field can't move by more than one level yet: write `map(…, with = …)` with the fields that hold it",
            ));
        }
    };
    Ok(Moved { holder: holder.clone(), nested, inside: inside.clone(), outside: outside.clone() })
}

/// Names with dots between.
fn place(content: ParseStream<'_>) -> syn::Result<Vec<Name>> {
    let mut names = vec![field_name(content)?];
    while content.peek(Token![.]) {
        content.parse::<Token![.]>()?;
        names.push(field_name(content)?);
    }
    Ok(names)
}
