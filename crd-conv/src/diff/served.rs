//! Compares how one version is served.

use super::catalog;
use super::collect::{Changes, gone_and_new};
use crate::verify::document::{Scale, Version};

pub(super) fn served(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    match [old.served, new.served] {
        [true, false] => changes.here(catalog::version_not_served()),
        [false, true] => changes.here(catalog::version_served()),
        _ => {}
    }
    if let [false, true] = [old.deprecated, new.deprecated] {
        changes.here(catalog::version_deprecated());
    }
    subresources(old, new, changes);
    selectable_fields(old, new, changes);
    if old.columns != new.columns {
        changes.here(catalog::columns_changed());
    }
}

fn subresources(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    match [old, new].map(Version::has_status) {
        [true, false] => changes.here(catalog::status_removed()),
        [false, true] => changes.here(catalog::status_added()),
        _ => {}
    }
    match [old, new].map(Version::scale) {
        [Some(_), None] => changes.here(catalog::scale_removed()),
        [None, Some(_)] => changes.here(catalog::scale_added()),
        [Some(old), Some(new)] => {
            let selector = |scale: &Scale| scale.label_selector_path.clone().unwrap_or_default();
            for (name, old, new) in [
                ("specReplicasPath", &old.spec_replicas_path, &new.spec_replicas_path),
                ("statusReplicasPath", &old.status_replicas_path, &new.status_replicas_path),
                ("labelSelectorPath", &selector(old), &selector(new)),
            ] {
                if old != new {
                    changes.here(catalog::scale_changed(&name, old, new));
                }
            }
        }
        _ => {}
    }
}

fn selectable_fields(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    let (gone, added) = gone_and_new(&old.selectable_fields, &new.selectable_fields);
    if !gone.is_empty() {
        changes.here(catalog::selectable_fields_removed(&gone));
    }
    if !added.is_empty() {
        changes.here(catalog::selectable_fields_added(&added));
    }
}
