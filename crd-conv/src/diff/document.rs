//! Compares the parts outside of the versions, and each version with itself.

use super::collect::{Changes, flag, list, name, only_in, schema_of, text, texts};
use super::{schema, served};
use crate::json::Json;

pub(super) fn document(older: &Json, newer: &Json, changes: &mut Changes) {
    let value = |json: &Json, names: &[&str]| text(json, names).unwrap_or_default().to_owned();
    let [old_name, new_name] = [older, newer].map(super::resource_name);
    if old_name != new_name {
        changes.breaking(
            "resource-removed",
            format!("`{old_name}` is gone, and `{new_name}` is another resource"),
            "compare documents with the same name",
        );
        return;
    }
    let [old_scope, new_scope] = [older, newer].map(|json| value(json, &["spec", "scope"]));
    if old_scope != new_scope {
        changes.breaking(
            "scope-changed",
            format!(
                "the scope was `{old_scope}` and is `{new_scope}`, which the API server refuses"
            ),
            "keep the scope, or declare a resource with another name",
        );
    }
    names(older, newer, changes);
    conversion(older, newer, changes);
    preserved(older, newer, changes);
    versions(older, newer, changes);
}

fn names(older: &Json, newer: &Json, changes: &mut Changes) {
    for (name, what) in [("kind", "the kind"), ("listKind", "the kind of lists")] {
        let [old, new] = [older, newer].map(|json| text(json, &["spec", "names", name]));
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            changes.breaking(
                "kind-changed",
                format!(
                    "{what} was `{old}` and is `{new}`: manifests and clients use the old name"
                ),
                "keep it, or declare another resource",
            );
        }
    }
    let [old, new] = [older, newer].map(|json| text(json, &["spec", "names", "singular"]));
    if let (Some(old), Some(new)) = (old, new)
        && old != new
    {
        changes.risky(
            "singular-changed",
            format!("the singular was `{old}` and is `{new}`: commands may use the old name"),
            "keep the old name as a short name",
        );
    }
    for (list, kind, gone, what) in [
        ("shortNames", "short-names-changed", "short-name-removed", "short name"),
        ("categories", "categories-changed", "category-removed", "category"),
    ] {
        let [old, new] = [older, newer].map(|json| texts(json, &["spec", "names", list]));
        for name in only_in(&old, &new) {
            changes.risky(
                gone,
                format!("the {what} `{name}` is gone: commands may use it"),
                "keep it",
            );
        }
        for name in only_in(&new, &old) {
            changes.safe(kind, format!("the {what} `{name}` is new"));
        }
    }
}

fn conversion(older: &Json, newer: &Json, changes: &mut Changes) {
    let strategy = |json| text(json, &["spec", "conversion", "strategy"]).unwrap_or("None");
    let (old, new) = (strategy(older), strategy(newer));
    if old == new {
        return;
    }
    let what = format!("the conversion was `{old}` and is `{new}`");
    if new == "None" && list(newer, &["spec", "versions"]).len() > 1 {
        changes.breaking(
            "conversion-removed",
            format!("{what}: values that the other version has no field for are dropped"),
            "keep the webhook as long as there is more than one version",
        );
    } else if new == "None" {
        changes.safe("conversion-removed", what);
    } else {
        changes.risky(
            "conversion-added",
            format!(
                "{what}: while the webhook doesn't answer, requests that need a conversion fail"
            ),
            "start the webhook before you apply the document",
        );
    }
}

/// Compares a field that a document may still have from the old API version `v1beta1`.
fn preserved(older: &Json, newer: &Json, changes: &mut Changes) {
    if let [true, false] = [older, newer].map(|json| flag(json, &["spec", "preserveUnknownFields"]))
    {
        changes.breaking(
            "preserve-unknown-fields-removed",
            "fields that no schema declares were kept, and are now dropped",
            "declare them first",
        );
    }
}

fn versions(older: &Json, newer: &Json, changes: &mut Changes) {
    let [old_all, new_all] = [older, newer].map(|json| list(json, &["spec", "versions"]));
    for old in old_all {
        let version = name(old);
        changes.in_version(version, |changes| match of_name(new_all, version) {
            None if flag(old, &["storage"]) => changes.breaking(
                "version-removed",
                "objects are stored in this version, and it is gone: they can no longer be read",
                "store another version first, migrate the objects, and remove this version in a later release",
            ),
            None if flag(old, &["served"]) => changes.breaking(
                "version-removed",
                "this version was served and is gone: clients and manifests that use it fail",
                "serve it, with `deprecated`, until nobody uses it; then keep it, with `served: false`, for one release",
            ),
            None => changes.safe(
                "version-removed",
                "this version wasn't served and is gone; in each cluster, `status.storedVersions` must no longer name it",
            ),
            Some(place) => same_version(old, &new_all[place], changes),
        });
    }
    for new in new_all {
        let version = name(new);
        if of_name(old_all, version).is_none() {
            changes.in_version(version, |changes| {
                changes.safe("version-added", "this version is new");
            });
        }
    }
    if let (Some(old), Some(new)) = (stored(old_all), stored(new_all))
        && old != new
        && of_name(new_all, old).is_some()
    {
        // After a rollback, the previous release must still have the version in which objects are
        // stored now.
        if of_name(old_all, new).is_some() {
            changes.safe(
                "storage-version-changed",
                format!("objects were stored in `{old}` and are now stored in `{new}`, which the previous release has, too"),
            );
        } else {
            changes.risky(
                "storage-version-changed",
                format!("objects are now stored in `{new}`, which the previous release doesn't know: after a rollback, it can't read them"),
                &format!("serve `{new}` for one release before you store it"),
            );
        }
    }
}

fn of_name(all: &[Json], wanted: &str) -> Option<usize> {
    all.iter().position(|version| name(version) == wanted)
}

fn stored(all: &[Json]) -> Option<&str> {
    all.iter().find(|version| flag(version, &["storage"])).map(name)
}

pub(super) fn same_version(old: &Json, new: &Json, changes: &mut Changes) {
    served::served(old, new, changes);
    if let (Some(old), Some(new)) = (schema_of(old), schema_of(new)) {
        schema::versions(&old, &new, changes);
    }
}
