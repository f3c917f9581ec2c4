//! For tests: the CustomResourceDefinition part of the API server, with our webhook next to it.
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "this crate is for the workspace's own tests"
)]

mod cluster;
mod command;
mod crd;
pub mod desk;
mod kubectl;
mod objects;
mod predict;
mod random;
mod replica;
mod secrets;
mod server;
mod service;
mod webhook;

pub use {
    cluster::{apply, bind, delete_namespace, is_gone, namespace, service_account, token},
    command::{Ran, command},
    crd::{Installed, in_group, release},
    kubectl::path_with_kubectl,
    objects::{Objects, carrier, comparable, refusal},
    random::seeded,
    replica::Replica,
    secrets::Secrets,
    server::{ApiServer, Audited, Stored, shared, whole},
    service::{HOST, Service},
    webhook::{Exchange, Webhook},
};
