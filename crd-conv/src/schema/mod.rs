//! Structural schemas, made from a Rust type's `JsonSchema`.
//!
//! A structural schema is the subset of OpenAPI v3 that the API server accepts.

#[cfg(test)]
mod agreement;
mod both;
mod bounds;
mod branches;
mod conditions;
mod constraint;
mod declared;
mod default;
mod describe;
mod embedded;
mod error;
mod join;
mod plain;
mod read;
mod reader;
#[cfg(test)]
mod tests;
mod union;
mod validations;
mod variants;

pub(crate) use crate::apiserver::schema::VALIDATIONS;
pub use crate::apiserver::schema::{Extensions, Schema, SchemaType, ValidationRule};
pub use crate::json::{Json, Number};
#[cfg(feature = "testing")]
pub(crate) use constraint::any_but;
pub(crate) use default::{same, settle};
pub(crate) use describe::describe;
pub use error::SchemaError;
pub(crate) use read::read;
pub(crate) use validations::add as add_validations;
