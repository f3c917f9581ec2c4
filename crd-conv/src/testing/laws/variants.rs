//! Which variant of an enum a value is.

use crate::plan::{Branch, Tagging, VariantRule, Variants};
use crate::testing::tree::Tree;

/// The name of a value's variant and what it holds. Nothing says so where serde writes no tag.
pub(in crate::testing) fn variant(value: &Tree, tagging: Tagging) -> Option<(&str, Option<&Tree>)> {
    let named = |tag: &str| match value.at(&[tag]) {
        Some(Tree::Text(name)) => Some(name.as_str()),
        _ => None,
    };
    match tagging {
        Tagging::External => match value {
            Tree::Text(name) => Some((name, None)),
            Tree::Object(members) => match members.iter().next() {
                Some((name, held)) if members.len() == 1 => Some((name, Some(held))),
                _ => None,
            },
            _ => None,
        },
        Tagging::Internal { tag } => Some((named(tag)?, Some(value))),
        Tagging::Adjacent { tag, content } => Some((named(tag)?, value.at(&[content]))),
        Tagging::Untagged => None,
    }
}

/// What happens inside a variant that both versions have, by its names at home and at the peer.
pub(super) fn inside(variants: Variants, upgraded: bool, home: &str, peer: &str) -> Option<Branch> {
    variants.rules().find_map(|(rule, inside)| match rule {
        VariantRule::Kept { older, newer, .. } => {
            let (at_home, at_peer) = if upgraded { (older, newer) } else { (newer, older) };
            inside.filter(|_| at_home.wire == home && at_peer.wire == peer)
        }
        VariantRule::Added { .. } | VariantRule::Removed { .. } => None,
    })
}
