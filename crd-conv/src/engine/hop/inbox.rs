//! Entries for the target version: which of them belongs to which value.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::rc::Rc;

use super::annotations::Keys;
use super::patch::Patch;
use crate::complement::{Entry, Locator, Loss, Losses};
use crate::engine::document::{Aligned, Items, Source, View};
use crate::json::fits;

/// A review has an object and an array of objects within its own braces.
const REVIEW_DEPTH: usize = 3;

/// The entries that this hop may restore. Each is taken once.
#[derive(Debug)]
pub(crate) struct Inbox {
    /// By annotation.
    carried: HashMap<String, Carried>,
    keys: Keys,
}

/// An annotation with entries for the target version.
#[derive(Debug)]
pub(crate) struct Carried {
    named: usize,
    /// By what they belong to; those that were taken are gone.
    entries: HashMap<Vec<Locator>, Entry>,
    /// Whether any was taken.
    used: bool,
    /// Whether another release wrote it for another peer, or for another home.
    adopted: bool,
    /// Its text, if it says something of the lists on the way.
    lists: Option<Rc<str>>,
    /// Made where an entry's item isn't what it was.
    aligned: Option<Aligned>,
}

impl Carried {
    pub(crate) fn new(
        named: usize,
        entries: Vec<Entry>,
        adopted: bool,
        losses: &mut Losses,
    ) -> Self {
        let first = entries.first().filter(|entry| entry.lists().is_some());
        let lists = first.map(|entry| entry.annotation().clone());
        let mut by_place = HashMap::new();
        for mut entry in entries {
            let at = std::mem::take(&mut entry.at);
            match by_place.entry(at) {
                MapEntry::Vacant(place) => drop(place.insert(entry)),
                MapEntry::Occupied(_) => losses.add(Loss::Malformed),
            }
        }
        Self { named, entries: by_place, used: false, adopted, lists, aligned: None }
    }
}

impl Default for Inbox {
    fn default() -> Self {
        Self { carried: HashMap::new(), keys: Keys::TARGET }
    }
}

impl Inbox {
    pub(crate) fn is_empty(&self) -> bool {
        self.carried.is_empty()
    }

    /// Gives the member of an annotation of the same name, which has no effect any more.
    pub(crate) fn add(&mut self, key: String, carried: Carried) -> Option<usize> {
        self.carried.insert(key, carried).map(|before| before.named)
    }

    /// Takes an annotation out unread, and gives its member.
    pub(crate) fn remove(&mut self, key: &str) -> Option<usize> {
        self.carried.remove(key).map(|carried| carried.named)
    }

    /// Takes the entry of a field somewhere inside an instance, or of the instance itself, if it is one that is looked for.
    ///
    /// # Errors
    ///
    /// If it is one that no release writes; it is taken all the same.
    pub(crate) fn take(
        &mut self,
        source: Source<'_>,
        items: &mut Items,
        (instance, fields): (usize, &[&'static str]),
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Result<Entry, Loss>> {
        if self.carried.is_empty() {
            return None;
        }
        let key = self.keys.of(source, instance, fields);
        let carried = self.carried.get_mut(&*key)?;
        let mut at = items.around(instance, source, View::Source);
        if !carried.entries.is_empty() && !carried.entries.contains_key(&at[..]) {
            let lists = carried.lists.as_deref()?;
            let aligned = carried.aligned.get_or_insert_with(|| Aligned::read(lists));
            at = aligned.around(instance, items, source);
        }
        if !wanted(carried.entries.get(&at[..])?) {
            return None;
        }
        let entry = carried.entries.remove(&at[..])?;
        carried.used = true;
        // An instance's own entry stands in its place, not inside it.
        let depth = REVIEW_DEPTH + source.instance(instance).depth + fields.len() - 1;
        let is_shallow = entry.keep().all(|(_, value)| fits(value, depth));
        Some(if is_shallow { Ok(entry) } else { Err(Loss::Malformed) })
    }

    /// Whether entries that nobody has taken yet belong to something in an instance, to which a way in the source leads.
    pub(crate) fn awaits(
        &mut self,
        source: Source<'_>,
        items: &mut Items,
        instance: usize,
        way: &str,
    ) -> bool {
        if self.carried.is_empty() {
            return false;
        }
        let at = items.around(instance, source, View::Source);
        let items = &*items;
        self.carried.iter_mut().any(|(key, carried)| {
            let around = source.route.restores.get(key);
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
            let at = aligned.around(instance, items, source);
            carried.entries.keys().any(|of| is_of(of, &at))
        })
    }

    /// Drops the annotations of which something was taken, and those that belong to nothing in the source.
    pub(crate) fn finish(&mut self, source: Source<'_>, patch: &mut Patch, losses: &mut Losses) {
        for (key, carried) in std::mem::take(&mut self.carried) {
            let Carried { named, entries, used, adopted, .. } = carried;
            let goes = used || !patch.stays(named);
            if entries.is_empty() {
                patch.delete(Some(named));
            } else if goes || source.route.restores.contains_key(&key) && !adopted {
                patch.delete(Some(named));
                for _ in &entries {
                    losses.add(Loss::AnchorGone);
                }
            } else {
                // Perhaps the release that wrote it told the items apart in another way.
                losses.add(Loss::Ignored);
            }
        }
    }
}
