//! Entries for versions outside of this hop: which objects they need, and which entries are dropped
//! because their object is new.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::annotations::parsed;
use super::patch::{MemberEdit, Patch};
use super::ways::Ways;
use crate::complement::{Entry, Locator, Parsed, Unrestored, UnrestoredReason, write_entries};
use crate::engine::document::{Aligned, Edits, Items, Named, Source, View};
use crate::engine::program::way;
use crate::json::Edit;

/// The annotations for versions outside of this hop. A later hop needs the objects around their
/// fields. They may be long, so they are read once, when a rule first needs them.
#[derive(Debug, Default)]
pub(crate) struct Others {
    known: Option<Known>,
    /// Instances and their fields where the target has an object, and the source has none.
    new: Vec<(usize, &'static str)>,
}

#[derive(Debug)]
struct Known {
    others: Vec<Other>,
    /// The paths of the objects that the fields of `others` are in.
    ways: Ways,
    /// By node of `ways`: the entries for the value there and for its descendants.
    below: HashMap<usize, Below>,
}

/// Entries from one such annotation.
#[derive(Debug)]
struct Other {
    named: usize,
    /// The path of the object that their field is in.
    way: String,
    /// Whether this release has the rule that writes them.
    known: bool,
    /// Whether these entries record that a field was null. The annotation's other entries don't.
    null: bool,
    /// Whether their peer is the target.
    peer_is_target: bool,
    /// The annotation's text, if this release knows its format.
    text: Option<Rc<str>>,
    /// The items that they belong to, if this release knows their format.
    entries: Option<Vec<Rc<[Locator]>>>,
}

/// The entries for a value and its descendants.
#[derive(Debug)]
struct Below {
    /// Whether this release doesn't know the format of some of them.
    unknown: bool,
    /// The items that the others belong to, sorted.
    places: Vec<Rc<[Locator]>>,
}

impl Below {
    /// Whether an entry belongs to these items.
    fn has(&self, items: &[Locator]) -> bool {
        let first = self.places.partition_point(|of| &of[..] < items);
        self.places.get(first).is_some_and(|of| of.starts_with(items))
    }
}

/// The new objects in one field.
#[derive(Debug, Default)]
struct New {
    /// The items that they are in. `keyed`: the items at each level have keys. `unkeyed`: all
    /// others.
    keyed: HashSet<Rc<[Locator]>>,
    unkeyed: HashSet<Rc<[Locator]>>,
    /// The instances that the unkeyed objects are in.
    instances: Vec<usize>,
}

fn is_key(at: &Locator) -> bool {
    matches!(at, Locator::Key(_) | Locator::Keys(_))
}

impl Known {
    fn read(source: Source<'_>, patch: &Patch) -> Self {
        let named = source.document.named.iter().enumerate();
        let read = named.filter_map(|(at, named)| Other::read(source, patch, at, named));
        let others: Vec<Other> = read.flatten().collect();
        let ways = Ways::new(others.iter().map(|other| &*other.way));
        Self { others, ways, below: HashMap::new() }
    }

    /// Returns the entries for an instance or one of its fields, and for descendants of that.
    /// Returns `None` if there are none.
    fn inside(&mut self, source: Source<'_>, instance: usize, field: &str) -> Option<&Below> {
        let place = self.ways.of_place(source.document, source.instance(instance).place)?;
        let node = self.ways.follow(place, field)?;
        let Self { others, ways, below } = self;
        Some(below.entry(node).or_insert_with(|| {
            let inside = ways.below(node);
            let inside = inside.iter().map(|number| &others[*number].entries);
            let mut places: Vec<_> = inside.clone().flatten().flatten().cloned().collect();
            places.sort_unstable();
            Below { unknown: inside.clone().any(Option::is_none), places }
        }))
    }
}

impl Others {
    /// Forgets the annotations, since they may have changed. They are read again when a rule next
    /// needs them.
    pub(crate) fn forget(&mut self) {
        self.known = None;
    }

    fn read(&mut self, source: Source<'_>, patch: &Patch) -> &mut Known {
        self.known.get_or_insert_with(|| Known::read(source, patch))
    }

    /// Whether any of them belongs to something in an instance. Entries don't count if they belong
    /// to items of a list without keys that only another version tells apart: the same rules make
    /// the object again on the way to it.
    pub(crate) fn anchors(
        &mut self,
        source: Source<'_>,
        patch: &Patch,
        items: &mut Items,
        instance: usize,
    ) -> bool {
        let inside = self.read(source, patch).inside(source, instance, "");
        inside.is_some_and(|inside| {
            inside.unknown || inside.has(&items.around(instance, source, View::Source))
        })
    }

    /// Whether one of them certainly belongs to something in a field of an instance.
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
        let inside = self.read(source, patch).inside(source, instance, field);
        inside.is_some_and(|inside| {
            let at = items.around(instance, source, View::Source);
            at.iter().all(is_key) && inside.has(&at)
        })
    }

    /// Whether any of them belongs to a member's value or its descendants.
    pub(crate) fn anchors_in_member(
        &mut self,
        source: Source<'_>,
        patch: &Patch,
        named: usize,
    ) -> bool {
        let (instance, key) = (source.named(named).instance, source.key(named));
        self.read(source, patch).inside(source, instance, &key).is_some()
    }

    /// Records that the target has an object in a field of an instance, and the source has none.
    pub(crate) fn add_new(&mut self, instance: usize, field: &'static str) {
        self.new.push((instance, field));
    }

    /// Drops the entries that belong to something in a new object: a client removed the object that
    /// they were kept for. `edits` are those of everything outside `metadata`. They determine how
    /// the target shows the items.
    pub(crate) fn drop_in_new(
        &mut self,
        source: Source<'_>,
        patch: &mut Patch,
        unrestored: &mut Unrestored,
        edits: &[Edit],
    ) {
        let objects = std::mem::take(&mut self.new);
        if objects.is_empty() || source.route.versions.len() < 3 {
            return;
        }
        self.forget();
        let Known { others, ways, .. } = self.read(source, patch);
        if others.is_empty() {
            return;
        }
        let (edits, mut items) = (Edits::new(edits, &patch.arena), Items::new(&patch.nowhere));
        let mut new: HashMap<usize, New> = HashMap::new();
        for (instance, field) in objects {
            let place = ways.of_place(source.document, source.instance(instance).place);
            let Some(node) = place.and_then(|place| ways.follow(place, field)) else { continue };
            let at = items.around(instance, source, View::Target(&edits));
            let new = new.entry(node).or_default();
            if at.iter().all(is_key) {
                new.keyed.insert(at);
            } else {
                new.unkeyed.insert(at);
                new.instances.push(instance);
            }
        }
        for (number, around) in ways.ways() {
            let around: Vec<&New> = around.filter_map(|node| new.get(&node)).collect();
            if !around.is_empty() {
                others[number].drop_in(source, patch, unrestored, (&around, &items));
            }
        }
    }
}

impl Other {
    /// Drops the entries that belong to something in new objects.
    fn drop_in(
        &self,
        source: Source<'_>,
        patch: &mut Patch,
        unrestored: &mut Unrestored,
        (new, items): (&[&New], &Items),
    ) {
        // After an edit, only entries of this release's rules are looked for.
        let text = self.text.as_deref().filter(|_| self.known && self.peer_is_target);
        let aligned: Option<HashSet<_>> = text.map(|text| {
            let mut aligned = Aligned::read(text);
            let instances = new.iter().flat_map(|new| &new.instances);
            instances.map(|instance| aligned.around(*instance, items, source)).collect()
        });
        let is_in = |at: &[Locator], new: &New| {
            let unkeyed = self.peer_is_target && aligned.is_none() && new.unkeyed.contains(at);
            unkeyed || new.keyed.contains(at)
        };
        let is_new = |at: &[Locator]| {
            new.iter().any(|new| is_in(at, new))
                || aligned.as_ref().is_some_and(|new| new.contains(at))
        };
        let goes = |of: &[Locator]| (0..=of.len()).any(|depth| is_new(&of[..depth]));
        self.drop_entries(source, patch, unrestored, goes);
    }

    /// Reads the entries of an annotation: those for nulls, and the others.
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
            let (way, known) = way_of(source, home, field, &key, null);
            Self { named: at, way, known, null, peer_is_target, text, entries }
        };
        let Parsed::Entries(peer, entries) = parsed(patch.value(source, at))? else {
            return Some(vec![other(false, false, None, None)]);
        };
        let to = *peer == *route.to;
        let text = entries.first().map(|entry| Rc::clone(entry.annotation()));
        // An entry for an absent field needs no object.
        let keeps = entries.iter().filter(|entry| entry.keep().next().is_some());
        let (nulls, values): (Vec<_>, Vec<_>) = keeps.partition(|entry| entry.says_null());
        let of = [(false, values), (true, nulls)].into_iter().filter(|(_, of)| !of.is_empty());
        let places = |of: Vec<&Entry>| of.into_iter().map(|entry| entry.at[..].into()).collect();
        Some(of.map(|(null, of)| other(null, to, text.clone(), Some(places(of)))).collect())
    }

    /// Drops the entries that belong to certain items.
    fn drop_entries(
        &self,
        source: Source<'_>,
        patch: &mut Patch,
        unrestored: &mut Unrestored,
        goes: impl Fn(&[Locator]) -> bool,
    ) {
        if !self.entries.iter().flatten().any(|of| goes(of)) {
            return;
        }
        let Some(Parsed::Entries(peer, mut left)) = parsed(patch.value(source, self.named)) else {
            return;
        };
        left.retain(|entry| {
            let goes = entry.says_null() == self.null && goes(&entry.at);
            if goes {
                unrestored.add(UnrestoredReason::AnchorGone);
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

/// Returns the path in the source of the object that contains an annotation's field, and whether
/// this release has the annotation's rule. If it does, the hop that reads the annotation knows more
/// than the field's name.
fn way_of(source: Source<'_>, home: &str, field: &str, key: &str, null: bool) -> (String, bool) {
    let route = source.route;
    let (Some(home), Some(from)) = (route.version(home), route.version(route.from)) else {
        return (around(field).to_owned(), false);
    };
    let (peer, hop) = if from < home { (home - 1, 0) } else { (home + 1, 1) };
    let restores = route.homes[home][hop].as_ref();
    let (start, fields, known) = match restores.and_then(|restores| restores.get(key)) {
        Some(around) if null => (peer, around.way_of_field(), true),
        Some(around) => (peer, around.way(), true),
        None => (home, field, false),
    };
    (around(&way(route.versions, start, from, fields)).to_owned(), known)
}

/// Returns a field's path without the last name.
fn around(way: &str) -> &str {
    way.rsplit_once('.').map_or("", |(around, _)| around)
}
