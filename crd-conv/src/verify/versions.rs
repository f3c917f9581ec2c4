//! The list of versions, and which of them is stored.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::document::{Document, Version};
use crate::apiserver::{
    dns::{LABEL, is_label},
    finding::Kind,
    place::Place,
};

pub(super) fn check(document: &Document<'_>, place: &mut Place) {
    place.child("spec", |place| {
        storage(&document.versions, place);
        let mut names = HashSet::new();
        for (i, version) in document.versions.iter().enumerate() {
            place.item("versions", i, |place| {
                if !is_label(&version.name) {
                    place.refuse_at(
                        "name",
                        if version.name.is_empty() { Kind::Required } else { Kind::Invalid },
                        format!("`{}` isn't a valid name; write {LABEL}", version.name),
                    );
                }
                deprecation(version, place);
            });
            if !names.insert(&version.name) {
                place.refuse_at(
                    "versions",
                    Kind::Invalid,
                    format!("two versions have the name `{}`; give each version its own name", version.name),
                );
            }
        }
        if document.preserve_unknown_fields {
            place.refuse_at(
                "preserveUnknownFields",
                Kind::Invalid,
                "remove it, and write `x-kubernetes-preserve-unknown-fields: true` in the schema where unknown fields are kept",
            );
        }
    });
}

fn storage(versions: &[Version<'_>], place: &mut Place) {
    let names: Vec<_> =
        versions.iter().filter(|version| version.storage).map(|v| v.name.as_str()).collect();
    if names.len() != 1 {
        let found = if names.is_empty() { "none".to_owned() } else { names.join(" and ") };
        place.refuse_at(
            "versions",
            Kind::Invalid,
            format!("exactly one version must have `storage: true`, but {found} have it; write it in one version only"),
        );
    }
}

fn deprecation(version: &Version<'_>, place: &mut Place) {
    // What Go takes for printable.
    static PRINTABLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$").ok());

    let Some(warning) = &version.deprecation_warning else { return };
    place.child("deprecationWarning", |place| {
        if !version.deprecated {
            place.refuse(
                Kind::Invalid,
                "only a deprecated version has it; write `deprecated: true`, or remove it",
            );
        }
        if warning.is_empty() {
            place.refuse(
                Kind::Invalid,
                "it is empty; remove it, and the API server writes its own warning",
            );
        }
        if warning.len() > 256 {
            place.refuse(
                Kind::Invalid,
                format!("it has {} bytes, but at most 256 are allowed", warning.len()),
            );
        }
        if PRINTABLE.as_ref().is_some_and(|printable| !printable.is_match(warning)) {
            place.refuse(
                Kind::Invalid,
                "it has characters that can't be printed, such as a line break; remove them",
            );
        }
    });
}
