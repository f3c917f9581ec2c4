//! One object on its way through one hop: where it starts from, what is decided so far, and the entries that come and go.

mod annotations;
mod inbox;
mod marks;
mod moving;
mod others;
mod outbox;
mod patch;
mod tally;
mod ways;

use std::borrow::Cow;

use crate::complement::{Entry, Loss};
use crate::engine::document::{Items, Source};

pub(crate) use annotations::parsed;
pub(crate) use inbox::{Carried, Inbox};
pub(crate) use marks::Mark;
pub(crate) use moving::{Come, Coming, Moved, Moving, Presence, Scope, Synthesized, holders_of};
pub(crate) use others::Others;
pub(crate) use outbox::{Annotations, Outbox};
pub(crate) use patch::{MemberEdit, Patch};
pub(crate) use tally::Tally;

/// What the rules work on.
#[derive(Debug)]
pub(crate) struct Hop<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) patch: &'a mut Patch,
    /// The items of the source.
    pub(crate) items: Items,
    pub(crate) inbox: Inbox<'a>,
    pub(crate) outbox: Outbox,
    pub(crate) others: Others,
    pub(crate) moving: Moving<'a>,
    pub(crate) tally: &'a mut Tally,
}

/// Why a value stopped the conversion.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The field's path, or those of the group.
    pub(crate) field: String,
    pub(crate) reason: String,
}

impl<'a> Hop<'a> {
    pub(crate) fn new(source: Source<'a>, patch: &'a mut Patch, tally: &'a mut Tally) -> Self {
        patch.begin(source.document);
        Self {
            source,
            items: Items::new(&patch.nowhere),
            patch,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            others: Others::default(),
            moving: Moving::default(),
            tally,
        }
    }

    pub(crate) fn lose(&mut self, loss: Loss) {
        self.tally.losses.add(loss);
    }

    /// Drops an annotation that has no effect.
    pub(crate) fn discard(&mut self, named: usize, loss: Loss) {
        self.patch.delete(Some(named));
        self.lose(loss);
    }

    /// The entry of a field of an instance, or of the instance itself; from now on it is used up.
    pub(crate) fn take_entry(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
    ) -> Option<Entry> {
        self.take_entry_if(instance, field, |_| true)
    }

    /// The same, if it is one that is looked for.
    pub(crate) fn take_entry_if(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Entry> {
        let entry = self.take_entry_at(instance, field.as_slice(), wanted)?;
        self.moving.note(self.source, instance, Mark::Restored);
        Some(entry)
    }

    /// The entry of a field somewhere inside an instance, if it is one that is looked for; from now on it is used up.
    pub(crate) fn take_entry_at(
        &mut self,
        instance: usize,
        fields: &[&'static str],
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Entry> {
        match self.inbox.take(
            self.source,
            (&mut self.items, &mut self.patch.keys),
            (instance, fields),
            wanted,
        )? {
            Ok(entry) => Some(entry),
            Err(loss) => {
                self.lose(loss);
                None
            }
        }
    }

    /// Keeps the values of a field of an instance, or of the instance itself, for the source version.
    pub(crate) fn keep<'b>(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
    ) {
        self.keep_at(instance, field.as_slice(), keep, guard, instance);
    }

    /// Keeps the values of a field somewhere inside an instance. `of` is the instance without which there is nothing to keep.
    pub(crate) fn keep_at<'b>(
        &mut self,
        instance: usize,
        fields: &[&'static str],
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
        of: usize,
    ) {
        self.moving.note(self.source, instance, Mark::Kept);
        let kept = self.outbox.keep(self.source, self.patch, (instance, fields), keep, guard);
        kept.of = of;
    }

    /// Keeps the values of a field of an instance, or of the instance itself, where the same values in a new object are kept
    /// as well: an object isn't there for them.
    pub(crate) fn keep_of_any<'b>(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
    ) {
        self.outbox.keep(self.source, self.patch, (instance, field.as_slice()), keep, guard);
    }

    /// Whether entries for other versions belong to something in an instance.
    pub(crate) fn others_need(&mut self, instance: usize) -> bool {
        self.others.anchors(self.source, self.patch, &mut self.items, instance)
    }

    /// Whether one of them belongs to something in a field of an instance, beyond doubt.
    pub(crate) fn others_need_field(&mut self, instance: usize, field: &str) -> bool {
        let place = (instance, field);
        self.others.anchors_in_field(self.source, self.patch, &mut self.items, place)
    }

    /// Whether entries that nobody has taken yet belong to something inside an instance.
    pub(crate) fn awaits(&mut self, instance: usize) -> bool {
        self.inbox.awaits(self.source, &mut self.items, instance)
    }
}
