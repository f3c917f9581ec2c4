//! Notes about the clients that may write the status.

use crate::{
    ResourceType,
    definition::{Definition, VersionDefinition},
    engine::{Place, STATUS_ENTRIES},
    plan::Branch,
};

/// Where values kept for the status are stored.
pub(super) fn place(resource: &ResourceType) -> Option<String> {
    let versions = resource.definition().versions.iter().zip(resource.status_places());
    let holding = versions.filter(|(_, place)| **place != Place::Annotations);
    let holding: Vec<_> = holding.map(|(version, _)| version.name).collect();
    (!holding.is_empty()).then(|| {
        format!(
            "Values kept for a `.status` are stored in `.status.{STATUS_ENTRIES}` of {}, and all others in annotations.",
            holding.join(", ")
        )
    })
}

/// Returns a sentence for each way in which writers of the object may change its status.
pub(super) fn notes(resource: &ResourceType) -> Vec<String> {
    let Definition { versions, .. } = resource.definition();
    let mut notes = Vec::new();
    if resource.status_places().iter().any(|place| *place != Place::Annotations) {
        for version in versions.iter().filter(|version| !version.status) {
            notes.push(format!(
                "`{}` has no status subresource, so everyone who may write objects there can change the status that other versions have; if \
                 the status has its own writers, write `#[versioned(status)]` on the version",
                version.name
            ));
        }
    }
    for hop in versions.windows(2).filter(|hop| hop.iter().any(|version| version.status)) {
        let [older, newer] = hop else { continue };
        let across = VersionDefinition::rules(newer)
            .and_then(Branch::fields)
            .map(|root| root.across("status"));
        for [from, to] in across.into_iter().flatten() {
            notes.push(format!(
                "{} to {}: `{from}` and `{to}` are one value, so everyone who may write objects in one of the versions can change the \
                 status in the other one",
                older.name, newer.name
            ));
        }
    }
    notes
}
