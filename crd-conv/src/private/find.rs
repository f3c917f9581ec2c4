//! Finds fields by their names at compile time.

use super::text::{eq, nearest};
use crate::plan::Facts;

/// Whether the derive of this type failed. Then no other message about it is useful.
pub(super) const fn broken(fields: &[Facts]) -> bool {
    fields.len() == 1 && fields[0].field.rust.is_empty()
}

pub(super) const fn find<'a>(fields: &'a [Facts], name: &str) -> Option<&'a Facts> {
    match place(fields, name) {
        Some(place) => Some(&fields[place]),
        None => None,
    }
}

pub(super) const fn place(fields: &[Facts], name: &str) -> Option<usize> {
    let mut i = 0;
    while i < fields.len() {
        if eq(fields[i].field.rust, name) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Like [`place`], for a field that is probably at the same place as in the other version, because
/// constants are slow.
pub(super) const fn place_near(fields: &[Facts], name: &str, near: usize) -> Option<usize> {
    if near < fields.len() && eq(fields[near].field.rust, name) {
        return Some(near);
    }
    place(fields, name)
}

pub(super) const fn contains(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if eq(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

/// The field with the nearest name that isn't in `taken`.
pub(super) const fn nearest_field(
    fields: &[Facts],
    name: &str,
    taken: &[&str],
) -> Option<&'static str> {
    let mut best = None;
    let mut distance = usize::MAX;
    let mut i = 0;
    while i < fields.len() {
        let candidate = fields[i].field.rust;
        i += 1;
        if contains(taken, candidate) {
            continue;
        }
        if let Some(near) = nearest(candidate, name)
            && near < distance
        {
            best = Some(candidate);
            distance = near;
        }
    }
    best
}

/// The only field that isn't in `taken`.
pub(super) const fn only_field(fields: &[Facts], taken: &[&str]) -> Option<&'static str> {
    let mut only = None;
    let mut i = 0;
    while i < fields.len() {
        let candidate = fields[i].field.rust;
        i += 1;
        if !contains(taken, candidate) {
            if only.is_some() {
                return None;
            }
            only = Some(candidate);
        }
    }
    only
}
