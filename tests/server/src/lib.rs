//! What the tests of the server share.
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "it is for tests, which panic with what went wrong"
)]

mod client;
mod log;
pub mod resource;
mod running;
mod secret;

pub use client::{Answer, Connection, Protocol, in_time, post, tls};
pub use log::logged;
pub use resource::{Door, Gate, noise, object, review, review_of};
pub use running::{Running, certificate};
pub use secret::{pair, pair_until, publish};
