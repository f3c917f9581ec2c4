//! Reads entries from the text of an annotation.

use std::ops::Range;
use std::rc::Rc;

use super::entry::Entry;
use super::locator::{Locator, MAX_LOCATORS, read_locators};
use super::members::{Part, read_members};
use super::packed::unpack;
use super::write::FORMAT;
use crate::json::{Scanner, SyntaxError};

/// The content of an annotation.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The peer (the version that had no room for the home version's values), and the entries.
    Entries(String, Vec<Entry>),
    /// A tombstone, written in place of an annotation that had no room: its peer, and the
    /// annotation's size in bytes.
    Tombstone { peer: String, size: usize },
    /// A format that this release doesn't know. Another release will.
    Unknown,
    /// A text that no release writes.
    Malformed,
}

/// Reads the text of an annotation.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut found = Found::default();
    match found.read(text) {
        Err(_) => Parsed::Malformed,
        Ok(()) => match found.format.clone() {
            None => Parsed::Malformed,
            Some(format) if &text[format.clone()] != FORMAT || found.more => Parsed::Unknown,
            Some(_) => found.resolve(text),
        },
    }
}

/// The entries in the text of an annotation that was read before, packed or not.
pub(crate) fn entries_of(text: &str) -> Vec<Entry> {
    let mut found = Found::default();
    match found.read(text).map(|()| found.entries(String::new(), text)) {
        Ok(Parsed::Entries(_, entries)) => entries,
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Found {
    format: Option<Range<usize>>,
    peer: Option<String>,
    own: Item,
    items: Option<Vec<Item>>,
    lists: Option<Range<usize>>,
    packed: Option<String>,
    tombstone: Option<usize>,
    /// Whether there is a member that this release doesn't know.
    more: bool,
}

#[derive(Clone, Default)]
struct Item {
    at: Option<Vec<Locator>>,
    keep: Option<Vec<Part>>,
    guard: Option<Vec<Part>>,
}

impl Found {
    fn read(&mut self, text: &str) -> Result<(), SyntaxError> {
        let mut scanner = Scanner::new(text);
        scanner.enter_object()?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first)? {
            first = false;
            let start = scanner.pos;
            match key.raw(text) {
                "peer" if scanner.peek() == b'"' => {
                    self.peer = Some(scanner.string()?.decoded(text).into_owned());
                }
                "packed" if scanner.peek() == b'"' => {
                    self.packed = Some(scanner.string()?.decoded(text).into_owned());
                }
                "tombstone" => {
                    scanner.skip_value()?;
                    self.tombstone = text[start..scanner.pos].parse().ok();
                    self.more |= self.tombstone.is_none();
                }
                "entries" => {
                    let mut items = Vec::new();
                    scanner.enter_array()?;
                    while scanner.next_element(items.is_empty())? {
                        let mut item = Item::default();
                        scanner.enter_object()?;
                        let mut first = true;
                        while let Some(key) = scanner.next_member(first)? {
                            first = false;
                            self.more |= !item.read(&mut scanner, key.raw(text))?;
                        }
                        items.push(item);
                    }
                    self.items = Some(items);
                }
                "lists" => {
                    scanner.skip_value()?;
                    self.lists = Some(start..scanner.pos);
                }
                "format" => {
                    scanner.skip_value()?;
                    self.format = Some(start..scanner.pos);
                }
                other => self.more |= !self.own.read(&mut scanner, other)?,
            }
        }
        scanner.end()
    }

    /// Turns the members of a text with a known format into its content.
    fn resolve(mut self, text: &str) -> Parsed {
        let Some(peer) = self.peer.take() else { return Parsed::Malformed };
        match (&self.packed, self.tombstone) {
            (None, None) => self.entries(peer, text),
            (Some(packed), None) if self.holds_nothing() => {
                let Some(text) = unpack(packed) else { return Parsed::Malformed };
                let mut inside = Self::default();
                match inside.read(&text) {
                    Ok(()) if inside.is_bare() && inside.more => Parsed::Unknown,
                    Ok(()) if inside.is_bare() => inside.entries(peer, &text),
                    _ => Parsed::Malformed,
                }
            }
            (None, Some(size)) if self.holds_nothing() => Parsed::Tombstone { peer, size },
            _ => Parsed::Malformed,
        }
    }

    fn holds_nothing(&self) -> bool {
        let Item { at, keep, guard } = &self.own;
        at.is_none()
            && keep.is_none()
            && guard.is_none()
            && self.items.is_none()
            && self.lists.is_none()
    }

    /// Whether there are only members for entries.
    fn is_bare(&self) -> bool {
        let Self { format, peer, packed, tombstone, .. } = self;
        format.is_none() && peer.is_none() && packed.is_none() && tombstone.is_none()
    }

    fn entries(self, peer: String, text: &str) -> Parsed {
        let text: Rc<str> = text.into();
        let entry = |item: Item| {
            let at = item.at.unwrap_or_default();
            let (text, lists) = (Rc::clone(&text), self.lists.clone());
            Some(Entry { text, at, keep: item.keep?, guard: item.guard, lists })
        };
        let entries: Option<Vec<Entry>> = match (&self.own.keep, self.items) {
            (Some(_), None) => entry(self.own).map(|entry| vec![entry]),
            (None, Some(items)) if self.own.guard.is_none() && self.own.at.is_none() => {
                items.into_iter().map(entry).collect()
            }
            _ => None,
        };
        entries.map_or(Parsed::Malformed, |entries| Parsed::Entries(peer, entries))
    }
}

impl Item {
    /// Reads the value of a member. Returns `false` if the member isn't known.
    fn read(&mut self, scanner: &mut Scanner<'_>, key: &str) -> Result<bool, SyntaxError> {
        match key {
            "at" => {
                let at = read_locators(scanner)?;
                if at.len() > MAX_LOCATORS {
                    return scanner.error("no release writes so many locators");
                }
                self.at = Some(at);
            }
            "keep" => self.keep = Some(read_members(scanner)?),
            "guard" => self.guard = Some(read_members(scanner)?),
            _ => {
                scanner.skip_value()?;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
