//! What an author should know of who may write the status.

use crate::{
    Resource,
    definition::{Definition, VersionDefinition},
    engine::{Place, STATUS_ENTRIES},
};

/// Where what is kept about the status stands.
pub(super) fn place(resource: &Resource) -> Option<String> {
    let versions = resource.definition().versions.iter().zip(resource.status_places());
    let holding = versions.filter(|(_, place)| **place != Place::Annotations);
    let holding: Vec<_> = holding.map(|(version, _)| version.name).collect();
    (!holding.is_empty()).then(|| {
        format!(
            "What is kept in a `.status` stands in `.status.{STATUS_ENTRIES}` of {}, and all else in annotations.",
            holding.join(", ")
        )
    })
}

/// A sentence for everything by which writers of the object may change its status.
pub(super) fn notes(resource: &Resource) -> Vec<String> {
    let Definition { versions, .. } = resource.definition();
    let mut notes = Vec::new();
    if resource.status_places().iter().any(|place| *place != Place::Annotations) {
        for version in versions.iter().filter(|version| !version.status) {
            notes.push(format!(
                "`{}` has no status subresource, so who may write objects sets there what other versions have of the status; if the status \
                 has writers of its own, write `#[versioned(status)]` on the version",
                version.name
            ));
        }
    }
    for hop in versions.windows(2).filter(|hop| hop.iter().any(|version| version.status)) {
        let [older, newer] = hop else { continue };
        let across = VersionDefinition::rules(newer).map(|plan| plan.across("status"));
        for [from, to] in across.into_iter().flatten() {
            notes.push(format!(
                "{} to {}: `{from}` and `{to}` are one value, so who may write objects in one of the versions changes the status in the \
                 other one",
                older.name, newer.name
            ));
        }
    }
    notes
}
