//! What `#[derive(Versioned)]` says of a type.

use crate::definition::Definition;
use crate::plan::Nested;

/// A resource enum with `#[derive(Versioned)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned resource",
    label = "no `#[derive(Versioned)]` with `#[versioned(resource(…))]`",
    note = "put `#[derive(Versioned)]` and `#[versioned(resource(group = …, plural = …, scope = …))]` on an enum with one variant for each version"
)]
pub trait VersionedResource {
    /// What the author declared.
    const DEFINITION: &'static Definition;
}

/// Says how `Older`, the version before this type, becomes this type. The derive implements it for a type with
/// `#[versioned(from = Older)]`, and the crate for what holds such types.
#[diagnostic::on_unimplemented(
    message = "nothing says how `{Older}` becomes `{Self}`",
    label = "was `{Older}` in the older version",
    note = "if the value changed its form, name a converter at the field: `#[versioned(with = …)]` with a `Converter<{Older}, {Self}>`",
    note = "if both are structs or enums of your own, derive `Versioned` on both and write `#[versioned(from = …)]` on the newer one"
)]
pub trait UpgradeFrom<Older> {
    /// The rules between the two types.
    #[doc(hidden)]
    fn plan() -> Nested;
}
