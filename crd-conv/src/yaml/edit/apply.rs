//! Changes the syntax tree of a document from one value to another one.

use std::str::FromStr;

use yaml_edit::{Document, Mapping, Scalar, Sequence, YamlNode};

use super::{Node, YamlError, matching};
use crate::yaml::write;

/// Gives a document a new value. Returns `false` if the value that has to change is an alias's or a
/// merge key's. Then the tree may be half changed.
pub(super) fn document(document: &Document, old: &Node, new: &Node) -> Result<bool, YamlError> {
    let tree = document.as_mapping().map(YamlNode::Mapping);
    let Some(tree) = tree.or_else(|| document.as_sequence().map(YamlNode::Sequence)) else {
        return Ok(false);
    };
    let mut editor = Editor::default();
    editor.find_removed(&tree, old, new);
    Ok(matches!(editor.inside(Some(&tree), old, new)?, Outcome::Done))
}

/// Changes the values of a document.
#[derive(Default)]
struct Editor {
    /// The lists and objects that are removed from their places. They may be somewhere else in the
    /// new value. Then their comments move along.
    removed: Vec<(Node, YamlNode)>,
}

type Members = [(String, Node)];

impl Editor {
    fn find_removed(&mut self, tree: &YamlNode, old: &Node, new: &Node) {
        let mut visit = |places: Vec<Option<usize>>,
                         trees: Vec<Option<YamlNode>>,
                         old: Vec<&Node>,
                         new: Vec<&Node>| {
            if trees.len() != old.len() {
                return;
            }
            for ((place, tree), old) in places.into_iter().zip(trees).zip(old) {
                let Some(tree) = tree else { continue };
                match place {
                    Some(place) if old.same(new[place]) => {}
                    Some(place) => self.find_removed(&tree, old, new[place]),
                    None if matches!(tree, YamlNode::Mapping(_) | YamlNode::Sequence(_)) => {
                        self.removed.push((old.clone(), tree));
                    }
                    None => {}
                }
            }
        };
        match (tree, old, new) {
            (YamlNode::Mapping(tree), Node::Mapping(old), Node::Mapping(new)) => visit(
                matching::members(old, new),
                tree.entries().map(|entry| entry.value_node()).collect(),
                old.iter().map(|(_, value)| value).collect(),
                new.iter().map(|(_, value)| value).collect(),
            ),
            (YamlNode::Sequence(tree), Node::Sequence(old), Node::Sequence(new)) => visit(
                matching::items(old, new),
                tree.values().map(Some).collect(),
                old.iter().collect(),
                new.iter().collect(),
            ),
            _ => {}
        }
    }

    /// A member with a value that wasn't there.
    fn added(&self, name: &str, value: &Node) -> Result<(YamlNode, YamlNode), YamlError> {
        let (key, tree) = member(name, value, None)?;
        if let Some(moved) = self.moved(value) {
            return Ok((key, moved));
        }
        self.move_into(&tree, value);
        Ok((key, tree))
    }

    fn moved(&self, value: &Node) -> Option<YamlNode> {
        let removed = self.removed.iter().find(|(removed, _)| removed.same(value));
        removed.map(|(_, tree)| tree.clone())
    }

    /// Puts removed lists and objects into a new value.
    fn move_into(&self, tree: &YamlNode, value: &Node) {
        match (tree, value) {
            (YamlNode::Mapping(tree), Node::Mapping(members)) => {
                for (entry, (_, value)) in tree.entries().collect::<Vec<_>>().iter().zip(members) {
                    match (self.moved(value), entry.key_node(), entry.value_node()) {
                        (Some(moved), Some(key), _) => tree.set(key, moved),
                        (None, _, Some(inner)) => self.move_into(&inner, value),
                        _ => {}
                    }
                }
            }
            (YamlNode::Sequence(tree), Node::Sequence(items)) => {
                for (at, (inner, value)) in
                    tree.values().collect::<Vec<_>>().iter().zip(items).enumerate()
                {
                    match self.moved(value) {
                        Some(moved) => {
                            tree.set(at, moved);
                        }
                        None => self.move_into(inner, value),
                    }
                }
            }
            _ => {}
        }
    }

    fn mapping(&self, tree: &Mapping, old: &Members, new: &Members) -> Result<bool, YamlError> {
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
                match self.inside(node.as_ref(), old_value, value)? {
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
            let (key, value) = self.added(name, value)?;
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
                    let removed =
                        places[first..].iter().take_while(|place| place.is_none()).count();
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

    fn sequence(&self, tree: &Sequence, old: &[Node], new: &[Node]) -> Result<bool, YamlError> {
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
            match self.inside(items.get(at), &old[at], value)? {
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
                tree.insert(place, self.added("item", value)?.1);
            }
        }
        Ok(true)
    }

    /// Changes what is inside of a value, if it stays a list or an object.
    fn inside(
        &self,
        node: Option<&YamlNode>,
        old: &Node,
        new: &Node,
    ) -> Result<Outcome, YamlError> {
        let done = match (node, old, new) {
            (Some(YamlNode::Alias(_)), ..) => false,
            (Some(YamlNode::Mapping(tree)), Node::Mapping(old), Node::Mapping(new))
                if !old.is_empty() && !new.is_empty() =>
            {
                self.mapping(tree, old, new)?
            }
            (Some(YamlNode::Sequence(tree)), Node::Sequence(old), Node::Sequence(new))
                if !old.is_empty() && !new.is_empty() =>
            {
                self.sequence(tree, old, new)?
            }
            _ => return Ok(Outcome::Replace),
        };
        Ok(if done { Outcome::Done } else { Outcome::Shared })
    }
}

enum Outcome {
    Done,
    /// The whole value has to be replaced.
    Replace,
    Shared,
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
