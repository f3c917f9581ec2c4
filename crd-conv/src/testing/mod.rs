//! Tests of conversions: random objects of a resource, and the laws that hold for all of them.
//!
//! Your tests need one line, [`laws!`](crate::laws). [`Trial`] does the same as a function, and
//! also tries one pair of versions. The [guide](crate::guide::testing) describes what each law
//! says, and how to reproduce a broken one.

mod assert;
mod branches;
mod choices;
mod converters;
mod draw;
mod edit;
mod embedded;
mod examples;
mod frozen;
mod ground;
mod keyed;
mod known;
mod laws;
mod learned;
mod pair;
mod pattern;
mod run;
mod scalars;
pub mod server;
mod stop;
mod stray;
mod subject;
mod tree;
mod verdict;

pub use assert::{assert_holds, assert_holds_with};
pub use converters::ConverterUse;
#[cfg(feature = "roundtrip")]
pub(crate) use converters::table;
pub use examples::{Example, ExampleError};
pub use frozen::assert_frozen;
pub use laws::Law;
pub use pair::Pair;
pub use run::Trial;
pub use tree::{Tree, members};
pub use verdict::{Broken, Verdict};
