//! Checks an enum of values.

use std::{collections::BTreeMap, rc::Rc};

use quote::{format_ident, quote};
use syn::{Attribute, DataEnum, Fields, FieldsNamed, Ident, Path};

use super::{
    Claims, older, same_schema_name,
    structure::{Of, named, of_type},
};
use crate::{
    attr::{serde, values},
    ctxt::Ctxt,
    model::{
        Content, Nameless, OfType, Older, Reason, Struct, Tagging, Values, ValuesUpgrade, Variant,
        VariantRule,
    },
    name::{Age, Name, did_you_mean, listed, shown},
};

/// A variant with its own attributes.
struct Written<'a> {
    variant: Rc<Variant>,
    attr: values::Variant,
    /// The named fields, with serde's attributes for all of them.
    fields: Option<(&'a FieldsNamed, serde::Container)>,
}

pub(crate) fn values(
    cx: &Ctxt,
    ident: &Ident,
    attrs: &[Attribute],
    container: &values::Container,
    data: &DataEnum,
) -> Values {
    // If no attribute declares an enum of values, and its variants are named like versions, the
    // author probably means a resource.
    let is_version = |variant: &syn::Variant| {
        let name = variant.ident.to_string().to_lowercase();
        !matches!(variant.fields, Fields::Unit) && Age::of(&name).is_some()
    };
    let says_nothing = !container.has_items
        && !attrs.iter().any(|attr| attr.path().is_ident("serde"))
        && !data.variants.is_empty()
        && data.variants.iter().all(is_version);
    if says_nothing && cx.count() == 0 {
        cx.error(
            ident,
            "the variants of this enum are named like versions: if it declares a resource, write `#[versioned(resource(group = \"…\", \
             plural = \"…\", scope = \"Namespaced\"))]` on it; if it is an enum of values, rename the variants",
        );
    }
    let serde = serde::values(cx, attrs);
    let (written, nameless) = written(cx, &serde, data);
    let remedy = "write `#[versioned(from = path::Older)]` on the enum";
    let older = older(cx, ident, container.from.get(), container.broken, remedy);
    let upgrade = older.map(|older| ValuesUpgrade {
        older: older.clone(),
        rules: rules(cx, container, &written, &nameless),
    });
    if let Err(Some(remedy)) = upgrade {
        without_older(cx, container, &written, remedy);
    }
    let mut structs: Vec<_> = written
        .iter()
        .filter_map(|written| {
            structure(cx, ident, upgrade.as_ref().map_err(|remedy| *remedy), written)
        })
        .collect();
    let declared = of_type(cx, &container.declared);
    for (_, fields) in &mut structs {
        fields.declared = OfType { never_null: declared.never_null, ..OfType::default() };
    }
    says_of_nothing(cx, container, &serde.tagging, &written);
    Values {
        ident: ident.clone(),
        tagging: serde.tagging,
        declared,
        variants: written.into_iter().map(|written| written.variant).collect(),
        nameless,
        structs,
        upgrade: upgrade.ok(),
    }
}

/// Reports declarations that apply to nothing in the enum.
fn says_of_nothing(
    cx: &Ctxt,
    container: &values::Container,
    tagging: &Tagging,
    written: &[Written<'_>],
) {
    if let Some(key) = container.declared.never_null.key()
        && written.iter().all(|written| written.fields.is_none())
    {
        cx.error(
            key,
            "`nullable = false` applies to the fields of variants, and no variant has any: write it on the structs that the variants hold, \
             or on the fields that have this type",
        );
    }
    let unit = |written: &&Written<'_>| matches!(written.variant.content, Content::Unit);
    if let Some(key) = container.declared.map_type.key()
        && let (Tagging::External, Some(written)) = (tagging, written.iter().find(unit))
    {
        cx.error(
            key,
            format!(
                "only an object has a map type, and `{}` is a string in JSON: remove `map_type`",
                written.variant.name.text
            ),
        );
    }
}

/// The variants that have a name in JSON, and the other variants.
fn written<'a>(
    cx: &Ctxt,
    container: &serde::Values,
    data: &'a DataEnum,
) -> (Vec<Written<'a>>, Vec<Nameless>) {
    let mut all: Vec<Written<'_>> = Vec::new();
    let mut nameless = Vec::new();
    let mut wires: BTreeMap<String, String> = BTreeMap::new();
    for variant in &data.variants {
        let name = Name::new(variant.ident.clone());
        let serde = serde::variant(cx, &variant.attrs);
        let has_fields = matches!(variant.fields, Fields::Named(_));
        let attr = values::variant(cx, &variant.attrs, has_fields);
        if serde.skip || serde.other {
            if let Some(key) = attr.key() {
                cx.error(
                    key,
                    if serde.skip {
                        "serde skips this variant, so there is nothing to convert: remove one of the two attributes"
                    } else {
                        "serde reads every name that it doesn't know as this variant, so conversions copy such names unchanged: remove \
                         this attribute"
                    },
                );
            }
            nameless.push((name.text, if serde.skip { "skip" } else { "other" }));
            continue;
        }
        let wire = serde.rename.clone().unwrap_or_else(|| container.rename_all.variant(&name.text));
        let schema = match (&serde.schema_rename, &container.schema_rename_all) {
            (Some(rename), _) => Some((rename, rename.value())),
            (None, Some((rule, case))) if serde.rename.is_none() => {
                Some((rule, case.variant(&name.text)))
            }
            _ => None,
        };
        same_schema_name(cx, schema, &name, &wire);
        if let Some(first) = wires.insert(wire.clone(), name.text.clone()) {
            cx.error(
                &name.ident,
                format!(
                    "`{}` and `{first}` are both `{wire}` in JSON: rename one of them",
                    name.text
                ),
            );
        }
        let content = content(cx, &variant.fields);
        if let Some(alias) = &serde.alias {
            if !matches!(content, Content::Unit) {
                cx.error(
                    alias,
                    "`#[serde(alias = …)]` is only supported on a variant that holds nothing, since data under the alias wouldn't be \
                     converted: remove the alias",
                );
            } else if let Some(key) = attr.key() {
                cx.error(
                    alias,
                    format!("`#[serde(alias = …)]` is only supported on a variant that keeps its name, not together with `{key}`: remove \
                             the alias"),
                );
            }
        }
        if matches!((&container.tagging, &content), (Tagging::Untagged, Content::Unit)) {
            cx.error(
                &name.ident,
                format!(
                    "without a tag, `{}` is null in JSON, which the API server drops: remove the variant, and make each field of this type \
                     an `Option`",
                    name.text
                ),
            );
        }
        let fields = match &variant.fields {
            Fields::Named(fields) => {
                let rename_all = serde.rename_all.unwrap_or(container.rename_all_fields);
                let schema_rename_all =
                    serde.schema_rename_all.or_else(|| container.schema_rename_all_fields.clone());
                Some((fields, serde::Container { rename_all, schema_rename_all, default: None }))
            }
            _ => None,
        };
        let aliased = serde.alias.is_some();
        let variant = Variant { index: all.len(), name, wire, aliased, content };
        all.push(Written { variant: Rc::new(variant), attr, fields });
    }
    (all, nameless)
}

fn content(cx: &Ctxt, fields: &Fields) -> Content {
    if let Fields::Unnamed(fields) = fields {
        for field in &fields.unnamed {
            serde::unnamed(cx, &field.attrs);
            for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("versioned")) {
                cx.error(
                    attr,
                    "an unnamed value in a variant can't have attributes: give it a name, or write the attributes on its type",
                );
            }
        }
    }
    match fields {
        Fields::Unit => Content::Unit,
        Fields::Named(_) => Content::Struct,
        Fields::Unnamed(fields) => {
            let mut types: Vec<_> = fields.unnamed.iter().map(|field| field.ty.clone()).collect();
            match (types.pop(), types.is_empty()) {
                (Some(only), true) => Content::Newtype(Box::new(only)),
                (last, _) => Content::Tuple(types.into_iter().chain(last).collect()),
            }
        }
    }
}

/// The fields of a variant, checked as the fields of a struct, with the variant's place.
fn structure(
    cx: &Ctxt,
    ident: &Ident,
    upgrade: Result<&ValuesUpgrade, Option<&'static str>>,
    Written { variant, attr, fields }: &Written<'_>,
) -> Option<(usize, Struct)> {
    let (fields, serde) = fields.as_ref()?;
    let older = match upgrade {
        Err(remedy) => Err(remedy),
        // A variant that couldn't be read was reported already.
        Ok(upgrade) => upgrade.rules.iter().find_map(|rule| match rule {
            VariantRule::Kept { older, newer } if newer.index == variant.index => {
                Some(Ok(older_fields(&upgrade.older, &older.name, variant)))
            }
            VariantRule::Added { newer, .. } if newer.index == variant.index => {
                Some(Err(Some("this variant has none, so remove it")))
            }
            _ => None,
        })?,
    };
    let of = Of {
        ident: format_ident!("__Fields{}", variant.index),
        shown: format!("{ident}::{}", variant.name.text),
        older,
    };
    Some((variant.index, named(cx, of, serde.clone(), &attr.fields, fields)))
}

fn older_fields(path: &Path, name: &Name, variant: &Variant) -> Older {
    let place = variant.place();
    let span = name.ident.span();
    Older {
        ty: quote!(<#path as __p::VariantFields<#place>>::Fields),
        shown: format!("{}::{}", shown(path), name.text),
        ends: (span, span),
        of_variant: true,
    }
}

/// Reports attributes that need `from`, if it is missing.
fn without_older(cx: &Ctxt, container: &values::Container, written: &[Written<'_>], remedy: &str) {
    let removed =
        container.removed.iter().map(|removed| (&removed.older.ident, "removed".to_owned()));
    let on_variants =
        written.iter().filter_map(|written| written.attr.key().map(|key| (key, key.to_string())));
    for (tokens, attribute) in removed.chain(on_variants) {
        cx.error(tokens, format!("`{attribute}` needs an older version: {remedy}"));
    }
}

fn rules(
    cx: &Ctxt,
    container: &values::Container,
    written: &[Written<'_>],
    nameless: &[Nameless],
) -> Vec<VariantRule> {
    let mut claims = Claims::of("variant");
    let mut rules = Vec::new();
    let mut plain = Vec::new();
    for Written { variant, attr, .. } in written {
        let newer = Rc::clone(variant);
        match (attr.added.get(), attr.renamed_from.get()) {
            (Some(_), Some(_)) => cx.error(
                attr.renamed_from.key(),
                "a variant can't be both `added` and `renamed_from` an older one: remove one of the two",
            ),
            (Some(shown_as), None) => {
                rules.push(VariantRule::Added { newer, shown_as: shown_as.clone() });
            }
            (None, Some(name)) => {
                let older = claims.claim(cx, name, Reason::Named);
                rules.push(VariantRule::Kept { older, newer });
            }
            (None, None) if attr.broken => {}
            (None, None) => plain.push(newer),
        }
    }
    for values::Removed { older, shown_as } in &container.removed {
        let older = claims.claim_removed(cx, older);
        let all = written.iter().map(|written| &written.variant);
        if let Some(variant) = all.clone().find(|variant| variant.name.text == shown_as.text) {
            let tokens = shown_as.ident.clone();
            rules.push(VariantRule::Removed { older, shown_as: Rc::clone(variant), tokens });
        } else if let Some((name, attribute)) =
            nameless.iter().find(|(name, _)| *name == shown_as.text)
        {
            cx.error(
                &shown_as.ident,
                format!("`{name}` has `#[serde({attribute})]`, so no object shows it: write a variant that has a name in JSON"),
            );
        } else {
            let names = all.map(|variant| &*variant.name.text);
            let near = did_you_mean(&shown_as.text, names.clone());
            let rest = if near.is_empty() { format!("; it has {}", listed(names)) } else { near };
            cx.error(
                &shown_as.ident,
                format!("this enum has no variant `{}`{rest}", shown_as.text),
            );
        }
    }
    // Variants without an attribute come last, so that a conflict is reported at the attribute.
    for newer in plain {
        if let Some(claim) = claims.get(&newer.name.text) {
            cx.error(
                claim,
                format!(
                    "the variant `{0}` has no attribute, so it keeps the older `{0}`: if it is a new variant with the same name, write \
                     `#[versioned(added(shown_as = …))]` on it",
                    newer.name.text
                ),
            );
            continue;
        }
        let older = claims.claim(cx, &newer.name, Reason::SameName);
        rules.push(VariantRule::Kept { older, newer });
    }
    rules
}
