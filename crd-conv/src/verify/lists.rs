//! `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.

use crate::apiserver::{
    finding::Kind,
    place::Place,
    report::About,
    schema::{LIST_TYPE, MAP_KEYS, MAP_TYPE, Schema, SchemaType},
};

pub(super) fn check(schema: &Schema, place: &mut Place) {
    if let Some(map_type) = &schema.extensions.map_type {
        is_of(SchemaType::Object, MAP_TYPE, schema, place);
        if !["atomic", "granular"].contains(&map_type.as_str()) {
            place.refuse_at(
                MAP_TYPE,
                Kind::NotSupported,
                format!("`{map_type}` is unknown; write `atomic` or `granular`"),
            );
        }
    }
    let list_type = schema.extensions.list_type.as_deref();
    if let Some(list_type) = list_type {
        is_of(SchemaType::Array, LIST_TYPE, schema, place);
        if !["atomic", "set", "map"].contains(&list_type) {
            place.refuse_at(
                LIST_TYPE,
                Kind::NotSupported,
                format!("`{list_type}` is unknown; write `atomic`, `set` or `map`"),
            );
        }
    }
    if !schema.extensions.list_map_keys.is_empty() && list_type != Some("map") {
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

fn is_of(ty: SchemaType, because: &str, schema: &Schema, place: &mut Place) {
    if schema.ty != Some(ty) {
        let kind = if schema.type_name().is_empty() { Kind::Required } else { Kind::Invalid };
        let ty = ty.name();
        place.refuse_at(
            "type",
            kind,
            format!("`{because}` is for type {ty}; write `type: {ty}`, or remove `{because}`"),
        );
    }
}

fn set(schema: &Schema, place: &mut Place) {
    let Some(item) = schema.items.as_deref() else { return };
    not_nullable(item, "set", place);
    let atomic = "the items of a set must be atomic; write `atomic`";
    if schema.ty == Some(SchemaType::Array) {
        place.child("items", |place| match item.ty {
            Some(SchemaType::Array)
                if item.extensions.list_type.as_deref().is_some_and(|ty| ty != "atomic") =>
            {
                place.refuse_at(LIST_TYPE, Kind::Invalid, atomic);
            }
            Some(SchemaType::Object) if item.extensions.map_type.as_deref() != Some("atomic") => {
                place.refuse_at(MAP_TYPE, Kind::Invalid, atomic);
            }
            _ => {}
        });
        let items = match item.type_name() {
            "array" => "a list",
            "object" => "an object",
            "" if !item.extensions.int_or_string => "an object or a list",
            _ => return,
        };
        place.warn_at(
            LIST_TYPE,
            About::ServerSideApply,
            format!("server-side apply accepts only plain values in a set, and refuses every resource that has {items} here; write `atomic`"),
        );
    }
}

fn map(schema: &Schema, place: &mut Place) {
    if schema.extensions.list_map_keys.is_empty() {
        place.refuse_at(
            MAP_KEYS,
            Kind::Required,
            "write the properties that identify an item, such as `[name]`",
        );
    }
    let Some(item) = schema.items.as_deref() else {
        let is_list = schema.others().items.is_some();
        let kind = if is_list { Kind::Invalid } else { Kind::Required };
        return place.refuse_at("items", kind, "write one schema for all items");
    };
    not_nullable(item, "map", place);
    if item.ty == Some(SchemaType::Object) {
        for (i, key) in schema.extensions.list_map_keys.iter().enumerate() {
            if schema.extensions.list_map_keys[..i].contains(key) {
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
                format!("the items of a list of type `map` must be objects, not `{}`; write `type: object`, or make the list `atomic`", item.type_name()),
            );
        });
    }
    for key in &schema.extensions.list_map_keys {
        map_key(key, item, place);
    }
}

fn map_key(key: &str, item: &Schema, place: &mut Place) {
    let Some(property) = item.properties.get(key) else {
        if item.ty == Some(SchemaType::Object) {
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
            if item.ty == Some(SchemaType::Object) && matches!(property.ty, Some(SchemaType::Array | SchemaType::Object)) {
                place.refuse_at(
                    "type",
                    Kind::Invalid,
                    format!(
                        "`{key}` is a key of the list and must be a scalar, not `{}`",
                        property.type_name()
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
            if property.type_name().is_empty() && !property.extensions.int_or_string {
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

fn not_nullable(item: &Schema, list_type: &str, place: &mut Place) {
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
