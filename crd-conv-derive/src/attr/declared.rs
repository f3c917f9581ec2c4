//! Attributes of a field or a type that concern only its own version, for the schema and for
//! conversions.

use syn::{Expr, Ident, LitBool, LitStr, Token, ext::IdentExt, parse::ParseStream, token};

use super::{
    Once, constant, depth, flag, parenthesized, text,
    validation::{Validation, validation},
};
use crate::{
    ctxt::Ctxt,
    model::ListKey,
    name::{Name, did_you_mean, listed},
};

/// The keys, for the messages that list them.
pub(super) const KEYS: [&str; 10] = [
    "list_map_keys",
    "list_type",
    "map_type",
    "nullable",
    "default",
    "int_or_string",
    "preserve_unknown_fields",
    "embedded_resource",
    "validation",
    "recursion_depth",
];

/// The declarations on a field.
#[derive(Default)]
pub(crate) struct Declared {
    pub(crate) list_keys: Once<Vec<ListKey>>,
    pub(crate) list_type: Once<&'static str>,
    pub(crate) map_type: Once<&'static str>,
    pub(crate) nullable: Once<bool>,
    pub(crate) default: Once<Expr>,
    pub(crate) int_or_string: Once<bool>,
    pub(crate) preserve_unknown_fields: Once<bool>,
    pub(crate) embedded_resource: Once<bool>,
    pub(crate) validations: Vec<Validation>,
    pub(crate) recursion_depth: Once<u8>,
}

impl Declared {
    /// The first of the keys that the author wrote, to point at.
    pub(crate) fn key(&self) -> Option<&Ident> {
        let Self { list_keys, list_type, map_type, nullable, default, .. } = self;
        let first = list_keys.key().or(list_type.key()).or(map_type.key()).or(nullable.key());
        let flags = self.int_or_string.key().or(self.preserve_unknown_fields.key());
        let rule = self.validations.first().map(|rule| &rule.key);
        first
            .or(default.key())
            .or(flags)
            .or(self.embedded_resource.key())
            .or(self.recursion_depth.key())
            .or(rule)
    }

    /// Reads an item; `false` if its key isn't one of these.
    pub(super) fn read(
        &mut self,
        cx: &Ctxt,
        key: &Ident,
        input: ParseStream<'_>,
    ) -> syn::Result<bool> {
        match key.to_string().as_str() {
            "list_map_keys" => self.list_keys.set(cx, key, list_keys(key, input)?),
            "list_type" => self.list_type.set(cx, key, list_type(key, input)?),
            "map_type" => self.map_type.set(cx, key, map_type(key, input)?),
            "nullable" => self.nullable.set(cx, key, flag(key, input)?),
            "default" => self.default.set(cx, key, default(key, input)?),
            "int_or_string" => self.int_or_string.set(cx, key, flag(key, input)?),
            "preserve_unknown_fields" => {
                self.preserve_unknown_fields.set(cx, key, flag(key, input)?);
            }
            "embedded_resource" => self.embedded_resource.set(cx, key, flag(key, input)?),
            "validation" => self.validations.push(validation(cx, key, input)?),
            "recursion_depth" => self.recursion_depth.set(cx, key, depth::read(key, input)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reports attributes that contradict each other.
    pub(super) fn check(&self, cx: &Ctxt) {
        if let (Some(_), Some(key)) = (self.list_keys.get(), self.list_type.key()) {
            cx.error(
                key,
                "`list_map_keys` already sets the list type `map`: remove one of the two",
            );
        }
        if let (Some(true), Some(true)) =
            (self.int_or_string.get(), self.preserve_unknown_fields.get())
            && let Some(key) = self.preserve_unknown_fields.key()
        {
            cx.error(
                key,
                "an integer or a string has no fields, so the API server doesn't accept `int_or_string` together with \
                 `preserve_unknown_fields`: remove one of the two",
            );
        }
        if let (Some(true), Some(true)) = (self.int_or_string.get(), self.embedded_resource.get())
            && let Some(key) = self.embedded_resource.key()
        {
            cx.error(
                key,
                "an embedded resource is an object, and a field with `int_or_string` isn't: remove one of the two",
            );
        }
        self.check_depth(cx);
    }

    /// Reports attributes that leave no recursion to write out.
    fn check_depth(&self, cx: &Ctxt) {
        let Some(key) = self.recursion_depth.key() else { return };
        if self.preserve_unknown_fields.get() == Some(&true) {
            cx.error(
                key,
                "`preserve_unknown_fields` already ends the schema where the type first contains itself: remove one of the two",
            );
        }
        if self.int_or_string.get() == Some(&true) {
            cx.error(key, "an integer or a string contains nothing: remove `recursion_depth`");
        }
    }
}

/// The keys of [`OfType`], for the messages that list them.
pub(super) const KEYS_OF_TYPE: [&str; 3] = ["nullable", "map_type", "validation"];

/// The declarations on a type, which apply wherever it is used.
#[derive(Default)]
pub(crate) struct OfType {
    /// `nullable = false`.
    pub(crate) never_null: Once<()>,
    pub(crate) map_type: Once<&'static str>,
    pub(crate) validations: Vec<Validation>,
}

impl OfType {
    /// Reads an item; `false` if its key isn't one of these.
    pub(super) fn read(
        &mut self,
        cx: &Ctxt,
        key: &Ident,
        input: ParseStream<'_>,
    ) -> syn::Result<bool> {
        match key.to_string().as_str() {
            "nullable" => self.never_null.set(cx, key, never_null(key, input)?),
            "map_type" => self.map_type.set(cx, key, map_type(key, input)?),
            "validation" => self.validations.push(validation(cx, key, input)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads `= false`.
fn never_null(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    const ALREADY: &str = "an `Option` is already nullable: on a type, write `nullable = false` if none of its fields is, and `nullable` \
                           on each field that still is";
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(key, ALREADY));
    }
    input.parse::<Token![=]>()?;
    let written: LitBool = input
        .parse()
        .map_err(|error| syn::Error::new(error.span(), "on a type, write `nullable = false`"))?;
    if written.value { Err(syn::Error::new_spanned(written, ALREADY)) } else { Ok(()) }
}

const LIST_TYPES: [&str; 2] = ["set", "atomic"];
const MAP_TYPES: [&str; 2] = ["granular", "atomic"];

fn list_type(key: &Ident, input: ParseStream<'_>) -> syn::Result<&'static str> {
    let written = text(key, input)?;
    if written.value() == "map" {
        return Err(syn::Error::new_spanned(
            written,
            "a list of the type `map` needs keys that identify its items: write `list_map_keys(name)` instead",
        ));
    }
    one_of(key, &written, &LIST_TYPES)
}

fn map_type(key: &Ident, input: ParseStream<'_>) -> syn::Result<&'static str> {
    one_of(key, &text(key, input)?, &MAP_TYPES)
}

fn one_of(key: &Ident, written: &LitStr, known: &[&'static str]) -> syn::Result<&'static str> {
    let value = written.value();
    known.iter().find(|known| **known == value).copied().ok_or_else(|| {
        let near = did_you_mean(&value, known.iter().copied());
        let rest = if near.is_empty() {
            format!("; write one of {}", listed(known.iter().copied()))
        } else {
            near
        };
        syn::Error::new_spanned(written, format!("`{key}` can't be `{value}`{rest}"))
    })
}

fn default(key: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(
            key,
            "write `default = …` with the value that the API server fills in",
        ));
    }
    input.parse::<Token![=]>()?;
    constant(
        input,
        ", or write `#[serde(default = \"function\")]` instead, with a function that returns it",
    )
}

fn list_keys(key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<ListKey>> {
    const HOW: &str =
        "write `list_map_keys(name)` with the fields that identify the items of this list";
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    parenthesized(input, |content| {
        if content.is_empty() {
            return Err(syn::Error::new_spanned(key, HOW));
        }
        Ok(content.parse_terminated(list_key, Token![,])?.into_iter().collect())
    })
}

/// Reads a list key: a field's Rust name, or its name in JSON in quotes.
fn list_key(input: ParseStream<'_>) -> syn::Result<ListKey> {
    if input.peek(LitStr) {
        return input.parse().map(ListKey::Wire);
    }
    input.call(Ident::parse_any).map(Name::new).map(ListKey::Field).map_err(|error| {
        syn::Error::new(
            error.span(),
            "write a field's Rust name here, or its name in JSON in quotes",
        )
    })
}
