//! Records what the walk finds.

use super::{Open, Walk};
use crate::complement::{Unrestored, UnrestoredReason};
use crate::engine::document::spans::{Instance, NONE, Named, Place, Via};
use crate::engine::program::{Node, ROOT, Route};
use crate::json::Str;

impl Walk {
    /// If a value doesn't count, because its key comes again, nothing inside it counts, either.
    #[cold]
    pub(super) fn repeat_inside(&mut self) {
        let instances = &mut self.document.instances;
        for inner in 1..instances.len() {
            instances[inner].repeated |= instances[instances[inner].parent].repeated;
        }
    }

    /// Records a member that the route names: where it starts, its key, and where its value starts.
    /// Returns whether the object had the key before.
    #[inline]
    pub(super) fn name_member(
        &mut self,
        instance: usize,
        member: Option<usize>,
        (lead, key, at): (usize, Str, usize),
        unrestored: &mut Unrestored,
    ) -> bool {
        let (value, tail, repeated, next) = (at..at, 0, false, NONE);
        let named = self.document.named.len();
        let [first, last] = &mut self.document.instances[instance].named;
        if let Some(last) = self.document.named.get_mut(*last) {
            last.next = named;
        } else {
            *first = named;
        }
        *last = named;
        let named = Named { instance, member, lead, key, value, tail, repeated, next };
        self.document.named.push(named);
        self.begin_member(instance, member, unrestored)
    }

    /// Counts a member of an enum's value. An object with one key is the variant of that name,
    /// however often it has the key.
    pub(super) fn only_member(&mut self, instance: usize, member: Option<usize>) {
        let instance = &mut self.document.instances[instance];
        let member = member.unwrap_or(NONE);
        instance.variant =
            if instance.members == 0 || instance.variant == member { member } else { NONE };
        instance.members += 1;
    }

    pub(super) fn enter(
        &mut self,
        start: usize,
        route: &Route,
        node: usize,
        place: usize,
        via: Via,
    ) {
        let instance = self.document.instances.len();
        let parent = self.stack.last().map_or(ROOT, |open| open.instance);
        let around = self.document.instances.get(parent);
        let in_collection =
            !matches!(via, Via::Field) || around.is_some_and(|around| around.in_collection);
        let slots = self.document.slots.len();
        let names = match &route.nodes[node] {
            Node::Object(object) => object.names.members.len(),
            Node::Union(union) => union.names.members.len(),
            Node::List { .. } | Node::Map { .. } => 0,
        };
        self.document.slots.resize(slots + names, NONE);
        let (members, repeated) = (0, false);
        self.document.instances.push(Instance {
            node,
            place,
            parent,
            via,
            in_collection,
            start,
            end: 0,
            members,
            repeated,
            depth: self.stack.len() + 1,
            variant: NONE,
            held: false,
            slots,
            named: [NONE; 2],
        });
        let array = matches!(route.nodes[node], Node::List { .. });
        self.stack.push(Open { instance, array, first: true, current: NONE });
    }

    pub(super) fn place(
        &mut self,
        parent: usize,
        source: &'static str,
        target: &'static str,
    ) -> usize {
        let mut at = self.document.places[parent].inside;
        while let Some(place) = self.document.places.get(at) {
            if (place.source, place.target) == (source, target) {
                return at;
            }
            at = place.beside;
        }
        let known = self.document.places.len();
        let beside = std::mem::replace(&mut self.document.places[parent].inside, known);
        self.document.places.push(Place { beside, ..Place::new(parent, source, target) });
        known
    }

    /// Records that the walk is in the member it found last. Of equal keys, the last one counts, as
    /// for the API server. Returns whether the object had the key before.
    #[inline]
    pub(super) fn begin_member(
        &mut self,
        instance: usize,
        member: Option<usize>,
        unrestored: &mut Unrestored,
    ) -> bool {
        let named = self.document.named.len() - 1;
        if let Some(open) = self.stack.last_mut() {
            open.current = named;
        }
        let Some(member) = member else { return false };
        let slot = self.document.instances[instance].slots + member;
        let before = std::mem::replace(&mut self.document.slots[slot], named);
        if before != NONE {
            unrestored.add(UnrestoredReason::DuplicateKey);
            self.document.named[before].repeated = true;
            if let Some(inner) = self.document.inside(before) {
                self.document.instances[inner].repeated = true;
                self.has_repeated = true;
            }
        }
        before != NONE
    }
}
