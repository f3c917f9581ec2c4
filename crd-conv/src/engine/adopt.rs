//! Entries that another release of the author's operator wrote, which had other versions between home and peer, or
//! none. They are looked at only where an object has some.

use std::collections::{HashMap, HashSet};

use super::hop::{Carried, Hop, parsed};
use super::program::{Node, Route, Slot, Step, follow};
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
pub(super) struct Candidate {
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
    peer: Option<Vec<PeerField<'a>>>,
}

/// What the source shows of a rule.
struct PeerField<'a> {
    name: &'static str,
    /// None for the value itself.
    slot: Option<&'a Slot>,
    value: Option<&'a str>,
}

/// The names that an entry has for fields, and those of this hop.
type Names = Vec<(&'static str, &'static str)>;

impl Candidate {
    /// An annotation for a version that isn't of this hop, if this hop lies between that and its peer.
    #[inline(never)]
    pub(super) fn of_distant(hop: &Hop<'_>, named: usize, key: &str) -> Option<Self> {
        let (source, route) = (hop.source, hop.source.route);
        // Most have a neighbour for a peer: no need to read all of it.
        let (peer, _) = source.value(named).strip_prefix(WRITTEN)?.split_once('\\')?;
        let (home, _) = key[route.prefix.len()..].split_once('.')?;
        let (home, peer) = (route.version(home)?, route.version(peer)?);
        if !lies_between(route, home, peer) {
            return None;
        }
        match parsed(hop.patch.value(source, named))? {
            Parsed::Entries(_, entries) => {
                Some(Self { named, key: key.to_owned(), home, peer: Some(peer), entries })
            }
            _ => None,
        }
    }

    /// An annotation for the target with a peer that isn't the source.
    #[inline(never)]
    pub(super) fn of_target(
        hop: &Hop<'_>,
        named: usize,
        key: &str,
        peer: &str,
        entries: Vec<Entry>,
    ) -> Option<Self> {
        let route = hop.source.route;
        let (home, peer) = (route.version(route.to)?, route.version(peer));
        let fits = peer.is_none_or(|peer| lies_between(route, home, peer));
        fits.then(|| Self { named, key: key.to_owned(), home, peer, entries })
    }
}

/// The source and the target among all versions.
fn ends(route: &Route) -> Option<[usize; 2]> {
    Some([route.version(route.from)?, route.version(route.to)?])
}

fn lies_between(route: &Route, home: usize, peer: usize) -> bool {
    let Some([from, to]) = ends(route) else { return false };
    let (low, high) = (from.min(to), from.max(to));
    home <= low && peer >= high || peer <= low && home >= high
}

/// Finds the rules of this release for the entries of another one: those that this hop restores are as if this release
/// had written them, and what the source has at home is over.
#[inline(never)]
pub(super) fn adopt(hop: &mut Hop<'_>, candidates: Vec<Candidate>) {
    let Some(ends) = ends(hop.source.route) else { return };
    let [from, to] = ends;
    let left: HashMap<String, Candidate> =
        candidates.into_iter().map(|candidate| (candidate.key.clone(), candidate)).collect();
    let mut pairs: Vec<(usize, Option<usize>)> =
        left.values().map(|candidate| (candidate.home, candidate.peer)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut adoption = Adoption { hop, ends, left };
    let mut seen = HashSet::new();
    for instance in 0..adoption.hop.source.document.instances.len() {
        let value = adoption.hop.source.instance(instance);
        if adoption.hop.patch.is_done(instance)
            || adoption.left.is_empty()
            || !seen.insert((value.place, value.node))
        {
            continue;
        }
        if seen.len() > MAX_VALUES {
            break;
        }
        let document = adoption.hop.source.document;
        let paths = [false, true].map(|target| document.path(value.place, target));
        if paths[0].len() > MAX_DEPTH {
            continue;
        }
        for (home, peer) in &pairs {
            let incoming = if from < to { *home >= to } else { *home <= to };
            if incoming {
                adoption.adopt(instance, &paths, (*home, *peer));
            } else {
                adoption.forget(instance, &paths[0], *home);
            }
        }
    }
    for candidate in adoption.left.into_values().filter(|candidate| candidate.home == to) {
        if hop.patch.stays(candidate.named) {
            hop.lose(Loss::Ignored);
        }
    }
}

/// The entries of another release that no rule was found for so far.
struct Adoption<'h, 'a> {
    hop: &'h mut Hop<'a>,
    /// The source and the target among all versions.
    ends: [usize; 2],
    left: HashMap<String, Candidate>,
}

impl<'a> Adoption<'_, 'a> {
    /// Drops what was kept for fields that the source has and shows.
    fn forget(&mut self, instance: usize, path: &[&'static str], home: usize) {
        let fields: Vec<Option<&'static str>> = match self.hop.source.node(instance) {
            Node::Object(object) => {
                let keeps = object.steps.iter().filter(|step| {
                    matches!(step, Step::Remove { .. } | Step::Convert(_) | Step::Unset { .. })
                });
                keeps.filter_map(Step::keeps).map(Some).collect()
            }
            Node::Union(_) => vec![None],
            Node::List { .. } | Node::Map { .. } => Vec::new(),
        };
        for field in fields {
            let path: Vec<_> = path.iter().copied().chain(field).collect();
            let key = self.key_at(self.ends[0], home, &path);
            if let Some(candidate) = key.and_then(|key| self.left.remove(&key)) {
                self.hop.discard(candidate.named, Loss::AtHome);
            }
        }
    }

    /// The annotation of a field of one of this hop's versions in a version further away.
    fn key_at(&self, from: usize, home: usize, path: &[&'static str]) -> Option<String> {
        let route = self.hop.source.route;
        let versions = route.versions;
        let there = follow(versions, from, home, path)?;
        let name = AnnotationPath::new(versions[home].name);
        let name = there.path.iter().fold(name, |name, field| name.then(field));
        Some(name.key(&route.prefix))
    }

    fn adopt(
        &mut self,
        instance: usize,
        paths: &[Vec<&'static str>; 2],
        (home, peer): (usize, Option<usize>),
    ) {
        for rule in self.rules(instance) {
            let first = rule.home.first().map(|slot| slot.name);
            let path: Vec<_> = paths[1].iter().copied().chain(first).collect();
            let Some(key) = self.key_at(self.ends[1], home, &path) else { continue };
            let fits = self.left.get(&key).is_some_and(|candidate| candidate.peer == peer);
            let Some(mut candidate) = fits.then(|| self.left.remove(&key)).flatten() else {
                continue;
            };
            if self.translate(&mut candidate, &rule, paths).is_none() {
                self.left.insert(key, candidate);
                continue;
            }
            let hop = &mut *self.hop;
            let route = hop.source.route;
            let own = AnnotationPath::new(route.to);
            let own = path.iter().fold(own, |path, field| path.then(field)).key(&route.prefix);
            let Candidate { named, entries, .. } = candidate;
            let carried = Carried::new(named, entries, true, &mut hop.tally.losses);
            // Whoever writes the own one drops this one, so this one was written later.
            if let Some(before) = hop.inbox.add(own.into(), carried) {
                hop.discard(before, Loss::Superseded);
            }
        }
    }

    /// The rules of a value that may restore something.
    fn rules(&self, instance: usize) -> Vec<Rule<'a>> {
        let source = self.hop.source;
        let peer_field = |member, slot: &'a Slot| PeerField {
            name: slot.name,
            slot: Some(slot),
            value: source.present(source.member(instance, member), slot),
        };
        match source.node(instance) {
            Node::Object(object) => {
                let rule = |step: &'a Step| match step {
                    Step::Add { to, .. } => Some(Rule { home: vec![to], peer: None }),
                    Step::Unset { member, slots: [from, to], restores: true, .. } => {
                        Some(Rule { home: vec![to], peer: Some(vec![peer_field(*member, from)]) })
                    }
                    Step::Convert(convert) => {
                        let peer =
                            convert.inputs.iter().map(|(member, slot)| peer_field(*member, slot));
                        let home = convert.outputs.iter().collect();
                        Some(Rule { home, peer: Some(peer.collect()) })
                    }
                    _ => None,
                };
                object.steps.iter().filter_map(rule).collect()
            }
            Node::Union(_) => {
                let place = source.instance(instance).place;
                let name = source.document.name(place, false);
                let value = Some(source.text_of(instance));
                vec![Rule {
                    home: Vec::new(),
                    peer: Some(vec![PeerField { name, slot: None, value }]),
                }]
            }
            Node::List { .. } | Node::Map { .. } => Vec::new(),
        }
    }

    /// Gives the fields of an annotation's entries the names of this hop; `None` if they can't be compared with them, and
    /// then everything is as it was.
    fn translate(
        &self,
        candidate: &mut Candidate,
        rule: &Rule<'_>,
        [source, target]: &[Vec<&'static str>; 2],
    ) -> Option<()> {
        let (keep, guard) = self.names(candidate, rule, [source, target])?;
        let (versions, [from, to]) = (self.hop.source.route.versions, self.ends);
        let (keys, fingerprints) = match candidate.peer {
            Some(peer) => {
                let there = follow(versions, from, peer, source)?;
                (there.keys, there.fingerprints)
            }
            // Between two versions with the same keys there was none with others.
            None => (follow(versions, from, to, source)?.keys, false),
        };
        let is_located = |locator: &Locator| match locator {
            Locator::Key(_) => true,
            Locator::Keys(_) => keys,
            Locator::Fingerprint { .. } => fingerprints,
            Locator::Folded(_) => keys && fingerprints,
        };
        let fits = |entry: &Entry| {
            entry.at.iter().all(is_located)
                && names_fit(entry, rule, (&keep, &guard))
                && (candidate.peer.is_some() || holds(entry, rule))
        };
        if !candidate.entries.iter().all(fits) {
            return None;
        }
        for entry in &mut candidate.entries {
            entry.rename(&keep, &guard);
        }
        Some(())
    }

    /// What the fields of an annotation's entries are called there and in this hop: those that are kept, and those of the guard.
    fn names(
        &self,
        candidate: &Candidate,
        rule: &Rule<'_>,
        [source, target]: [&[&'static str]; 2],
    ) -> Option<(Names, Names)> {
        let (versions, [from, to]) = (self.hop.source.route.versions, self.ends);
        let name = |from, to, around: &[&'static str], field: Option<&'static str>| {
            let path: Vec<_> = around.iter().copied().chain(field).collect();
            let there = follow(versions, from, to, &path)?;
            if there.same { there.path.last().copied() } else { None }
        };
        let mut keep: Names = Vec::new();
        for slot in &rule.home {
            keep.push((name(to, candidate.home, target, Some(slot.name))?, slot.name));
        }
        if let ([], Some(own)) = (&rule.home[..], target.last()) {
            keep.push((name(to, candidate.home, target, None)?, own));
        }
        let mut guard: Names = Vec::new();
        for PeerField { name: own, slot, .. } in rule.peer.iter().flatten() {
            let field = slot.is_some().then_some(*own);
            let theirs = match candidate.peer {
                Some(peer) => name(from, peer, source, field)?,
                None => own,
            };
            guard.push((theirs, own));
        }
        Some((keep, guard))
    }
}

/// Whether a rule knows all that an entry names, and takes what it keeps.
fn names_fit(entry: &Entry, rule: &Rule<'_>, (keep, guard): (&Names, &Names)) -> bool {
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
    kept && guarded
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
    peer.iter().all(|PeerField { name, slot, value }| {
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
