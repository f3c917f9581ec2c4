//! The objects in which values move, and the objects inside them that the values are in.

use std::collections::{BTreeMap, HashMap};

use super::moves::{End, Holder, Move, Moves};
use super::objects::find;
use super::relocate::{Coming, Moved};
use super::steps::Work;
use crate::json::{Fidelity, equal};

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
    /// What comes into the holders that aren't there.
    pub(super) made: Coming<'a>,
    /// The moves that have no value.
    pub(super) none: Vec<&'a Move>,
    /// Those whose value may be no more than what this version shows of nothing.
    pub(super) perhaps: Vec<Moved<'a>>,
}

/// A holder in one object of the source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
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
pub(super) type Place = (usize, Vec<&'static str>, Option<&'static str>);

impl Scope<'_> {
    /// Says of a holder, and of all inside it, what stands there.
    pub(super) fn set(&mut self, at: usize, spot: Spot) {
        for inside in at..self.spots.len() {
            if self.moves.around(Some(inside)).contains(&at) {
                self.spots[inside] = spot;
            }
        }
    }

    pub(super) fn spot(&self, holder: Option<usize>) -> Spot {
        holder.map_or(Spot::There(self.instance), |holder| self.spots[holder])
    }

    /// The instance of a holder, or of the last one around it that is there.
    pub(super) fn last_there(&self, holder: Option<usize>) -> usize {
        self.place(holder, None).0
    }

    /// Where a holder would be, or a field of it.
    pub(super) fn place(&self, holder: Option<usize>, field: Option<&'static str>) -> Place {
        let (mut holder, mut way) = (holder, Vec::new());
        loop {
            match (self.spot(holder), holder) {
                (Spot::There(instance), _) => {
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
    pub(super) fn is_filled_in(&self, from: &End, value: &str) -> bool {
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
pub(super) fn holders_of(scopes: &[Scope<'_>]) -> BTreeMap<usize, Vec<(usize, usize)>> {
    let mut holders: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (index, scope) in scopes.iter().enumerate() {
        for (at, spot) in scope.spots.iter().enumerate() {
            if let Spot::There(instance) = *spot {
                holders.entry(instance).or_default().push((index, at));
            }
        }
    }
    holders
}

impl<'a> Work<'a> {
    /// The objects in which values move.
    pub(super) fn scopes(&self) -> Vec<Scope<'a>> {
        if !self.route.has_moves {
            return Vec::new();
        }
        let mut scopes = Vec::new();
        for (instance, found) in self.found.instances.iter().enumerate() {
            let Some(moves) = self.route.nodes[found.node].moves().filter(|_| !found.dead) else {
                continue;
            };
            let marks = vec![false; moves.holders.len()];
            let mut scope = Scope {
                instance,
                moves,
                spots: Vec::new(),
                left: marks.clone(),
                reached: marks,
                made: HashMap::new(),
                none: Vec::new(),
                perhaps: Vec::new(),
            };
            for holder in &moves.holders {
                let spot = match scope.spot(holder.parent) {
                    Spot::There(around) => self.spot(around, holder),
                    Spot::Absent(_) => Spot::Absent(None),
                    around @ (Spot::Unset | Spot::Blocked) => around,
                };
                scope.spots.push(spot);
            }
            scopes.push(scope);
        }
        scopes
    }

    /// Finds what is only what this version shows of none.
    pub(super) fn set_unset(&mut self, scopes: &mut [Scope<'a>]) {
        if self.carried.is_empty() {
            return;
        }
        let mut open: Vec<_> = holders_of(scopes).into_iter().collect();
        loop {
            let before = open.len();
            open.retain(|(instance, of)| {
                let is_unset = self.is_unset(scopes, of, *instance);
                for (scope, at) in of.iter().filter(|_| is_unset) {
                    scopes[*scope].set(*at, Spot::Unset);
                }
                !is_unset
            });
            // What is in one comes into no other one, so that may be only shown, too.
            if open.len() == before {
                return;
            }
        }
    }

    fn spot(&self, around: usize, holder: &Holder) -> Spot {
        let Some(named) = self.named(around, holder.source.name) else { return Spot::Absent(None) };
        if self.found.value(self.text, named) == "null" {
            return Spot::Absent(Some(named));
        }
        self.found.inside(named).map_or(Spot::Blocked, Spot::There)
    }
}
