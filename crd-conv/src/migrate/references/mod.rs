//! Finds the objects of a cluster that refer to a version.

mod listable;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use kube::{Client, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MigrationError;
use super::definition::State;
use crate::ResourceType;
use crate::cluster::pages::Pages;
use crate::cluster::requests::Requests;
use crate::cluster::said;
use listable::Listable;
use rules::Target;

/// The most references of each kind that are named.
const NAMED: usize = 100;

/// The objects of a cluster that refer to versions of a resource, and what happens to them when
/// these versions are gone.
///
/// This only reads. It lists the metadata of all objects that the garbage collector knows, and the
/// webhooks and policies of admission. It needs memory only for one page of 500 objects.
///
/// These are references:
///
/// - `metadata.ownerReferences` of any object: see [`ReferenceKind::Owner`].
/// - The rules of webhooks and policies that match the resource only in these versions: see
///   [`ReferenceKind::Rule`], [`ReferenceKind::ExactRule`] and [`ReferenceKind::Exclusion`].
/// - `spec.paramKind` of policies: see [`ReferenceKind::Params`].
/// - CEL expressions of webhooks and policies that contain the version with its group, such as
///   `example.com/v1`: see [`ReferenceKind::Expression`]. An expression that compares only the
///   version isn't found.
///
/// These aren't:
///
/// - `metadata.managedFields` of the resource's own objects, because [`Removal`](super::Removal)
///   rewrites them.
/// - Rules of RBAC, priority and fairness, and quotas: they name resources without versions.
/// - `spec.scaleTargetRef` of a `HorizontalPodAutoscaler`. It has a version, but its controller
///   finds the target by group and kind, and asks for its scale in the version that the API server
///   prefers. Source: `reconcileAutoscaler` in `k8s.io/kubernetes/pkg/controller/podautoscaler`.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # async fn find(client: kube::Client) -> Result<(), crd_conv::migrate::MigrationError> {
/// use crd_conv::{ResourceType, migrate::References};
///
/// let found = References::to_version(&client, &ResourceType::of::<Box>(), "v1").await?;
/// for reference in &found.references {
///     println!("{}: {}", reference.object, reference.kind.remedy());
/// }
/// # Ok(())
/// # }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct References {
    /// The name of the CustomResourceDefinition.
    pub resource: String,
    /// The versions that were looked for.
    pub versions: Vec<String>,
    /// The number of references of each kind.
    pub counts: BTreeMap<ReferenceKind, u64>,
    /// The first hundred references of each kind.
    pub references: Vec<Reference>,
    /// The parts of the cluster in which there may be more references.
    pub not_looked_at: Vec<NotLookedAt>,
}

/// One place in an object that refers to a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Reference {
    /// The resource of the object, such as `configmaps` or `deployments.apps`.
    pub resource: String,
    /// `<namespace>/<name>`, or only the name for a cluster-scoped resource.
    pub object: String,
    /// The path of the reference, such as `metadata.ownerReferences[0].apiVersion`.
    pub path: String,
    /// The version.
    pub version: String,
    /// The kind of reference.
    pub kind: ReferenceKind,
    /// The same as [`ReferenceKind::effect`].
    pub effect: &'static str,
    /// The same as [`ReferenceKind::remedy`].
    pub remedy: &'static str,
}

/// A kind of reference. Each has its own effect when the version is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ReferenceKind {
    /// An owner of the object, in `metadata.ownerReferences`.
    ///
    /// The garbage collector looks the owner up in the version that the reference names. If that
    /// version isn't served, the lookup fails, and the collector tries again without end. So it
    /// never deletes the dependent, not even if all of its owners are gone. An owner that is
    /// deleted in the foreground, and that the dependent blocks, stays forever.
    ///
    /// The controllers know the served versions from a cache that is up to 30 seconds old. In that
    /// time, the API server's answer 404 looks to the collector as if the owner was gone. **Then it
    /// deletes a dependent whose owner exists**, if it looks at that dependent, for example because
    /// it is new. It remembers such an owner, so it later deletes further dependents that name the
    /// owner in this version.
    ///
    /// If the reference is changed, the collector notices at its next try. After many tries, that
    /// may take 17 minutes.
    ///
    /// The controller of `PodDisruptionBudget`s looks up the owners of Pods in the same way.
    ///
    /// Source: `isDangling` and `apiResource` in `k8s.io/kubernetes/pkg/controller/garbagecollector`,
    /// `CreateControllerContext` in `k8s.io/kubernetes/cmd/kube-controller-manager/app`, and
    /// `getScaleController` in `k8s.io/kubernetes/pkg/controller/disruption`. See also
    /// [kubernetes#102641](https://github.com/kubernetes/kubernetes/issues/102641).
    Owner,
    /// A rule of a webhook, a policy or a binding with `matchPolicy: Equivalent`, the default.
    ///
    /// It applies to requests in every version, as long as the CustomResourceDefinition has the
    /// version that the rule names. It doesn't matter whether that version is served: the API
    /// server registers all versions of a CustomResourceDefinition as equivalent, and converts the
    /// object into the version of the rule. Once the CustomResourceDefinition doesn't have the
    /// version any more, the rule applies to no request, and nobody is told.
    ///
    /// Source: `getOrCreateServingInfoFor` in `k8s.io/apiextensions-apiserver/pkg/apiserver`, and
    /// <https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchpolicy>
    Rule,
    /// A rule of a webhook, a policy or a binding with `matchPolicy: Exact`.
    ///
    /// It doesn't apply to requests in other versions, not even today. Clients that move to another
    /// version leave it behind. Once the version isn't served, there are no requests for it.
    ///
    /// Source: <https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchpolicy>
    ExactRule,
    /// A rule in `excludeResourceRules` of a policy or a binding with `matchPolicy: Equivalent`.
    ///
    /// As for a [`Rule`](Self::Rule), with the opposite effect: the policy then applies to requests
    /// that it passes over today. With `matchPolicy: Exact`, such a rule is no reference, because
    /// the policy already applies to requests in other versions.
    Exclusion,
    /// The kind of a policy's parameters, in `spec.paramKind`.
    ///
    /// Once the version isn't served, an API server can't read parameters in it. One that already
    /// watches them keeps its last state, and sees no change. One that starts later, or that doesn't
    /// watch them yet, can't configure the policy: it refuses each request that the policy matches,
    /// or ignores the policy if that has `failurePolicy: Ignore`.
    ///
    /// Source: `ensureParamsForPolicyLocked` and `Dispatch` in
    /// `k8s.io/apiserver/pkg/admission/plugin/policy/generic`.
    Params,
    /// A CEL expression of a webhook or a policy, such as `object.apiVersion == "example.com/v1"`.
    ///
    /// It sees the version of the request, or that of the rule that matched it, so what it compares
    /// is never true once the version is gone.
    Expression,
}

impl ReferenceKind {
    /// Returns the name of the kind, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner references",
            Self::Rule => "references in admission rules with `matchPolicy: Equivalent`",
            Self::ExactRule => "references in admission rules with `matchPolicy: Exact`",
            Self::Exclusion => "references in admission exclusions",
            Self::Params => "references in policy parameters",
            Self::Expression => "references in CEL expressions of admission",
        }
    }

    /// Returns what happens when the version is gone.
    pub fn effect(self) -> &'static str {
        match self {
            Self::Owner => {
                "once the version isn't served, the garbage collector can't find the owner: it never deletes the dependent, and in the first \
                 30 seconds may delete a new one although its owner exists"
            }
            Self::Rule => {
                "it applies to requests in every version while the CustomResourceDefinition has this version, served or not; once the version \
                 is deleted there, it silently applies to none"
            }
            Self::ExactRule => {
                "it doesn't apply to requests in other versions today; once the version isn't served, it applies to none"
            }
            Self::Exclusion => {
                "it excludes requests in every version while the CustomResourceDefinition has this version, served or not; once the version is \
                 deleted there, it excludes none"
            }
            Self::Params => {
                "once the version isn't served, running API servers see no change of the parameters, and others refuse every request that the \
                 policy matches, or let it pass with `failurePolicy: Ignore`"
            }
            Self::Expression => {
                "once the version isn't served, no request has it, and what the expression decides by it changes"
            }
        }
    }

    /// Returns what to do before that.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Owner => {
                "update the controller that writes the reference, and change `apiVersion` of the existing ones to a version that stays; `uid` and \
                 `name` are the same in every version"
            }
            Self::Rule | Self::ExactRule => {
                "name a version that stays, and adapt the webhook or the expressions to it, because they then see objects in that version"
            }
            Self::Exclusion => "name a version that stays",
            Self::Params => {
                "name a version that stays in `spec.paramKind.apiVersion`, and adapt the expressions to it, because they then see parameters in \
                 that version"
            }
            Self::Expression => "compare with a version that stays, or only with the group",
        }
    }
}

/// A part of the cluster that couldn't be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NotLookedAt {
    /// A resource, such as `secrets` or `deployments.apps`, or a description of several.
    pub what: String,
    /// The reason, and what to allow.
    pub reason: String,
    /// Whether the only reason is that the permission to `list` the resource is missing.
    pub is_forbidden: bool,
}

/// The parts of an object that may refer to a version. Except for admission, only the metadata is
/// requested.
#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
    #[serde(default)]
    spec: Value,
    #[serde(default)]
    webhooks: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: String,
    namespace: Option<String>,
    #[serde(default)]
    owner_references: Vec<Owner>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Owner {
    api_version: String,
    kind: String,
}

impl References {
    /// Finds the references to one version.
    ///
    /// # Errors
    ///
    /// Fails if the CustomResourceDefinition can't be read. A resource that can't be listed is in
    /// [`not_looked_at`](Self::not_looked_at).
    pub async fn to_version(
        client: &Client,
        resource: &ResourceType,
        version: &str,
    ) -> Result<Self, MigrationError> {
        let state = State::read(client, &resource.definition().crd_name()).await?;
        Ok(Self::find(client, resource, &state, vec![version.to_owned()]).await)
    }

    /// Finds the references to old versions: those of the cluster's CustomResourceDefinition that
    /// this program lacks, doesn't serve, or marks as deprecated. If there are none, nothing is
    /// listed.
    ///
    /// # Errors
    ///
    /// Fails if the CustomResourceDefinition can't be read, as [`to_version`](Self::to_version)
    /// does.
    pub async fn to_old_versions(
        client: &Client,
        resource: &ResourceType,
    ) -> Result<Self, MigrationError> {
        let state = State::read(client, &resource.definition().crd_name()).await?;
        let stays = |name: &String| {
            let own = resource.definition().versions.iter().find(|own| own.name == name);
            own.is_some_and(|own| own.served && !own.deprecated)
        };
        let old = state.versions.iter().filter(|name| !stays(name)).cloned().collect();
        Ok(Self::find(client, resource, &state, old).await)
    }

    async fn find(
        client: &Client,
        resource: &ResourceType,
        state: &State,
        versions: Vec<String>,
    ) -> Self {
        let mut found = Self { resource: state.name.clone(), versions, ..Self::default() };
        if found.versions.is_empty() {
            return found;
        }
        let remaining =
            state.versions.iter().filter(|name| !found.versions.contains(name)).cloned().collect();
        let target = Target {
            definition: resource.definition(),
            versions: found.versions.clone(),
            remaining,
        };
        let (all, unknown) = listable::all(client).await;
        found.not_looked_at.extend(unknown);
        for each in all {
            if let Err(error) = found.look_at(client, &target, &each).await {
                found.not_looked_at.push(each.not_looked_at(&error));
            }
        }
        found.references.sort_by_key(|reference| reference.kind);
        found
    }

    async fn look_at(
        &mut self,
        client: &Client,
        target: &Target,
        listable: &Listable,
    ) -> Result<(), Error> {
        let Listable { group, plural, versions } = listable;
        let requests = Requests::new(client, group, plural, false);
        let only_metadata = !rules::has_rules(listable);
        let Some(mut pages) = Pages::new(requests, versions.clone(), only_metadata) else {
            return Ok(());
        };
        while let Some(page) = pages.next::<Object>().await? {
            for object in page.items {
                self.add(target, listable, &object);
            }
        }
        Ok(())
    }

    fn add(&mut self, target: &Target, listable: &Listable, object: &Object) {
        let mut found = Vec::new();
        for (at, owner) in object.metadata.owner_references.iter().enumerate() {
            if let Some(version) = target.version_of(&owner.api_version, &owner.kind) {
                let path = format!("metadata.ownerReferences[{at}].apiVersion");
                found.push((ReferenceKind::Owner, path, version));
            }
        }
        if rules::has_rules(listable) {
            target.in_admission(&object.webhooks, &object.spec, &mut found);
        }
        let Metadata { name, namespace, .. } = &object.metadata;
        for (kind, path, version) in found {
            let count = self.counts.entry(kind).or_default();
            *count += 1;
            if *count > NAMED as u64 {
                continue;
            }
            let space = namespace.as_ref().map(|space| format!("{space}/"));
            self.references.push(Reference {
                resource: listable.name(),
                object: space.unwrap_or_default() + name,
                path,
                version: version.to_owned(),
                kind,
                effect: kind.effect(),
                remedy: kind.remedy(),
            });
        }
    }
}

impl Listable {
    fn not_looked_at(&self, error: &Error) -> NotLookedAt {
        let what = self.name();
        let is_forbidden = matches!(error, Error::Api(status) if status.is_forbidden());
        let reason = if is_forbidden {
            let group = if self.group.is_empty() { "the core group" } else { &self.group };
            format!("allow `list` for {} of {group} in all namespaces", self.plural)
        } else {
            said(error)
        };
        NotLookedAt { what, reason, is_forbidden }
    }
}
