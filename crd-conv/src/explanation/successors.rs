//! What became of the fields of an older version, hop after hop.

use super::{Detail, Hop, Mapping, Row, Value};

/// A field or a variant that isn't in the same place in the newest of some versions.
pub(crate) struct Successor {
    /// Where it is in the oldest of the versions.
    pub(crate) older: Value,
    /// Where the newest version has it, in one or several parts. Empty if it doesn't.
    pub(crate) newer: Vec<Value>,
}

/// Returns what the last of these hops' versions has in another place, or doesn't have, in the
/// order of the rules. Follows a type that contains itself only once.
pub(crate) fn successors(hops: &[Hop]) -> Vec<Successor> {
    let mut found: Vec<Successor> = Vec::new();
    for (place, hop) in hops.iter().enumerate() {
        let (before, after) = (&hops[..place], &hops[place + 1..]);
        for row in hop.rows.iter().filter(|row| may_be_elsewhere(&row.mapping)) {
            for value in &row.older {
                let Some(older) = back(before, value) else { continue };
                let newer: Vec<_> =
                    row.newer.iter().flat_map(|value| forward(after, value)).collect();
                let is_known = found.iter().any(|known| known.older == older);
                if !is_known && newer.iter().all(|newer| !is_same_place(newer, &older)) {
                    found.push(Successor { older, newer });
                }
            }
        }
    }
    found
}

/// Whether the newer version may have what the older one has in another place, or not at all.
fn may_be_elsewhere(mapping: &Mapping) -> bool {
    // What moves out of a struct has a row of its own.
    !matches!(mapping, Mapping::Kept | Mapping::Holder)
}

fn variant(value: &Value) -> Option<&'static str> {
    match value.detail {
        Detail::Variant(name) => Some(name),
        Detail::Type(_) | Detail::None => None,
    }
}

/// The Rust type may be another one.
fn is_same_place(a: &Value, b: &Value) -> bool {
    a.path == b.path && variant(a) == variant(b)
}

/// Where a value was before these hops, if it was there in one place.
fn back(hops: &[Hop], value: &Value) -> Option<Value> {
    hops.iter().rev().try_fold(value.clone(), |value, hop| {
        match across(&hop.rows, &value, |row| (&row.newer, &row.older)) {
            Across::Same => Some(value),
            Across::Other(mut values) => values.pop().filter(|_| values.is_empty()),
            Across::Inside(_) => None,
        }
    })
}

/// Where a value is after these hops.
fn forward(hops: &[Hop], value: &Value) -> Vec<Value> {
    hops.iter().fold(vec![value.clone()], |values, hop| {
        let next = values.into_iter().map(|value| {
            match across(&hop.rows, &value, |row| (&row.older, &row.newer)) {
                Across::Same => vec![value],
                Across::Other(values) | Across::Inside(values) => values,
            }
        });
        next.flatten().collect()
    })
}

/// The other side of a value.
enum Across {
    /// No row is about it.
    Same,
    /// These values.
    Other(Vec<Value>),
    /// Somewhere in these values, which a converter makes.
    Inside(Vec<Value>),
}

/// Finds the row of a value, or of the innermost value around it. `sides` returns the value's side
/// of a row, and then the other one.
fn across(
    rows: &[Row],
    value: &Value,
    sides: impl for<'r> Fn(&'r Row) -> (&'r [Value], &'r [Value]),
) -> Across {
    if let Some(name) = variant(value) {
        let is_own = |own: &Value| own.path == value.path && variant(own) == Some(name);
        if let Some(row) = rows.iter().find(|row| sides(row).0.iter().any(is_own)) {
            return Across::Other(sides(row).1.to_vec());
        }
    }
    let segments = value.path.segments();
    let around = rows.iter().flat_map(|row| {
        let own = sides(row).0.iter();
        let own =
            own.filter(|own| variant(own).is_none() && segments.starts_with(own.path.segments()));
        own.map(move |own| (row, own.path.segments().len()))
    });
    let Some((row, length)) = around.max_by_key(|(_, length)| *length) else {
        return Across::Same;
    };
    let (rest, other) = (&segments[length..], sides(row).1);
    match (&row.mapping, other) {
        (Mapping::Converted { .. }, _) if !rest.is_empty() => Across::Inside(other.to_vec()),
        (Mapping::Converted { .. }, _) | (_, []) => Across::Other(other.to_vec()),
        (_, others) => {
            let inside = |one: &Value| Value { path: one.path.then(rest), detail: value.detail };
            Across::Other(others.iter().map(inside).collect())
        }
    }
}
