//! Tells the items of lists and maps apart, and finds those that a value is in. Each value is
//! looked at once, however many lists are around it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::source::Source;
use super::spans::Via;
use crate::complement::{ListDigest, Locator, MAX_ITEMS, note_fingerprints, values_in, within};
use crate::engine::program::Node;
use crate::json::{Edit, Fidelity, Scanner, canonical, splice};

/// The items in one object, as its source or its target shows them.
#[derive(Debug)]
pub(crate) struct Items {
    marks: HashMap<usize, Locator>,
    /// The outermost lists whose items were told apart.
    marked: HashSet<usize>,
    at: HashMap<usize, Rc<[Locator]>>,
    /// No locators, for values outside of any list or map.
    nowhere: Rc<[Locator]>,
    /// The lists whose items aren't told apart by keys.
    rows: HashMap<usize, Row>,
}

/// The items of a list that has no keys.
#[derive(Debug)]
pub(crate) struct Row {
    target: bool,
    /// The text that shows the list.
    seen: Rc<String>,
    pub(crate) items: Vec<Item>,
    /// The items' fingerprints and values, once they were needed.
    values: Vec<(u64, Vec<u32>)>,
}

/// The text that shows the items.
#[derive(Clone, Copy)]
pub(crate) enum View<'e> {
    Source,
    /// The source with these edits.
    Target(&'e Edits<'e>),
}

/// Edits in the order of the text.
pub(crate) struct Edits<'e> {
    all: &'e [Edit],
    arena: &'e str,
    /// How many bytes the edits before each one add and remove, once this was needed.
    sizes: OnceCell<Vec<(usize, usize)>>,
}

impl<'e> Edits<'e> {
    pub(crate) fn new(edits: &'e [Edit], arena: &'e str) -> Self {
        Self { all: edits, arena, sizes: OnceCell::new() }
    }

    fn sizes(&self) -> &[(usize, usize)] {
        self.sizes.get_or_init(|| {
            let (mut added, mut taken) = (0, 0);
            let mut sizes = Vec::with_capacity(self.all.len() + 1);
            sizes.push((0, 0));
            for edit in self.all {
                added += edit.text.len();
                taken += edit.span.len();
                sizes.push((added, taken));
            }
            sizes
        })
    }

    fn before(&self, at: usize) -> usize {
        self.all.partition_point(|edit| edit.span.start < at)
    }

    fn render(&self, text: &str, span: Range<usize>) -> String {
        let edits = &self.all[self.before(span.start)..self.before(span.end)];
        let mut out = String::new();
        splice(text, span, edits, self.arena, &mut out);
        out
    }

    /// Converts a position in the source to the position in the text that `render` returns for a
    /// span around it.
    fn moved(&self, at: usize, span: &Range<usize>) -> usize {
        let (added, taken) = self.sizes()[self.before(at)];
        let (added_before, taken_before) = self.sizes()[self.before(span.start)];
        (at - span.start + added - added_before).saturating_sub(taken - taken_before)
    }
}

impl Items {
    /// `nowhere` is an empty list of locators, as in the entries of most objects.
    pub(crate) fn new(nowhere: &Rc<[Locator]>) -> Self {
        Self {
            marks: HashMap::new(),
            marked: HashSet::new(),
            at: HashMap::new(),
            nowhere: Rc::clone(nowhere),
            rows: HashMap::new(),
        }
    }

    /// Returns the items of lists and maps that an instance is in, outermost first.
    pub(crate) fn around(
        &mut self,
        instance: usize,
        source: Source<'_>,
        view: View<'_>,
    ) -> Rc<[Locator]> {
        if !source.instance(instance).in_collection {
            return self.nowhere.clone();
        }
        let mut way = Vec::new();
        let mut list = None;
        let mut inner = instance;
        while inner != 0 && !self.at.contains_key(&inner) {
            way.push(inner);
            let value = source.instance(inner);
            if matches!(value.via, Via::Item) {
                list = Some((value.parent, inner));
            }
            inner = value.parent;
        }
        let mut at = self.at.get(&inner).cloned().unwrap_or_else(|| self.nowhere.clone());
        // If another list is around this one, the items of both were told apart together.
        if let Some((list, item)) = list
            && !self.marks.contains_key(&item)
            && self.marked.insert(list)
        {
            self.mark(list, source, view);
        }
        for inner in way.into_iter().rev() {
            let locator = match source.instance(inner).via {
                Via::Field => None,
                Via::Entry(key) => Some(Locator::Key(key.decoded(source.text).into_owned())),
                Via::Item => self.marks.get(&inner).cloned(),
            };
            if let Some(locator) = locator {
                at = within(&at, locator).into();
            }
            self.at.insert(inner, at.clone());
        }
        at
    }

    /// Returns the locator that tells an item apart.
    pub(crate) fn mark_of(&self, item: usize) -> Option<&Locator> {
        self.marks.get(&item)
    }

    /// Returns the items of a list that has no keys.
    pub(crate) fn row(&self, list: usize) -> Option<&Row> {
        self.rows.get(&list)
    }

    /// Returns the lists without keys on the paths to instances. Each comes with the items that it
    /// is in, and with a digest of its items that may have to be found again.
    pub(crate) fn digest(
        &mut self,
        instances: impl Iterator<Item = usize>,
        source: Source<'_>,
    ) -> Vec<(Rc<[Locator]>, ListDigest)> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let mut wanted: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
        let mut walked = HashSet::new();
        for instance in instances {
            // If a hash replaces the locators, it isn't known which lists the items are in.
            let at = self.at.get(&instance).and_then(|at| at.first());
            if matches!(at, None | Some(Locator::Folded(_))) {
                continue;
            }
            let mut inner = instance;
            while inner != 0 && walked.insert(inner) {
                let parent = source.instance(inner).parent;
                if self.rows.contains_key(&parent) {
                    wanted.entry(parent).or_default().insert(inner);
                }
                inner = parent;
            }
        }
        let digest = wanted.into_iter().filter_map(|(list, items)| {
            let row = self.rows.get_mut(&list).filter(|row| row.items.len() <= MAX_ITEMS)?;
            if row.values.is_empty() {
                let values =
                    |place: usize| (row.items[place].fingerprint, row.values(place, source));
                row.values = (0..row.items.len()).map(values).collect();
            }
            let is_wanted = |place: usize| items.contains(&row.items[place].instance);
            let at = self.at.get(&list).cloned().unwrap_or_default();
            Some((at, ListDigest::new(&row.values, is_wanted)))
        });
        digest.collect()
    }

    /// Tells apart the items of a list, and those of all lists inside it.
    fn mark(&mut self, list: usize, source: Source<'_>, view: View<'_>) {
        let span = source.instance(list).span();
        let (seen, target) = match view {
            View::Source => (source.text[span.clone()].to_owned(), false),
            View::Target(edits) => (edits.render(source.text, span.clone()), true),
        };
        let seen = Rc::new(seen);
        let mut fingerprints = HashMap::new();
        // The text was read before, so it is valid JSON.
        let guide = &source.route.guides[usize::from(target)];
        let shape = guide.at(source.instance(list).node);
        let _ = note_fingerprints(&seen, guide, shape, &mut |start, fingerprint| {
            fingerprints.insert(start, fingerprint);
        });
        let inside = source.document.instances.iter().enumerate().skip(list + 1);
        let inside = inside.take_while(|(_, inner)| inner.start < span.end);
        let mut lists: HashMap<usize, Vec<Item>> = HashMap::new();
        for (item, inner) in inside.filter(|(_, inner)| matches!(inner.via, Via::Item)) {
            let start = inner.span().start;
            let start = match view {
                View::Source => start - span.start,
                View::Target(edits) => edits.moved(start, &span),
            };
            if let Some(fingerprint) = fingerprints.get(&start) {
                let item = Item { instance: item, start, fingerprint: *fingerprint };
                lists.entry(inner.parent).or_default().push(item);
            }
        }
        for (list, items) in lists {
            let keys = match source.node(list) {
                Node::List { keys, .. } if target => keys.target,
                Node::List { keys, .. } => keys.source,
                _ => &[],
            };
            let filled = guide.filled(source.instance(list).node, keys);
            if let Some(marks) = by_keys(&seen, &items, keys, &filled) {
                self.marks.extend(marks);
            } else {
                self.marks.extend(by_fingerprints(&items));
                let values = Vec::new();
                self.rows.insert(list, Row { target, seen: seen.clone(), items, values });
            }
        }
    }
}

impl Row {
    /// Returns the values in an item.
    pub(crate) fn values(&self, place: usize, source: Source<'_>) -> Vec<u32> {
        let Item { instance, start, .. } = self.items[place];
        let guide = &source.route.guides[usize::from(self.target)];
        values_in(&self.seen[start..], guide, guide.at(source.instance(instance).node))
    }
}

/// An item of a list.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) instance: usize,
    /// Its position in the text that shows it.
    start: usize,
    pub(crate) fingerprint: u64,
}

/// Tells items apart by their keys, if the list has keys, and these are complete and unique.
fn by_keys(
    text: &str,
    items: &[Item],
    keys: &[&str],
    filled: &[Option<&str>],
) -> Option<impl Iterator<Item = (usize, Locator)>> {
    let by_key: HashMap<String, usize> = items
        .iter()
        .map(|item| Some((key_values(&text[item.start..], keys, filled)?, item.instance)))
        .collect::<Option<_>>()?;
    (by_key.len() == items.len())
        .then(|| by_key.into_iter().map(|(values, item)| (item, Locator::Keys(values))))
}

/// Tells items apart by everything that they contain.
fn by_fingerprints(items: &[Item]) -> Vec<(usize, Locator)> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let nth: Vec<usize> = items
        .iter()
        .map(|item| {
            let count = counts.entry(item.fingerprint).or_default();
            *count += 1;
            *count - 1
        })
        .collect();
    let mark = |(item, nth): (&Item, usize)| {
        let hash = format!("{:016x}", item.fingerprint);
        (item.instance, Locator::Fingerprint { hash, nth, of: counts[&item.fingerprint] })
    };
    items.iter().zip(nth).map(mark).collect()
}

/// The key values of an item are rarely longer.
const MAX_USUAL_KEYS: usize = 32;

/// Returns the values of the key fields of the item that a text starts with, as a JSON array in
/// canonical form. Returns `None` if the list has no keys, or if a key is missing that the API
/// server doesn't fill in.
fn key_values(item: &str, keys: &[&str], filled: &[Option<&str>]) -> Option<String> {
    if keys.is_empty() {
        return None;
    }
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
    let mut out = String::with_capacity(MAX_USUAL_KEYS);
    out.push('[');
    for (index, (value, filled)) in values.into_iter().zip(filled).enumerate() {
        if index > 0 {
            out.push(',');
        }
        // A key is never nullable.
        let value = value.filter(|value| *value != "null").or(*filled);
        canonical(value?, Fidelity::AsServed, &mut out)?;
    }
    out.push(']');
    Some(out)
}
