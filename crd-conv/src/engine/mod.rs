//! The engine: one object's text through the routes between two versions.

mod absent;
mod align;
mod budget;
mod build;
mod carrier;
mod convert;
mod defaults;
mod emit;
mod foreign;
mod guides;
mod items;
mod lineage;
mod made;
mod moves;
mod objects;
mod releases;
mod relocate;
mod resources;
mod route;
mod scope;
mod served;
mod settle;
mod steps;
mod tags;
#[cfg(test)]
mod tests;
mod told;
mod tombstones;
mod union;
mod walk;

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::complement::Losses;
use crate::json::{Edit, Scanner, SyntaxError, splice};

pub(crate) use budget::{Excess, MAX_ANNOTATIONS};
#[cfg(feature = "schema")]
pub(crate) use defaults::differ_in_unset;
#[cfg(feature = "cli")]
pub(crate) use moves::both_have;
#[cfg(feature = "cli")]
pub(crate) use route::REST;
pub(crate) use route::{Direction, Ends, Route};
pub(crate) use steps::Failure;
use steps::{Trust, Work};
use told::Guesses;
pub(crate) use tombstones::{Missing, Stored};
use walk::Found;

/// Why an object didn't get through.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Syntax(SyntaxError),
    /// On the hop between these two versions.
    Field {
        from: &'static str,
        to: &'static str,
        failure: Failure,
    },
    /// The object has tombstones for these.
    Missing(Vec<Missing>),
    /// The converted object has no room for its annotations.
    Excess(Excess),
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl Failure {
    fn on(self, route: &Route) -> Stop {
        Stop::Field { from: route.from, to: route.to, failure: self }
    }
}

/// What conversions have done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// What wasn't restored.
    pub(crate) losses: Losses,
    /// How many bytes the entries have that were written.
    pub(crate) kept_bytes: u64,
    /// How often a fallback was shown, because a converter refused.
    pub(crate) fallbacks: u32,
}

/// Converts object after object, and reuses what it has allocated.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    found: Found,
    arena: String,
    edits: Vec<Edit>,
    /// Between two hops.
    between: [String; 2],
}

/// How often a hop is tried until all are right about which items entries belong to.
const MAX_GUESSES: usize = 4;

/// What an engine may keep allocated between two uses.
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    /// Where small objects come one by one, allocating would take longer than converting.
    static ENGINE: Cell<Option<Box<Engine>>> = const { Cell::new(None) };
}

/// Runs `work` with the thread's engine, or a new one if that is in use or too large.
pub(crate) fn with_engine<T>(work: impl FnOnce(&mut Engine) -> T) -> T {
    let mut engine = ENGINE.take().unwrap_or_default();
    let result = work(&mut engine);
    if engine.capacity() <= MAX_KEPT {
        ENGINE.set(Some(engine));
    }
    result
}

impl Engine {
    /// Bytes allocated, about.
    fn capacity(&self) -> usize {
        let texts =
            self.arena.capacity() + self.between.iter().map(String::capacity).sum::<usize>();
        texts + self.edits.capacity() * size_of::<Edit>() + self.found.capacity()
    }

    /// Converts the object that starts at the scanner's position, through one route after the other, and appends
    /// the result. The scanner then stands behind the object. After an error the output's end is unspecified.
    pub(crate) fn convert<'r>(
        &mut self,
        scanner: &mut Scanner<'_>,
        routes: impl Iterator<Item = &'r Route>,
        stored: Stored,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), Stop> {
        let mut routes = routes.peekable();
        let Some(first) = routes.next() else { return scanner.skip_value().map_err(Stop::Syntax) };
        if routes.peek().is_none() {
            return self.hop(scanner, first, (stored, Trust::Entries), tally, out).map(|_| ());
        }
        let more: Vec<&Route> = routes.collect();
        let (start, before, written) = (scanner.pos, *tally, out.len());
        let trusted = self.hops(scanner, (first, &more), (stored, Trust::Entries), tally, out)?;
        if trusted && tally.losses != before.losses {
            // Perhaps one of the entries that an object counted on is among them.
            scanner.pos = start;
            *tally = before;
            out.truncate(written);
            self.hops(scanner, (first, &more), (stored, Trust::Nothing), tally, out)?;
        }
        Ok(())
    }

    /// Gives whether an object counts as held by nothing but entries that are for versions further away.
    fn hops(
        &mut self,
        scanner: &mut Scanner<'_>,
        (first, more): (&Route, &[&Route]),
        how: (Stored, Trust),
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<bool, Stop> {
        let [mut source, mut target] = std::mem::take(&mut self.between);
        target.clear();
        let outcome = self.hop(scanner, first, how, tally, &mut target).and_then(|trusted| {
            let mut trusted = trusted;
            for (place, route) in more.iter().enumerate() {
                std::mem::swap(&mut source, &mut target);
                let mut scanner = Scanner::new(&source);
                if place + 1 == more.len() {
                    trusted |= self.hop(&mut scanner, route, how, tally, out)?;
                } else {
                    target.clear();
                    trusted |= self.hop(&mut scanner, route, how, tally, &mut target)?;
                }
            }
            Ok(trusted)
        });
        self.between = [source, target];
        outcome
    }

    fn hop(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        how: (Stored, Trust),
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<bool, Stop> {
        let (start, before, written) = (scanner.pos, *tally, out.len());
        let (mut anchored, mut rounds, mut is_last) = (Some(BTreeSet::new()), 0, false);
        loop {
            let (guesses, trusted) =
                self.try_hop(scanner, route, how, anchored.clone(), tally, out)?;
            anchored = match (guesses, anchored) {
                (Guesses::Right, _) => return Ok(trusted),
                _ if is_last => return Ok(trusted),
                (Guesses::Wrong(more), Some(known)) if rounds < MAX_GUESSES => Some(&known | &more),
                (_, Some(_)) => None,
                // What an entry belonged to is gone, or isn't as it was.
                (_, None) => {
                    is_last = true;
                    Some(BTreeSet::new())
                }
            };
            rounds += 1;
            scanner.pos = start;
            *tally = before;
            out.truncate(written);
        }
    }

    fn try_hop(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        (stored, trust): (Stored, Trust),
        anchored: Option<BTreeSet<usize>>,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(Guesses, bool), Stop> {
        let mut hopped = (Guesses::Right, false);
        self.rewrite(scanner, route, tally, out, |work, edits| {
            (work.stored, work.trust, work.anchored) = (stored, trust, anchored);
            work.read_entries();
            if !work.missing.is_empty() {
                return Err(Stop::Missing(std::mem::take(&mut work.missing)));
            }
            let guesses = work.run().and_then(|()| work.finish(edits));
            let guesses = guesses.map_err(|failure| failure.on(route))?;
            hopped = (guesses, work.relocated.trusted);
            Ok(())
        })?;
        Ok(hopped)
    }

    /// Copies an object that is in the desired version already.
    pub(crate) fn copy(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, &mut Tally::default(), out, |work, edits| {
            work.place_metadata(None).map_err(|failure| failure.on(route))?;
            work.finish_metadata(edits);
            Ok(())
        })
    }

    /// Copies an object without the carrier's annotations.
    pub(crate) fn export(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, &mut Tally::default(), out, |work, edits| {
            work.drop_carrier();
            work.finish_metadata(edits);
            Ok(())
        })
    }

    fn rewrite(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        tally: &mut Tally,
        out: &mut String,
        decide: impl FnOnce(&mut Work<'_>, &mut Vec<Edit>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        scanner.peek();
        let start = scanner.pos;
        self.found.walk(scanner, route, &mut tally.losses)?;
        if let Some(field) = self.found.ambiguous {
            // The way was chosen by one of the two, and the API server would read the other.
            let failure =
                Failure { field: field.to_owned(), reason: "the object has it twice".to_owned() };
            return Err(failure.on(route));
        }
        self.arena.clear();
        self.edits.clear();
        let text = scanner.text();
        let mut work = Work::new(text, route, &mut self.found, tally, &mut self.arena);
        decide(&mut work, &mut self.edits)?;
        splice(text, start..scanner.pos, &self.edits, &self.arena, out);
        Ok(())
    }
}
