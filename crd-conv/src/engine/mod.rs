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
mod tombstones;
mod union;
mod walk;

use std::cell::Cell;

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
use steps::Work;
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
            return self.hop(scanner, first, stored, tally, out);
        }
        let [mut source, mut target] = std::mem::take(&mut self.between);
        target.clear();
        let mut outcome = self.hop(scanner, first, stored, tally, &mut target);
        while let (Ok(()), Some(route)) = (&outcome, routes.next()) {
            std::mem::swap(&mut source, &mut target);
            let mut scanner = Scanner::new(&source);
            outcome = if routes.peek().is_none() {
                self.hop(&mut scanner, route, stored, tally, out)
            } else {
                target.clear();
                self.hop(&mut scanner, route, stored, tally, &mut target)
            };
        }
        self.between = [source, target];
        outcome
    }

    fn hop(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        stored: Stored,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, tally, out, |work, edits| {
            work.stored = stored;
            work.read_entries();
            if !work.missing.is_empty() {
                return Err(Stop::Missing(std::mem::take(&mut work.missing)));
            }
            work.run().and_then(|()| work.finish(edits)).map_err(|failure| failure.on(route))
        })
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
