//! Makes a structural schema of any schema, and notes what changes.

use super::{
    document::Notes,
    kind::{Kind, kind},
};
use crate::apiserver::schema::{Others, Schema, SchemaType};
use crate::apiserver::steps::META_FIELDS;

/// Repairs the schema of a version's objects. Removes what every object has.
pub(super) fn repair(root: &mut Schema, version: &str, notes: &mut Notes<'_>) {
    for name in META_FIELDS {
        let Some(field) = root.properties.remove(name) else { continue };
        let plain =
            Schema { description: None, ty: None, title: None, ..field } == Schema::default();
        if !plain {
            notes.add(
                &format!("{version} .{name}"),
                format!("the keywords of `{name}` aren't written"),
                "every object has this field; a rule of the version can restrict it: `validation(\"self.metadata.name.size() < 53\")`",
            );
        }
    }
    root.required.retain(|name| !META_FIELDS.contains(&&**name));
    if root.ty != Some(SchemaType::Object) {
        root.others = None;
        root.ty = Some(SchemaType::Object);
    }
    if std::mem::take(&mut root.nullable) {
        notes.add(version, "`nullable`", "an object isn't null");
    }
    if root.default.take().is_some() {
        notes.add(version, "`default`", "an object has no default");
    }
    root.extensions.int_or_string = false;
    root.extensions.embedded_resource = false;
    root.additional_properties = None;
    at(root, &format!("{version} "), notes);
    if let Kind::Open = kind(root) {
        root.extensions.preserve_unknown_fields = Some(true);
    }
}

fn at(schema: &mut Schema, path: &str, notes: &mut Notes<'_>) {
    others(schema, path, notes);
    form(schema, path, notes);
    extensions(schema, path, notes);
    if schema.nullable && !schema.values.is_empty() {
        notes.add(path, "`nullable` next to `enum`", "the API server ignores it");
        schema.nullable = false;
    }
    let declared = &schema.properties;
    schema.required.retain(|name| {
        let is_declared = declared.contains_key(name);
        if !is_declared {
            notes.add(
                path,
                format!("`{name}` is required and isn't declared"),
                "no field requires it",
            );
        }
        is_declared
    });
    for (name, field) in &mut schema.properties {
        at(field, &format!("{path}.{name}"), notes);
    }
    if let Some(items) = &mut schema.items {
        at(items, &format!("{path}[*]"), notes);
    }
    if let Some(values) = &mut schema.additional_properties {
        at(values, &format!("{path}.*"), notes);
    }
}

/// Keywords that no structural schema has.
fn others(schema: &mut Schema, path: &str, notes: &mut Notes<'_>) {
    let Some(others) = schema.others.take() else { return };
    let additional_properties = others.additional_properties;
    if let Some(ty) = &others.ty {
        notes.add(path, format!("`type: {ty}`"), "this isn't a type of JSON");
    }
    if others.items.is_some() {
        notes.add(path, "`items` without a schema", "items may be anything");
    }
    let rest = Others {
        ty: None,
        items: None,
        additional_properties: None,
        external_docs: None,
        example: None,
        ..*others
    };
    if rest != Others::default() {
        notes.add(path, "keywords that no structural schema has", "they aren't written");
    }
    if additional_properties.is_some() {
        schema.others = Some(Box::new(Others { additional_properties, ..Others::default() }));
    }
}

/// The type, and what it has inside.
fn form(schema: &mut Schema, path: &str, notes: &mut Notes<'_>) {
    if schema.ty.is_none() && !schema.extensions.int_or_string {
        let is_object = !schema.properties.is_empty()
            || schema.additional_properties.is_some()
            || schema.extensions.embedded_resource;
        let found = match (is_object, schema.items.is_some()) {
            (true, _) => Some(SchemaType::Object),
            (false, true) => Some(SchemaType::Array),
            (false, false) => None,
        };
        if let Some(found) = found {
            notes.add(path, "there is no type", format!("`{}` is written", found.name()));
            schema.ty = Some(found);
        } else if !schema.preserves() {
            notes.add(path, "there is no type", "the value may be anything");
            schema.extensions.preserve_unknown_fields = Some(true);
        }
    }
    if schema.ty == Some(SchemaType::Array) && schema.items.is_none() {
        notes.add(path, "there is no schema for items", "items may be anything");
        schema.items = Some(Box::new(Schema::anything()));
    }
    if schema.ty != Some(SchemaType::Array) {
        schema.items = None;
    }
    if schema.ty != Some(SchemaType::Object) || schema.extensions.int_or_string {
        schema.properties.clear();
        schema.additional_properties = None;
    }
    if !schema.properties.is_empty() && schema.additional_properties.take().is_some() {
        notes.add(path, "`additionalProperties` next to `properties`", "an object has either");
    }
    if schema.default_value().is_none() {
        schema.default = None;
    }
}

fn extensions(schema: &mut Schema, path: &str, notes: &mut Notes<'_>) {
    let found = kind(schema);
    let allows_any = schema.others().additional_properties == Some(true);
    if let (Kind::Open, true, false) = (found, allows_any, schema.preserves()) {
        notes.add(
            path,
            "`additionalProperties: true`",
            "`preserve_unknown_fields` is written, which means the same",
        );
    }
    let is_object = matches!(found, Kind::Struct { .. } | Kind::Map | Kind::Open);
    let preserve = schema.extensions.preserve_unknown_fields;
    let may_preserve = matches!(
        found,
        Kind::Struct { .. } | Kind::Open | Kind::Any | Kind::Embedded | Kind::List { .. }
    );
    if preserve == Some(false) || preserve == Some(true) && !may_preserve {
        notes.add(path, "`x-kubernetes-preserve-unknown-fields`", "it has no effect here");
        schema.extensions.preserve_unknown_fields = None;
    }
    if schema.extensions.embedded_resource && !matches!(found, Kind::Embedded | Kind::Struct { .. })
    {
        notes.add(path, "`x-kubernetes-embedded-resource`", "the value isn't an object");
        schema.extensions.embedded_resource = false;
    }
    if let (Kind::Embedded, false) = (found, schema.properties.is_empty()) {
        notes.add(
            path,
            "the fields of an embedded resource",
            "it has no `apiVersion` and `kind`, so any fields are kept",
        );
        schema.properties.clear();
    }
    if !is_object && schema.extensions.map_type.take().is_some() {
        notes.add(path, "`x-kubernetes-map-type`", "the value isn't an object");
    }
    if !matches!(found, Kind::List { .. }) && schema.extensions.list_type.take().is_some() {
        notes.add(path, "`x-kubernetes-list-type`", "the value isn't a list");
    }
    if let Kind::Struct { .. } = found {
        let has_others = schema.format.take().is_some()
            | schema.pattern.take().is_some()
            | schema.min_length.take().is_some()
            | schema.max_length.take().is_some()
            | schema.min_items.take().is_some()
            | schema.max_items.take().is_some()
            | schema.minimum.take().is_some()
            | schema.maximum.take().is_some()
            | schema.multiple_of.take().is_some();
        if has_others {
            notes.add(path, "keywords of other types", "they have no effect on an object");
        }
    }
}
