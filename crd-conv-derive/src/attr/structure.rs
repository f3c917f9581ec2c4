//! Reads `#[versioned(…)]` on a struct and on its fields.

use quote::quote;
use syn::{Attribute, Expr, Ident, Path, Token, ext::IdentExt, parse::ParseStream, token};

use super::{
    Inside, Once, Place, constant,
    declared::{Declared, OfType},
    each, field_name, flag, items,
    moved::{moved, path as way},
    older, parenthesized, path, unknown, versioned,
    with::Converts,
};
use crate::{
    ctxt::Ctxt,
    model::{self, Conversion, Way},
    name::{Name, dotted},
};

/// Attributes of a struct.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) krate: Once<Path>,
    pub(crate) from: Once<Path>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) maps: Vec<Map>,
    pub(crate) moved: Vec<Way>,
    pub(crate) declared: OfType,
    /// Whether an item couldn't be read. That was reported already.
    pub(crate) broken: bool,
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
    pub(crate) by: Conversion,
}

/// Attributes of a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) renamed_from: Once<Name>,
    pub(crate) added: Once<Added>,
    pub(crate) converts: Converts,
    pub(crate) declared: Declared,
}

/// `added(…)`.
#[derive(Default)]
pub(crate) struct Added {
    pub(crate) value: Option<Expr>,
    /// Whether the author declares that the value isn't one that another field had.
    pub(crate) is_new: bool,
}

impl Field {
    /// The first of the keys that declare where the field comes from.
    pub(crate) fn key(&self) -> Option<&Ident> {
        self.renamed_from.key().or(self.added.key()).or(self.converts.key())
    }
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container = Container::default();
    let before = cx.count();
    versioned(cx, attrs, |key, input| {
        match key.to_string().as_str() {
            "crate" => container.krate.set(cx, key, path(key, input)?),
            "from" => container.from.set(cx, key, older(key, input)?),
            "removed" | "map" | "moved" => mapping(cx, &mut container, key, input)?,
            "resource" => {
                return Err(syn::Error::new_spanned(
                    key,
                    "`resource(…)` belongs on an enum with one variant for each version, such as `enum CronTab { V1 { spec: \
                     v1::CronTabSpec } }`",
                ));
            }
            _ => {
                if container.declared.read(cx, key, input)? {
                    return Ok(());
                }
                return Err(Place::Struct.unknown(key));
            }
        }
        Ok(())
    });
    container.broken = cx.count() > before;
    container
}

/// Reads an item that maps several fields at once.
pub(super) fn mapping(
    cx: &Ctxt,
    container: &mut Container,
    key: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<()> {
    match key.to_string().as_str() {
        "removed" => {
            if !input.peek(token::Paren) {
                return Err(syn::Error::new_spanned(key, REMOVED));
            }
            parenthesized(input, |content| {
                if content.is_empty() {
                    return Err(syn::Error::new_spanned(key, REMOVED));
                }
                each(cx, content, |content| {
                    let name = own_field(content, |way| {
                        format!(
                            "`removed` names fields of this struct's older version, and `{way}` is inside one of them: write `removed(…)` \
                             on the struct that has it"
                        )
                    })?;
                    let value = if content.peek(Token![=]) {
                        content.parse::<Token![=]>()?;
                        Some(constant(content, ABSENT_FROM_OLDER)?)
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
            if !input.peek(token::Paren) {
                return Err(syn::Error::new_spanned(key, MAP));
            }
            parenthesized(input, |content| map(cx, container, key, content))?;
        }
        _ => moved(cx, key, input, "field => holder.field", &mut container.moved)?,
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
                if let Some(added) = added(cx, key, input)? {
                    field.added.set(cx, key, added);
                }
            }
            _ => {
                if !field.converts.read(cx, key, input)? && !field.declared.read(cx, key, input)? {
                    return Err(Place::Field.unknown(key));
                }
            }
        }
        Ok(())
    });
    field.declared.check(cx);
    field
}

/// Reads the part after `added`. Returns `None` if an item in it was refused.
pub(super) fn added(cx: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Option<Added>> {
    if input.peek(token::Paren) {
        parenthesized(input, |content| added_with(cx, key, content))
    } else if input.peek(Token![=]) {
        Err(syn::Error::new_spanned(key, ADDED))
    } else {
        Ok(Some(Added::default()))
    }
}

/// Reads the content of `added(…)`.
fn added_with(cx: &Ctxt, key: &Ident, content: ParseStream<'_>) -> syn::Result<Option<Added>> {
    let (mut value, mut moved) = (Once::default(), Once::default());
    if content.is_empty() {
        return Err(syn::Error::new_spanned(key, ADDED));
    }
    if !content.peek(Ident::peek_any) {
        return Err(content.error(ADDED));
    }
    let before = cx.count();
    items(cx, content, |key, input| {
        match key.to_string().as_str() {
            "value" => {
                if !input.peek(Token![=]) {
                    return Err(syn::Error::new_spanned(key, ADDED));
                }
                input.parse::<Token![=]>()?;
                value.set(cx, key, constant(input, ABSENT_FROM_NEWER)?);
            }
            "moved" => {
                if flag(key, input)? {
                    return Err(syn::Error::new_spanned(key, MOVED_HERE));
                }
                moved.set(cx, key, ());
            }
            _ => return Err(unknown(key, "`added`", Inside::Added.items())),
        }
        Ok(())
    });
    let added = Added { value: value.take(), is_new: moved.get().is_some() };
    Ok((cx.count() == before).then_some(added))
}

/// Reads the name of one of the struct's own fields. `refused` returns what to write instead of a
/// path into a field, which it takes with its dots.
fn own_field(input: ParseStream<'_>, refused: impl FnOnce(&str) -> String) -> syn::Result<Name> {
    let first = field_name(input)?;
    if !input.peek(Token![.]) {
        return Ok(first);
    }
    let (mut way, mut last) = (first.text.clone(), first.ident.clone());
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        let name = field_name(input)?;
        way = format!("{way}.{}", name.text);
        last = name.ident;
    }
    let ident = first.ident;
    Err(syn::Error::new_spanned(quote!(#ident #last), refused(&way)))
}

/// Reads the content of `map(…)`.
fn map(
    cx: &Ctxt,
    container: &mut Container,
    key: &Ident,
    content: ParseStream<'_>,
) -> syn::Result<()> {
    let older = side(content)?;
    if !content.peek(Token![<=]) {
        return Err(content.error(MAP));
    }
    content.parse::<Token![<=]>()?;
    content.parse::<Token![>]>().map_err(|error| syn::Error::new(error.span(), MAP))?;
    let newer = side(content)?;
    if content.is_empty() {
        return Err(syn::Error::new_spanned(key, NO_CONVERTER));
    }
    content.parse::<Token![,]>()?;
    let mut converts = Converts::default();
    let before = cx.count();
    items(cx, content, |key, input| {
        if converts.read(cx, key, input)? {
            return Ok(());
        }
        Err(unknown(key, "`map`", Inside::Mapping.items()))
    });
    if converts.with.get().is_none() {
        // A converter that couldn't be read was reported already.
        return if cx.count() == before {
            Err(syn::Error::new_spanned(key, NO_CONVERTER))
        } else {
            Ok(())
        };
    }
    let Some(by) = converts.conversion(cx) else { return Ok(()) };
    if older.iter().chain(&newer).all(|path| path.len() == 1) {
        let [older, newer] = [older, newer].map(|paths| paths.into_iter().flatten().collect());
        container.maps.push(Map { key: key.clone(), older, newer, by });
    } else if let ([older], [newer]) = (&*older, &*newer) {
        let (older, newer) = (dotted(older), dotted(newer));
        cx.error(
            key,
            format!(
                "`map` with paths is for several fields, and this is a single one on each side: write `moved({older} => {newer}, with = …)`"
            ),
        );
    } else {
        container.moved.push(Way { older, newer, by: Some(by) });
    }
    Ok(())
}

/// Reads one path, or several in parentheses.
fn side(content: ParseStream<'_>) -> syn::Result<Vec<model::Path>> {
    if !content.peek(token::Paren) {
        return Ok(vec![way(content)?]);
    }
    parenthesized(content, |names| {
        let names = names.parse_terminated(way, Token![,])?;
        if names.is_empty() {
            return Err(content.error(
                "`map` needs a field on each side: use `added` or `removed` for fields that only one version has",
            ));
        }
        Ok(names.into_iter().collect())
    })
}

const NO_CONVERTER: &str = "nothing converts these fields: write `with = Converter` after them";
const ABSENT_FROM_OLDER: &str = ", or write `removed(field)`, and `#[serde(default = \"function\")]` on the field in the older version";
const ABSENT_FROM_NEWER: &str =
    ", or write `#[versioned(added)]` together with `#[serde(default = \"function\")]`";
const ADDED: &str = "write the value in parentheses: `added(value = …)`";
const MOVED_HERE: &str = "write `moved(field => holder.field)` on the struct that contains both places; `added(moved = false)` says that \
                          the field is new";
const REMOVED: &str =
    "write `removed(field)`, or `removed(field = value)` if the older version requires it";
const MAP: &str = "write `map((older, fields) <=> (newer, fields), with = Converter)`";
