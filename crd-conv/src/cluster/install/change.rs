//! What an installation changes in the cluster.

use std::fmt;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// The effect of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There was no such CustomResourceDefinition.
    Created,
    /// The CustomResourceDefinition was different.
    Changed,
    /// The CustomResourceDefinition was the same already.
    Unchanged,
}

impl Change {
    pub(super) fn between(
        before: Option<&CustomResourceDefinition>,
        after: &CustomResourceDefinition,
    ) -> Self {
        let Some(before) = before else { return Self::Created };
        let (old, new) = (&before.metadata, &after.metadata);
        let is_same = before.spec == after.spec
            && old.labels == new.labels
            && old.annotations == new.annotations;
        if is_same { Self::Unchanged } else { Self::Changed }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
        })
    }
}
