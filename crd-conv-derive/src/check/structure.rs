//! Checks a versioned struct.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use quote::ToTokens;
use syn::{Attribute, FieldsNamed, Ident};

mod flat;
mod moved;
mod rules;
mod written;

use rules::rules;
use written::{Fields, Written};

use super::{older, same_schema_name, validation::validations};
use crate::{
    attr::{self, Once, serde, structure},
    ctxt::Ctxt,
    model::{Codec, Declared, Field, ListKey, OfType, Older, Struct, Upgrade},
    name::{Name, ends, shown},
};

pub(crate) fn structure(
    cx: &Ctxt,
    ident: &Ident,
    attrs: &[Attribute],
    container: &structure::Container,
    fields: &FieldsNamed,
) -> Struct {
    let serde = serde::container(cx, attrs);
    let remedy = "write `#[versioned(from = path::Older)]` on the struct";
    let older = older(cx, ident, container.from.get(), container.broken, remedy);
    let older = older.map(|path| Older {
        ty: path.to_token_stream(),
        shown: shown(path),
        ends: ends(path),
        of_variant: false,
    });
    let of = Of { ident: ident.clone(), shown: ident.to_string(), older };
    let declared = of_type(cx, &container.declared);
    Struct { declared, ..named(cx, of, serde, container, fields) }
}

/// The declarations on a struct or an enum as a whole.
pub(super) fn of_type(cx: &Ctxt, attr: &attr::declared::OfType) -> OfType {
    OfType {
        never_null: attr.never_null.key().is_some(),
        map_type: attr.map_type.get().copied(),
        validations: validations(cx, &attr.validations),
    }
}

/// The struct or variant that the fields belong to.
pub(crate) struct Of {
    pub(crate) ident: Ident,
    /// The name that messages show.
    pub(crate) shown: String,
    /// The older version. Without one, the remedy to suggest if attributes need one, or `None` if a
    /// mistake in `from` was already reported.
    pub(crate) older: Result<Older, Option<&'static str>>,
}

/// The fields of a struct or of a variant, without the declarations on the struct or enum as a
/// whole.
pub(crate) fn named(
    cx: &Ctxt,
    of: Of,
    serde: serde::Container,
    container: &structure::Container,
    fields: &FieldsNamed,
) -> Struct {
    let fields = written(cx, &serde, fields);
    let upgrade = match of.older {
        Ok(older) => {
            let mentions =
                container.maps.iter().flat_map(|map| map.newer.iter().cloned()).collect();
            let (rules, moves) = rules(cx, container, &fields);
            Some(Upgrade { older, rules, mentions, moves })
        }
        Err(remedy) => {
            if let Some(remedy) = remedy {
                without_older(cx, container, &fields.written, remedy);
            }
            None
        }
    };
    Struct {
        ident: of.ident,
        shown: of.shown,
        fields: fields.written.into_iter().map(|written| written.field).collect(),
        skipped: fields.skipped,
        declared: OfType::default(),
        default: serde.default,
        upgrade,
    }
}

/// The fields that are in JSON, and the names of the fields that serde skips.
fn written(cx: &Ctxt, container: &serde::Container, fields: &FieldsNamed) -> Fields {
    let mut all: Vec<Written> = Vec::new();
    let mut skipped = Vec::new();
    let mut wires: BTreeMap<String, String> = BTreeMap::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let name = Name::new(ident.clone());
        let serde = serde::field(cx, &field.attrs);
        let attr = structure::field(cx, &field.attrs);
        if serde.skip {
            if let Some(key) = attr.key().or(attr.declared.key()) {
                cx.error(key, "serde skips this field, so there is nothing to convert: remove one of the two attributes");
            }
            skipped.push(name.text);
            continue;
        }
        if serde.flatten {
            flat::check(cx, &serde, &attr);
            all.push(Written {
                field: Rc::new(Field {
                    index: all.len(),
                    name,
                    wire: String::new(),
                    flatten: true,
                    ty: field.ty.clone(),
                    default: None,
                    codec: Codec::Type,
                    skip_if: None,
                    aliased: false,
                    list_keys: Vec::new(),
                    nullable: None,
                    is_new: is_new(&attr),
                    declared: declared(cx, &attr.declared),
                }),
                attr,
            });
            continue;
        }
        let wire = serde.rename.clone().unwrap_or_else(|| container.rename_all.field(&name.text));
        let schema = match (&serde.schema_rename, &container.schema_rename_all) {
            (Some(rename), _) => Some((rename, rename.value())),
            (None, Some((rule, case))) if serde.rename.is_none() => {
                Some((rule, case.field(&name.text)))
            }
            _ => None,
        };
        same_schema_name(cx, schema, &name, &wire);
        if let Some(first) = wires.insert(wire.clone(), name.text.clone()) {
            cx.error(
                ident,
                format!(
                    "`{}` and `{first}` are both `{wire}` in JSON: rename one of them",
                    name.text
                ),
            );
        }
        if let Some(alias) = &serde.alias
            && let Some(key) = attr.key()
        {
            cx.error(
                alias,
                format!("`#[serde(alias = …)]` is only supported on a field that keeps its name, not together with `{key}`: remove the \
                         alias"),
            );
        }
        let list_keys = attr.declared.list_keys.get().cloned().unwrap_or_default();
        each_once(cx, &list_keys);
        all.push(Written {
            field: Rc::new(Field {
                index: all.len(),
                name,
                wire,
                flatten: false,
                ty: field.ty.clone(),
                default: serde.default,
                codec: serde.codec,
                skip_if: serde.skip_if,
                aliased: serde.alias.is_some(),
                list_keys,
                nullable: attr.declared.nullable.get().copied(),
                is_new: is_new(&attr),
                declared: declared(cx, &attr.declared),
            }),
            attr,
        });
    }
    Fields { written: all, skipped }
}

fn is_new(attr: &structure::Field) -> bool {
    attr.added.get().is_some_and(|added| added.is_new)
}

fn declared(cx: &Ctxt, attr: &attr::declared::Declared) -> Declared {
    let flag = |once: &Once<bool>| once.get().copied().unwrap_or_default();
    Declared {
        list_type: attr.list_type.get().copied(),
        map_type: attr.map_type.get().copied(),
        default: attr.default.get().cloned(),
        int_or_string: flag(&attr.int_or_string),
        preserve_unknown_fields: flag(&attr.preserve_unknown_fields),
        embedded_resource: flag(&attr.embedded_resource),
        validations: validations(cx, &attr.validations),
        recursion_depth: attr.recursion_depth.get().copied(),
    }
}

fn each_once(cx: &Ctxt, keys: &[ListKey]) {
    let mut seen = BTreeSet::new();
    for key in keys {
        let (tokens, text) = match key {
            ListKey::Field(name) => (name.ident.to_token_stream(), name.text.clone()),
            ListKey::Wire(wire) => (wire.to_token_stream(), wire.value()),
        };
        if !seen.insert(text.clone()) {
            cx.error(tokens, format!("`{text}` is written twice"));
        }
    }
}

/// Reports attributes that need `from`, if it is missing.
fn without_older(cx: &Ctxt, container: &structure::Container, written: &[Written], remedy: &str) {
    let on_struct = container.maps.iter().map(|map| (&map.key, map.key.to_string()));
    let removed =
        container.removed.iter().map(|removed| (&removed.name.ident, "removed".to_owned()));
    let on_fields =
        written.iter().filter_map(|written| written.attr.key().map(|key| (key, key.to_string())));
    let moved = container.moved.first();
    let moved = moved.map(|moved| (&moved.older[0][0].ident, moved.key().to_owned()));
    for (tokens, attribute) in on_struct.chain(removed).chain(moved).chain(on_fields) {
        cx.error(tokens, format!("`{attribute}` needs an older version: {remedy}"));
    }
}
