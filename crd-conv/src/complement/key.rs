//! The name of the annotation for an entry.

use std::hash::Hasher;

/// The longest name after an annotation's `/`.
///
/// Source: <https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set>
const MAX_NAME: usize = 63;

/// The prefix of all of a group's annotations.
pub(crate) fn annotation_prefix(group: &str) -> String {
    format!("conversion.{group}/")
}

/// The annotation of one rule, from the home version and the path of the home field.
#[cfg(any(test, feature = "schema"))]
pub(crate) fn annotation_key(group: &str, home: &str, path: &[&str]) -> String {
    let path = path.iter().fold(AnnotationPath::new(home), |path, field| path.then(field));
    path.key(&annotation_prefix(group))
}

/// The path of a home field, with the home version in front, as far as the annotation's name needs
/// it. Of a long path, only as much as fits a name is stored, so that paths of any length cost the
/// same.
#[derive(Clone, Debug)]
pub(crate) struct AnnotationPath {
    /// The beginning of the path.
    name: String,
    /// Whether `name` is the whole path, and can't be read as another path.
    plain: bool,
    hash: u64,
}

impl AnnotationPath {
    pub(crate) fn new(home: &str) -> Self {
        let hash = fnv::FnvHasher::default().finish();
        let mut path = Self { name: String::new(), plain: true, hash };
        path.push(home);
        path
    }

    /// The path of a field inside the value at this path.
    pub(crate) fn then(&self, field: &str) -> Self {
        let mut name = String::with_capacity(self.name.len() + 1 + field.len());
        name.push_str(&self.name);
        name.push('.');
        let plain = self.plain && !field.contains('.');
        let mut path = Self { name, plain, hash: self.hash };
        path.push(field);
        path
    }

    fn push(&mut self, part: &str) {
        let mut hasher = fnv::FnvHasher::with_key(self.hash);
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
        self.hash = hasher.finish();
        self.name.push_str(part);
        if self.name.len() > MAX_NAME
            && let Some((end, _)) = self.name.char_indices().nth(MAX_NAME)
        {
            self.name.truncate(end);
            self.plain = false;
        }
    }

    /// The annotation for a field inside the value at this path. It starts with the prefix of its
    /// group.
    pub(crate) fn key_of(&self, prefix: &str, field: Option<&str>) -> String {
        field.map_or_else(|| self.key(prefix), |field| self.then(field).key(prefix))
    }

    /// The annotation for the value at this path. It starts with the prefix of its group.
    pub(crate) fn key(&self, prefix: &str) -> String {
        let mut key = String::with_capacity(prefix.len() + MAX_NAME);
        key.push_str(prefix);
        if self.plain && is_qualified_name(&self.name) {
            key.push_str(&self.name);
        } else {
            self.shorten(&mut key);
        }
        key
    }

    /// As much of the name as Kubernetes allows, and a hash that distinguishes it from all other
    /// paths.
    fn shorten(&self, out: &mut String) {
        let hash = format!("-{:016x}", self.hash);
        let readable = self.name.chars().map(|char| {
            if char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.') { char } else { '-' }
        });
        out.extend(readable.take(MAX_NAME - hash.len()));
        out.push_str(&hash);
    }
}

fn is_qualified_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && name.bytes().next_back().is_some_and(|last| last.is_ascii_alphanumeric())
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

    /// Golden values: once an annotation is written, it must be found forever.
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
