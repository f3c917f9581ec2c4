//! Reads serde's attributes, as far as they decide the JSON. An attribute whose effect can't be
//! followed is refused. A malformed attribute is left for serde's own derive to report.

use syn::{Attribute, LitStr, Path, Token, meta::ParseNestedMeta, spanned::Spanned, token};

use crate::{
    case::Case,
    ctxt::Ctxt,
    model::{Codec, Default, Tagging},
    name::shown,
};

/// Attributes of a struct, or of the fields of a variant.
#[derive(Clone)]
pub(crate) struct Container {
    pub(crate) rename_all: Case,
    /// Schemars' own `rename_all`, with its tokens.
    pub(crate) schema_rename_all: Option<(LitStr, Case)>,
    pub(crate) default: Option<Default>,
}

/// Attributes of a field.
pub(crate) struct Field {
    pub(crate) rename: Option<String>,
    /// Schemars' own name for the field.
    pub(crate) schema_rename: Option<LitStr>,
    pub(crate) default: Option<Default>,
    pub(crate) codec: Codec,
    pub(crate) skip_if: Option<Path>,
    pub(crate) alias: Option<Path>,
    /// Whether serde skips the field in both directions.
    pub(crate) skip: bool,
    /// Whether the fields inside this one are next to the other fields in JSON.
    pub(crate) flatten: bool,
    /// The items that serde ignores on a flattened field.
    pub(crate) named: Vec<Path>,
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container =
        Container { rename_all: Case::Unchanged, schema_rename_all: None, default: None };
    each(attrs, "serde", |name, meta| {
        match name {
            "rename_all" => {
                if let Some(case) = case(cx, meta, "field", name)? {
                    container.rename_all = case;
                }
            }
            "default" => container.default = Some(default(meta)?),
            "transparent" => refuse(
                cx,
                meta,
                "`#[serde(transparent)]` isn't supported on a versioned struct, which must be an object in JSON: derive `Versioned` only \
                 on the struct that has a field of this type",
            ),
            "from" | "into" | "try_from" | "remote" => refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name} = …)]` isn't supported on a versioned struct: its own fields then aren't in JSON"
                ),
            ),
            "tag" | "content" | "untagged" => refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name})]` isn't supported on a versioned struct: mappings don't cover fields that serde adds; write a field \
                     instead"
                ),
            ),
            _ => {}
        }
        rest(meta)
    });
    container.schema_rename_all = schema_rename_all(attrs, "rename_all");
    container
}

pub(crate) fn field(cx: &Ctxt, attrs: &[Attribute]) -> Field {
    let mut field = Field {
        rename: None,
        schema_rename: None,
        default: None,
        codec: Codec::Type,
        skip_if: None,
        alias: None,
        skip: false,
        flatten: false,
        named: Vec::new(),
    };
    let (mut serialize, mut deserialize) = (None, None);
    let (mut skip_serializing, mut skip_deserializing) = (None, None);
    each(attrs, "serde", |name, meta| {
        if ["rename", "alias", "with", "serialize_with", "deserialize_with"].contains(&name) {
            field.named.push(meta.path.clone());
        }
        match name {
            "rename" => {
                let names = Names::read(meta)?;
                field.rename = names
                    .one(cx, meta, "field", "rename")
                    .map(LitStr::value)
                    .or(field.rename.take());
            }
            "default" => field.default = Some(default(meta)?),
            "skip" => field.skip = true,
            "skip_serializing" => skip_serializing = Some(meta.path.clone()),
            "skip_deserializing" => skip_deserializing = Some(meta.path.clone()),
            "skip_serializing_if" => field.skip_if = Some(quoted(meta)?),
            "alias" => field.alias = Some(meta.path.clone()),
            "with" => {
                let module = quoted(meta)?;
                let function = |name: &str| {
                    let mut path = module.clone();
                    path.segments.push(syn::Ident::new(name, module.span()).into());
                    path
                };
                field.codec = Codec::Functions {
                    serialize: function("serialize"),
                    deserialize: function("deserialize"),
                };
            }
            "serialize_with" => serialize = Some((meta.path.clone(), quoted(meta)?)),
            "deserialize_with" => deserialize = Some((meta.path.clone(), quoted(meta)?)),
            "flatten" => field.flatten = true,
            "borrow" => refuse(
                cx,
                meta,
                "`#[serde(borrow)]` isn't supported in a versioned struct: use a type that owns its data",
            ),
            "getter" => {
                refuse(cx, meta, "`#[serde(getter)]` isn't supported in a versioned struct");
            }
            _ => {}
        }
        rest(meta)
    });
    each(attrs, "schemars", |name, meta| {
        if name == "rename" {
            field.schema_rename = Names::read(meta)?.serialize;
        }
        rest(meta)
    });
    match (serialize, deserialize) {
        (Some((_, serialize)), Some((_, deserialize))) => {
            field.codec = Codec::Functions { serialize, deserialize };
        }
        (Some((key, _)), None) if matches!(field.codec, Codec::Type) => {
            cx.error(key, "a converted object must be read back as it was written: write `deserialize_with` too");
        }
        (None, Some((key, _))) if matches!(field.codec, Codec::Type) => {
            cx.error(key, "a converted object must be read back as it was written: write `serialize_with` too");
        }
        _ => {}
    }
    field.skip |= both_ways(cx, "field", field.skip, skip_serializing, skip_deserializing);
    field
}

/// Attributes of an enum of values.
pub(crate) struct Values {
    pub(crate) rename_all: Case,
    /// The case rule for the fields of all variants.
    pub(crate) rename_all_fields: Case,
    /// Schemars' own case rules, with their tokens.
    pub(crate) schema_rename_all: Option<(LitStr, Case)>,
    pub(crate) schema_rename_all_fields: Option<(LitStr, Case)>,
    pub(crate) tagging: Tagging,
}

/// Attributes of a variant of an enum of values.
pub(crate) struct Variant {
    /// The case rule for the variant's fields.
    pub(crate) rename_all: Option<Case>,
    /// Schemars' own case rule for the fields, with its tokens.
    pub(crate) schema_rename_all: Option<(LitStr, Case)>,
    pub(crate) rename: Option<String>,
    /// Schemars' own name for the variant.
    pub(crate) schema_rename: Option<LitStr>,
    pub(crate) alias: Option<Path>,
    /// Whether the variant takes every name that serde doesn't know.
    pub(crate) other: bool,
    /// Whether serde skips the variant in both directions.
    pub(crate) skip: bool,
}

pub(crate) fn values(cx: &Ctxt, attrs: &[Attribute]) -> Values {
    let mut values = Values {
        rename_all: Case::Unchanged,
        rename_all_fields: Case::Unchanged,
        schema_rename_all: schema_rename_all(attrs, "rename_all"),
        schema_rename_all_fields: schema_rename_all(attrs, "rename_all_fields"),
        tagging: Tagging::External,
    };
    let (mut tag, mut content, mut untagged) = (None, None, false);
    each(attrs, "serde", |name, meta| {
        match name {
            "rename_all" => {
                if let Some(case) = case(cx, meta, "variant", name)? {
                    values.rename_all = case;
                }
            }
            "rename_all_fields" => {
                if let Some(case) = case(cx, meta, "field", name)? {
                    values.rename_all_fields = case;
                }
            }
            "tag" => tag = Some(meta.value()?.parse::<LitStr>()?.value()),
            "content" => content = Some(meta.value()?.parse::<LitStr>()?.value()),
            "untagged" => untagged = true,
            "transparent" | "from" | "into" | "try_from" | "remote" => {
                let value = if name == "transparent" { "" } else { " = …" };
                refuse(
                    cx,
                    meta,
                    &format!(
                        "`#[serde({name}{value})]` isn't supported on a versioned enum: its own variants then aren't in JSON; remove \
                         `Versioned`, and fields of this type are copied unchanged unless they have a converter"
                    ),
                );
            }
            _ => {}
        }
        rest(meta)
    });
    values.tagging = match (tag, content) {
        _ if untagged => Tagging::Untagged,
        (Some(tag), Some(content)) => Tagging::Adjacent { tag, content },
        (Some(tag), None) => Tagging::Internal { tag },
        (None, _) => Tagging::External,
    };
    values
}

pub(crate) fn variant(cx: &Ctxt, attrs: &[Attribute]) -> Variant {
    let mut variant = Variant {
        rename_all: None,
        schema_rename_all: schema_rename_all(attrs, "rename_all"),
        rename: None,
        schema_rename: None,
        alias: None,
        other: false,
        skip: false,
    };
    let (mut skip_serializing, mut skip_deserializing) = (None, None);
    each(attrs, "serde", |name, meta| {
        match name {
            "rename" => {
                let names = Names::read(meta)?;
                variant.rename = names
                    .one(cx, meta, "variant", "rename")
                    .map(LitStr::value)
                    .or(variant.rename.take());
            }
            "rename_all" => {
                if let Some(case) = case(cx, meta, "field", name)? {
                    variant.rename_all = Some(case);
                }
            }
            "alias" => variant.alias = Some(meta.path.clone()),
            "other" => variant.other = true,
            "skip" => variant.skip = true,
            "skip_serializing" => skip_serializing = Some(meta.path.clone()),
            "skip_deserializing" => skip_deserializing = Some(meta.path.clone()),
            "untagged" => refuse(
                cx,
                meta,
                "`#[serde(untagged)]` isn't supported on a variant of a versioned enum: write it on the enum",
            ),
            "with" | "serialize_with" | "deserialize_with" => refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name} = …)]` isn't supported on a variant of a versioned enum: let the variant hold a type that serde \
                     writes this way",
                ),
            ),
            _ => {}
        }
        rest(meta)
    });
    each(attrs, "schemars", |name, meta| {
        if name == "rename" {
            variant.schema_rename = Names::read(meta)?.serialize;
        }
        rest(meta)
    });
    variant.skip |= both_ways(cx, "variant", variant.skip, skip_serializing, skip_deserializing);
    variant
}

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

/// Refuses attributes on a variant's unnamed values, which have to have serde's usual form.
pub(crate) fn unnamed(cx: &Ctxt, attrs: &[Attribute]) {
    each(attrs, "serde", |name, meta| {
        if !matches!(name, "bound" | "crate") {
            refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name})]` isn't supported on an unnamed value in a variant: give the value a name, or use a type that serde \
                     writes this way"
                ),
            );
        }
        rest(meta)
    });
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
