//! Normalizes schemas, so that differences without an effect aren't changes: several notations for
//! one thing, and keywords that do nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::collect::{flag, members, text};
use crate::json::Json;

/// The keywords that mean the same next to `allOf` as in one of its branches. `properties` and
/// similar keywords don't, because only those next to `allOf` declare fields.
const VALIDATIONS: [&str; 16] = [
    "anyOf",
    "enum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "required",
];

/// Returns a schema with the keywords of `allOf` next to it, as far as there is room. The result
/// lacks the `anyOf` that `x-kubernetes-int-or-string` implies, and bounds and patterns that don't
/// apply to the schema's type.
///
/// Code generators write `allOf` if both a type and a field with that type have validations, and
/// leave it out if only one has: <https://book.kubebuilder.io/reference/markers/crd-validation>.
pub(super) fn plain(schema: &Json) -> Cow<'_, Json> {
    let int_or_string = flag(schema, &["x-kubernetes-int-or-string"]);
    let Some(said) = members(schema) else { return Cow::Borrowed(schema) };
    let ty = text(schema, &["type"]);
    if !said.contains_key("allOf") && !int_or_string && said.keys().all(|name| applies(name, ty)) {
        return Cow::Borrowed(schema);
    }
    let mut said = said.clone();
    // A null means nothing, as in Go.
    said.retain(|_, value| *value != Json::Null);
    // For a null value, the server checks no branch, but it checks the enum next to the branches.
    let nullable = flag(schema, &["nullable"]);
    let mut left = Vec::new();
    for mut branch in branches(&mut said) {
        if let Json::Object(branch) = &mut branch {
            let exclusive = is_exclusive(branch) || is_exclusive(&said);
            branch.retain(|name, value| {
                let implied = int_or_string && name == "anyOf" && is_int_or_string(value);
                let stays = match &**name {
                    "maximum" | "minimum" => exclusive,
                    "enum" => nullable,
                    _ => false,
                };
                !implied && (stays || !moved(&mut said, name, value))
            });
        }
        if branch != Json::Object(BTreeMap::new()) {
            left.push(branch);
        }
    }
    if !left.is_empty() {
        said.insert("allOf".to_owned(), Json::Array(left));
    }
    if int_or_string && said.get("anyOf").is_some_and(is_int_or_string) {
        said.remove("anyOf");
    }
    said.retain(|name, _| applies(name, ty));
    Cow::Owned(Json::Object(said))
}

/// Whether a keyword applies to values of this type. For example, the server ignores `pattern` next
/// to `type: array`.
fn applies(name: &str, ty: Option<&str>) -> bool {
    let types: &[_] = match name {
        "maxLength" | "minLength" | "pattern" => &["string"],
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" | "multipleOf" => {
            &["integer", "number"]
        }
        "maxItems" | "minItems" => &["array"],
        "maxProperties" | "minProperties" => &["object"],
        _ => return true,
    };
    ty.is_none_or(|ty| types.contains(&ty))
}

fn branches(said: &mut BTreeMap<String, Json>) -> Vec<Json> {
    match said.remove("allOf") {
        Some(Json::Array(branches)) => branches,
        _ => Vec::new(),
    }
}

/// Whether a bound depends on the keyword next to it that makes it exclusive.
fn is_exclusive(said: &BTreeMap<String, Json>) -> bool {
    ["exclusiveMaximum", "exclusiveMinimum"].iter().any(|name| said.contains_key(*name))
}

/// Moves a branch's keyword next to `allOf`. Returns whether it is there now.
fn moved(said: &mut BTreeMap<String, Json>, name: &str, value: &Json) -> bool {
    if !VALIDATIONS.contains(&name) {
        return false;
    }
    *said.entry(name.to_owned()).or_insert_with(|| value.clone()) == *value
}

/// Whether an `anyOf` has the form that the API server requires:
/// <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#intorstring>.
fn is_int_or_string(any_of: &Json) -> bool {
    let is = |branch: &Json, name: &str| {
        let [name, of] = ["type", name].map(str::to_owned);
        *branch == Json::Object(BTreeMap::from([(name, Json::Text(of))]))
    };
    matches!(any_of, Json::Array(all) if matches!(&**all, [integer, string] if is(integer, "integer") && is(string, "string")))
}
