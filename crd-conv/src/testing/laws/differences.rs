//! Where two objects differ, for people.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use similar::TextDiff;

use crate::testing::tree::Tree;

/// How many places are named.
const MOST: usize = 5;

/// A line for each value that isn't the same in both objects, such as `.spec.port: 80, then 8080`, and what is around it as a diff of YAML.
pub(super) fn differences(before: &Tree, after: &Tree) -> String {
    let mut all = Vec::new();
    collect(Some(before), Some(after), "", &mut all);
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    if all.is_empty() {
        return String::new();
    }
    let [old, new] = [before, after].map(yaml);
    let diff = TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).to_string();
    format!("differing in\n  {}\n{}", all.join("\n  "), diff.trim_end())
}

/// The object in YAML's block style, with scalars as in JSON, which YAML has, too.
fn yaml(tree: &Tree) -> String {
    let mut out = String::new();
    block(tree, "", &mut out);
    out
}

fn block(tree: &Tree, indent: &str, out: &mut String) {
    // What a `-` or a name stands before is deeper than that.
    let mut entry = |start: String, value: &Tree| {
        let on_the_line = match value {
            Tree::Object(members) => members.is_empty(),
            Tree::List(items) => items.is_empty(),
            Tree::Plain(_) | Tree::Text(_) => true,
        };
        if on_the_line {
            let _ = writeln!(out, "{indent}{start} {}", value.write());
        } else {
            let _ = writeln!(out, "{indent}{start}");
            block(value, &format!("{indent}  "), out);
        }
    };
    match tree {
        Tree::Object(members) => members.iter().for_each(|(name, value)| entry(key(name), value)),
        Tree::List(items) => items.iter().for_each(|item| entry("-".to_owned(), item)),
        _ => drop(writeln!(out, "{indent}{}", tree.write())),
    }
}

/// Plain where nobody could take it for something else.
fn key(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"./-_".contains(&byte);
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_plain) {
        format!("{name}:")
    } else {
        format!("{}:", Tree::Text(name.to_owned()).write())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_and_what_is_around_it() {
        let before =
            Tree::read(r#"{"spec":{"ports":[{"name":"a","port":80},{"name":"b"}],"x y":{}}}"#);
        let after =
            Tree::read(r#"{"spec":{"ports":[{"name":"a","port":81},{"name":"b"}],"x y":{}}}"#);
        assert_eq!(
            differences(&before, &after),
            r#"differing in
  .spec.ports[0].port: 80, then 81
@@ -2,7 +2,7 @@
   ports:
     -
       name: "a"
-      port: 80
+      port: 81
     -
       name: "b"
   "x y": {}"#
        );
        assert_eq!(differences(&before, &before), "");
    }
}
