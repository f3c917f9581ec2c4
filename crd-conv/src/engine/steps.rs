//! What the steps of a route do to one object: values, entries of the complement, and the fate of each member.

use std::collections::HashMap;
use std::ops::Range;

use super::Tally;
use super::carrier::{Carried, Kept};
use super::items::Items;
use super::releases::Stranger;
use super::relocate::{Arrived, Relocated, Trace};
use super::route::{Node, Route, Slot, Step};
use super::tombstones::{Missing, Stored};
use super::walk::{Fate, Found, Named};
use crate::complement::{AnnotationPath, Entry, Loss, Losses};
use crate::json::{Edit, Fidelity, equal, quote};
use crate::plan::JsonType;

/// Why a value stopped the conversion.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The field's path, or those of the group.
    pub(crate) field: String,
    pub(crate) reason: String,
}

/// One object on its way through a route.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    pub(crate) text: &'a str,
    pub(crate) route: &'a Route,
    pub(crate) found: &'a mut Found,
    pub(crate) losses: &'a mut Losses,
    pub(super) kept_bytes: &'a mut u64,
    pub(super) fallbacks: &'a mut u32,
    /// New text that fates, edits and appended members point into.
    pub(crate) arena: &'a mut String,
    /// Members to append to an instance.
    pub(crate) appended: Vec<(usize, Range<usize>)>,
    /// Values that become others where they stand.
    pub(super) replaced: Vec<Edit>,
    pub(super) kept: Vec<Kept>,
    /// By annotation.
    pub(super) carried: HashMap<String, Carried>,
    /// Annotations that another release wrote.
    pub(super) strangers: Vec<Stranger>,
    /// What has come from other places, and what has gone to them.
    pub(super) relocated: Relocated<'a>,
    /// The items of the source.
    pub(super) items: Items,
    pub(super) stored: Stored,
    /// What the object lacks, where the conversion can't go on without it.
    pub(super) missing: Vec<Missing>,
    /// What annotations are called after, by place: for the source's fields and for the target's.
    pub(super) paths: [Vec<AnnotationPath>; 2],
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        text: &'a str,
        route: &'a Route,
        found: &'a mut Found,
        tally: &'a mut Tally,
        arena: &'a mut String,
    ) -> Self {
        Self {
            text,
            route,
            found,
            losses: &mut tally.losses,
            kept_bytes: &mut tally.kept_bytes,
            fallbacks: &mut tally.fallbacks,
            arena,
            appended: Vec::new(),
            replaced: Vec::new(),
            kept: Vec::new(),
            carried: HashMap::new(),
            strangers: Vec::new(),
            relocated: Relocated::default(),
            items: Items::default(),
            stored: Stored::default(),
            missing: Vec::new(),
            paths: [Vec::new(), Vec::new()],
        }
    }

    /// Does what the route says.
    pub(crate) fn run(&mut self) -> Result<(), Failure> {
        if !self.strangers.is_empty() {
            self.meet_strangers();
        }
        self.relocate();
        for instance in 0..self.found.instances.len() {
            if self.found.instances[instance].dead {
                continue;
            }
            match &self.route.nodes[self.found.instances[instance].node] {
                Node::Object(object) => {
                    for step in &object.steps {
                        self.step(instance, step)?;
                    }
                }
                Node::Union(union) => self.choose(instance, union),
                Node::List { .. } | Node::Map { .. } => {}
            }
        }
        self.settle();
        self.drop_unused();
        Ok(())
    }

    fn step(&mut self, instance: usize, step: &'a Step) -> Result<(), Failure> {
        match step {
            Step::Rename { member, to } => {
                // A value that was moved into it has its name already.
                if let Some(named) = self.found.member(instance, *member)
                    && self.found.named[named].fate == Fate::Keep
                {
                    let start = self.arena.len();
                    quote(to, self.arena);
                    self.found.named[named].fate = Fate::Rename(start..self.arena.len());
                }
            }
            Step::Retag { member, key, to } => self.retag(instance, *member, *key, to),
            Step::Gain { to, fill } => {
                // Of no use where a value has arrived.
                let entry = self.take_entry_at(instance, &[to.name], |_| true);
                let known = entry.as_ref().map(|entry| read_gained(entry, to)).transpose();
                let known = known.unwrap_or_else(|loss| {
                    self.losses.add(loss);
                    None
                });
                match self.arrived(instance, to, known.is_some(), known.flatten()) {
                    Arrived::Value(value) => self.append(instance, to.name, &value),
                    Arrived::Nothing => {}
                    Arrived::Unknown => {
                        match known {
                            Some(known) if known == fill.as_deref() => {
                                self.relocated.note(self.found, instance, Trace::Restored);
                            }
                            // The way back keeps it again.
                            Some(_) => self.relocated.note(self.found, instance, Trace::Kept),
                            None => {}
                        }
                        if let Some(value) = known.unwrap_or(fill.as_deref()) {
                            self.append(instance, to.name, value);
                        }
                    }
                }
            }
            Step::Lose { member, field, fill } => {
                let named = self.found.member(instance, *member);
                let value = self.present(named, field);
                let as_filled = match (value, fill) {
                    (None, None) => true,
                    (None, Some(_)) => self.relocated.noted.contains(&(instance, field.name)),
                    (Some(value), Some(fill)) => equal(value, fill, Fidelity::AsWritten),
                    _ => false,
                };
                let rest = named.and_then(|named| self.relocated.gone.remove(&named));
                let value = match &rest {
                    Some(rest) => rest.as_deref(),
                    None => value,
                };
                if rest.as_ref().map_or(!as_filled, Option::is_some) {
                    let keep = value.map(|value| (field.name, value)).into_iter();
                    self.keep(instance, step.keeps(), keep, None);
                }
                self.delete(named);
            }
            Step::Unset { member, slots, .. } => self.unset(instance, step, *member, slots),
            Step::Move(_) => self.settle_moves(instance),
            Step::Convert(convert) => self.convert(instance, step, convert)?,
            Step::SetAside { member, name } => {
                if let Some(named) = self.found.member(instance, *member) {
                    let value = self.found.value(self.text, named);
                    self.keep(instance, step.keeps(), std::iter::once((*name, value)), None);
                    self.delete(Some(named));
                }
            }
            Step::PutBack { name } => {
                if let Some(entry) = self.take_entry(instance, step.restores()) {
                    let value = entry.keep().find(|(kept, _)| kept == name);
                    match (value, entry.guard().is_none()) {
                        (Some((_, value)), true) => {
                            self.append(instance, name, value);
                            // The way back keeps it again.
                            self.relocated.note(self.found, instance, Trace::Kept);
                        }
                        _ => self.losses.add(Loss::Mistyped),
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a member; a `null` that the API server drops is none.
    pub(super) fn present(&self, named: Option<usize>, slot: &Slot) -> Option<&'a str> {
        let value = self.found.value(self.text, named?);
        (slot.nullable || value != "null").then_some(value)
    }

    pub(super) fn delete(&mut self, named: Option<usize>) {
        if let Some(named) = named {
            self.found.named[named].fate = Fate::Delete;
        }
    }

    /// Puts members in the place of others, or behind all others if there are none.
    pub(super) fn put<'b>(
        &mut self,
        instance: usize,
        mut places: impl Iterator<Item = usize>,
        members: impl Iterator<Item = (&'b str, &'b str)>,
    ) {
        let start = self.arena.len();
        for (name, value) in members {
            if self.arena.len() > start {
                self.arena.push(',');
            }
            push_member(self.arena, name, value);
        }
        let members = start..self.arena.len();
        match places.next() {
            Some(first) if !members.is_empty() => {
                self.found.named[first].fate = Fate::Replace(members);
            }
            Some(first) => self.delete(Some(first)),
            None if !members.is_empty() => self.appended.push((instance, members)),
            None => {}
        }
        for other in places {
            self.delete(Some(other));
        }
    }

    pub(super) fn append(&mut self, instance: usize, name: &str, value: &str) {
        let start = self.arena.len();
        push_member(self.arena, name, value);
        self.appended.push((instance, start..self.arena.len()));
    }
}

impl Slot {
    /// Whether a value is of a kind that the field's type reads, and has no resource that the API server couldn't read. A
    /// null that isn't one goes after a conversion, but not where there is a default.
    pub(super) fn accepts(&self, value: &str) -> bool {
        self.kind.contains(JsonType::of(value))
            && (value != "null" || self.nullable || self.default.is_none())
            && self.resources.is_none_or(|resources| resources.are_read(value))
    }

    /// The value as a guard compares it; what the API server fills in is as good as nothing.
    pub(super) fn as_guarded(&self, value: &str) -> Option<String> {
        let out = self.served.value(value);
        (self.default.as_ref() != Some(&out)).then_some(out)
    }
}

/// What an entry says of a field that only the target has: a value, or that there was none.
fn read_gained<'e>(entry: &'e Entry, to: &Slot) -> Result<Option<&'e str>, Loss> {
    let fits = (entry.guard().is_none() || entry.keep().next().is_none())
        && entry.keep().all(|(name, value)| name == to.name && to.accepts(value));
    if fits { Ok(entry.keep().next().map(|(_, value)| value)) } else { Err(Loss::Mistyped) }
}

pub(super) fn push_member(out: &mut String, name: &str, value: &str) {
    quote(name, out);
    out.push(':');
    out.push_str(value);
}

impl Named {
    /// Whether something of it stays, or stands in its place.
    pub(crate) fn stays(&self) -> bool {
        self.fate != Fate::Delete
    }
}
