//! Structural schemas, made from a Rust type's `JsonSchema`.
//!
//! A structural schema is the subset of OpenAPI v3 that the API server accepts.

#[cfg(test)]
mod agreement;
mod bounds;
mod branches;
mod declared;
mod default;
mod describe;
mod embedded;
mod error;
mod extensions;
mod join;
mod model;
mod node;
mod plain;
mod read;
mod reader;
mod recursion;
#[cfg(test)]
mod tests;
mod validations;

pub use crate::json::{Json, Number};
pub(crate) use default::{same, settle};
pub(crate) use describe::describe;
pub use error::SchemaError;
pub(crate) use extensions::VALIDATIONS;
#[cfg(feature = "testing")]
pub(crate) use join::any_but;
pub use model::{Schema, SchemaType};
pub(crate) use read::read;
pub(crate) use validations::{add as add_validations, count as count_validations};
