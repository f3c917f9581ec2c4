//! What the API server does with a value, in its own order and its own words, from its source: decoding, pruning, defaulting and
//! validation, by a [`Schema`](schema::Schema).

pub(crate) mod cause;
#[cfg(feature = "cel")]
pub(crate) mod cel;
pub(crate) mod coerce;
pub(crate) mod decoding;
pub(crate) mod dns;
pub(crate) mod escape;
pub(crate) mod finding;
pub(crate) mod formats;
mod lists;
mod number;
pub(crate) mod object;
pub(crate) mod object_meta;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod place;
mod ratchet;
pub(crate) mod read;
pub(crate) mod report;
pub(crate) mod restrictions;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod url;
pub(crate) mod value;
