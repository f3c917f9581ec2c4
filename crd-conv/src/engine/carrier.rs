//! The carrier of one object: which entry belongs to which value, and the annotations for what is kept.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::ops::Range;
use std::rc::Rc;

use super::align::Aligned;
use super::items::{Edits, Items, Shown};
use super::relocate::Trace;
use super::steps::Work;
use super::walk::Fate;
use crate::complement::{
    Entry, Locator, Loss, Parsed, parse, write_body, write_entries, write_lists,
};
use crate::json::{Edit, Scanner, fits, quote};

/// A review has an object and an array of objects within its own braces.
const REVIEW_DEPTH: usize = 3;

/// An annotation with entries for the target version.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) named: usize,
    /// By what they belong to; those that were used are gone.
    entries: HashMap<Vec<Locator>, Entry>,
    /// Whether another release wrote it for another peer, or for another home.
    adopted: bool,
    /// Its text, if it says something of the lists on the way.
    lists: Option<Rc<str>>,
    /// Made where an entry's item isn't what it was.
    aligned: Option<Aligned>,
}

/// What a step keeps for the source version.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) instance: usize,
    /// The instance without which there is nothing to keep.
    pub(super) of: usize,
    /// The annotation.
    key: String,
    body: Range<usize>,
}

/// Which items an entry belongs to, and its body.
type Located = (Rc<[Locator]>, Range<usize>);

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
            if !(at_home || restores) {
                // With two versions there is nobody between a home and its peer.
                if self.route.versions.len() > 2 {
                    self.note_distant(index, &key);
                }
                self.pass_foreign(index);
                continue;
            }
            let Some(parsed) = self.parsed(index) else { continue };
            match parsed {
                Parsed::Unknown => self.losses.add(Loss::Ignored),
                Parsed::Malformed => self.discard(index, Loss::Malformed),
                Parsed::Entries(..) | Parsed::Tombstone { .. }
                    if at_home && self.is_read_at_home(&key) =>
                {
                    self.discard(index, Loss::AtHome);
                }
                Parsed::Tombstone { peer, size } => {
                    let restores = restores && peer == self.route.from;
                    self.pass_tombstone(index, size, restores);
                }
                // Of a rule that another release has.
                Parsed::Entries(..) if at_home => self.losses.add(Loss::Ignored),
                Parsed::Entries(peer, entries) if peer != self.route.from => {
                    self.note_stranger(index, &key, &peer, entries);
                }
                Parsed::Entries(_, entries) => {
                    let key = key.into_owned();
                    self.add_carried(key, index, entries, false);
                }
            }
        }
    }

    /// Whether an annotation for the source is one that a hop to it reads.
    fn is_read_at_home(&self, key: &str) -> bool {
        let home = self.version(self.route.from).map(|home| &self.route.homes[home]);
        home.is_none_or(|hops| hops.iter().flatten().any(|restores| restores.contains_key(key)))
    }

    pub(super) fn add_carried(
        &mut self,
        key: String,
        named: usize,
        entries: Vec<Entry>,
        adopted: bool,
    ) {
        let mut by_place = HashMap::new();
        let first = entries.first().filter(|entry| entry.lists().is_some());
        let lists = first.map(|entry| entry.annotation().clone());
        for mut entry in entries {
            let at = std::mem::take(&mut entry.at);
            match by_place.entry(at) {
                MapEntry::Vacant(place) => drop(place.insert(entry)),
                MapEntry::Occupied(_) => self.losses.add(Loss::Malformed),
            }
        }
        let carried = Carried { named, entries: by_place, adopted, lists, aligned: None };
        if let Some(before) = self.carried.insert(key, carried) {
            self.discard(before.named, Loss::DuplicateKey);
        }
    }

    pub(super) fn discard(&mut self, named: usize, loss: Loss) {
        self.found.named[named].fate = Fate::Delete;
        self.losses.add(loss);
    }

    /// The entry of a field of an instance, or of the instance itself; from now on it is used up.
    pub(super) fn take_entry(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
    ) -> Option<Entry> {
        self.take_entry_if(instance, field, |_| true)
    }

    /// The same, if it is one that is looked for.
    pub(super) fn take_entry_if(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Entry> {
        let entry = self.take_entry_at(instance, field.as_slice(), wanted)?;
        self.relocated.note(self.found, instance, Trace::Restored);
        Some(entry)
    }

    /// The entry of a field somewhere inside an instance, if it is one that is looked for; from now on it is used up.
    pub(super) fn take_entry_at(
        &mut self,
        instance: usize,
        fields: &[&str],
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Entry> {
        if self.carried.is_empty() {
            return None;
        }
        let key = self.key(instance, fields, true);
        if !self.carried.contains_key(&key) {
            return None;
        }
        let mut at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        let carried = self.carried.get_mut(&key)?;
        if !carried.entries.is_empty() && !carried.entries.contains_key(&at[..]) {
            let lists = carried.lists.as_deref()?;
            let aligned = carried.aligned.get_or_insert_with(|| Aligned::read(lists));
            at = aligned.around(instance, &self.items, (self.found, self.route, self.text));
        }
        if !wanted(carried.entries.get(&at[..])?) {
            return None;
        }
        let entry = carried.entries.remove(&at[..])?;
        let carried = &self.carried[&key];
        self.found.named[carried.named].fate = Fate::Delete;
        // An instance's own entry stands in its place, not inside it.
        let depth = REVIEW_DEPTH + self.found.instances[instance].depth + fields.len() - 1;
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
            } else if carried.adopted && self.found.named[carried.named].stays() {
                // Perhaps that release told the items apart in another way.
                self.losses.add(Loss::Ignored);
            } else if self.route.restores.contains_key(&key)
                || !self.found.named[carried.named].stays()
            {
                for _ in &carried.entries {
                    self.discard(carried.named, Loss::AnchorGone);
                }
            } else {
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
        self.keep_at(instance, field.as_slice(), keep, guard);
    }

    /// Keeps the values of a field somewhere inside an instance.
    pub(super) fn keep_at<'b>(
        &mut self,
        instance: usize,
        fields: &[&str],
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, String)]>,
    ) {
        self.relocated.note(self.found, instance, Trace::Kept);
        self.write_kept(instance, fields, keep, guard);
    }

    /// Keeps the values of a field of an instance, or of the instance itself, where the same values in a new object are kept
    /// as well: an object isn't there for them.
    pub(super) fn keep_of_any<'b>(
        &mut self,
        instance: usize,
        field: Option<&'static str>,
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, String)]>,
    ) {
        self.write_kept(instance, field.as_slice(), keep, guard);
    }

    fn write_kept<'b>(
        &mut self,
        instance: usize,
        fields: &[&str],
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, String)]>,
    ) {
        let guard = guard.map(|guard| guard.iter().map(|(name, value)| (*name, value.as_str())));
        let start = self.arena.len();
        write_body(keep, guard, self.arena);
        let body = start..self.arena.len();
        let key = self.key(instance, fields, false);
        self.kept.push(Kept { instance, of: instance, key, body });
    }

    /// Whether entries that this hop hasn't used up yet belong to something in an instance, to which a way in the source leads.
    pub(super) fn is_awaited(&mut self, instance: usize, way: &str) -> bool {
        if self.carried.is_empty() {
            return false;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        let (found, route, text, items) = (&*self.found, self.route, self.text, &self.items);
        self.carried.iter_mut().any(|(key, carried)| {
            let around = route.restores.get(key);
            if carried.entries.is_empty()
                || around.is_some_and(|around| !around.way().starts_with(way))
            {
                return false;
            }
            let is_of = |of: &Vec<Locator>, at: &[Locator]| {
                of.starts_with(at) || matches!(of.first(), Some(Locator::Folded(_)))
            };
            if carried.entries.keys().any(|of| is_of(of, &at)) {
                return true;
            }
            let Some(lists) = carried.lists.as_deref() else { return false };
            let aligned = carried.aligned.get_or_insert_with(|| Aligned::read(lists));
            let at = aligned.around(instance, items, (found, route, text));
            carried.entries.keys().any(|of| is_of(of, &at))
        })
    }

    /// What an annotation holds; `None` if it isn't a text.
    pub(super) fn parsed(&self, named: usize) -> Option<Parsed> {
        let value = match &self.found.named[named].fate {
            Fate::Set(text) => &self.arena[text.clone()],
            _ => self.found.value(self.text, named),
        };
        let mut scanner = Scanner::new(value);
        (scanner.peek() == b'"')
            .then(|| scanner.string().ok())?
            .map(|text| parse(&text.decoded(value)))
    }

    /// The annotation of a field whose home is the target version or the source version.
    fn key(&mut self, instance: usize, fields: &[&str], target: bool) -> String {
        let home = if target { self.route.to } else { self.route.from };
        let paths = &mut self.paths[usize::from(target)];
        if paths.is_empty() {
            self.found.annotation_paths(home, target, paths);
        }
        let path = &paths[self.found.instances[instance].place];
        let prefix = &self.route.prefix;
        match fields {
            [] => path.key(prefix),
            [field, more @ ..] => {
                let path = path.then(field);
                more.iter().fold(path, |path, field| path.then(field)).key(prefix)
            }
        }
    }

    /// The annotations for what is kept, with their texts. `edits` are those of everything outside `metadata`.
    pub(super) fn annotations(&mut self, edits: &[Edit]) -> Vec<(String, Range<usize>)> {
        let mut annotations: Vec<(String, Vec<usize>, Vec<Located>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let edits = Edits::new(edits, self.arena);
        let mut items = Items::default();
        for Kept { instance, key, body, .. } in std::mem::take(&mut self.kept) {
            let shown = Shown::Target(&edits);
            let at = items.around(instance, self.found, self.route, self.text, shown);
            let place = *places.entry(key).or_insert_with_key(|key| {
                annotations.push((key.clone(), Vec::new(), Vec::new()));
                annotations.len() - 1
            });
            annotations[place].1.push(instance);
            annotations[place].2.push((at, body));
        }
        annotations
            .into_iter()
            .map(|(key, instances, entries)| {
                let entries = sorted(entries);
                let (mut lists, mut text) = (String::new(), String::new());
                let listed = items.listed(&instances, self.found, self.route);
                write_lists(listed.iter().map(|(at, listed)| (&at[..], listed)), &mut lists);
                let entries = entries.iter().map(|(at, body)| (&at[..], &self.arena[body.clone()]));
                write_entries(self.route.to, &lists, entries, &mut text);
                let start = self.arena.len();
                quote(&text, self.arena);
                (key, start..self.arena.len())
            })
            .collect()
    }
}

/// In maps by their keys, as the API server writes them, wherever they stood; in lists as they stood. Behind these what
/// is folded, since nobody knows where that stood.
fn sorted(entries: Vec<Located>) -> Vec<Located> {
    let moves = |at: &Locator| matches!(at, Locator::Key(_) | Locator::Folded(_));
    let may_move = entries.iter().any(|(at, _)| at.iter().any(moves));
    if entries.len() < 2 || !may_move {
        return entries;
    }
    let mut firsts: HashMap<&[Locator], usize> = HashMap::new();
    for (place, (at, _)) in entries.iter().enumerate() {
        for depth in 1..=at.len() {
            firsts.entry(&at[..depth]).or_insert(place);
        }
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|place| &entries[place].0[..]);
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        match (a.get(same), b.get(same)) {
            (Some(Locator::Key(a)), Some(Locator::Key(b)))
            | (Some(Locator::Folded(a)), Some(Locator::Folded(b))) => a.cmp(b),
            (Some(Locator::Folded(_)), Some(_)) => Ordering::Greater,
            (Some(_), Some(Locator::Folded(_))) => Ordering::Less,
            (Some(_), Some(_)) => firsts[&a[..=same]].cmp(&firsts[&b[..=same]]),
            _ => a.len().cmp(&b.len()),
        }
    });
    order.into_iter().map(|place| entries[place].clone()).collect()
}
