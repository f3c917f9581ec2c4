//! Values that go to other places: what is known of them while a hop runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::marks::{Mark, Marks};
use crate::engine::document::Source;
use crate::engine::program::{End, Inside, Move, Moves};
use crate::json::{Fidelity, equal, find};

/// What has come from other places and gone to them.
#[derive(Debug, Default)]
pub(crate) struct Moving<'a> {
    /// What comes into a field of an instance.
    pub(crate) come: Coming<'a>,
    /// Members whose value has gone, and what has not of what holds it.
    pub(crate) gone: HashMap<usize, Option<String>>,
    /// The moves in the objects of this source.
    pub(crate) scopes: Vec<Scope<'a>>,
    pub(crate) marks: Marks,
    /// What is made for values, and the fields there that they come into.
    pub(crate) reached: HashSet<Place>,
    /// By what is around it and the field in the source, what is made for moved values, with its text.
    pub(crate) synthesized: HashMap<(usize, &'static str), (Synthesized, String)>,
    /// Where there are objects, of the instance around them and the field in the source, that the source hasn't.
    pub(crate) new: Vec<(usize, &'static str)>,
    /// Objects that have gone with all that is in them.
    pub(crate) left: Vec<Range<usize>>,
    /// Fields of which entries say already that they are missing.
    pub(crate) noted: HashSet<(usize, &'static str)>,
}

impl Moving<'_> {
    /// Notes what an entry does in an instance, for the moves if there are any.
    pub(crate) fn note(&mut self, source: Source<'_>, instance: usize, mark: Mark) {
        if source.route.has_moves {
            self.marks.add_around(source, instance, mark);
        }
    }
}

/// By instance, or by holder, and field.
pub(crate) type Coming<'a> = HashMap<(usize, &'static str), Come<'a>>;

/// What comes into a field.
#[derive(Debug)]
pub(crate) enum Come<'a> {
    /// Nothing: the value that the field's version shows is only what it shows of none.
    Nothing,
    Values(Vec<(&'a Inside, &'a str)>),
}

/// A move, the member that its value is in, and the value.
pub(crate) type Moved<'a> = (&'a Move, usize, &'a str);

/// Where something is made.
#[derive(Debug)]
pub(crate) enum Synthesized {
    /// By its place among what is appended.
    Appended(usize),
    /// In place of a null.
    InPlace,
}

/// The moves in one object.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) instance: usize,
    pub(crate) moves: &'a Moves,
    /// By holder.
    pub(crate) presences: Vec<Presence>,
    /// The holders that a value has gone from, or from something inside.
    pub(crate) left: Vec<bool>,
    /// The holders that a value has come into, or into something inside.
    pub(crate) reached: Vec<bool>,
    /// What comes into the holders that aren't there.
    pub(crate) synthesized: Coming<'a>,
    /// The moves that have no value.
    pub(crate) none: Vec<&'a Move>,
    /// Those whose value may be no more than what this version shows of nothing.
    pub(crate) ambiguous: Vec<Moved<'a>>,
}

/// A holder in one object of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Presence {
    There(usize),
    /// Perhaps with a `null`.
    Absent(Option<usize>),
    /// Only what this version shows of none stands there, and goes with all that is in it.
    Unset,
    /// Something else stands there.
    Blocked,
}

/// Something in an object that isn't there: the last one around it that is, the holders on the way, and the field in the
/// target.
pub(crate) type Place = (usize, Vec<&'static str>, Option<&'static str>);

impl Scope<'_> {
    /// Says of a holder, and of all inside it, what stands there.
    pub(crate) fn set(&mut self, at: usize, presence: Presence) {
        for inside in at..self.presences.len() {
            if self.moves.around(Some(inside)).contains(&at) {
                self.presences[inside] = presence;
            }
        }
    }

    pub(crate) fn presence(&self, holder: Option<usize>) -> Presence {
        holder.map_or(Presence::There(self.instance), |holder| self.presences[holder])
    }

    /// The instance of a holder, or of the last one around it that is there.
    pub(crate) fn last_there(&self, holder: Option<usize>) -> usize {
        self.place(holder, None).0
    }

    /// Where a holder would be, or a field of it.
    pub(crate) fn place(&self, holder: Option<usize>, field: Option<&'static str>) -> Place {
        let (mut holder, mut way) = (holder, Vec::new());
        loop {
            match (self.presence(holder), holder) {
                (Presence::There(instance), _) => {
                    way.reverse();
                    return (instance, way, field);
                }
                (_, Some(at)) => {
                    let around = &self.moves.holders[at];
                    way.push(around.source.name);
                    holder = around.parent;
                }
                (_, None) => return (self.instance, way, field),
            }
        }
    }

    /// Whether a value is in what the API server fills in, for its field or for an object around it.
    pub(crate) fn is_filled_in(&self, from: &End, value: &str) -> bool {
        let holders = &self.moves.holders;
        let around = self.moves.around(from.holder);
        let filled = |place: usize| {
            let default = holders[around[place]].source.default.as_deref()?;
            let way = around[place + 1..].iter().map(|at| holders[*at].source.name);
            let field = way.chain(std::iter::once(from.field.name)).try_fold(default, find)?;
            from.inside.find(field)
        };
        let mut filled = (0..around.len()).filter_map(filled);
        from.is_filled_in(value) || filled.any(|filled| equal(filled, value, Fidelity::AsServed))
    }
}

/// The objects that values move out of and into, each with what it is in the scopes that reach it.
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
