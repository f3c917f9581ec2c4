//! Names of the API server's extensions of OpenAPI.

pub(crate) use crate::outline::keywords::VALIDATIONS;
pub(super) use crate::outline::keywords::{DEPTH, INT_OR_STRING, PRESERVE};

pub(super) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";
pub(super) const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
pub(super) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
