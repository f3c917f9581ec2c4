//! Defaults, checked as the API server checks them.

use super::Schema;
use crate::apiserver::{finding::Kind, restrictions::Role, steps, value::validate};
use crate::json::{Json, Number};
use crate::outline::keywords::{FLOAT, settled_f32};

/// Makes a default of what serde writes: without a null member of a struct, which is an absent `Option` and which the API
/// server would drop or refuse, and with the digits of an `f32` that JSON text has.
///
/// `serde_json::Value` holds an `f32` as an `f64`, unless another crate enables `arbitrary_precision`.
pub(crate) fn settle(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) if schema.additional_properties.is_none() => {
            members.retain(|name, member| {
                *member != Json::Null || !schema.properties.contains_key(name)
            });
            for (name, member) in members {
                if let Some(property) = schema.properties.get(name) {
                    settle(member, property);
                }
            }
        }
        Json::Object(members) => {
            if let Some(inner) = &schema.additional_properties {
                for member in members.values_mut() {
                    settle(member, inner);
                }
            }
        }
        Json::Array(items) => {
            if let Some(inner) = &schema.items {
                for item in items {
                    settle(item, inner);
                }
            }
        }
        Json::Number(Number::Float(float)) if schema.format.as_deref() == Some(FLOAT) => {
            *float = settled_f32(*float);
        }
        _ => {}
    }
}

/// Returns what is wrong with a default, if anything.
pub(super) fn misfit(value: &Json, schema: &Schema) -> Option<String> {
    if let Some(path) = steps::unknown_fields(value, schema, false).first() {
        return Some(format!("has the default {value} with the undeclared field `{path}`"));
    }
    let found = validate(value, schema, Role::Object);
    let cause = found.causes.into_iter().next()?;
    Some(match cause.kind {
        Kind::Required => {
            format!("has the default {value} without the required field `{}`", cause.field)
        }
        Kind::TypeInvalid if cause.field.is_empty() => {
            format!("has the default {value} of another type: it{}", cause.detail)
        }
        Kind::NotSupported => {
            format!("has the default {value}, which isn't among the enum's values")
        }
        _ => format!(
            "has the default {value}, which its own schema refuses: {}",
            cause.detail.trim_start()
        ),
    })
}

/// Equal values; `schemars` writes an `f32` with the digits of an `f64`.
pub(crate) fn same(default: &Json, value: &Json) -> bool {
    match (default, value) {
        (Json::Number(Number::Float(a)), Json::Number(Number::Float(b))) => {
            settled_f32(*a).to_bits() == settled_f32(*b).to_bits()
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
