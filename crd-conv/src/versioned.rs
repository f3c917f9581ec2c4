//! The traits that `#[derive(Versioned)]` implements.

use crate::definition::Definition;
use crate::plan::Nested;

/// A resource enum with `#[derive(Versioned)]`.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::{ResourceType, VersionedResource};
///
/// fn kind<T: VersionedResource>() -> &'static str {
///     ResourceType::of::<T>().definition().kind
/// }
/// assert_eq!(kind::<Box>(), "Box");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned resource",
    label = "no `#[derive(Versioned)]` with `#[versioned(resource(…))]`",
    note = "put `#[derive(Versioned)]` and `#[versioned(resource(group = …, plural = …, scope = …))]` on an enum with one variant for each version"
)]
pub trait VersionedResource {
    /// The resource as its author declared it.
    const DEFINITION: &'static Definition;
}

/// A type that has a mapping from `Older`, the same type in the version before.
///
/// The derive implements it for a type with `#[versioned(from = Older)]`. This crate implements it
/// for containers of such types.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::UpgradeFrom;
///
/// fn is_newer<Older, Newer: UpgradeFrom<Older>>() {}
/// is_newer::<v1::Spec, v2::Spec>();
/// is_newer::<Vec<v1::Spec>, Vec<v2::Spec>>();
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says how `{Older}` becomes `{Self}`",
    label = "was `{Older}` in the older version",
    note = "if the value changed its form, name a converter on the field: `#[versioned(with = …)]` with a `Converter<{Older}, {Self}>`",
    note = "if both are structs or enums of your own, derive `Versioned` on both and write `#[versioned(from = …)]` on the newer one"
)]
pub trait UpgradeFrom<Older> {
    /// Returns the rules between the two types.
    #[doc(hidden)]
    fn plan() -> Nested;
}
