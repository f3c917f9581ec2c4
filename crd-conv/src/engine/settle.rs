//! Objects that values have gone from or come into, once all else is known: whether they are still there.

use super::defaults::says_unset;
use super::foreign::Anchor;
use super::moves::{Holder, Kept};
use super::objects::members_of;
use super::relocate::Trace;
use super::route::{Convert, Node, Object, Slot, Step};
use super::scope::{Scope, Spot, holders_of};
use super::steps::{Trust, Work, push_member};
use super::walk::Fate;
use crate::complement::{Entry, Loss};
use crate::json::{Fidelity, equal};

impl<'a> Work<'a> {
    /// An object goes with the moved values if it has nothing else, unless an entry says that it was there without them.
    /// Where that is what the way back would do, an entry says so.
    pub(super) fn settle(&mut self) {
        let scopes = std::mem::take(&mut self.relocated.scopes);
        if scopes.is_empty() {
            return;
        }
        self.order();
        self.relocated.foreign = None;
        self.relocated.speaking = self.kept.iter().map(|kept| kept.of).collect();
        // What is inside comes first: what is left of it decides on what is around.
        for (instance, of) in holders_of(&scopes).into_iter().rev() {
            let (scope, at) = (&scopes[of[0].0], of[0].1);
            let holder = &scope.moves.holders[at];
            let Spot::There(around) = scope.spot(holder.parent) else { continue };
            if !self.found.instances[instance].dead {
                let anchor = self.anchors(instance);
                self.settle_holder(&scopes, &of, [around, instance], anchor);
            }
        }
        let gone = &self.relocated.buried;
        self.kept.retain(|kept| !gone.contains(&kept.of));
    }

    fn settle_holder(
        &mut self,
        scopes: &[Scope<'a>],
        of: &[(usize, usize)],
        [around, instance]: [usize; 2],
        anchor: Anchor,
    ) {
        let holder = &scopes[of[0].0].moves.holders[of[0].1];
        // What moves in several objects around may come into one.
        let left = of.iter().any(|(scope, at)| scopes[*scope].left[*at]);
        let reached = of.iter().any(|(scope, at)| scopes[*scope].reached[*at]);
        let [kept, awaited, restored] = [Trace::Kept, Trace::Awaited, Trace::Restored]
            .map(|trace| self.relocated.has(instance, trace));
        let (landed, departed) = (&self.relocated.landed, &self.relocated.departed);
        let (landed, departed) = (landed.contains(&instance), departed.contains(&instance));
        let entry = self.take_entry_at(around, &[holder.target.name], |_| true);
        let known = entry.as_ref().map(|entry| Before::read(entry, holder));
        let free = anchor == Anchor::None && !kept && !restored;
        let goes = left && !landed && free && self.holds_nothing(instance, holder, false);
        if goes {
            let known = match known {
                None if holder.target.default.is_some() => Before::There,
                None => Before::Absent,
                Some(known) => known.unwrap_or_else(|| {
                    self.losses.add(Loss::Mistyped);
                    Before::Absent
                }),
            };
            match known {
                Before::There if entry.is_none() => drop(self.relocated.filled.insert(instance)),
                Before::There => {}
                Before::Null => self.leave(around, instance, holder, true),
                Before::Absent => self.leave(around, instance, holder, false),
            }
            return;
        }
        // That there was a struct is as true as before.
        if entry.is_some_and(|entry| entry.keep().any(|(_, kept)| kept == "null")) {
            self.losses.add(Loss::Edited);
        }
        let goes_back = reached && holder.source.default.is_none();
        let inside = self.found.within(&self.found.instances[instance].span());
        // The way back finds these entries, and leaves it there.
        let speaks = self.relocated.speaking.range(inside).next().is_some();
        let empty = goes_back && !kept && !awaited && !departed;
        let made = goes_back && !left && !speaks;
        if empty && self.holds_nothing(instance, holder, true)
            || made && self.will_look_made(scopes, of, instance)
        {
            if anchor == Anchor::Back && self.trust == Trust::Entries {
                self.relocated.trusted = true;
                return;
            }
            let keep = std::iter::once((holder.source.name, "{}"));
            self.keep(around, Some(holder.source.name), keep, None);
            self.relocated.speaking.insert(around);
        }
    }

    /// Whether an object has what a new one has. If values have come into it, the question is that of the way back, before
    /// which the API server may fill in what is missing.
    fn holds_nothing(&mut self, instance: usize, holder: &Holder, reached: bool) -> bool {
        let (text, value) = (self.text, &self.found.instances[instance]);
        let Node::Object(object) = &self.route.nodes[value.node] else { return false };
        let members = members_of(&text[value.span()]).unwrap_or_default();
        let has = |name: &str| members.iter().any(|member| member.name == name);
        let complete = |kept: &Kept| kept.source.default.is_none() || has(kept.source.name);
        if self.relocated.converted[usize::from(reached)].contains(&instance)
            || !reached && !holder.kept.iter().all(complete)
        {
            return false;
        }
        members.iter().all(|member| {
            let named = object.find(&member.name);
            let named = named.and_then(|named| self.found.member(instance, named));
            if named.is_some_and(|named| self.found.named[named].fate == Fate::Delete)
                || object.converts(&member.name)
            {
                return true;
            }
            let inside = named.and_then(|named| self.found.inside(named));
            if inside.is_some_and(|inside| self.relocated.filled.contains(&inside)) {
                return true;
            }
            // Made for a value it isn't what is filled in where it lacks.
            let ends = if reached { &self.relocated.landed } else { &self.relocated.departed };
            if inside.is_some_and(|inside| ends.contains(&inside)) {
                return false;
            }
            let kept = holder.kept.iter().find(|kept| kept.source.name == member.name);
            kept.is_some_and(|kept| match named {
                Some(named) if reached && kept.nested => {
                    let shown = self.shown(self.found.named[named].value.clone());
                    is_nothing(kept, &shown, reached)
                }
                _ => is_nothing(kept, member.value, reached),
            })
        })
    }

    /// Notes whether a converted group has what it has in a new object: the defaults.
    #[cold]
    pub(super) fn note_converted(
        &mut self,
        instance: usize,
        convert: &Convert,
        places: &[Option<usize>],
        outputs: &[Option<String>],
    ) {
        let as_new = |(named, (_, slot)): (&Option<usize>, &(usize, Slot))| match (
            self.present(*named, slot),
            &slot.default,
        ) {
            (Some(value), Some(default)) => equal(value, default, Fidelity::AsWritten),
            (Some(_), None) => false,
            (None, Some(_)) => named.is_some(),
            (None, None) => true,
        };
        let source = places.iter().zip(&convert.inputs).all(as_new);
        // What is missing the API server fills in.
        let shown = |(slot, output): (&Slot, &Option<String>)| {
            output.as_deref().is_none_or(|output| slot.as_guarded(output).is_none())
        };
        let target = convert.outputs.iter().zip(outputs).all(shown);
        for (as_new, converted) in [source, target].into_iter().zip(&mut self.relocated.converted) {
            if !as_new {
                converted.insert(instance);
            }
        }
    }

    /// Takes an object away with all that is in it.
    pub(super) fn leave(&mut self, around: usize, instance: usize, holder: &Holder, null: bool) {
        let span = self.found.instances[instance].span();
        let gone = self.found.within(&span);
        for inner in gone {
            self.found.instances[inner].dead = true;
            self.relocated.speaking.remove(&inner);
            self.relocated.buried.insert(inner);
        }
        let [first, last] = [span.start, span.end]
            .map(|at| self.replaced.partition_point(|edit| edit.span.start < at));
        self.replaced.drain(first..last);
        let Some(named) = self.named(around, holder.source.name) else { return };
        self.found.named[named].fate = Fate::Delete;
        if null {
            let start = self.arena.len();
            push_member(self.arena, holder.target.name, "null");
            self.found.named[named].fate = Fate::Replace(start..self.arena.len());
        }
    }
}

/// What a holder was before values moved into it. If the version fills it in, it isn't absent without an entry.
pub(super) enum Before {
    There,
    Null,
    Absent,
}

impl Before {
    pub(super) fn read(entry: &Entry, holder: &Holder) -> Option<Self> {
        match entry.keep().next() {
            None => says_unset(entry).then_some(Self::Absent),
            Some((_, kept)) if entry.guard().is_none() && holder.target.accepts(kept) => {
                Some(if kept == "null" { Self::Null } else { Self::There })
            }
            Some(_) => None,
        }
    }
}

impl Object {
    /// Whether a converter takes a field.
    fn converts(&self, name: &str) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Convert(Convert { inputs, .. }) => {
                inputs.iter().any(|(_, slot)| slot.name == name)
            }
            _ => false,
        })
    }
}

/// Whether a field has what it has in a new object.
fn is_nothing(Kept { source, target, .. }: &Kept, value: &str, reached: bool) -> bool {
    let (slot, fidelity) =
        if reached { (target, Fidelity::AsServed) } else { (source, Fidelity::AsWritten) };
    if value == "null" && !slot.nullable {
        return true;
    }
    slot.default.as_ref().is_some_and(|default| equal(value, default, fidelity))
}
