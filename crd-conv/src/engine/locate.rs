//! Sorts the annotations of the carrier: what this hop may restore, what has no effect, and all others.

use super::adopt::Candidate;
use super::hop::{Carried, Hop, parsed};
use super::program::ANNOTATIONS;
use crate::complement::{Loss, Parsed};

/// A tombstone, which stands for entries that had no room, takes less as JSON.
const MAX_TOMBSTONE: usize = 256;

/// In which of the versions at the ends of a conversion the API server may store objects.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stored {
    /// The object may be one that is being read, in a list with all others. What it lacks was lost before.
    pub(crate) from: bool,
    /// The object may be one that is about to be stored, which must not lack anything.
    pub(crate) to: bool,
    /// The version in which it is wanted.
    pub(crate) version: &'static str,
}

/// What an object lacks, since a tombstone stands for it, where the conversion can't go on without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The annotation.
    pub(crate) key: String,
    /// How many bytes it would have.
    pub(crate) size: usize,
}

/// What needs a closer look.
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
            // With two versions there is nobody between a home and its peer.
            if route.versions.len() > 2 {
                self.candidates.extend(Candidate::of_distant(hop, named, &key));
            }
            return self.for_others(hop, stored, named);
        }
        let Some(parsed) = parsed(hop.patch.value(hop.source, named)) else { return };
        match parsed {
            Parsed::Unknown => hop.lose(Loss::Ignored),
            Parsed::Malformed => hop.discard(named, Loss::Malformed),
            Parsed::Entries(..) | Parsed::Tombstone { .. }
                if at_home && is_read_at_home(hop, &key) =>
            {
                hop.discard(named, Loss::AtHome);
            }
            Parsed::Tombstone { peer, size } => {
                let restores = restores && peer == route.from;
                self.tombstone(hop, stored, (named, size), restores);
            }
            // Of a rule that another release has.
            Parsed::Entries(..) if at_home => hop.lose(Loss::Ignored),
            Parsed::Entries(peer, entries) if peer != route.from => {
                match Candidate::of_target(hop, named, &key, &peer, entries) {
                    Some(candidate) => self.candidates.push(candidate),
                    None => hop.lose(Loss::Ignored),
                }
            }
            Parsed::Entries(_, entries) => {
                let carried = Carried::new(named, entries, false, &mut hop.tally.losses);
                if let Some(before) = hop.inbox.add(key, carried) {
                    hop.discard(before, Loss::DuplicateKey);
                }
            }
        }
    }

    /// An annotation for another version, which usually is no tombstone.
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

    /// Keeps a tombstone, or notes that the conversion can't go on with it. It can't if this hop would restore what it
    /// stands for.
    fn tombstone(
        &mut self,
        hop: &mut Hop<'_>,
        stored: Stored,
        (named, size): (usize, usize),
        restores: bool,
    ) {
        if stored.from {
            hop.discard(named, Loss::Malformed);
        } else if stored.to || restores {
            self.missing.push(Missing { key: hop.source.key(named).into_owned(), size });
        }
    }
}

/// Whether an annotation for the source is one that a hop to it reads.
fn is_read_at_home(hop: &Hop<'_>, key: &str) -> bool {
    let route = hop.source.route;
    let home = route.version(route.from).map(|home| &route.homes[home]);
    home.is_none_or(|hops| hops.iter().flatten().any(|restores| restores.contains_key(key)))
}
