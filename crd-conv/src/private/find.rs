//! Finds fields by their names at compile time.

use super::VariantFacts;
use super::text::{Text, eq, nearest};
use crate::plan::Facts;

/// What messages search for names, and list.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    Fields(&'a [Facts]),
    Keys(&'a [(&'static str, &'a str)]),
    Variants(&'a [VariantFacts]),
}

impl Names<'_> {
    const fn nth(self, i: usize) -> Option<&'static str> {
        match self {
            Self::Fields(fields) if i < fields.len() => Some(fields[i].field.rust),
            Self::Keys(keys) if i < keys.len() => Some(keys[i].0),
            Self::Variants(variants) if i < variants.len() => Some(variants[i].variant.rust),
            _ => None,
        }
    }

    /// Returns the name nearest to another one that isn't in `taken`.
    pub(super) const fn nearest(self, name: &str, taken: &[&str]) -> Option<&'static str> {
        let mut best = None;
        let mut distance = usize::MAX;
        let mut i = 0;
        while let Some(candidate) = self.nth(i) {
            i += 1;
            if !contains(taken, candidate)
                && let Some(near) = nearest(candidate, name)
                && near < distance
            {
                best = Some(candidate);
                distance = near;
            }
        }
        best
    }

    const fn has(self, name: &str) -> bool {
        let mut i = 0;
        while let Some(candidate) = self.nth(i) {
            if eq(candidate, name) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether this name is the nearest to one of `named` that doesn't exist.
    pub(super) const fn is_meant(self, named: &[&str], name: &str) -> bool {
        let mut i = 0;
        while i < named.len() {
            if !self.has(named[i])
                && let Some(near) = self.nearest(named[i], named)
                && eq(near, name)
            {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Adds "did you mean", or all names if none is near.
    pub(super) const fn suggest(self, text: &Text, near: Option<&str>) -> Text {
        if let Some(near) = near {
            return text.put("; did you mean ").code(near).put("?");
        }
        let mut text = text.put("; it has ");
        let mut i = 0;
        while let Some(name) = self.nth(i) {
            text = if i > 0 { text.put(", ").code(name) } else { text.code(name) };
            i += 1;
        }
        match self {
            _ if i > 0 => text,
            Self::Variants(_) => text.put("none"),
            Self::Fields(_) | Self::Keys(_) => text.put("no fields"),
        }
    }
}

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
