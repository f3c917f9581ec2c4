//! Finds the items of lists without map keys again after a client's edits. An item is found only if
//! there is no doubt: a value on the wrong item is worse than a lost one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::items::{Items, Row};
use super::source::Source;
use super::spans::{Instance, Via};
use crate::complement::{
    Entry, ListDigest, Locator, MAX_ITEMS, Short, entries_of, read_lists, short, within,
};

/// The lists of one annotation as they were, and which of their items are there now.
#[derive(Debug, Default)]
pub(crate) struct Aligned {
    /// By the items that each list is in.
    lists: HashMap<Vec<Locator>, Wanted>,
    /// The lists that were compared already.
    compared: HashSet<usize>,
    /// The former locators of items that have other locators now.
    renamed: HashMap<usize, Locator>,
    at: HashMap<usize, Rc<[Locator]>>,
}

/// A list, and the items in it that entries belong to.
#[derive(Debug)]
struct Wanted {
    digest: ListDigest,
    items: BTreeMap<usize, Locator>,
    /// Equal items with equal entries: it doesn't matter which of them is which.
    alike: HashSet<Short>,
}

/// How many items of a list may be new. If there are more, no edited item is found: each new item
/// would have to be compared with all others.
const MAX_NEW: usize = 32;

/// The entries of an item. Each comes with the items inside this one that it belongs to, and with
/// its body.
type Bundle<'e> = Vec<(&'e [Locator], &'e str)>;

impl Aligned {
    /// Reads what an annotation says about its lists.
    pub(crate) fn read(annotation: &str) -> Self {
        let entries = entries_of(annotation);
        let Some(lists) = entries.first().and_then(Entry::lists) else { return Self::default() };
        let bodies: Vec<String> = entries.iter().map(Entry::body).collect();
        let mut bundles: HashMap<&[Locator], HashMap<&Locator, Bundle<'_>>> = HashMap::new();
        for (entry, body) in entries.iter().zip(&bodies) {
            // Here the hash replaces the locators of several items. A release records no lists for
            // it, either.
            if matches!(entry.at.first(), Some(Locator::Folded(_))) {
                continue;
            }
            for (depth, locator) in entry.at.iter().enumerate() {
                if matches!(locator, Locator::Fingerprint { .. }) {
                    let items = bundles.entry(&entry.at[..depth]).or_default();
                    let holds = items.entry(locator).or_default();
                    holds.push((&entry.at[depth + 1..], body));
                }
            }
        }
        let lists = read_lists(lists).into_iter().filter_map(|(at, digest)| {
            let wanted = Wanted::new(digest, bundles.remove(&at[..])?);
            Some((at, wanted))
        });
        Self { lists: lists.collect(), ..Self::default() }
    }

    /// Returns the items that an instance is in, with the locators from before a client's edits.
    pub(crate) fn around(
        &mut self,
        instance: usize,
        items: &Items,
        source: Source<'_>,
    ) -> Rc<[Locator]> {
        let mut way = Vec::new();
        let mut inner = instance;
        while inner != 0 && !self.at.contains_key(&inner) {
            way.push(inner);
            inner = source.instance(inner).parent;
        }
        let mut at = self.at.get(&inner).cloned().unwrap_or_default();
        for inner in way.into_iter().rev() {
            let Instance { via, parent, .. } = *source.instance(inner);
            let locator = match via {
                Via::Field => None,
                Via::Entry(key) => Some(Locator::Key(key.decoded(source.text).into_owned())),
                Via::Item => {
                    if self.compared.insert(parent)
                        && let (Some(row), Some(wanted)) =
                            (items.row(parent), self.lists.get(&at[..]))
                    {
                        self.renamed.extend(wanted.found_in(row, source));
                    }
                    self.renamed.get(&inner).or_else(|| items.mark_of(inner)).cloned()
                }
            };
            if let Some(locator) = locator {
                at = within(&at, locator).into();
            }
            self.at.insert(inner, at.clone());
        }
        at
    }
}

/// Returns the places of the items with each short fingerprint.
fn places(fingerprints: impl Iterator<Item = Short>) -> HashMap<Short, Vec<usize>> {
    let mut places: HashMap<Short, Vec<usize>> = HashMap::new();
    for (place, fingerprint) in fingerprints.enumerate() {
        places.entry(fingerprint).or_default().push(place);
    }
    places
}

impl Wanted {
    fn new(digest: ListDigest, bundles: HashMap<&Locator, Bundle<'_>>) -> Self {
        let places = places(digest.items.iter().map(|item| item.fingerprint));
        let mut items: BTreeMap<usize, Option<(&Locator, Bundle<'_>)>> = BTreeMap::new();
        for (locator, bundle) in bundles {
            if let Some(place) = place_of(locator, &places) {
                // In what a release writes, no two locators lead to one item.
                let known = items.contains_key(&place);
                items.insert(place, (!known).then_some((locator, bundle)));
            }
        }
        let bundle = |place: &usize| items.get(place)?.as_ref().map(|(_, bundle)| bundle);
        let alike = places.iter().filter(|(_, places)| {
            let first = bundle(&places[0]);
            first.is_some() && places.iter().all(|place| bundle(place) == first)
        });
        let alike = alike.map(|(fingerprint, _)| *fingerprint).collect();
        let items = items.into_iter().filter_map(|(place, item)| Some((place, item?.0.clone())));
        Self { items: items.collect(), digest, alike }
    }

    /// Returns the items of a list whose locators aren't what they were, with their former
    /// locators.
    fn found_in(&self, row: &Row, source: Source<'_>) -> Vec<(usize, Locator)> {
        let fingerprints: Vec<Short> =
            row.items.iter().map(|item| short(item.fingerprint)).collect();
        let values = |place: usize| row.values(place, source);
        let pairs = self.pairs(&fingerprints, &values).into_iter().filter_map(|(new, old)| {
            Some((row.items[new].instance, self.items.get(&old)?.clone()))
        });
        pairs.collect()
    }

    /// Returns the places of items that were edited, or that are equal to another number of items
    /// than before. Each comes with its former place.
    fn pairs(&self, new: &[Short], values: &dyn Fn(usize) -> Vec<u32>) -> Vec<(usize, usize)> {
        if new.len() > MAX_ITEMS {
            return Vec::new();
        }
        let matched = Matched::new(&self.digest, new);
        let edited = self.edited(&matched, values);
        let mut pairs = edited.clone();
        for fingerprint in &self.alike {
            let (before, now) = (matched.before(*fingerprint), matched.now(*fingerprint));
            if now.len() < before.len() {
                let free =
                    before.iter().filter(|old| edited.iter().all(|(_, known)| known != *old));
                pairs.extend(now.iter().copied().zip(free.copied()));
            }
        }
        pairs
    }

    /// Returns the edited items. Each is the only one between its neighbors, as it was before.
    fn edited(
        &self,
        matched: &Matched<'_>,
        values: &dyn Fn(usize) -> Vec<u32>,
    ) -> Vec<(usize, usize)> {
        let missing = matched.to_new.iter().filter(|new| new.is_none()).count();
        let extra: Vec<usize> = (0..matched.new.len()).filter(|new| !matched.taken[*new]).collect();
        if extra.len() > MAX_NEW {
            return Vec::new();
        }
        let values: HashMap<usize, Vec<u32>> =
            extra.iter().map(|new| (*new, values(*new))).collect();
        let mut pairs = Vec::new();
        for old in self.items.keys().copied() {
            let Some(new) = matched.gap(old) else { continue };
            let item = &self.digest.items[old];
            let one_of = matched.before(item.fingerprint).len();
            let is_gone = matched.now(item.fingerprint).len() < one_of
                && (one_of == 1 || self.alike.contains(&item.fingerprint));
            if !is_gone || !matched.before(matched.new[new]).is_empty() {
                continue;
            }
            let is_edited = if missing == 1 && extra.len() == 1 {
                item.any_among(&values[&new])
            } else {
                // Another item may have taken its place. So the new item must still have at least
                // half of the values that told the old one from the others, and more of them than
                // any other new item.
                let own = item.own_among(&values[&new]);
                own > 0
                    && own * 2 >= item.own.len()
                    && values.iter().all(|(at, values)| *at == new || item.own_among(values) < own)
            };
            if is_edited {
                pairs.push((new, old));
            }
        }
        pairs
    }
}

/// Returns the place of the item that an entry's locator leads to.
fn place_of(locator: &Locator, places: &HashMap<Short, Vec<usize>>) -> Option<usize> {
    let Locator::Fingerprint { hash, nth, of } = locator else { return None };
    let fingerprint = u64::from_str_radix(hash, 16).ok()?;
    let equal = places.get(&short(fingerprint))?;
    (equal.len() == *of).then(|| equal.get(*nth).copied())?
}

/// The items that are still in a list as they were.
struct Matched<'n> {
    new: &'n [Short],
    places: [HashMap<Short, Vec<usize>>; 2],
    /// The place that each item has now.
    to_new: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'n> Matched<'n> {
    /// Pairs equal items in order if there are as many as before. At both ends of the list, equal
    /// items pair even if their number has changed.
    fn new(digest: &ListDigest, new: &'n [Short]) -> Self {
        let old: Vec<Short> = digest.items.iter().map(|item| item.fingerprint).collect();
        let places = [places(old.iter().copied()), places(new.iter().copied())];
        let (to_new, taken) = (vec![None; old.len()], vec![false; new.len()]);
        let mut matched = Self { new, places, to_new, taken };
        let same = |(old, new): &(&Short, &Short)| old == new;
        let head = old.iter().zip(new).take_while(same).count();
        let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
        let tail = (1..=tail).map(|place| (old.len() - place, new.len() - place));
        let ends: Vec<_> = (0..head).map(|place| (place, place)).chain(tail).collect();
        for (place, fingerprint) in old.iter().enumerate() {
            let (before, now) = (matched.before(*fingerprint), matched.now(*fingerprint));
            if before.len() == now.len() {
                let nth = before.partition_point(|before| *before < place);
                matched.pair(place, now[nth]);
            }
        }
        for (old, new) in ends {
            matched.pair(old, new);
        }
        matched
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.to_new[old] = Some(new);
        self.taken[new] = true;
    }

    fn before(&self, fingerprint: Short) -> &[usize] {
        self.places[0].get(&fingerprint).map_or(&[], Vec::as_slice)
    }

    fn now(&self, fingerprint: Short) -> &[usize] {
        self.places[1].get(&fingerprint).map_or(&[], Vec::as_slice)
    }

    /// Returns the place of the only item between the former neighbors of an item that is gone.
    fn gap(&self, old: usize) -> Option<usize> {
        let new = match old.checked_sub(1) {
            Some(before) => self.to_new[before]? + 1,
            None => 0,
        };
        let behind = match self.to_new.get(old + 1) {
            Some(behind) => (*behind)?,
            None => self.new.len(),
        };
        (self.to_new[old].is_none() && new + 1 == behind && !self.taken[new]).then_some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complement::hash;

    /// Returns the places of items in the new list with their places in the old one, for items that
    /// aren't equal to as many others as before. Items are words, and their letters are the values.
    /// Entries belong to all items of the old list. Those of words with a `!` are alike.
    fn pairs(old: &str, new: &str) -> Vec<(usize, usize)> {
        let fingerprint = |word: &str| hash(word.as_bytes());
        let values = |word: &str| {
            let mut values: Vec<u32> = word.chars().map(u32::from).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let [old, new] = [old, new].map(|list| list.split_whitespace().collect::<Vec<_>>());
        let items: Vec<_> = old.iter().map(|word| (fingerprint(word), values(word))).collect();
        let digest = ListDigest::new(&items, |_| true);
        let alike =
            old.iter().filter(|word| word.contains('!')).map(|word| short(fingerprint(word)));
        let wanted = Wanted {
            digest,
            items: (0..old.len()).map(|place| (place, Locator::Key(place.to_string()))).collect(),
            alike: alike.collect(),
        };
        let fingerprints: Vec<Short> = new.iter().map(|word| short(fingerprint(word))).collect();
        let mut pairs = wanted.pairs(&fingerprints, &|place| values(new[place]));
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn an_edited_item_is_the_only_one_between_its_neighbours() {
        for (old, new, pair) in [
            ("xyz", "xyw", (0, 0)),
            ("xyz b c", "xyw b c", (0, 0)),
            ("a xyz c", "a xyw c", (1, 1)),
            ("a b xyz", "a b xyw", (2, 2)),
            // Other items are inserted, deleted and moved elsewhere.
            ("a xyz c d e", "a xyw c e n", (1, 1)),
            ("a b c xyz d", "b c xyw d a", (2, 3)),
            // The item has something in common with others, too.
            ("xyz xyw", "xyz xya", (1, 1)),
            ("b b xyz b b", "b b xyw b b", (2, 2)),
        ] {
            assert_eq!(pairs(old, new), [pair], "{old}: {new}");
        }
        assert_eq!(pairs("abc x def y ghi", "abd x deg y ghj"), [(0, 0), (2, 2), (4, 4)]);
    }

    #[test]
    fn in_doubt_nothing_is_found() {
        for (old, new) in [
            // It has nothing in common with the new item: another one is in its place.
            ("a xyz c", "a b c"),
            // Others have the same values in common with it, and they may have been moved.
            ("a xyz c xvw d", "a xuq c d"),
            // Less than half is left of what tells it from the others.
            ("a xyzuv c d", "a xuq c"),
            // An item is inserted next to it, or it is doubled.
            ("a xyz c", "a xyw n c"),
            ("a xyz c", "a xyw xyz c"),
            ("a xyz c", "a xyw xyw c"),
            // Its neighbor is edited, too, or deleted, or inserted.
            ("a xyz uvw c", "a xyw uvz c"),
            ("a xyz uvw c", "a xyw c"),
            ("xyz b", "xyw xyv"),
            // It is moved, too, or its neighbors are.
            ("a xyz c d", "a c xyw d"),
            ("a xyz c d", "c xyw a d"),
            // Another item is in its place, unchanged or edited.
            ("a xyz c u d", "a u c d"),
            ("a xyz c uvw d", "a uvz c xyw d"),
            // Another item may be the edited one, too.
            ("a xyz c", "a xyw c xyw"),
            ("a xyz c", "a xyw c xyv"),
            // It is equal to another item now, or was.
            ("xyz xyw", "xyw xyw"),
            ("xyz b xyz", "xyw b xyz"),
            ("", "xyz"),
            ("xyz", ""),
        ] {
            assert_eq!(pairs(old, new), [], "{old}: {new}");
        }
    }

    /// Otherwise, each of them would have to be compared with all others.
    #[test]
    fn of_many_edited_items_none_is_found() {
        let list = |edited: usize, last: u32| {
            let letters =
                |at: u32| [0, 1, last].map(|n| char::from_u32(0x4e00 + 4 * at + n).unwrap());
            let words = (0..edited).map(|at| {
                let word: String = letters(u32::try_from(at).unwrap()).iter().collect();
                format!("k{at} {word}")
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let found = |edited| pairs(&list(edited, 2), &list(edited, 3)).len();
        assert_eq!((found(MAX_NEW), found(MAX_NEW + 1)), (MAX_NEW, 0));
    }

    #[test]
    fn of_items_that_are_alike_any_will_do() {
        assert_eq!(pairs("x! x! x!", "x! x!"), [(0, 0), (1, 1)]);
        assert_eq!(pairs("x! a x!", "n x! a"), [(1, 0)]);
        assert_eq!(pairs("x!z x!z x!z", "x!z x!w x!z"), [(0, 0), (1, 1), (2, 2)]);
        // It isn't known which of them is new.
        assert_eq!(pairs("x! x!", "x! x! x!"), []);
    }
}
