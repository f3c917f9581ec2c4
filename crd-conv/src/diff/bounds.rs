//! Compares bounds of values.

use super::catalog;
use super::collect::Changes;
use super::forms::UINT32;
use crate::json::{Json, Number};
use crate::schema::Schema;

/// A bound, and whether the bound itself is excluded.
type Bound = fn(&Schema) -> (Option<Number>, bool);

const UPPER: [(&str, Bound); 4] = [
    ("maximum", |schema| (schema.maximum, schema.exclusive_maximum)),
    ("maxLength", |schema| (schema.max_length.map(Number::Signed), false)),
    ("maxItems", |schema| (schema.max_items.map(Number::Signed), false)),
    ("maxProperties", |schema| (schema.max_properties.map(Number::Signed), false)),
];
const LOWER: [(&str, Bound); 4] = [
    ("minimum", |schema| (schema.minimum, schema.exclusive_minimum)),
    ("minLength", |schema| (schema.min_length.map(Number::Signed), false)),
    ("minItems", |schema| (schema.min_items.map(Number::Signed), false)),
    ("minProperties", |schema| (schema.min_properties.map(Number::Signed), false)),
];

pub(super) fn bounds(old: &Schema, new: &Schema, changes: &mut Changes) {
    for (bounds, sign) in [(UPPER, 1.0), (LOWER, -1.0)] {
        for (name, of) in bounds {
            if name == "maximum" && is_uint32(old, new) {
                changes.here(catalog::uint32_bound_added());
                continue;
            }
            let bound = |schema| {
                let (bound, exclusive) = of(schema);
                Some((bound?.as_f64() * sign, bound?, exclusive))
            };
            compare(name, bound(old), bound(new), changes);
        }
    }
    multiple(old, new, changes);
}

/// Whether the new bound is the one that the old schema's format implies. Other generators write it
/// out.
fn is_uint32(old: &Schema, new: &Schema) -> bool {
    old.format.as_deref() == Some(UINT32)
        && old.maximum.is_none()
        && new.maximum.map(Number::as_f64) == Some(f64::from(u32::MAX))
        && !new.exclusive_maximum
}

/// Compares two bounds. A bound is a number, its text, and whether it is exclusive. The smaller
/// number is stricter.
fn compare(
    name: &str,
    old: Option<(f64, Number, bool)>,
    new: Option<(f64, Number, bool)>,
    changes: &mut Changes,
) {
    let shown = |number: Number, exclusive: bool| {
        let exclusive = if exclusive { " (exclusive)" } else { "" };
        format!("{}{exclusive}", Json::Number(number))
    };
    match (old, new) {
        (None, Some((_, new, exclusive))) => {
            changes.here(catalog::bound_added(&name, &shown(new, exclusive)));
        }
        (Some(_), None) => changes.here(catalog::bound_removed(&name)),
        (Some((old_size, old, was_exclusive)), Some((new_size, new, exclusive)))
            if old != new || was_exclusive != exclusive =>
        {
            let tightened = new_size < old_size || (old == new && exclusive);
            let change = if tightened { catalog::bound_tightened } else { catalog::bound_loosened };
            changes.here(change(&name, &shown(old, was_exclusive), &shown(new, exclusive)));
        }
        _ => {}
    }
}

fn multiple(old: &Schema, new: &Schema, changes: &mut Changes) {
    let shown = Json::Number;
    match [old.multiple_of, new.multiple_of] {
        [Some(_), None] => changes.here(catalog::bound_removed(&"multipleOf")),
        [Some(before), Some(now)] if before == now => {}
        // Every multiple of the old number is a multiple of the new one, too.
        [Some(before), Some(now)] if before.as_f64() % now.as_f64() == 0.0 => {
            changes.here(catalog::multiple_loosened(&shown(now)));
        }
        [_, Some(now)] => changes.here(catalog::multiple_tightened(&shown(now))),
        [None, None] => {}
    }
}
