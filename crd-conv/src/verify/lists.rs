//! `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.

use super::{place::Place, props::Props, report::About};
use crate::apiserver::finding::Kind;

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";

pub(super) fn check(schema: &Props, place: &mut Place) {
    if let Some(map_type) = &schema.map_type {
        is_of("object", MAP_TYPE, schema, place);
        if !["atomic", "granular"].contains(&map_type.as_str()) {
            place.refuse_at(
                MAP_TYPE,
                Kind::NotSupported,
                format!("`{map_type}` is unknown; write `atomic` or `granular`"),
            );
        }
    }
    let list_type = schema.list_type.as_deref();
    if let Some(list_type) = list_type {
        is_of("array", LIST_TYPE, schema, place);
        if !["atomic", "set", "map"].contains(&list_type) {
            place.refuse_at(
                LIST_TYPE,
                Kind::NotSupported,
                format!("`{list_type}` is unknown; write `atomic`, `set` or `map`"),
            );
        }
    }
    if !schema.list_map_keys.is_empty() && list_type != Some("map") {
        let kind = if list_type.is_none() { Kind::Required } else { Kind::Invalid };
        place.refuse_at(
            LIST_TYPE,
            kind,
            format!("only a list of type `map` has `{MAP_KEYS}`; write `map`, or remove the keys"),
        );
    }
    match list_type {
        Some("set") => set(schema, place),
        Some("map") => map(schema, place),
        _ => {}
    }
}

fn is_of(ty: &str, because: &str, schema: &Props, place: &mut Place) {
    if schema.ty != ty {
        let kind = if schema.ty.is_empty() { Kind::Required } else { Kind::Invalid };
        place.refuse_at(
            "type",
            kind,
            format!("`{because}` is for type {ty}; write `type: {ty}`, or remove `{because}`"),
        );
    }
}

fn set(schema: &Props, place: &mut Place) {
    let Some(item) = schema.item() else { return };
    not_nullable(item, "set", place);
    let atomic = "the items of a set must be atomic; write `atomic`";
    if schema.ty == "array" {
        place.child("items", |place| match item.ty.as_str() {
            "array" if item.list_type.as_deref().is_some_and(|ty| ty != "atomic") => {
                place.refuse_at(LIST_TYPE, Kind::Invalid, atomic);
            }
            "object" if item.map_type.as_deref() != Some("atomic") => {
                place.refuse_at(MAP_TYPE, Kind::Invalid, atomic);
            }
            _ => {}
        });
        let items = match item.ty.as_str() {
            "array" => "a list",
            "object" => "an object",
            "" if !item.int_or_string => "an object or a list",
            _ => return,
        };
        place.warn_at(
            LIST_TYPE,
            About::ServerSideApply,
            format!("server-side apply accepts only plain values in a set, and refuses every resource that has {items} here; write `atomic`"),
        );
    }
}

fn map(schema: &Props, place: &mut Place) {
    if schema.list_map_keys.is_empty() {
        place.refuse_at(
            MAP_KEYS,
            Kind::Required,
            "write the properties that identify an item, such as `[name]`",
        );
    }
    let Some(item) = schema.item() else {
        let kind = if schema.items.is_none() { Kind::Required } else { Kind::Invalid };
        return place.refuse_at("items", kind, "write one schema for all items");
    };
    not_nullable(item, "map", place);
    if item.ty == "object" {
        for (i, key) in schema.list_map_keys.iter().enumerate() {
            if schema.list_map_keys[..i].contains(key) {
                place.refuse_at(
                    MAP_KEYS,
                    Kind::Invalid,
                    format!("`{key}` is listed twice; remove one"),
                );
            }
        }
    } else {
        place.child("items", |place| {
            place.refuse_at(
                "type",
                Kind::Invalid,
                format!("the items of a list of type `map` must be objects, not `{}`; write `type: object`, or make the list `atomic`", item.ty),
            );
        });
    }
    for key in &schema.list_map_keys {
        map_key(key, item, place);
    }
}

fn map_key(key: &str, item: &Props, place: &mut Place) {
    let Some(property) = item.properties.get(key) else {
        if item.ty == "object" {
            place.refuse_at(
                MAP_KEYS,
                Kind::Invalid,
                format!(
                    "`{key}` isn't a property of the items; declare it, or remove it from the keys"
                ),
            );
        }
        return;
    };
    place.child("items", |place| {
        place.entry("properties", key, |place| {
            if item.ty == "object" && ["array", "object"].contains(&property.ty.as_str()) {
                place.refuse_at(
                    "type",
                    Kind::Invalid,
                    format!(
                        "`{key}` is a key of the list and must be a scalar, not `{}`",
                        property.ty
                    ),
                );
            }
            if !item.required.iter().any(|name| name == key) && property.default.is_none() {
                place.refuse_at(
                    "default",
                    Kind::Required,
                    format!("`{key}` is a key of the list, but items may leave it out; make it required, or give it a default"),
                );
            }
            if property.ty.is_empty() && !property.int_or_string {
                place.warn(
                    About::ServerSideApply,
                    format!("`{key}` is a key of the list and has no type: server-side apply accepts null there once, and refuses the resource from then on; write a `type`"),
                );
            }
            if property.nullable {
                place.refuse_at(
                    "nullable",
                    Kind::Forbidden,
                    format!("`{key}` is a key of the list and can't be null; remove `nullable`"),
                );
            }
        });
    });
}

fn not_nullable(item: &Props, list_type: &str, place: &mut Place) {
    if item.nullable {
        place.child("items", |place| {
            place.refuse_at(
                "nullable",
                Kind::Forbidden,
                format!(
                    "the items of a list of type `{list_type}` can't be null; remove `nullable`"
                ),
            );
        });
    }
}
