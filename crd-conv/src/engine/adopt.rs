//! Adopts entries that another release of the author's operator wrote. That release had other
//! versions between the home and the peer version, or none. This runs only for objects with such
//! entries.

use std::collections::{HashMap, HashSet};

use super::hop::{Carried, Hop, parsed};
use super::program::{Node, Route, Slot, Step, follow};
use crate::complement::{AnnotationPath, Entry, Locator, Parsed, UnrestoredReason};
use crate::json::{Fidelity, equal};

/// How many kinds of values are checked for entries of another release, and how deep. Values beyond
/// these limits keep their entries.
const MAX_VALUES: usize = 1_000;
const MAX_DEPTH: usize = 32;

/// The start of each annotation that a release of this crate has written.
const WRITTEN: &str = r#""{\"format\":1,\"peer\":\""#;

/// An annotation of another release. Its home and peer aren't the ends of this hop, but the hop
/// lies between them; or its peer is no longer a version.
#[derive(Debug)]
pub(super) struct Candidate {
    named: usize,
    key: String,
    home: usize,
    peer: Option<usize>,
    entries: Vec<Entry>,
}

/// A rule whose home version is the target.
struct Rule<'a> {
    /// The fields in the home version. Empty if the rule is about the value itself.
    home: Vec<&'a Slot>,
    /// The fields that its guard names. `None` if it has no guard.
    peer: Option<Vec<PeerField<'a>>>,
}

/// A field of a rule, or the value itself, as the source shows it.
struct PeerField<'a> {
    name: &'static str,
    /// `None` for the value itself.
    slot: Option<&'a Slot>,
    value: Option<&'a str>,
}

/// Names of fields: the name in the entry, and the name in this hop.
type Names = Vec<(&'static str, &'static str)>;

impl Candidate {
    /// Returns an annotation for a version outside of this hop as a candidate, if the hop lies
    /// between that version and the annotation's peer.
    #[inline(never)]
    pub(super) fn of_distant(hop: &Hop<'_>, named: usize, key: &str) -> Option<Self> {
        let (source, route) = (hop.source, hop.source.route);
        // In most annotations, the peer is a neighbor of the home version. Then there is no need to
        // read the rest.
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

    /// Returns an annotation for the target as a candidate. Its peer isn't the source. Returns
    /// `None` if the peer is a version, and this hop doesn't lie between it and the target.
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

/// Returns the positions of the source and the target among all versions.
fn ends(route: &Route) -> Option<[usize; 2]> {
    Some([route.version(route.from)?, route.version(route.to)?])
}

fn lies_between(route: &Route, home: usize, peer: usize) -> bool {
    let Some([from, to]) = ends(route) else { return false };
    let (low, high) = (from.min(to), from.max(to));
    home <= low && peer >= high || peer <= low && home >= high
}

/// Finds this release's rules for the entries of another release. Entries that this hop can restore
/// are treated as if this release had written them. Entries for fields that the source shows itself
/// are dropped.
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
            hop.lose(UnrestoredReason::Ignored);
        }
    }
}

/// The entries of another release for which no rule was found yet.
struct Adoption<'h, 'a> {
    hop: &'h mut Hop<'a>,
    /// The positions of the source and the target among all versions.
    ends: [usize; 2],
    left: HashMap<String, Candidate>,
}

impl<'a> Adoption<'_, 'a> {
    /// Drops the entries that were kept for fields that the source has and shows.
    fn forget(&mut self, instance: usize, path: &[&'static str], home: usize) {
        let fields: Vec<Option<&'static str>> = match self.hop.source.node(instance) {
            Node::Object(object) => {
                // What is set aside is a field that the source doesn't know.
                let keeps =
                    object.steps.iter().filter(|step| !matches!(step, Step::SetAside { .. }));
                keeps.filter_map(Step::keeps).map(Some).collect()
            }
            Node::Union(_) => vec![None],
            Node::List { .. } | Node::Map { .. } => Vec::new(),
        };
        for field in fields {
            let path: Vec<_> = path.iter().copied().chain(field).collect();
            let key = self.key_at(self.ends[0], home, &path);
            if let Some(candidate) = key.and_then(|key| self.left.remove(&key)) {
                self.hop.discard(candidate.named, UnrestoredReason::AtHome);
            }
        }
    }

    /// Returns the name of the annotation that a field has in the version `home`. `path` is the
    /// field's path in the version `from` of this hop.
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
            let carried = Carried::new(named, entries, true, &mut hop.tally.unrestored);
            // When a release writes its own annotation, it drops this one. So this one was written
            // later.
            if let Some(before) = hop.inbox.add(own.into(), carried) {
                hop.discard(before, UnrestoredReason::Superseded);
            }
        }
    }

    /// Returns the rules that may restore something in a value.
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
                        let peer = convert.inputs().map(|(member, slot)| peer_field(member, slot));
                        let home = convert.group.outputs.iter().collect();
                        Some(Rule { home, peer: Some(peer.collect()) })
                    }
                    Step::Rename { .. }
                    | Step::Retag { .. }
                    | Step::Remove { .. }
                    | Step::Unset { .. }
                    | Step::Move(_)
                    | Step::SetAside { .. }
                    | Step::PutBack { .. } => None,
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

    /// Gives the fields of an annotation's entries the names of this hop. Returns `None`, and
    /// changes nothing, if the entries can't be compared with the fields of this hop.
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
            // The peer is no longer a version. If two versions have the same list keys, no version
            // between them had other keys.
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

    /// Returns the names that the fields of an annotation's entries have there and in this hop: of
    /// the kept fields, and of the guard's fields.
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

/// Whether a rule knows all fields that an entry names, and accepts the values that the entry
/// keeps.
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

/// Whether the source shows exactly what an entry's guard says. The peer is no longer a version, so
/// it isn't known whether any difference is an edit.
fn holds(entry: &Entry, rule: &Rule<'_>) -> bool {
    let (Some(guard), Some(peer)) = (entry.guard(), &rule.peer) else { return true };
    // Each item would have to be compared with the guard.
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
