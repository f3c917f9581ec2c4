//! Sorts the annotations of the carrier: those that this hop may restore, those without effect, and
//! all others.

use super::adopt::Candidate;
use super::hop::{Carried, Hop, parsed};
use super::program::ANNOTATIONS;
use crate::complement::{Parsed, UnrestoredReason};

/// The JSON of a tombstone is shorter than this. A tombstone replaces entries that had no room.
const MAX_TOMBSTONE: usize = 256;

/// Whether the API server may store objects in the versions at the ends of a conversion.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stored {
    /// Objects may be stored in the source version. So this one may be read, in a list with all
    /// others. What it lacks was lost before.
    pub(crate) from: bool,
    /// Objects may be stored in the target version. So this one may be about to be stored, and must
    /// not lack anything.
    pub(crate) to: bool,
    /// The version that the object is wanted in.
    pub(crate) version: &'static str,
}

/// Entries that an object lacks, because a tombstone replaces them. The conversion can't go on
/// without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The annotation's name.
    pub(crate) key: String,
    /// How many bytes the annotation would have.
    pub(crate) size: usize,
}

/// The annotations that need a closer look.
#[derive(Debug, Default)]
pub(super) struct Located {
    /// Annotations that another release wrote.
    pub(super) candidates: Vec<Candidate>,
    pub(super) missing: Vec<Missing>,
}

/// Puts the entries for the target into the hop's inbox.
pub(super) fn locate(hop: &mut Hop<'_>, stored: Stored) -> Located {
    let mut located = Located::default();
    for named in hop.source.document.carried(ANNOTATIONS) {
        located.annotation(hop, stored, named);
    }
    located
}

impl Located {
    fn annotation(&mut self, hop: &mut Hop<'_>, stored: Stored, named: usize) {
        let (route, key) = (hop.source.route, hop.source.key(named));
        let is_for = |version: &str| {
            let rest = key[route.prefix.len()..].strip_prefix(version);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let (at_home, restores) = (is_for(route.from), is_for(route.to));
        if !(at_home || restores) {
            // With two versions, no version lies between a home and its peer.
            if route.versions.len() > 2 {
                self.candidates.extend(Candidate::of_distant(hop, named, &key));
            }
            return self.for_others(hop, stored, named);
        }
        let Some(parsed) = parsed(hop.patch.value(hop.source, named)) else { return };
        match parsed {
            Parsed::Unknown => hop.lose(UnrestoredReason::Ignored),
            Parsed::Malformed => hop.discard(named, UnrestoredReason::Malformed),
            Parsed::Entries(..) | Parsed::Tombstone { .. }
                if at_home && is_read_at_home(hop, &key) =>
            {
                hop.discard(named, UnrestoredReason::AtHome);
            }
            Parsed::Tombstone { peer, size } => {
                let restores = restores && peer == route.from;
                self.tombstone(hop, stored, (named, size), restores);
            }
            // The entries are from a rule that only another release has.
            Parsed::Entries(..) if at_home => hop.lose(UnrestoredReason::Ignored),
            Parsed::Entries(peer, entries) if peer != route.from => {
                match Candidate::of_target(hop, named, &key, &peer, entries) {
                    Some(candidate) => self.candidates.push(candidate),
                    None => hop.lose(UnrestoredReason::Ignored),
                }
            }
            Parsed::Entries(_, entries) => {
                let carried = Carried::new(named, entries, false, &mut hop.tally.unrestored);
                if let Some(before) = hop.inbox.add(key, carried) {
                    hop.discard(before, UnrestoredReason::DuplicateKey);
                }
            }
        }
    }

    /// Handles an annotation for another version. Usually, it is no tombstone.
    #[inline]
    fn for_others(&mut self, hop: &mut Hop<'_>, stored: Stored, named: usize) {
        let value = hop.source.value(named);
        if value.len() <= MAX_TOMBSTONE
            && value.contains("tombstone")
            && let Some(Parsed::Tombstone { size, .. }) = parsed(hop.patch.value(hop.source, named))
        {
            self.tombstone(hop, stored, (named, size), false);
        }
    }

    /// Handles a tombstone. It is dropped if the object may be read from storage. Otherwise, the
    /// conversion can't go on if the object may be stored, or if this hop would restore what the
    /// tombstone replaces. In all other cases the tombstone stays.
    fn tombstone(
        &mut self,
        hop: &mut Hop<'_>,
        stored: Stored,
        (named, size): (usize, usize),
        restores: bool,
    ) {
        if stored.from {
            hop.discard(named, UnrestoredReason::Malformed);
        } else if stored.to || restores {
            self.missing.push(Missing { key: hop.source.key(named).into_owned(), size });
        }
    }
}

/// Whether a hop to the source version reads this annotation.
fn is_read_at_home(hop: &Hop<'_>, key: &str) -> bool {
    let route = hop.source.route;
    let home = route.version(route.from).map(|home| &route.homes[home]);
    home.is_none_or(|hops| hops.iter().flatten().any(|restores| restores.contains_key(key)))
}
