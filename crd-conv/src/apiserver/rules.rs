//! The rules of CEL about an object.

#[cfg(all(feature = "cel", feature = "cli"))]
use super::cause::Cause;
use super::{cause::Findings, path::Path, ratchet::Old, schema::Schema};
#[cfg(feature = "cel")]
use super::{cel, finding::Kind};
use crate::json::Json;

#[cfg(feature = "cel")]
const BLOCKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// Whether a cause only says that other causes kept the server from evaluating rules.
#[cfg(all(feature = "cel", feature = "cli"))]
pub(crate) fn says_blocked(cause: &Cause) -> bool {
    cause.detail == BLOCKED
}

/// Evaluates the rules about an object, or says where they are.
#[cfg(feature = "cel")]
pub(super) fn check(old: Option<Old<'_>>, object: &Json, schema: &Schema, found: &mut Findings) {
    if !exist(schema) {
        return;
    }
    if found.causes.iter().any(|cause| cause.kind.blocks()) {
        let value = Some("null".to_owned());
        return found.refuse(&Path::Root, Kind::Invalid, value, BLOCKED.to_owned());
    }
    if cel::check(old, object, schema, found).is_none() {
        pass_over(&Path::Root, object, schema, found);
    }
}

/// Says where the rules about an object are.
#[cfg(not(feature = "cel"))]
pub(super) fn check(old: Option<Old<'_>>, object: &Json, schema: &Schema, found: &mut Findings) {
    // The caller of an update says once that rules aren't evaluated.
    if old.is_none() {
        pass_over(&Path::Root, object, schema, found);
    }
}

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
#[cfg(any(feature = "cel", feature = "cli"))]
pub(crate) fn exist(schema: &Schema) -> bool {
    let inside = schema.items.iter().chain(&schema.additional_properties).map(|inside| &**inside);
    !schema.extensions.validations.is_empty() || inside.chain(schema.properties.values()).any(exist)
}
