//! What tests of conversions need: random objects of a resource, and the laws that must hold for all of them.
//!
//! An author's tests need one line, [`laws!`](crate::laws). [`Trial`] is the same as a function.

mod branches;
mod choices;
mod draw;
mod laws;
mod pattern;
mod run;
pub mod server;
mod subject;
mod tree;

pub use laws::Law;
pub use run::{Broken, Trial, Verdict, assert_holds};
pub use tree::{Tree, members};
