//! The engine: converts the text of one object from one version to another.
//!
//! A conversion is one hop between neighboring versions, or several hops in turn. The engine
//! doesn't build a tree. In each hop, it reads the text once, and notes the positions of the values
//! that a rule names. The rules decide what happens to these values. Then the engine writes the
//! same text again with a few edits. Everything that no rule names is copied as it is, and never
//! parsed.
//!
//! In each hop, every phase runs once, in this order. No phase changes what an earlier one has
//! made.
//!
//! | phase | input | output |
//! |---|---|---|
//! | `program`, once per process | the plans of the derive | a `Route`: what happens to which values |
//! | `document::Walk` | the text, the route | a `Source`: the positions of the values that the route names |
//! | `locate`, `adopt` | the annotations in it | the entries of this hop, in the `Inbox` |
//! | `rules` | the source, the inbox | decisions on members in the `Patch`, entries in the `Outbox` |
//! | `emit` | the patch, the outbox | edits of the text |
//! | `splice` | the text, the edits | the object in the other version |
//!
//! Other modules work around the hops:
//!
//! - `status` moves status entries into the annotations before the first hop, and back after the
//!   last.
//! - After that, `budget` checks whether the annotations fit, and `incomplete` marks an object if
//!   they don't.
//! - `program/joined.rs` joins successive hops into one if they only keep and rename, and if the
//!   object allows it.
//! - `value` converts values by themselves: Rust values, and moved values whose type has rules.
//! - `hop` contains the data that the rules work on.
//!
//! `ARCHITECTURE.md` lists what to change to add a kind of rule.

mod adopt;
mod budget;
mod document;
mod emit;
mod hop;
mod incomplete;
mod locate;
mod program;
mod rules;
mod status;
#[cfg(test)]
mod tests;
mod value;

use std::cell::Cell;

use crate::complement::{Unrestored, UnrestoredReason};
use crate::json::{Edit, Scanner, SyntaxError, splice};
use adopt::adopt;
use document::{Source, Walk};
use emit::{emit, emit_copy, emit_export};
use hop::{Hop, Patch};
use locate::locate;
use status::Aside;

pub(crate) use budget::{Excess, MAX_ANNOTATIONS, Room};
pub(crate) use hop::{Failure, Tally};
pub(crate) use incomplete::label;
pub(crate) use locate::{Missing, Stored};
#[cfg(feature = "schema")]
pub(crate) use program::REST;
#[cfg(feature = "schema")]
pub(crate) use program::differ_in_unset;
pub(crate) use program::{Direction, Ends, Joined, Route};
#[cfg(feature = "schema")]
pub(crate) use status::FIELD as STATUS_ENTRIES;
pub(crate) use status::{Place, Places, STATUS, is_about_status, remove as remove_from_status};
pub(crate) use value::convert_object;

/// Why a conversion stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    Syntax(SyntaxError),
    /// In the hop between these two versions.
    Field {
        from: &'static str,
        to: &'static str,
        failure: Failure,
    },
    /// The object has these tombstones. If the list is empty, a label says that something is
    /// missing.
    Missing(Vec<Missing>),
    /// The annotations of the converted object don't fit.
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

/// Converts one object after another, and reuses its allocations.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    walk: Walk,
    patch: Patch,
    edits: Vec<Edit>,
    /// The texts of an object between two hops.
    between: [String; 2],
}

/// The hops of a conversion, in order, and the runs of hops that may be joined into one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) hops: &'a [Route],
    pub(crate) joined: &'a [Joined],
}

/// How many bytes an engine may keep allocated between two uses.
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    /// The thread's engine. If small objects come one by one, allocating would take longer than
    /// converting.
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
    /// About how many bytes are allocated.
    fn capacity(&self) -> usize {
        self.walk.capacity()
            + self.patch.capacity()
            + self.edits.capacity() * size_of::<Edit>()
            + self.between.iter().map(String::capacity).sum::<usize>()
    }

    /// Converts the object at the scanner's position through one hop after the other, and appends
    /// the result. Afterwards, the scanner is at the end of the object. After an error, the end of
    /// the output is unspecified.
    pub(crate) fn convert(
        &mut self,
        scanner: &mut Scanner<'_>,
        way: Way<'_>,
        (stored, places): (Stored, Places<'_>),
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), Stop> {
        let start = out.len();
        let aside = match status::gather(scanner, places, &mut tally.unrestored)? {
            None => {
                self.hops(scanner, way, stored, tally, out)?;
                Aside::new()
            }
            Some((object, aside)) => {
                self.hops(&mut Scanner::new(&object), way, stored, tally, out)?;
                aside
            }
        };
        status::scatter(out, start, places, &aside);
        Ok(())
    }

    /// Like `convert`, but doesn't look at the status.
    pub(crate) fn hops(
        &mut self,
        scanner: &mut Scanner<'_>,
        way: Way<'_>,
        stored: Stored,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), Stop> {
        let [mut source, mut target] = std::mem::take(&mut self.between);
        target.clear();
        let mut outcome = self.leg(scanner, (way, 0), stored, tally, &mut [&mut target, out]);
        while let Ok(at) = outcome
            && at < way.hops.len()
        {
            std::mem::swap(&mut source, &mut target);
            target.clear();
            let mut scanner = Scanner::new(&source);
            outcome = self.leg(&mut scanner, (way, at), stored, tally, &mut [&mut target, out]);
        }
        self.between = [source, target];
        outcome.map(drop)
    }

    /// Converts an object through the next hop, or through as many hops as can be joined. Writes
    /// into the first text if more hops follow, and into the second one if none do. Returns the
    /// index of the next hop.
    fn leg(
        &mut self,
        scanner: &mut Scanner<'_>,
        (Way { hops, joined }, at): (Way<'_>, usize),
        stored: Stored,
        tally: &mut Tally,
        texts: &mut [&mut String; 2],
    ) -> Result<usize, Stop> {
        let behind = |end: usize| usize::from(end == hops.len());
        if let Some(Joined { hops: run, route }) = joined.iter().find(|run| run.hops.start == at)
            && self.as_one(scanner, route, texts[behind(run.end)])
        {
            return Ok(run.end);
        }
        self.hop(scanner, &hops[at], stored, tally, texts[behind(at + 1)])?;
        Ok(at + 1)
    }

    /// Converts an object through several hops at once. Returns `false`, and has done nothing, if
    /// each hop has to run by itself, even if that is only for the error.
    fn as_one(&mut self, scanner: &mut Scanner<'_>, joined: &Route, out: &mut String) -> bool {
        let (mark, start) = (scanner.mark(), out.len());
        // Without entries, there is nothing to count.
        let mut tally = Tally::default();
        let outcome = self.hop(scanner, joined, Stored::default(), &mut tally, out);
        let is_done = outcome.is_ok() && !self.walk.document.needs_hops;
        if !is_done {
            scanner.reset(mark);
            out.truncate(start);
        }
        is_done
    }

    fn hop(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        stored: Stored,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, tally, out, |source, patch, tally, edits| {
            let mut hop = Hop::new(source, patch, tally);
            let located = locate(&mut hop, stored);
            if incomplete::stops(source, stored) || !located.missing.is_empty() {
                return Err(Stop::Missing(located.missing));
            }
            if !located.candidates.is_empty() {
                adopt(&mut hop, located.candidates);
            }
            rules::apply(&mut hop)
                .and_then(|()| emit(&mut hop, edits))
                .map_err(|failure| failure.on(route))
        })
    }

    /// Copies an object that is already in the desired version.
    pub(crate) fn copy(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, &mut Tally::default(), out, |source, patch, _, edits| {
            patch.begin(source.document);
            emit_copy(source, patch, edits).map_err(|failure| failure.on(route))
        })
    }

    /// Copies an object without the carrier's annotations. Adds or removes the label that says in
    /// which version the object is complete.
    pub(crate) fn export(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        complete_in: Option<&str>,
        out: &mut String,
    ) -> Result<(), Stop> {
        self.rewrite(scanner, route, &mut Tally::default(), out, |source, patch, _, edits| {
            patch.begin(source.document);
            emit_export(source, patch, complete_in, edits).map_err(|failure| failure.on(route))
        })
    }

    /// Makes sure that a converted object has room for its annotations. The object is at the end of
    /// the text. `still` is the route of a copy.
    ///
    /// # Errors
    ///
    /// If the object has no room and may be stored as it is. An object that is only read gets
    /// through. If there is no other way, it loses the carrier's annotations and gets a label that
    /// says in which version it is complete.
    pub(crate) fn limit(
        &mut self,
        out: &mut String,
        start: usize,
        still: &Route,
        room: Room<'_>,
        unrestored: &mut Unrestored,
    ) -> Result<(), Stop> {
        match budget::limit(&mut self.walk, out, start, still, room, unrestored) {
            Err(excess) if !room.stored => {
                for _ in &excess.entries {
                    unrestored.add(UnrestoredReason::Oversized);
                }
                let object = out.split_off(start);
                self.export(&mut Scanner::new(&object), still, Some(room.complete_in), out)
            }
            outcome => outcome.map_err(Stop::Excess),
        }
    }

    /// Scans the object at the scanner's position, and appends the text with the edits applied.
    fn rewrite(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        tally: &mut Tally,
        out: &mut String,
        decide: impl FnOnce(Source<'_>, &mut Patch, &mut Tally, &mut Vec<Edit>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Self { walk, patch, edits, .. } = self;
        scanner.peek();
        let start = scanner.pos;
        walk.read(scanner, route, &mut tally.unrestored)?;
        if let Some(field) = walk.document.ambiguous {
            // One of the two values determined the conversion, and the API server would read the
            // other one.
            let failure = Failure {
                field: field.to_owned(),
                reason: "the object has this field twice".to_owned(),
                cause: None,
            };
            return Err(failure.on(route));
        }
        if walk.document.needs_hops {
            // Only a joined route sets this. The route is then given up.
            return Ok(());
        }
        edits.clear();
        let text = scanner.text();
        decide(Source { text, route, document: &walk.document }, patch, tally, edits)?;
        splice(text, start..scanner.pos, edits, &patch.arena, out);
        Ok(())
    }
}
