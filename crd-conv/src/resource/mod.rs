//! A resource ready for conversions: its definition, and the resolved plan of every hop.

mod convert;
mod walk;

use std::sync::{Arc, OnceLock};

pub use convert::Converted;
pub(crate) use walk::Path;

use crate::definition::{Definition, Layout, VersionDefinition};
use crate::engine::{Direction, Ends, Joined, Place, Route, STATUS, is_about_status};
use crate::versioned::VersionedResource;

/// A resource ready for conversions.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::ResourceType;
///
/// let boxes = ResourceType::of::<Box>();
/// assert_eq!(boxes.definition().plural, "boxes");
/// # }
/// ```
#[derive(Debug)]
pub struct ResourceType {
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
fn status_place(versions: &[VersionDefinition], version: usize) -> Place {
    if !versions[version].status {
        Place::Annotations
    } else if has_status(versions, version) {
        Place::Status
    } else {
        Place::OwnStatus
    }
}

/// Whether the type of a version has a status, or room for one among unknown fields.
fn has_status(versions: &[VersionDefinition], version: usize) -> bool {
    if let Layout::Stanzas(stanzas) = versions[version].layout {
        return stanzas.iter().any(|stanza| stanza.wire == STATUS);
    }
    // Rules name all fields of both versions. Versions without rules between them have one type.
    let older = (0..=version).rev().map(|hop| (hop, 1));
    let newer = (version + 1..versions.len()).map(|hop| (hop, 0));
    let rules = older.chain(newer).find_map(|(hop, side)| Some((versions[hop].rules()?, side)));
    rules.and_then(|(rules, side)| Some((rules.fields()?, side))).is_none_or(|(fields, side)| {
        fields.rules().any(|rule| {
            let fields = rule.rule.fields()[side];
            fields.iter().any(|field| field.wire == STATUS || field.is_rest())
        })
    })
}

impl ResourceType {
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
        let versions = definition.versions;
        let place =
            |version| if keeps { status_place(versions, version) } else { Place::Annotations };
        let status_places = (0..versions.len()).map(place).collect();
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
    /// use crd_conv::ResourceType;
    ///
    /// // Objects were stored as `v1` before, and some still are.
    /// let boxes = ResourceType::of::<Box>().stored_in(&["v1", "v2"]);
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
    /// use crd_conv::ResourceType;
    ///
    /// let boxes = ResourceType::of::<Box>().reading_status_annotations();
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
}
