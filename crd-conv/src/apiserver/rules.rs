//! Rules of CEL, which aren't evaluated.

use super::{cause::Findings, path::Path, schema::Schema};
use crate::json::Json;

/// Says where rules are about a value or something in it.
pub(crate) fn pass_over(path: &Path<'_>, value: &Json, schema: &Schema, found: &mut Findings) {
    match schema.extensions.validations.len() {
        0 => {}
        1 => found
            .pass_over(path, "whether it keeps its rule in `x-kubernetes-validations`".to_owned()),
        count => found.pass_over(
            path,
            format!("whether it keeps its {count} rules in `x-kubernetes-validations`"),
        ),
    }
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                if let Some(schema) = schema.declared(name) {
                    pass_over(&path.field(name), member, schema, found);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for (i, item) in items.iter().enumerate() {
                    pass_over(&path.index(i), item, schema, found);
                }
            }
        }
        _ => {}
    }
}

/// Whether there is a rule for a value or something in it.
#[cfg(feature = "cli")]
pub(crate) fn exist(schema: &Schema) -> bool {
    let inside = schema.items.iter().chain(&schema.additional_properties).map(|inside| &**inside);
    !schema.extensions.validations.is_empty() || inside.chain(schema.properties.values()).any(exist)
}
