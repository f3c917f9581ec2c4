//! Objects for a structural schema.

use crd_conv::schema::{Schema, SchemaType};
use proptest::prelude::*;
use proptest::sample::select;

/// A value that fits but for what is absent, null or unknown.
pub(crate) fn value(schema: &Schema) -> BoxedStrategy<String> {
    let fits = match schema.ty {
        Some(SchemaType::Object) => object(schema),
        Some(SchemaType::Array) => {
            let item = schema.items.as_deref().map_or_else(|| texts(&["null"]), value);
            let items = prop::collection::vec(item, 0..4);
            let twice = (items, any::<prop::sample::Index>(), any::<bool>()).prop_map(
                |(mut items, twin, twice)| {
                    if twice && !items.is_empty() {
                        items.push(twin.get(&items).clone());
                    }
                    format!("[{}]", items.join(","))
                },
            );
            twice.boxed()
        }
        Some(SchemaType::Boolean) => texts(&["true", "false"]),
        Some(SchemaType::Integer) => texts(&["0", "1", "5", "7", "-0"]),
        Some(SchemaType::Number) => texts(&["0", "1.50", "1.2345678901234567e18", "-0.0", "1e2"]),
        _ => texts(&["\"\"", "\"a\"", "\"b:1\"", "\"TCP\"", "\"\\ud800<\""]),
    };
    prop_oneof![8 => fits, 1 => Just("null".to_owned())].boxed()
}

fn texts(texts: &'static [&str]) -> BoxedStrategy<String> {
    select(texts).prop_map(str::to_owned).boxed()
}

fn object(schema: &Schema) -> BoxedStrategy<String> {
    let mut fields: Vec<(String, BoxedStrategy<String>, u32)> = Vec::new();
    for (name, schema) in &schema.properties {
        fields.push((name.clone(), value(schema), 3));
    }
    let unknown = ["unknown", "a"].map(str::to_owned);
    for name in unknown {
        match &schema.additional_properties {
            Some(schema) => fields.push((name, value(schema), 3)),
            None => {
                fields.push((name, texts(&["1", "null"]), 1));
            }
        }
    }
    let member = |(name, value, often): (String, BoxedStrategy<String>, u32)| {
        prop_oneof![2 => Just(None), often => value.prop_map(Some)]
            .prop_map(move |value| value.map(|value| format!("\"{name}\":{value}")))
            .boxed()
    };
    let members: Vec<_> = fields.into_iter().map(member).collect();
    let members = members.prop_shuffle();
    members
        .prop_map(|members| {
            format!("{{{}}}", members.into_iter().flatten().collect::<Vec<_>>().join(","))
        })
        .boxed()
}
