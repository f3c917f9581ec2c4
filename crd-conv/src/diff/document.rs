//! Compares the parts outside of the versions, and each version with itself.

use std::fmt::Display;

use super::change::Change;
use super::collect::{Changes, only_in};
use super::{catalog, schema, served};
use crate::verify::document::{Document, Names, Version};

pub(super) fn document(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old_name, new_name] = [&older.metadata.name, &newer.metadata.name];
    if old_name != new_name {
        return changes.here(catalog::resource_renamed(old_name, new_name));
    }
    let [old_scope, new_scope] = [&older.scope, &newer.scope];
    let are_written = !old_scope.is_empty() && !new_scope.is_empty();
    if are_written && old_scope != new_scope {
        changes.here(catalog::scope_changed(old_scope, new_scope));
    }
    names(older, newer, changes);
    conversion(older, newer, changes);
    // A field that a document may still have from the old API version `v1beta1`.
    if let [true, false] = [older.preserve_unknown_fields, newer.preserve_unknown_fields] {
        changes.here(catalog::all_unknown_fields_dropped());
    }
    versions(older, newer, changes);
}

fn names(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    type Changed = fn(&dyn Display, &dyn Display) -> Change;
    type OfName = fn(&dyn Display) -> Change;
    let both = [&older.names, &newer.names];
    // A name that isn't written isn't compared.
    let written = |of: fn(&Names) -> (&String, bool)| {
        both.map(|names| Some(of(names)).filter(|(name, made)| !name.is_empty() && !made))
    };
    for (changed, names) in [
        (catalog::kind_changed as Changed, written(|names| (&names.kind, false))),
        (catalog::list_kind_changed, written(|names| (&names.list_kind, names.made[1]))),
        (catalog::singular_changed, written(|names| (&names.singular, names.made[0]))),
    ] {
        if let [Some((old, _)), Some((new, _))] = names
            && old != new
        {
            changes.here(changed(old, new));
        }
    }
    for ([old, new], removed, added) in [
        (
            both.map(|names| &names.short_names),
            catalog::short_name_removed as OfName,
            catalog::short_name_added as OfName,
        ),
        (both.map(|names| &names.categories), catalog::category_removed, catalog::category_added),
    ] {
        for name in only_in(old, new) {
            changes.here(removed(name));
        }
        for name in only_in(new, old) {
            changes.here(added(name));
        }
    }
}

fn conversion(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old, new] = [older, newer].map(Document::strategy);
    if old == new {
        return;
    }
    changes.here(if new != "None" {
        catalog::conversion_added(&old, &new)
    } else if newer.versions.len() > 1 {
        catalog::conversion_removed(&old, &new)
    } else {
        catalog::conversion_of_one_version_removed(&old, &new)
    });
}

fn versions(older: &Document<'_>, newer: &Document<'_>, changes: &mut Changes) {
    let [old_all, new_all] = [&older.versions, &newer.versions];
    for old in old_all {
        let version = &*old.name;
        changes.in_version(version, |changes| match of_name(new_all, version) {
            None if old.storage => changes.here(catalog::stored_version_removed()),
            None if old.served => changes.here(catalog::served_version_removed()),
            None => changes.here(catalog::unserved_version_removed()),
            Some(place) => same_version(old, &new_all[place], changes),
        });
    }
    for new in new_all {
        let version = &*new.name;
        if of_name(old_all, version).is_none() {
            changes.in_version(version, |changes| changes.here(catalog::version_added()));
        }
    }
    if let (Some(old), Some(new)) = (stored(old_all), stored(new_all))
        && old != new
        && of_name(new_all, old).is_some()
    {
        // After a rollback, the previous release must still have the version in which objects are
        // stored now.
        changes.here(if of_name(old_all, new).is_some() {
            catalog::known_version_stored(&old, &new)
        } else {
            catalog::unknown_version_stored(&new)
        });
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
