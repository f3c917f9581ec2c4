//! What authors declare of their types, and the schemas and CustomResourceDefinitions that come of it.

mod crd;
mod declared;
mod declared_types;
mod declared_variants;
mod descriptions;
mod diff;
mod embedded;
mod imported;
mod kept;
mod keywords;
mod validations;
