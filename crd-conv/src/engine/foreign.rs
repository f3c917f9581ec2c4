//! What is kept for versions that aren't of this hop: which objects it needs, and what goes with them.

use std::rc::Rc;

use super::align::body;
use super::defaults::says_unset;
use super::items::{Items, Shown};
use super::lineage;
use super::steps::Work;
use super::walk::{Fate, Instance, Named, Via};
use crate::complement::{Entry, Locator, Loss, Parsed, write_entries};
use crate::json::quote;

/// An annotation for a version that isn't of this hop.
#[derive(Debug)]
pub(super) struct Foreign {
    named: usize,
    /// The way to what it belongs to.
    way: String,
    /// Whether these are the entries of it that say of a field that it was null.
    null: bool,
    /// Whether the source shows the items as they were when they got their names.
    told: bool,
    /// Which items they belong to, if they are of a format that this release knows.
    entries: Option<Vec<Vec<Locator>>>,
}

impl Foreign {
    /// Whether it belongs to something in the object that a way leads to.
    pub(super) fn is_in(&self, way: &str) -> bool {
        self.way.strip_prefix(way).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether something of it may belong to these items, of some lists and maps.
    fn is_of(&self, around: &[Locator], lists: &[usize], items: &Items) -> bool {
        let may_be = |of: &[Locator]| {
            of.iter().zip(around).enumerate().all(|(depth, (of, item))| match (of, item) {
                (Locator::Key(_), Locator::Key(_)) | (Locator::Keys(_), Locator::Keys(_)) => {
                    of == item
                }
                // Nobody knows which of them has this name, if none has.
                _ => {
                    let list =
                        lists.get(depth).filter(|_| self.told && lists.len() == around.len());
                    of == item || !list.is_some_and(|list| items.has(*list, of))
                }
            })
        };
        self.entries.as_ref().is_none_or(|entries| entries.iter().any(|of| may_be(of)))
    }
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
        let foreign = |null, told, entries| {
            let way = self.way_of(home, field, &key, null);
            Foreign { named: at, way, null, told, entries }
        };
        let Parsed::Entries(peer, entries) = self.parsed(at)? else {
            return Some(vec![foreign(false, false, None)]);
        };
        let told = peer == self.route.from;
        // That there was nothing needs no object.
        let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
        let (nulls, values): (Vec<_>, Vec<_>) = keeps.partition(|entry| says_null(entry));
        let of = [(false, values), (true, nulls)].into_iter().filter(|(_, of)| !of.is_empty());
        let places = |of: Vec<&Entry>| of.into_iter().map(|entry| entry.at.clone()).collect();
        Some(of.map(|(null, of)| foreign(null, told, Some(places(of)))).collect())
    }

    /// Whether any of them may belong to something in an instance.
    pub(super) fn anchors(&mut self, instance: usize) -> bool {
        let foreign = self.foreign();
        let way = self.found.path(self.found.instances[instance].place, false).join(".");
        if !foreign.iter().any(|foreign| foreign.is_in(&way)) {
            return false;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        let mut lists = Vec::new();
        let mut inner = instance;
        while inner != 0 {
            let Instance { via, parent, .. } = self.found.instances[inner];
            if !matches!(via, Via::Field) {
                lists.push(parent);
            }
            inner = parent;
        }
        lists.reverse();
        let is_of = |foreign: &Foreign| foreign.is_of(&at, &lists, &self.items);
        foreign.iter().any(|foreign| foreign.is_in(&way) && is_of(foreign))
    }

    /// Whether one of them belongs to something in a field of an instance, beyond doubt.
    pub(super) fn is_anchored(&mut self, instance: usize, field: &str) -> bool {
        let Some((way, at)) = self.inside(instance, field) else { return false };
        let is_of = |foreign: &Foreign| {
            let entries = foreign.entries.iter().flatten();
            foreign.is_in(&way) && entries.into_iter().any(|of| of.starts_with(&at))
        };
        self.foreign().iter().any(is_of)
    }

    /// Drops what belongs to something in a field of an instance: the object there isn't the one that it was kept for.
    pub(super) fn drop_foreign(&mut self, instance: usize, field: &str) {
        let Some((way, at)) = self.inside(instance, field) else { return };
        for foreign in self.foreign().iter().filter(|foreign| foreign.is_in(&way)) {
            // What is of an unknown format may mean anything.
            if foreign.entries.is_some() {
                self.drop_entries(foreign, &at);
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
        let by_keys = |at: &Locator| matches!(at, Locator::Key(_) | Locator::Keys(_));
        at.iter().all(by_keys).then_some((way, at))
    }

    /// Drops the entries of an annotation that belong to these items, or to something in them.
    fn drop_entries(&mut self, of: &Foreign, items: &[Locator]) {
        let named = of.named;
        let Some(Parsed::Entries(peer, entries)) = self.parsed(named) else { return };
        let (gone, rest): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| entry.at.starts_with(items) && says_null(entry) == of.null);
        if gone.is_empty() {
            return;
        }
        self.relocated.foreign = None;
        for _ in gone {
            self.losses.add(Loss::AnchorGone);
        }
        let Some(first) = rest.first() else { return self.delete(Some(named)) };
        let lists = first.lists().map(|lists| format!(",\"lists\":{lists}")).unwrap_or_default();
        let bodies: Vec<String> = rest.iter().map(body).collect();
        let entries = rest.iter().zip(&bodies).map(|(entry, body)| (&entry.at[..], &body[..]));
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
