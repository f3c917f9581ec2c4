//! What is kept for versions that aren't of this hop: which objects it needs, and what goes with them.

use std::rc::Rc;

use super::align::body;
use super::items::Shown;
use super::lineage;
use super::steps::Work;
use super::walk::{Fate, Named};
use crate::complement::{Locator, Loss, Parsed, write_entries};
use crate::json::quote;

/// An annotation for a version that isn't of this hop.
#[derive(Debug)]
pub(super) struct Foreign {
    named: usize,
    /// The way to what it belongs to.
    way: String,
    /// Which items they belong to, if they are of a format that this release knows.
    entries: Option<Vec<Vec<Locator>>>,
}

impl Foreign {
    /// Whether it belongs to something in the object that a way leads to.
    pub(super) fn is_in(&self, way: &str) -> bool {
        self.way.strip_prefix(way).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether something of it belongs to these items.
    fn is_of(&self, items: &[Locator]) -> bool {
        self.entries.as_ref().is_none_or(|entries| entries.iter().any(|of| may_be_of(of, items)))
    }
}

/// Whether what stands at one place may be inside these items, as far as keys tell: others have no name of their own.
fn may_be_of(place: &[Locator], items: &[Locator]) -> bool {
    place.iter().zip(items).all(|(of, item)| match (of, item) {
        (Locator::Key(_), Locator::Key(_)) | (Locator::Keys(_), Locator::Keys(_)) => of == item,
        _ => true,
    })
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

    /// That there was nothing needs no object.
    fn foreign_entries(&self) -> Rc<[Foreign]> {
        let foreign = |(at, named): (usize, &Named)| {
            if named.member.is_some() || !named.stays() || self.found.instances[named.instance].dead
            {
                return None;
            }
            let key = named.key.decoded(self.text);
            let (home, field) = key.get(self.route.prefix.len()..)?.split_once('.')?;
            if home == self.route.from || home == self.route.to {
                return None;
            }
            let entries = match self.parsed(at)? {
                Parsed::Entries(_, entries) => {
                    let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
                    let at: Vec<_> = keeps.map(|entry| entry.at.clone()).collect();
                    Some(at).filter(|at| !at.is_empty())?.into()
                }
                Parsed::Unknown | Parsed::Malformed | Parsed::Tombstone { .. } => None,
            };
            let known = self.route.beyond.get(&*key).cloned();
            let way = known.unwrap_or_else(|| self.way_of(home, field));
            Some(Foreign { named: at, way, entries })
        };
        self.found.named.iter().enumerate().filter_map(foreign).collect()
    }

    /// Whether any of them may belong to something in an instance.
    pub(super) fn anchors(&mut self, instance: usize) -> bool {
        let foreign = self.foreign();
        let way = self.found.path(self.found.instances[instance].place, false).join(".");
        if !foreign.iter().any(|foreign| foreign.is_in(&way)) {
            return false;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        foreign.iter().any(|foreign| foreign.is_in(&way) && foreign.is_of(&at))
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
                self.drop_entries(foreign.named, &at);
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
    fn drop_entries(&mut self, named: usize, items: &[Locator]) {
        let Some(Parsed::Entries(peer, entries)) = self.parsed(named) else { return };
        let (gone, rest): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.at.starts_with(items));
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

    /// Where a field of a version further away is in the source.
    fn way_of(&self, home: &str, field: &str) -> String {
        let versions = self.route.versions;
        let place = |name: &str| versions.iter().position(|version| version.name == name);
        match (place(home), place(self.route.from)) {
            (Some(home), Some(from)) => lineage::way(versions, home, from, field),
            _ => field.to_owned(),
        }
    }
}
