//! Compares how one version is served.

use super::collect::{Changes, at, flag, gone_and_new, list, text};
use crate::json::Json;

pub(super) fn served(old: &Json, new: &Json, changes: &mut Changes) {
    match [old, new].map(|version| flag(version, &["served"])) {
        [true, false] => changes.breaking(
            "version-not-served",
            "this version is no longer served: clients and manifests that use it fail",
            "serve it, with `deprecated`, until nobody uses it",
        ),
        [false, true] => changes.safe("version-served", "this version is now served"),
        _ => {}
    }
    if let [false, true] = [old, new].map(|version| flag(version, &["deprecated"])) {
        changes.safe("version-deprecated", "clients of this version now get a warning");
    }
    subresources(old, new, changes);
    selectable_fields(old, new, changes);
    if at(old, &["additionalPrinterColumns"]) != at(new, &["additionalPrinterColumns"]) {
        changes.safe("columns-changed", "`kubectl get` prints other columns");
    }
}

fn subresources(old: &Json, new: &Json, changes: &mut Changes) {
    match [old, new].map(|version| at(version, &["subresources", "status"]).is_some()) {
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
    let [old_scale, new_scale] = [old, new].map(|version| at(version, &["subresources", "scale"]));
    match (old_scale, new_scale) {
        (Some(_), None) => changes.breaking(
            "scale-subresource-removed",
            "`/scale` is gone: autoscalers and `kubectl scale` fail",
            "keep it",
        ),
        (None, Some(_)) => changes.safe("scale-subresource-added", "`/scale` is new"),
        (Some(old), Some(new)) if old != new => {
            for name in ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"] {
                let [old, new] = [old, new].map(|scale| text(scale, &[name]).unwrap_or_default());
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

fn selectable_fields(old: &Json, new: &Json, changes: &mut Changes) {
    let paths = |version| -> Vec<&str> {
        let fields = list(version, &["selectableFields"]).iter();
        fields.filter_map(|field| text(field, &["jsonPath"])).collect()
    };
    let (gone, added) = gone_and_new(&paths(old), &paths(new));
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
