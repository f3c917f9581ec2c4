//! Code that several of the test files share.
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "this crate is for the workspace's own tests"
)]

pub mod alignment;
pub mod atlas;
pub mod budget;
pub mod carried;
pub mod crontab;
/// The derive's documentation, whose examples need both crates.
#[cfg(doctest)]
#[doc = include_str!("../../crd-conv-derive/attributes.md")]
#[doc = include_str!("../../crd-conv-derive/messages.md")]
pub mod derive {}
pub mod draw;
pub mod fickle;
pub mod flat;
pub mod fuzz;
pub mod gadget;
pub mod hotel;
pub mod kite;
pub mod loose;
pub mod nest;
pub mod pipe;
pub mod rack;
pub mod served;
pub mod shipment;
pub mod union;
