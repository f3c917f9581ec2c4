//! What came of a migration, and of each object.

use serde::Serialize;

/// How many objects a report names that couldn't be rewritten.
const NAMED: usize = 100;

/// What came of a migration.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Report {
    /// The name of the CustomResourceDefinition.
    pub resource: String,
    /// The version with `storage`.
    pub storage: String,
    /// Whether nothing was stored.
    pub dry_run: bool,
    /// How many objects there were.
    pub objects: u64,
    /// How many of them changed in storage.
    pub rewritten: u64,
    /// How many were stored as they should be already.
    pub unchanged: u64,
    /// How many were deleted before their turn came.
    pub gone: u64,
    /// How many named versions in `metadata.managedFields` that are or will be gone.
    pub managed_fields_cleaned: u64,
    /// How many annotations were taken out that keep what only a removed version could say.
    pub annotations_removed: u64,
    /// How many couldn't be rewritten.
    pub failed: u64,
    /// The first hundred of these.
    pub failures: Vec<Unmigrated>,
    /// `status.storedVersions` at the end.
    pub stored_versions: Vec<String>,
}

/// An object that couldn't be rewritten.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Unmigrated {
    /// `<namespace>/<name>`, or the name in the scope of the cluster.
    pub object: String,
    /// Why, in the API server's words.
    pub reason: String,
}

impl Report {
    pub(super) fn add(&mut self, object: String, outcome: Outcome) {
        self.objects += 1;
        match outcome {
            Outcome::Written { managed, annotations } => {
                self.rewritten += 1;
                self.managed_fields_cleaned += u64::from(managed);
                self.annotations_removed += annotations;
            }
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Gone => self.gone += 1,
            Outcome::Failed(reason) => {
                self.failed += 1;
                if self.failures.len() < NAMED {
                    self.failures.push(Unmigrated { object, reason });
                }
            }
        }
    }
}

/// What became of an object.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is in the storage version now.
    Written {
        /// Whether `managedFields` changed.
        managed: bool,
        /// How many annotations went.
        annotations: u64,
    },
    /// It was.
    Unchanged,
    Gone,
    Failed(String),
}
