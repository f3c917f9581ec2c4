//! Entries for the target version, and the values that they belong to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Entered;
use std::rc::Rc;

use smallvec::SmallVec;

use super::annotations::Keys;
use super::patch::Patch;
use super::ways::Ways;
use crate::complement::{Entry, Locator, Unrestored, UnrestoredReason};
use crate::engine::document::{Aligned, Items, Source, View};
use crate::json::fits;

/// How deep the objects in a review are: in an array, in an object, in the review.
const REVIEW_DEPTH: usize = 3;

/// The entries that this hop may restore. Each can be taken once.
#[derive(Debug, Default)]
pub(crate) struct Inbox<'a> {
    /// By the names of the annotations.
    named: BTreeMap<Cow<'a, str>, usize>,
    carried: Vec<Carried>,
    /// The annotations whose rules the route knows, by the paths of what their entries belong to,
    /// once they were needed.
    known: Option<(Ways, Vec<usize>)>,
}

/// An annotation with entries for the target version.
#[derive(Debug)]
pub(crate) struct Carried {
    named: usize,
    /// Sorted by the items that they belong to.
    entries: Vec<Entry>,
    /// Which entries were taken.
    taken: SmallVec<[bool; 8]>,
    /// How many entries weren't taken. For `folded` of these, only a hash says which items they
    /// belong to.
    left: usize,
    folded: usize,
    /// Whether another release wrote it for another peer, or for another home.
    adopted: bool,
    /// The annotation's text, if it records the lists around its entries.
    lists: Option<Rc<str>>,
    /// Made once an item isn't what it was when its entry was written.
    aligned: Option<Box<Aligned>>,
}

impl Carried {
    pub(crate) fn new(
        named: usize,
        mut entries: Vec<Entry>,
        adopted: bool,
        unrestored: &mut Unrestored,
    ) -> Self {
        let first = entries.first().filter(|entry| entry.lists().is_some());
        let lists = first.map(|entry| entry.annotation().clone());
        // No release writes two entries for the same items, so it doesn't matter which one counts.
        entries.sort_unstable_by(|one, other| one.at.cmp(&other.at));
        entries.dedup_by(|later, first| {
            let same = later.at == first.at;
            if same {
                unrestored.add(UnrestoredReason::Malformed);
            }
            same
        });
        let left = entries.len();
        let folded = entries.iter().filter(|entry| is_folded(&entry.at)).count();
        let taken = SmallVec::from_elem(false, left);
        Self { named, entries, taken, left, folded, adopted, lists, aligned: None }
    }

    /// Returns the index of the entry that belongs to these items, if it wasn't taken yet.
    fn find(&self, at: &[Locator]) -> Option<usize> {
        let place = self.entries.binary_search_by(|entry| entry.at[..].cmp(at)).ok()?;
        (!self.taken[place]).then_some(place)
    }

    fn take(&mut self, place: usize) -> Entry {
        self.taken[place] = true;
        self.left -= 1;
        self.folded -= usize::from(is_folded(&self.entries[place].at));
        self.entries[place].take()
    }

    /// Whether an unclaimed entry belongs to something inside these items. The entries of different
    /// items are in different places. So all calls together look at each entry once for each list
    /// around it.
    fn has_inside(&self, at: &[Locator]) -> bool {
        let first = self.entries.partition_point(|entry| &entry.at[..] < at);
        let inside = self.entries[first..].iter().zip(&self.taken[first..]);
        let mut inside = inside.take_while(|(entry, _)| entry.at.starts_with(at));
        inside.any(|(_, taken)| !taken)
    }

    /// Whether an unclaimed entry belongs to a descendant of an instance.
    fn awaits(
        &mut self,
        at: &[Locator],
        instance: usize,
        items: &Items,
        source: Source<'_>,
    ) -> bool {
        if self.left == 0 {
            return false;
        }
        if self.folded > 0 || self.has_inside(at) {
            return true;
        }
        let Some(lists) = self.lists.as_deref() else { return false };
        let aligned = self.aligned.get_or_insert_with(|| Aligned::read(lists).into());
        let at = aligned.around(instance, items, source);
        self.has_inside(&at)
    }
}

/// Whether only a hash says which items something belongs to.
fn is_folded(at: &[Locator]) -> bool {
    matches!(at.first(), Some(Locator::Folded(_)))
}

impl<'a> Inbox<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.carried.is_empty()
    }

    /// Adds an annotation. If another one had the same name, that one has no effect any more, and
    /// its member is returned.
    pub(crate) fn add(&mut self, key: Cow<'a, str>, carried: Carried) -> Option<usize> {
        match self.named.entry(key) {
            Entered::Occupied(known) => {
                Some(std::mem::replace(&mut self.carried[*known.get()], carried).named)
            }
            Entered::Vacant(new) => {
                new.insert(self.carried.len());
                self.carried.push(carried);
                None
            }
        }
    }

    /// Takes the entry of a field at any depth in an instance, or of the instance itself, if it's
    /// wanted.
    ///
    /// # Errors
    ///
    /// If no release writes such an entry. It is taken all the same.
    pub(crate) fn take(
        &mut self,
        source: Source<'_>,
        (items, keys): (&mut Items, &mut Keys),
        (instance, fields): (usize, &[&'static str]),
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> Option<Result<Entry, UnrestoredReason>> {
        if self.carried.is_empty() {
            return None;
        }
        let key = keys.of(source, true, instance, fields);
        let carried = &mut self.carried[*self.named.get(&*key)?];
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
        let entry = carried.take(place);
        // An instance's own entry restores the instance itself, not something inside it.
        let depth = REVIEW_DEPTH + source.instance(instance).depth + fields.len() - 1;
        let is_shallow = entry.keep().all(|(_, value)| fits(value, depth));
        Some(if is_shallow { Ok(entry) } else { Err(UnrestoredReason::Malformed) })
    }

    /// Whether unclaimed entries belong to a descendant of an instance.
    pub(crate) fn awaits(
        &mut self,
        source: Source<'_>,
        items: &mut Items,
        instance: usize,
    ) -> bool {
        if self.carried.is_empty() {
            return false;
        }
        let (ways, known) = self.known.get_or_insert_with(|| known(&self.named, source));
        let place = ways.of_place(source.document, source.instance(instance).place);
        let Some(below) = place.map(|place| ways.below(place)) else { return false };
        let at = items.around(instance, source, View::Source);
        let mut inside = below.iter().map(|number| known[*number]);
        inside.any(|carried| self.carried[carried].awaits(&at, instance, items, source))
    }

    /// Drops the annotations from which something was taken, and those that belong to nothing in
    /// the source.
    pub(crate) fn finish(
        &self,
        source: Source<'_>,
        patch: &mut Patch,
        unrestored: &mut Unrestored,
    ) {
        for (key, at) in &self.named {
            let Carried { named, ref entries, left, adopted, .. } = self.carried[*at];
            let goes = left < entries.len() || !patch.stays(named);
            if left == 0 {
                patch.delete(Some(named));
            } else if goes || source.route.restores.contains_key(&**key) && !adopted {
                patch.delete(Some(named));
                for _ in 0..left {
                    unrestored.add(UnrestoredReason::AnchorGone);
                }
            } else {
                // The release that wrote it may have told the items apart in another way.
                unrestored.add(UnrestoredReason::Ignored);
            }
        }
    }
}

/// Returns the annotations whose rules the route knows, by the paths of what their entries belong
/// to.
fn known(named: &BTreeMap<Cow<'_, str>, usize>, source: Source<'_>) -> (Ways, Vec<usize>) {
    let known =
        named.iter().filter_map(|(key, at)| Some((source.route.restores.get(&**key)?.way(), *at)));
    let (ways, known): (Vec<_>, Vec<_>) = known.unzip();
    (Ways::new(ways.into_iter()), known)
}
