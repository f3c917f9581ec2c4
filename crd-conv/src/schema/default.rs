//! Defaults, checked as the API server checks them.

use super::fit::{fits, is_of};
use super::{Json, Schema};

/// Takes out what serde writes for an absent `Option`: a null member of a struct, which the API server would
/// drop or refuse.
pub(crate) fn prune_nulls(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) if schema.additional_properties.is_none() => {
            members.retain(|name, member| {
                *member != Json::Null || !schema.properties.contains_key(name)
            });
            for (name, member) in members {
                if let Some(property) = schema.properties.get(name) {
                    prune_nulls(member, property);
                }
            }
        }
        Json::Object(members) => {
            if let Some(inner) = &schema.additional_properties {
                for member in members.values_mut() {
                    prune_nulls(member, inner);
                }
            }
        }
        Json::Array(items) => {
            if let Some(inner) = &schema.items {
                for item in items {
                    prune_nulls(item, inner);
                }
            }
        }
        _ => {}
    }
}

/// Says what is wrong with a default, if anything.
pub(super) fn misfit(value: &Json, schema: &Schema) -> Option<String> {
    if *value == Json::Null && schema.nullable {
        return None;
    }
    if !schema.ty.is_none_or(|ty| is_of(value, ty)) {
        return Some(format!("has a default, {value}, of another type"));
    }
    if !schema.values.is_empty() && !schema.values.contains(value) {
        return Some(format!("has a default, {value}, that isn't among the enum's values"));
    }
    let inner = match value {
        Json::Array(items) => schema
            .items
            .as_ref()
            .and_then(|inner| items.iter().find_map(|item| misfit(item, inner))),
        Json::Object(members) => {
            if let Some(name) = schema.required.iter().find(|name| !members.contains_key(*name)) {
                return Some(format!("has a default, {value}, without the required `{name}`"));
            }
            members.iter().find_map(|(name, member)| {
                let inner = schema.properties.get(name).or(schema.additional_properties.as_deref());
                match inner {
                    Some(inner) => misfit(member, inner),
                    None if schema.has("x-kubernetes-preserve-unknown-fields") => None,
                    None => Some(format!("has a default, {value}, with the undeclared `{name}`")),
                }
            })
        }
        _ => None,
    };
    inner.or_else(|| {
        (!fits(value, schema))
            .then(|| format!("has a default, {value}, that its own schema refuses"))
    })
}

/// Equal values; `schemars` writes an `f32` with the digits of an `f64`.
pub(crate) fn same(default: &Json, value: &Json) -> bool {
    match (default, value) {
        (Json::Number(a), Json::Number(b)) => {
            let (wide, other) = (a.as_f64(), b.as_f64());
            #[expect(clippy::cast_possible_truncation, reason = "the digits that an `f32` has")]
            let narrow = |n: f64| n as f32;
            let is_f32 = wide.fract() != 0.0 && f64::from(narrow(wide)).to_bits() == wide.to_bits();
            a == b || is_f32 && narrow(wide).to_bits() == narrow(other).to_bits()
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => default == value,
    }
}
