//! Compares the version that the API server prefers with the stored one.

use super::build::versions_differ;
use crate::{Version, definition::Definition};

/// What it means that the stored version isn't the preferred one; `None` if it is, or if no webhook is needed.
///
/// The controllers for namespaces, quotas and garbage collection list each resource in the preferred version: the greatest served one.
///
/// Source: `sortGroupDiscoveryByKubeAwareVersion` in `k8s.io/apiextensions-apiserver/pkg/apiserver`, `ServerPreferredResources` in
/// `k8s.io/client-go/discovery` and its callers in `k8s.io/kubernetes/cmd/kube-controller-manager/app`.
pub(crate) fn preference(definition: &Definition) -> Option<String> {
    let served = definition.versions.iter().filter(|version| version.served);
    let preferred = served.max_by_key(|version| Version::new(version.name))?;
    let stored = definition.versions.iter().find(|version| version.storage)?;
    if preferred.name == stored.name || !versions_differ(definition) {
        return None;
    }
    let (stored, preferred) = (stored.name, preferred.name);
    Some(format!(
        "`{stored}` is stored, and the API server prefers `{preferred}`: while the webhook is down or refuses an object, the cluster may \
         neither delete namespaces nor enforce new quotas, and garbage collection may wait; store `{preferred}` soon and run `migrate`, or don't serve \
         `{preferred}` until then"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crd::fixture::{CRON_TAB, FULL};
    use crate::definition::VersionDefinition;

    fn said(versions: Vec<VersionDefinition>) -> Option<String> {
        preference(&Definition { versions: Vec::leak(versions), ..CRON_TAB })
    }

    #[test]
    fn the_stored_version_should_be_the_preferred_one() {
        let [mut old, mut new] = [CRON_TAB.versions[0], CRON_TAB.versions[1]];
        assert_eq!((old.name, new.name, old.storage), ("v1beta1", "v1", true));
        (old.storage, new.storage) = (false, true);
        assert_eq!(said(vec![old, new]), None);
        (old.storage, new.storage) = (true, false);
        let note = said(vec![old, new]).unwrap();
        assert!(
            note.starts_with("`v1beta1` is stored, and the API server prefers `v1`: "),
            "{note}"
        );
        // A version that isn't served is preferred by nobody.
        new.served = false;
        assert_eq!(said(vec![old, new]), None);
        // Names decide, not the order in which the versions were added.
        new.served = true;
        (old.name, new.name) = ("v1", "v1beta1");
        assert_eq!(said(vec![old, new]), None);
        (old.served, new.storage, old.storage) = (false, false, true);
        let note = said(vec![old, new]).unwrap();
        assert!(
            note.starts_with("`v1` is stored, and the API server prefers `v1beta1`: "),
            "{note}"
        );
    }

    #[test]
    fn versions_that_are_the_same_need_no_webhook() {
        let mut newer = CRON_TAB.versions[0];
        let mut older = newer;
        (older.storage, newer.name, newer.storage) = (true, "v1", false);
        assert_eq!(said(vec![older, newer]), None);
        assert_eq!(said(vec![older]), None);
        assert_eq!(preference(&FULL), None);
    }
}
