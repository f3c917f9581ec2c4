//! Objects that values have gone from or come into, once all else is known: whether they are still there.

use super::moves::Holder;
use super::objects::members_of;
use super::relocate::Trace;
use super::route::{Convert, Node, Object, Slot, Step};
use super::scope::{Scope, Spot, holders_of};
use super::steps::{Work, push_member};
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
        // What is inside comes first: what is left of it decides on what is around.
        for (instance, of) in holders_of(&scopes).into_iter().rev() {
            let (scope, at) = (&scopes[of[0].0], of[0].1);
            let holder = &scope.moves.holders[at];
            let Spot::There(around) = scope.spot(holder.parent) else { continue };
            if !self.found.instances[instance].dead {
                self.settle_holder(&scopes, &of, [around, instance]);
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
    ) {
        let holder = &scopes[of[0].0].moves.holders[of[0].1];
        // What moves in several objects around may come into one.
        let left = of.iter().any(|(scope, at)| scopes[*scope].left[*at]);
        let landed = self.relocated.landed.contains(&instance);
        let entry = self.take_entry_at(around, &[holder.target.name], |_| true);
        let known = entry.as_ref().map(|entry| Before::read(entry, holder));
        let held = [Trace::Kept, Trace::Restored].map(|trace| self.relocated.has(instance, trace));
        let goes = left
            && !landed
            && !held.contains(&true)
            && self.holds_nothing(instance, holder)
            && !self.anchors(instance);
        if goes {
            self.relocated.emptied.insert(instance);
        }
        match known.flatten() {
            Some(Before::Null) if goes => self.leave(around, instance, holder, true),
            Some(Before::Absent) if goes => self.leave(around, instance, holder, false),
            Some(Before::Null | Before::Absent) => self.losses.add(Loss::Edited),
            None if entry.is_some() => self.losses.add(Loss::Mistyped),
            // That there was a struct is as true as before.
            Some(Before::There) | None => {}
        }
    }

    /// Whether an object has what a new one has.
    fn holds_nothing(&self, instance: usize, holder: &Holder) -> bool {
        let (text, value) = (self.text, &self.found.instances[instance]);
        let Node::Object(object) = &self.route.nodes[value.node] else { return false };
        let members = members_of(&text[value.span()]).unwrap_or_default();
        let has = |name: &str| members.iter().any(|member| member.name == name);
        let complete = |kept: &Slot| kept.default.is_none() || has(kept.name);
        if self.relocated.converted.contains(&instance) || !holder.kept.iter().all(complete) {
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
            if let Some(inside) = named.and_then(|named| self.found.inside(named)) {
                if self.relocated.emptied.contains(&inside) {
                    return true;
                }
                // Made for a value it isn't what is filled in where it lacks.
                if self.relocated.departed.contains(&inside) {
                    return false;
                }
            }
            let kept = holder.kept.iter().find(|kept| kept.name == member.name);
            kept.is_some_and(|kept| is_nothing(kept, member.value))
        })
    }

    /// Notes whether a converted group has what it has in a new object: the defaults.
    #[cold]
    pub(super) fn note_converted(
        &mut self,
        instance: usize,
        convert: &Convert,
        places: &[Option<usize>],
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
        if !places.iter().zip(&convert.inputs).all(as_new) {
            self.relocated.converted.insert(instance);
        }
    }

    /// Takes an object away with all that is in it.
    pub(super) fn leave(&mut self, around: usize, instance: usize, holder: &Holder, null: bool) {
        let span = self.found.instances[instance].span();
        let gone = self.found.within(&span);
        for inner in gone {
            self.found.instances[inner].dead = true;
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
            None => Some(Self::Absent),
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
fn is_nothing(slot: &Slot, value: &str) -> bool {
    if value == "null" && !slot.nullable {
        return true;
    }
    slot.default.as_ref().is_some_and(|default| equal(value, default, Fidelity::AsWritten))
}
