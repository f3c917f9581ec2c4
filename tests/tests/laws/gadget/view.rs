//! What the laws compare.

use crd_conv::testing::Tree;

use super::objects::{CARRIER, GROUPS, Kind, NULLABLE};

/// What the law of exact return doesn't speak of: the carrier, empty annotations, missing `metadata`, and nulls of
/// fields that aren't nullable and that a rule names.
pub(crate) fn essence(object: &str, version: usize) -> Tree {
    let mut tree = Tree::read(object);
    let root = tree.members_mut().expect("an object");
    let metadata = root.entry("metadata".to_owned()).or_insert_with(|| Tree::read("{}"));
    if let Some(metadata) = metadata.members_mut()
        && let Some(Tree::Object(annotations)) = metadata.get_mut("annotations")
    {
        annotations.retain(|key, _| !key.starts_with(CARRIER));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    let null = Tree::Plain("null".to_owned());
    let strip = |stanza: Option<&mut Tree>, names: &[&str]| {
        if let Some(Tree::Object(members)) = stanza {
            members.retain(|name, value| {
                *value != null
                    || NULLABLE.contains(&name.as_str())
                    || !names.contains(&name.as_str())
            });
        }
    };
    let names: Vec<&str> = GROUPS
        .iter()
        .flat_map(|group| group.fields[version])
        .filter(|(_, _, kind)| !matches!(kind, Kind::Anything))
        .map(|(_, name, _)| *name)
        .collect();
    strip(Some(&mut tree), &["extra", "status"]);
    strip(tree.at_mut(&["spec"]), &names);
    strip(tree.at_mut(&["spec", "limits"]), &["disk", "burst"]);
    tree
}

pub(crate) fn carrier_of(object: &str) -> Vec<String> {
    let tree = Tree::read(object);
    match tree.at(&["metadata", "annotations"]) {
        Some(Tree::Object(annotations)) => {
            annotations.keys().filter(|key| key.starts_with(CARRIER)).cloned().collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn without(object: &str, annotations: &[String]) -> String {
    let mut tree = Tree::read(object);
    if let Some(Tree::Object(members)) = tree.at_mut(&["metadata", "annotations"]) {
        members.retain(|key, _| !annotations.contains(key));
    }
    tree.write()
}

pub(crate) fn carrier_entries(object: &str) -> Vec<(String, Tree)> {
    let tree = Tree::read(object);
    let annotations = tree.at(&["metadata", "annotations"]).cloned();
    let Some(Tree::Object(annotations)) = annotations else { return Vec::new() };
    annotations.into_iter().filter(|(key, _)| key.starts_with(CARRIER)).collect()
}
