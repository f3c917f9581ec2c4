//! Reads the tags of enums. An object's tag may come after everything else in it, and the objects
//! inside may be enums, too. So the tags of all of them are read when the walk enters the outermost
//! one. Each byte is read twice, no matter how deep enums are nested.

use crate::json::{Scanner, Str, SyntaxError, decode};

/// The tags of the objects in the last span that was read.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// In the order of the objects. The tags of one object are in the order of its keys.
    found: Vec<Tag>,
    until: usize,
    open: Vec<Open>,
}

#[derive(Debug)]
struct Tag {
    /// Where the object starts.
    object: usize,
    /// The index of its key among all known keys.
    key: usize,
    /// `None` if it isn't a string.
    name: Option<Str>,
}

/// An open array or object.
#[derive(Debug)]
struct Open {
    start: usize,
    array: bool,
    first: bool,
}

impl Tags {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.until = 0;
    }

    /// About how many bytes are allocated.
    pub(super) fn capacity(&self) -> usize {
        self.found.capacity() * size_of::<Tag>() + self.open.capacity() * size_of::<Open>()
    }

    /// Returns the tag that the object at the scanner's position has under a key. Of equal keys,
    /// the last one counts, as for the API server.
    pub(super) fn name(
        &mut self,
        scanner: &mut Scanner<'_>,
        keys: &[&str],
        key: &str,
    ) -> Result<Option<Str>, SyntaxError> {
        let object = scanner.pos;
        if object >= self.until {
            self.read(scanner, keys)?;
        }
        let end = self.found.partition_point(|tag| tag.object <= object);
        let of_this = self.found[..end].iter().rev().take_while(|tag| tag.object == object);
        Ok(of_this.into_iter().find(|tag| keys[tag.key] == key).and_then(|tag| tag.name))
    }

    fn read(&mut self, scanner: &mut Scanner<'_>, keys: &[&str]) -> Result<(), SyntaxError> {
        let mark = scanner.mark();
        self.found.clear();
        self.open.clear();
        self.enter(scanner)?;
        while let Some(open) = self.open.last_mut() {
            let first = std::mem::take(&mut open.first);
            let start = open.start;
            if open.array {
                if !scanner.next_element(first)? {
                    self.open.pop();
                    continue;
                }
            } else {
                let Some(key) = scanner.next_member(first)? else {
                    self.open.pop();
                    continue;
                };
                if let Some(key) = known(keys, key, scanner.text()) {
                    let mut tag = Tag { object: start, key, name: None };
                    if scanner.peek() == b'"' {
                        tag.name = Some(scanner.string()?);
                        self.found.push(tag);
                        continue;
                    }
                    self.found.push(tag);
                }
            }
            match scanner.peek() {
                b'{' | b'[' => self.enter(scanner)?,
                _ => scanner.skip_value()?,
            }
        }
        self.found.sort_by_key(|tag| tag.object);
        self.until = scanner.pos;
        scanner.reset(mark);
        Ok(())
    }

    fn enter(&mut self, scanner: &mut Scanner<'_>) -> Result<(), SyntaxError> {
        let array = scanner.peek() == b'[';
        self.open.push(Open { start: scanner.pos, array, first: true });
        if array { scanner.enter_array() } else { scanner.enter_object() }
    }
}

fn known(keys: &[&str], key: Str, text: &str) -> Option<usize> {
    match decode(key.raw(text)) {
        (key, false) => keys.iter().position(|known| *known == key),
        // No name contains half a surrogate pair.
        (_, true) => None,
    }
}
