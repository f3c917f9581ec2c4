//! A resource ready for conversions: its definition, and the resolved plan of every hop.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;

use crate::complement::Losses;
use crate::definition::{Definition, Layout, VersionDefinition};
use crate::engine::{
    Direction, Ends, Engine, Excess, Joined, MAX_ANNOTATIONS, Missing, Place, Places, Room, Route,
    Stop, Stored, Tally, Way, is_about_status, label, remove_from_status, with_engine,
};
use crate::error::ConversionError;
use crate::error::{FieldError, OversizedError};
use crate::json::Scanner;
use crate::object::{Identity, object_name};
use crate::versioned::VersionedResource;

/// A resource ready for conversions.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::Resource;
///
/// let boxes = Resource::of::<Box>();
/// assert_eq!(boxes.definition().plural, "boxes");
/// # }
/// ```
#[derive(Debug)]
pub struct Resource {
    definition: &'static Definition,
    /// For each version but the newest, the hop to the next newer one.
    upgrades: Vec<Route>,
    /// For each version but the oldest, the hop to the next older one, from the newest on.
    downgrades: Vec<Route>,
    /// The hops that can be joined, for each pair of versions, once they were needed.
    joined: Vec<OnceLock<Vec<Joined>>>,
    /// The route of a copy. It also has the prefix of the carrier's annotations.
    still: Route,
    /// For each version, whether objects may be stored in it.
    stored: Vec<bool>,
    /// For each version, where status entries are stored.
    status_places: Vec<Place>,
    /// Whether status entries in annotations count, too.
    status_annotations: bool,
}

/// Returns where a version stores status entries, if any conversion of its resource keeps some.
pub(crate) fn status_place(version: &VersionDefinition) -> Place {
    match version.layout {
        _ if !version.status => Place::Annotations,
        Layout::Stanzas(all) if all.iter().all(|stanza| stanza.wire != "status") => {
            Place::OwnStatus
        }
        _ => Place::Status,
    }
}

impl Resource {
    /// Resolves the plans of the resource that `T` declares.
    pub fn of<T: VersionedResource>() -> Self {
        Self::new(T::DEFINITION)
    }

    /// Resolves the plans of a definition.
    pub fn new(definition: &'static Definition) -> Self {
        let mut upgrades = Vec::new();
        let mut downgrades = Vec::new();
        for pair in definition.versions.windows(2) {
            let ends = Ends { group: definition.group, older: pair[0].name, newer: pair[1].name };
            let plan = pair[1].rules();
            upgrades.push(Route::new(ends, plan, Direction::Upgrade));
            downgrades.push(Route::new(ends, plan, Direction::Downgrade));
        }
        let homes = (0..definition.versions.len()).map(|version| {
            let older = version.checked_sub(1).and_then(|older| upgrades.get(older));
            [older, downgrades.get(version)].map(|hop| hop.map(|hop| Arc::clone(&hop.restores)))
        });
        let homes = homes.collect();
        for route in upgrades.iter_mut().chain(&mut downgrades) {
            route.link(definition.versions, &homes);
        }
        downgrades.reverse();
        let joined = definition.versions.iter().flat_map(|_| definition.versions);
        let joined = joined.map(|_| OnceLock::new()).collect();
        let ends = Ends { group: definition.group, older: "", newer: "" };
        let still = Route::new(ends, None, Direction::Upgrade);
        let stored = definition.versions.iter().map(|version| version.storage).collect();
        let mut hops = upgrades.iter().chain(&downgrades);
        let keeps =
            hops.any(|hop| hop.restores.keys().any(|key| is_about_status(key, &hop.prefix)));
        // If any hop keeps status entries, all versions have a place for them: a release that knows
        // fewer versions passes on the entries for versions that it doesn't know.
        let place = |version| if keeps { status_place(version) } else { Place::Annotations };
        let status_places = definition.versions.iter().map(place).collect();
        Self {
            definition,
            upgrades,
            downgrades,
            joined,
            still,
            stored,
            status_places,
            status_annotations: false,
        }
    }

    /// Declares the versions that stored objects may have besides the one with `storage`.
    ///
    /// Call this while the storage version changes, and pass `status.storedVersions` of the
    /// CustomResourceDefinition. Versions that the resource doesn't have are ignored.
    ///
    /// An object that is too large for one of these versions is refused there. In a version in
    /// which nothing is stored, you can read the object without the values that
    /// [don't fit](crate::guide::carrier#size).
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() {
    /// use crd_conv::Resource;
    ///
    /// // Objects were stored as `v1` before, and some still are.
    /// let boxes = Resource::of::<Box>().stored_in(&["v1", "v2"]);
    /// # }
    /// ```
    #[must_use]
    pub fn stored_in(mut self, versions: &[&str]) -> Self {
        for (stored, version) in self.stored.iter_mut().zip(self.definition.versions) {
            *stored |= versions.contains(&version.name);
        }
        self
    }

    /// Reads kept values for status fields from annotations, where an earlier release wrote them.
    ///
    /// A client that may write an object, but not its status, may write its annotations. With this
    /// call, it can change the values that are kept for status fields. So call this only as long as
    /// objects exist whose values were not yet kept in the status.
    /// [The guide](crate::guide::carrier#status) shows how to migrate them.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() {
    /// use crd_conv::Resource;
    ///
    /// let boxes = Resource::of::<Box>().reading_status_annotations();
    /// # }
    /// ```
    #[must_use]
    pub fn reading_status_annotations(mut self) -> Self {
        self.status_annotations = true;
        self
    }

    /// Returns for each version where status entries are stored.
    #[cfg(feature = "schema")]
    pub(crate) fn status_places(&self) -> &[Place] {
        &self.status_places
    }

    /// Returns what becomes of each field between neighboring versions, oldest hop first.
    ///
    /// The module [`explanation`](crate::explanation) has an example.
    #[cfg(feature = "schema")]
    pub fn explanation(&self) -> Vec<crate::explanation::Hop> {
        crate::explanation::explain(self.definition.group, self.definition.versions)
    }

    /// Returns the resource as its author declared it.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Converts one object to another version, named `v1` or `example.com/v1`.
    ///
    /// Values that the new version can't express are kept in annotations of the object, and
    /// restored from them.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::Resource;
    ///
    /// let boxes = Resource::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// let new = boxes.convert(old.as_bytes(), "v2")?;
    /// assert!(new.json.ends_with(r#""spec":{"replicas":3}}"#));
    /// assert_eq!(boxes.convert(new.json.as_bytes(), "v1")?.json, old);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a JSON object of this resource in one of its versions, if the
    /// resource doesn't have the desired version, if a converter refuses a value, or if the
    /// annotations [don't fit](crate::OversizedError).
    pub fn convert(&self, object: &[u8], desired: &str) -> Result<Converted, ConversionError> {
        self.convert_within(MAX_ANNOTATIONS, object, desired)
    }

    /// Like `convert`, with another limit than the API server's.
    pub(crate) fn convert_within(
        &self,
        max_annotations: usize,
        object: &[u8],
        desired: &str,
    ) -> Result<Converted, ConversionError> {
        let text = utf8(object)?;
        let mut scanner = Scanner::new(text);
        let identity = Identity::read(&mut scanner)?;
        let target = match desired.strip_prefix(self.definition.group) {
            Some(rest) if rest.starts_with('/') => &rest[1..],
            _ => desired,
        };
        let path = self.path(&identity, target)?;
        let mut converted =
            Converted { json: String::with_capacity(text.len()), ..Converted::default() };
        let (json, mut tally) = (&mut converted.json, Tally::default());
        with_engine(|engine| {
            self.walk(engine, &mut scanner, path, max_annotations, &mut tally, json)
        })?;
        scanner.end()?;
        converted.losses = tally.losses;
        Ok(converted)
    }

    /// Reads an object of any version as the type of the newest one.
    ///
    /// Values that the newest version can't express are kept in the object's annotations.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::Resource;
    ///
    /// let boxes = Resource::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// #[derive(serde::Deserialize)]
    /// struct Newest {
    ///     spec: v2::Spec,
    /// }
    /// let new: Newest = boxes.read(old.as_bytes())?;
    /// assert_eq!(new.spec.replicas, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`convert`](Self::convert), or if the type can't hold the
    /// converted object.
    pub fn read<T: DeserializeOwned>(&self, object: &[u8]) -> Result<T, ConversionError> {
        let newest = self.definition.versions.last().map_or("", |version| version.name);
        let converted = self.convert(object, newest)?;
        serde_json::from_str(&converted.json).map_err(|error| ConversionError::Value {
            type_name: std::any::type_name::<T>(),
            reason: error.to_string(),
        })
    }

    /// Removes all entries from an object that leaves the cluster.
    ///
    /// Values that were only in those entries are lost.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::Resource;
    ///
    /// let boxes = Resource::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// let new = boxes.convert(old.as_bytes(), "v2")?.json;
    /// assert!(new.contains("conversion.example.com/v1.spec.owner"));
    /// assert!(!boxes.export(new.as_bytes())?.contains("conversion.example.com"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a JSON object.
    pub fn export(&self, object: &[u8]) -> Result<String, ConversionError> {
        let mut out = String::with_capacity(object.len());
        let mut scanner = Scanner::new(utf8(object)?);
        with_engine(|engine| engine.export(&mut scanner, &self.still, None, &mut out)).map_err(
            |stop| match stop {
                Stop::Syntax(error) => ConversionError::from(error),
                Stop::Field { failure, .. } => ConversionError::Refused {
                    object: object_name(scanner.text(), 0),
                    reason: format!("`{}` {}", failure.field, failure.reason),
                },
                // An export needs no entries, and has none.
                Stop::Missing(_) | Stop::Excess(_) => ConversionError::Refused {
                    object: object_name(scanner.text(), 0),
                    reason: "its kept values don't fit into its annotations".to_owned(),
                },
            },
        )?;
        scanner.end()?;
        remove_from_status(&mut out, &self.still.prefix);
        Ok(out)
    }

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
                    engine.limit(out, begin, &self.still, room, &mut tally.losses)
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

fn utf8(bytes: &[u8]) -> Result<&str, ConversionError> {
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        ConversionError::Syntax(format!("invalid UTF-8 at byte {}", error.valid_up_to()))
    })
}

/// A converted object.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// use crd_conv::{Converted, Resource};
///
/// let boxes = Resource::of::<Box>();
/// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
/// let Converted { json, losses, .. } = boxes.convert(old.as_bytes(), "v2")?;
/// assert!(json.contains(r#""replicas":3"#) && losses.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Converted {
    /// The object's JSON.
    pub json: String,
    /// The entries that were not restored.
    pub losses: Losses,
}

/// The positions of two versions in the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) from: usize,
    pub(crate) to: usize,
}
