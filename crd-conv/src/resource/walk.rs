//! Finds the hops between two versions, and sends an object through them.

use std::cmp::Ordering;

use super::ResourceType;
use crate::definition::Definition;
use crate::engine::{
    Engine, Excess, Joined, MAX_ANNOTATIONS, Missing, Places, Room, Stop, Stored, Tally, Way, label,
};
use crate::error::{ConversionError, FieldError, OversizedError};
use crate::json::Scanner;
use crate::object::{Identity, object_name};

impl ResourceType {
    /// Finds the way from an object's version to another one.
    pub(crate) fn path(
        &self,
        identity: &Identity<'_>,
        target: &str,
    ) -> Result<Path, ConversionError> {
        let Definition { group, kind, versions, .. } = self.definition;
        if identity.group() != *group {
            return Err(identity.refused(&format!("its group isn't `{group}`")));
        }
        if identity.kind != *kind {
            return Err(identity.refused(&format!("its kind isn't `{kind}`")));
        }
        let place = |version: &str| {
            versions.iter().position(|known| known.name == version).ok_or_else(|| {
                let known: Vec<_> = versions.iter().map(|version| version.name).collect();
                let known = known.join(", ");
                identity.refused(&format!("`{group}` has {kind} in {known}, not in `{version}`"))
            })
        };
        Ok(Path { from: place(identity.version())?, to: place(target)? })
    }

    /// Whether a conversion may call one of the author's converters. The author's other code, for
    /// defaults and schemas, sees no value of an object: it is called when the plans are resolved,
    /// or once for a field when its form is first needed.
    pub(crate) fn has_converters(&self, path: Path) -> bool {
        self.way(path).hops.iter().any(|hop| hop.has_converters)
    }

    /// Returns the hops from one version to another.
    fn way(&self, Path { from, to }: Path) -> Way<'_> {
        let newest = self.definition.versions.len() - 1;
        let hops = match from.cmp(&to) {
            Ordering::Less => &self.upgrades[from..to],
            Ordering::Equal => &[],
            Ordering::Greater => &self.downgrades[newest - from..newest - to],
        };
        if hops.len() < 2 {
            return Way { hops, joined: &[] };
        }
        let joined = &self.joined[from * self.definition.versions.len() + to];
        Way { hops, joined: joined.get_or_init(|| Joined::of(hops)) }
    }

    /// Converts the object at the scanner's position. The annotations of the result may have
    /// `max_annotations` bytes.
    pub(crate) fn walk(
        &self,
        engine: &mut Engine,
        scanner: &mut Scanner<'_>,
        path: Path,
        max_annotations: usize,
        tally: &mut Tally,
        out: &mut String,
    ) -> Result<(), ConversionError> {
        scanner.peek();
        let (start, begin) = (scanner.pos, out.len());
        let Path { from, to } = path;
        let version = self.definition.versions[to].name;
        let stored = Stored { from: self.stored[from], to: self.stored[to], version };
        let ends = (
            stored,
            Places {
                prefix: &self.still.prefix,
                from: self.status_places[from],
                to: self.status_places[to],
                trusted: self.status_annotations,
            },
        );
        let outcome = if from == to {
            engine.copy(scanner, &self.still, out)
        } else {
            engine.convert(scanner, self.way(path), ends, tally, out)
        };
        outcome
            .and_then(|()| {
                // The API server doesn't convert an object into the version that it already has.
                if from == to {
                    Ok(())
                } else {
                    let complete_in = self.definition.versions[from].name;
                    let room = Room { max: max_annotations, stored: stored.to, complete_in };
                    engine.limit(out, begin, &self.still, room, &mut tally.unrestored)
                }
            })
            .map_err(|stop| self.refusal(stop, path, object_name(scanner.text(), start)))
    }

    fn refusal(&self, stop: Stop, path: Path, object: String) -> ConversionError {
        let Definition { kind, versions, .. } = self.definition;
        let (from, to) = (versions[path.from].name, versions[path.to].name);
        let oversized = |size: Option<usize>, entries: Vec<Missing>| {
            let storage = versions.iter().find(|version| version.storage);
            let storage = storage.map_or(from, |version| version.name);
            let prefix = self.still.prefix.clone();
            let label = (size.is_none() && entries.is_empty()).then(|| label(&self.still.prefix));
            let object = object.clone();
            ConversionError::Oversized(Box::new(OversizedError {
                kind,
                object,
                from,
                to,
                storage,
                size,
                limit: MAX_ANNOTATIONS,
                prefix,
                label,
                entries: entries.into_iter().map(|Missing { key, size }| (key, size)).collect(),
            }))
        };
        match stop {
            Stop::Syntax(error) => error.into(),
            Stop::Missing(entries) => oversized(None, entries),
            Stop::Excess(Excess { total, entries }) => oversized(Some(total), entries),
            Stop::Field { from: hop_from, to: hop_to, failure } => {
                ConversionError::Field(Box::new(FieldError {
                    kind,
                    object,
                    from,
                    to,
                    hop: ((hop_from, hop_to) != (from, to)).then_some((hop_from, hop_to)),
                    field: failure.field,
                    reason: failure.reason,
                    cause: failure.cause,
                }))
            }
        }
    }
}

/// The positions of two versions in the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) from: usize,
    pub(crate) to: usize,
}
