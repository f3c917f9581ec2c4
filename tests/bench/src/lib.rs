//! Reviews for measurements, and the same conversions as authors write them by hand.
#![allow(
    missing_docs,
    clippy::missing_panics_doc,
    reason = "this crate is for the workspace's own benchmarks"
)]

pub mod chain;
pub mod growth;
pub mod hostile;
pub mod moved;
pub mod reviews;
pub mod typed;
