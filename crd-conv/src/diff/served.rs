//! Compares how one version is served.

use super::collect::{Changes, gone_and_new};
use crate::verify::document::{Scale, Version};

pub(super) fn served(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    match [old.served, new.served] {
        [true, false] => changes.breaking(
            "version-not-served",
            "this version is no longer served: clients and manifests that use it fail",
            "serve it, with `deprecated`, until nobody uses it",
        ),
        [false, true] => changes.safe("version-served", "this version is now served"),
        _ => {}
    }
    if let [false, true] = [old.deprecated, new.deprecated] {
        changes.safe("version-deprecated", "clients of this version now get a warning");
    }
    subresources(old, new, changes);
    selectable_fields(old, new, changes);
    if old.columns != new.columns {
        changes.safe("columns-changed", "`kubectl get` prints other columns");
    }
}

fn subresources(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    match [old, new].map(Version::has_status) {
        [true, false] => changes.breaking(
            "status-subresource-removed",
            "`/status` is gone: controllers that write there fail, and all other writers may change `.status`",
            "keep it",
        ),
        [false, true] => changes.breaking(
            "status-subresource-added",
            "`.status` can now be written only at `/status`: the API server silently ignores it in other writes",
            "make controllers write there; a release that writes in both ways is safe",
        ),
        _ => {}
    }
    match [old, new].map(Version::scale) {
        [Some(_), None] => changes.breaking(
            "scale-subresource-removed",
            "`/scale` is gone: autoscalers and `kubectl scale` fail",
            "keep it",
        ),
        [None, Some(_)] => changes.safe("scale-subresource-added", "`/scale` is new"),
        [Some(old), Some(new)] => {
            let selector = |scale: &Scale| scale.label_selector_path.clone().unwrap_or_default();
            for (name, old, new) in [
                ("specReplicasPath", &old.spec_replicas_path, &new.spec_replicas_path),
                ("statusReplicasPath", &old.status_replicas_path, &new.status_replicas_path),
                ("labelSelectorPath", &selector(old), &selector(new)),
            ] {
                if old != new {
                    changes.risky(
                        "scale-subresource-changed",
                        format!("`{name}` of `/scale` was `{old}` and is `{new}`"),
                        "make sure that both fields mean the same",
                    );
                }
            }
        }
        _ => {}
    }
}

fn selectable_fields(old: &Version<'_>, new: &Version<'_>, changes: &mut Changes) {
    let (gone, added) = gone_and_new(&old.selectable_fields, &new.selectable_fields);
    if !gone.is_empty() {
        changes.breaking(
            "selectable-field-removed",
            format!(
                "field selectors can no longer use {gone}: requests with such a selector are refused"
            ),
            "keep it",
        );
    }
    if !added.is_empty() {
        changes.safe("selectable-field-added", format!("field selectors can now use {added}"));
    }
}
