//! The resources whose objects may have owners.

use kube::core::discovery::v2::{APIGroupDiscovery, APIResourceDiscovery};
use kube::{Client, Error};

use super::NotLookedAt;
use crate::cluster::said;

/// The garbage collector watches only resources with these verbs.
///
/// Source: `GetDeletableResources` in `k8s.io/kubernetes/pkg/controller/garbagecollector`.
const VERBS: [&str; 3] = ["delete", "list", "watch"];

/// Every API server with custom resources has this group. Before Kubernetes 1.27, the answer is of
/// another type, which looks as if there were no groups.
const ALWAYS: &str = "apiextensions.k8s.io";

/// A resource that the garbage collector watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listable {
    /// Empty for the core group.
    pub(super) group: String,
    pub(super) plural: String,
    /// The versions in which it is served. The preferred version comes first.
    pub(super) versions: Vec<String>,
}

impl Listable {
    /// The resource's name, as kubectl takes it.
    pub(super) fn name(&self) -> String {
        match self.group.as_str() {
            "" => self.plural.clone(),
            group => format!("{}.{group}", self.plural),
        }
    }
}

/// Returns all such resources, in the order of the API server, and what isn't known.
pub(super) async fn all(client: &Client) -> (Vec<Listable>, Vec<NotLookedAt>) {
    let (mut groups, mut unknown) = (Vec::new(), Vec::new());
    match client.list_core_api_versions_aggregated().await {
        Ok(core) => groups.extend(core.items),
        // An API server for custom resources alone has no core group.
        Err(Error::Api(status)) if status.is_not_found() => {}
        Err(error) => unknown.push(not_known("the resources of the core group", said(&error))),
    }
    match client.list_api_groups_aggregated().await {
        Ok(others) if others.items.iter().all(|group| name(group) != ALWAYS) => {
            let reason = "the API server doesn't list them (Kubernetes does since 1.27)".to_owned();
            unknown.push(not_known("the resources of this cluster", reason));
        }
        Ok(others) => groups.extend(others.items),
        Err(error) => unknown.push(not_known("the resources of this cluster", said(&error))),
    }
    let mut all = Vec::new();
    for group in &groups {
        add(group, &mut all, &mut unknown);
    }
    (all, unknown)
}

fn add(group: &APIGroupDiscovery, all: &mut Vec<Listable>, unknown: &mut Vec<NotLookedAt>) {
    let group_name = name(group);
    for version in &group.versions {
        let version_name = version.version.as_deref().unwrap_or_default();
        if version.freshness.as_deref() == Some("Stale") {
            let what = format!("the resources of {group_name}/{version_name}");
            let reason = "the API server that serves them doesn't answer".to_owned();
            unknown.push(not_known(&what, reason));
            continue;
        }
        for resource in version.resources.iter().filter(|resource| is_watched(resource)) {
            let plural = resource.resource.as_deref().unwrap_or_default();
            let known =
                all.iter_mut().find(|known| known.group == group_name && known.plural == plural);
            match known {
                Some(known) => known.versions.push(version_name.to_owned()),
                None => all.push(Listable {
                    group: group_name.to_owned(),
                    plural: plural.to_owned(),
                    versions: vec![version_name.to_owned()],
                }),
            }
        }
    }
}

/// Whether the garbage collector watches a resource. It ignores events.
///
/// Source: `DefaultIgnoredResources` in `k8s.io/kubernetes/pkg/controller/garbagecollector`.
fn is_watched(resource: &APIResourceDiscovery) -> bool {
    resource.resource.as_deref() != Some("events")
        && VERBS.iter().all(|verb| resource.verbs.iter().any(|own| own == verb))
}

fn name(group: &APIGroupDiscovery) -> &str {
    group.metadata.as_ref().and_then(|metadata| metadata.name.as_deref()).unwrap_or_default()
}

fn not_known(what: &str, reason: String) -> NotLookedAt {
    NotLookedAt { what: what.to_owned(), reason, is_forbidden: false }
}
