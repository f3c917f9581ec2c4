//! The removal of a version.

use std::fmt;

use kube::Client;
use serde::Serialize;

use super::clean::Cleaning;
use super::definition::State;
use super::{Event, Migration, MigrationError, MigrationReport};

/// Removes a version from a cluster, as far as that is safe at the time.
///
/// Each [run](Self::run) does what is possible by now, and returns what you have to do before the
/// next one:
///
/// - As soon as another version is the storage version, each run rewrites all objects before it
///   reports anything. `status.storedVersions` is no proof, because a failed
///   `StorageVersionMigration` changes it, too.
/// - Once the version isn't served, this also gives the owners of its fields those of another
///   version.
/// - After that, when neither the CustomResourceDefinition nor this program has the version, it
///   removes the annotations that keep values that only that version has.
///
/// Before the last step, nothing is lost, and you can undo everything.
///
/// Other objects may refer to the version. [`References`](super::References) finds them. The
/// removal neither changes nor awaits them, because only their authors know what they need.
///
/// Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#previous-storage-versions>
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # async fn remove(client: kube::Client) -> Result<(), crd_conv::migrate::MigrationError> {
/// use crd_conv::{ResourceType, migrate::{Migration, Removal}};
///
/// let (step, _) = Removal::new(Migration::new(ResourceType::of::<Box>()), "v1").run(&client, |_| {}).await?;
/// println!("{step}");
/// # Ok(())
/// # }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Removal {
    migration: Migration,
    version: String,
}

/// The state of a removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "camelCase")]
#[non_exhaustive]
pub enum RemovalStep {
    /// Objects are stored in the version when they are written.
    InStorage {
        /// The version.
        version: String,
    },
    /// The version is served. All objects were rewritten, so none is stored in it.
    Served {
        /// The version.
        version: String,
    },
    /// Nothing in the cluster needs the version, but the CustomResourceDefinition or this program
    /// still has it.
    Unused {
        /// The version.
        version: String,
        /// Whether the CustomResourceDefinition has it.
        in_cluster: bool,
        /// Whether this program has it.
        in_program: bool,
    },
    /// Nothing was stored, so that nothing has changed.
    Tried {
        /// The version.
        version: String,
    },
    /// Neither the CustomResourceDefinition nor this program has the version, and no object has
    /// entries for it. For a version that never existed, the state is the same.
    Removed {
        /// The version.
        version: String,
    },
}

impl fmt::Display for RemovalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InStorage { version } => write!(
                f,
                "objects are stored in {version}; write `#[versioned(storage)]` on another version, roll that out, and run this again"
            ),
            Self::Served { version } => write!(
                f,
                "no object is stored in {version} any more, but it is served; when no client asks for it and nothing refers to it, write \
                 `#[versioned(served = false)]` on it, roll that out, and run this again"
            ),
            Self::Unused { version, in_cluster: true, in_program: false } => write!(
                f,
                "nothing in the cluster needs {version}; install the CustomResourceDefinition of this program, which doesn't have it, and run this again"
            ),
            Self::Unused { version, in_cluster: false, in_program: true } => write!(
                f,
                "the CustomResourceDefinition doesn't have {version}, but this program does; delete its types and its variant, roll that out, and run this \
                 again with that release"
            ),
            Self::Unused { version, .. } => write!(
                f,
                "nothing in the cluster needs {version}; delete its types and its variant, roll that out, and run this again with that release"
            ),
            Self::Tried { version } => {
                write!(
                    f,
                    "go on with the removal of {version} by running this again without the dry run"
                )
            }
            // The state is the same as for a version that never existed.
            Self::Removed { version } => write!(
                f,
                "there is no version {version} (any more): neither the CustomResourceDefinition nor this program has it, and no object has entries for it"
            ),
        }
    }
}

impl Removal {
    /// Makes a removal of a version. The migration defines how objects are rewritten.
    pub fn new(migration: Migration, version: impl Into<String>) -> Self {
        Self { migration, version: version.into() }
    }

    /// Continues the removal.
    ///
    /// The report covers the objects that were rewritten for it. There is none while the version is
    /// the storage version.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Migration::run`].
    pub async fn run(
        &self,
        client: &Client,
        observer: impl FnMut(Event<'_>),
    ) -> Result<(RemovalStep, Option<MigrationReport>), MigrationError> {
        let Self { migration, version } = self;
        let state = State::read(client, &migration.resource.definition().crd_name()).await?;
        let version = version.clone();
        let own = migration.resource.definition().versions;
        let in_program = own.iter().any(|own| own.name == version);
        let in_cluster = state.versions.contains(&version);
        if state.storage == version {
            return Ok((RemovalStep::InStorage { version }, None));
        }
        let is_served = state.served.contains(&version);
        let cleaning = Cleaning {
            known: state.versions.clone(),
            // While the version is served, clients that write in it would add the references again.
            removed: Some(version.clone()).filter(|_| !is_served),
            entries: !in_cluster && !in_program,
        };
        let report = migration.run_with(client, &state, cleaning, observer).await?;
        let step = if report.dry_run {
            RemovalStep::Tried { version }
        } else if is_served {
            RemovalStep::Served { version }
        } else if in_cluster || in_program {
            RemovalStep::Unused { version, in_cluster, in_program }
        } else {
            RemovalStep::Removed { version }
        };
        Ok((step, Some(report)))
    }
}
