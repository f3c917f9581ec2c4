//! Where two objects differ, for people.

use std::collections::BTreeSet;

use crate::testing::tree::Tree;

/// How many places are named.
const MOST: usize = 5;

/// A line for each value that isn't the same in both objects, such as `.spec.port: 80, then 8080`.
pub(super) fn differences(before: &Tree, after: &Tree) -> String {
    let mut all = Vec::new();
    collect(Some(before), Some(after), "", &mut all);
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    if all.is_empty() { String::new() } else { format!("differing in\n  {}", all.join("\n  ")) }
}

fn collect(before: Option<&Tree>, after: Option<&Tree>, path: &str, all: &mut Vec<String>) {
    match (before, after) {
        (Some(Tree::Object(old)), Some(Tree::Object(new))) => {
            for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                collect(old.get(name), new.get(name), &format!("{path}.{name}"), all);
            }
        }
        (Some(Tree::List(old)), Some(Tree::List(new))) => {
            for at in 0..old.len().max(new.len()) {
                collect(old.get(at), new.get(at), &format!("{path}[{at}]"), all);
            }
        }
        _ if before == after => {}
        _ => {
            let shown =
                |value: Option<&Tree>| value.map_or_else(|| "nothing".to_owned(), Tree::write);
            all.push(format!("{path}: {}, then {}", shown(before), shown(after)));
        }
    }
}
