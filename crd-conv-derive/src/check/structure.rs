//! Checks a versioned struct.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use quote::ToTokens;
use syn::{Attribute, FieldsNamed, Ident};

mod flat;
mod moved;
mod written;

use written::{Fields, Mapped, Written, newer_field};

use super::{Claims, older, same_schema_name, validation::validations};
use crate::{
    attr::{
        self, Once, serde,
        structure::{self, Added, Map, Removed},
    },
    ctxt::Ctxt,
    model::{
        Codec, Conversion, Declared, Field, ListKey, Moves, OfType, Older, OlderField, Reason,
        Rule, Struct, Upgrade,
    },
    name::{Name, ends, shown},
    types::inside_option,
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
    let moved = container.moved.first().and_then(|moved| moved.older.first());
    let moved = moved.map(|name| (&name.ident, "moved".to_owned()));
    for (tokens, attribute) in on_struct.chain(removed).chain(moved).chain(on_fields) {
        cx.error(tokens, format!("`{attribute}` needs an older version: {remedy}"));
    }
}

fn rules(cx: &Ctxt, container: &structure::Container, fields: &Fields) -> (Vec<Rule>, Moves) {
    let mut claims = Claims::of("field");
    let mut rules = Vec::new();
    let mut mapped = BTreeMap::new();
    for map in &container.maps {
        rules.extend(group(cx, map, fields, &mut claims, &mut mapped));
    }
    let ends = moved::moves(cx, &container.moved, fields, &mut claims, &mut mapped, &mut rules);
    let mut plain = Vec::new();
    for Written { field, attr } in &fields.written {
        if let Some(by) = mapped.get(&field.name.text) {
            if let Some(key) = attr.key() {
                cx.error(
                    key,
                    format!(
                        "`{}` is already named in `{by}(…)`, which says where it comes from: remove one of the two",
                        field.name.text
                    ),
                );
            }
            continue;
        }
        if attr.key().is_none() {
            plain.push(field);
            continue;
        }
        rules.extend(single(cx, field, attr, &mut claims));
    }
    for Removed { name, value } in &container.removed {
        let older = claims.claim_removed(cx, name);
        rules.push(Rule::Removed { older, value: value.clone() });
    }
    // Fields without an attribute come last, so that a conflict is reported at the attribute.
    for field in plain {
        if let Some(claim) = claims.get(&field.name.text) {
            cx.error(
                claim,
                format!(
                    "the field `{0}` has no attribute, so it keeps the older `{0}`: if it is a new field with the same name, write \
                     `#[versioned(added)]` on it",
                    field.name.text
                ),
            );
            continue;
        }
        let older = claims.claim(cx, &field.name, Reason::SameName);
        rules.push(Rule::Kept { older, newer: Rc::clone(field) });
    }
    let moves = moved::finish(cx, ends, &mut claims, &mut rules);
    (rules, moves)
}

/// The rule of a field with an attribute.
fn single(
    cx: &Ctxt,
    field: &Rc<Field>,
    attr: &structure::Field,
    claims: &mut Claims,
) -> Option<Rule> {
    let newer = Rc::clone(field);
    if let Some(Added { value, .. }) = attr.added.get() {
        if let Some(key) = attr.renamed_from.key() {
            cx.error(
                key,
                "a field can't be both `added` and `renamed_from` an older one: remove one of the two",
            );
            return None;
        }
        if let Some(key) = attr.with.key() {
            cx.error(
                key,
                "an added field has no older value for `with` to convert: remove one of the two",
            );
            return None;
        }
        if let Some(key) = attr.fallback.key().or(attr.refuses.key()) {
            cx.error(key, nothing_refused(key));
            return None;
        }
        if let Some(value) = value
            && inside_option(&field.ty).is_some()
        {
            cx.error(
                value,
                "an `Option` takes no value: write `added`, and the field is absent in objects that never had one",
            );
            return None;
        }
        return Some(Rule::Added { newer, value: value.clone() });
    }
    let older = match attr.renamed_from.get() {
        Some(name) => claims.claim(cx, name, Reason::Named),
        None => claims.claim(cx, &field.name, Reason::Converted),
    };
    let Some(by) = attr.with.get() else {
        if let Some(key) = attr.fallback.key().or(attr.refuses.key()) {
            cx.error(key, nothing_refused(key));
        }
        return Some(Rule::Kept { older, newer });
    };
    let fallback = attr.fallback.get().cloned().unwrap_or_default();
    let refuses = attr.refuses.get().cloned().unwrap_or_default();
    let by = Conversion { by: by.clone(), fallback, refuses };
    check_refusals(cx, &by, 1, 1);
    Some(Rule::Converted { older: vec![older], newer: vec![newer], by })
}

/// The rule of a `map(…)`.
fn group(
    cx: &Ctxt,
    map: &Map,
    fields: &Fields,
    claims: &mut Claims,
    mapped: &mut Mapped,
) -> Option<Rule> {
    let mut newer = Vec::new();
    for name in &map.newer {
        newer.extend(newer_field(cx, name, "map", fields, mapped));
    }
    let older: Vec<OlderField> =
        map.older.iter().map(|name| claims.claim(cx, name, Reason::Named)).collect();
    check_refusals(cx, &map.by, map.older.len(), map.newer.len());
    // A misspelled newer name was reported already.
    (newer.len() == map.newer.len()).then(|| Rule::Converted { older, newer, by: map.by.clone() })
}

fn nothing_refused(key: &Ident) -> String {
    format!(
        "nothing can be refused here: `{key}` is for values that a converter refuses; add `with = …`, or remove it"
    )
}

/// Checks that a fallback has a value for each field, and that `refuses` isn't set for the same
/// direction.
fn check_refusals(cx: &Ctxt, by: &Conversion, older: usize, newer: usize) {
    let Conversion { fallback, refuses, .. } = by;
    let sides = [
        (&fallback.upgrade, &refuses.upgrade, newer, "newer"),
        (&fallback.downgrade, &refuses.downgrade, older, "older"),
    ];
    for (values, why, fields, version) in sides {
        let Some((direction, values)) = values else { continue };
        if values.len() != fields {
            let plural = if fields == 1 { "" } else { "s" };
            let count = values.len();
            cx.error(
                direction,
                format!(
                    "the {version} version has {fields} field{plural} in this mapping, but the number of values is {count}: write a value \
                     for each field, in the order of the mapping, or `_` to leave a field out"
                ),
            );
        }
        if let Some((refused, _)) = why {
            cx.error(
                refused,
                format!(
                    "with `fallback({direction} = …)` no {direction} fails: remove `{refused}` from `refuses`, or from `fallback`"
                ),
            );
        }
    }
}
