//! Metadata, group, scope and names.

use super::document::{Document, Metadata, Names};
use crate::apiserver::{
    dns::{LABEL, SUBDOMAIN, is_label, is_label_value, is_qualified_name, is_subdomain},
    finding::Kind,
    place::Place,
    url,
};

const APPROVED: &str = "api-approved.kubernetes.io";

/// How many bytes the annotations of an object may have in total.
pub(super) const ANNOTATIONS: usize = 256 << 10;

pub(super) fn check(document: &Document<'_>, place: &mut Place) {
    place.child("metadata", |place| metadata(document, place));
    place.child("spec", |place| {
        if let Some((kind, problem)) = group_problem(&document.group) {
            place.refuse_at("group", kind, problem);
        }
        match document.scope.as_str() {
            "Cluster" | "Namespaced" => {}
            "" => place.refuse_at("scope", Kind::Required, "write `Namespaced` or `Cluster`"),
            other => place.refuse_at(
                "scope",
                Kind::NotSupported,
                format!("`{other}` is unknown; write `Namespaced` or `Cluster`"),
            ),
        }
        place.child("names", |place| {
            let names = &document.names;
            for (field, name) in [("plural", &names.plural), ("kind", &names.kind)] {
                if name.is_empty() {
                    place.refuse_at(
                        field,
                        Kind::Required,
                        format!("write the {field} of the resource"),
                    );
                }
            }
            check_names(names, place);
        });
    });
}

fn metadata(document: &Document<'_>, place: &mut Place) {
    let Metadata { name, generate_name, labels, annotations, finalizers } = &document.metadata;
    let expected = format!("{}.{}", document.names.plural, document.group);
    // Else the name is made of what is refused already.
    if is_label(&document.names.plural) && group_problem(&document.group).is_none() {
        name_of_document(name, &expected, place);
    }
    if !generate_name.is_empty() {
        place.refuse_at(
            "generateName",
            Kind::Invalid,
            format!("remove it, and write the name `{expected}`"),
        );
    }
    let key = "write an optional domain name and `/`, then at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends";
    for (label, value) in labels {
        if !is_qualified_name(label) {
            place.refuse_at(
                "labels",
                Kind::Invalid,
                format!("`{label}` isn't a valid key of a label; {key}"),
            );
        }
        if !is_label_value(value) {
            place.refuse_at(
                "labels",
                Kind::Invalid,
                format!("the value `{value}` of `{label}` isn't valid; write at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"),
            );
        }
    }
    for annotation in annotations.keys().filter(|name| !is_qualified_name(&name.to_lowercase())) {
        place.refuse_at(
            "annotations",
            Kind::Invalid,
            format!("`{annotation}` isn't a valid key of an annotation; {key}"),
        );
    }
    let size: usize = annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > ANNOTATIONS {
        place.refuse_at(
            "annotations",
            Kind::TooLong,
            format!("all keys and values together have {size} bytes, but at most {ANNOTATIONS} are allowed"),
        );
    }
    for finalizer in finalizers.iter().filter(|name| !is_qualified_name(name)) {
        place.refuse_at(
            "finalizers",
            Kind::Invalid,
            format!("`{finalizer}` isn't a valid name of a finalizer; {key}"),
        );
    }
    if ["orphan", "foregroundDeletion"].iter().all(|name| finalizers.iter().any(|own| own == name))
    {
        place.refuse_at(
            "finalizers",
            Kind::Invalid,
            "`orphan` and `foregroundDeletion` exclude each other; remove one of them",
        );
    }
    approval(document, place);
}

fn name_of_document(name: &str, expected: &str, place: &mut Place) {
    place.child("name", |place| {
        if name.is_empty() {
            place.refuse(Kind::Required, format!("write `{expected}`, the plural and the group"));
        } else if name != expected {
            place.refuse(
                Kind::Invalid,
                format!("`{name}` isn't the plural and the group; write `{expected}`"),
            );
        } else if !is_subdomain(name) {
            place.refuse(Kind::Invalid, format!("`{name}` isn't a domain name; write {SUBDOMAIN}"));
        }
    });
}

fn group_problem(group: &str) -> Option<(Kind, String)> {
    if group.is_empty() {
        Some((Kind::Required, "write the API group, such as `example.com`".to_owned()))
    } else if !is_subdomain(group) {
        Some((Kind::Invalid, format!("`{group}` isn't a domain name; write {SUBDOMAIN}")))
    } else if !group.contains('.') {
        Some((
            Kind::Invalid,
            format!(
                "`{group}` has no dot; write a domain that you own, such as `{group}.example.com`"
            ),
        ))
    } else {
        None
    }
}

/// The groups of the Kubernetes community are protected.
fn approval(document: &Document<'_>, place: &mut Place) {
    let group = &document.group;
    let protected = ["k8s.io", "kubernetes.io"]
        .into_iter()
        .any(|domain| group == domain || group.ends_with(&format!(".{domain}")));
    if !protected {
        return;
    }
    let annotation = document.metadata.annotations.get(APPROVED).map_or("", String::as_str);
    let what = "the address of the approval, or `unapproved` and a reason";
    place.child("annotations", |place| {
        place.key(APPROVED, |place| {
            if annotation.is_empty() {
                place.refuse(
                    Kind::Required,
                    format!(
                        "the group `{group}` is protected; write {what}, or choose your own group"
                    ),
                );
            } else if !annotation.starts_with("unapproved") && !url::names_host(annotation) {
                place.refuse(
                    Kind::Invalid,
                    format!("`{annotation}` isn't an approval; write {what}"),
                );
            }
        });
    });
}

fn check_names(names: &Names, place: &mut Place) {
    let [singular, list_kind] = names.made;
    let kind_fits = is_label(&names.kind.to_lowercase());
    for (field, name, made) in
        [("plural", &names.plural, false), ("singular", &names.singular, singular)]
    {
        if !name.is_empty() && !made && !is_label(name) {
            place.refuse_at(
                field,
                Kind::Invalid,
                format!("`{name}` isn't a valid name; write {LABEL}"),
            );
        }
    }
    for (field, name, made) in
        [("kind", &names.kind, false), ("listKind", &names.list_kind, list_kind)]
    {
        if (kind_fits || !made) && !name.is_empty() && !is_label(&name.to_lowercase()) {
            place.refuse_at(
                field,
                Kind::Invalid,
                format!("`{name}` isn't a valid kind; write a letter, then letters, digits and `-`, no `-` at the end, at most 63 in all"),
            );
        }
    }
    for (field, list) in [("shortNames", &names.short_names), ("categories", &names.categories)] {
        for (i, name) in list.iter().enumerate().filter(|(_, name)| !is_label(name)) {
            place.item(field, i, |place| {
                place.refuse(Kind::Invalid, format!("`{name}` isn't a valid name; write {LABEL}"));
            });
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        place.refuse_at(
            "listKind",
            Kind::Invalid,
            format!("it is the same as the kind; write `{}List`", names.kind),
        );
    }
}
