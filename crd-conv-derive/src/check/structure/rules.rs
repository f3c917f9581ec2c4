//! Checks how a struct's fields came from those of the older version, and makes their rules.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    flat, moved,
    written::{Fields, Mapped, Written, newer_field},
};
use crate::{
    attr::structure::{self, Added, Map, Removed},
    check::{Claims, refusals},
    ctxt::Ctxt,
    model::{Field, Moves, OlderField, Reason, Rule},
    types::inside_option,
};

pub(super) fn rules(
    cx: &Ctxt,
    container: &structure::Container,
    fields: &Fields,
) -> (Vec<Rule>, Moves) {
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
        if let Some(key) = attr.converts.with.key() {
            cx.error(
                key,
                "an added field has no older value for `with` to convert: remove one of the two",
            );
            return None;
        }
        if attr.converts.key().is_some() {
            // There is only a key that needs a converter, which this reports.
            attr.converts.conversion(cx);
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
    let Some(by) = attr.converts.conversion(cx) else {
        return Some(Rule::Kept { older, newer });
    };
    refusals(cx, &by, 1, 1);
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
        let field = newer_field(cx, name, "map", fields, mapped);
        if field.as_ref().is_some_and(|field| field.flatten) {
            flat::no_converter(cx, &name.ident);
        }
        newer.extend(field);
    }
    let older: Vec<OlderField> =
        map.older.iter().map(|name| claims.claim(cx, name, Reason::Named)).collect();
    refusals(cx, &map.by, map.older.len(), map.newer.len());
    // A misspelled newer name was reported already.
    (newer.len() == map.newer.len()).then(|| Rule::Converted { older, newer, by: map.by.clone() })
}
