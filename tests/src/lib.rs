//! What several of the test files and benchmarks share.
#![allow(missing_docs, reason = "this crate is for the workspace's own tests")]

pub mod gadget;
pub mod reviews;
pub mod tree;
