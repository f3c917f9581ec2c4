//! What is kept for versions that aren't of this hop: which objects it needs, and what goes with them.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::align::{Aligned, body};
use super::defaults::says_unset;
use super::items::{Edits, Items, Shown};
use super::lineage;
use super::steps::Work;
use super::walk::{Fate, Named};
use crate::complement::{Entry, Locator, Loss, Parsed, write_entries};
use crate::json::{Edit, quote};

/// New objects times annotations, above which only those items are found that are as they were.
const MAX_ALIGNED: usize = 1 << 20;

/// An annotation for a version that isn't of this hop.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) named: usize,
    /// The way to what it belongs to.
    way: String,
    /// Whether these are the entries of it that say of a field that it was null.
    null: bool,
    /// Whether the target is the version that they were written for.
    peer_is_target: bool,
    /// The text of the annotation, if it is of a format that this release knows.
    text: Option<Rc<str>>,
    /// Which items they belong to, if they are of a format that this release knows.
    entries: Option<Vec<Vec<Locator>>>,
}

impl Foreign {
    /// Whether it belongs to something in the object that a way leads to.
    pub(super) fn is_in(&self, way: &str) -> bool {
        self.way.strip_prefix(way).is_some_and(|rest| rest.starts_with('.'))
    }

    /// The items that something of it belongs to.
    pub(super) fn places(&self) -> impl Iterator<Item = &[Locator]> {
        self.entries.iter().flatten().map(|of| &of[..])
    }

    /// Whether something of it belongs to these items; of what is of an unknown format nobody knows.
    fn is_of(&self, items: &[Locator]) -> bool {
        self.entries.as_ref().is_none_or(|entries| entries.iter().any(|of| of.starts_with(items)))
    }
}

pub(super) fn is_key(at: &Locator) -> bool {
    matches!(at, Locator::Key(_) | Locator::Keys(_))
}

impl Work<'_> {
    /// The annotations that keep something for versions that aren't of this hop: a later hop needs the objects around
    /// their fields. Read once: they may be long.
    pub(super) fn foreign(&mut self) -> Rc<[Foreign]> {
        if let Some(known) = &self.relocated.foreign {
            return Rc::clone(known);
        }
        let foreign = self.foreign_entries();
        self.relocated.foreign = Some(Rc::clone(&foreign));
        foreign
    }

    fn foreign_entries(&self) -> Rc<[Foreign]> {
        let named = self.found.named.iter().enumerate();
        named.filter_map(|(at, named)| self.foreign_of(at, named)).flatten().collect()
    }

    fn foreign_of(&self, at: usize, named: &Named) -> Option<Vec<Foreign>> {
        if named.member.is_some() || !named.stays() || self.found.instances[named.instance].dead {
            return None;
        }
        let key = named.key.decoded(self.text);
        let (home, field) = key.get(self.route.prefix.len()..)?.split_once('.')?;
        if home == self.route.from || home == self.route.to {
            return None;
        }
        let foreign = |null, peer_is_target, text, entries| {
            let way = self.way_of(home, field, &key, null);
            Foreign { named: at, way, null, peer_is_target, text, entries }
        };
        let Parsed::Entries(peer, entries) = self.parsed(at)? else {
            return Some(vec![foreign(false, false, None, None)]);
        };
        let to = *peer == *self.route.to;
        let text = entries.first().map(|entry| Rc::clone(entry.annotation()));
        // That there was nothing needs no object.
        let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
        let (nulls, values): (Vec<_>, Vec<_>) = keeps.partition(|entry| says_null(entry));
        let of = [(false, values), (true, nulls)].into_iter().filter(|(_, of)| !of.is_empty());
        let places = |of: Vec<&Entry>| of.into_iter().map(|entry| entry.at.clone()).collect();
        Some(of.map(|(null, of)| foreign(null, to, text.clone(), Some(places(of)))).collect())
    }

    /// Whether any of them belongs to something in an instance. What is kept for items of lists without keys, that only
    /// another version tells apart, keeps no object here: it is there again, by the same rules, where it is looked for.
    pub(super) fn anchors(&mut self, instance: usize) -> bool {
        let foreign = self.foreign();
        let way = self.found.way(instance);
        let mut inside = foreign.iter().filter(|foreign| foreign.is_in(&way)).peekable();
        if inside.peek().is_none() {
            return false;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        inside.any(|foreign| foreign.is_of(&at))
    }

    /// Whether one of them belongs to something in a field of an instance, beyond doubt.
    pub(super) fn is_anchored(&mut self, instance: usize, field: &str) -> bool {
        let Some((way, at)) = self.inside(instance, field) else { return false };
        let is_of = |foreign: &Foreign| {
            foreign.is_in(&way) && foreign.places().any(|of| of.starts_with(&at))
        };
        self.foreign().iter().any(is_of)
    }

    /// Drops what belongs to something in an object that is new: a client took away the object that it was kept for.
    /// `edits` are those of everything outside `metadata`, which tell how the target shows the items.
    pub(super) fn drop_in_new(&mut self, edits: &[Edit]) {
        if self.relocated.new.is_empty() || self.route.versions.len() < 3 {
            return;
        }
        self.relocated.foreign = None;
        let foreign = self.foreign();
        if foreign.is_empty() {
            return;
        }
        let (edits, mut items) = (Edits::new(edits, self.arena), Items::default());
        let mut new: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (instance, field) in &self.relocated.new {
            let mut way = self.found.path(self.found.instances[*instance].place, false);
            way.push(field);
            let shown = Shown::Target(&edits);
            let at = items.around(*instance, self.found, self.route, self.text, shown);
            new.entry(way.join(".")).or_default().push((*instance, at));
        }
        let mut left = MAX_ALIGNED;
        for foreign in foreign.iter().filter(|foreign| foreign.entries.is_some()) {
            let mut gone = HashSet::new();
            let mut aligned = None;
            for (_, new) in new.iter().filter(|(way, _)| foreign.is_in(way)) {
                for (instance, at) in new {
                    if foreign.peer_is_target && !at.iter().all(is_key) && left > 0 {
                        left -= 1;
                        let object = (&*self.found, self.route, self.text);
                        let read =
                            || foreign.text.as_deref().map(Aligned::read).unwrap_or_default();
                        let aligned = aligned.get_or_insert_with(read);
                        gone.insert(aligned.around(*instance, &items, object));
                    } else if foreign.peer_is_target || at.iter().all(is_key) {
                        gone.insert(Rc::clone(at));
                    }
                }
            }
            if !gone.is_empty() {
                self.drop_entries(foreign, |of| {
                    (0..=of.len()).any(|depth| gone.contains(&of[..depth]))
                });
            }
        }
    }

    /// The way to what is in a field of an instance, and the items around it; `None` if nobody knows what is kept for
    /// which of them, or if there is nothing.
    fn inside(&mut self, instance: usize, field: &str) -> Option<(String, Rc<[Locator]>)> {
        if self.route.versions.len() < 3 || self.foreign().is_empty() {
            return None;
        }
        let mut way = self.found.path(self.found.instances[instance].place, false);
        way.extend(field.split('.'));
        let way = way.join(".");
        if !self.foreign().iter().any(|foreign| foreign.is_in(&way)) {
            return None;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        at.iter().all(is_key).then_some((way, at))
    }

    /// Drops those entries of an annotation that belong to some items.
    fn drop_entries(&mut self, of: &Foreign, gone: impl Fn(&[Locator]) -> bool) {
        let named = of.named;
        if !of.places().any(&gone) {
            return;
        }
        let Some(Parsed::Entries(peer, mut changed)) = self.parsed(named) else { return };
        self.relocated.foreign = None;
        changed.retain(|entry| {
            let goes = says_null(entry) == of.null && gone(&entry.at);
            if goes {
                self.losses.add(Loss::AnchorGone);
            }
            !goes
        });
        let Some(first) = changed.first() else { return self.delete(Some(named)) };
        let lists = first.lists().map(|lists| format!(",\"lists\":{lists}")).unwrap_or_default();
        let bodies: Vec<String> = changed.iter().map(body).collect();
        let entries = changed.iter().zip(&bodies).map(|(entry, body)| (&entry.at[..], &body[..]));
        let mut text = String::new();
        write_entries(&peer, &lists, entries, &mut text);
        let start = self.arena.len();
        quote(&text, self.arena);
        self.found.named[named].fate = Fate::Set(start..self.arena.len());
    }

    /// Where what an annotation for a field of a version further away belongs to is in the source: the hop that reads it
    /// knows more than the field's name.
    fn way_of(&self, home: &str, field: &str, key: &str, null: bool) -> String {
        let (Some(home), Some(from)) = (self.version(home), self.version(self.route.from)) else {
            return field.to_owned();
        };
        let (peer, hop) = if from < home { (home - 1, 0) } else { (home + 1, 1) };
        let restores = self.route.homes[home][hop].as_ref();
        let (start, way) = match restores.and_then(|restores| restores.get(key)) {
            Some(around) if null => (peer, around.way_of_field()),
            Some(around) => (peer, around.way()),
            None => (home, field),
        };
        lineage::way(self.route.versions, start, from, way)
    }
}

/// Whether an entry says that a field was null where a version between doesn't take that.
fn says_null(entry: &Entry) -> bool {
    let mut keep = entry.keep().peekable();
    says_unset(entry) && keep.peek().is_some() && keep.all(|(_, value)| value == "null")
}
