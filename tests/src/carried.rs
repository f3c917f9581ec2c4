//! An object's entries, as the laws see them.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;

const CARRIER: &str = "conversion.example.com/";

/// The places of entries: annotations, and for status entries, the status.
const PLACES: [[&str; 2]; 2] = [["metadata", "annotations"], ["status", "conversionEntries"]];

/// Returns the object without entries, and with `metadata`.
pub fn essence(object: &str) -> Tree {
    let mut tree = Tree::read(object);
    let root = tree.members_mut().expect("an object");
    root.entry("metadata".to_owned()).or_insert_with(|| Tree::read("{}"));
    for [around, name] in PLACES {
        let Some(around) = tree.at_mut(&[around]).and_then(Tree::members_mut) else { continue };
        if let Some(Tree::Object(carried)) = around.get_mut(name) {
            carried.retain(|key, _| !key.starts_with(CARRIER));
            if carried.is_empty() {
                around.remove(name);
            }
        }
    }
    tree
}

/// Returns the entries of an object.
pub fn carrier(object: &str) -> BTreeMap<String, Tree> {
    let tree = Tree::read(object);
    let mut carrier = BTreeMap::new();
    for place in PLACES {
        let Some(Tree::Object(held)) = tree.at(&place) else { continue };
        let read = |(key, value): (&String, &Tree)| match value {
            Tree::Text(text) if key.starts_with(CARRIER) => Some((key.clone(), Tree::read(text))),
            _ => None,
        };
        carrier.extend(held.iter().filter_map(read));
    }
    carrier
}

/// Returns the object with other entries, each in the place where it was.
pub fn with_carrier(object: &str, carrier: &BTreeMap<String, Tree>) -> String {
    let mut tree = Tree::read(object);
    for place in PLACES {
        let Some(held) = tree.at_mut(&place).and_then(Tree::members_mut) else { continue };
        held.retain(|key, _| !key.starts_with(CARRIER) || carrier.contains_key(key));
        for (key, value) in held.iter_mut().filter(|(key, _)| key.starts_with(CARRIER)) {
            *value = Tree::Text(carrier[key].write());
        }
    }
    tree.write()
}

/// Returns the entries of an annotation, if it has several.
pub fn entries(annotation: &mut Tree) -> Option<&mut Vec<Tree>> {
    match annotation.at_mut(&["entries"])? {
        Tree::List(entries) => Some(entries),
        _ => None,
    }
}

/// Returns the object without one entry, for each of its entries for a version. Each comes with the
/// entry's annotation.
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
