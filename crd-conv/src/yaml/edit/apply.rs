//! Changes the syntax tree of a document from one value to another one.

use std::str::FromStr;

use yaml_edit::{Document, Mapping, Scalar, Sequence, YamlNode};

use super::{Node, YamlError, matching};
use crate::yaml::write;

/// Gives a document a new value. Returns `false` if the value that has to change is an alias's or a
/// merge key's. Then the tree may be half changed.
pub(super) fn document(document: &Document, old: &Node, new: &Node) -> Result<bool, YamlError> {
    match (old, new) {
        (Node::Mapping(old), Node::Mapping(new)) => match document.as_mapping() {
            Some(tree) => mapping(&tree, old, new),
            None => Ok(false),
        },
        (Node::Sequence(old), Node::Sequence(new)) => match document.as_sequence() {
            Some(tree) => sequence(&tree, old, new),
            None => Ok(false),
        },
        _ => Ok(false),
    }
}

type Members = [(String, Node)];

fn mapping(tree: &Mapping, old: &Members, new: &Members) -> Result<bool, YamlError> {
    let entries: Vec<_> = tree.entries().collect();
    // With a merge key, the value has members that the tree doesn't have.
    if entries.len() != old.len() {
        return Ok(false);
    }
    let mut keys = Vec::with_capacity(old.len());
    for entry in &entries {
        let Some(key) = entry.key_node() else { return Ok(false) };
        keys.push(key);
    }
    let places = matching::members(old, new);
    for (at, place) in places.iter().enumerate() {
        let Some((name, value)) = place.map(|place| &new[place]) else { continue };
        let (old_name, old_value) = &old[at];
        let node = entries[at].value_node();
        if !old_value.same(value) {
            match inside(node.as_ref(), old_value, value)? {
                Outcome::Done => {}
                Outcome::Shared => return Ok(false),
                Outcome::Replace => {
                    let (_, value) = member(name, value, scalar(node.as_ref()))?;
                    tree.set(&keys[at], value);
                }
            }
        }
        if old_name != name {
            let (key, _) = member(name, &Node::Null, None)?;
            tree.rename_key(&keys[at], &key);
            keys[at] = key;
        }
    }
    for (place, (name, value)) in new.iter().enumerate() {
        if places.contains(&Some(place)) {
            continue;
        }
        let (key, value) = member(name, value, None)?;
        match place.checked_sub(1) {
            // The member before it was added just now.
            Some(before) if !places.contains(&Some(before)) => {
                let (before, _) = member(&new[before].0, &Node::Null, None)?;
                tree.insert_after(before, key, value);
            }
            before => {
                let before = before
                    .and_then(|before| places.iter().position(|place| *place == Some(before)));
                // Comments on a removed member are rather about its successor than about its neighbors.
                let first = before.map_or(0, |before| before + 1);
                let removed = places[first..].iter().take_while(|place| place.is_none()).count();
                match (first + removed).checked_sub(1) {
                    Some(last) => tree.insert_after(&keys[last], key, value),
                    None => tree.insert_before(&keys[0], key, value),
                };
            }
        }
    }
    for (key, place) in keys.iter().zip(&places) {
        if place.is_none() {
            tree.remove(key);
        }
    }
    Ok(true)
}

fn sequence(tree: &Sequence, old: &[Node], new: &[Node]) -> Result<bool, YamlError> {
    let items: Vec<_> = tree.values().collect();
    if items.len() != old.len() {
        return Ok(false);
    }
    let places = matching::items(old, new);
    for (at, place) in places.iter().enumerate() {
        let Some(value) = place.map(|place| &new[place]) else { continue };
        if old[at].same(value) {
            continue;
        }
        match inside(items.get(at), &old[at], value)? {
            Outcome::Done => {}
            Outcome::Shared => return Ok(false),
            Outcome::Replace => {
                let (_, value) = member("item", value, scalar(items.get(at)))?;
                tree.set(at, value);
            }
        }
    }
    for (at, _) in places.iter().enumerate().rev().filter(|(_, place)| place.is_none()) {
        tree.remove(at);
    }
    for (place, value) in new.iter().enumerate() {
        if !places.contains(&Some(place)) {
            tree.insert(place, member("item", value, None)?.1);
        }
    }
    Ok(true)
}

enum Outcome {
    Done,
    /// The whole value has to be replaced.
    Replace,
    Shared,
}

/// Changes what is inside of a value, if it stays a list or an object.
fn inside(node: Option<&YamlNode>, old: &Node, new: &Node) -> Result<Outcome, YamlError> {
    let done = match (node, old, new) {
        (Some(YamlNode::Alias(_)), ..) => false,
        (Some(YamlNode::Mapping(tree)), Node::Mapping(old), Node::Mapping(new))
            if !old.is_empty() && !new.is_empty() =>
        {
            mapping(tree, old, new)?
        }
        (Some(YamlNode::Sequence(tree)), Node::Sequence(old), Node::Sequence(new))
            if !old.is_empty() && !new.is_empty() =>
        {
            sequence(tree, old, new)?
        }
        _ => return Ok(Outcome::Replace),
    };
    Ok(if done { Outcome::Done } else { Outcome::Shared })
}

fn scalar(node: Option<&YamlNode>) -> Option<&Scalar> {
    match node {
        Some(YamlNode::Scalar(scalar)) => Some(scalar),
        _ => None,
    }
}

/// Writes a member in the way of this crate, as a part of a tree. A text has the quotes of the
/// scalar that it replaces.
fn member(
    name: &str,
    value: &Node,
    replaced: Option<&Scalar>,
) -> Result<(YamlNode, YamlNode), YamlError> {
    let failed = || YamlError(format!("`{name}` can't be written"));
    let quoted = replaced.and_then(|replaced| like(value, replaced));
    let mut text = String::new();
    match quoted {
        Some(quoted) => text = format!("{}: {quoted}\n", write::quoted_key(name)?),
        None => write::member(name, value, 0, &mut text)?,
    }
    let document = Document::from_str(&text).map_err(|error| YamlError(error.to_string()))?;
    let entry = document.as_mapping().and_then(|tree| tree.entries().next()).ok_or_else(failed)?;
    entry.key_node().zip(entry.value_node()).ok_or_else(failed)
}

/// A text in the quotes of another one, if it has some and they can hold it.
fn like(value: &Node, replaced: &Scalar) -> Option<String> {
    let Node::String(text) = value else { return None };
    let is_simple = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    match replaced.value().as_bytes().first() {
        Some(b'"') if is_simple => Some(serde_json::Value::from(&**text).to_string()),
        Some(b'\'') if is_simple => Some(format!("'{}'", text.replace('\'', "''"))),
        _ => None,
    }
}
