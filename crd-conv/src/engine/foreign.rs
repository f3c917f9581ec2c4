//! What is kept for versions that aren't of this hop: which objects it needs, and what goes with them.

use std::rc::Rc;

use super::align::body;
use super::defaults::says_unset;
use super::items::{Items, Shown};
use super::lineage;
use super::steps::Work;
use super::walk::{Fate, Named};
use crate::complement::{Entry, Locator, Loss, Parsed, write_entries};
use crate::json::quote;

/// An annotation for a version that isn't of this hop.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) named: usize,
    /// The way to what it belongs to.
    way: String,
    /// Whether these are the entries of it that say of a field that it was null.
    null: bool,
    /// Who shows the items as they were when they got their names.
    told: Told,
    /// The text of the annotation, if it is of a format that this release knows.
    pub(super) text: Option<Rc<str>>,
    /// Which items they belong to, if they are of a format that this release knows.
    entries: Option<Vec<Vec<Locator>>>,
}

impl Foreign {
    /// Whether it belongs to something in the object that a way leads to.
    pub(super) fn is_in(&self, way: &str) -> bool {
        self.way.strip_prefix(way).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether it is of items of lists without keys, and the target shows them as they were.
    pub(super) fn is_told_by_target(&self) -> bool {
        self.told == Told::Target && self.places().any(|of| !of.iter().all(is_key))
    }

    /// The items that something of it belongs to.
    pub(super) fn places(&self) -> impl Iterator<Item = &[Locator]> {
        self.entries.iter().flatten().map(|of| &of[..])
    }

    /// Whether something of it belongs to these items, of some lists and maps; `None` if nobody knows.
    fn is_of(&self, around: &[Locator], lists: &[usize], items: &Items) -> Option<bool> {
        let is = |of: &[Locator]| {
            let mut known = true;
            for (depth, (of, item)) in of.iter().zip(around).enumerate() {
                if of == item {
                    continue;
                }
                let by_keys = matches!(
                    (of, item),
                    (Locator::Key(_), Locator::Key(_)) | (Locator::Keys(_), Locator::Keys(_))
                );
                let told = self.told == Told::Source && lists.len() == around.len();
                // Nobody knows which item has this name, if none has.
                if by_keys || told && lists.get(depth).is_some_and(|list| items.has(*list, of)) {
                    return Some(false);
                }
                known = false;
            }
            known.then_some(true)
        };
        let Some(entries) = &self.entries else { return Some(true) };
        let all = || entries.iter().map(|of| is(of));
        let is_one = all().any(|is| is == Some(true));
        (is_one || all().all(|is| is.is_some())).then_some(is_one)
    }
}

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Source,
    Target,
    Neither,
}

pub(super) fn is_key(at: &Locator) -> bool {
    matches!(at, Locator::Key(_) | Locator::Keys(_))
}

/// Whether what is kept for other versions needs an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    None,
    /// But on the way back nobody would know.
    Here,
    Back,
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
        let foreign = |null, told, text, entries| {
            let way = self.way_of(home, field, &key, null);
            Foreign { named: at, way, null, told, text, entries }
        };
        let Parsed::Entries(peer, entries) = self.parsed(at)? else {
            return Some(vec![foreign(false, Told::Neither, None, None)]);
        };
        let told = match &*peer {
            peer if peer == self.route.from => Told::Source,
            peer if peer == self.route.to => Told::Target,
            _ => Told::Neither,
        };
        let text = entries.first().map(|entry| Rc::clone(entry.annotation()));
        // That there was nothing needs no object.
        let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
        let (nulls, values): (Vec<_>, Vec<_>) = keeps.partition(|entry| says_null(entry));
        let of = [(false, values), (true, nulls)].into_iter().filter(|(_, of)| !of.is_empty());
        let places = |of: Vec<&Entry>| of.into_iter().map(|entry| entry.at.clone()).collect();
        Some(of.map(|(null, of)| foreign(null, told, text.clone(), Some(places(of)))).collect())
    }

    /// Whether any of them may belong to something in an instance.
    pub(super) fn anchors(&mut self, instance: usize) -> Anchor {
        let foreign = self.foreign();
        let way = self.found.way(instance);
        let mut inside = foreign.iter().filter(|foreign| foreign.is_in(&way)).peekable();
        if inside.peek().is_none() {
            return Anchor::None;
        }
        let at = self.items.around(instance, self.found, self.route, self.text, Shown::Source);
        let has_keys = at.iter().all(is_key);
        let lists = self.found.lists_around(instance);
        let (mut anchor, mut guesses) = (Anchor::None, false);
        for foreign in inside {
            let is_of = foreign.is_of(&at, &lists, &self.items).unwrap_or_else(|| {
                let told = foreign.told == Told::Target;
                guesses |= told;
                let known = self.anchored.as_ref().filter(|_| told);
                known.is_none_or(|known| known.contains(&instance))
            });
            if is_of && (has_keys || foreign.told != Told::Source) {
                anchor = Anchor::Back;
            } else if is_of && anchor == Anchor::None {
                anchor = Anchor::Here;
            }
        }
        if guesses {
            self.relocated.guessed.insert(instance);
        }
        anchor
    }

    /// Whether one of them belongs to something in a field of an instance, beyond doubt.
    pub(super) fn is_anchored(&mut self, instance: usize, field: &str) -> bool {
        let Some((way, at)) = self.inside(instance, field) else { return false };
        let is_of = |foreign: &Foreign| {
            foreign.is_in(&way) && foreign.places().any(|of| of.starts_with(&at))
        };
        self.foreign().iter().any(is_of)
    }

    /// Drops what belongs to something in a field of an instance: the object there isn't the one that it was kept for.
    pub(super) fn drop_foreign(&mut self, instance: usize, field: &str) {
        let Some((way, at)) = self.inside(instance, field) else { return };
        for foreign in self.foreign().iter().filter(|foreign| foreign.is_in(&way)) {
            // What is of an unknown format may mean anything.
            if foreign.entries.is_some() {
                self.change_entries(foreign, |of| (!of.starts_with(&at)).then(|| of.to_vec()));
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

    /// Takes the entries of an annotation to other items, or drops them.
    pub(super) fn change_entries(
        &mut self,
        of: &Foreign,
        change: impl Fn(&[Locator]) -> Option<Vec<Locator>>,
    ) {
        let named = of.named;
        if of.places().all(|at| change(at).as_deref() == Some(at)) {
            return;
        }
        let Some(Parsed::Entries(peer, entries)) = self.parsed(named) else { return };
        self.relocated.foreign = None;
        let mut changed = Vec::with_capacity(entries.len());
        for mut entry in entries {
            if says_null(&entry) == of.null {
                let Some(at) = change(&entry.at) else {
                    self.losses.add(Loss::AnchorGone);
                    continue;
                };
                entry.at = at;
            }
            changed.push(entry);
        }
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
