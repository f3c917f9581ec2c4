//! Moves: what becomes of each value, where values leave and arrive, and which objects are made and
//! removed with them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

use crate::engine::document::{Document, Source};
use crate::engine::program::{End, Holder, Inside, Move, Moves, Together};
use crate::plan::{Texts, Values};

/// What moves in one object. Everything but `needed` and `gone` is decided before the other rules
/// run, and doesn't change afterwards.
#[derive(Debug, Default)]
pub(crate) struct Moving<'a> {
    /// In the order of the text. `None` if nothing moves.
    pub(crate) scopes: Option<Rc<[Scope<'a>]>>,
    /// The values that arrive in each field. A field with an empty list is absent in the target.
    /// Holders that values enter are here, too, with empty lists.
    pub(crate) arriving: HashMap<Place, Vec<Part<'a>>>,
    /// Places in fields that get no value but a default, whatever an entry keeps for the field.
    pub(crate) vacated: HashMap<Place, Vec<&'a Inside>>,
    /// What leaves each field, by the field's instance and name.
    pub(crate) leaving: HashMap<(usize, &'static str), Leaving<'a>>,
    /// New objects around arriving values, by the instance that they are in.
    pub(crate) made: Vec<Made<'a>>,
    /// Instances that stay: values arrive in them, or something in them is kept or restored.
    pub(crate) needed: Nest,
    /// Ranges of instances that are removed as a whole.
    pub(crate) gone: Vec<Range<usize>>,
}

impl Moving<'_> {
    /// Whether values from outside of an instance arrive in it.
    pub(crate) fn enters(&self, instance: usize) -> bool {
        self.arriving.contains_key(&(instance, Vec::new(), None))
    }

    /// Whether an object is made in an instance's field.
    pub(crate) fn makes(&self, instance: usize, field: &'static str) -> bool {
        self.arriving.contains_key(&(instance, vec![field], None))
    }
}

/// A value, and where it is inside the field that it arrives in or leaves.
pub(crate) type Part<'a> = (&'a Inside, Cow<'a, str>);

/// A holder or a field in the target: the innermost instance around it that the source has, the
/// names of the missing holders in between, and the field's name. Without a field, the place is
/// that of the holder with the last name.
pub(crate) type Place = (usize, Vec<&'static str>, Option<&'static str>);

/// What leaves a field.
#[derive(Debug)]
pub(crate) enum Leaving<'a> {
    /// These values. Without any, the field has only a default, which isn't kept.
    Parts(Vec<Part<'a>>),
    /// Nothing. The entry of the move records that the field is absent.
    Absence,
}

/// A new object around arriving values.
#[derive(Debug)]
pub(crate) struct Made<'a> {
    pub(crate) around: usize,
    pub(crate) holder: &'a Holder,
    /// The member that is `null` in the source.
    pub(crate) null: Option<usize>,
    pub(crate) text: String,
}

/// The moves in one object.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) instance: usize,
    pub(crate) moves: &'a Moves,
    /// By holder.
    pub(crate) presences: Vec<Presence>,
    /// By move. A move that isn't decided yet is blocked.
    pub(crate) outcomes: Vec<Outcome<'a>>,
    /// By group. `None` if the group doesn't move, or isn't decided yet.
    pub(crate) groups: Vec<Option<Transfers<'a>>>,
}

/// A holder in one object of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Presence {
    There(usize),
    /// Perhaps there is a member that is `null`.
    Absent(Option<usize>),
    /// The source shows only a default, which is removed with all its contents.
    Unset,
    /// The source has another kind of value.
    Blocked,
}

/// What becomes of a move.
#[derive(Clone, Debug)]
pub(crate) enum Outcome<'a> {
    /// The value moves.
    Value(Transfer<'a>),
    /// The source shows only a default. If it isn't known to be absent, the target's field has an
    /// entry with its value.
    Default { absent: bool },
    /// There is no value. If the target shows one anyway, an entry records that the value is
    /// absent.
    Absent(Option<Absence>),
    /// The value stays where it is, since the target has no place for it.
    Blocked,
}

/// A value on its way.
#[derive(Clone, Debug)]
pub(crate) struct Transfer<'a> {
    /// The value that leaves.
    pub(crate) left: &'a str,
    /// The value that arrives. It's another one if the value changes on its way.
    pub(crate) arrives: Cow<'a, str>,
    /// Whether the value that leaves has to be kept, because the way back doesn't return it.
    pub(crate) is_kept: bool,
}

/// A group of values on its way.
#[derive(Debug)]
pub(crate) struct Transfers<'a> {
    /// The values that leave.
    pub(crate) left: Texts<'a>,
    /// Those that were moved there. The others were filled in.
    pub(crate) moved: Texts<'a>,
    /// The values that arrive.
    pub(crate) arrives: Values,
    /// Whether an entry says that exactly these arrive.
    pub(crate) is_known: bool,
}

/// The entry of a move without a value.
#[derive(Clone, Debug)]
pub(crate) struct Absence {
    /// What the target shows anyway, unless it's the usual default.
    pub(crate) shown: Option<String>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(source: Source<'a>, instance: usize, moves: &'a Moves) -> Self {
        let outcomes = vec![Outcome::Blocked; moves.moves.len()];
        let groups = moves.groups.iter().map(|_| None).collect();
        let mut scope = Self { instance, moves, presences: Vec::new(), outcomes, groups };
        for holder in &moves.holders {
            let presence = match scope.presence(holder.parent) {
                Presence::There(around) => Presence::of(source, around, holder),
                Presence::Absent(_) => Presence::Absent(None),
                around @ (Presence::Unset | Presence::Blocked) => around,
            };
            scope.presences.push(presence);
        }
        scope
    }

    pub(crate) fn presence(&self, holder: Option<usize>) -> Presence {
        holder.map_or(Presence::There(self.instance), |holder| self.presences[holder])
    }

    /// Sets the presence of a holder, and of all holders inside it.
    pub(crate) fn set(&mut self, at: usize, presence: Presence) {
        for inside in at..self.presences.len() {
            if self.contains(at, Some(inside)) {
                self.presences[inside] = presence;
            }
        }
    }

    /// Whether a holder contains another one, or is the same.
    pub(crate) fn contains(&self, at: usize, holder: Option<usize>) -> bool {
        std::iter::successors(holder, |holder| self.moves.holders[*holder].parent)
            .any(|around| around == at)
    }

    /// Whether values leave a holder, or a holder inside it.
    pub(crate) fn leaves(&self, at: usize) -> bool {
        let together = self.together().flat_map(|(group, carried)| {
            let ends = group.from.iter().zip(&carried.moved);
            ends.filter(|(_, value)| value.is_some()).map(|(from, _)| from)
        });
        let mut left = self.carried().map(|(a_move, _)| &a_move.from).chain(together);
        left.any(|from| self.contains(at, from.holder))
    }

    /// Returns the ends at which values arrive.
    pub(crate) fn entered(&self) -> impl Iterator<Item = &'a End> {
        let together = self.together().flat_map(|(group, carried)| {
            let ends = group.to.iter().zip(carried.arrives.texts());
            ends.filter(|(_, value)| value.is_some()).map(|(to, _)| to)
        });
        self.carried().map(|(a_move, _)| &a_move.to).chain(together)
    }

    /// Returns the groups that move, each with its values.
    pub(crate) fn together(&self) -> impl Iterator<Item = (&'a Together, &Transfers<'a>)> {
        let decided = self.moves.groups.iter().zip(&self.groups);
        decided.filter_map(|(group, carried)| Some((group, carried.as_ref()?)))
    }

    /// Returns the moves that have a value, each with the value.
    pub(crate) fn carried(&self) -> impl Iterator<Item = (&'a Move, &Transfer<'a>)> {
        let decided = self.moves.moves.iter().zip(&self.outcomes);
        decided.filter_map(|(a_move, outcome)| match outcome {
            Outcome::Value(carried) => Some((a_move, carried)),
            Outcome::Default { .. } | Outcome::Absent(_) | Outcome::Blocked => None,
        })
    }

    /// Returns the value at a move's end in the source.
    pub(crate) fn value(&self, source: Source<'a>, from: &End) -> Option<&'a str> {
        let Presence::There(owner) = self.presence(from.holder) else { return None };
        let named = source.member_called(owner, from.field.name)?;
        let value = from.inside.find(source.present(Some(named), &from.field)?)?;
        (from.nullable || value != "null").then_some(value)
    }

    /// Returns the place of a holder, or of a field in it.
    pub(crate) fn place(&self, holder: Option<usize>, field: Option<&'static str>) -> Place {
        let (mut instance, mut missing) = (self.instance, Vec::new());
        for at in self.moves.around(holder) {
            match self.presences[at] {
                Presence::There(inner) => instance = inner,
                _ => missing.push(self.moves.holders[at].source.name),
            }
        }
        (instance, missing, field)
    }
}

impl Presence {
    fn of(source: Source<'_>, around: usize, holder: &Holder) -> Self {
        let Some(named) = source.member_called(around, holder.source.name) else {
            return Self::Absent(None);
        };
        if source.value(named) == "null" {
            return Self::Absent(Some(named));
        }
        source.document.inside(named).map_or(Self::Blocked, Self::There)
    }
}

/// Returns the holders in the source. Each comes with the scopes that have it, and its index among
/// their holders.
pub(crate) fn holders_of(scopes: &[Scope<'_>]) -> BTreeMap<usize, Vec<(usize, usize)>> {
    let mut holders: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (index, scope) in scopes.iter().enumerate() {
        for (at, presence) in scope.presences.iter().enumerate() {
            if let Presence::There(instance) = *presence {
                holders.entry(instance).or_default().push((index, at));
            }
        }
    }
    holders
}

/// A set of instances that contains the parents of each one.
#[derive(Debug, Default)]
pub(crate) struct Nest(Vec<bool>);

impl Nest {
    pub(crate) fn has(&self, instance: usize) -> bool {
        self.0.get(instance).is_some_and(|has| *has)
    }

    pub(crate) fn add(&mut self, document: &Document, instance: usize) {
        let mut at = instance;
        while !self.has(at) {
            if self.0.len() <= at {
                self.0.resize(at + 1, false);
            }
            self.0[at] = true;
            // The root is its own parent.
            at = document.instances[at].parent;
        }
    }
}
