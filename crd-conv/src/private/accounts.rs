//! The rules between two versions of a struct by field, for moves into the struct or out of it.

use super::find::{broken, contains, find, place};
use super::holder::Held;
use super::shape::{NOWHERE, Shape, Unknown};
use super::text::{Text, eq};
use crate::plan::Facts;

/// The rules between two versions of a struct, by the Rust names of its fields.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// The fields that both versions have, as pairs of the older and the newer name.
    pub kept: &'static [(&'static str, &'static str)],
    /// Fields that only the newer version has.
    pub added: &'static [&'static str],
    /// Fields that only the older version has.
    pub removed: &'static [&'static str],
    /// All other fields, of the older and of the newer version.
    pub mapped: [&'static [&'static str]; 2],
    /// Whether both versions have the same type, which keeps all of its fields.
    pub same: bool,
    /// Whether nothing is known, because of a mistake that is reported elsewhere.
    pub broken: bool,
}

/// The account of a type that is the same in both versions.
pub const SAME: Account =
    Account { kept: &[], added: &[], removed: &[], mapped: [&[], &[]], same: true, broken: false };

/// The account of a type whose own derive failed, or that doesn't exist.
pub(super) const NO_ACCOUNT: Account =
    Account { kept: &[], added: &[], removed: &[], mapped: [&[], &[]], same: false, broken: true };

impl Account {
    /// The fields that only one version has.
    pub(super) const fn own(&self, newer: bool) -> &'static [&'static str] {
        if newer { self.added } else { self.removed }
    }
}

/// Describes what each field became since the older version.
#[diagnostic::on_unimplemented(
    message = "nothing says how `{Older}` becomes `{Self}`",
    label = "a value moves into it or out of it",
    note = "write `#[versioned(from = …)]` on `{Self}`"
)]
pub trait Accounts<Older> {
    /// The rules by field.
    const ACCOUNT: Account = NO_ACCOUNT;
}

impl<Older> Accounts<Older> for Unknown {}

/// Returns the rules for the fields of a struct.
pub const fn account<O: Shape, N: Accounts<O>>(_: &Held<O>, _: &Held<N>) -> &'static Account {
    &N::ACCOUNT
}

/// Whether only one version has a field on the path to a moved value, in a struct that both
/// versions have.
///
/// # Panics
///
/// Panics at compile time if the last field on the path isn't one that only this version has.
#[track_caller]
#[expect(clippy::too_many_arguments, reason = "what a message says of two versions")]
pub const fn only_here(
    account: &Account,
    newer: bool,
    own: &[Facts],
    own_shown: &str,
    other: &[Facts],
    other_shown: &str,
    name: &str,
    last: bool,
) -> bool {
    if account.broken || broken(own) || broken(other) || find(own, name).is_none() {
        return true;
    }
    if contains(account.own(newer), name) {
        return true;
    }
    match twin(account, newer, name) {
        // If the other version lacks the field, the mistake is reported there, or the field isn't
        // kept.
        Some(twin) if find(other, twin).is_none() => return true,
        Some(_) if !last => return false,
        Some(_) if eq(own_shown, other_shown) => Text::new()
            .code(name)
            .put(" can't move, since ")
            .code(own_shown)
            .put(" is the type in both versions, so both have the field there: give the newer version a type of ")
            .put("its own, with `#[versioned(from = …)]`")
            .fail(),
        Some(twin) => {
            let text = Text::new().code(name).put(" of ").code(own_shown);
            let text = if newer {
                text.put(" comes from ").code(twin).put(" of ").code(other_shown).put(
                    ", so nothing else can move into it: write `#[versioned(added)]` on it if it is new",
                )
            } else {
                text.put(" becomes ")
                    .code(twin)
                    .put(" of ")
                    .code(other_shown)
                    .put(", so it can't move: write `removed(")
                    .put(name)
                    .put(")` in the `#[versioned(…)]` of ")
                    .code(other_shown)
                    .put(" if it is gone from there")
            };
            text.fail()
        }
        None => {}
    }
    if contains(account.mapped[newer as usize], name) {
        let text = Text::new().code(name).put(" of ").code(own_shown);
        if newer {
            text.put(" comes from other fields there, so nothing else can move into it: write `#[versioned(added)]` on it instead")
        } else {
            text.put(" becomes other fields of ")
                .code(other_shown)
                .put(", so it can't move: write `removed(")
                .put(name)
                .put(")` there instead")
        }
        .fail()
    }
    true
}

/// The place of the other version's counterpart of a field on the path to a moved value.
pub const fn counterpart(account: &Account, newer: bool, other: &[Facts], name: &str) -> usize {
    match twin(account, newer, name) {
        Some(twin) => place_if(other, twin),
        None => NOWHERE,
    }
}

/// The place of a field that need not exist, or [`NOWHERE`].
pub const fn place_if(fields: &[Facts], name: &str) -> usize {
    match place(fields, name) {
        Some(place) => place,
        None => NOWHERE,
    }
}

/// The name if such a field exists, otherwise an empty text.
pub const fn name_if(fields: &[Facts], name: &'static str) -> &'static str {
    if place(fields, name).is_some() { name } else { "" }
}

const fn twin<'a>(account: &Account, newer: bool, name: &'a str) -> Option<&'a str> {
    if account.same {
        return Some(name);
    }
    let mut i = 0;
    while i < account.kept.len() {
        let (older_name, newer_name) = account.kept[i];
        if eq(if newer { newer_name } else { older_name }, name) {
            return Some(if newer { older_name } else { newer_name });
        }
        i += 1;
    }
    None
}
