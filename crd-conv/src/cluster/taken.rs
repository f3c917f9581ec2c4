//! Finds the parts that an installation would take away from a cluster.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::Value;

use crate::{
    definition::Definition,
    diff::{Change, taken_away},
    json::Json,
};

/// The parts that a cluster has and a program's own document lacks, under the names that
/// [`Install::take_away`](super::Install::take_away) takes.
pub(super) fn taken(
    found: &CustomResourceDefinition,
    own: &Value,
    definition: &Definition,
) -> Result<Vec<String>, serde_json::Error> {
    let there = serde_json::to_value(found)?;
    let changes = taken_away(&Json::from(&there), &Json::from(own));
    let mut taken: Vec<String> = changes.iter().map(name_of).collect();
    if moves_back(found, definition) {
        taken.push("storage".to_owned());
    }
    let all = taken.clone();
    // A version includes all of its parts.
    taken.retain(|taken| all.iter().all(|other| other == taken || !covers(other, taken)));
    Ok(taken)
}

fn name_of(change: &Change) -> String {
    let Change { kind, version, path, .. } = change;
    match *kind {
        "conversion-removed" => "conversion".to_owned(),
        "status-subresource-removed" => format!("{version}/status"),
        "scale-subresource-removed" => format!("{version}/scale"),
        "selectable-field-removed" => format!("{version}/selectableFields"),
        // This change concerns the whole document.
        "preserve-unknown-fields-removed" if version.is_empty() => {
            "preserveUnknownFields".to_owned()
        }
        _ => format!("{version}{path}"),
    }
}

/// Whether a name means the part that is taken away, or a larger part that contains it.
pub(super) fn covers(name: &str, taken: &str) -> bool {
    let rest = taken.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
}

/// Whether objects would be stored in an older version than now.
fn moves_back(found: &CustomResourceDefinition, definition: &Definition) -> bool {
    let place = |wanted: &str| definition.versions.iter().position(|own| own.name == wanted);
    let now = found.spec.versions.iter().find(|version| version.storage);
    let now = now.and_then(|now| place(&now.name));
    let own = definition.versions.iter().position(|version| version.storage);
    now.zip(own).is_some_and(|(now, own)| own < now)
}

/// The field manager that wrote the CustomResourceDefinition last, and the time.
pub(super) fn written_by(found: &CustomResourceDefinition) -> Option<String> {
    let writes = found.metadata.managed_fields.iter().flatten();
    // Entries with a subresource are controllers' writes of the status.
    let writes = writes.filter(|entry| entry.subresource.is_none());
    let last = writes.max_by_key(|entry| entry.time.as_ref().map(|time| time.0))?;
    let manager = last.manager.as_ref()?;
    Some(match &last.time {
        Some(time) => format!("`{manager}` at {}", time.0),
        None => format!("`{manager}`"),
    })
}
