//! Fields that both versions have and one of them can't leave out: there the API server fills in a default, or drops a
//! null.

use super::route::{Slot, Step};
use super::steps::{Work, push_member};
use super::walk::Fate;
use crate::complement::{Entry, Loss};

impl<'a> Work<'a> {
    /// Keeps that the field is absent, or null, where the target will show something else.
    pub(super) fn keep_unset(
        &mut self,
        instance: usize,
        step: &'a Step,
        member: usize,
        [from, to]: &'a [Slot; 2],
    ) {
        let named = self.found.member(instance, member);
        let kept = match self.present(named, from) {
            None if to.default.is_some() && from.default.is_none() => None,
            Some("null") if !to.nullable => Some((from.name, "null")),
            _ => return,
        };
        self.keep_of_any(instance, step.keeps(), kept.into_iter(), Some(&[]));
    }

    /// Takes out what the API server filled in, or puts the null back that it dropped.
    pub(super) fn restore_unset(
        &mut self,
        instance: usize,
        step: &'a Step,
        member: usize,
        [from, to]: &'a [Slot; 2],
    ) {
        let Some(entry) = self.take_entry(instance, step.restores()) else { return };
        let named = self.found.member(instance, member);
        let value = self.present(named, from);
        let null = match read_unset(&entry, to) {
            Ok(_) if value.is_some_and(|value| from.as_guarded(value).is_some()) => {
                return self.losses.add(Loss::Edited);
            }
            Ok(null) => null,
            Err(loss) => return self.losses.add(loss),
        };
        if let Some(named) = named {
            self.found.bury(named);
        }
        match (named, null) {
            (Some(named), true) => {
                let start = self.arena.len();
                push_member(self.arena, to.name, "null");
                self.found.named[named].fate = Fate::Replace(start..self.arena.len());
            }
            (None, true) => self.append(instance, to.name, "null"),
            (named, false) => self.delete(named),
        }
    }
}

/// Whether an entry says that there was a null; else there was nothing.
fn read_unset(entry: &Entry, to: &Slot) -> Result<bool, Loss> {
    let of_field = |(name, value): (&str, &str)| name == to.name && value == "null" && to.nullable;
    let fits =
        entry.guard().is_some_and(|mut guard| guard.next().is_none()) && entry.keep().all(of_field);
    if fits { Ok(entry.keep().next().is_some()) } else { Err(Loss::Mistyped) }
}

/// Whether a field that both versions have may be unset in the source in a way that the target doesn't show.
pub(super) fn loses_unset(from: &Slot, to: &Slot) -> bool {
    let filled = from.optional && from.default.is_none() && to.default.is_some();
    filled || from.nullable && !to.nullable
}
