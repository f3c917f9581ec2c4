//! Compile-time checks of the contents of an enum's variants, and of the way JSON tells variants
//! apart.

use super::VariantFacts;
use super::text::{Text, eq};
use super::variants::{broken, find};
use crate::plan::{Content, JsonType, Tagging, Variant};

/// Checks that both versions represent the variant in the same way.
///
/// # Panics
///
/// Panics at compile time if they don't.
#[track_caller]
pub const fn same_tagging(
    older: &[VariantFacts],
    shown: &str,
    newer: &str,
    [was, is]: [Tagging; 2],
) {
    let same = matches!(
        (was, is),
        (Tagging::External, Tagging::External)
            | (Tagging::Internal { .. }, Tagging::Internal { .. })
            | (Tagging::Adjacent { .. }, Tagging::Adjacent { .. })
            | (Tagging::Untagged, Tagging::Untagged)
    );
    if !same && !broken(older) {
        Text::new()
            .code(newer)
            .put(" uses ")
            .put(representation(is))
            .put(", but ")
            .code(shown)
            .put(" uses ")
            .put(representation(was))
            .put(": use the same in both, or remove `from` and convert each field of this type with ")
            .put(match (was, is) {
                (Tagging::Untagged, _) | (_, Tagging::Untagged) => "`#[versioned(with = …)]`",
                _ => "`#[versioned(with = Retagged(…, …))]` from `crd_conv::with`",
            })
            .fail()
    }
}

const fn representation(tagging: Tagging) -> &'static str {
    match tagging {
        Tagging::External => "the variant's name around its data (serde's default)",
        Tagging::Internal { .. } => "`#[serde(tag = …)]`",
        Tagging::Adjacent { .. } => "`#[serde(tag = …, content = …)]`",
        Tagging::Untagged => "`#[serde(untagged)]`",
    }
}

/// Checks that a kept variant has the same kind of content in both versions.
///
/// # Panics
///
/// Panics at compile time if the content's kind differs.
#[track_caller]
pub const fn same_content(older: &[VariantFacts], shown: &str, name: &str, newer: &Variant) {
    let Some(facts) = find(older, name) else { return };
    let same = matches!(
        (facts.variant.content, newer.content),
        (Content::Unit, Content::Unit)
            | (Content::Newtype, Content::Newtype)
            | (Content::Tuple, Content::Tuple)
            | (Content::Struct, Content::Struct)
    );
    if !same {
        Text::new()
            .code(newer.rust)
            .put(" holds ")
            .put(held(newer.content))
            .put(", but ")
            .code(name)
            .put(" of ")
            .code(shown)
            .put(" holds ")
            .put(held(facts.variant.content))
            .put(": use the same form in both; or let each version show another variant, with ")
            .put("`removed(")
            .put(name)
            .put(" = …)` on the enum and `#[versioned(added(shown_as = …))]` here; or convert each field of this ")
            .put("type with `#[versioned(with = …)]`")
            .fail()
    }
}

const fn held(content: Content) -> &'static str {
    match content {
        Content::Unit => "nothing",
        Content::Newtype => "one value",
        Content::Tuple => "several unnamed values",
        Content::Struct => "named fields",
    }
}

/// Checks that a version can show a variant instead of one that it doesn't have.
///
/// # Panics
///
/// Panics at compile time if the variant can't be made from nothing.
#[track_caller]
pub const fn shows(variants: &[VariantFacts], shown: &str, name: &str) {
    const HOW: &str = "name a variant that holds nothing, or whose fields are `Option`s or have `#[serde(default)]`";
    let Some(VariantFacts { variant, .. }) = find(variants, name) else { return };
    let text = Text::new().code(name).put(" of ").code(shown);
    match (variant.content, variant.fields) {
        (Content::Unit, _) => {}
        (_, None) => text
            .put(" can't be shown in place of another variant, since nothing says what value it would hold: ")
            .put(HOW)
            .fail(),
        (_, Some(fields)) => {
            let mut i = 0;
            while i < fields.len() {
                if !fields[i].field.optional {
                    text.put(" can't be shown in place of another variant, since it requires ")
                        .code(fields[i].field.rust)
                        .put(": ")
                        .put(HOW)
                        .fail()
                }
                i += 1;
            }
        }
    }
}

/// Checks that no earlier variant is written as the same kind of JSON value, if only the kind tells
/// the variants apart.
///
/// # Panics
///
/// Panics at compile time if an earlier variant is.
#[track_caller]
pub const fn disjoint(variants: &[VariantFacts], index: usize) {
    if broken(variants) {
        return;
    }
    let Variant { rust, kind, .. } = variants[index].variant;
    if kind.contains(JsonType::ANY) {
        Text::new()
            .put("nothing says what kind of JSON value ")
            .code(rust)
            .put(" is, and without a tag nothing else distinguishes the variants: let it hold a number, a string, a `bool`, ")
            .put("a list, a map or a type with `#[derive(Versioned)]`; or remove `Versioned` and convert each field of ")
            .put("this type with `#[versioned(with = …)]`")
            .fail()
    }
    let mut i = 0;
    while i < index {
        let other = variants[i].variant;
        // A mistake in that variant is reported there.
        if kind.overlaps(other.kind) && !other.kind.contains(JsonType::ANY) {
            Text::new()
                .code(other.rust)
                .put(" and ")
                .code(rust)
                .put(" can both be ")
                .put(kind.shared(other.kind))
                .put(" in JSON, and without a tag nothing else distinguishes them: write `#[serde(tag = …)]` on the enum, or ")
                .put("remove `Versioned` and convert each field of this type with `#[versioned(with = …)]`")
                .fail()
        }
        i += 1;
    }
}

/// Checks that no field of a variant has the same name as the enum's tag.
///
/// # Panics
///
/// Panics at compile time if a field has that name.
#[track_caller]
pub const fn beside_tag(variants: &[VariantFacts], index: usize, tag: &str) {
    let Variant { rust, fields, .. } = variants[index].variant;
    let Some(fields) = fields else { return };
    let mut i = 0;
    while i < fields.len() {
        if eq(fields[i].field.wire, tag) {
            Text::new()
                .code(fields[i].field.rust)
                .put(" of ")
                .code(rust)
                .put(" is ")
                .code(tag)
                .put(" in JSON, the same name as the enum's tag: rename one of them, or write ")
                .put("`#[serde(tag = …, content = …)]`")
                .fail()
        }
        i += 1;
    }
}

/// The kinds of JSON value of variants without a tag.
pub const fn kinds(variants: &[VariantFacts]) -> JsonType {
    let mut kinds = JsonType::NONE;
    let mut i = 0;
    while i < variants.len() {
        kinds = kinds.or(variants[i].variant.kind);
        i += 1;
    }
    kinds
}
