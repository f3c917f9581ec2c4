//! Fields that both versions have and one of them can't leave out: there the API server fills in a default, or drops a
//! null, and so do conversions.

use super::moves;
use crate::complement::{Entry, Loss};
use crate::engine::hop::{Hop, Mark};
use crate::engine::program::Slot;

/// What was shown instead goes, or what is unset now is kept: by the rule, the source's field may keep something and the
/// target's may restore it.
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

/// Keeps that the field is absent, or null, where the target has something else, and shows that: what an object in
/// between lacks, the API server doesn't fill in.
fn keep(hop: &mut Hop<'_>, instance: usize, named: Option<usize>, [from, to]: &[Slot; 2]) {
    let kept = match hop.source.present(named, from) {
        None if to.default.is_some() && from.default.is_none() => None,
        Some("null") if !to.nullable => Some((from.name, "null")),
        _ => return,
    };
    if moves::is_synthesized(hop, instance, from.name) {
        return;
    }
    let field = Some(from.name);
    if kept.is_some() {
        hop.keep(instance, field, kept.into_iter(), Some(&[]));
    } else {
        hop.keep_of_any(instance, field, std::iter::empty(), Some(&[]));
    }
    // What is shown isn't the object that it was kept for.
    hop.moving.new.push((instance, from.name));
    let shown = to.default.as_deref().map(|default| (to.name, default));
    hop.patch.put(instance, named.into_iter(), shown.into_iter());
}

/// Takes out what was shown instead, or puts the null back, and says whether it has.
fn restore(
    hop: &mut Hop<'_>,
    instance: usize,
    named: Option<usize>,
    [from, to]: &[Slot; 2],
) -> bool {
    // An enum's value, and a struct that values move into, have entries of the same name.
    let Some(entry) = hop.take_entry_if(instance, Some(to.name), Entry::says_unset) else {
        return false;
    };
    let source = hop.source;
    let value = source.present(named, from);
    let inside = named.and_then(|named| source.document.inside(named));
    let is_edited = value.is_some_and(|value| from.as_guarded(value).is_some())
        || inside.is_some_and(|inside| hop.moving.marks.has(inside, Mark::Entered))
        || moves::is_synthesized(hop, instance, from.name)
        || named.is_some() && hop.others_need_field(instance, from.name);
    let null = match read_unset(&entry, to) {
        Ok(_) if is_edited => {
            hop.lose(Loss::Edited);
            return false;
        }
        Ok(null) => null,
        Err(loss) => {
            hop.lose(loss);
            return false;
        }
    };
    if let Some(named) = named {
        hop.patch.end_all(source.document.within(&source.named(named).value));
    }
    if null {
        // The way back keeps it again.
        hop.moving.note(source, instance, Mark::Kept);
    }
    let null = null.then_some((to.name, "null"));
    hop.patch.put(instance, named.into_iter(), null.into_iter());
    true
}

/// Whether such an entry says that there was a null; else there was nothing.
fn read_unset(entry: &Entry, to: &Slot) -> Result<bool, Loss> {
    let of_field = |(name, value): (&str, &str)| name == to.name && value == "null" && to.nullable;
    if entry.keep().all(of_field) { Ok(entry.keep().next().is_some()) } else { Err(Loss::Mistyped) }
}
