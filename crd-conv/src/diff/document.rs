//! Compares the parts outside of the versions, and each version with itself.

use super::collect::{Changes, only_in};
use super::{schema, served};
use crate::verify::document::{Document, Names, Version};

pub(super) fn document(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old_name, new_name] = [&older.metadata.name, &newer.metadata.name];
    if old_name != new_name {
        changes.breaking(
            "resource-removed",
            format!("`{old_name}` is gone, and `{new_name}` is another resource"),
            "compare documents with the same name",
        );
        return;
    }
    let [old_scope, new_scope] = [&older.scope, &newer.scope];
    let are_written = !old_scope.is_empty() && !new_scope.is_empty();
    if are_written && old_scope != new_scope {
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

fn names(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let both = [&older.names, &newer.names];
    // A name that isn't written isn't compared.
    let written = |of: fn(&Names) -> (&String, bool)| {
        both.map(|names| Some(of(names)).filter(|(name, made)| !name.is_empty() && !made))
    };
    for (what, names) in [
        ("the kind", written(|names| (&names.kind, false))),
        ("the kind of lists", written(|names| (&names.list_kind, names.made[1]))),
    ] {
        if let [Some((old, _)), Some((new, _))] = names
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
    if let [Some((old, _)), Some((new, _))] = written(|names| (&names.singular, names.made[0]))
        && old != new
    {
        changes.risky(
            "singular-changed",
            format!("the singular was `{old}` and is `{new}`: commands may use the old name"),
            "keep the old name as a short name",
        );
    }
    for (lists, kind, gone, what) in [
        (
            both.map(|names| &names.short_names),
            "short-names-changed",
            "short-name-removed",
            "short name",
        ),
        (both.map(|names| &names.categories), "categories-changed", "category-removed", "category"),
    ] {
        let [old, new] = lists;
        for name in only_in(old, new) {
            changes.risky(
                gone,
                format!("the {what} `{name}` is gone: commands may use it"),
                "keep it",
            );
        }
        for name in only_in(new, old) {
            changes.safe(kind, format!("the {what} `{name}` is new"));
        }
    }
}

fn conversion(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old, new] = [older, newer].map(Document::strategy);
    if old == new {
        return;
    }
    let what = format!("the conversion was `{old}` and is `{new}`");
    if new == "None" && newer.versions.len() > 1 {
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
fn preserved(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    if let [true, false] = [older.preserve_unknown_fields, newer.preserve_unknown_fields] {
        changes.breaking(
            "preserve-unknown-fields-removed",
            "fields that no schema declares were kept, and are now dropped",
            "declare them first",
        );
    }
}

fn versions(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old_all, new_all] = [&older.versions, &newer.versions];
    for old in old_all {
        let version = &*old.name;
        changes.in_version(version, |changes| match of_name(new_all, version) {
            None if old.storage => changes.breaking(
                "version-removed",
                "objects are stored in this version, and it is gone: they can no longer be read",
                "store another version first, migrate the objects, and remove this version in a later release",
            ),
            None if old.served => changes.breaking(
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
        let version = &*new.name;
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

fn of_name(all: &[Version<'_>], wanted: &str) -> Option<usize> {
    all.iter().position(|version| version.name == wanted)
}

fn stored<'d>(all: &'d [Version<'_>]) -> Option<&'d str> {
    all.iter().find(|version| version.storage).map(|version| &*version.name)
}

pub(super) fn same_version(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    served::served(old, new, changes);
    if let (Some(old), Some(new)) = (old.schema(), new.schema()) {
        schema::versions(old, new, changes);
    }
}
