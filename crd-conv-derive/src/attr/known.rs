//! The items that `#[versioned(…)]` accepts at each place, used to report misplaced and misspelled
//! items.

use syn::{Ident, ext::IdentExt};

use super::declared::{KEYS, KEYS_OF_TYPE};
use crate::name::{akin, listed, nearest};

/// A place where an item may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Struct,
    Field,
    Enum,
    Variant,
    /// A variant with named fields.
    VariantWithFields,
    /// An enum with `resource(…)`.
    ResourceEnum,
    /// Inside `resource(…)`.
    Resource,
    /// A variant of an enum with `resource(…)`.
    Version,
    Stanza,
}

impl Place {
    pub(super) const ALL: [Self; 8] = [
        Self::Struct,
        Self::Field,
        Self::Enum,
        Self::VariantWithFields,
        Self::ResourceEnum,
        Self::Resource,
        Self::Version,
        Self::Stanza,
    ];

    pub(super) fn items(self) -> Vec<&'static str> {
        match self {
            Self::Struct => {
                [&["from", "removed", "map", "moved"][..], &KEYS_OF_TYPE, &["crate"]].concat()
            }
            Self::Field => {
                [&["renamed_from", "added", "with", "fallback", "refuses"][..], &KEYS].concat()
            }
            Self::Enum => {
                [&["resource", "from", "removed"][..], &KEYS_OF_TYPE, &["crate"]].concat()
            }
            Self::Variant => vec!["renamed_from", "added"],
            Self::VariantWithFields => vec!["renamed_from", "added", "removed", "map", "moved"],
            Self::ResourceEnum => vec!["resource", "crate"],
            Self::Resource => vec![
                "group",
                "kind",
                "plural",
                "singular",
                "list_kind",
                "short_name",
                "category",
                "scope",
                "label",
                "annotation",
                "descriptions",
                "schema",
            ],
            Self::Version => vec![
                "name",
                "served",
                "storage",
                "deprecated",
                "printer_column",
                "status",
                "scale",
                "selectable_field",
                "validation",
                "removed",
                "moved",
            ],
            Self::Stanza => vec!["added"],
        }
    }

    /// The other places. Those where an item from here most likely belongs come first.
    fn others(self) -> impl Iterator<Item = Self> {
        let beside = match self {
            Self::Struct => [Self::Field, Self::Resource],
            Self::Field => [Self::Struct, Self::Version],
            Self::Enum => [Self::VariantWithFields, Self::Resource],
            Self::Variant | Self::VariantWithFields => [Self::Enum, Self::Field],
            Self::ResourceEnum => [Self::Resource, Self::Version],
            Self::Resource | Self::Stanza => [Self::Version, Self::ResourceEnum],
            Self::Version => [Self::ResourceEnum, Self::Resource],
        };
        beside.into_iter().chain(Self::ALL)
    }

    fn shown(self) -> &'static str {
        match self {
            Self::Struct => "a struct",
            Self::Field => "a field",
            Self::Enum | Self::ResourceEnum => "an enum",
            Self::Variant | Self::VariantWithFields => "a variant",
            Self::Resource => "a resource",
            Self::Version => "a version",
            Self::Stanza => "a stanza",
        }
    }

    fn there(self) -> &'static str {
        match self {
            Self::Struct => "on the struct",
            Self::Field => "on a field",
            Self::Enum | Self::ResourceEnum => "on the enum",
            Self::Variant | Self::VariantWithFields => "on a variant",
            Self::Resource => "in `resource(…)`",
            Self::Version => "on a variant of the enum with `resource(…)`",
            Self::Stanza => "on a stanza",
        }
    }

    /// The error for an item that isn't known here.
    pub(super) fn unknown(self, key: &Ident) -> syn::Error {
        let name = &*key.unraw().to_string();
        let message = if let Some(place) = self.others().find(|place| place.items().contains(&name))
        {
            let here = if self == Self::Version { "on a variant" } else { self.there() };
            format!("`{name}` belongs {}, not {here}", place.there())
        } else if SERDE.contains(&name) {
            format!("`{name}` is an attribute of serde: write `#[serde({name})]`")
        } else if near(name, &self.items()).is_none()
            && let Some((place, near)) = self
                .others()
                .find_map(|place| nearest(name, place.items()).map(|near| (place, near)))
        {
            format!(
                "unknown attribute `{name}` on {}; did you mean `{near}`, which belongs {}?",
                self.shown(),
                place.there()
            )
        } else {
            return unknown(key, self.shown(), &self.items());
        };
        syn::Error::new_spanned(key, message)
    }
}

/// Items that serde has and this derive doesn't. `rename` isn't listed: a user who writes it means
/// `renamed_from`.
const SERDE: [&str; 9] = [
    "skip",
    "flatten",
    "alias",
    "rename_all",
    "tag",
    "content",
    "untagged",
    "transparent",
    "skip_serializing_if",
];

/// The error for an item that isn't known in another item's parentheses.
pub(super) fn unknown(key: &Ident, place: &str, known: &[&str]) -> syn::Error {
    let name = key.unraw().to_string();
    let rest = match near(&name, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; known attributes: {}", listed(known.iter().copied())),
    };
    syn::Error::new_spanned(key, format!("unknown attribute `{name}` on {place}{rest}"))
}

/// The known item that the user most likely means.
fn near<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let known = || known.iter().copied();
    nearest(name, known()).or_else(|| akin(name, known()))
}
