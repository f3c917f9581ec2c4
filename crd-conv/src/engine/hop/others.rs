//! What is kept for versions that aren't of this hop: which objects it needs, and what goes with them.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::annotations::parsed;
use super::patch::{MemberEdit, Patch};
use crate::complement::{Entry, Locator, Loss, Losses, Parsed, write_entries};
use crate::engine::document::{Aligned, Edits, Items, Named, Source, View};
use crate::engine::program::way;
use crate::json::Edit;

/// New objects times annotations, above which only those items are found that are as they were.
const MAX_ALIGNED: usize = 1 << 20;

/// The annotations that keep something for versions that aren't of this hop: a later hop needs the objects around their
/// fields. Read once, when somebody asks: they may be long.
#[derive(Debug, Default)]
pub(crate) struct Others {
    known: Option<Rc<[Other]>>,
}

/// Entries of such an annotation.
#[derive(Debug)]
struct Other {
    named: usize,
    /// The way to what they belong to.
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

/// Instances with a new object in a field, and the items that they are in, by the way to that field.
type NewObjects = BTreeMap<String, Vec<(usize, Rc<[Locator]>)>>;

impl Other {
    /// Whether it belongs to something in the object that a way leads to.
    fn is_in(&self, way: &str) -> bool {
        self.way.strip_prefix(way).is_some_and(|rest| rest.starts_with('.'))
    }

    /// The items that something of it belongs to.
    fn places(&self) -> impl Iterator<Item = &[Locator]> {
        self.entries.iter().flatten().map(|of| &of[..])
    }

    /// Whether something of it belongs to these items; of what is of an unknown format nobody knows.
    fn is_of(&self, items: &[Locator]) -> bool {
        self.entries.as_ref().is_none_or(|entries| entries.iter().any(|of| of.starts_with(items)))
    }

    /// Which items of it are in objects that are new, by what the target shows of their ways.
    fn gone(
        &self,
        source: Source<'_>,
        items: &Items,
        new: &NewObjects,
        left: &mut usize,
    ) -> HashSet<Rc<[Locator]>> {
        let mut gone = HashSet::new();
        let mut aligned = None;
        let inside = new.iter().filter(|(way, _)| self.is_in(way));
        for (instance, at) in inside.flat_map(|(_, new)| new) {
            if self.peer_is_target && !at.iter().all(is_key) && *left > 0 {
                *left -= 1;
                let read = || self.text.as_deref().map(Aligned::read).unwrap_or_default();
                let aligned = aligned.get_or_insert_with(read);
                gone.insert(aligned.around(*instance, items, source));
            } else if self.peer_is_target || at.iter().all(is_key) {
                gone.insert(Rc::clone(at));
            }
        }
        gone
    }
}

fn is_key(at: &Locator) -> bool {
    matches!(at, Locator::Key(_) | Locator::Keys(_))
}

impl Others {
    /// Forgets what was read: something around it has changed.
    pub(crate) fn forget(&mut self) {
        self.known = None;
    }

    fn read(&mut self, source: Source<'_>, patch: &Patch) -> Rc<[Other]> {
        let read = || {
            let named = source.document.named.iter().enumerate();
            let read = named.filter_map(|(at, named)| Other::read(source, patch, at, named));
            read.flatten().collect()
        };
        Rc::clone(self.known.get_or_insert_with(read))
    }

    /// Whether any of them belongs to something in an instance. What is kept for items of lists without keys, that only
    /// another version tells apart, keeps no object here: it is there again, by the same rules, where it is looked for.
    pub(crate) fn anchors(
        &mut self,
        source: Source<'_>,
        patch: &Patch,
        items: &mut Items,
        instance: usize,
    ) -> bool {
        let others = self.read(source, patch);
        let way = source.document.way(instance);
        let mut inside = others.iter().filter(|other| other.is_in(&way)).peekable();
        if inside.peek().is_none() {
            return false;
        }
        let at = items.around(instance, source, View::Source);
        inside.any(|other| other.is_of(&at))
    }

    /// Whether one of them belongs to something in a field of an instance, beyond doubt.
    pub(crate) fn anchors_in_field(
        &mut self,
        source: Source<'_>,
        patch: &Patch,
        items: &mut Items,
        (instance, field): (usize, &str),
    ) -> bool {
        if source.route.versions.len() < 3 {
            return false;
        }
        let others = self.read(source, patch);
        if others.is_empty() {
            return false;
        }
        let mut way = source.document.path(source.instance(instance).place, false);
        way.extend(field.split('.'));
        let way = way.join(".");
        if !others.iter().any(|other| other.is_in(&way)) {
            return false;
        }
        let at = items.around(instance, source, View::Source);
        let is_of =
            |other: &Other| other.is_in(&way) && other.places().any(|of| of.starts_with(&at));
        at.iter().all(is_key) && others.iter().any(is_of)
    }

    /// Whether any of them belongs to what is in a member.
    pub(crate) fn anchors_in_member(
        &mut self,
        source: Source<'_>,
        patch: &Patch,
        named: usize,
    ) -> bool {
        let mut way = source.document.way(source.named(named).instance);
        if !way.is_empty() {
            way.push('.');
        }
        way.push_str(&source.key(named));
        self.read(source, patch).iter().any(|other| other.is_in(&way))
    }

    /// Drops what belongs to something in an object that is new, which is in a field of an instance: a client took away
    /// the object that it was kept for. `edits` are those of everything outside `metadata`, which tell how the target
    /// shows the items.
    pub(crate) fn drop_in_new(
        &mut self,
        source: Source<'_>,
        patch: &mut Patch,
        losses: &mut Losses,
        (objects, edits): (&[(usize, &'static str)], &[Edit]),
    ) {
        if objects.is_empty() || source.route.versions.len() < 3 {
            return;
        }
        self.forget();
        let others = self.read(source, patch);
        if others.is_empty() {
            return;
        }
        let (edits, mut items) = (Edits::new(edits, &patch.arena), Items::new(&patch.nowhere));
        let mut new = NewObjects::new();
        for (instance, field) in objects {
            let mut way = source.document.path(source.instance(*instance).place, false);
            way.push(field);
            let at = items.around(*instance, source, View::Target(&edits));
            new.entry(way.join(".")).or_default().push((*instance, at));
        }
        let mut left = MAX_ALIGNED;
        for other in others.iter().filter(|other| other.entries.is_some()) {
            let gone = other.gone(source, &items, &new, &mut left);
            if !gone.is_empty() {
                let goes = |of: &[Locator]| (0..=of.len()).any(|depth| gone.contains(&of[..depth]));
                other.drop_entries(source, patch, losses, goes);
            }
        }
    }
}

impl Other {
    /// The entries of an annotation: of nulls, and of all else.
    fn read(source: Source<'_>, patch: &Patch, at: usize, named: &Named) -> Option<Vec<Self>> {
        if named.member.is_some() || !patch.stays(at) || patch.is_done(named.instance) {
            return None;
        }
        let route = source.route;
        let key = source.key(at);
        let (home, field) = key.get(route.prefix.len()..)?.split_once('.')?;
        if home == route.from || home == route.to {
            return None;
        }
        let other = |null, peer_is_target, text, entries| {
            let way = way_of(source, home, field, &key, null);
            Self { named: at, way, null, peer_is_target, text, entries }
        };
        let Parsed::Entries(peer, entries) = parsed(patch.value(source, at))? else {
            return Some(vec![other(false, false, None, None)]);
        };
        let to = *peer == *route.to;
        let text = entries.first().map(|entry| Rc::clone(entry.annotation()));
        // That there was nothing needs no object.
        let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
        let (nulls, values): (Vec<_>, Vec<_>) = keeps.partition(|entry| entry.says_null());
        let of = [(false, values), (true, nulls)].into_iter().filter(|(_, of)| !of.is_empty());
        let places = |of: Vec<&Entry>| of.into_iter().map(|entry| entry.at.clone()).collect();
        Some(of.map(|(null, of)| other(null, to, text.clone(), Some(places(of)))).collect())
    }

    /// Drops those that belong to some items.
    fn drop_entries(
        &self,
        source: Source<'_>,
        patch: &mut Patch,
        losses: &mut Losses,
        goes: impl Fn(&[Locator]) -> bool,
    ) {
        if !self.places().any(&goes) {
            return;
        }
        let Some(Parsed::Entries(peer, mut left)) = parsed(patch.value(source, self.named)) else {
            return;
        };
        left.retain(|entry| {
            let goes = entry.says_null() == self.null && goes(&entry.at);
            if goes {
                losses.add(Loss::AnchorGone);
            }
            !goes
        });
        let Some(first) = left.first() else { return patch.delete(Some(self.named)) };
        let lists = first.lists().map(|lists| format!(",\"lists\":{lists}")).unwrap_or_default();
        let bodies: Vec<String> = left.iter().map(Entry::body).collect();
        let entries = left.iter().zip(&bodies).map(|(entry, body)| (&entry.at[..], &body[..]));
        let mut text = String::new();
        write_entries(&peer, &lists, entries, &mut text);
        let text = patch.push_quoted(&text);
        patch.set(self.named, MemberEdit::Set(text));
    }
}

/// Where what an annotation for a field of a version further away belongs to is in the source: the hop that reads it
/// knows more than the field's name.
fn way_of(source: Source<'_>, home: &str, field: &str, key: &str, null: bool) -> String {
    let route = source.route;
    let (Some(home), Some(from)) = (route.version(home), route.version(route.from)) else {
        return field.to_owned();
    };
    let (peer, hop) = if from < home { (home - 1, 0) } else { (home + 1, 1) };
    let restores = route.homes[home][hop].as_ref();
    let (start, fields) = match restores.and_then(|restores| restores.get(key)) {
        Some(around) if null => (peer, around.way_of_field()),
        Some(around) => (peer, around.way()),
        None => (home, field),
    };
    way(route.versions, start, from, fields)
}
