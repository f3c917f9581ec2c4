//! The API server's own CustomResourceDefinition part, and our webhook beside it, for tests.
//!
//! Without the feature `server` there is nothing here.
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "this crate is for the workspace's own tests"
)]

#[cfg(feature = "server")]
mod crd;
#[cfg(feature = "server")]
mod objects;
#[cfg(feature = "server")]
mod predict;
#[cfg(feature = "server")]
mod random;
#[cfg(feature = "server")]
mod replica;
#[cfg(feature = "server")]
mod secrets;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod service;
#[cfg(feature = "server")]
mod webhook;

#[cfg(feature = "server")]
pub use {
    crd::{Installed, in_group},
    objects::{Objects, carrier, comparable, refusal},
    random::seeded,
    replica::Replica,
    secrets::{Asked, Secrets},
    server::{ApiServer, Stored, shared},
    service::{HOST, Service},
    webhook::{Exchange, Webhook},
};
