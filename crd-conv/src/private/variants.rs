//! Checks that the newer enum makes against the older one at compile time, like those of `lookup`
//! for structs.

use core::marker::PhantomData;

use super::Reason;
use super::find::{Names, contains};
use super::text::{Text, eq};
use crate::plan::{Content, JsonType, Nested, Tagging, Variant};

/// The facts that an enum's newer version needs about a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantFacts {
    /// The engine's facts.
    pub variant: Variant,
    /// Whether serde also accepts other names for the variant.
    pub aliased: bool,
}

/// The only variant of an enum whose derive failed.
pub const NO_VARIANTS: &[VariantFacts] = &[VariantFacts {
    variant: Variant::new("", "", Content::Unit, JsonType::ANY, None),
    aliased: false,
}];

/// An enum that takes part in conversions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned enum of values",
    label = "not an enum with `#[derive(Versioned)]`",
    note = "if it is an enum of values of your own, put `#[derive(Versioned)]` on it; the oldest version needs no attributes",
    note = "if the value was of another kind, remove `from` and name a converter on the fields that hold it: `#[versioned(with = …)]`"
)]
pub trait Variants {
    /// The type's name in messages, such as `v1beta1::Phase`.
    const NAME: &'static str;
    /// How JSON tells variants apart.
    const TAGGING: Tagging;
    /// Whether all variants are plain names in JSON. This is separate from `VARIANTS`, which uses
    /// other types.
    const PLAIN: bool;
    /// The variants, in order, without those that serde skips and the one that takes unknown names.
    const VARIANTS: &'static [VariantFacts];
    /// The names of those excluded variants, each with the serde attribute that causes it.
    const NAMELESS: super::TextPairs = &[];
}

/// The fields of the variant at a place, which is an [`At`](super::At). [`Unknown`](super::Unknown)
/// if it has no named fields.
pub trait VariantFields<At> {
    /// A struct with these fields.
    type Fields: super::Shape;
}

/// The rules for the fields of a variant that the older version has, too. This isn't
/// [`UpgradeFrom`](super::UpgradeFrom), which every type implements if its older version is
/// unknown.
pub trait FieldsPlan {
    /// Returns the rules between the two versions.
    fn plan() -> Nested;
}

/// The content of the variant at a place if it has no named fields: one value, or several as a
/// tuple, and [`Unknown`](super::Unknown) for the other parameter. The types are parameters and not
/// associated types, so that they may be private.
pub trait ContentOf<At, One, Several> {}

/// Returns the type of the only value in a variant, even if its name can't be written.
pub const fn newtype<E: ContentOf<At, One, Several>, At, One, Several>() -> PhantomData<One> {
    PhantomData
}

/// Returns the types of the values in a variant.
pub const fn tuple<E: ContentOf<At, One, Several>, At, One, Several>() -> PhantomData<Several> {
    PhantomData
}

/// Returns the place of a variant in the older enum.
///
/// # Panics
///
/// Panics at compile time if there is no such variant.
#[track_caller]
pub const fn variant(
    variants: &[VariantFacts],
    nameless: &[(&str, &str)],
    shown: &str,
    name: &str,
    reason: Reason,
) -> usize {
    if broken(variants) {
        return 0;
    }
    if let Some(place) = place(variants, name) {
        return place;
    }
    has_a_name(nameless, shown, name, reason);
    let near = Names::Variants(variants).nearest(name, &[]);
    let text = Text::new().code(shown).put(" has no variant ").code(name);
    let text = match reason {
        Reason::SameName(_) => text
            .put(": write `#[versioned(added(shown_as = …))]` if it is new, with the variant that the older version shows in ")
            .put("its place, or `#[versioned(renamed_from = ")
            .put(match near {
                Some(near) => near,
                None => "…",
            })
            .put(")]` if it had another name"),
        Reason::Named | Reason::Converted => Names::Variants(variants).suggest(&text, near),
    };
    text.fail()
}

/// Checks that a variant that wasn't found isn't one without a name in JSON.
#[track_caller]
const fn has_a_name(nameless: &[(&str, &str)], shown: &str, name: &str, reason: Reason) {
    let mut i = 0;
    while i < nameless.len() {
        let (rust, attribute) = nameless[i];
        i += 1;
        if !eq(rust, name) {
            continue;
        }
        let text = Text::new()
            .code(name)
            .put(" of ")
            .code(shown)
            .put(" has `#[serde(")
            .put(attribute)
            .put(")]`, so no object shows it: ");
        let text = match reason {
            Reason::SameName(_) => text
                .put("write `#[serde(")
                .put(attribute)
                .put(")]` here, too, or `#[versioned(added(shown_as = …))]` if objects show it from this version on"),
            Reason::Named | Reason::Converted => text
                .put("remove the name here; if a variant is new in JSON, write `#[versioned(added(shown_as = …))]` on it with an older ")
                .put("variant that has a name in JSON"),
        };
        text.fail()
    }
}

/// Checks that the rules name every variant of the older enum.
///
/// # Panics
///
/// Panics at compile time if a variant isn't named.
#[track_caller]
pub const fn all_variants(older: &[VariantFacts], shown: &str, newer: &str, named: &[&str]) {
    if broken(older) {
        return;
    }
    let mut forgotten = Text::new();
    let mut removed = Text::new();
    let mut count = 0;
    let mut i = 0;
    while i < older.len() {
        let name = older[i].variant.rust;
        i += 1;
        // A misspelled name was reported already, and the variant that it means isn't forgotten.
        if contains(named, name) || Names::Variants(older).is_meant(named, name) {
            continue;
        }
        if count > 0 {
            forgotten = forgotten.put(", ");
            removed = removed.put(", ");
        }
        forgotten = forgotten.code(name);
        removed = removed.put(name).put(" = …");
        count += 1;
    }
    if count > 0 {
        Text::new()
            .code(newer)
            .put(" doesn't say what became of ")
            .put(forgotten.as_str())
            .put(" of ")
            .code(shown)
            .put(": write `removed(")
            .put(removed.as_str())
            .put(if count > 1 { ")` here if they are gone" } else { ")` here if it is gone" })
            .put(", with the variant that this version shows instead, or `#[versioned(renamed_from = …)]` on the variant that ")
            .put(if count > 1 { "each became" } else { "it became" })
            .fail()
    }
}

/// Checks that a variant with aliases keeps its name.
///
/// # Panics
///
/// Panics at compile time if it was renamed.
#[track_caller]
pub const fn same_alias(
    older: &[VariantFacts],
    shown: &str,
    name: &str,
    wire: &str,
    aliased: bool,
) {
    let Some(facts) = find(older, name) else { return };
    if (facts.aliased || aliased) && !eq(facts.variant.wire, wire) {
        Text::new()
            .put("`#[serde(alias = …)]` is only supported on a variant that keeps its name, but ")
            .code(facts.variant.wire)
            .put(" of ")
            .code(shown)
            .put(" is ")
            .code(wire)
            .put(" here: remove the alias")
            .fail()
    }
}

/// Checks that a removed variant has no aliases.
///
/// # Panics
///
/// Panics at compile time if it has aliases.
#[track_caller]
pub const fn unaliased_variant(older: &[VariantFacts], shown: &str, name: &str) {
    let Some(facts) = find(older, name) else { return };
    if facts.aliased {
        Text::new()
            .code(name)
            .put(" of ")
            .code(shown)
            .put(" has `#[serde(alias = …)]`, which is only supported on a variant that keeps its name: remove the alias")
            .fail()
    }
}

/// Returns a variant. [`variant`] reports one that doesn't exist.
pub const fn variant_known(variants: &[VariantFacts], name: &str) -> Variant {
    match find(variants, name) {
        Some(facts) => facts.variant,
        None => NO_VARIANTS[0].variant,
    }
}

/// Whether the derive of this type failed. Then no other message about it is useful.
pub(super) const fn broken(variants: &[VariantFacts]) -> bool {
    variants.len() == 1 && variants[0].variant.rust.is_empty()
}

const fn place(variants: &[VariantFacts], name: &str) -> Option<usize> {
    let mut i = 0;
    while i < variants.len() {
        if eq(variants[i].variant.rust, name) {
            return Some(i);
        }
        i += 1;
    }
    None
}

pub(super) const fn find<'a>(variants: &'a [VariantFacts], name: &str) -> Option<&'a VariantFacts> {
    match place(variants, name) {
        Some(place) => Some(&variants[place]),
        None => None,
    }
}
