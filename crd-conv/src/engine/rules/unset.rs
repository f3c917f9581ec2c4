//! Fields that both versions have, but that can be absent or null in only one of them. In the other
//! version, the API server fills in a default or drops the null. Conversions do the same.

use crate::complement::{Entry, UnrestoredReason};
use crate::engine::hop::Hop;
use crate::engine::program::Slot;

/// Restores that the target's field is unset, or keeps that the source's field is. The plan says
/// which of the two can happen.
pub(super) fn unset(
    hop: &mut Hop<'_>,
    instance: usize,
    member: usize,
    slots: &[Slot; 2],
    [keeps, restores]: [bool; 2],
) {
    let named = hop.source.member(instance, member);
    let is_restored = restores && restore(hop, instance, named, slots);
    if !is_restored && keeps {
        keep(hop, instance, named, slots);
    }
}

/// Keeps that the field is absent or null, and writes the target's default: the API server doesn't
/// fill in defaults between two hops.
fn keep(hop: &mut Hop<'_>, instance: usize, named: Option<usize>, [from, to]: &[Slot; 2]) {
    let kept = match hop.source.present(named, from) {
        None if to.default.is_some() && from.default.is_none() => None,
        Some("null") if !to.nullable => Some((from.name, "null")),
        _ => return,
    };
    if hop.moving.makes(instance, from.name) {
        return;
    }
    let field = Some(from.name);
    if kept.is_some() {
        hop.keep(instance, field, kept.into_iter(), Some(&[]));
    } else {
        hop.keep_of_any(instance, field, std::iter::empty(), Some(&[]));
    }
    let shown = to.default.as_deref().map(|default| (to.name, default));
    if shown.is_some() {
        // Entries inside belong to an object that a client took away, not to the default.
        hop.others.add_new(instance, from.name);
    }
    hop.patch.put(instance, named.into_iter(), shown.into_iter());
}

/// Removes the default, or writes the null again. Returns whether an entry said so.
fn restore(
    hop: &mut Hop<'_>,
    instance: usize,
    named: Option<usize>,
    [from, to]: &[Slot; 2],
) -> bool {
    // Enums and structs that values move into have entries under the same name.
    let Some(entry) = hop.take_entry_if(instance, Some(to.name), Entry::says_unset) else {
        return false;
    };
    let source = hop.source;
    let value = source.present(named, from);
    let inside = named.and_then(|named| source.document.inside(named));
    let is_edited = value.is_some_and(|value| from.as_guarded(value).is_some())
        || inside.is_some_and(|inside| hop.moving.enters(inside))
        || hop.moving.makes(instance, from.name)
        || named.is_some() && hop.others_need_field(instance, from.name);
    let null = match read_unset(&entry, to) {
        Ok(_) if is_edited => {
            hop.lose(UnrestoredReason::Edited);
            return false;
        }
        Ok(null) => null,
        Err(reason) => {
            hop.lose(reason);
            return false;
        }
    };
    if let Some(named) = named {
        hop.patch.end_all(source.document.within(&source.named(named).value));
    }
    let null = null.then_some((to.name, "null"));
    hop.patch.put(instance, named.into_iter(), null.into_iter());
    true
}

/// Whether the field was null. Otherwise, it was absent.
fn read_unset(entry: &Entry, to: &Slot) -> Result<bool, UnrestoredReason> {
    let of_field = |(name, value): (&str, &str)| name == to.name && value == "null" && to.nullable;
    if entry.keep().all(of_field) {
        Ok(entry.keep().next().is_some())
    } else {
        Err(UnrestoredReason::Mistyped)
    }
}
