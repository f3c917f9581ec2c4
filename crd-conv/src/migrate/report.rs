//! The results of a migration, in total and for each object.

use std::collections::BTreeMap;

use kube::Error;
use serde::Serialize;

use crate::cluster::requests::of_webhook;

/// The most failed objects that a report names.
const NAMED: usize = 100;

/// The result of a migration.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MigrationReport {
    /// The name of the CustomResourceDefinition.
    pub resource: String,
    /// The version with `storage`.
    pub storage: String,
    /// Whether nothing was stored.
    pub dry_run: bool,
    /// The number of objects.
    pub objects: u64,
    /// The number of objects that changed in storage since they were listed, by this migration or
    /// by another client's write. `None` in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<u64>,
    /// The number of objects that were already stored in the right form. `None` in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<u64>,
    /// In a dry run, the maximum number of objects that would change in storage. The API server
    /// accepted a write of each of these.
    ///
    /// It doesn't say which of them would change. The version in which an object is stored isn't
    /// visible, and a dry run always answers with the previous resource version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten_at_most: Option<u64>,
    /// The number of objects that were deleted before their turn.
    pub gone: u64,
    /// The number of objects whose `metadata.managedFields` named versions that are or will be
    /// removed.
    pub managed_fields_cleaned: u64,
    /// The number of annotations that were removed, or would be, because they keep values that only
    /// a removed version has.
    pub annotations_removed: u64,
    /// The number of objects that couldn't be rewritten.
    pub failed: u64,
    /// The number of these for each cause.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub causes: BTreeMap<Cause, u64>,
    /// The first hundred of these.
    pub failures: Vec<Unmigrated>,
    /// `status.storedVersions` at the end.
    pub stored_versions: Vec<String>,
}

/// An object that couldn't be rewritten.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Unmigrated {
    /// `<namespace>/<name>`, or only the name for a cluster-scoped resource.
    pub object: String,
    /// The reason, in the API server's words.
    pub reason: String,
    /// The cause, which you have to fix.
    pub cause: Cause,
}

/// The cause of a failure, which you have to fix before the object can be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Cause {
    /// The object: a converter refuses a value, the object is invalid, or its annotations don't
    /// fit.
    Object,
    /// The conversion webhook: it doesn't answer, or the release that answers doesn't know the
    /// object's version.
    Webhook,
    /// Something else, such as a permission.
    Other,
}

impl MigrationReport {
    pub(super) fn new(resource: &str, storage: &str, stored: &[String], dry_run: bool) -> Self {
        let (none_yet, none_tried) = ((!dry_run).then_some(0), dry_run.then_some(0));
        Self {
            resource: resource.to_owned(),
            storage: storage.to_owned(),
            dry_run,
            rewritten: none_yet,
            unchanged: none_yet,
            rewritten_at_most: none_tried,
            stored_versions: stored.to_vec(),
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, object: String, outcome: Outcome) {
        self.objects += 1;
        match outcome {
            Outcome::Written { managed, annotations } => {
                let written = [&mut self.rewritten, &mut self.rewritten_at_most];
                written.into_iter().flatten().for_each(|count| *count += 1);
                self.managed_fields_cleaned += u64::from(managed);
                self.annotations_removed += annotations;
            }
            Outcome::Unchanged => self.unchanged.iter_mut().for_each(|count| *count += 1),
            Outcome::Gone => self.gone += 1,
            Outcome::Failed(cause, reason) => {
                self.failed += 1;
                *self.causes.entry(cause).or_default() += 1;
                if self.failures.len() < NAMED {
                    self.failures.push(Unmigrated { object, reason, cause });
                }
            }
        }
    }
}

/// The outcome for an object.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The object is in the storage version now. In a dry run, such a write may change it.
    Written {
        /// Whether `managedFields` changed.
        managed: bool,
        /// The number of annotations that were removed.
        annotations: u64,
    },
    /// The object was in the storage version already.
    Unchanged,
    Gone,
    Failed(Cause, String),
}

/// The cause of a failed write, from the API server's error.
pub(super) fn cause(error: &Error, kind: &str) -> Cause {
    let Error::Api(status) = error else { return Cause::Other };
    let is_of_object = || {
        let names = [kind, "a nameless"];
        names.iter().any(|name| of_webhook(&status.message, &format!(": can't convert {name} ")))
    };
    match status.code {
        422 => Cause::Object,
        500 if is_of_object() => Cause::Object,
        500 if WEBHOOK.iter().any(|what| of_webhook(&status.message, what)) => Cause::Webhook,
        _ => Cause::Other,
    }
}

/// The API server's messages if the webhook didn't answer, if the answer isn't a review of this
/// request, or if the answer lacks objects. The last message is from a release that doesn't know a
/// version. It names no kind.
/// one is from a release that doesn't know a version: it names no kind.
const WEBHOOK: [&str; 9] = [
    "failed: Post ",
    "failed: an error on the server",
    "failed: the server ",
    "failed: unexpected error when reading response body",
    "failed: couldn't get version/kind",
    "failed: expected ",
    "failed: no response ",
    " returned ",
    ": can't convert ",
];
