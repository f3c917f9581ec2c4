//! The annotation in which an entry travels.

use std::hash::Hasher;

/// The longest name behind an annotation's `/`.
///
/// Source: <https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set>
const MAX_NAME: usize = 63;

/// What every annotation of a group's carrier starts with.
pub(crate) fn annotation_prefix(group: &str) -> String {
    format!("conversion.{group}/")
}

/// The annotation of one rule: the home version and the path of the home field.
pub(crate) fn annotation_key(group: &str, home: &str, path: &[&str]) -> String {
    let name = format!("{home}.{}", path.join("."));
    let ambiguous = path.iter().any(|field| field.contains('.'));
    let name =
        if ambiguous || !is_qualified_name(&name) { shortened(&name, home, path) } else { name };
    annotation_prefix(group) + &name
}

fn is_qualified_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && name.bytes().next_back().is_some_and(|last| last.is_ascii_alphanumeric())
}

/// As much of the name as the rules allow, and a hash that tells it from every other.
fn shortened(name: &str, home: &str, path: &[&str]) -> String {
    let mut hasher = fnv::FnvHasher::default();
    for part in std::iter::once(&home).chain(path) {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    let hash = format!("-{:016x}", hasher.finish());
    let readable: String = name
        .chars()
        .map(|char| {
            if char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.') { char } else { '-' }
        })
        .take(MAX_NAME - hash.len())
        .collect();
    readable + &hash
}

/// A hash of an item's text, to find the item again.
pub(crate) fn fingerprint(text: &str) -> String {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_readable() {
        assert_eq!(
            annotation_key("example.com", "v1", &["spec", "historyLimit"]),
            "conversion.example.com/v1.spec.historyLimit"
        );
    }

    /// Golden: a carrier that was written once must be found for ever.
    #[test]
    fn other_paths_are_shortened_with_a_hash() {
        let long = "a".repeat(70);
        for (path, expected) in [
            (vec!["spec", "$ref"], "v1.spec.-ref-"),
            (vec!["spec", "a.b"], "v1.spec.a.b-"),
            (vec!["spec", "größe"], "v1.spec.gr--e-"),
            (vec!["spec", "trailing_"], "v1.spec.trailing_-"),
            (vec!["spec", long.as_str()], "v1.spec.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-"),
        ] {
            let key = annotation_key("g.io", "v1", &path);
            let name = key.strip_prefix("conversion.g.io/").unwrap();
            assert!(is_qualified_name(name), "{name}");
            assert_eq!(&name[..name.len() - 16], expected);
        }
        assert_ne!(
            annotation_key("g.io", "v1", &["a.b", "c"]),
            annotation_key("g.io", "v1", &["a", "b.c"])
        );
    }
}
