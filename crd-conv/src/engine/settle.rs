//! Objects that values have gone from or come into, once all else is known: whether they are still there.

use super::moves::{Holder, Kept};
use super::objects::members_of;
use super::relocate::{Scope, Spot};
use super::route::{Node, Slot};
use super::steps::Work;
use super::walk::Fate;
use crate::complement::Loss;
use crate::json::{Fidelity, equal};

impl Work<'_> {
    /// An object goes with the moved values if it has nothing else, unless an entry says that it was there without them.
    /// Where that is what the way back would do, an entry says so.
    pub(super) fn settle(&mut self) {
        let mut scopes = std::mem::take(&mut self.relocated.scopes);
        if scopes.is_empty() {
            return;
        }
        let foreign = self.foreign_fields();
        // What is inside comes first: what is left of it decides on what is around.
        scopes.sort_by_key(|scope| std::cmp::Reverse(scope.instance));
        for scope in &scopes {
            for (at, holder) in scope.moves.holders.iter().enumerate().rev() {
                let (Spot::There(around), Spot::There(instance)) =
                    (scope.spot(holder.parent), scope.spots[at])
                else {
                    continue;
                };
                let around_it = self.path(scope, at, scope.reached[at]).join(".") + ".";
                let anchors = foreign.iter().any(|field| field.starts_with(&around_it));
                self.settle_holder(scope, at, [around, instance], anchors);
            }
        }
    }

    fn settle_holder(
        &mut self,
        scope: &Scope<'_>,
        at: usize,
        [around, instance]: [usize; 2],
        anchors: bool,
    ) {
        let holder = &scope.moves.holders[at];
        let (left, reached) = (scope.left[at], scope.reached[at]);
        let free = !anchors && !self.relocated.anchors.contains(&instance);
        let goes = left && !reached && free && self.holds_nothing(instance, holder, false);
        let entry = self.take_entry(around, Some(holder.target.name));
        if goes {
            match entry.map(|entry| entry.guard().is_none() && entry.keep().next().is_some()) {
                Some(true) => {}
                known => {
                    if known.is_some() {
                        self.losses.add(Loss::Mistyped);
                    }
                    let named = self.named(around, holder.source.name);
                    self.leave(named, instance);
                }
            }
            return;
        }
        if entry.is_some() {
            self.losses.add(Loss::Edited);
        }
        if reached && !left && free && self.holds_nothing(instance, holder, true) {
            let keep = std::iter::once((holder.source.name, "{}"));
            self.keep(around, Some(holder.source.name), keep, None);
        }
    }

    /// Whether all that is in an object would be there in a new one, too. If values have come into it, the question is that
    /// of the way back.
    fn holds_nothing(&self, instance: usize, holder: &Holder, reached: bool) -> bool {
        let value = &self.found.instances[instance];
        let Node::Object(object) = &self.route.nodes[value.node] else { return false };
        let members = members_of(&self.text[value.span()]);
        members.iter().flatten().all(|member| {
            let named = object.find(&member.name);
            let named = named.and_then(|named| self.found.member(instance, named));
            if named.is_some_and(|named| self.found.named[named].fate == Fate::Delete) {
                return true;
            }
            let kept = holder.kept.iter().find(|kept| kept.source.name == member.name);
            kept.is_some_and(|Kept { source, target, nested }| {
                let slot = if reached { target } else { source };
                is_nothing(slot, *nested, member.value)
            })
        })
    }

    fn path(&self, scope: &Scope<'_>, at: usize, target: bool) -> Vec<&'static str> {
        let mut path = self.found.path(self.found.instances[scope.instance].place, target);
        path.extend(scope.moves.path(Some(at), None, target));
        path
    }

    /// Deletes an object with all that is in it.
    fn leave(&mut self, named: Option<usize>, instance: usize) {
        let span = self.found.instances[instance].span();
        self.delete(named);
        for inner in self.found.within(&span) {
            self.found.instances[inner].dead = true;
        }
    }
}

/// Whether a field would be as good as absent.
fn is_nothing(slot: &Slot, nested: bool, value: &str) -> bool {
    let dropped = value == "null" && !slot.nullable;
    let as_filled = |default: &String| !nested && equal(value, default, Fidelity::AsServed);
    dropped || slot.default.as_ref().is_some_and(as_filled)
}
