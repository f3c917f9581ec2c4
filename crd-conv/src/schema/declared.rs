//! Writes the declarations of authors into the schema.
//!
//! The mapping reads the same declarations, so that the API server and the conversions mean the same list.

use serde_json::Value;

use super::{
    Schema, SchemaError, SchemaType, default::same, embedded, error::Problem, validations,
};
use crate::apiserver::schema::{INT_OR_STRING, LIST_TYPE, MAP_KEYS, MAP_TYPE, PRESERVE};
use crate::json::Json;
use crate::outline::keywords::DEPTH;
use crate::plan::{Declared, Facts, Said, WriteFn, leaves};

const ONE_SOURCE: &str = "a list's keys must be declared in one place";
const KEYED: &str = "the API server identifies the items of such a list by its keys";

/// Writes the declarations of a field into its type's schema, so that both are read as one schema.
pub(super) fn declare(property: &mut Value, said: &Said) -> Result<(), Problem> {
    if said.embedded_resource {
        embedded::declare(property);
    }
    let mut extensions: Vec<(&str, Value)> = Vec::new();
    if said.int_or_string {
        extensions.push((INT_OR_STRING, true.into()));
    }
    if said.preserve_unknown_fields {
        extensions.push((PRESERVE, true.into()));
    }
    extensions.extend(said.recursion_depth.map(|depth| (DEPTH, depth.into())));
    extensions.extend(said.list_type.map(|ty| (LIST_TYPE, ty.into())));
    extensions.extend(said.map_type.map(|ty| (MAP_TYPE, ty.into())));
    let default = said.default.map(value_of).transpose()?;
    if extensions.is_empty() && default.is_none() {
        return Ok(());
    }
    if *property == Value::Bool(true) {
        *property = Value::Object(serde_json::Map::new());
    }
    let Some(property) = property.as_object_mut() else { return Ok(()) };
    for (name, value) in extensions {
        if let Some(other) = property.get(name).filter(|other| **other != value) {
            return Err((
                format!("is declared with `{name}`: {value}, and its type has the value {other}"),
                "the API server accepts only one value of it",
                "remove one of the two",
            ));
        }
        property.insert(name.to_owned(), value);
    }
    let Some(default) = default else { return Ok(()) };
    if default.is_null() {
        return Err((
            "has the default null".to_owned(),
            "null counts as no default",
            "remove `#[versioned(default = …)]`",
        ));
    }
    let serdes = said.serde_default.map(value_of).transpose()?;
    let others = [serdes.as_ref(), property.get("default")];
    let differs = |other: &&&Value| !same(&Json::from(**other), &Json::from(&default));
    if let Some(other) = others.iter().flatten().find(differs) {
        return Err((
            format!(
                "has the default {default} from `#[versioned(default = …)]` and {other} from `#[serde(default)]`"
            ),
            "the API server and Rust must fill in the same value for an absent field",
            "write the same value in both places, or remove one of the two",
        ));
    }
    property.insert("default".to_owned(), default);
    Ok(())
}

/// Writes the declared map type of a type.
pub(super) fn map_type(schema: &mut Schema, declared: Declared) -> Result<(), Problem> {
    let Some(map_type) = declared.map_type() else { return Ok(()) };
    if schema.ty != Some(SchemaType::Object) {
        return if is_end(schema) { Ok(()) } else { Err(no_object()) };
    }
    let declared = Some(map_type.to_owned());
    match schema.extensions.map_type.as_deref().filter(|other| *other != map_type) {
        None => {
            schema.extensions.map_type = declared;
            Ok(())
        }
        Some(other) => Err((
            format!("has the map type {map_type:?}, and its schema has `{MAP_TYPE}`: {other:?}"),
            "the API server accepts only one value of it",
            "remove one of the two",
        )),
    }
}

fn no_object() -> Problem {
    (
        "has a `map_type`, but isn't a struct or a map".to_owned(),
        "only an object has a map type",
        "remove `map_type`",
    )
}

/// Whether a type that contains itself ends here. Nothing more is known about its content, so no rule can name it.
fn is_end(schema: &Schema) -> bool {
    schema.preserves() && schema.properties.is_empty() && schema.values.is_empty()
}

fn value_of(write: WriteFn) -> Result<Value, Problem> {
    let mut text = String::new();
    let written = write(&mut text).and_then(|there| {
        if there { serde_json::from_str(&text).map_err(Into::into) } else { Ok(Value::Null) }
    });
    written.map_err(|error| {
        (
            format!("has a default that can't be written as JSON ({error})"),
            "the schema contains the default as a value",
            "change the default",
        )
    })
}

/// Goes through the schema and the types together; a place that only one of them has is left alone.
pub(super) fn apply(
    schema: &mut Schema,
    declared: Declared,
    ty: &str,
    path: &str,
    errors: &mut Vec<SchemaError>,
) {
    match declared {
        Declared::Fields(_, fields) => {
            if !is_end(schema) {
                validations::add_of_struct(schema, declared);
            }
            for facts in leaves(fields) {
                if facts.field.is_rest() {
                    if let (Some(values), Some(inside)) =
                        (&mut schema.additional_properties, declared.rest())
                    {
                        apply(values, inside, ty, &format!("{path}.*"), errors);
                    }
                    continue;
                }
                let Some(property) = schema.properties.get_mut(facts.field.wire) else { continue };
                let path = format!("{path}.{}", facts.field.wire);
                if let Some(inside) = facts.field.inside.get() {
                    apply(property, inside, facts.field.ty, &path, errors);
                }
                field(property, facts, ty, &path, errors);
            }
        }
        Declared::Items(inside) => {
            if let Some(items) = &mut schema.items {
                apply(items, inside(), ty, &format!("{path}[]"), errors);
            }
        }
        Declared::Values(inside) => {
            if let Some(values) = &mut schema.additional_properties {
                apply(values, inside(), ty, &format!("{path}.*"), errors);
            }
            // A map whose keys are the names of an enum.
            for (name, value) in &mut schema.properties {
                apply(value, inside(), ty, &format!("{path}.{name}"), errors);
            }
        }
        Declared::Around(name, inside) => {
            if let (Some(property), Some(inside)) = (schema.properties.get_mut(name), inside.get())
            {
                apply(property, inside, ty, &format!("{path}.{name}"), errors);
            }
        }
        // The content of variants is handled where each of them is read.
        Declared::Variants(of, ..) => {
            if !is_end(schema) {
                validations::add(schema, of.validations);
            }
        }
        Declared::Foreign(_) => {}
    }
}

fn field(schema: &mut Schema, facts: &Facts, ty: &str, path: &str, errors: &mut Vec<SchemaError>) {
    let refuse = |(problem, rule, instead): (String, &'static str, &str)| SchemaError {
        path: path.to_owned(),
        ty: ty.to_owned(),
        problem,
        rule,
        instead: instead.to_owned(),
    };
    if let Some(nullable) = facts.nullable {
        if nullable && !schema.values.is_empty() {
            errors.push(refuse((
                "is declared `nullable`".to_owned(),
                "the API server never accepts null for an enum",
                "remove `#[versioned(nullable)]`",
            )));
        } else {
            schema.nullable = nullable;
        }
    }
    let untyped = schema.ty.is_none() || facts.said.embedded_resource;
    if facts.nullable.is_none() && untyped && is_anything(schema) {
        // For a type that accepts anything, `schemars` doesn't say that it is an `Option`.
        schema.nullable = facts.field.nullable;
    }
    if let Err(problem) = types(schema, &facts.said) {
        errors.push(refuse(problem));
    }
    if !facts.field.list_keys.is_empty()
        && let Err(problem) = list_keys(schema, facts.field.list_keys)
    {
        errors.push(refuse(problem));
    }
    if facts.said.embedded_resource
        && let Err(problem) = embedded::check(schema)
    {
        errors.push(refuse(problem));
    }
    validations::add(schema, facts.said.validations);
}

/// Whether a value isn't restricted at all.
fn is_anything(schema: &Schema) -> bool {
    let Schema { all_of, one_of, any_of, .. } = schema;
    schema.preserves() && all_of.is_empty() && one_of.is_empty() && any_of.is_empty()
}

fn types(schema: &Schema, said: &Said) -> Result<(), Problem> {
    if said.map_type.is_some() && schema.ty != Some(SchemaType::Object) {
        return Err(no_object());
    }
    let Some(list_type) = said.list_type else { return Ok(()) };
    let Some(items) = schema.items.as_deref() else {
        return Err((
            format!("has the list type `{list_type}`, but isn't a list"),
            "only a list has a list type",
            "remove `list_type`",
        ));
    };
    if list_type == "set" && !fits_set(items) {
        return Err((
            "has the list type `set`, but its items aren't plain values".to_owned(),
            "server-side apply accepts no other items in a set",
            "write `list_type = \"atomic\"`, or `list_map_keys(…)` for items that are structs",
        ));
    }
    Ok(())
}

/// Whether a list of such items may be a set. The API server also accepts sets of atomic objects and lists, but server-side apply refuses
/// their items: `setItemToPathElement` of `sigs.k8s.io/structured-merge-diff/typed`.
pub(super) fn fits_set(items: &Schema) -> bool {
    !items.nullable && is_scalar(items)
}

fn is_scalar(schema: &Schema) -> bool {
    match schema.ty {
        Some(SchemaType::Array | SchemaType::Object) => false,
        Some(_) => true,
        None => schema.extensions.int_or_string,
    }
}

fn list_keys(schema: &mut Schema, keys: &[&str]) -> Result<(), Problem> {
    if let Some(other) = schema.extensions.list_type.as_deref().filter(|other| *other != "map") {
        return Err((
            format!("has `list_map_keys`, and `{LIST_TYPE}` is {other:?}"),
            "only a list of the type `map` has keys",
            "remove one of the two",
        ));
    }
    let wanted: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    let other = &schema.extensions.list_map_keys;
    if !other.is_empty() && *other != wanted {
        let shown = |keys: &[String]| Json::Array(keys.iter().cloned().map(Json::Text).collect());
        let [wanted, other] = [shown(&wanted), shown(other)];
        return Err((
            format!("has the keys {wanted} from `list_map_keys`, and `{MAP_KEYS}` is {other}"),
            ONE_SOURCE,
            "keep only `#[versioned(list_map_keys(…))]`, which the schema and the conversions both use",
        ));
    }
    let Some(items) = schema.items.as_deref() else {
        return Err((
            "has `list_map_keys`, but isn't a list".to_owned(),
            "only a list has keys",
            "remove `list_map_keys`",
        ));
    };
    if items.ty != Some(SchemaType::Object) || items.nullable {
        return Err((
            "has `list_map_keys`, but its items aren't plain objects".to_owned(),
            KEYED,
            "make the items a struct that isn't an `Option`, or remove `list_map_keys`",
        ));
    }
    for key in keys {
        let Some(property) = items.properties.get(*key) else {
            return Err((
                format!("has the key `{key}`, which isn't a field of its items"),
                KEYED,
                "name fields of the items",
            ));
        };
        if !is_scalar(property) {
            return Err((
                format!("has the key `{key}`, which isn't a plain value in its items"),
                KEYED,
                "name fields that are strings, numbers or booleans",
            ));
        }
        if property.nullable {
            return Err((
                format!("has the key `{key}`, which may be null in its items"),
                KEYED,
                "make that field required, or give it `#[serde(default)]` instead of `Option`",
            ));
        }
        if property.default.is_none() && !items.required.iter().any(|name| name == key) {
            return Err((
                format!("has the key `{key}`, which its items may leave out"),
                KEYED,
                "make that field required, or give it a default",
            ));
        }
    }
    schema.extensions.list_type = Some("map".to_owned());
    schema.extensions.list_map_keys = wanted;
    Ok(())
}
