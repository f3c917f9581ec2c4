//! What schemas say in more than one way, as one of them: a new way to say the same isn't a change.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::collect::{flag, members};
use crate::json::Json;

/// What means the same next to `allOf` as in one of its branches. `properties` and the like don't: only those next to it declare fields.
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

/// The schema with what it says in `allOf` next to it, as far as there is room, and without the `anyOf` that
/// `x-kubernetes-int-or-string` implies.
///
/// Code generators write `allOf` where a type and a field of it have validations, and write nothing of the kind where one of them has:
/// <https://book.kubebuilder.io/reference/markers/crd-validation>.
pub(super) fn plain(schema: &Json) -> Cow<'_, Json> {
    let int_or_string = flag(schema, &["x-kubernetes-int-or-string"]);
    let Some(said) = members(schema) else { return Cow::Borrowed(schema) };
    if !said.contains_key("allOf") && !int_or_string {
        return Cow::Borrowed(schema);
    }
    let mut said = said.clone();
    let mut left = Vec::new();
    for mut branch in branches(&mut said) {
        if let Json::Object(branch) = &mut branch {
            let exclusive = is_exclusive(branch) || is_exclusive(&said);
            branch.retain(|name, value| {
                let implied = int_or_string && name == "anyOf" && is_int_or_string(value);
                let stays = exclusive && matches!(&**name, "maximum" | "minimum");
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
    Cow::Owned(Json::Object(said))
}

fn branches(said: &mut BTreeMap<String, Json>) -> Vec<Json> {
    match said.remove("allOf") {
        Some(Json::Array(branches)) => branches,
        _ => Vec::new(),
    }
}

/// Whether a bound there isn't the same without what stands beside it.
fn is_exclusive(said: &BTreeMap<String, Json>) -> bool {
    ["exclusiveMaximum", "exclusiveMinimum"].iter().any(|name| said.contains_key(*name))
}

/// Whether a keyword of a branch stands next to `allOf` now.
fn moved(said: &mut BTreeMap<String, Json>, name: &str, value: &Json) -> bool {
    if !VALIDATIONS.contains(&name) {
        return false;
    }
    match said.get(name) {
        Some(known) => known == value,
        None => {
            said.insert(name.to_owned(), value.clone());
            true
        }
    }
}

/// The form that the API server wants of it:
/// <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#intorstring>.
fn is_int_or_string(any_of: &Json) -> bool {
    let is = |branch: &Json, name: &str| {
        let [name, of] = ["type", name].map(str::to_owned);
        *branch == Json::Object(BTreeMap::from([(name, Json::Text(of))]))
    };
    matches!(any_of, Json::Array(all) if matches!(&**all, [integer, string] if is(integer, "integer") && is(string, "string")))
}
