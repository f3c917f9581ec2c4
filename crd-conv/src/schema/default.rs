//! Defaults, checked as the API server checks them.

use super::Schema;
use crate::apiserver::{finding::Kind, restrictions::Role, steps, value::validate};
use crate::json::Json;

/// Removes what serde writes for an absent `Option`: a null member of a struct, which the API server would
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
