//! Fields that get another name, that only one version has, or whose name only the other version knows.

use crate::complement::{Entry, Loss};
use crate::engine::hop::{Hop, Mark, MemberEdit};
use crate::engine::program::Slot;
use crate::json::{Fidelity, equal};

use super::moves::{Arrived, arrived};

/// The value gets another key.
pub(super) fn rename(hop: &mut Hop<'_>, instance: usize, member: usize, to: &str) {
    // A value that was moved into it has its name already.
    if let Some(named) = hop.source.member(instance, member)
        && *hop.patch.member(named) == MemberEdit::Keep
    {
        let key = hop.patch.push_quoted(to);
        hop.patch.set(named, MemberEdit::Rename(key));
    }
}

/// Only the target has the field: it gets what has moved into it, what its entry says, or what the rule writes.
pub(super) fn add(hop: &mut Hop<'_>, instance: usize, to: &Slot, fill: Option<&str>) {
    // Of no use where a value has arrived.
    let entry = hop.take_entry_at(instance, &[to.name], |_| true);
    let known = entry.as_ref().map(|entry| read_added(entry, to)).transpose();
    let known = known.unwrap_or_else(|loss| {
        hop.lose(loss);
        None
    });
    match arrived(hop, instance, to, known.is_some(), known.flatten()) {
        Arrived::Value(value) => hop.patch.append(instance, to.name, &value),
        Arrived::Nothing => {}
        Arrived::Unknown => {
            match known {
                Some(known) if known == fill => {
                    hop.moving.note(hop.source, instance, Mark::Restored);
                }
                // The way back keeps it again.
                Some(_) => hop.moving.note(hop.source, instance, Mark::Kept),
                None => {}
            }
            if let Some(value) = known.unwrap_or(fill) {
                hop.patch.append(instance, to.name, value);
            }
        }
    }
}

/// What an entry says of a field that only the target has: a value, or that there was none.
fn read_added<'e>(entry: &'e Entry, to: &Slot) -> Result<Option<&'e str>, Loss> {
    let fits = (entry.guard().is_none() || entry.keep().next().is_none())
        && entry.keep().all(|(name, value)| name == to.name && to.accepts(value));
    if fits { Ok(entry.keep().next().map(|(_, value)| value)) } else { Err(Loss::Mistyped) }
}

/// Only the source has the field: it goes, and is kept unless it is what the rule writes on the way back.
pub(super) fn remove(
    hop: &mut Hop<'_>,
    instance: usize,
    (member, field): (usize, &Slot),
    fill: Option<&str>,
) {
    let named = hop.source.member(instance, member);
    let value = hop.source.present(named, field);
    let as_filled = match (value, fill) {
        (None, None) => true,
        (None, Some(_)) => hop.moving.noted.contains(&(instance, field.name)),
        (Some(value), Some(fill)) => equal(value, fill, Fidelity::AsWritten),
        _ => false,
    };
    let rest = named.and_then(|named| hop.moving.gone.remove(&named));
    let value = match &rest {
        Some(rest) => rest.as_deref(),
        None => value,
    };
    if rest.as_ref().map_or(!as_filled, Option::is_some) {
        let keep = value.map(|value| (field.name, value)).into_iter();
        hop.keep(instance, Some(field.name), keep, None);
    }
    hop.patch.delete(named);
}

/// The source holds, as an unknown field, a name of the target.
pub(super) fn set_aside(hop: &mut Hop<'_>, instance: usize, member: usize, name: &'static str) {
    if let Some(named) = hop.source.member(instance, member) {
        let value = hop.source.value(named);
        hop.keep(instance, Some(name), std::iter::once((name, value)), None);
        hop.patch.delete(Some(named));
    }
}

/// What was set aside on the way here.
pub(super) fn put_back(hop: &mut Hop<'_>, instance: usize, name: &'static str) {
    let Some(entry) = hop.take_entry(instance, Some(name)) else { return };
    let value = entry.keep().find(|(kept, _)| *kept == name);
    match (value, entry.guard().is_none()) {
        (Some((_, value)), true) => {
            hop.patch.append(instance, name, value);
            // The way back keeps it again.
            hop.moving.note(hop.source, instance, Mark::Kept);
        }
        _ => hop.lose(Loss::Mistyped),
    }
}
