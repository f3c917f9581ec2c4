//! Compares two schemas of one value, including everything inside.

use std::borrow::Cow;

use super::collect::{Changes, named, only_in};
use super::values::{self, Held};
use super::{bounds, catalog, extensions, forms};
use crate::apiserver::{schema::Additional, steps::META_FIELDS};
use crate::schema::{Schema, SchemaType};

/// The type that a schema declares for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type<'a> {
    Named(&'a str),
    IntOrString,
    /// Any type. A schema that preserves undeclared fields needs no type.
    Any,
}

fn type_of(schema: &Schema) -> Type<'_> {
    if schema.extensions.int_or_string {
        return Type::IntOrString;
    }
    match schema.type_name() {
        "" => Type::Any,
        name => Type::Named(name),
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Named(name) => write!(f, "`{name}`"),
            Self::IntOrString => f.write_str("an integer or a string"),
            Self::Any => f.write_str("of any type"),
        }
    }
}

/// Compares the schemas of two versions.
pub(super) fn versions(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old, new] = [old, new].map(|root| {
        let mut root = with_meta(&forms::normal(root));
        // Every object has these, and the first two have only one value.
        root.required.retain(|name| !META_FIELDS.contains(&name.as_str()));
        root.properties.retain(|name, _| !["apiVersion", "kind"].contains(&name.as_str()));
        root
    });
    node(&old, &new, Held::Required, changes);
}

/// Returns the schema of a Kubernetes object with what such an object has, whether its schema
/// declares that or not: `metaFields` of `pkg/apiserver/schema/pruning`. So a restriction of a name
/// is one of values that are there already.
fn with_meta(object: &Schema) -> Schema {
    let text = Schema { ty: Some(SchemaType::Text), ..Schema::default() };
    let texts = Schema { additional_properties: Some(Box::new(text.clone())), ..Schema::object() };
    let mut object = object.clone();
    for name in ["apiVersion", "kind"] {
        object.properties.entry(name.to_owned()).or_insert_with(|| text.clone());
    }
    let metadata = object.properties.entry("metadata".to_owned()).or_default();
    metadata.ty = Some(SchemaType::Object);
    metadata.extensions.preserve_unknown_fields = Some(true);
    for name in ["name", "generateName", "namespace"] {
        metadata.properties.entry(name.to_owned()).or_insert_with(|| text.clone());
    }
    for name in ["labels", "annotations"] {
        metadata.properties.entry(name.to_owned()).or_insert_with(|| texts.clone());
    }
    object
}

/// Compares the schemas of a value.
fn node(old: &Schema, new: &Schema, held: Held, changes: &mut Changes) {
    if old == new {
        return;
    }
    if [old, new].iter().all(|schema| schema.extensions.embedded_resource) {
        return typed(&with_meta(old), &with_meta(new), held, changes);
    }
    typed(old, new, held, changes);
}

fn typed(old: &Schema, new: &Schema, held: Held, changes: &mut Changes) {
    if !types(old, new, changes) {
        return;
    }
    values::values(old, new, held, changes);
    if !values::all_fit(old, new) {
        values::conditions(old, new, changes);
        bounds::bounds(old, new, changes);
    }
    extensions::extensions(old, new, changes);
    required(old, new, changes);
    properties(old, new, changes);
    if let (Some(old), Some(new)) = (items(old), items(new)) {
        changes.below("[]", |changes| node(&old, &new, Held::Item, changes));
    }
    if matches!(type_of(old), Type::Named("object") | Type::Any) {
        undeclared(old, new, changes);
    }
}

/// Compares the types. Returns whether the parts inside can be compared.
fn types(old: &Schema, new: &Schema, changes: &mut Changes) -> bool {
    let (old_type, new_type) = (type_of(old), type_of(new));
    if old_type == new_type {
        return true;
    }
    let widens = matches!(
        (old_type, new_type),
        (Type::Named("integer"), Type::Named("number"))
            | (Type::Named("integer" | "string"), Type::IntOrString)
            | (_, Type::Any)
    );
    changes.here(if widens {
        catalog::type_widened(&old_type, &new_type)
    } else {
        catalog::type_changed(&old_type, &new_type)
    });
    widens
}

fn required(old: &Schema, new: &Schema, changes: &mut Changes) {
    for name in only_in(&new.required, &old.required) {
        changes.below(&format!(".{name}"), |changes| {
            let field = new.properties.get(name);
            changes.here(if field.is_some_and(|field| field.default.is_some()) {
                catalog::required_added_with_default()
            } else {
                catalog::required_added()
            });
        });
    }
    for name in only_in(&old.required, &new.required) {
        if new.properties.contains_key(name) {
            changes.below(&format!(".{name}"), |changes| {
                changes.here(catalog::required_removed());
            });
        }
    }
}

/// The schema of a list's items. If a list preserves unknown fields, it does so in its items:
/// `skipPrune` of `pkg/apiserver/schema/pruning`.
fn items(list: &Schema) -> Option<Cow<'_, Schema>> {
    let items = list.items.as_deref()?;
    if !list.preserves() {
        return Some(Cow::Borrowed(items));
    }
    let mut items = items.clone();
    items.extensions.preserve_unknown_fields = Some(true);
    Some(Cow::Owned(items))
}

/// The schema of an object's undeclared fields, or `None` if the API server drops them.
fn others(schema: &Schema) -> Option<Cow<'_, Schema>> {
    match schema.additional() {
        Additional::Schema(values) => Some(Cow::Borrowed(values)),
        // Any values, but the server empties the objects in them: `prune` without a schema.
        Additional::Allowed(true) => Some(Cow::Owned(Schema::default())),
        _ => schema.preserves().then(|| Cow::Owned(Schema::anything())),
    }
}

fn properties(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old_others, new_others] = [old, new].map(others);
    let keeps = new.preserves();
    for (name, old_field) in &old.properties {
        let held = if new.required.contains(name) { Held::Required } else { Held::Optional };
        changes.below(&format!(".{name}"), |changes| {
            match (new.properties.get(name), &new_others) {
                (Some(new_field), _) => node(old_field, new_field, held, changes),
                (None, _) if keeps => changes.here(catalog::field_undeclared()),
                (None, Some(values)) => node(old_field, values, held, changes),
                (None, None) => changes.here(catalog::field_removed()),
            }
        });
    }
    for name in new.properties.keys().filter(|name| !old.properties.contains_key(*name)) {
        changes.below(&format!(".{name}"), |changes| {
            if old_others.is_some() {
                changes.here(catalog::field_declared());
            } else if !new.required.contains(name) {
                // A required field has its own change.
                changes.here(catalog::field_added());
            }
        });
    }
}

/// Compares undeclared fields. A struct and a map are both objects, and a schema that preserves
/// unknown fields is a map of any values.
fn undeclared(old: &Schema, new: &Schema, changes: &mut Changes) {
    let refuses = |schema: &Schema| matches!(schema.additional(), Additional::Allowed(false));
    match [refuses(old), refuses(new)] {
        [false, true] => return changes.here(catalog::undeclared_refused()),
        [true, false] => return changes.here(catalog::undeclared_no_longer_refused()),
        [true, true] => return,
        [false, false] => {}
    }
    match (others(old), others(new)) {
        (Some(old), Some(new)) => {
            changes.below(".*", |changes| node(&old, &new, Held::Value, changes));
        }
        (Some(_), None) => changes.here(match &*named(new.properties.keys()) {
            _ if old.preserves() => catalog::unknown_fields_dropped(),
            "" => catalog::map_removed(),
            left => catalog::map_became_struct(&left),
        }),
        (None, Some(_)) if new.preserves() => changes.here(catalog::unknown_fields_kept()),
        (None, Some(_)) => changes.here(catalog::map_added()),
        (None, None) => {}
    }
}
