//! Whether a value fits what restricts it, apart from patterns and formats.

use super::{Json, Number, Schema, SchemaType};

/// Whether the API server accepts a value. It looks at null only by type and by `enum`.
pub(crate) fn fits(value: &Json, schema: &Schema) -> bool {
    if *value == Json::Null {
        return (schema.nullable || schema.ty.is_none()) && schema.values.is_empty();
    }
    schema.ty.is_none_or(|ty| is_of(value, ty))
        && (schema.values.is_empty() || schema.values.contains(value))
        && fits_bounds(value, schema)
        && fits_inside(value, schema)
        && schema.all_of.iter().all(|one| fits(value, one))
        && (schema.any_of.is_empty() || schema.any_of.iter().any(|one| fits(value, one)))
        && (schema.one_of.is_empty()
            || schema.one_of.iter().filter(|one| fits(value, one)).count() == 1)
        && schema.not.as_ref().is_none_or(|not| !fits(value, not))
}

fn fits_bounds(value: &Json, schema: &Schema) -> bool {
    let within = |count: usize, least: Option<u64>, most: Option<u64>| {
        let count = count as u64;
        least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
    };
    match value {
        Json::Number(number) => {
            let number = number.as_f64();
            let above = schema.minimum.is_none_or(|least| {
                if schema.exclusive_minimum {
                    number > least.as_f64()
                } else {
                    number >= least.as_f64()
                }
            });
            let below = schema.maximum.is_none_or(|most| {
                if schema.exclusive_maximum {
                    number < most.as_f64()
                } else {
                    number <= most.as_f64()
                }
            });
            let step =
                schema.multiple_of.is_none_or(|step| (number / step.as_f64()).fract() == 0.0);
            above && below && step
        }
        Json::Text(text) => within(text.chars().count(), schema.min_length, schema.max_length),
        Json::Array(items) => within(items.len(), schema.min_items, schema.max_items),
        Json::Object(members) => {
            within(members.len(), schema.min_properties, schema.max_properties)
        }
        Json::Null | Json::Boolean(_) => true,
    }
}

fn fits_inside(value: &Json, schema: &Schema) -> bool {
    match value {
        Json::Array(items) => {
            schema.items.as_ref().is_none_or(|inner| items.iter().all(|item| fits(item, inner)))
        }
        Json::Object(members) => {
            schema.required.iter().all(|name| members.contains_key(name))
                && members.iter().all(|(name, member)| {
                    let inner = schema.properties.get(name);
                    inner
                        .or(schema.additional_properties.as_deref())
                        .is_none_or(|inner| fits(member, inner))
                })
        }
        _ => true,
    }
}

/// Whether a value is of a type.
pub(super) fn is_of(value: &Json, ty: SchemaType) -> bool {
    match (value, ty) {
        (Json::Boolean(_), SchemaType::Boolean)
        | (Json::Number(_), SchemaType::Number)
        | (Json::Text(_), SchemaType::Text)
        | (Json::Array(_), SchemaType::Array)
        | (Json::Object(_), SchemaType::Object)
        // The server has no integers beyond those of 64 bits with a sign.
        | (Json::Number(Number::Signed(_)), SchemaType::Integer) => true,
        (Json::Number(Number::Float(n)), SchemaType::Integer) => {
            n.fract() == 0.0 && n.abs() < 9.2e18
        }
        _ => false,
    }
}
