//! The reasons why a CustomResourceDefinition isn't in a cluster.

use std::fmt;
use std::time::Duration;

use super::{ProbeError, said};

/// The reason why a CustomResourceDefinition isn't in a cluster.
#[derive(Debug)]
#[non_exhaustive]
pub enum InstallError {
    /// The webhook that it would point to doesn't answer.
    Probe(ProbeError),
    /// Objects may be stored in versions that the resource no longer has.
    Stored {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The versions in `status.storedVersions` that the resource doesn't have.
        versions: Vec<String>,
    },
    /// A `StorageVersionMigration` runs or has failed, and the resource no longer has versions that
    /// objects may be stored in.
    Migrating {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The versions of the CustomResourceDefinition that the resource doesn't have.
        versions: Vec<String>,
        /// Whether the migration still runs.
        is_running: bool,
    },
    /// The cluster has something that this program lacks, and would lose it. Most likely, this is
    /// an older program.
    ///
    /// See [`Install`](super::Install#protection-against-older-programs).
    TakesAway {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The parts that the cluster would lose, in the form that
        /// [`Install::take_away`](super::Install::take_away) takes: `v1`, `v1.spec.owner`.
        taken: Vec<String>,
        /// This program's field manager.
        manager: String,
        /// The field manager that wrote the CustomResourceDefinition last, with the time, if that
        /// is known.
        written_by: Option<String>,
    },
    /// The storage version would change, and some objects can't be converted to the new one. They
    /// couldn't be written or deleted afterwards.
    NoRoom {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The storage version in the cluster.
        from: String,
        /// The storage version of the resource.
        to: String,
        /// The number of such objects.
        count: u64,
        /// The problems of the first few such objects.
        objects: Vec<String>,
    },
    /// The storage version would change, and it is unknown whether every object can be converted to
    /// the new one.
    Unchecked {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The storage version in the cluster.
        from: String,
        /// The storage version of the resource.
        to: String,
        /// The reason why the objects can't be listed.
        reason: String,
    },
    /// Another field manager has set fields in the CustomResourceDefinition.
    Conflict {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The manager and the fields.
        message: String,
    },
    /// Another resource in the cluster has one of the resource's names.
    Names {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The name.
        reason: String,
    },
    /// The CustomResourceDefinition has more bytes than the API server or etcd accepts.
    TooLarge {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The API server's message.
        message: String,
        /// The parts that take up the bytes, and how to leave them out. Empty if the definition
        /// isn't larger than both accept by default.
        remedy: String,
    },
    /// The API server didn't serve the CustomResourceDefinition in time.
    NotEstablished {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The time limit.
        limit: Duration,
        /// The last observed state.
        reason: String,
    },
    /// A request failed.
    Client {
        /// The kind of request: `read`, `apply` or `watch`.
        doing: &'static str,
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The reason why it failed.
        error: kube::Error,
    },
}

impl InstallError {
    /// The message about what would be taken away, with the way to do it.
    pub(crate) fn taken_away(&self, f: &mut impl fmt::Write, how: &str) -> fmt::Result {
        let Self::TakesAway { name, taken, manager, written_by } = self else { return Ok(()) };
        let taken = taken.join(", ");
        write!(f, "this program (field manager `{manager}`) would remove from {name}: {taken}")?;
        if let Some(by) = written_by {
            write!(f, "; {by} wrote it last")?;
        }
        write!(
            f,
            "; if this is an older release, update it, and leave {name} to the newer one until then; to remove that on purpose, name each: `{how}`"
        )
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Probe(error) => error.fmt(f),
            Self::Stored { name, versions } => write!(
                f,
                "objects may be stored in {versions} of {name}, which this program doesn't have (`status.storedVersions`); if this is an older \
                 release, leave {name} to the newer one; to remove the version, first run the command `migrate --remove {first}` (feature `migrate`) of \
                 the last release that has it, which rewrites the objects and says what else to do; then install this release",
                versions = versions.join(", "),
                first = versions.first().map_or("", |version| version),
            ),
            Self::Migrating { name, versions, is_running } => write!(
                f,
                "a StorageVersionMigration of {name} {}, so objects may be stored in {}, which this program doesn't have, whatever \
                 `status.storedVersions` says; if this is an older release, leave {name} to the newer one; to remove the version, {}run the command \
                 `migrate --remove {}` (feature `migrate`) of the last release that has the version, which rewrites every object; then install this release",
                if *is_running { "is running" } else { "has failed" },
                versions.join(", "),
                if *is_running { "wait until the migration ends, then " } else { "first " },
                versions.first().map_or("", |version| version),
            ),
            Self::TakesAway { taken, .. } => {
                let first = taken.first().map_or("", |taken| taken);
                self.taken_away(f, &format!("take_away(\"{first}\")"))
            }
            Self::NoRoom { name, from, to, count, objects } => {
                let more = usize::try_from(*count).unwrap_or(usize::MAX) - objects.len();
                let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                write!(
                    f,
                    "{count} of the objects of {name} can't be stored in {to}, which this program makes the storage version: {}{more}; make each \
                     smaller, fix it or delete it in {from}, the storage version until now, and install this again",
                    objects.join("; "),
                )
            }
            Self::Unchecked { name, from, to, reason } => write!(
                f,
                "the storage version of {name} would change from {from} to {to}, which is safe only if every object can be converted, and the \
                 objects can't be listed: {reason}"
            ),
            Self::Conflict { name, message } => write!(
                f,
                "another field manager has set fields of {name} to something else: {message}; let only one program own it, or take over the \
                 fields with `take_over`"
            ),
            Self::Names { name, reason } => {
                write!(
                    f,
                    "another resource in the cluster has names of {name}: {reason}; choose others"
                )
            }
            Self::TooLarge { name, message, remedy } if remedy.is_empty() => {
                write!(f, "{name} is too large for the API server: {message}")
            }
            Self::TooLarge { name, message, remedy } => {
                write!(f, "{name} is too large for the API server: {message}; {remedy}")
            }
            Self::NotEstablished { name, limit, reason } => write!(
                f,
                "{name} isn't served after {} seconds: {reason}; see its conditions with `kubectl get crd {name} -o yaml`",
                limit.as_secs_f32()
            ),
            Self::Client { doing, name, error } => {
                write!(f, "can't {doing} {name}: {}", said(error))
            }
        }
    }
}

impl std::error::Error for InstallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Probe(error) => Some(error),
            Self::Client { error, .. } => Some(error),
            _ => None,
        }
    }
}
