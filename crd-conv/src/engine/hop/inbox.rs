//! Entries for the target version: which of them belongs to which value.

use std::borrow::Cow;
use std::rc::Rc;

use smallvec::SmallVec;

use super::annotations::Keys;
use super::patch::Patch;
use crate::complement::{Entry, Locator, Loss, Losses};
use crate::engine::document::{Aligned, Items, Source, View};
use crate::json::fits;

/// A review has an object and an array of objects within its own braces.
const REVIEW_DEPTH: usize = 3;

/// The entries that this hop may restore. Each is taken once.
#[derive(Debug, Default)]
pub(crate) struct Inbox<'a> {
    /// Sorted by their names, as the API server writes them.
    carried: Vec<Carried<'a>>,
}

/// An annotation with entries for the target version.
#[derive(Debug)]
pub(crate) struct Carried<'a> {
    key: Cow<'a, str>,
    named: usize,
    /// Sorted by what they belong to.
    entries: Vec<Entry>,
    /// Which of them were taken, and how many were not.
    taken: SmallVec<[bool; 8]>,
    left: usize,
    /// Whether another release wrote it for another peer, or for another home.
    adopted: bool,
    /// Its text, if it says something of the lists on the way.
    lists: Option<Rc<str>>,
    /// Made where an entry's item isn't what it was.
    aligned: Option<Box<Aligned>>,
}

impl<'a> Carried<'a> {
    pub(crate) fn new(
        key: Cow<'a, str>,
        named: usize,
        mut entries: Vec<Entry>,
        adopted: bool,
        losses: &mut Losses,
    ) -> Self {
        let first = entries.first().filter(|entry| entry.lists().is_some());
        let lists = first.map(|entry| entry.annotation().clone());
        // No release writes two for the same, so it doesn't matter which of them counts.
        entries.sort_unstable_by(|one, other| one.at.cmp(&other.at));
        entries.dedup_by(|later, first| {
            let same = later.at == first.at;
            if same {
                losses.add(Loss::Malformed);
            }
            same
        });
        let left = entries.len();
        let taken = SmallVec::from_elem(false, left);
        Self { key, named, entries, taken, left, adopted, lists, aligned: None }
    }

    /// The entry that belongs to these items, if nobody has taken it yet.
    fn find(&self, at: &[Locator]) -> Option<usize> {
        let place = self.entries.binary_search_by(|entry| entry.at[..].cmp(at)).ok()?;
        (!self.taken[place]).then_some(place)
    }

    /// What the entries belong to that nobody has taken yet.
    fn places(&self) -> impl Iterator<Item = &[Locator]> {
        let entries = self.entries.iter().zip(&self.taken);
        entries.filter_map(|(entry, taken)| (!taken).then_some(&entry.at[..]))
    }
}

impl<'a> Inbox<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.carried.is_empty()
    }

    fn find(&self, key: &str) -> Result<usize, usize> {
        self.carried.binary_search_by(|carried| (*carried.key).cmp(key))
    }

    /// Gives the member of an annotation of the same name, which has no effect any more.
    pub(crate) fn add(&mut self, carried: Carried<'a>) -> Option<usize> {
        match self.find(&carried.key) {
            Ok(at) => Some(std::mem::replace(&mut self.carried[at], carried).named),
            Err(at) => {
                self.carried.insert(at, carried);
                None
            }
        }
    }

    /// Takes an annotation out unread, and gives its member.
    pub(crate) fn remove(&mut self, key: &str) -> Option<usize> {
        self.find(key).ok().map(|at| self.carried.remove(at).named)
    }

    /// Takes the entry of a field somewhere inside an instance, or of the instance itself, if it is one that is looked for.
    ///
    /// # Errors
    ///
    /// If it is one that no release writes; it is taken all the same.
    pub(crate) fn take(
        &mut self,
        source: Source<'_>,
        (items, keys): (&mut Items, &mut Keys),
        (instance, fields): (usize, &[&'static str]),
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Result<Entry, Loss>> {
        if self.carried.is_empty() {
            return None;
        }
        let key = keys.of(source, true, instance, fields);
        let carried = self.find(&key).ok()?;
        let carried = &mut self.carried[carried];
        let mut at = items.around(instance, source, View::Source);
        if carried.left > 0 && carried.find(&at).is_none() {
            let lists = carried.lists.as_deref()?;
            let aligned = carried.aligned.get_or_insert_with(|| Aligned::read(lists).into());
            at = aligned.around(instance, items, source);
        }
        let place = carried.find(&at)?;
        if !wanted(&carried.entries[place]) {
            return None;
        }
        let entry = carried.entries[place].take();
        carried.taken[place] = true;
        carried.left -= 1;
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
        self.carried.iter_mut().any(|carried| {
            let around = source.route.restores.get(&*carried.key);
            if carried.left == 0 || around.is_some_and(|around| !around.way().starts_with(way)) {
                return false;
            }
            let is_of = |of: &[Locator], at: &[Locator]| {
                of.starts_with(at) || matches!(of.first(), Some(Locator::Folded(_)))
            };
            if carried.places().any(|of| is_of(of, &at)) {
                return true;
            }
            let Some(lists) = carried.lists.as_deref() else { return false };
            let aligned = carried.aligned.get_or_insert_with(|| Aligned::read(lists).into());
            let at = aligned.around(instance, items, source);
            carried.places().any(|of| is_of(of, &at))
        })
    }

    /// Drops the annotations of which something was taken, and those that belong to nothing in the source.
    pub(crate) fn finish(&mut self, source: Source<'_>, patch: &mut Patch, losses: &mut Losses) {
        for Carried { key, named, entries, left, adopted, .. } in std::mem::take(&mut self.carried)
        {
            let goes = left < entries.len() || !patch.stays(named);
            if left == 0 {
                patch.delete(Some(named));
            } else if goes || source.route.restores.contains_key(&*key) && !adopted {
                patch.delete(Some(named));
                for _ in 0..left {
                    losses.add(Loss::AnchorGone);
                }
            } else {
                // Perhaps the release that wrote it told the items apart in another way.
                losses.add(Loss::Ignored);
            }
        }
    }
}
