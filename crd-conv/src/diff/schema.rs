//! Compares two schemas of one value, including everything inside.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::collect::{Changes, at, flag, members, named, only_in, texts};
use super::values::{self, Held};
use super::{bounds, extensions, forms};
use crate::json::Json;

const PRESERVES: &str = "x-kubernetes-preserve-unknown-fields";

/// The type that a schema declares for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type<'a> {
    Named(&'a str),
    IntOrString,
    /// Any type. A schema that preserves undeclared fields needs no type.
    Any,
}

fn type_of(schema: &Json) -> Type<'_> {
    if flag(schema, &["x-kubernetes-int-or-string"]) {
        return Type::IntOrString;
    }
    match at(schema, &["type"]).and_then(Json::as_str) {
        Some(name) => Type::Named(name),
        None => Type::Any,
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
pub(super) fn versions(old: &Json, new: &Json, changes: &mut Changes) {
    node(old, new, Held::Required, changes);
}

/// Compares the schemas of a value.
fn node(old: &Json, new: &Json, held: Held, changes: &mut Changes) {
    let [old, new] = &[old, new].map(forms::plain);
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
fn types(old: &Json, new: &Json, changes: &mut Changes) -> bool {
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

fn required(old: &Json, new: &Json, changes: &mut Changes) {
    let [old_names, new_names] = [old, new].map(|schema| texts(schema, &["required"]));
    for name in only_in(&new_names, &old_names) {
        changes.below(&format!(".{name}"), |changes| {
            if at(new, &["properties", name, "default"]).is_some() {
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
    for name in only_in(&old_names, &new_names) {
        if at(new, &["properties", name]).is_some() {
            changes.below(&format!(".{name}"), |changes| {
                changes.safe("required-removed", "it is optional: readers may find no value");
            });
        }
    }
}

/// The schema of a list's items. If a list preserves unknown fields, it does so in its items:
/// `skipPrune` of `pkg/apiserver/schema/pruning`.
fn items(list: &Json) -> Option<Cow<'_, Json>> {
    let items = at(list, &["items"])?;
    if !flag(list, &[PRESERVES]) {
        return Some(Cow::Borrowed(items));
    }
    let mut said = members(items)?.clone();
    said.insert(PRESERVES.to_owned(), Json::Boolean(true));
    Some(Cow::Owned(Json::Object(said)))
}

/// The schema of an object's undeclared fields, or `None` if the API server drops them.
fn others(schema: &Json) -> Option<Cow<'_, Json>> {
    let declared = at(schema, &["additionalProperties"]);
    if let Some(values @ Json::Object(_)) = declared {
        return Some(Cow::Borrowed(values));
    }
    let any = flag(schema, &[PRESERVES]) || declared == Some(&Json::Boolean(true));
    let anything = || Json::Object(BTreeMap::from([(PRESERVES.to_owned(), Json::Boolean(true))]));
    any.then(|| Cow::Owned(anything()))
}

fn properties(old: &Json, new: &Json, changes: &mut Changes) {
    let empty = BTreeMap::new();
    let [old_fields, new_fields] =
        [old, new].map(|schema| at(schema, &["properties"]).and_then(members).unwrap_or(&empty));
    let [old_others, new_others] = [old, new].map(others);
    let keeps = flag(new, &[PRESERVES]);
    let required = texts(new, &["required"]);
    for (name, old_field) in old_fields {
        let held = if required.contains(&&**name) { Held::Required } else { Held::Optional };
        changes.below(&format!(".{name}"), |changes| match (new_fields.get(name), &new_others) {
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
        });
    }
    for name in new_fields.keys().filter(|name| !old_fields.contains_key(*name)) {
        changes.below(&format!(".{name}"), |changes| {
            if old_others.is_some() {
                changes.risky(
                    "field-added",
                    "it is declared, and objects may already have another value with this name",
                    "make sure that none does",
                );
            } else if !required.contains(&&**name) {
                // A required field has its own change.
                changes.safe("field-added", "it is new");
            }
        });
    }
}

/// Compares undeclared fields. A struct and a map are both objects, and a schema that preserves
/// unknown fields is a map of any values.
fn undeclared(old: &Json, new: &Json, changes: &mut Changes) {
    let [kept, keeps] = [old, new].map(|schema| flag(schema, &[PRESERVES]));
    match (others(old), others(new)) {
        (Some(old), Some(new)) => {
            changes.below(".*", |changes| node(&old, &new, Held::Value, changes));
        }
        (Some(_), None) if kept => changes.breaking(
            "preserve-unknown-fields-removed",
            "undeclared fields were kept here, and are now dropped",
            "declare them, or keep it",
        ),
        (Some(_), None) => {
            let left = at(new, &["properties"]).and_then(members);
            let left = named(left.into_iter().flat_map(BTreeMap::keys));
            changes.breaking(
                "map-removed",
                match &*left {
                    "" => "it was a map, and the API server now drops its content".to_owned(),
                    left => format!("it was a map with any keys, and the API server now drops all keys but {left}"),
                },
                "keep it, and put the new fields in another place",
            );
        }
        (None, Some(_)) if keeps => {
            changes.safe("preserve-unknown-fields-added", "undeclared fields are kept here");
        }
        (None, Some(_)) => changes.safe("map-added", "it accepts any keys"),
        (None, None) => {}
    }
}
