//! A whole object: its metadata, its fields, and what its scale subresource points at.

use std::collections::BTreeMap;

use super::{
    cause::Findings, finding::Kind, lists, number::GoNumber, object_meta, path::Path,
    restrictions::Role, rules, schema::Schema, value::validate,
};
#[cfg(any(feature = "cli", feature = "testing"))]
use super::{cause::Ratcheted, ratchet::Old, value::validate_update};
use crate::json::Json;

/// The scale subresource.
#[derive(Debug)]
pub(crate) struct ScaleOf {
    /// Paths to numbers.
    pub(crate) replicas: [String; 2],
    /// The path to a text.
    pub(crate) selector: Option<String>,
}

/// Everything that the server finds wrong in a decoded object that a client creates.
///
/// Source: `customResourceStrategy.Validate` of `pkg/registry/customresource/strategy.go`.
pub(crate) fn find(object: &Json, schema: &Schema, scale: Option<&ScaleOf>) -> Findings {
    let mut found = Findings::default();
    let Json::Object(members) = object else { return found };
    object_meta::of_object(members, &mut found);
    found.merge(validate(object, schema, Role::Object));
    check_scale(scale, members, &mut found);
    object_meta::embedded(&Path::Root, object, schema, &mut found);
    lists::check(&Path::Root, object, schema, &mut found);
    rules::check(None, object, schema, &mut found);
    found
}

/// What the server finds wrong in an object that a client has read and writes with a change in
/// nothing but the metadata.
///
/// Source: `customResourceStrategy.ValidateUpdate` of the same file.
#[cfg(any(feature = "cli", feature = "testing"))]
pub(crate) fn find_in_update(
    old: &Json,
    new: &Json,
    schema: &Schema,
    scale: Option<&ScaleOf>,
) -> Findings {
    let mut found = Findings::default();
    let Json::Object(members) = new else { return found };
    object_meta::of_update(members, &mut found);
    found.merge(validate_update(old, new, schema));
    check_scale(scale, members, &mut found);
    object_meta::embedded(&Path::Root, new, schema, &mut found);
    let [in_old, mut in_new] = [old, new].map(|object| {
        let mut found = Findings::default();
        lists::check(&Path::Root, object, schema, &mut found);
        found
    });
    if !in_old.causes.is_empty() {
        // The server doesn't look at the lists of the new object at all.
        let causes = in_new.causes.drain(..);
        in_new.ratcheted.extend(causes.map(|cause| Ratcheted { cause, unchanged: None }));
    }
    found.merge(in_new);
    rules::check(Some(Old::root(old, schema)), new, schema, &mut found);
    found
}

fn check_scale(scale: Option<&ScaleOf>, members: &BTreeMap<String, Json>, found: &mut Findings) {
    let Some(scale) = scale else { return };
    for path in &scale.replicas {
        check_replicas(path, members, found);
    }
    if let Some(selector) = &scale.selector {
        check_selector(selector, members, found);
    }
}

/// What stands at a path, unless the server can't follow it.
fn follow<'o>(path: &str, members: &'o BTreeMap<String, Json>) -> Result<Option<&'o Json>, String> {
    let mut names = path.trim_start_matches('.').split('.').peekable();
    let mut members = members;
    while let Some(name) = names.next() {
        let Some(value) = members.get(name) else { return Ok(None) };
        if names.peek().is_none() {
            return Ok(Some(value));
        }
        match value {
            Json::Object(inside) => members = inside,
            Json::Null => return Ok(None),
            other => {
                return Err(format!(
                    "{path} accessor error: {other} is of another type, expected map[string]interface{{}}"
                ));
            }
        }
    }
    Ok(None)
}

/// A path of the scale subresource is one name to the server when it says what is wrong.
fn check_replicas(path: &str, members: &BTreeMap<String, Json>, found: &mut Findings) {
    let problem = match follow(path, members) {
        Ok(None) => return,
        Ok(Some(Json::Number(number))) => match GoNumber::from(*number) {
            GoNumber::Integer(0..=0x7fff_ffff) => return,
            GoNumber::Integer(..0) => "should be a non-negative integer".to_owned(),
            GoNumber::Integer(_) => "should be less than or equal to 2147483647".to_owned(),
            GoNumber::Float(_) => format!("{path} accessor error: expected int64"),
        },
        Ok(Some(other)) => {
            format!("{path} accessor error: {other} is of another type, expected int64")
        }
        Err(problem) => problem,
    };
    found.refuse(&Path::Root.field(path), Kind::Invalid, None, problem);
}

fn check_selector(path: &str, members: &BTreeMap<String, Json>, found: &mut Findings) {
    let problem = match follow(path, members) {
        Ok(None | Some(Json::Text(_))) => return,
        Ok(Some(other)) => {
            format!("{path} accessor error: {other} is of another type, expected string")
        }
        Err(problem) => problem,
    };
    found.refuse(&Path::Root.field(path), Kind::Invalid, None, problem);
}
