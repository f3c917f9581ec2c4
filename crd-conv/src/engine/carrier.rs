//! The carrier of one object: which entry belongs to which value, and the annotations for what is kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::ops::Range;

use super::route::Node;
use super::steps::Work;
use super::walk::{Fate, Found, Via};
use crate::complement::{
    Entry, Locator, Loss, Parsed, annotation_key, fingerprint, parse, write_body, write_entries,
};
use crate::json::{Edit, Fidelity, Scanner, canonical, fits, quote, splice};

/// A review has an object and an array of objects within its own braces.
const REVIEW_DEPTH: usize = 3;

/// An annotation with entries for the target version.
#[derive(Debug)]
pub(super) struct Carried {
    named: usize,
    /// By what they belong to; those that were used are gone.
    entries: HashMap<Vec<Locator>, Entry>,
}

/// What a step keeps for the source version.
#[derive(Debug)]
pub(super) struct Kept {
    instance: usize,
    /// The annotation.
    key: String,
    body: Range<usize>,
}

/// Which items an entry belongs to, and its body.
type Located = (Vec<Locator>, Range<usize>);

/// How the items of lists are told apart, by list.
type Marks = HashMap<usize, HashMap<usize, Locator>>;

impl Work<'_> {
    /// Sorts the annotations of the carrier: what this hop may restore, what has no effect, and all others.
    pub(super) fn read_entries(&mut self) {
        for index in 0..self.found.named.len() {
            let named = &self.found.named[index];
            if named.member.is_some() || self.found.instances[named.instance].dead {
                continue;
            }
            let key = named.key.decoded(self.text);
            let of_version = |version: &str| {
                let rest = key[self.route.prefix.len()..].strip_prefix(version);
                rest.is_some_and(|rest| rest.starts_with('.'))
            };
            let (at_home, restores) = (of_version(self.route.from), of_version(self.route.to));
            let value = self.found.value(self.text, index);
            if !(at_home || restores) || !value.starts_with('"') {
                continue;
            }
            let mut scanner = Scanner::new(value);
            let Ok(text) = scanner.string().map(|string| string.decoded(value)) else { continue };
            match parse(&text) {
                Parsed::Unknown => self.losses.add(Loss::Ignored),
                Parsed::Malformed => self.discard(index, Loss::Malformed),
                Parsed::Entries(..) if at_home => self.discard(index, Loss::AtHome),
                Parsed::Entries(peer, _) if peer != self.route.from => {
                    self.losses.add(Loss::Ignored);
                }
                Parsed::Entries(_, entries) => {
                    let key = key.into_owned();
                    self.add_carried(key, index, entries);
                }
            }
        }
    }

    fn add_carried(&mut self, key: String, named: usize, entries: Vec<Entry>) {
        let mut by_place = HashMap::new();
        for mut entry in entries {
            let at = std::mem::take(&mut entry.at);
            match by_place.entry(at) {
                MapEntry::Vacant(place) => drop(place.insert(entry)),
                MapEntry::Occupied(_) => self.losses.add(Loss::Malformed),
            }
        }
        let carried = Carried { named, entries: by_place };
        if let Some(before) = self.carried.insert(key, carried) {
            self.discard(before.named, Loss::DuplicateKey);
        }
    }

    fn discard(&mut self, named: usize, loss: Loss) {
        self.found.named[named].fate = Fate::Delete;
        self.losses.add(loss);
    }

    /// The entry of a field of an instance, or of the instance itself; from now on it is used up.
    pub(super) fn take_entry(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
    ) -> Option<Entry> {
        if self.carried.is_empty() {
            return None;
        }
        let key = self.key(instance, field, true);
        if !self.carried.contains_key(&key) {
            return None;
        }
        let at = self.source_locators(instance);
        let carried = self.carried.get_mut(&key)?;
        let entry = carried.entries.remove(&at)?;
        self.found.named[carried.named].fate = Fate::Delete;
        let depth = REVIEW_DEPTH + self.found.depth(instance);
        if !entry.keep().all(|(_, value)| fits(value, depth)) {
            self.losses.add(Loss::Malformed);
            return None;
        }
        Some(entry)
    }

    /// Drops what no step has asked for.
    pub(super) fn drop_unused(&mut self) {
        for (key, carried) in std::mem::take(&mut self.carried) {
            if carried.entries.is_empty() {
                self.found.named[carried.named].fate = Fate::Delete;
            } else if self.route.restores.contains(&key) {
                for _ in &carried.entries {
                    self.discard(carried.named, Loss::AnchorGone);
                }
            } else if self.found.named[carried.named].stays() {
                self.losses.add(Loss::Ignored);
            }
        }
    }

    /// Keeps the values of a field of an instance, or of the instance itself, for the source version.
    pub(super) fn keep<'b>(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, String)]>,
    ) {
        let guard = guard.map(|guard| guard.iter().map(|(name, value)| (*name, value.as_str())));
        let start = self.arena.len();
        write_body(keep, guard, self.arena);
        let body = start..self.arena.len();
        let key = self.key(instance, field, false);
        self.kept.push(Kept { instance, key, body });
    }

    /// The annotation of a field whose home is the target version or the source version.
    fn key(&self, instance: usize, field: Option<&'static str>, target: bool) -> String {
        let mut path = self.found.path(self.found.instances[instance].place, target);
        path.extend(field);
        annotation_key(
            self.route.group,
            if target { self.route.to } else { self.route.from },
            &path,
        )
    }

    /// The annotations for what is kept, with their texts. `edits` are those of everything outside `metadata`.
    pub(super) fn annotations(&mut self, edits: &[Edit]) -> Vec<(String, Range<usize>)> {
        let mut marks = Marks::new();
        let mut annotations: Vec<(String, Vec<Located>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for Kept { instance, key, body } in std::mem::take(&mut self.kept) {
            let at = locators(self.found, self.text, instance, &mut marks, &mut |list| {
                mark_items(self.found, self.route.list_keys(self.found, list, true), list, |item| {
                    rendered(self.text, item, edits, self.arena)
                })
            });
            let place = *places.entry(key).or_insert_with_key(|key| {
                annotations.push((key.clone(), Vec::new()));
                annotations.len() - 1
            });
            annotations[place].1.push((at, body));
        }
        annotations
            .into_iter()
            .map(|(key, entries)| {
                let mut text = String::new();
                let entries = entries.iter().map(|(at, body)| (&at[..], &self.arena[body.clone()]));
                write_entries(self.route.to, entries, &mut text);
                let start = self.arena.len();
                quote(&text, self.arena);
                (key, start..self.arena.len())
            })
            .collect()
    }

    /// Which items of lists and maps an instance is in, as the source shows them.
    fn source_locators(&mut self, instance: usize) -> Vec<Locator> {
        let Self { found, route, text, marks, .. } = self;
        locators(found, text, instance, marks, &mut |list| {
            mark_items(found, route.list_keys(found, list, false), list, |item| {
                text[item].to_owned()
            })
        })
    }
}

impl super::Route {
    /// The fields that tell the items of a list apart.
    fn list_keys(&self, found: &Found, list: usize, target: bool) -> &'static [&'static str] {
        match &self.nodes[found.instances[list].node] {
            Node::List { keys, .. } if target => keys.target,
            Node::List { keys, .. } => keys.source,
            _ => &[],
        }
    }
}

/// Goes from an instance outwards.
fn locators(
    found: &Found,
    text: &str,
    instance: usize,
    marks: &mut Marks,
    mark: &mut dyn FnMut(usize) -> HashMap<usize, Locator>,
) -> Vec<Locator> {
    let mut at = Vec::new();
    let mut inner = instance;
    while inner != 0 {
        let around = found.instances[inner].parent;
        match found.instances[inner].via {
            Via::Field => {}
            Via::Entry(key) => at.push(Locator::Key(key.decoded(text).into_owned())),
            Via::Item => {
                let items = marks.entry(around).or_insert_with(|| mark(around));
                at.extend(items.get(&inner).cloned());
            }
        }
        inner = around;
    }
    at.reverse();
    at
}

/// Tells the items of a list apart: by their keys if the list has such and they are complete and unique, else by
/// their whole text.
fn mark_items(
    found: &Found,
    keys: &[&str],
    list: usize,
    text_of: impl Fn(Range<usize>) -> String,
) -> HashMap<usize, Locator> {
    let end = found.instances[list].end;
    let inside =
        (list + 1..found.instances.len()).take_while(|item| found.instances[*item].start < end);
    let items: Vec<(usize, String)> = inside
        .filter(|item| found.instances[*item].parent == list)
        .map(|item| {
            let text = text_of(found.instances[item].span());
            let mut out = String::new();
            let known = canonical(&text, Fidelity::AsServed, &mut out);
            (item, if known.is_some() { out } else { text })
        })
        .collect();
    let by_key: Option<HashMap<String, usize>> = items
        .iter()
        .map(|(item, text)| key_values(text, keys).map(|values| (values, *item)))
        .collect();
    if let Some(by_key) = by_key
        && by_key.len() == items.len()
    {
        return by_key.into_iter().map(|(values, item)| (item, Locator::Keys(values))).collect();
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let nth: Vec<usize> = items
        .iter()
        .map(|(_, text)| {
            let count = counts.entry(text).or_default();
            *count += 1;
            *count - 1
        })
        .collect();
    let mark = |((item, text), nth): (&(usize, String), usize)| {
        (*item, Locator::Print { hash: fingerprint(text), nth, of: counts[text.as_str()] })
    };
    items.iter().zip(nth).map(mark).collect()
}

/// The values of the key fields of an item as a JSON array; `None` if the list has no keys or one is missing.
fn key_values(item: &str, keys: &[&str]) -> Option<String> {
    let mut values = vec![None; keys.len()];
    let mut scanner = Scanner::new(item);
    scanner.enter_object().ok()?;
    let mut first = true;
    while let Some(key) = scanner.next_member(first).ok()? {
        first = false;
        let start = scanner.pos;
        scanner.skip_value().ok()?;
        let name = key.decoded(item);
        if let Some(at) = keys.iter().position(|known| *known == name) {
            values[at] = Some(&item[start..scanner.pos]);
        }
    }
    let values: Option<Vec<&str>> = values.into_iter().collect();
    values.filter(|values| !values.is_empty()).map(|values| format!("[{}]", values.join(",")))
}

/// A span of the source as the target shows it.
fn rendered(text: &str, span: Range<usize>, edits: &[Edit], arena: &str) -> String {
    let from = edits.partition_point(|edit| edit.span.start < span.start);
    let to = edits.partition_point(|edit| edit.span.start < span.end);
    let mut out = String::new();
    splice(text, span, &edits[from..to], arena, &mut out);
    out
}
