//! Reads serde's attributes, as far as they decide the JSON. An attribute whose effect can't be
//! followed is refused. A malformed attribute is left for serde's own derive to report.

mod structure;
mod values;

use syn::{Attribute, LitStr, Path, Token, meta::ParseNestedMeta, token};

pub(crate) use structure::{Container, Field, container, field};
pub(crate) use values::{Values, unnamed, values, variant};

use crate::{case::Case, ctxt::Ctxt, model::Default, name::shown};

/// Whether serde leaves the field or variant out in both directions. Reports the mistake if it does
/// so in only one.
fn both_ways(
    cx: &Ctxt,
    what: &str,
    skip: bool,
    serializing: Option<Path>,
    deserializing: Option<Path>,
) -> bool {
    match (serializing, deserializing) {
        (Some(_), Some(_)) => return true,
        (Some(key), None) | (None, Some(key)) if !skip => {
            let container = if what == "field" { "struct" } else { "enum" };
            cx.error(
                &key,
                format!(
                    "`#[serde({})]` isn't supported in a versioned {container}: the {what} would be in JSON in one direction only; write \
                     `skip` to leave it out in both",
                    shown(&key)
                ),
            );
        }
        _ => {}
    }
    false
}

fn schema_rename_all(attrs: &[Attribute], attribute: &str) -> Option<(LitStr, Case)> {
    let mut found = None;
    each(attrs, "schemars", |name, meta| {
        if name == attribute
            && let Some(rule) = Names::read(meta)?.serialize
        {
            let case = Case::named(&rule.value()).unwrap_or(Case::Unchanged);
            found = Some((rule, case));
        }
        rest(meta)
    });
    found
}

fn refuse(cx: &Ctxt, meta: &ParseNestedMeta<'_>, message: &str) {
    cx.error(&meta.path, message);
}

/// The names in `rename` and `rename_all`, by direction.
struct Names {
    serialize: Option<LitStr>,
    deserialize: Option<LitStr>,
}

impl Names {
    /// Reads `= "name"` or `(serialize = "name", deserialize = "name")`.
    fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        if meta.input.peek(Token![=]) {
            let name: LitStr = meta.value()?.parse()?;
            return Ok(Self { serialize: Some(name.clone()), deserialize: Some(name) });
        }
        let mut names = Self { serialize: None, deserialize: None };
        meta.parse_nested_meta(|meta| {
            if meta.path.is_ident("serialize") {
                names.serialize = Some(meta.value()?.parse()?);
            } else {
                names.deserialize = Some(meta.value()?.parse()?);
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// The name that both directions share. Reports the mistake if they differ.
    fn one(
        &self,
        cx: &Ctxt,
        meta: &ParseNestedMeta<'_>,
        what: &str,
        attribute: &str,
    ) -> Option<&LitStr> {
        let value = |name: &Option<LitStr>| name.as_ref().map(LitStr::value);
        if value(&self.serialize) != value(&self.deserialize) {
            refuse(
                cx,
                meta,
                &format!(
                    "a {what} has one name in JSON: write the same name for both directions, `{attribute} = \"…\"`"
                ),
            );
        }
        self.serialize.as_ref().or(self.deserialize.as_ref())
    }
}

/// The rule of `rename_all` and similar items.
fn case(
    cx: &Ctxt,
    meta: &ParseNestedMeta<'_>,
    what: &str,
    attribute: &str,
) -> syn::Result<Option<Case>> {
    let names = Names::read(meta)?;
    let rule = names.one(cx, meta, what, attribute);
    Ok(rule.map(|rule| Case::named(&rule.value()).unwrap_or(Case::Unchanged)))
}

/// Reads `default`, alone or with `= "path"`.
fn default(meta: &ParseNestedMeta<'_>) -> syn::Result<Default> {
    if meta.input.peek(Token![=]) {
        Ok(Default::Function(quoted(meta)?))
    } else {
        Ok(Default::Trait)
    }
}

/// Reads `= "path"`.
fn quoted(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    meta.value()?.parse::<LitStr>()?.parse()
}

/// Visits each item of the attributes with this name.
fn each(
    attrs: &[Attribute],
    name: &str,
    mut item: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        // The derive that owns the attribute reports malformed items.
        let _ = attr.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            item(&name, &meta)
        });
    }
}

/// Skips an item's value that wasn't read.
fn rest(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
