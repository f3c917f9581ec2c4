//! Warnings about what the API server accepts, and what fails later.

use super::{
    document::{Document, Version},
    structural::{self, each_branch},
};
use crate::{
    apiserver::{
        formats, pattern,
        place::Place,
        report::About,
        schema::{Additional, Schema, SchemaType},
        steps::META_FIELDS,
    },
    json::Json,
};

/// Warns about keywords of a schema that don't work as they seem to.
pub(super) fn schema(props: &Schema, is_root: bool, place: &mut Place) {
    restrictions(props, props.ty, place);
    each_branch(props, place, &mut |inner, place| branch(inner, Some(props), place));
    if props.nullable && !props.values.is_empty() {
        place.warn_at(
            "enum",
            About::EnumWithNull,
            if props.values.contains(&Json::Null) {
                "null is never a value of an enum, even if the enum lists it, so the API server refuses null in spite of `nullable`; remove `nullable` and the null, and the API server drops nulls instead"
            } else {
                "null is never a value of an enum, so the API server refuses null in spite of `nullable`; remove `nullable`, and the API server drops nulls instead"
            },
        );
    }
    if props.extensions.int_or_string && !props.type_name().is_empty() {
        place.warn_at(
            "type",
            About::ServerSideApply,
            format!(
                "the API server accepts an integer or a string here, but server-side apply accepts only type `{}`; remove the type",
                props.type_name()
            ),
        );
    }
    if !is_root {
        structural::incomplete(
            props,
            &mut |place, problem| {
                place.warn(
                    About::UndeclaredProperty,
                    format!("{problem}; the API server checks this only at the root"),
                );
            },
            place,
        );
    }
    if let Some(item) = &props.items {
        place.child("items", |place| schema(item, false, place));
    }
    if let Some(value) = &props.additional_properties {
        place.child("additionalProperties", |place| schema(value, false, place));
    }
    for (name, property) in &props.properties {
        place.entry("properties", name, |place| schema(property, false, place));
    }
}

/// Warns about a part of `allOf`, `anyOf`, `oneOf` or `not`. It restricts the values of the schema
/// around it, which declares their types.
fn branch(props: &Schema, around: Option<&Schema>, place: &mut Place) {
    restrictions(props, props.ty.or(around.and_then(|around| around.ty)), place);
    each_branch(props, place, &mut |inner, place| branch(inner, around, place));
    if let Some(item) = &props.items {
        let around = around.and_then(|around| around.items.as_deref());
        place.child("items", |place| branch(item, around, place));
    }
    for (name, property) in &props.properties {
        let around = around.and_then(|around| around.declared(name));
        place.entry("properties", name, |place| branch(property, around, place));
    }
}

fn restrictions(props: &Schema, ty: Option<SchemaType>, place: &mut Place) {
    if let Some(format) = &props.format
        && !formats::is_known(props.type_name(), format)
    {
        place.warn_at(
            "format",
            About::UnknownFormat,
            format!(
                "the API server doesn't know the format `{format}` for this type and ignores it; remove it",
            ),
        );
    }
    for keyword in ty.into_iter().flat_map(|ty| props.idle_keywords(ty)) {
        place.warn_at(
            keyword.name,
            About::IdleKeyword,
            format!(
                "only {} have it, so the API server ignores it for this type; remove it",
                keyword.restricts
            ),
        );
    }
    if let Some(pattern) = &props.pattern
        && ty.is_none_or(|ty| ty == SchemaType::Text)
        && pattern::matches_nothing(pattern)
    {
        place.warn_at(
            "pattern",
            About::UnmatchedPattern,
            format!("no string can match `{pattern}`; write a pattern that some strings match, or remove it"),
        );
    }
}

/// Warns about paths that lead nowhere.
pub(super) fn paths(document: &Document<'_>, skipped: &[usize], place: &mut Place) {
    place.child("spec", |place| {
        for (i, version) in document.versions.iter().enumerate() {
            let Some(props) = version.schema().filter(|_| !skipped.contains(&i)) else { continue };
            place.item("versions", i, |place| {
                columns(version, props, place);
                scale(version, props, place);
            });
        }
    });
}

fn columns(version: &Version<'_>, props: &Schema, place: &mut Place) {
    for (i, column) in version.columns.iter().enumerate() {
        let path = &column.json_path;
        if let Some(Lead::Nowhere(name)) = lead(path, props) {
            place.item("additionalPrinterColumns", i, |place| {
                place.warn_at(
                    "jsonPath",
                    About::LostPath,
                    format!("`{path}` leads to `{name}`, which the schema doesn't declare, so the column stays empty"),
                );
            });
        }
    }
}

fn scale(version: &Version<'_>, props: &Schema, place: &mut Place) {
    let Some(scale) = version.scale() else {
        return;
    };
    let paths = [
        ("specReplicasPath", Some(&scale.spec_replicas_path), SchemaType::Integer),
        ("statusReplicasPath", Some(&scale.status_replicas_path), SchemaType::Integer),
        ("labelSelectorPath", scale.label_selector_path.as_ref(), SchemaType::Text),
    ];
    place.child("subresources", |place| {
        place.child("scale", |place| {
            for (field, path, ty) in paths {
                let Some(path) = path else { continue };
                let (about, problem) = match lead(path, props) {
                    Some(Lead::Nowhere(name)) => {
                        (About::LostPath, format!("leads to `{name}`, which the schema doesn't declare, so scaling fails"))
                    }
                    Some(Lead::To(field)) if field.nullable => (
                        About::NullAtScale,
                        "leads to a field that may be null, but the API server refuses every object with null there; remove `nullable`".to_owned(),
                    ),
                    Some(Lead::To(field)) if !field.type_name().is_empty() && field.ty != Some(ty) => {
                        (About::LostPath, format!("leads to type `{}`, not `{}`, so scaling fails", field.type_name(), ty.name()))
                    }
                    _ => continue,
                };
                place.warn_at(field, about, format!("`{path}` {problem}"));
            }
        });
    });
}

enum Lead<'a> {
    To(&'a Schema),
    Nowhere(String),
}

/// Follows a path of plain names. `None` if it isn't such a path, or if it leads to fields that are undeclared on purpose.
fn lead<'a>(path: &str, props: &'a Schema) -> Option<Lead<'a>> {
    let names = path.strip_prefix('.')?;
    let plain = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    let mut schema = props;
    for (i, name) in names.split('.').enumerate() {
        let known_to_the_server =
            (i == 0 || schema.extensions.embedded_resource) && META_FIELDS.contains(&name);
        if !plain(name) || known_to_the_server {
            return None;
        }
        schema = match schema.declared(name) {
            Some(schema) => schema,
            None if schema.preserves()
                || !matches!(schema.additional(), Additional::Undeclared) =>
            {
                return None;
            }
            None => return Some(Lead::Nowhere(name.to_owned())),
        };
    }
    Some(Lead::To(schema))
}
