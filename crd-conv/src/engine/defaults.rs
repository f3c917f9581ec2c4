//! Fields that both versions have and one of them can't leave out: there the API server fills in a default, or drops a
//! null, and so do conversions.

use super::relocate::Trace;
use super::route::{Slot, Step};
use super::steps::Work;
use crate::complement::{Entry, Loss};
#[cfg(feature = "schema")]
use crate::plan::Field;

impl<'a> Work<'a> {
    /// What was shown instead goes, or what is unset now is kept.
    pub(super) fn unset(
        &mut self,
        instance: usize,
        step: &'a Step,
        member: usize,
        slots: &'a [Slot; 2],
    ) {
        let named = self.found.member(instance, member);
        let is_restored =
            step.restores().is_some_and(|field| self.restore_unset(instance, field, named, slots));
        if !is_restored && let Some(field) = step.keeps() {
            self.keep_unset(instance, field, named, slots);
        }
    }

    /// Keeps that the field is absent, or null, where the target has something else, and shows that: what an object in
    /// between lacks, the API server doesn't fill in.
    fn keep_unset(
        &mut self,
        instance: usize,
        field: &'static str,
        named: Option<usize>,
        [from, to]: &'a [Slot; 2],
    ) {
        let kept = match self.present(named, from) {
            None if to.default.is_some() && from.default.is_none() => None,
            Some("null") if !to.nullable => Some((from.name, "null")),
            _ => return,
        };
        if self.is_made(instance, from.name) {
            return;
        }
        if kept.is_some() {
            self.keep(instance, Some(field), kept.into_iter(), Some(&[]));
        } else {
            self.keep_of_any(instance, Some(field), std::iter::empty(), Some(&[]));
        }
        // What is shown isn't the object that it was kept for.
        self.relocated.new.push((instance, from.name));
        let shown = to.default.as_deref().map(|default| (to.name, default));
        self.put(instance, named.into_iter(), shown.into_iter());
    }

    /// Takes out what was shown instead, or puts the null back, and says whether it has.
    fn restore_unset(
        &mut self,
        instance: usize,
        field: &'static str,
        named: Option<usize>,
        [from, to]: &'a [Slot; 2],
    ) -> bool {
        // An enum's value, and a struct that values move into, have entries of the same name.
        let Some(entry) = self.take_entry_if(instance, Some(field), says_unset) else {
            return false;
        };
        let value = self.present(named, from);
        let inside = named.and_then(|named| self.found.inside(named));
        let is_edited = value.is_some_and(|value| from.as_guarded(value).is_some())
            || inside.is_some_and(|inside| self.relocated.entered.contains(&inside))
            || self.is_made(instance, from.name)
            || named.is_some() && self.is_anchored(instance, from.name);
        let null = match read_unset(&entry, to) {
            Ok(_) if is_edited => {
                self.losses.add(Loss::Edited);
                return false;
            }
            Ok(null) => null,
            Err(loss) => {
                self.losses.add(loss);
                return false;
            }
        };
        if let Some(named) = named {
            self.found.bury(named);
        }
        if null {
            // The way back keeps it again.
            self.relocated.note(self.found, instance, Trace::Kept);
        }
        let null = null.then_some((to.name, "null"));
        self.put(instance, named.into_iter(), null.into_iter());
        true
    }
}

/// Whether an entry says that a field was unset.
pub(super) fn says_unset(entry: &Entry) -> bool {
    entry.guard().is_some_and(|mut guard| guard.next().is_none())
}

/// Whether such an entry says that there was a null; else there was nothing.
fn read_unset(entry: &Entry, to: &Slot) -> Result<bool, Loss> {
    let of_field = |(name, value): (&str, &str)| name == to.name && value == "null" && to.nullable;
    if entry.keep().all(of_field) { Ok(entry.keep().next().is_some()) } else { Err(Loss::Mistyped) }
}

/// Whether a field that both versions have may be unset in the source in a way that the target doesn't show.
pub(super) fn loses_unset(from: &Slot, to: &Slot) -> bool {
    let filled = from.optional && from.default.is_none() && to.default.is_some();
    filled || from.nullable && !to.nullable
}

/// Whether a conversion in either direction keeps that the field is unset.
#[cfg(feature = "schema")]
pub(crate) fn differ_in_unset(older: &Field, newer: &Field) -> bool {
    let (older, newer) = (Slot::new(older), Slot::new(newer));
    loses_unset(&older, &newer) || loses_unset(&newer, &older)
}
