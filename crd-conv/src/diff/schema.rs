//! Compares two schemas of one value, including everything inside.

use std::borrow::Cow;

use super::collect::{Changes, named, only_in};
use super::values::{self, Held};
use super::{bounds, extensions, forms};
use crate::apiserver::{schema::Additional, steps::META_FIELDS};
use crate::schema::Schema;

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
    let [old, new] = [old, new].map(|root| without_meta(forms::normal(root)));
    node(&old, &new, Held::Required, changes);
}

/// Every object has these fields, whether its schema declares them or not, and `apiVersion` and
/// `kind` have only one value. So only a restriction of `metadata` is compared.
fn without_meta(mut root: Schema) -> Schema {
    root.required.retain(|name| !META_FIELDS.contains(&name.as_str()));
    root.properties.retain(|name, field| match name.as_str() {
        "apiVersion" | "kind" => false,
        "metadata" => Schema { description: None, ty: None, ..field.clone() } != Schema::default(),
        _ => true,
    });
    root
}

/// Compares the schemas of a value.
fn node(old: &Schema, new: &Schema, held: Held, changes: &mut Changes) {
    if old == new {
        return;
    }
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
    let what = format!("it was {old_type} and is {new_type}");
    let widens = matches!(
        (old_type, new_type),
        (Type::Named("integer"), Type::Named("number"))
            | (Type::Named("integer" | "string"), Type::IntOrString)
            | (_, Type::Any)
    );
    if widens {
        changes.risky(
            "type-widened",
            format!("{what}: readers may get a value that doesn't fit their type"),
            "make all readers accept both types before anyone writes the new one",
        );
    } else {
        changes.breaking(
            "type-changed",
            format!("{what}: objects with a value of the old type are refused"),
            "keep the type, and use the new type in another field or version",
        );
    }
    widens
}

fn required(old: &Schema, new: &Schema, changes: &mut Changes) {
    for name in only_in(&new.required, &old.required) {
        changes.below(&format!(".{name}"), |changes| {
            if new.properties.get(name).is_some_and(|field| field.default.is_some()) {
                changes.safe("required-added", "it is required, and the API server fills in its default where it is missing");
            } else {
                changes.breaking(
                    "required-added",
                    "it is required: objects without it are refused, even if only something else in them changes",
                    "leave it optional, or give it a default",
                );
            }
        });
    }
    for name in only_in(&old.required, &new.required) {
        if new.properties.contains_key(name) {
            changes.below(&format!(".{name}"), |changes| {
                changes.safe("required-removed", "it is optional: readers may find no value");
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
        Additional::Allowed(true) => Some(Cow::Owned(Schema::anything())),
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
                (None, _) if keeps => changes.risky(
                    "field-removed",
                    "it is no longer declared: any value is kept, and none is checked",
                    "declare it",
                ),
                (None, Some(values)) => node(old_field, values, held, changes),
                (None, None) => changes.breaking(
                    "field-removed",
                    "it is gone: the API server drops its value, with at most a warning",
                    "keep it in this version, and remove it in a new one",
                ),
            }
        });
    }
    for name in new.properties.keys().filter(|name| !old.properties.contains_key(*name)) {
        changes.below(&format!(".{name}"), |changes| {
            if old_others.is_some() {
                changes.risky(
                    "field-added",
                    "it is declared, and objects may already have another value with this name",
                    "make sure that none does",
                );
            } else if !new.required.contains(name) {
                // A required field has its own change.
                changes.safe("field-added", "it is new");
            }
        });
    }
}

/// Compares undeclared fields. A struct and a map are both objects, and a schema that preserves
/// unknown fields is a map of any values.
fn undeclared(old: &Schema, new: &Schema, changes: &mut Changes) {
    match (others(old), others(new)) {
        (Some(old), Some(new)) => {
            changes.below(".*", |changes| node(&old, &new, Held::Value, changes));
        }
        (Some(_), None) if old.preserves() => changes.breaking(
            "preserve-unknown-fields-removed",
            "undeclared fields were kept here, and are now dropped",
            "declare them, or keep it",
        ),
        (Some(_), None) => {
            let left = named(new.properties.keys());
            changes.breaking(
                "map-removed",
                match &*left {
                    "" => "it was a map, and the API server now drops its content".to_owned(),
                    left => format!("it was a map with any keys, and the API server now drops all keys but {left}"),
                },
                "keep it, and put the new fields in another place",
            );
        }
        (None, Some(_)) if new.preserves() => {
            changes.safe("preserve-unknown-fields-added", "undeclared fields are kept here");
        }
        (None, Some(_)) => changes.safe("map-added", "it accepts any keys"),
        (None, None) => {}
    }
}
