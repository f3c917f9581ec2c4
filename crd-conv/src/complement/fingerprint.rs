//! Fingerprints, which identify the items of lists.

use std::borrow::Cow;
use std::hash::Hasher;

use super::guide::{Guide, Known, Shape};
use crate::json::{Fidelity, Scanner, canonical};

/// An array or object that is being read.
struct Open<'t, 'g> {
    start: usize,
    first: bool,
    shape: &'g Shape,
    /// The hash of an array's elements.
    hasher: fnv::FnvHasher,
    /// The members of an object. A member that counts as absent has no fingerprint.
    members: Option<Vec<(Cow<'t, str>, Option<u64>)>>,
    key: Cow<'t, str>,
    /// The field that is being read.
    known: Option<&'g Known>,
}

/// Observes the values of a text while they are fingerprinted.
pub(super) trait Watch {
    /// An element of an array has this fingerprint.
    fn element(&mut self, _start: usize, _print: u64) {}
    /// A value begins, under a key or in an array.
    fn enter(&mut self, _key: Option<&str>) {}
    /// The value is `null`, a string, a number, `true` or `false`.
    fn plain(&mut self, _text: &str, _print: u64) {}
    /// The value ends. `_absent` is whether it counts as absent.
    fn leave(&mut self, _absent: bool) {}
}

impl Watch for () {}

/// Reports the elements of arrays.
struct Elements<'n>(&'n mut dyn FnMut(usize, u64));

impl Watch for Elements<'_> {
    fn element(&mut self, start: usize, fingerprint: u64) {
        (self.0)(start, fingerprint);
    }
}

/// Reports the fingerprint of each element of each array in a text with this shape, with the
/// element's position. Values that the API server can't tell apart have the same fingerprint. Each
/// value is read once, at any depth, and without recursion. Returns `None` if the text isn't JSON.
pub(crate) fn note_fingerprints(
    text: &str,
    guide: &Guide,
    shape: &Shape,
    note: &mut dyn FnMut(usize, u64),
) -> Option<()> {
    fingerprint(text, guide, shape, &mut Elements(note)).map(|_| ())
}

/// The fingerprint of the value that a text starts with.
pub(super) fn fingerprint<W: Watch>(
    text: &str,
    guide: &Guide,
    shape: &Shape,
    watch: &mut W,
) -> Option<u64> {
    let mut scanner = Scanner::new(text);
    let mut stack: Vec<Open<'_, '_>> = Vec::new();
    let mut plain = String::new();
    let mut shape = guide.resolve(shape);
    loop {
        let byte = scanner.peek();
        let start = scanner.pos;
        let mut done = None;
        match byte {
            b'[' => {
                scanner.enter_array().ok()?;
                stack.push(Open::new(start, shape, None));
            }
            b'{' => {
                scanner.enter_object().ok()?;
                stack.push(Open::new(start, shape, Some(Vec::new())));
            }
            _ => {
                scanner.skip_value().ok()?;
                plain.clear();
                canonical(&text[start..scanner.pos], Fidelity::AsServed, &mut plain)?;
                let fingerprint = hash(plain.as_bytes());
                watch.plain(&plain, fingerprint);
                done = Some((start, fingerprint));
            }
        }
        loop {
            if let Some((start, fingerprint)) = done.take() {
                let Some(open) = stack.last_mut() else { return Some(fingerprint) };
                open.add(start, fingerprint, text, watch);
            }
            let open = stack.last_mut()?;
            let first = std::mem::take(&mut open.first);
            if open.members.is_none() {
                if scanner.next_element(first).ok()? {
                    watch.enter(None);
                    shape = open.inner(guide);
                    break;
                }
            } else if let Some(key) = scanner.next_member(first).ok()? {
                open.key = key.decoded(text);
                if open.begin_member() {
                    watch.enter(Some(&open.key));
                    shape = open.inner(guide);
                    break;
                }
                // The API server may prune this member.
                scanner.skip_value().ok()?;
                continue;
            }
            done = stack.pop().map(|open| (open.start, open.fingerprint()));
        }
    }
}

impl<'t, 'g> Open<'t, 'g> {
    fn new(
        start: usize,
        shape: &'g Shape,
        members: Option<Vec<(Cow<'t, str>, Option<u64>)>>,
    ) -> Self {
        let mut hasher = fnv::FnvHasher::default();
        hasher.write_u8(if members.is_some() { b'{' } else { b'[' });
        let (key, known) = (Cow::default(), None);
        Self { start, first: true, shape, hasher, members, key, known }
    }

    /// Starts a member. Returns whether it counts.
    fn begin_member(&mut self) -> bool {
        let Shape::Fields(fields) = self.shape else { return true };
        self.known = fields.iter().find(|known| known.name == self.key);
        self.known.is_some()
    }

    /// The shape of the member or of the elements.
    fn inner(&self, guide: &'g Guide) -> &'g Shape {
        match (self.shape, self.known) {
            (Shape::Fields(_), Some(known)) => guide.resolve(&known.inner),
            (Shape::Items(node), _) if self.members.is_none() => guide.at(*node),
            (Shape::Values(node), _) if self.members.is_some() => guide.at(*node),
            _ => &Shape::Whole,
        }
    }

    /// Adds a member or an element.
    fn add<W: Watch>(&mut self, start: usize, fingerprint: u64, text: &str, watch: &mut W) {
        let Some(members) = &mut self.members else {
            watch.element(start, fingerprint);
            watch.leave(false);
            self.hasher.write(&fingerprint.to_le_bytes());
            return;
        };
        let null = text[start..].starts_with("null");
        let absent = match (self.shape, self.known) {
            (Shape::Fields(_), Some(known)) => {
                (null && !known.nullable) || known.default == Some(fingerprint)
            }
            (Shape::Values(_), _) => null,
            _ => false,
        };
        watch.leave(absent);
        members.push((std::mem::take(&mut self.key), (!absent).then_some(fingerprint)));
    }

    fn fingerprint(mut self) -> u64 {
        if let Some(mut members) = self.members {
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (index, (key, fingerprint)) in members.iter().enumerate() {
                // The last of equal keys counts, as for the API server.
                if members.get(index + 1).is_some_and(|(next, _)| next == key) {
                    continue;
                }
                if let Some(fingerprint) = fingerprint {
                    self.hasher.write(&hash(key.as_bytes()).to_le_bytes());
                    self.hasher.write(&fingerprint.to_le_bytes());
                }
            }
        }
        self.hasher.finish()
    }
}

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprints(text: &str) -> Vec<(usize, u64)> {
        let mut fingerprints = Vec::new();
        note_fingerprints(text, &Guide::default(), &Shape::Whole, &mut |start, fingerprint| {
            fingerprints.push((start, fingerprint));
        })
        .unwrap();
        fingerprints
    }

    /// Golden values: once an entry is written, it must find its item forever.
    #[test]
    fn stay_the_same() {
        let found = fingerprints(r#"[1,"a",[null],{"b":{"c":[]},"a":true}]"#);
        let found: Vec<_> = found
            .iter()
            .map(|(start, fingerprint)| (*start, format!("{fingerprint:016x}")))
            .collect();
        let expected = [
            (1, "af63ac4c86019afc"),
            (3, "d4272417d7c77eea"),
            (8, "5b9bc4ba528108e4"),
            (7, "ccfc7c710bde17b1"),
            (14, "0586c2ca40625beb"),
        ];
        assert_eq!(found, expected.map(|(start, fingerprint)| (start, fingerprint.to_owned())));
    }

    #[test]
    fn differ_only_where_the_server_sees_a_difference() {
        let same = r#"[{"a":1,"b":[{}]},{"b" : [ { } ], "\u0061":1.0},{"a":2,"b":[{}],"a":1e0}]"#;
        let of_objects: Vec<u64> = fingerprints(same)
            .into_iter()
            .filter(|(start, _)| {
                same[*start..].starts_with("{\"") || same[*start..].starts_with("{\"b\" ")
            })
            .map(|(_, fingerprint)| fingerprint)
            .collect();
        assert_eq!(of_objects, [of_objects[0]; 3]);
        let mut different: Vec<u64> = fingerprints(r#"[0,"0",null,"null","",[],{},[[]],[{}],{"":[]},["",[]],{"a":"b"},{"a":"c"},{"b":"b"},["a","b"],["b","a"],{"a":null}]"#)
            .into_iter()
            .map(|(_, fingerprint)| fingerprint)
            .collect();
        let count = different.len();
        different.sort_unstable();
        different.dedup();
        // Six fingerprints repeat: `[]`, `{}`, `""` and `[]` in inner arrays are top-level
        // elements, too, and `"a"` and `"b"` each occur twice in inner arrays.
        assert_eq!(different.len(), count - 6);
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = "[".repeat(9_999) + &"]".repeat(9_999);
        assert_eq!(fingerprints(&deep).len(), 9_998);
        assert_eq!(
            note_fingerprints("[1,", &Guide::default(), &Shape::Whole, &mut |_, _| {}),
            None
        );
    }
}
