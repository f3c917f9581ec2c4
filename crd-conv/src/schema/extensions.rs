//! What the API server takes in a schema beside OpenAPI's own keywords, by name.

pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
pub(super) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";
pub(super) const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
pub(super) const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// Where a schema has its rules.
pub(crate) const VALIDATIONS: &str = "x-kubernetes-validations";

/// How often a type may stand inside itself. It is read like an extension of the server's, and not written.
pub(super) const DEPTH: &str = "x-crd-conv-recursion-depth";
