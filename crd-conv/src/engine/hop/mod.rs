//! One object in one hop: the source, the decisions about it, and the entries that are restored and
//! kept.

mod annotations;
mod inbox;
mod moving;
mod others;
mod outbox;
mod patch;
mod tally;
mod ways;

use std::borrow::Cow;
use std::sync::Arc;

use crate::complement::{Entry, UnrestoredReason};
use crate::engine::document::{Items, Source};

pub(crate) use annotations::parsed;
pub(crate) use inbox::{Carried, Inbox};
pub(crate) use moving::{
    Absence, Leaving, Made, Moving, Outcome, Part, Place, Presence, Scope, Transfer, Transfers,
    holders_of,
};
pub(crate) use others::Others;
pub(crate) use outbox::{Annotations, Outbox};
pub(crate) use patch::{MemberEdit, Patch};
pub(crate) use tally::Tally;

/// The data that the rules work on.
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
#[derive(Debug)]
pub(crate) struct Failure {
    /// The path of the field, or the paths of the group's fields.
    pub(crate) field: String,
    pub(crate) reason: String,
    /// The error of the author's code, if that refused the value.
    pub(crate) cause: Option<Cause>,
}

/// An error of the author's code.
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;

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

    pub(crate) fn lose(&mut self, reason: UnrestoredReason) {
        self.tally.unrestored.add(reason);
    }

    /// Records that an instance stays, because something in it is kept or restored. Only moves
    /// remove instances.
    pub(crate) fn need(&mut self, instance: usize) {
        if self.source.route.has_moves {
            self.moving.needed.add(self.source.document, instance);
        }
    }

    /// Drops an annotation that has no effect.
    pub(crate) fn discard(&mut self, named: usize, reason: UnrestoredReason) {
        self.patch.delete(Some(named));
        self.lose(reason);
    }

    /// Takes the entry of a field of an instance, or of the instance itself. Each entry is taken
    /// once.
    pub(crate) fn take_entry(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
    ) -> Option<Entry> {
        self.take_entry_if(instance, field, |_| true)
    }

    /// Takes the entry of a field of an instance, or of the instance itself, if it's wanted.
    pub(crate) fn take_entry_if(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Entry> {
        let entry = self.take_entry_at(instance, field.as_slice(), wanted)?;
        self.need(instance);
        Some(entry)
    }

    /// Takes the entry of a field at any depth in an instance, if it's wanted.
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
            Err(reason) => {
                self.lose(reason);
                None
            }
        }
    }

    /// Keeps the values of a field of an instance, or of the instance itself, for the source
    /// version.
    pub(crate) fn keep<'b>(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
    ) {
        self.keep_at(instance, field.as_slice(), keep, guard, instance);
    }

    /// Keeps the values of a field at any depth in an instance. If the instance `of` is removed,
    /// nothing is kept.
    pub(crate) fn keep_at<'b>(
        &mut self,
        instance: usize,
        fields: &[&'static str],
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
        of: usize,
    ) {
        self.need(instance);
        let kept = self.outbox.keep(self.source, self.patch, (instance, fields), keep, guard);
        kept.of = of;
    }

    /// Keeps the values of a field of an instance, or of the instance itself. The instance doesn't
    /// have to stay for that: if it's removed and made again, the same values are kept.
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

    /// Whether entries for other versions certainly belong to something in a field of an instance.
    pub(crate) fn others_need_field(&mut self, instance: usize, field: &str) -> bool {
        let place = (instance, field);
        self.others.anchors_in_field(self.source, self.patch, &mut self.items, place)
    }

    /// Whether unclaimed entries belong to a descendant of an instance.
    pub(crate) fn awaits(&mut self, instance: usize) -> bool {
        self.inbox.awaits(self.source, &mut self.items, instance)
    }
}
