//! Values that go to other places: what is read where they are, and what is told to the steps where they go.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::foreign::Foreign;
use super::made::Made;
use super::moves::{End, Move};
use super::objects::{Inside, members_of};
use super::route::{Node, Slot};
use super::scope::{Place, Scope, Spot};
use super::steps::Work;
use super::walk::Found;
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
    traces: [HashSet<usize>; 2],
    /// Instances with converted fields that don't have what they have in a new one.
    pub(super) converted: HashSet<usize>,
    /// Instances that values have come into, and those around them; and the same of where they were.
    pub(super) landed: HashSet<usize>,
    pub(super) departed: HashSet<usize>,
    /// Instances that values have come into, and those around them up to the object that they move in.
    pub(super) entered: HashSet<usize>,
    /// What is made for values, and the fields there that they come into.
    reached: HashSet<Place>,
    /// By what is around it and the field in the source, what is made for moved values, with its text.
    pub(super) made: HashMap<(usize, &'static str), (Made, String)>,
    /// Where there are objects, of the instance around them and the field in the source, that the source hasn't.
    pub(super) new: Vec<(usize, &'static str)>,
    /// Instances in which nothing is left, since values have gone from them.
    pub(super) emptied: HashSet<usize>,
    /// Fields of which entries say already that they are missing.
    pub(super) noted: HashSet<(usize, &'static str)>,
    /// Instances that have gone.
    pub(super) buried: HashSet<usize>,
    /// What is kept for other versions, once somebody has asked.
    pub(super) foreign: Option<Rc<[Foreign]>>,
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

/// A move, the member that its value is in, and the value.
pub(super) type Moved<'a> = (&'a Move, usize, &'a str);

/// By member, the values that go from it.
type Taken<'a> = BTreeMap<usize, Vec<(&'a Inside, &'a str)>>;

impl<'a> Work<'a> {
    /// Finds the values and where they go; the steps of the fields on both ends do the rest. Before all steps, since what
    /// moves in one object may come into what is made for another's.
    pub(super) fn relocate(&mut self) {
        let mut scopes = self.scopes();
        self.relocated.any = !scopes.is_empty();
        if scopes.is_empty() {
            return;
        }
        self.set_unset(&mut scopes);
        let (mut taken, mut shown) = (Taken::new(), Vec::new());
        for scope in &mut scopes {
            self.carry_known(scope, &mut taken);
        }
        for (at, scope) in scopes.iter_mut().enumerate() {
            for moved in std::mem::take(&mut scope.perhaps) {
                if self.is_shown_around(scope, moved.0, moved.2) {
                    let absent = self.take_absence(scope, moved.0, Some(moved.2));
                    shown.push((at, moved, absent));
                } else {
                    self.carry_something(scope, &mut taken, moved);
                }
            }
        }
        self.take_away(taken);
        for scope in &mut scopes {
            for a_move in scope.none.clone() {
                self.forget_absence(scope, a_move);
            }
        }
        self.leave_made(&mut scopes);
        let mut taken = Taken::new();
        for (at, moved, absent) in shown {
            self.carry_shown(&mut scopes[at], &mut taken, moved, absent);
        }
        self.take_away(taken);
        self.relocated.scopes = scopes;
    }

    /// Takes the values to their places that are no less than values, and sorts out the other moves.
    fn carry_known(&mut self, scope: &mut Scope<'a>, taken: &mut Taken<'a>) {
        for a_move in &scope.moves.moves {
            let unset = matches!(scope.spot(a_move.from.holder), Spot::Unset);
            match self.moved(scope, &a_move.from) {
                _ if unset && self.take_absence(scope, a_move, None) => {
                    self.come(scope, a_move, Come::Nothing);
                }
                None => scope.none.push(a_move),
                Some((named, value)) if self.may_be_nothing(scope, a_move, value) => {
                    scope.perhaps.push((a_move, named, value));
                }
                Some((named, value)) => self.carry(scope, taken, (a_move, named, value)),
            }
        }
    }

    /// What is shown with an object is true once something else makes the object true.
    fn carry_shown(
        &mut self,
        scope: &mut Scope<'a>,
        taken: &mut Taken<'a>,
        moved: Moved<'a>,
        absent: bool,
    ) {
        if matches!(scope.spot(moved.0.from.holder), Spot::There(_)) {
            if absent {
                self.losses.add(Loss::Edited);
            }
            self.carry(scope, taken, moved);
        } else if absent {
            self.come(scope, moved.0, Come::Nothing);
        }
    }

    /// Values go from the members that they are in.
    fn take_away(&mut self, taken: Taken<'a>) {
        for (named, values) in taken {
            let rest = self.rest(named, &values);
            self.relocated.gone.insert(named, rest);
        }
    }

    /// Makes what values come into in an object, and notes where they are missing.
    pub(super) fn settle_moves(&mut self, instance: usize) {
        let mut scopes = std::mem::take(&mut self.relocated.scopes);
        if let Ok(at) = scopes.binary_search_by_key(&instance, |scope| scope.instance) {
            let scope = &mut scopes[at];
            for a_move in std::mem::take(&mut scope.none) {
                self.note_absence(scope, a_move);
            }
            self.make(scope);
        }
        self.relocated.scopes = scopes;
    }

    /// Takes a value to its place that may be no more than what this version shows of nothing; not if a new object is to
    /// have a value.
    fn carry_something(
        &mut self,
        scope: &mut Scope<'a>,
        taken: &mut Taken<'a>,
        (a_move, named, value): Moved<'a>,
    ) {
        let Move { from, to } = a_move;
        let there = matches!(scope.spot(to.holder), Spot::There(_));
        let is_made = if there { self.comes(scope, to) } else { self.is_reached(scope, to.holder) };
        let may_lack = !is_made || to.shown.is_none();
        let nothing = may_lack && self.take_absence(scope, a_move, Some(value));
        if nothing {
            self.come(scope, a_move, Come::Nothing);
        }
        if nothing || there && self.knows(scope, to) {
            if from.inside.names.is_empty() {
                self.relocated.gone.insert(named, None);
            }
        } else {
            self.carry(scope, taken, (a_move, named, value));
        }
    }

    /// Takes a value to its place, if there is one.
    fn carry(
        &mut self,
        scope: &mut Scope<'a>,
        taken: &mut Taken<'a>,
        (a_move, named, value): Moved<'a>,
    ) {
        let Move { from, to } = a_move;
        let spot = scope.spot(to.holder);
        if value == "null" && !to.nullable || matches!(spot, Spot::Blocked | Spot::Unset) {
            return;
        }
        for (holder, marks) in [(from.holder, &mut scope.left), (to.holder, &mut scope.reached)] {
            scope.moves.around(holder).into_iter().for_each(|holder| marks[holder] = true);
        }
        let lands_in = scope.last_there(to.holder);
        mark_around(&mut self.relocated.departed, self.found, scope.last_there(from.holder));
        mark_around(&mut self.relocated.landed, self.found, lands_in);
        let around =
            std::iter::successors(Some(lands_in), |at| Some(self.found.instances[*at].parent));
        self.relocated.entered.extend(around.take_while(|at| *at != scope.instance));
        if matches!(spot, Spot::Absent(_)) {
            let absent = scope.moves.around(to.holder).into_iter();
            let absent = absent.filter(|at| matches!(scope.spots[*at], Spot::Absent(_)));
            self.relocated.reached.extend(absent.map(|at| scope.place(Some(at), None)));
            self.relocated.reached.insert(scope.place(to.holder, Some(to.field.name)));
        }
        taken.entry(named).or_default().push((&from.inside, value));
        self.come(scope, a_move, Come::Values(vec![(&to.inside, value)]));
    }

    /// Whether something has come into a holder that isn't there.
    pub(super) fn is_reached(&self, scope: &Scope<'a>, holder: Option<usize>) -> bool {
        holder.is_some() && self.relocated.reached.contains(&scope.place(holder, None))
    }

    /// Whether a value has come into the field that another would go to.
    pub(super) fn comes(&self, scope: &Scope<'a>, to: &End) -> bool {
        let name = to.field.name;
        match scope.spot(to.holder) {
            Spot::There(instance) => {
                matches!(self.relocated.come.get(&(instance, name)), Some(Come::Values(_)))
            }
            _ => self.relocated.reached.contains(&scope.place(to.holder, Some(name))),
        }
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
        let mut way = self.found.way(member.instance);
        if !way.is_empty() {
            way.push('.');
        }
        way.push_str(&member.key.decoded(self.text));
        self.foreign().iter().any(|foreign| foreign.is_in(&way))
    }

    /// Tells the field on the other end.
    pub(super) fn come(&mut self, scope: &mut Scope<'a>, a_move: &'a Move, come: Come<'a>) {
        let name = a_move.to.field.name;
        let there = matches!(scope.spot(a_move.to.holder), Spot::There(_));
        let (coming, place) = match (scope.spot(a_move.to.holder), a_move.to.holder) {
            (Spot::There(instance), _) => (&mut self.relocated.come, instance),
            (_, Some(holder)) => (&mut scope.made, holder),
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

    /// Whether a field is to have nothing.
    pub(super) fn comes_as_nothing(&self, scope: &Scope<'a>, to: &End) -> bool {
        let come = match (scope.spot(to.holder), to.holder) {
            (Spot::There(instance), _) => self.relocated.come.get(&(instance, to.field.name)),
            (_, Some(holder)) => scope.made.get(&(holder, to.field.name)),
            (_, None) => None,
        };
        matches!(come, Some(Come::Nothing))
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
