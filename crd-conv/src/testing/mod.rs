//! What tests of conversions need: random objects of a resource, and the laws that must hold for all of them.
//!
//! An author's tests need one line, [`laws!`](crate::laws). [`Trial`] is the same as a function, also for one pair of versions. What each
//! law says, and how to see a broken one again, is in the [guide](crate::guide::testing).

mod branches;
mod choices;
mod converters;
mod draw;
mod edit;
mod embedded;
mod known;
mod laws;
mod pattern;
mod run;
mod scalars;
pub mod server;
mod subject;
mod tree;

pub use converters::ConverterUse;
pub use laws::Law;
#[cfg(feature = "roundtrip")]
pub(crate) use run::REMEDY;
pub use run::{Broken, Pair, Trial, Verdict, assert_holds};
pub use tree::{Tree, members};
