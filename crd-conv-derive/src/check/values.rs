//! An enum of values.

use std::{collections::BTreeMap, rc::Rc};

use syn::{Attribute, DataEnum, Fields, Ident};

use super::{Claims, same_schema_name};
use crate::{
    attr::{serde, values},
    ctxt::Ctxt,
    model::{Reason, Values, ValuesUpgrade, Variant, VariantRule},
    name::{Name, did_you_mean, listed},
};

/// A variant with what its own attributes say.
struct Written {
    variant: Rc<Variant>,
    attr: values::Variant,
}

pub(crate) fn values(
    cx: &Ctxt,
    ident: &Ident,
    attrs: &[Attribute],
    container: &values::Container,
    data: &DataEnum,
) -> Values {
    // An enum that was misread may be something else.
    let misread = cx.count() > 0;
    let serde = serde::values(cx, attrs);
    let with_data = data.variants.iter().filter(|variant| !matches!(variant.fields, Fields::Unit));
    // An enum that nothing says values of is a resource to be.
    let says_nothing = !container.has_items
        && !attrs.iter().any(|attr| attr.path().is_ident("serde"))
        && with_data.clone().count() == data.variants.len();
    if says_nothing {
        cx.error(
            ident,
            "write `#[versioned(resource(group = \"…\", plural = \"…\", scope = \"Namespaced\"))]` on an enum that \
             declares a resource; an enum of values has variants that are plain names in JSON",
        );
    } else if !misread {
        for variant in with_data {
            cx.error(
                &variant.ident,
                "only variants that are plain names in JSON can be mapped yet: without `Versioned` a field of this \
                 type passes unchanged if both versions have the same type, or goes through a converter, \
                 `#[versioned(with = …)]`",
            );
        }
    }
    let written = written(cx, &serde, data);
    let upgrade = if let Some(older) = container.from.get() {
        Some(ValuesUpgrade { older: older.clone(), rules: rules(cx, container, &written) })
    } else {
        without_older(cx, container, &written);
        None
    };
    Values {
        ident: ident.clone(),
        variants: written.into_iter().map(|written| written.variant).collect(),
        upgrade,
    }
}

/// The variants that have a name in JSON.
fn written(cx: &Ctxt, container: &serde::Values, data: &DataEnum) -> Vec<Written> {
    let mut all: Vec<Written> = Vec::new();
    let mut wires: BTreeMap<String, String> = BTreeMap::new();
    for variant in data.variants.iter().filter(|variant| matches!(variant.fields, Fields::Unit)) {
        let name = Name::new(variant.ident.clone());
        let serde = serde::variant(cx, &variant.attrs);
        let attr = values::variant(cx, &variant.attrs);
        if serde.skip || serde.other {
            if let Some(key) = attr.key() {
                cx.error(
                    key,
                    if serde.skip {
                        "serde skips this variant, so there is nothing to convert: take one of the two attributes out"
                    } else {
                        "serde reads every name that it doesn't know as this variant, so such names are copied as they \
                         stand: take this attribute out"
                    },
                );
            }
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
                format!("`{}` and `{first}` are both `{wire}` in JSON", name.text),
            );
        }
        if let Some(alias) = &serde.alias
            && let Some(key) = attr.key()
        {
            cx.error(
                alias,
                format!("`#[serde(alias = …)]` is only supported on a variant that keeps its name, not beside `{key}`"),
            );
        }
        let aliased = serde.alias.is_some();
        all.push(Written { variant: Rc::new(Variant { name, wire, aliased }), attr });
    }
    all
}

/// Without `from` there is nothing that the other attributes could speak of.
fn without_older(cx: &Ctxt, container: &values::Container, written: &[Written]) {
    let removed =
        container.removed.iter().map(|removed| (&removed.older.ident, "removed".to_owned()));
    let on_variants =
        written.iter().filter_map(|written| written.attr.key().map(|key| (key, key.to_string())));
    for (tokens, attribute) in removed.chain(on_variants) {
        cx.error(
            tokens,
            format!("`{attribute}` speaks of an older version: name it on the enum with `#[versioned(from = path::Older)]`"),
        );
    }
}

fn rules(cx: &Ctxt, container: &values::Container, written: &[Written]) -> Vec<VariantRule> {
    let mut claims = Claims::of("variant");
    let mut rules = Vec::new();
    let mut plain = Vec::new();
    for Written { variant, attr } in written {
        let newer = Rc::clone(variant);
        match (attr.added.get(), attr.renamed_from.get()) {
            (Some(_), Some(_)) => cx.error(
                attr.renamed_from.key(),
                "a variant is either `added` or `renamed_from` an older one: take one of the two out",
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
        let older = claims.claim(cx, older, Reason::Named);
        let all = written.iter().map(|written| &written.variant);
        if let Some(variant) = all.clone().find(|variant| variant.name.text == shown_as.text) {
            rules.push(VariantRule::Removed { older, shown_as: Rc::clone(variant) });
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
    // Last, so that a conflict is shown at the attribute.
    for newer in plain {
        if let Some(claim) = claims.get(&newer.name.text) {
            cx.error(
                claim,
                format!(
                    "the variant `{0}` has no attribute and so keeps the older `{0}`: if it is a new variant of the \
                     same name, write `#[versioned(added(shown_as = …))]` on it",
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
