//! Entries that another release of the author's operator wrote, which had other versions between home and peer, or
//! none. They are looked at only where an object has some.

use std::collections::{HashMap, HashSet};

use super::lineage::follow;
use super::route::{Node, Slot, Step};
use super::steps::Work;
use crate::complement::{AnnotationPath, Entry, Locator, Loss, Parsed};
use crate::json::{Fidelity, equal};

/// How many kinds of value are asked for their entries, and how deep. Whatever is further away keeps its entries.
const MAX_VALUES: usize = 1_000;
const MAX_DEPTH: usize = 32;

/// How an annotation starts that a release of this crate has written.
const WRITTEN: &str = r#""{\"format\":1,\"peer\":\""#;

/// An annotation whose home and peer aren't the ends of this hop, but this hop lies between them; or whose peer isn't
/// a version any more.
#[derive(Debug)]
pub(super) struct Stranger {
    named: usize,
    key: String,
    home: usize,
    peer: Option<usize>,
    entries: Vec<Entry>,
}

/// A rule whose home is the target.
struct Rule<'a> {
    /// The fields at home; none for the value itself.
    home: Vec<&'a Slot>,
    /// What its guard names; `None` if it has none.
    peer: Option<Vec<Shown<'a>>>,
}

/// What the source shows of a rule.
struct Shown<'a> {
    name: &'static str,
    /// None for the value itself.
    slot: Option<&'a Slot>,
    value: Option<&'a str>,
}

/// The names that an entry has for fields, and those of this hop.
type Names = Vec<(&'static str, &'static str)>;

impl<'a> Work<'a> {
    /// Notes an annotation for a version that isn't of this hop, if this hop lies between that and its peer.
    #[inline(never)]
    pub(super) fn note_distant(&mut self, named: usize, key: &str) {
        let value = self.found.value(self.text, named);
        // Most have a neighbour for a peer: no need to read all of it.
        let peer = value.strip_prefix(WRITTEN).and_then(|rest| rest.split_once('\\'));
        let home = key[self.route.prefix.len()..].split_once('.').map(|(home, _)| home);
        let (Some((peer, _)), Some(home)) = (peer, home) else { return };
        let (Some(home), Some(peer)) = (self.version(home), self.version(peer)) else { return };
        if !self.lies_between(home, peer) {
            return;
        }
        if let Some(Parsed::Entries(_, entries)) = self.parsed(named) {
            let key = key.to_owned();
            self.strangers.push(Stranger { named, key, home, peer: Some(peer), entries });
        }
    }

    /// Notes an annotation for the target with a peer that isn't the source.
    #[inline(never)]
    pub(super) fn note_stranger(
        &mut self,
        named: usize,
        key: &str,
        peer: &str,
        entries: Vec<Entry>,
    ) {
        let peer = self.version(peer);
        match self.version(self.route.to) {
            Some(home) if peer.is_none_or(|peer| self.lies_between(home, peer)) => {
                let key = key.to_owned();
                self.strangers.push(Stranger { named, key, home, peer, entries });
            }
            _ => self.losses.add(Loss::Ignored),
        }
    }

    /// The place of a version among all of them.
    pub(super) fn version(&self, name: &str) -> Option<usize> {
        self.route.versions.iter().position(|version| version.name == name)
    }

    /// The source and the target.
    fn ends(&self) -> Option<[usize; 2]> {
        Some([self.version(self.route.from)?, self.version(self.route.to)?])
    }

    fn lies_between(&self, home: usize, peer: usize) -> bool {
        let Some([from, to]) = self.ends() else { return false };
        let (low, high) = (from.min(to), from.max(to));
        home <= low && peer >= high || peer <= low && home >= high
    }

    /// Finds the rules of this release for the entries of another one: those that this hop restores are as if this
    /// release had written them, and what the source has at home is over.
    #[inline(never)]
    pub(super) fn meet_strangers(&mut self) {
        let strangers = std::mem::take(&mut self.strangers);
        let Some([from, to]) = self.ends() else { return };
        let mut left: HashMap<String, Stranger> = HashMap::new();
        for stranger in strangers {
            left.insert(stranger.key.clone(), stranger);
        }
        let mut pairs: Vec<(usize, Option<usize>)> =
            left.values().map(|stranger| (stranger.home, stranger.peer)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut seen = HashSet::new();
        for instance in 0..self.found.instances.len() {
            let value = &self.found.instances[instance];
            let (place, node) = (value.place, value.node);
            if value.dead || left.is_empty() || !seen.insert((place, node)) {
                continue;
            }
            let paths = [false, true].map(|target| self.found.path(place, target));
            if seen.len() > MAX_VALUES || paths[0].len() > MAX_DEPTH {
                continue;
            }
            for (home, peer) in &pairs {
                let incoming = if from < to { *home >= to } else { *home <= to };
                if incoming {
                    self.adopt(instance, &paths, [from, to], (*home, *peer), &mut left);
                } else {
                    self.forget(instance, &paths[0], from, *home, &mut left);
                }
            }
        }
        for stranger in left.into_values().filter(|stranger| stranger.home == to) {
            if self.found.named[stranger.named].stays() {
                self.losses.add(Loss::Ignored);
            }
        }
    }

    /// Drops what was kept for fields that the source has and shows.
    fn forget(
        &mut self,
        instance: usize,
        path: &[&'static str],
        from: usize,
        home: usize,
        left: &mut HashMap<String, Stranger>,
    ) {
        let fields: Vec<Option<&'static str>> =
            match &self.route.nodes[self.found.instances[instance].node] {
                Node::Object(object) => {
                    let keeps = object.steps.iter().filter(|step| {
                        matches!(step, Step::Lose { .. } | Step::Convert(_) | Step::Unset { .. })
                    });
                    keeps.filter_map(Step::keeps).map(Some).collect()
                }
                Node::Union(_) => vec![None],
                Node::List { .. } | Node::Map { .. } => Vec::new(),
            };
        for field in fields {
            let path: Vec<_> = path.iter().copied().chain(field).collect();
            let key = self.key_at(from, home, &path);
            if let Some(stranger) = key.and_then(|key| left.remove(&key)) {
                self.discard(stranger.named, Loss::AtHome);
            }
        }
    }

    /// The annotation of a field of one of this hop's versions in a version further away.
    fn key_at(&self, from: usize, home: usize, path: &[&'static str]) -> Option<String> {
        let versions = self.route.versions;
        let there = follow(versions, from, home, path)?;
        let name = AnnotationPath::new(versions[home].name);
        let name = there.path.iter().fold(name, |name, field| name.then(field));
        Some(name.key(&self.route.prefix))
    }

    fn adopt(
        &mut self,
        instance: usize,
        paths: &[Vec<&'static str>; 2],
        ends: [usize; 2],
        (home, peer): (usize, Option<usize>),
        left: &mut HashMap<String, Stranger>,
    ) {
        for rule in self.rules(instance) {
            let first = rule.home.first().map(|slot| slot.name);
            let path: Vec<_> = paths[1].iter().copied().chain(first).collect();
            let Some(key) = self.key_at(ends[1], home, &path) else { continue };
            let fits = left.get(&key).is_some_and(|stranger| stranger.peer == peer);
            let Some(mut stranger) = fits.then(|| left.remove(&key)).flatten() else { continue };
            if self.translate(&mut stranger, &rule, paths, ends).is_none() {
                left.insert(key, stranger);
                continue;
            }
            let own = path
                .iter()
                .fold(AnnotationPath::new(self.route.to), |path, field| path.then(field));
            let own = own.key(&self.route.prefix);
            // Whoever writes the own one drops this one, so this one was written later.
            if let Some(before) = self.carried.remove(&own) {
                self.discard(before.named, Loss::Superseded);
            }
            self.add_carried(own, stranger.named, stranger.entries, true);
        }
    }

    /// The rules of a value that may restore something.
    fn rules(&self, instance: usize) -> Vec<Rule<'a>> {
        let shown = |member, slot: &'a Slot| Shown {
            name: slot.name,
            slot: Some(slot),
            value: self.present(self.found.member(instance, member), slot),
        };
        match &self.route.nodes[self.found.instances[instance].node] {
            Node::Object(object) => {
                let rule = |step: &'a Step| match step {
                    Step::Gain { to, .. } => Some(Rule { home: vec![to], peer: None }),
                    Step::Unset { member, slots: [from, to], restores: true, .. } => {
                        Some(Rule { home: vec![to], peer: Some(vec![shown(*member, from)]) })
                    }
                    Step::Convert(convert) => {
                        let peer = convert.inputs.iter().map(|(member, slot)| shown(*member, slot));
                        let home = convert.outputs.iter().collect();
                        Some(Rule { home, peer: Some(peer.collect()) })
                    }
                    _ => None,
                };
                object.steps.iter().filter_map(rule).collect()
            }
            Node::Union(_) => {
                let found = &self.found.instances[instance];
                let name = self.found.path(found.place, false).pop().unwrap_or_default();
                let value = Some(&self.text[found.span()]);
                vec![Rule { home: Vec::new(), peer: Some(vec![Shown { name, slot: None, value }]) }]
            }
            Node::List { .. } | Node::Map { .. } => Vec::new(),
        }
    }

    /// Gives the fields of an annotation's entries the names of this hop; `None` if they can't be compared with them, and
    /// then everything is as it was.
    fn translate(
        &self,
        stranger: &mut Stranger,
        rule: &Rule<'_>,
        [source, target]: &[Vec<&'static str>; 2],
        [from, to]: [usize; 2],
    ) -> Option<()> {
        let versions = self.route.versions;
        let name = |from, to, around: &[&'static str], field: Option<&'static str>| {
            let path: Vec<_> = around.iter().copied().chain(field).collect();
            let there = follow(versions, from, to, &path)?;
            if there.same { there.path.last().copied() } else { None }
        };
        let mut keep: Names = Vec::new();
        for slot in &rule.home {
            keep.push((name(to, stranger.home, target, Some(slot.name))?, slot.name));
        }
        if let ([], Some(own)) = (&rule.home[..], target.last()) {
            keep.push((name(to, stranger.home, target, None)?, own));
        }
        let mut guard: Names = Vec::new();
        for Shown { name: own, slot, .. } in rule.peer.iter().flatten() {
            let field = slot.is_some().then_some(*own);
            let theirs = match stranger.peer {
                Some(peer) => name(from, peer, source, field)?,
                None => own,
            };
            guard.push((theirs, own));
        }
        let (keys, prints) = match stranger.peer {
            Some(peer) => {
                let there = follow(versions, from, peer, source)?;
                (there.keys, there.prints)
            }
            // Between two versions with the same keys there was none with others.
            None => (follow(versions, from, to, source)?.keys, false),
        };
        let fits = |entry: &Entry| {
            let located = entry.at.iter().all(|locator| match locator {
                Locator::Key(_) => true,
                Locator::Keys(_) => keys,
                Locator::Print { .. } => prints,
                Locator::Folded(_) => keys && prints,
            });
            let kept = entry.keep().all(|(theirs, value)| {
                let own = keep.iter().position(|(name, _)| *name == theirs);
                own.is_some_and(|own| rule.home.get(own).is_none_or(|slot| slot.accepts(value)))
            });
            let guarded = match (entry.guard(), &rule.peer) {
                (None, None) => true,
                (Some(mut names), Some(_)) => {
                    names.all(|(theirs, _)| guard.iter().any(|(name, _)| *name == theirs))
                }
                _ => false,
            };
            located && kept && guarded && (stranger.peer.is_some() || holds(entry, rule))
        };
        if !stranger.entries.iter().all(fits) {
            return None;
        }
        for entry in &mut stranger.entries {
            entry.rename(&keep, &guard);
        }
        Some(())
    }
}

/// Whether the source shows exactly what an entry's guard says. Of a peer that is no version any more nobody knows
/// whether anything else is an edit.
fn holds(entry: &Entry, rule: &Rule<'_>) -> bool {
    let (Some(guard), Some(peer)) = (entry.guard(), &rule.peer) else { return true };
    // Each item would have to be asked.
    if !entry.at.is_empty() {
        return false;
    }
    let guard: Vec<_> = guard.collect();
    peer.iter().all(|Shown { name, slot, value }| {
        let expected = guard.iter().find(|(theirs, _)| theirs == name).map(|(_, value)| *value);
        match slot {
            Some(slot) => {
                let [expected, value] =
                    [expected, *value].map(|value| value.and_then(|value| slot.as_guarded(value)));
                expected == value
            }
            None => expected
                .zip(*value)
                .is_some_and(|(expected, value)| equal(expected, value, Fidelity::AsServed)),
        }
    })
}
