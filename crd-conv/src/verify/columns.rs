//! Printer columns, the scale subresource and selectable fields.

use std::collections::HashSet;

use super::document::{Column, Document, Scale, Version};
use crate::apiserver::{
    finding::Kind,
    place::Place,
    schema::{Schema, SchemaType, follow},
};

const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
const FORMATS: &[&str] =
    &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const MAX_SELECTABLE: usize = 8;

pub(super) fn check(version: &Version<'_>, place: &mut Place) {
    for (i, column) in version.columns.iter().enumerate() {
        place.item("additionalPrinterColumns", i, |place| check_column(column, place));
    }
    if let Some(scale) = version.scale() {
        place
            .child("subresources", |place| place.child("scale", |place| check_scale(scale, place)));
    }
}

fn check_column(column: &Column, place: &mut Place) {
    if column.name.is_empty() {
        place.refuse_at("name", Kind::Required, "write the header of the column");
    }
    if column.ty.is_empty() {
        place.refuse_at("type", Kind::Required, format!("write one of {}", TYPES.join(", ")));
    } else if !TYPES.contains(&column.ty.as_str()) {
        place.refuse_at(
            "type",
            Kind::Invalid,
            format!("`{}` is unknown; write one of {}", column.ty, TYPES.join(", ")),
        );
    }
    if i32::try_from(column.priority).is_err() {
        place.refuse_at("priority", Kind::Malformed, "write a number of 32 bits, such as 1");
    }
    if !column.format.is_empty() && !FORMATS.contains(&column.format.as_str()) {
        place.refuse_at(
            "format",
            Kind::Invalid,
            format!("`{}` is unknown; write one of {}", column.format, FORMATS.join(", ")),
        );
    }
    if column.json_path.is_empty() {
        place.refuse_at(
            "jsonPath",
            Kind::Required,
            "write the path of the value, such as `.spec.size`",
        );
    } else if !column.json_path.starts_with('.') {
        place.refuse_at("jsonPath", Kind::Invalid, starts_with_dot(&column.json_path));
    }
}

fn check_scale(scale: &Scale, place: &mut Place) {
    below("specReplicasPath", &scale.spec_replicas_path, &[".spec."], place);
    below("statusReplicasPath", &scale.status_replicas_path, &[".status."], place);
    if let Some(path) = scale.label_selector_path.as_deref().filter(|path| !path.is_empty()) {
        below("labelSelectorPath", path, &[".spec.", ".status."], place);
    }
}

fn below(field: &str, path: &str, parents: &[&str], place: &mut Place) {
    let example = parents.join("` or `");
    if path.is_empty() {
        place.refuse_at(
            field,
            Kind::Required,
            format!("write a path that starts with `{example}`"),
        );
    } else if !path.starts_with('.') {
        place.refuse_at(field, Kind::Invalid, starts_with_dot(path));
    } else if !parents.iter().any(|parent| path.starts_with(parent)) {
        place.refuse_at(field, Kind::Invalid, format!("`{path}` doesn't start with `{example}`"));
    }
}

fn starts_with_dot(path: &str) -> String {
    format!("`{path}` doesn't start with `.`; write `.{path}`")
}

/// The server reads what all versions share at one place of its own, and looks for the schema of selectable fields only
/// where it put them.
pub(super) fn selectable(document: &Document<'_>, place: &mut Place) {
    let versions = &document.versions;
    let shared = |same: &dyn Fn(&Version<'_>) -> bool| versions.iter().all(same);
    let Some(first) = versions.first() else { return };
    let fields = shared(&|version| version.selectable_fields == first.selectable_fields);
    let schemas = shared(&|version| version.schema() == first.schema());
    for (i, version) in versions.iter().enumerate() {
        if version.selectable_fields.is_empty() {
            continue;
        }
        place.item("versions", i, |place| {
            place.child("selectableFields", |place| {
                if versions.len() > 1 && fields && !schemas {
                    place.refuse(
                        Kind::Invalid,
                        "all versions have the same selectable fields but not the same schema, and the API server refuses that by mistake; in one version, write the fields in another order, or leave one out",
                    );
                } else if versions.len() > 1 && schemas && !fields {
                    place.refuse(
                        Kind::Invalid,
                        "all versions have the same schema but not the same selectable fields, and the API server refuses that by mistake; write the same fields in the same order in all versions",
                    );
                } else if let Some(schema) = version.schema() {
                    check_selectable(&version.selectable_fields, schema, place);
                }
            });
        });
    }
}

fn check_selectable(paths: &[String], schema: &Schema, place: &mut Place) {
    let mut found: HashSet<Vec<String>> = HashSet::new();
    for (i, path) in paths.iter().enumerate() {
        place.index(i, |place| {
            place.child("jsonPath", |place| {
                if path.is_empty() {
                    return place
                        .refuse(Kind::Required, "write the path of a field, such as `.spec.size`");
                }
                let (names, field) = match follow(path, schema, false) {
                    Ok(followed) => followed,
                    Err(problem) => {
                        return place.refuse(Kind::Invalid, format!("`{path}` {problem}"));
                    }
                };
                if names.first().is_some_and(|name| name == "metadata") {
                    place.refuse(
                        Kind::Invalid,
                        format!(
                            "`{path}` is in the metadata, which has its own selectable fields; remove it"
                        ),
                    );
                }
                if !matches!(field.ty, Some(SchemaType::Text | SchemaType::Boolean | SchemaType::Integer)) {
                    place.refuse(
                        Kind::Invalid,
                        format!("`{path}` leads to a field whose type isn't string, boolean or integer"),
                    );
                }
                if !found.insert(names) {
                    place.refuse(Kind::Duplicate, format!("`{path}` is listed twice; remove one"));
                }
            });
        });
    }
    if found.len() > MAX_SELECTABLE {
        place.refuse(
            Kind::TooMany,
            format!("there are {}, but at most {MAX_SELECTABLE} are allowed", found.len()),
        );
    }
}
