//! Structural schemas.

use crd_conv::schema::{Json, Schema, SchemaType};
use crd_conv::testing::server;
use proptest::prelude::*;
use proptest::sample::select;

use super::objects::{self, NAMES};

/// The schema of a version: its root is an object that isn't nullable and has no default.
pub(crate) fn root() -> BoxedStrategy<Schema> {
    let names = || select(NAMES.iter().copied().filter(|name| name.len() < 8).collect::<Vec<_>>());
    (prop::collection::btree_map(names().prop_map(str::to_owned), any_schema(), 1..4), 0..8_u8)
        .prop_map(|(properties, preserve)| {
            let mut schema = of(SchemaType::Object);
            schema.properties = properties;
            if preserve == 1 {
                schema.extensions.preserve_unknown_fields = Some(true);
            }
            schema
        })
        .boxed()
}

fn of(ty: SchemaType) -> Schema {
    let mut schema = Schema::default();
    schema.ty = Some(ty);
    schema
}

fn any_schema() -> BoxedStrategy<Schema> {
    let types = [SchemaType::Boolean, SchemaType::Integer, SchemaType::Number, SchemaType::Text];
    let plain = prop_oneof![
        6 => select(types.to_vec()).prop_map(of),
        1 => Just(int_or_string()),
        1 => Just(preserving(None)),
        1 => Just(preserving(Some(SchemaType::Object))),
    ];
    decorated(plain.boxed())
        .prop_recursive(4, 16, 4, |inner| {
            let properties = prop::collection::btree_map(
                select(NAMES.to_vec()).prop_map(str::to_owned),
                inner.clone(),
                1..4,
            );
            let list = inner.clone().prop_map(|items| {
                let mut schema = of(SchemaType::Array);
                schema.items = Some(Box::new(items));
                schema
            });
            let map = inner.prop_map(|values| {
                let mut schema = of(SchemaType::Object);
                schema.additional_properties = Some(Box::new(values));
                schema
            });
            let fields = (properties, 0..6_u8).prop_map(|(properties, kind)| {
                let mut schema = of(SchemaType::Object);
                schema.properties = properties;
                if kind == 1 {
                    schema.extensions.embedded_resource = true;
                    schema.properties.retain(|name, _| name.len() < 8);
                    if schema.properties.is_empty() {
                        schema.extensions.preserve_unknown_fields = Some(true);
                    }
                }
                schema
            });
            let shape = (prop_oneof![3 => fields, 2 => list, 2 => map], 0..6_u8);
            let shape = shape.prop_map(|(mut schema, preserve)| {
                if preserve == 1 {
                    schema.extensions.preserve_unknown_fields = Some(true);
                }
                schema
            });
            decorated(shape.boxed())
        })
        .boxed()
}

fn int_or_string() -> Schema {
    let mut schema = Schema::default();
    schema.extensions.int_or_string = true;
    schema
}

fn preserving(ty: Option<SchemaType>) -> Schema {
    let mut schema = Schema::default();
    schema.ty = ty;
    schema.extensions.preserve_unknown_fields = Some(true);
    schema
}

/// Perhaps nullable, perhaps with a default.
fn decorated(schema: BoxedStrategy<Schema>) -> BoxedStrategy<Schema> {
    let default = |schema: &Schema| {
        let value = objects::value(schema);
        prop_oneof![1 => Just(None), 1 => value.prop_map(Some)]
    };
    (schema, any::<bool>())
        .prop_flat_map(move |(schema, nullable)| {
            let default = default(&schema);
            (Just(schema), Just(nullable), default)
        })
        .prop_map(|(mut schema, nullable, default)| {
            schema.nullable = nullable;
            schema.default = default.and_then(|text| pruned(&schema, &text));
            schema
        })
        .boxed()
}

/// A default must be pruned already, and the server must be able to read its resources.
fn pruned(schema: &Schema, default: &str) -> Option<Json> {
    let mut around = of(SchemaType::Object);
    around.properties.insert("default".to_owned(), schema.clone());
    let mut object = Json::Object([("default".to_owned(), server::read(default).ok()?)].into());
    server::prune(&mut object, &around);
    server::coerce(&mut object, &around).ok()?;
    match object {
        Json::Object(mut members) => members.remove("default"),
        _ => None,
    }
}
