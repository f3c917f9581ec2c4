//! Rewrites one object into the storage version.

use std::time::Duration;

use kube::Error;
use serde_json::{Value, json};

use super::clean::{Cleaned, Cleaning};
use super::definition::State;
use super::report::{Cause, Outcome, cause};
use crate::ResourceType;
use crate::cluster::{
    requests::{Metadata, Partial, Requests, is_unreachable},
    said,
};

/// How often an object is retried if other clients write it at the same time, and how long to wait
/// in between.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// The reason why an object isn't cleaned.
const OWNERS: &str = "the API server didn't update the owners of its fields (`metadata.managedFields`), as happens when it can't convert the object into a \
     version that these name; use a server-side apply on the object to see the reason";

/// The settings that all objects share.
pub(super) struct Rewrite<'a> {
    pub(super) resource: &'a ResourceType,
    pub(super) requests: &'a Requests,
    pub(super) state: &'a State,
    pub(super) cleaning: Cleaning,
}

impl Rewrite<'_> {
    /// Rewrites an object that was listed.
    pub(super) async fn object(&self, item: Value) -> (String, Outcome) {
        let metadata = item.get("metadata").unwrap_or(&Value::Null);
        let needs_cleaning = self.cleaning.is_needed(self.resource.definition().group, metadata);
        let metadata = match serde_json::from_value::<Metadata>(metadata.clone()) {
            Ok(metadata) => metadata,
            Err(error) => {
                return (String::new(), Outcome::Failed(Cause::Other, error.to_string()));
            }
        };
        drop(item);
        let kind = self.resource.definition().kind;
        let mut refused = None;
        // An object that was valid when it was written may be invalid in some versions. The stored
        // form is never validated.
        for version in &self.state.served {
            match self.in_version(version, &metadata, needs_cleaning).await {
                Ok(outcome) => return (metadata.shown(), outcome),
                Err(error) => {
                    let goes_on = is_refusal(&error);
                    refused.get_or_insert_with(|| (cause(&error, kind), said(&error)));
                    if !goes_on {
                        break;
                    }
                }
            }
        }
        let (cause, reason) = refused.unwrap_or((Cause::Other, String::new()));
        (metadata.shown(), Outcome::Failed(cause, reason))
    }

    async fn in_version(
        &self,
        version: &str,
        object: &Metadata,
        needs_cleaning: bool,
    ) -> Result<Outcome, Error> {
        let mut attempts = 1..ATTEMPTS;
        loop {
            let outcome = if needs_cleaning {
                self.clean(version, object).await
            } else {
                self.touch(version, object).await
            };
            match outcome {
                Err(Error::Api(status)) if status.is_not_found() => return Ok(Outcome::Gone),
                Err(Error::Api(status)) if status.is_conflict() && attempts.next().is_some() => {}
                outcome => return outcome,
            }
            // An object with another `uid`, or without one, is a conflict, too. It was created
            // later, and so in the storage version.
            match self.requests.get(version, object).await? {
                Some(json) if uid(&json) == object.uid => {}
                _ => return Ok(Outcome::Gone),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Has the API server write the object as it is. The request contains no fields, so it can't
    /// overwrite any. If another client was faster, the API server itself retries.
    async fn touch(&self, version: &str, object: &Metadata) -> Result<Outcome, Error> {
        let after = if object.managed_fields.is_empty() {
            // The first server-side apply to an object gives all of its fields an owner.
            self.requests.merge(version, object, &json!({}), false).await?
        } else {
            let kind = self.resource.definition().kind;
            self.requests.apply(version, kind, object).await?
        };
        Ok(self.outcome(object, &after, Outcome::Written { managed: false, annotations: 0 }))
    }

    /// Returns the outcome of a write. A dry run answers with the previous resource version, even
    /// if the write would change the stored object.
    ///
    /// Source: `DryRunnableStorage` in `k8s.io/apiserver/pkg/registry/generic/registry`.
    fn outcome(&self, before: &Metadata, after: &Partial, written: Outcome) -> Outcome {
        let is_same = before.resource_version == after.metadata.resource_version;
        if is_same && !self.requests.is_dry_run() { Outcome::Unchanged } else { written }
    }

    /// Rewrites an object and removes references. This happens only if no other client has written
    /// the object in the meantime.
    async fn clean(&self, version: &str, object: &Metadata) -> Result<Outcome, Error> {
        let Some(json) = self.requests.get(version, object).await? else {
            return Ok(Outcome::Gone);
        };
        let cleaned = self.cleaning.clean(self.resource, self.state.schema(version), &json);
        let keeps_owners = cleaned.keeps_owners(object);
        let outcome = Outcome::Written {
            managed: cleaned.managed.is_some(),
            annotations: cleaned.annotations.len() as u64,
        };
        let patch = patch(&json, cleaned)?;
        // Such a write succeeds even if the API server can't determine the owners. Before 1.37, no
        // fields have an owner then, and since then the previous owners stay. So the write is tried
        // first in a dry run.
        let tried = self.requests.merge(version, object, &patch, true).await?;
        let owners = &tried.metadata.managed_fields;
        let group = self.resource.definition().group;
        if (keeps_owners && owners.is_empty()) || self.cleaning.any_stale(group, owners) {
            return Ok(Outcome::Failed(Cause::Other, OWNERS.to_owned()));
        }
        if self.requests.is_dry_run() {
            return Ok(outcome);
        }
        let after = self.requests.merge(version, object, &patch, false).await?;
        Ok(self.outcome(object, &after, outcome))
    }
}

fn uid(json: &str) -> String {
    let object: Option<Partial> = serde_json::from_str(json).ok();
    object.map(|object| object.metadata.uid).unwrap_or_default()
}

fn patch(json: &str, cleaned: Cleaned) -> Result<Value, Error> {
    let object: Partial = serde_json::from_str(json).map_err(Error::SerdeError)?;
    let mut metadata = json!({ "resourceVersion": object.metadata.resource_version });
    if let Some(managed) = cleaned.managed {
        metadata["managedFields"] = managed;
    }
    for key in cleaned.annotations {
        metadata["annotations"][key] = Value::Null;
    }
    Ok(json!({ "metadata": metadata }))
}

/// Whether the API server may accept the object in another version: it is invalid in this one, or
/// can't be converted into it. If the webhook can't be reached, no other version helps.
/// webhook.
fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Api(status) if matches!(status.code, 422 | 500))
        && !is_unreachable(error)
}
