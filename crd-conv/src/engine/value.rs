//! Values that are converted by themselves: Rust values, and moved values whose type has rules of its
//! own. Each gets the form of an object, so that the engine finds it and its entries in the usual
//! places.

use std::cell::Cell;

use super::hop::{Failure, Tally};
use super::program::{Direction, Ends, Route};
use super::{Stop, Stored, Way, with_engine};
use crate::json::{Scanner, find};
use crate::plan::{Nested, OncePerPlan, Tree};

/// How many values that are converted by themselves may contain one another. A type whose moved
/// field has the same type could nest them as deep as the API server allows, and each level takes a
/// part of the thread's stack.
const MAX_DEPTH: usize = 16;

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

/// A converted value.
pub(super) struct Converted {
    pub(super) value: String,
    /// The object with its entries.
    pub(super) entries: String,
    /// Whether a fallback was used inside it.
    pub(super) fell_back: bool,
}

/// Converts a value inside an object that is being converted.
pub(super) fn convert_value(
    rules: Nested,
    direction: Direction,
    value: &str,
    entries: &str,
) -> Result<Converted, Failure> {
    thread_local! {
        static DEPTH: Cell<usize> = const { Cell::new(0) };
    }
    let failure = |field: &str, reason: &str| Failure {
        field: field.to_owned(),
        reason: reason.to_owned(),
        cause: None,
    };
    let depth = DEPTH.get();
    if depth >= MAX_DEPTH {
        return Err(failure("", "values that move inside each other are nested too deep"));
    }
    let mut tally = Tally::default();
    DEPTH.set(depth + 1);
    let converted = convert_object(rules, direction, value, entries, &mut tally);
    DEPTH.set(depth);
    let object = converted.map_err(|stop| match stop {
        Stop::Field { failure, .. } => {
            let field = failure.field.trim_start_matches("value.").to_owned();
            Failure { field, ..failure }
        }
        Stop::Syntax(error) => failure("", &error.to_string()),
        Stop::Missing(_) | Stop::Excess(_) => failure("", "its entries are incomplete"),
    })?;
    let value = find(&object, "value").unwrap_or("null").to_owned();
    let entries = find(&object, "metadata").and_then(|metadata| find(metadata, "annotations"));
    let entries = entries.unwrap_or("{}").to_owned();
    Ok(Converted { value, entries, fell_back: tally.fallbacks > 0 })
}
