//! Values that are converted by themselves: Rust values, and moved values whose type has rules of its
//! own. Each gets the form of an object, so that the engine finds it and its entries in the usual
//! places.

use std::cell::Cell;

use super::hop::{Failure, Tally};
use super::program::{Direction, Ends, Route};
use super::{Stop, Stored, Way, with_engine};
use crate::json::{Scanner, find};
use crate::plan::{Nested, OncePerPlan, Tree};

/// How many values that are converted by themselves may contain one another. If the type of a moved
/// field contains itself, a client may nest them as deep as JSON allows, and each level takes a part
/// of the thread's stack. It also triples the time, since each value is converted there and back.
const MAX_DEPTH: usize = 4;

const ENDS: Ends = Ends { group: "", older: "older", newer: "newer" };

/// Returns the hop between the two types, resolved once per process.
fn route(rules: Nested, direction: Direction) -> &'static Route {
    static UPGRADES: OncePerPlan<Route> = OncePerPlan::new();
    static DOWNGRADES: OncePerPlan<Route> = OncePerPlan::new();
    let routes = match direction {
        Direction::Upgrade => &UPGRADES,
        Direction::Downgrade => &DOWNGRADES,
    };
    routes.get(rules, || Route::of_value(ENDS, Tree::of(rules), direction))
}

/// Converts a value. `entries` is the object with its entries, and both come back in the same form:
/// `{"metadata":{"annotations":{…}},"value":…}`.
pub(crate) fn convert_object(
    rules: Nested,
    direction: Direction,
    value: &str,
    entries: &str,
    tally: &mut Tally,
) -> Result<String, Stop> {
    let object = format!("{{\"metadata\":{{\"annotations\":{entries}}},\"value\":{value}}}");
    let route = route(rules, direction);
    let way = Way { hops: std::slice::from_ref(route), joined: &[] };
    let (mut scanner, mut out) = (Scanner::new(&object), String::new());
    with_engine(|engine| engine.hops(&mut scanner, way, Stored::default(), tally, &mut out))?;
    Ok(out)
}

thread_local! {
    /// How many values that contain the current one the thread is converting.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A value that the thread is converting. It counts until it's dropped, also by a panic.
struct Level;

impl Level {
    /// Returns `None` if the value is nested too deep.
    fn enter() -> Option<Self> {
        let depth = DEPTH.get();
        (depth < MAX_DEPTH).then(|| {
            DEPTH.set(depth + 1);
            Self
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// A converted value.
pub(super) struct Converted {
    pub(super) value: String,
    /// The object with its entries.
    pub(super) entries: String,
    /// Whether a fallback was used inside it.
    pub(super) fell_back: bool,
}

/// Converts a value inside an object that is being converted. Returns `None` if it is nested too
/// deep.
pub(super) fn convert_value(
    rules: Nested,
    direction: Direction,
    value: &str,
    entries: &str,
) -> Result<Option<Converted>, Failure> {
    let Some(_level) = Level::enter() else { return Ok(None) };
    let mut tally = Tally::default();
    let converted = convert_object(rules, direction, value, entries, &mut tally);
    let failure = |reason| Failure { field: String::new(), reason, cause: None };
    let object = converted.map_err(|stop| match stop {
        Stop::Field { failure, .. } => {
            let field = failure.field.strip_prefix("value").unwrap_or(&failure.field);
            Failure { field: field.trim_start_matches('.').to_owned(), ..failure }
        }
        Stop::Syntax(error) => failure(error.to_string()),
        Stop::Missing(_) | Stop::Excess(_) => failure("its entries are incomplete".to_owned()),
    })?;
    let value = find(&object, "value").unwrap_or("null").to_owned();
    let entries = find(&object, "metadata").and_then(|metadata| find(metadata, "annotations"));
    let entries = entries.unwrap_or("{}").to_owned();
    Ok(Some(Converted { value, entries, fell_back: tally.fallbacks > 0 }))
}
