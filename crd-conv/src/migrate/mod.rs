//! Moves stored objects to the storage version, and removes versions from a cluster.
//!
//! - [`Migration`] rewrites every object, so that it is stored in the version with `storage`. Then
//!   it updates `status.storedVersions` of the CustomResourceDefinition.
//! - [`Removal`] removes a version step by step.
//! - [`References`] finds the objects that refer to a version, before it is gone.
//!
//! [The guide](crate::guide::migrate) describes the whole life of a version. The commands `migrate`
//! and `check --cluster` of [the command line](crate::cli) do the same as these types.

mod clean;
mod definition;
mod error;
mod fields;
mod references;
mod removal;
mod report;
mod rewrite;
mod slots;
#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::pin::pin;

use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use kube::Client;
use serde::Serialize;
use serde_json::Value;

pub use error::MigrationError;
pub use references::{NotLookedAt, Reference, ReferenceKind, References};
pub use removal::{Removal, RemovalStep};
pub use report::{Cause, MigrationReport, Unmigrated};

use crate::ResourceType;
use crate::cluster::pages::Pages;
use crate::cluster::requests::Requests;
use clean::Cleaning;
use definition::State;
use report::Outcome;
use rewrite::Rewrite;
use slots::Slots;

/// Rewrites every stored object, so that all are stored in the version with `storage`.
///
/// An object moves to the storage version when it is written, even without a change. So each object
/// gets an empty patch, which can't lose what others write at the same time. Once all objects are
/// done, and if the CustomResourceDefinition didn't change, its `status.storedVersions` lists only
/// the storage version.
///
/// You can run an interrupted migration again: an object that is already in the storage version
/// isn't written.
///
/// A migration also repairs `metadata.managedFields`. If they name a version that the
/// CustomResourceDefinition no longer has, server-side apply to the object fails. Any other write
/// then doesn't record the writer in `managedFields`. Before Kubernetes 1.37, such a write removed
/// all owners ([kubernetes#111937](https://github.com/kubernetes/kubernetes/issues/111937)).
///
/// The repair gives each owner the same fields in the storage version. If this program no longer
/// knows the removed version, these are the fields with the same names.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # async fn migrate(client: kube::Client) -> Result<(), crd_conv::migrate::MigrationError> {
/// use crd_conv::{ResourceType, migrate::Migration};
///
/// let report = Migration::new(ResourceType::of::<Box>()).run(&client, |_| {}).await?;
/// assert_eq!(report.stored_versions, [report.storage]);
/// # Ok(())
/// # }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Migration {
    resource: ResourceType,
    dry_run: bool,
    rate: Option<NonZeroU32>,
    concurrency: usize,
}

impl Migration {
    /// Makes a migration for a resource.
    ///
    /// By default, it runs as fast as the API server answers, with 8 requests at a time.
    pub fn new(resource: ResourceType) -> Self {
        Self { resource, dry_run: false, rate: None, concurrency: 8 }
    }

    /// Asks the API server to try each write, and to store nothing (`dryRun=All`).
    ///
    /// The server converts, admits and validates as for a real write. So a dry run finds the
    /// objects that can't be rewritten. It can't tell which of the others would change in storage:
    /// see [`MigrationReport::rewritten_at_most`].
    #[must_use]
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }

    /// Limits how many objects change in storage within any second.
    ///
    /// An object that is already stored in the right form doesn't count: the API server converts
    /// and compares it, and writes nothing. Only [`concurrency`](Self::concurrency) limits those
    /// requests, so that a migration with nothing to do is fast. In a [dry run](Self::dry_run),
    /// every object counts, because it is unknown which ones would change.
    #[must_use]
    pub fn rate(mut self, objects_per_second: NonZeroU32) -> Self {
        self.rate = Some(objects_per_second);
        self
    }

    /// Sets how many objects are sent to the API server at a time.
    #[must_use]
    pub fn concurrency(mut self, objects: NonZeroU32) -> Self {
        self.concurrency = objects.get() as usize;
        self
    }

    /// Rewrites all objects, and reports events to an observer.
    ///
    /// It needs memory only for the metadata of one page of 500 objects.
    ///
    /// If the CustomResourceDefinition changed in the last ten seconds, it first waits until the
    /// change is ten seconds old. If there are several API servers, one of them may still store
    /// objects in the previous version.
    ///
    /// # Errors
    ///
    /// If an object can't be rewritten, for example because it can't be converted, the others are
    /// still rewritten, and [`MigrationError::Objects`] has the report.
    ///
    /// Also fails if there is no such CustomResourceDefinition, if it changed in the meantime, or
    /// if a request fails. `status.storedVersions` doesn't change in any of these cases.
    pub async fn run(
        &self,
        client: &Client,
        observer: impl FnMut(Event<'_>),
    ) -> Result<MigrationReport, MigrationError> {
        let state = State::read(client, &self.resource.definition().crd_name()).await?;
        let cleaning = Cleaning { known: state.versions.clone(), ..Cleaning::default() };
        self.run_with(client, &state, cleaning, observer).await
    }

    async fn run_with(
        &self,
        client: &Client,
        state: &State,
        cleaning: Cleaning,
        mut observer: impl FnMut(Event<'_>),
    ) -> Result<MigrationReport, MigrationError> {
        observer(Event::Started {
            resource: &state.name,
            storage: &state.storage,
            stored_versions: &state.stored,
            dry_run: self.dry_run,
        });
        if !self.dry_run {
            state.settle().await;
        }
        let definition = self.resource.definition();
        let requests = Requests::new(client, definition.group, definition.plural, self.dry_run);
        let mut report =
            MigrationReport::new(&state.name, &state.storage, &state.stored, self.dry_run);
        let rewrite = Rewrite { resource: &self.resource, requests: &requests, state, cleaning };
        self.rewrite_all(&rewrite, &mut report, &mut observer).await?;
        if report.failed > 0 {
            let report = Box::new(report);
            return Err(MigrationError::Objects { name: state.name.clone(), report });
        }
        if !self.dry_run {
            report.stored_versions = state.finish(client).await?;
        }
        Ok(report)
    }

    async fn rewrite_all(
        &self,
        rewrite: &Rewrite<'_>,
        report: &mut MigrationReport,
        observer: &mut impl FnMut(Event<'_>),
    ) -> Result<(), MigrationError> {
        let mut slots = Slots::new(self.rate);
        let mut pages = rewrite.state.pages(rewrite.requests, true)?;
        loop {
            let page = pages.next::<Value>().await;
            let page = page.map_err(|error| MigrationError::listing(&rewrite.state.name, error))?;
            let Some(page) = page else { return Ok(()) };
            let total = page.remaining.map(|more| report.objects + page.items.len() as u64 + more);
            let mut items = page.items.into_iter();
            let mut running = FuturesUnordered::new();
            loop {
                while items.len() > 0 && running.len() < self.concurrency && slots.take() {
                    running.extend(items.next().map(|item| rewrite.object(item)));
                }
                let freed = pin!(slots.freed());
                let (object, outcome) = match select(running.next(), freed).await {
                    Either::Left((Some(done), _)) => done,
                    Either::Left((None, _)) if items.len() == 0 => break,
                    Either::Left((None, freed)) => {
                        freed.await;
                        continue;
                    }
                    Either::Right(_) => continue,
                };
                slots.give_back(&outcome);
                if let Outcome::Failed(cause, reason) = &outcome {
                    observer(Event::Failed { object: &object, reason, cause: *cause });
                }
                report.add(object, outcome);
                observer(Event::Progress { done: report.objects, total });
            }
        }
    }
}

/// All objects of a resource in a cluster, page by page, in the storage version if that version can
/// show them.
pub(crate) async fn objects(
    client: &Client,
    resource: &ResourceType,
) -> Result<Pages, MigrationError> {
    let definition = resource.definition();
    let state = State::read(client, &definition.crd_name()).await?;
    state.pages(&Requests::new(client, definition.group, definition.plural, false), false)
}

/// An event during a migration.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Event<'a> {
    /// The migration starts.
    Started {
        /// The name of the CustomResourceDefinition.
        resource: &'a str,
        /// The version with `storage`.
        storage: &'a str,
        /// `status.storedVersions`.
        stored_versions: &'a [String],
        /// Whether nothing will be stored.
        dry_run: bool,
    },
    /// One more object is done.
    Progress {
        /// The number of objects that are done.
        done: u64,
        /// The approximate number of all objects, if the API server counts them.
        total: Option<u64>,
    },
    /// An object can't be rewritten.
    Failed {
        /// `<namespace>/<name>`, or only the name for a cluster-scoped resource.
        object: &'a str,
        /// The reason, in the API server's words.
        reason: &'a str,
        /// The cause, which you have to fix.
        cause: Cause,
    },
}
