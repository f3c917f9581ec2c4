//! The carrier of an object, as the laws look at it.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;

const CARRIER: &str = "conversion.example.com/";

/// Without the carrier, and with `metadata`.
pub fn essence(object: &str) -> Tree {
    let mut tree = Tree::read(object);
    let root = tree.members_mut().expect("an object");
    let metadata = root.entry("metadata".to_owned()).or_insert_with(|| Tree::read("{}"));
    let metadata = metadata.members_mut().expect("an object");
    if let Some(Tree::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.retain(|key, _| !key.starts_with(CARRIER));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    tree
}

/// The annotations of the carrier.
pub fn carrier(object: &str) -> BTreeMap<String, Tree> {
    let Some(Tree::Object(annotations)) =
        Tree::read(object).at(&["metadata", "annotations"]).cloned()
    else {
        return BTreeMap::new();
    };
    let read = |(key, value): (String, Tree)| match value {
        Tree::Text(text) if key.starts_with(CARRIER) => Some((key, Tree::read(&text))),
        _ => None,
    };
    annotations.into_iter().filter_map(read).collect()
}

/// With other annotations of the carrier.
pub fn with_carrier(object: &str, carrier: &BTreeMap<String, Tree>) -> String {
    let mut tree = Tree::read(object);
    if let Some(annotations) = tree.at_mut(&["metadata", "annotations"]).and_then(Tree::members_mut)
    {
        annotations.retain(|key, _| !key.starts_with(CARRIER));
        let texts = carrier.iter().map(|(key, value)| (key.clone(), Tree::Text(value.write())));
        annotations.extend(texts);
    }
    tree.write()
}

/// The entries of an annotation, if it has several.
pub fn entries(annotation: &mut Tree) -> Option<&mut Vec<Tree>> {
    match annotation.at_mut(&["entries"])? {
        Tree::List(entries) => Some(entries),
        _ => None,
    }
}

/// The object less an entry, for every entry of its carrier that is for a version, with the entry's annotation.
pub fn less_each_entry(object: &str, home: &str) -> Vec<(String, Tree, String)> {
    let carrier = carrier(object);
    let mut poorer = Vec::new();
    let prefix = format!("{CARRIER}{home}.");
    for (key, value) in carrier.iter().filter(|(key, _)| key.starts_with(&prefix)) {
        let count = entries(&mut value.clone()).map_or(1, |entries| entries.len());
        for entry in 0..count {
            let mut carrier = carrier.clone();
            let mut taken = value.clone();
            if count == 1 {
                carrier.remove(key);
            } else {
                let entries = carrier.get_mut(key).and_then(entries).expect("entries");
                taken = entries.remove(entry);
            }
            poorer.push((key.clone(), taken, with_carrier(object, &carrier)));
        }
    }
    poorer
}
