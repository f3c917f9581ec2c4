//! Values that go to other places: what is read where they are, and what is told to the steps where they go.

use std::collections::{HashMap, HashSet};

use super::carrier::Foreign;
use super::made::Made;
use super::moves::{End, Holder, Move, Moves};
use super::objects::{Inside, members_of};
use super::route::{Node, Slot};
use super::steps::Work;
use super::walk::{Found, Via};
use crate::complement::Loss;
use crate::json::{Fidelity, equal};

/// What has come from other places and gone to them.
#[derive(Debug, Default)]
pub(super) struct Relocated<'a> {
    /// What comes into a field of an instance.
    come: Coming<'a>,
    /// Members whose value has gone, and what has not of what holds it.
    pub(super) gone: HashMap<usize, Option<String>>,
    /// Whether there are any moves.
    any: bool,
    /// The moves in the objects of this source.
    pub(super) scopes: Vec<Scope<'a>>,
    /// By trace the instances that have it, since there were moves, and those around them.
    traces: [HashSet<usize>; 3],
    /// Instances with converted fields that don't have what they have in a new one: in the source, and in the target.
    pub(super) converted: [HashSet<usize>; 2],
    /// Instances that values have come into, and those around them; and the same of where they were.
    pub(super) landed: HashSet<usize>,
    pub(super) departed: HashSet<usize>,
    /// By what is around it and the field in the source, what is made for moved values, with its text.
    pub(super) made: HashMap<(usize, &'static str), (Made, String)>,
    /// Instances from which values have gone and that are there only since the target fills them in.
    pub(super) filled: HashSet<usize>,
    /// Whether nothing says that an object was there but entries for versions further away.
    pub(super) trusted: bool,
    /// What is kept for other versions, once somebody has asked.
    pub(super) foreign: Option<Vec<Foreign>>,
}

impl Relocated<'_> {
    pub(super) fn note(&mut self, found: &Found, instance: usize, trace: Trace) {
        if !self.any {
            return;
        }
        mark_around(&mut self.traces[trace as usize], found, instance);
    }

    pub(super) fn has(&self, instance: usize, trace: Trace) -> bool {
        self.traces[trace as usize].contains(&instance)
    }
}

/// What entries do in an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trace {
    /// Something is kept, now or on the way back.
    Kept,
    /// Something is kept that would be kept in a new object, too.
    Awaited,
    /// An entry is used up; the way back needn't keep it again.
    Restored,
}

/// Marks an instance and those around it.
fn mark_around(marks: &mut HashSet<usize>, found: &Found, instance: usize) {
    let mut at = instance;
    while marks.insert(at) && at != 0 {
        at = found.instances[at].parent;
    }
}

/// By instance, or by holder, and field.
pub(super) type Coming<'a> = HashMap<(usize, &'static str), Come<'a>>;

/// What comes into a field.
#[derive(Debug)]
pub(super) enum Come<'a> {
    /// Nothing: the value that the field's version shows is only what it shows of none.
    Nothing,
    Values(Vec<(&'a Inside, &'a str)>),
}

/// The moves in one object.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) instance: usize,
    pub(super) moves: &'a Moves,
    /// By holder.
    pub(super) spots: Vec<Spot>,
    /// The holders that a value has gone from, or from something inside.
    pub(super) left: Vec<bool>,
    /// The holders that a value has come into, or into something inside.
    pub(super) reached: Vec<bool>,
}

/// A holder in one object of the source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    There(usize),
    /// Perhaps with a `null`.
    Absent(Option<usize>),
    /// Something else stands there.
    Blocked,
}

/// A member, and the values that go from it.
type Taken<'a> = (usize, Vec<(&'a Inside, &'a str)>);

impl Scope<'_> {
    pub(super) fn spot(&self, holder: Option<usize>) -> Spot {
        holder.map_or(Spot::There(self.instance), |holder| self.spots[holder])
    }
}

impl Scope<'_> {
    /// The instance of a holder, or of the last one around it that is there.
    fn last_there(&self, holder: Option<usize>) -> usize {
        let mut holder = holder;
        loop {
            match self.spot(holder) {
                Spot::There(instance) => return instance,
                _ => holder = holder.and_then(|holder| self.moves.holders[holder].parent),
            }
        }
    }
}

impl<'a> Work<'a> {
    /// Finds the values and where they go; the steps of the fields on both ends do the rest.
    pub(super) fn relocate(&mut self, instance: usize, moves: &'a Moves) {
        self.relocated.any = true;
        let count = moves.holders.len();
        let (left, reached) = (vec![false; count], vec![false; count]);
        let mut scope = Scope { instance, moves, spots: Vec::new(), left, reached };
        for holder in &moves.holders {
            let spot = match scope.spot(holder.parent) {
                Spot::There(around) => self.spot(around, holder),
                Spot::Absent(_) => Spot::Absent(None),
                Spot::Blocked => Spot::Blocked,
            };
            scope.spots.push(spot);
        }
        let mut made = HashMap::new();
        let mut taken = Vec::new();
        let (mut none, mut perhaps) = (Vec::new(), Vec::new());
        let unset: Vec<bool> = (0..count).map(|at| self.is_unset(&scope, at)).collect();
        let is_unset = |holder| moves.around(holder).into_iter().any(|holder| unset[holder]);
        for at in (0..count).filter(|at| is_unset(Some(*at))) {
            scope.spots[at] = Spot::Blocked;
        }
        for a_move in &moves.moves {
            if is_unset(a_move.from.holder) {
                if self.take_absence(&scope, a_move, None) {
                    self.come(&scope, &mut made, a_move, Come::Nothing);
                }
                continue;
            }
            match self.moved(&scope, &a_move.from) {
                None => none.push(a_move),
                Some((named, value)) if self.may_be_nothing(&scope, a_move, value) => {
                    perhaps.push((a_move, named, value));
                }
                Some((named, value)) => {
                    self.carry(&mut scope, &mut made, &mut taken, (a_move, named, value));
                }
            }
        }
        // These may be no more than what this version shows of nothing; not if a new object is to have a value.
        for (a_move, named, value) in perhaps {
            let Move { from, to } = a_move;
            let there = matches!(scope.spot(to.holder), Spot::There(_));
            let is_made = if there {
                matches!(self.coming(&scope, &made, to), Some(Come::Values(_)))
            } else {
                to.holder.is_some_and(|holder| scope.reached[holder])
            };
            let may_lack = !is_made || to.shown.is_none();
            let nothing = may_lack && self.take_absence(&scope, a_move, Some(value));
            if nothing {
                self.come(&scope, &mut made, a_move, Come::Nothing);
            }
            if nothing || there && self.knows(&scope, to) {
                if from.inside.names.is_empty() {
                    self.relocated.gone.insert(named, None);
                }
            } else {
                self.carry(&mut scope, &mut made, &mut taken, (a_move, named, value));
            }
        }
        for (named, values) in taken {
            let rest = self.rest(named, &values);
            self.relocated.gone.insert(named, rest);
        }
        for a_move in &none {
            self.forget_absence(&scope, &mut made, a_move);
        }
        self.leave_made(&mut scope);
        for a_move in none {
            self.note_absence(&scope, &made, a_move);
        }
        self.make(&scope, &mut made);
        self.relocated.scopes.push(scope);
    }

    /// Takes a value to its place, if there is one.
    fn carry(
        &mut self,
        scope: &mut Scope<'a>,
        made: &mut Coming<'a>,
        taken: &mut Vec<Taken<'a>>,
        (a_move, named, value): (&'a Move, usize, &'a str),
    ) {
        let Move { from, to } = a_move;
        if value == "null" && !to.nullable || matches!(scope.spot(to.holder), Spot::Blocked) {
            return;
        }
        for (holder, marks) in [(from.holder, &mut scope.left), (to.holder, &mut scope.reached)] {
            scope.moves.around(holder).into_iter().for_each(|holder| marks[holder] = true);
        }
        mark_around(&mut self.relocated.departed, self.found, scope.last_there(from.holder));
        mark_around(&mut self.relocated.landed, self.found, scope.last_there(to.holder));
        match taken.iter_mut().find(|(at, _)| *at == named) {
            Some((_, values)) => values.push((&from.inside, value)),
            None => taken.push((named, vec![(&from.inside, value)])),
        }
        self.come(scope, made, a_move, Come::Values(vec![(&to.inside, value)]));
    }

    fn spot(&self, around: usize, holder: &Holder) -> Spot {
        let Some(named) = self.named(around, holder.source.name) else { return Spot::Absent(None) };
        if self.found.value(self.text, named) == "null" {
            return Spot::Absent(Some(named));
        }
        self.found.inside(named).map_or(Spot::Blocked, Spot::There)
    }

    /// The member of an instance by its name.
    pub(super) fn named(&self, instance: usize, name: &str) -> Option<usize> {
        match &self.route.nodes[self.found.instances[instance].node] {
            Node::Object(object) => self.found.member(instance, object.find(name)?),
            _ => None,
        }
    }

    /// The value to move, and the member that it is in.
    pub(super) fn moved(&self, scope: &Scope<'a>, from: &End) -> Option<(usize, &'a str)> {
        let Spot::There(owner) = scope.spot(from.holder) else { return None };
        let named = self.named(owner, from.field.name)?;
        let value = from.inside.find(self.present(Some(named), &from.field)?)?;
        (from.nullable || value != "null").then_some((named, value))
    }

    /// What is left of a member's value and doesn't come back by itself.
    fn rest(&mut self, named: usize, values: &[(&Inside, &str)]) -> Option<String> {
        if values.iter().any(|(inside, _)| inside.names.is_empty()) {
            return None;
        }
        let all = self.found.value(self.text, named);
        let alone = values.iter().fold(None, |object: Option<String>, (inside, value)| {
            Some(inside.insert(object.as_deref(), value))
        });
        if alone.is_some_and(|alone| equal(&alone, all, Fidelity::AsWritten))
            && !self.is_anchor(named)
        {
            return None;
        }
        Some(values.iter().fold(all.to_owned(), |rest, (inside, _)| inside.take(&rest)))
    }

    /// Whether something that is kept for another version belongs to what is in a member.
    fn is_anchor(&mut self, named: usize) -> bool {
        let member = &self.found.named[named];
        let mut way = self.found.path(self.found.instances[member.instance].place, false).join(".");
        if !way.is_empty() {
            way.push('.');
        }
        way.push_str(&member.key.decoded(self.text));
        // Once for all items of a list: annotations may be long.
        if self.relocated.foreign.is_none() {
            self.relocated.foreign = Some(self.foreign_entries());
        }
        self.relocated.foreign.iter().flatten().any(|foreign| foreign.is_in(&way))
    }

    /// Tells the field on the other end.
    pub(super) fn come(
        &mut self,
        scope: &Scope<'a>,
        made: &mut Coming<'a>,
        a_move: &'a Move,
        come: Come<'a>,
    ) {
        let name = a_move.to.field.name;
        let there = matches!(scope.spot(a_move.to.holder), Spot::There(_));
        let (coming, place) = match (scope.spot(a_move.to.holder), a_move.to.holder) {
            (Spot::There(instance), _) => (&mut self.relocated.come, instance),
            (_, Some(holder)) => (made, holder),
            (_, None) => return,
        };
        match (coming.get_mut(&(place, name)), come) {
            (Some(Come::Values(values)), Come::Values(more)) => values.extend(more),
            // Of a struct that only this version has the entry says more, and one that is made has what any new one has.
            (None, Come::Nothing) if !there || !a_move.to.inside.names.is_empty() => {}
            (Some(_), Come::Nothing) => {}
            (_, come) => drop(coming.insert((place, name), come)),
        }
    }

    /// What has come into a field so far, or will come into it in an object that is made.
    pub(super) fn coming<'s>(
        &'s self,
        scope: &Scope<'a>,
        made: &'s Coming<'a>,
        to: &End,
    ) -> Option<&'s Come<'a>> {
        match (scope.spot(to.holder), to.holder) {
            (Spot::There(instance), _) => self.relocated.come.get(&(instance, to.field.name)),
            (_, holder) => made.get(&(holder?, to.field.name)),
        }
    }

    /// What is kept inside of objects for versions further away went with the objects that are made anew.
    pub(super) fn drop_foreign(&mut self, scope: &Scope<'a>, is_made: impl Fn(usize) -> bool) {
        let around = |via: &Via| !matches!(via, Via::Field);
        let instances = &self.found.instances;
        let mut way = std::iter::successors(Some(scope.instance), |at| {
            (*at != 0).then(|| instances[*at].parent)
        });
        // In a list the annotation is for other items, too.
        if way.any(|at| around(&instances[at].via)) {
            return;
        }
        let made: Vec<String> = (0..scope.spots.len())
            .filter(|at| is_made(*at))
            .map(|at| self.path(scope, at).join("."))
            .collect();
        self.relocated.foreign = None;
        for foreign in self.foreign_entries() {
            // What is of an unknown format may mean anything.
            let Some(entries) = &foreign.entries else { continue };
            if made.iter().any(|way| foreign.is_in(way)) {
                self.delete(Some(foreign.named));
                for _ in entries {
                    self.losses.add(Loss::AnchorGone);
                }
            }
        }
    }

    /// What a field gets from another place, if its entry says this of it.
    pub(super) fn arrived(
        &mut self,
        instance: usize,
        to: &Slot,
        has_entry: bool,
        kept: Option<&str>,
    ) -> Arrived {
        if self.relocated.come.is_empty() {
            return Arrived::Unknown;
        }
        match self.relocated.come.remove(&(instance, to.name)) {
            None => Arrived::Unknown,
            Some(Come::Nothing) => Arrived::Nothing,
            Some(Come::Values(values)) => {
                let whole = values.iter().any(|(inside, _)| inside.names.is_empty());
                let base = kept.filter(|kept| !whole && members_of(kept).is_some());
                let replaces = |base: &str| values.iter().any(|(inside, _)| inside.replaces(base));
                if has_entry && base.is_none_or(replaces) {
                    self.losses.add(Loss::Edited);
                }
                let value = put_together(base, &values);
                if !equal(&value, &put_together(None, &values), Fidelity::AsWritten) {
                    // The way back keeps the rest again.
                    self.relocated.note(self.found, instance, Trace::Kept);
                }
                Arrived::Value(value)
            }
        }
    }
}

/// What has come into a field.
pub(super) enum Arrived {
    /// Nothing moves into it.
    Unknown,
    Nothing,
    Value(String),
}

pub(super) fn put_together(base: Option<&str>, values: &[(&Inside, &str)]) -> String {
    let mut object = base.map(str::to_owned);
    for (inside, value) in values {
        object = Some(inside.insert(object.as_deref(), value));
    }
    object.unwrap_or_default()
}
