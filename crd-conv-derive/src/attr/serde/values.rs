//! Reads serde's attributes on an enum of values, on its variants, and on their unnamed values.

use syn::{Attribute, LitStr, Path};

use super::{Names, both_ways, case, each, refuse, rest, schema_rename_all};
use crate::{case::Case, ctxt::Ctxt, model::Tagging};

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
