//! Records the items of a list without map keys, so that an item can be found again after a client
//! has edited it.

use std::collections::HashMap;

use super::fingerprint::{Watch, fingerprint, hash};
use super::guide::{Guide, Shape};

/// The most items that a list may have to be recorded in an entry.
pub(crate) const MAX_ITEMS: usize = 256;

/// How many of an item's values are recorded.
const MAX_VALUES: usize = 6;

/// A short fingerprint of an item.
pub(crate) type Short = u32;

/// The items of a list, as the peer showed them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ListDigest {
    pub(crate) items: Vec<ItemDigest>,
}

/// An item of a list, as the peer showed it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ItemDigest {
    pub(crate) fingerprint: Short,
    /// Some of the values in the item that no other item of the list had.
    pub(crate) own: Vec<u32>,
    /// Some of the values that other items had, too.
    pub(crate) common: Vec<u32>,
}

/// The short form of an item's fingerprint.
pub(crate) fn short(fingerprint: u64) -> Short {
    fold(fingerprint, 24)
}

/// Folds a number into its lowest `bits` by XOR.
fn fold(number: u64, bits: u32) -> u32 {
    let mut rest = number;
    let mut folded = 0;
    while rest != 0 {
        folded ^= rest & ((1 << bits) - 1);
        rest >>= bits;
    }
    // At most 24 bits are left.
    u32::try_from(folded).unwrap_or_default()
}

/// The hashes of the plain values (strings, numbers and so on) in the item that a text starts with,
/// each with the keys on its path. Sorted.
pub(crate) fn values_in(text: &str, guide: &Guide, shape: &Shape) -> Vec<u32> {
    let mut values = Values { ways: vec![(0, 0)], found: Vec::new() };
    // The text was read before, so it is valid JSON.
    let _ = fingerprint(text, guide, shape, &mut values);
    let mut found = values.found;
    found.sort_unstable();
    found.dedup();
    found
}

struct Values {
    /// The hash of the path to each open value, and the number of values found before it.
    ways: Vec<(u64, usize)>,
    found: Vec<u32>,
}

impl Watch for Values {
    fn enter(&mut self, key: Option<&str>) {
        let around = self.ways.last().map_or(0, |(way, _)| *way);
        let mut text = around.to_le_bytes().to_vec();
        match key {
            Some(key) => text.extend(hash(key.as_bytes()).to_le_bytes()),
            None => text.push(b'['),
        }
        self.ways.push((hash(&text), self.found.len()));
    }

    fn plain(&mut self, text: &str, fingerprint: u64) {
        // Two items aren't similar just because neither has a value at a place.
        if text == "null" {
            return;
        }
        let way = self.ways.last().map_or(0, |(way, _)| *way);
        let both = [way.to_le_bytes(), fingerprint.to_le_bytes()].concat();
        self.found.push(fold(hash(&both), 18));
    }

    fn leave(&mut self, absent: bool) {
        if let Some((_, before)) = self.ways.pop()
            && absent
        {
            self.found.truncate(before);
        }
    }
}

impl ListDigest {
    /// Records the items with these fingerprints and values. Records values only for wanted items,
    /// which will be looked for again.
    pub(crate) fn new(items: &[(u64, Vec<u32>)], wanted: impl Fn(usize) -> bool) -> Self {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for value in items.iter().flat_map(|(_, values)| values) {
            *counts.entry(*value).or_default() += 1;
        }
        let digest = items.iter().enumerate().map(|(index, (fingerprint, values))| {
            let mut item = ItemDigest { fingerprint: short(*fingerprint), ..ItemDigest::default() };
            if wanted(index) {
                let (own, common) = values.iter().partition(|value| counts[*value] == 1);
                (item.own, item.common) = (own, common);
                item.own.truncate(MAX_VALUES);
                item.common.truncate(MAX_VALUES - item.own.len());
            }
            item
        });
        Self { items: digest.collect() }
    }

    /// Appends a word for each item: its fingerprint, its own values, and after a dot its common
    /// values.
    pub(crate) fn write(&self, out: &mut String) {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            push_digits(item.fingerprint, FINGERPRINT_DIGITS, out);
            item.own.iter().for_each(|value| push_digits(*value, VALUE_DIGITS, out));
            if !item.common.is_empty() {
                out.push('.');
                item.common.iter().for_each(|value| push_digits(*value, VALUE_DIGITS, out));
            }
        }
    }

    /// Reads a digest. Returns `None` if no release writes such a text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let words = text.split(' ').take(MAX_ITEMS + 1);
        let items: Option<Vec<ItemDigest>> = words.map(ItemDigest::read).collect();
        items.filter(|items| items.len() <= MAX_ITEMS).map(|items| Self { items })
    }
}

impl ItemDigest {
    fn read(word: &str) -> Option<Self> {
        let (fingerprint, values) = word.split_at_checked(FINGERPRINT_DIGITS)?;
        let (own, common) = values.split_once('.').unwrap_or((values, ""));
        let fingerprint = number(fingerprint.as_bytes())?;
        let item = Self { fingerprint, own: numbers(own)?, common: numbers(common)? };
        (item.own.len() + item.common.len() <= MAX_VALUES).then_some(item)
    }

    /// How many of the item's own values are in `values`, which is sorted.
    pub(crate) fn own_among(&self, values: &[u32]) -> usize {
        self.own.iter().filter(|value| values.binary_search(value).is_ok()).count()
    }

    /// Whether any of the item's values is in `values`, which is sorted.
    pub(crate) fn any_among(&self, values: &[u32]) -> bool {
        self.own.iter().chain(&self.common).any(|value| values.binary_search(value).is_ok())
    }
}

/// The digits of RFC 4648's base64url, six bits each.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// 24 bits.
const FINGERPRINT_DIGITS: usize = 4;
/// 18 bits.
const VALUE_DIGITS: usize = 3;

fn push_digits(number: u32, digits: usize, out: &mut String) {
    for place in (0..digits).rev() {
        out.push(char::from(DIGITS[(number >> (6 * place)) as usize % 64]));
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| {
        let value = DIGITS.iter().position(|known| known == digit)?;
        Some(number << 6 | u32::try_from(value).ok()?)
    })
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    let chunks = text.as_bytes().chunks_exact(VALUE_DIGITS);
    if !chunks.remainder().is_empty() {
        return None;
    }
    chunks.map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<u32> {
        values_in(text, &Guide::default(), &Shape::Whole)
    }

    /// Golden values: once an entry is written, it must find its item forever.
    #[test]
    fn stay_the_same() {
        let texts = [r#"{"a":1,"b":["x",null,{"c":true}]}"#, r#"{"a":1.0,"b":"y"}"#];
        let items = texts.map(|text| (hash(text.as_bytes()), values(text)));
        let digest = ListDigest::new(&items, |index| index == 0);
        let mut out = String::new();
        digest.write(&mut out);
        assert_eq!(out, "YwWXNWlu4U.UJJ H2PS");
        assert_eq!(ListDigest::read(&out), Some(digest));
    }

    #[test]
    fn a_value_is_told_by_its_way() {
        assert_eq!(values(r#"{"a":1,"b":null,"c":{},"d":[]}"#), values(r#"{"a":1e0}"#));
        assert_eq!(values(r#"[{"a":1},{"a":1}]"#), values(r#"[{"a":1}]"#));
        let different = [r#"{"a":1}"#, r#"{"b":1}"#, r#"{"a":"1"}"#, r#"{"a":[1]}"#, "1", "[1]"];
        let mut different = different.map(values).concat();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 6);
    }

    #[test]
    fn what_no_release_writes_is_nothing() {
        for text in ["", "AAA", "AAAA ", " AAAA", "AAAAB", "AAAABBB.C", "AAA+", "ääää", "AAAA.B.C"]
        {
            assert!(ListDigest::read(text).is_none(), "{text}");
        }
        assert!(ListDigest::read(&format!("AAAA{}", "BBB".repeat(MAX_VALUES + 1))).is_none());
        assert!(ListDigest::read(&["AAAA"; MAX_ITEMS].join(" ")).is_some());
        assert!(ListDigest::read(&["AAAA"; MAX_ITEMS + 1].join(" ")).is_none());
    }
}
