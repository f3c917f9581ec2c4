//! Fields with different names in the two versions, fields of only one version, and unknown fields
//! with a name of the other version.

use std::borrow::Cow;

use crate::complement::{Entry, UnrestoredReason};
use crate::engine::hop::{Hop, Leaving, MemberEdit};
use crate::engine::program::Slot;
use crate::json::{Fidelity, equal};

use super::moves::{arrived, rest};

/// Gives the field the target's name.
pub(super) fn rename(hop: &mut Hop<'_>, instance: usize, member: usize, to: &str) {
    // Another rule may have replaced the member, and has written the target's name.
    if let Some(named) = hop.source.member(instance, member)
        && *hop.patch.member(named) == MemberEdit::Keep
    {
        let key = hop.patch.push_quoted(to);
        hop.patch.set(named, MemberEdit::Rename(key));
    }
}

/// Adds a field that only the target has: the values that move into it, the value of its entry, or
/// the rule's value.
pub(super) fn add(hop: &mut Hop<'_>, instance: usize, to: &Slot, fill: Option<&str>) {
    // Taken in any case, so that the entry is used up even if a value arrives instead.
    let entry = hop.take_entry_at(instance, &[to.name], |_| true);
    let known = entry.as_ref().map(|entry| read_added(entry, to)).transpose();
    let known = known.unwrap_or_else(|reason| {
        hop.lose(reason);
        None
    });
    let place = (instance, Vec::new(), Some(to.name));
    let mut is_edited = false;
    let mut known = known.map(|value| value.map(Cow::from));
    for inside in hop.moving.vacated.get(&place).into_iter().flatten() {
        let kept = known.as_ref().and_then(Option::as_deref);
        let rest = kept.filter(|kept| inside.find(kept).is_some()).map(|kept| inside.take(kept));
        is_edited |= rest.is_some();
        if inside.names.is_empty() {
            known = None;
        } else if let Some(rest) = rest {
            known = Some(Some(rest.into()));
        }
    }
    if let Some(parts) = hop.moving.arriving.get(&place) {
        // Without a part, the field is absent.
        if parts.is_empty() {
            is_edited |= known.flatten().is_some();
        } else {
            let (value, replaces) = arrived(parts, known.is_some(), known.flatten().as_deref());
            is_edited |= replaces;
            hop.patch.append(instance, to.name, &value);
        }
    } else {
        if known.is_some() {
            hop.need(instance);
        }
        if let Some(value) = known.unwrap_or(fill.map(Cow::from)) {
            hop.patch.append(instance, to.name, &value);
        }
    }
    if is_edited {
        hop.lose(UnrestoredReason::Edited);
    }
}

/// Returns the value that an entry keeps for a field of the target, or `None` if the field was
/// absent.
fn read_added<'e>(entry: &'e Entry, to: &Slot) -> Result<Option<&'e str>, UnrestoredReason> {
    let fits = (entry.guard().is_none() || entry.keep().next().is_none())
        && entry.keep().all(|(name, value)| name == to.name && to.accepts(value));
    if fits {
        Ok(entry.keep().next().map(|(_, value)| value))
    } else {
        Err(UnrestoredReason::Mistyped)
    }
}

/// Removes a field that only the source has. Keeps what doesn't move and what the way back doesn't
/// write by itself.
pub(super) fn remove(
    hop: &mut Hop<'_>,
    instance: usize,
    (member, field): (usize, &Slot),
    fill: Option<&str>,
) {
    let named = hop.source.member(instance, member);
    let value = hop.source.present(named, field);
    let left;
    let kept = match (hop.moving.leaving.get(&(instance, field.name)), named) {
        (Some(Leaving::Parts(parts)), Some(named)) => {
            left = rest(hop.source, hop.patch, &mut hop.others, named, parts);
            left.as_deref().map(Some)
        }
        (Some(Leaving::Absence), _) => None,
        _ => match (value, fill) {
            (None, None) => None,
            (Some(value), Some(fill)) if equal(value, fill, Fidelity::AsWritten) => None,
            _ => Some(value),
        },
    };
    if let Some(value) = kept {
        let keep = value.map(|value| (field.name, value)).into_iter();
        hop.keep(instance, Some(field.name), keep, None);
    }
    hop.patch.delete(named);
}

/// Keeps an unknown field of the source that has the name of a target's field.
pub(super) fn set_aside(hop: &mut Hop<'_>, instance: usize, member: usize, name: &'static str) {
    if let Some(named) = hop.source.member(instance, member) {
        let value = hop.source.value(named);
        hop.keep(instance, Some(name), std::iter::once((name, value)), None);
        hop.patch.delete(Some(named));
    }
}

/// Restores what [`set_aside`] kept on the way here.
pub(super) fn put_back(hop: &mut Hop<'_>, instance: usize, name: &'static str) {
    let Some(entry) = hop.take_entry(instance, Some(name)) else { return };
    let value = entry.keep().find(|(kept, _)| *kept == name);
    match (value, entry.guard().is_none()) {
        (Some((_, value)), true) => hop.patch.append(instance, name, value),
        _ => hop.lose(UnrestoredReason::Mistyped),
    }
}
