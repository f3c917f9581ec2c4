//! In which items of lists without keys the entries are that are for versions further away, where only the target of a hop
//! shows the items as they were when they got their names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::align::Aligned;
use super::foreign::{Foreign, is_key};
use super::items::{Edits, Items, Shown};
use super::steps::Work;
use super::walk::Via;
use crate::complement::Locator;
use crate::json::Edit;

/// What became of guesses in which items there is something that an entry belongs to.
#[derive(Debug)]
pub(crate) enum Guesses {
    Right,
    /// It is in these instances.
    Wrong(BTreeSet<usize>),
    /// It isn't in any item.
    Lost,
}

/// Items times annotations, above which only those items are found that are as they were.
const MAX_NAMES: usize = 1 << 20;

/// What annotations call the items that the target shows.
struct Names<'e> {
    items: Items,
    edits: &'e Edits<'e>,
    aligned: HashMap<usize, Aligned>,
    left: usize,
}

impl<'e> Names<'e> {
    fn new(edits: &'e Edits<'e>) -> Self {
        Self { items: Items::default(), edits, aligned: HashMap::new(), left: MAX_NAMES }
    }

    /// The items that an instance is in.
    fn of(&mut self, instance: usize, foreign: &Foreign, work: &Work<'_>) -> Rc<[Locator]> {
        let (found, route, text) = (&*work.found, work.route, work.text);
        let at = self.items.around(instance, found, route, text, Shown::Target(self.edits));
        if at.iter().all(is_key) || self.left == 0 {
            return at;
        }
        self.left -= 1;
        let aligned = self
            .aligned
            .entry(foreign.named)
            .or_insert_with(|| foreign.text.as_deref().map(Aligned::read).unwrap_or_default());
        aligned.around(instance, &self.items, (found, route, text))
    }
}

/// An item, or those that are equal to it: called as the first of them.
fn equal_to(at: &[Locator]) -> (Rc<[Locator]>, usize, usize) {
    let mut at = at.to_vec();
    match at.last_mut() {
        Some(Locator::Print { nth, of, .. }) => {
            let (place, of) = (std::mem::take(nth), *of);
            (at.into(), place, of)
        }
        _ => (at.into(), 0, 1),
    }
}

/// One of equal items.
fn nth_of(first: &[Locator], place: usize) -> Vec<Locator> {
    let mut at = first.to_vec();
    if let Some(Locator::Print { nth, .. }) = at.last_mut() {
        *nth = place;
    }
    at
}

/// Items that are equal.
struct Equal {
    of: usize,
    /// Those in which an object is made.
    made: BTreeSet<usize>,
    /// Those for which an entry keeps something in such an object.
    owners: BTreeSet<usize>,
}

/// What becomes of the entries of items.
#[derive(Default)]
struct Changes {
    /// Items that are called like another one now.
    renamed: HashMap<Vec<Locator>, Vec<Locator>>,
    /// What is gone, by the way to it.
    gone: HashMap<Vec<Locator>, Vec<String>>,
    depths: BTreeSet<usize>,
}

impl Changes {
    /// What items own in an object that is made is gone, unless it is what another one owns.
    fn add(&mut self, first: &[Locator], equal: &Equal, way: &str) {
        self.depths.insert(first.len());
        let Equal { of, made, owners } = equal;
        let others = (0..*of).filter(|nth| !made.contains(nth) && !owners.contains(nth));
        let mut others = others.map(|nth| nth_of(first, nth));
        for at in owners.intersection(made).map(|nth| nth_of(first, *nth)) {
            match others.next() {
                // Once is enough.
                _ if self.renamed.contains_key(&at) => {}
                Some(other) if !self.renamed.contains_key(&other) => {
                    self.renamed.insert(at.clone(), other.clone());
                    self.renamed.insert(other, at);
                }
                _ => self.gone.entry(at).or_default().push(way.to_owned()),
            }
        }
    }

    fn of(&self, foreign: &Foreign, at: &[Locator]) -> Option<Vec<Locator>> {
        let mut changed = at.to_vec();
        for items in self.depths.iter().filter_map(|depth| at.get(..*depth)) {
            let ways = self.gone.get(items).into_iter().flatten();
            if ways.into_iter().any(|way| foreign.is_in(way)) {
                return None;
            }
            if let (Some(name), Some(place)) = (self.renamed.get(items), items.len().checked_sub(1))
            {
                changed[place].clone_from(&name[place]);
            }
        }
        Some(changed)
    }
}

impl Work<'_> {
    /// Whether the target shows what was guessed: in which items there is something that an entry belongs to.
    pub(super) fn check_guesses(&mut self, edits: &[Edit]) -> Guesses {
        let guessed = std::mem::take(&mut self.relocated.guessed);
        if guessed.is_empty() {
            return Guesses::Right;
        }
        self.relocated.foreign = None;
        let foreign = self.foreign();
        let edits = Edits::new(edits, self.arena);
        let mut names = Names::new(&edits);
        let is_alive = |instance: &usize| !self.found.instances[*instance].dead;
        let told = || foreign.iter().filter(|foreign| foreign.is_told_by_target());
        let is_item = |instance: &usize| !matches!(self.found.instances[*instance].via, Via::Field);
        let items = (0..self.found.instances.len()).filter(is_alive).filter(is_item);
        let items: Vec<_> = items.map(|instance| (instance, self.found.way(instance))).collect();
        for foreign in told() {
            let inside = items.iter().filter(|(_, way)| foreign.is_in(way));
            let shown: HashSet<_> =
                inside.map(|(instance, _)| names.of(*instance, foreign, self)).collect();
            if !foreign.places().all(|of| of.iter().all(is_key) || shown.contains(of)) {
                return Guesses::Lost;
            }
        }

        let Some(known) = &self.anchored else { return Guesses::Right };
        let guessed = guessed.into_iter().filter(|instance| !known.contains(instance));
        let guessed: Vec<_> = guessed.filter(is_alive).map(|at| (at, self.found.way(at))).collect();
        let mut wrong = BTreeSet::new();
        for foreign in told() {
            let mut of: HashMap<usize, HashSet<&[Locator]>> = HashMap::new();
            for (instance, _) in guessed.iter().filter(|(_, way)| foreign.is_in(way)) {
                let at = names.of(*instance, foreign, self);
                let depth = at.len();
                let of = of
                    .entry(depth)
                    .or_insert_with(|| foreign.places().filter_map(|of| of.get(..depth)).collect());
                if of.contains(&at[..]) {
                    wrong.insert(*instance);
                }
            }
        }
        if wrong.is_empty() { Guesses::Right } else { Guesses::Wrong(wrong) }
    }

    /// Drops what belongs to something in objects that are made: a client took away the objects that it was kept for. If
    /// there is an item that is equal, and has the object still, it is that one's.
    pub(super) fn drop_made(&mut self, edits: &[Edit]) {
        if self.relocated.made.is_empty() {
            return;
        }
        self.relocated.foreign = None;
        let foreign = self.foreign();
        let told: Vec<&Foreign> =
            foreign.iter().filter(|foreign| foreign.is_told_by_target()).collect();
        if told.is_empty() {
            return;
        }
        let mut changes = Changes::default();
        for (way, mut items_in) in self.made_in_items(&told, edits) {
            let depths: BTreeSet<usize> = items_in.keys().map(|at| at.len()).collect();
            let inside = told.iter().filter(|foreign| foreign.is_in(&way));
            for at in inside.flat_map(|foreign| foreign.places()) {
                for items in depths.iter().filter_map(|depth| at.get(..*depth)) {
                    let (first, nth, _) = equal_to(items);
                    if let Some(equal) = items_in.get_mut(&first) {
                        equal.owners.insert(nth);
                    }
                }
            }
            for (first, equal) in items_in {
                changes.add(&first, &equal, &way);
            }
        }
        for foreign in told {
            self.change_entries(foreign, |at| changes.of(foreign, at));
        }
    }

    /// The objects that are made in items of lists without keys, by the way to them and by what entries call the items.
    fn made_in_items(
        &self,
        told: &[&Foreign],
        edits: &[Edit],
    ) -> BTreeMap<String, HashMap<Rc<[Locator]>, Equal>> {
        let edits = Edits::new(edits, self.arena);
        let mut names = Names::new(&edits);
        let mut made: BTreeMap<_, HashMap<_, Equal>> = BTreeMap::new();
        let mut places: Vec<_> = self.relocated.made.keys().copied().collect();
        places.sort_unstable();
        for (instance, field) in places {
            let mut way = self.found.path(self.found.instances[instance].place, false);
            way.push(field);
            let way = way.join(".");
            for foreign in told.iter().filter(|foreign| foreign.is_in(&way)) {
                let at = names.of(instance, foreign, self);
                if at.iter().all(is_key) {
                    continue;
                }
                let (first, nth, of) = equal_to(&at);
                let items_in = made.entry(way.clone()).or_default();
                let new = Equal { of, made: BTreeSet::new(), owners: BTreeSet::new() };
                items_in.entry(first).or_insert(new).made.insert(nth);
            }
        }
        made
    }
}
