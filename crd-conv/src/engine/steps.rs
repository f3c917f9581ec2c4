//! What the steps of a route do to one object: values, entries of the complement, and the fate of each member.

use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::carrier::{Carried, Kept};
use super::items::Items;
use super::objects::members_of;
use super::releases::Stranger;
use super::relocate::{Arrived, Relocated};
use super::route::{Convert, Node, Route, Slot, Step};
use super::tombstones::{Missing, Stored};
use super::walk::{Fate, Found, Named};
use crate::__private::{Fault, JsonType, Values};
use crate::complement::{AnnotationPath, Entry, Loss, Losses};
use crate::json::{Edit, Fidelity, canonical, equal, quote};
use crate::plan::Conversion;

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
    pub(super) trust: Trust,
    /// What the object lacks, where the conversion can't go on without it.
    pub(super) missing: Vec<Missing>,
    /// What annotations are called after, by place: for the source's fields and for the target's.
    pub(super) paths: [Vec<AnnotationPath>; 2],
}

/// Whether an object counts as held by the entries in it that are for versions further away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Trust {
    #[default]
    Entries,
    /// A later hop may drop them.
    Nothing,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        text: &'a str,
        route: &'a Route,
        found: &'a mut Found,
        losses: &'a mut Losses,
        arena: &'a mut String,
    ) -> Self {
        Self {
            text,
            route,
            found,
            losses,
            arena,
            appended: Vec::new(),
            replaced: Vec::new(),
            kept: Vec::new(),
            carried: HashMap::new(),
            strangers: Vec::new(),
            relocated: Relocated::default(),
            items: Items::default(),
            stored: Stored::default(),
            trust: Trust::default(),
            missing: Vec::new(),
            paths: [Vec::new(), Vec::new()],
        }
    }

    /// Does what the route says.
    pub(crate) fn run(&mut self) -> Result<(), Failure> {
        if !self.strangers.is_empty() {
            self.meet_strangers();
        }
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
                    Arrived::Nothing => {
                        if fill.is_some() {
                            // The way back says so again.
                            self.relocated.note(self.found, instance);
                        }
                    }
                    Arrived::Unknown => {
                        match known {
                            Some(known) if known == fill.as_deref() => {
                                self.relocated.note_restored(self.found, instance);
                            }
                            // The way back keeps it again.
                            Some(_) => self.relocated.note(self.found, instance),
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
            Step::KeepUnset { member, slots } => self.keep_unset(instance, step, *member, slots),
            Step::RestoreUnset { member, slots } => {
                self.restore_unset(instance, step, *member, slots);
            }
            Step::Move(moves) => self.relocate(instance, moves),
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
                            self.relocated.note(self.found, instance);
                        }
                        _ => self.losses.add(Loss::Mistyped),
                    }
                }
            }
        }
        Ok(())
    }

    fn convert(
        &mut self,
        instance: usize,
        step: &'a Step,
        convert: &'a Convert,
    ) -> Result<(), Failure> {
        let places: Vec<Option<usize>> =
            convert.inputs.iter().map(|(member, _)| self.found.member(instance, *member)).collect();
        let inputs: Vec<Option<&'a str>> = places
            .iter()
            .zip(&convert.inputs)
            .map(|(named, (_, slot))| self.present(*named, slot))
            .collect();
        let slots = || convert.inputs.iter().map(|(_, slot)| slot);

        let restored = self.take_entry(instance, step.restores()).map(|entry| {
            let around = || &self.text[self.found.instances[instance].span()];
            let (restored, loss) = restore(&entry, &inputs, convert, around);
            if let Some(loss) = loss {
                self.losses.add(loss);
            }
            restored
        });
        let from_entry = matches!(restored, Some(Restored::Whole(_)));
        let outputs = match restored {
            Some(Restored::Whole(outputs)) => outputs,
            restored if is_complete(&inputs, slots()) => {
                // Whatever a client has written into the entry mustn't make the conversion fail.
                let edited = match &restored {
                    Some(Restored::Edited(before)) => {
                        call(convert.forth, &inputs, Some(&texts_of(before))).ok()
                    }
                    _ => None,
                };
                let outputs = edited.map_or_else(|| call(convert.forth, &inputs, None), Ok);
                outputs.map_err(|refusal| self.explain(refusal, instance, convert, &inputs))?
            }
            _ => of_nothing(convert.forth, &inputs, slots(), convert.outputs.iter())
                .unwrap_or_else(|| vec![None; convert.outputs.len()]),
        };

        let texts = texts_of(&outputs);
        let lossless = comes_back(convert, &texts, &inputs)
            && match seen_by_server(convert, &texts, from_entry) {
                Some(seen) => comes_back(convert, &texts_of(&seen), &inputs),
                None => true,
            };
        if !lossless {
            let keep =
                slots().zip(&inputs).filter_map(|(slot, input)| Some((slot.name, (*input)?)));
            let guard = convert.outputs.iter().zip(&outputs).filter_map(|(slot, output)| {
                Some((slot.name, slot.as_guarded(output.as_deref()?)?))
            });
            let guard: Vec<_> = guard.collect();
            self.keep_of_any(instance, step.keeps(), keep, Some(&guard));
        }
        if !self.relocated.scopes.is_empty() {
            self.note_converted(instance, convert, &places, &outputs);
        }

        let members = convert.outputs.iter().zip(&outputs);
        let members = members.filter_map(|(slot, output)| Some((slot.name, output.as_deref()?)));
        self.put(instance, places.into_iter().flatten(), members);
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
    fn put<'b>(
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

    fn explain(
        &self,
        (unreadable, reason): Refusal,
        instance: usize,
        convert: &Convert,
        inputs: &[Option<&str>],
    ) -> Failure {
        let at = |name: &str| {
            let mut path = self.found.path(self.found.instances[instance].place, false);
            path.push(name);
            path.join(".")
        };
        if let Some(index) = unreadable {
            return Failure { field: at(convert.inputs[index].1.name), reason };
        }
        let present = convert.inputs.iter().zip(inputs).filter(|(_, input)| input.is_some());
        let fields: Vec<String> = present.map(|((_, slot), _)| at(slot.name)).collect();
        Failure { field: fields.join(", "), reason }
    }
}

impl Slot {
    /// Whether a value is of a kind that the field's type reads, and has no resource that the API server couldn't read.
    pub(super) fn accepts(&self, value: &str) -> bool {
        self.kind.contains(JsonType::of(value))
            && self.resources.is_none_or(|resources| resources.are_read(value))
    }

    /// The value as a guard compares it; what the API server fills in is as good as nothing.
    pub(super) fn as_guarded(&self, value: &str) -> Option<String> {
        let out = as_served(value);
        (self.default.as_ref() != Some(&out)).then_some(out)
    }
}

/// What an entry says of a field that only the target has: a value, or that there was none.
fn read_gained<'e>(entry: &'e Entry, to: &Slot) -> Result<Option<&'e str>, Loss> {
    let fits = entry.guard().is_none()
        && entry.keep().all(|(name, value)| name == to.name && to.accepts(value));
    if fits { Ok(entry.keep().next().map(|(_, value)| value)) } else { Err(Loss::Mistyped) }
}

/// What an entry has for a converted group.
enum Restored {
    /// The outputs: the guard still holds.
    Whole(Vec<Option<String>>),
    /// The outputs as they were before a client edited the inputs.
    Edited(Vec<Option<String>>),
    /// Nothing of use.
    Nothing,
}

/// What an entry restores, and why not all of it. `around` is the object with the inputs.
fn restore<'a>(
    entry: &Entry,
    inputs: &[Option<&str>],
    convert: &Convert,
    around: impl Fn() -> &'a str,
) -> (Restored, Option<Loss>) {
    const MISTYPED: (Restored, Option<Loss>) = (Restored::Nothing, Some(Loss::Mistyped));
    let Some(guard) = entry.guard() else { return MISTYPED };
    let mut guard: Vec<(&str, &str)> = guard.collect();
    let shown = !guard.is_empty();
    let mut edited = false;
    for ((_, slot), input) in convert.inputs.iter().zip(inputs) {
        let at = guard.iter().position(|(name, _)| *name == slot.name);
        let expected =
            at.map(|at| guard.swap_remove(at).1).and_then(|value| slot.as_guarded(value));
        edited |= expected != input.and_then(|input| slot.as_guarded(input));
    }
    if !guard.is_empty() {
        match others_hold(&guard, around()) {
            Some(hold) => edited |= !hold,
            None => return MISTYPED,
        }
    }
    let mut outputs = vec![None; convert.outputs.len()];
    let mut lost = None;
    for (name, value) in entry.keep() {
        let Some(at) = convert.outputs.iter().position(|slot| slot.name == name) else {
            lost = Some(Loss::Mistyped);
            continue;
        };
        if !convert.outputs[at].accepts(value) {
            return MISTYPED;
        }
        outputs[at] = Some(value.to_owned());
    }
    if edited {
        return (Restored::Edited(outputs), Some(Loss::Edited));
    }
    if lost.is_some() && outputs.iter().all(Option::is_none) {
        return MISTYPED;
    }
    // Where the peer showed something, all was there that the converter of that time needed.
    if shown && !is_complete(&texts_of(&outputs), convert.outputs.iter()) {
        let Ok(made) = call(convert.forth, inputs, None) else { return MISTYPED };
        for ((output, made), slot) in outputs.iter_mut().zip(made).zip(&convert.outputs) {
            if output.is_none() && !slot.optional {
                *output = made;
            }
        }
    }
    (Restored::Whole(outputs), lost)
}

/// Whether fields that an earlier release's converter wrote, and this one's doesn't, are still as they were; `None` if
/// one isn't there.
#[cold]
fn others_hold(guard: &[(&str, &str)], around: &str) -> Option<bool> {
    let members = members_of(around).unwrap_or_default();
    let mut hold = true;
    for (name, expected) in guard {
        let found = members.iter().rev().find(|member| member.name == *name)?;
        hold &= equal(found.value, expected, Fidelity::AsServed);
    }
    Some(hold)
}

fn texts_of(values: &[Option<String>]) -> Vec<Option<&str>> {
    values.iter().map(Option::as_deref).collect()
}

/// What the API server makes of the outputs until the way back, if it changes them: it fills in defaults, and writes
/// numbers in its own way. A converter's results are in that form already, what an entry kept isn't.
fn seen_by_server(
    convert: &Convert,
    outputs: &[Option<&str>],
    from_entry: bool,
) -> Option<Vec<Option<String>>> {
    let slots = || outputs.iter().zip(&convert.outputs);
    if !from_entry && slots().all(|(output, slot)| output.is_some() || slot.default.is_none()) {
        return None;
    }
    let seen = slots().map(|(output, slot)| match output {
        Some(output) => Some(as_served(output)),
        None => slot.default.clone(),
    });
    Some(seen.collect())
}

fn as_served(text: &str) -> String {
    let mut out = String::new();
    match canonical(text, Fidelity::AsServed, &mut out) {
        Some(()) => out,
        None => text.to_owned(),
    }
}

/// Whether the way back makes the inputs from the outputs.
fn comes_back(convert: &Convert, outputs: &[Option<&str>], inputs: &[Option<&str>]) -> bool {
    let back = if is_complete(outputs, convert.outputs.iter()) {
        call(convert.back, outputs, None).ok()
    } else {
        let slots = convert.inputs.iter().map(|(_, slot)| slot);
        match of_nothing(convert.back, outputs, convert.outputs.iter(), slots) {
            None => return inputs.iter().all(Option::is_none),
            back => back,
        }
    };
    back.is_some_and(|back| {
        back.iter().zip(inputs).all(|(back, input)| match (back, input) {
            (Some(back), Some(input)) => equal(back, input, Fidelity::AsWritten),
            (back, input) => back.is_none() && input.is_none(),
        })
    })
}

/// Whether a converter has what it needs: something, and all that its types can't do without.
fn is_complete<'s>(values: &[Option<&str>], slots: impl Iterator<Item = &'s Slot>) -> bool {
    values.iter().any(Option::is_some)
        && values.iter().zip(slots).all(|(value, slot)| value.is_some() || slot.optional)
}

/// What a converter makes of nothing at all, where something must stand in its place: what absent means in a version that
/// can say it is then written in the one that can't.
fn of_nothing<'s>(
    conversion: Conversion,
    values: &[Option<&str>],
    mut takes: impl Iterator<Item = &'s Slot>,
    mut gives: impl Iterator<Item = &'s Slot>,
) -> Option<Vec<Option<String>>> {
    let needed = values.iter().all(Option::is_none)
        && takes.all(|slot| slot.optional)
        && gives.any(|slot| !slot.optional || slot.default.is_some());
    // Part of an object may lack it, which is no reason to fail.
    needed.then(|| call(Conversion { fallback: None, ..conversion }, values, None).ok()).flatten()
}

/// Why the author's code gave nothing: the place of the input that its type can't hold, if it is that, and the reason.
type Refusal = (Option<usize>, String);

/// Calls the author's code: its results in canonical form, or what stands for them where it refuses. Showing the
/// author's error is the author's code too.
fn call(
    conversion: Conversion,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
) -> Result<Vec<Option<String>>, Refusal> {
    let mut values = Values::default();
    let outcome = attempt(|| (conversion.convert)(inputs, before, &mut values));
    if let Err(refusal) = outcome {
        let Some(fallback) = conversion.fallback else { return Err(refusal) };
        values = Values::default();
        attempt(|| fallback(&mut values))?;
    }
    Ok(values.texts().map(|text| text.map(as_served)).collect())
}

fn attempt(code: impl FnOnce() -> Result<(), Fault>) -> Result<(), Refusal> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        code().map_err(|fault| match fault {
            Fault::Unreadable(index, error) => (Some(index), error.to_string()),
            Fault::Refused(error) => (None, error.to_string()),
        })
    }));
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err((None, format!("panicked: {}", text.unwrap_or("no message"))))
    })
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
