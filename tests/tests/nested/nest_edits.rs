//! What a client's edit of one part of a nested object does to the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crd_conv::testing::Tree;
use crd_conv_tests::draw::{Stray, object};
use crd_conv_tests::nest::{ROWS, SUBJECT, UNIONS, VERSIONS, resource, structural};
use crd_conv_tests::served::{Server, reencoded};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A place in an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(String),
    Key(String),
    Item(usize),
}

const MAPS: [&str; 5] = ["pools", "bundles", "groups", "stems", "named"];

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::new((0..4).map(structural).collect()));

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..200)
}

fn convert(object: &str, to: usize) -> String {
    let converted = resource().convert(object.as_bytes(), VERSIONS[to]);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

fn spec(object: &str) -> Tree {
    Tree::read(object).at(&["spec"]).cloned().unwrap_or(Tree::Object(BTreeMap::new()))
}

fn with_spec(object: &str, spec: Tree) -> String {
    let mut tree = Tree::read(object);
    tree.members_mut().expect("an object").insert("spec".to_owned(), spec);
    tree.write()
}

fn carrier(object: &str) -> BTreeMap<String, Tree> {
    match Tree::read(object).at(&["metadata", "annotations"]) {
        Some(Tree::Object(annotations)) => annotations.clone(),
        _ => BTreeMap::new(),
    }
}

/// The places of all values that hold no others.
fn leaves(tree: &Tree) -> Vec<Vec<Step>> {
    fn walk(tree: &Tree, keys: bool, path: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
        let in_shelves = path.last() == Some(&Step::Field("shelves".to_owned()));
        let mut inside = |step, value: &Tree, keys| {
            path.push(step);
            walk(value, keys, path, found);
            path.pop();
        };
        match tree {
            Tree::Object(members) => {
                for (name, value) in members {
                    if keys {
                        inside(Step::Key(name.clone()), value, false);
                    } else {
                        inside(Step::Field(name.clone()), value, MAPS.contains(&name.as_str()));
                    }
                }
            }
            Tree::List(items) => {
                for (index, value) in items.iter().enumerate() {
                    inside(Step::Item(index), value, in_shelves);
                }
            }
            Tree::Plain(_) | Tree::Text(_) => found.push(path.clone()),
        }
    }
    let mut found = Vec::new();
    walk(tree, false, &mut Vec::new(), &mut found);
    found
}

fn at<'t>(tree: &'t mut Tree, path: &[Step]) -> &'t mut Tree {
    path.iter().fold(tree, |tree, step| match (tree, step) {
        (Tree::Object(members), Step::Field(name) | Step::Key(name)) => {
            members.get_mut(name).expect("a member")
        }
        (Tree::List(items), Step::Item(index)) => &mut items[*index],
        (tree, step) => panic!("{step:?} of {tree:?}"),
    })
}

/// Another value of the same type.
fn change(value: &mut Tree) {
    match value {
        Tree::Text(text) => text.push('z'),
        Tree::Plain(text) if text == "null" => {}
        Tree::Plain(text) => (if text == "41" { "42" } else { "41" }).clone_into(text),
        Tree::List(_) | Tree::Object(_) => {}
    }
}

/// As far as rules can tell places apart: the parts of an enum's value belong together.
fn cut(path: &[Step]) -> &[Step] {
    let of_union =
        |step: &Step| matches!(step, Step::Field(name) if UNIONS.contains(&name.as_str()));
    let end = path.iter().position(of_union).map_or(path.len(), |at| at + 1);
    &path[..end]
}

/// What a place is called in all versions: fields that are converted together are one. In a list it is that of the
/// outermost list.
fn region(version: usize, path: &[Step]) -> Vec<String> {
    let fields = cut(path).iter().take_while(|step| !matches!(step, Step::Item(_)));
    let names = fields.filter_map(|step| match step {
        Step::Field(name) => {
            let row = ROWS.iter().position(|row| row[version].contains(&name.as_str()));
            Some(row.map_or_else(|| name.clone(), |row| row.to_string()))
        }
        _ => None,
    });
    let mut region: Vec<String> = names.collect();
    if path.first() == Some(&Step::Field("legacy".to_owned())) {
        // One version has it, and so it is kept as a whole.
        region.truncate(1);
    }
    region
}

/// The same with the keys of maps.
fn rule(version: usize, path: &[Step]) -> Vec<String> {
    let fields = cut(path).iter().take_while(|step| !matches!(step, Step::Item(_)));
    let mut rule = region(version, path);
    rule.extend(fields.filter_map(|step| match step {
        Step::Key(key) => Some(format!("key {key}")),
        _ => None,
    }));
    rule
}

/// The regions in which two specs of a version differ.
fn differences(version: usize, a: &Tree, b: &Tree) -> BTreeSet<Vec<String>> {
    let values = |tree: &Tree| -> BTreeMap<Vec<Step>, Tree> {
        let mut tree = tree.clone();
        leaves(&tree).into_iter().map(|path| (path.clone(), at(&mut tree, &path).clone())).collect()
    };
    let (a, b) = (values(a), values(b));
    let paths = a.keys().chain(b.keys());
    paths.filter(|path| a.get(*path) != b.get(*path)).map(|path| rule(version, path)).collect()
}

fn texts(tree: &Tree) -> Vec<String> {
    match tree {
        Tree::List(items) => items.iter().map(Tree::write).collect(),
        _ => Vec::new(),
    }
}

/// The lists in a `spec` that aren't in others, by version.
const LISTS: [[&[&str]; 4]; 9] = [
    [&["choices"]; 4],
    [&["events"]; 4],
    [&["blobs"]; 4],
    [&["parts"], &["items"], &["items"], &["elements"]],
    [&["grid"]; 4],
    [&["shelves"]; 4],
    [&["tree", "children"]; 4],
    [&["head", "leaves"], &["head", "leaves"], &["head", "leaves"], &["main", "leaves"]],
    [&["fixtures"]; 4],
];

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Own entry: two fields that no rule converts together and that are in no common list change different annotations.
    #[test]
    fn own_entry(
        (from, on) in (0..4_usize, 1..4_usize), choices in choices(),
        (first, second) in any::<(Index, Index)>(),
    ) {
        let to = (from + on) % 4;
        // The API server sorts the keys; entries stand in the order of the text.
        let object = Tree::read(&object(&SUBJECT, from, Stray::Partial, &choices)).write();
        let paths = leaves(&spec(&object));
        prop_assume!(!paths.is_empty());
        let before = carrier(&convert(&object, to));
        let changed = |path: &[Step]| {
            let mut spec = spec(&object);
            change(at(&mut spec, path));
            let after = carrier(&convert(&with_spec(&object, spec), to));
            let keys = before.keys().chain(after.keys()).cloned().collect::<BTreeSet<_>>();
            keys.into_iter().filter(|key| before.get(key) != after.get(key)).collect::<BTreeSet<_>>()
        };
        let (a, b) = (first.get(&paths), second.get(&paths));
        if region(from, a) != region(from, b) {
            let (of_a, of_b) = (changed(a), changed(b));
            prop_assert!(of_a.is_disjoint(&of_b), "{:?} {:?}, {:?} {:?}", a, of_a, b, of_b);
        }
    }

    /// Edits win: what a client changes is there on the way back, and nothing but what belongs to it is another.
    #[test]
    fn edits_win((from, on) in (0..4_usize, 1..4_usize), choices in choices(), which in prop::collection::vec(any::<Index>(), 1..12)) {
        let to = (from + on) % 4;
        let object = object(&SUBJECT, from, Stray::Partial, &choices);
        let there = convert(&object, to);
        let paths = leaves(&spec(&there));
        prop_assume!(!paths.is_empty());
        for which in which {
            let path = which.get(&paths);
            let mut edited = spec(&there);
            let before = edited.clone();
            change(at(&mut edited, path));
            let changed = edited != before;
            let edited = with_spec(&there, edited);
            let back = convert(&edited, from);
            prop_assert_eq!(spec(&convert(&back, to)), spec(&edited), "{:?} by {}", path, back);
            for other in differences(from, &spec(&back), &spec(&object)) {
                prop_assert_eq!(other, rule(to, path), "via {}", edited);
            }
            let in_list = path.iter().any(|step| matches!(step, Step::Item(_)));
            let in_union = cut(path).len() < path.len();
            if from.abs_diff(to) == 1 && !in_list && !in_union && changed {
                // What was changed is what it would be if nothing had been kept of it.
                let fresh = resource().export(edited.as_bytes()).expect("an object");
                let others = differences(from, &spec(&back), &spec(&convert(&fresh, from)));
                prop_assert!(!others.contains(&rule(to, path)), "{:?} of {} by {}", path, edited, back);
            }
        }
    }

    /// Items that nobody touches keep what is theirs, while others are edited, inserted, deleted, moved or doubled: as
    /// long as as many are equal as before. What is inserted is as if nothing had been kept. `alignment.rs` says what comes
    /// back to edited items.
    #[test]
    fn entries_follow_their_items(
        (from, to) in select(vec![(0, 1), (1, 2), (2, 3), (3, 2), (2, 1), (1, 0)]),
        choices in choices(),
        other in choices(),
        list in select(LISTS.to_vec()),
        edits in prop::collection::vec((0..5_u8, any::<Index>(), any::<Index>()), 0..4),
    ) {
        // What the server prunes doesn't tell items apart.
        let object = SERVER.decode(&object(&SUBJECT, from, Stray::Harmless, &choices), from);
        let there = convert(&object, to);
        let mut shown = Tree::read(&there);
        let path = |version: usize| [&["spec"], list[version]].concat();
        let Some(Tree::List(items)) = shown.at_mut(&path(to)) else { return Ok(()) };
        let shown_before: Vec<String> = items.iter().map(Tree::write).collect();
        let mut changed = vec![false; items.len()];
        let inserted = crd_conv_tests::draw::object(&SUBJECT, to, Stray::Harmless, &other);
        let inserted = Tree::read(&SERVER.decode(&inserted, to));
        let inserted: Vec<Tree> = match inserted.at(&path(to)) {
            Some(Tree::List(items)) => items.clone(),
            _ => vec![Tree::Object(BTreeMap::new())],
        };
        for (edit, first, second) in edits {
            if items.is_empty() {
                break;
            }
            let (place, other) = (first.index(items.len()), second.index(items.len()));
            match edit {
                0 => drop((items.remove(place), changed.remove(place))),
                1 => {
                    items.swap(place, other);
                    changed.swap(place, other);
                }
                2 => {
                    items.extend(inserted.iter().take(1).cloned());
                    changed.resize(items.len(), false);
                }
                3 => {
                    items.insert(place, items[other].clone());
                    changed.insert(place, changed[other]);
                }
                _ => {
                    changed[place] = true;
                    let paths = leaves(&items[place]);
                    if !paths.is_empty() {
                        change(at(&mut items[place], &paths[second.index(paths.len())]));
                    }
                }
            }
        }
        let shown_after: Vec<String> = items.iter().map(Tree::write).collect();
        let edited = shown.write();
        let fresh = resource().export(edited.as_bytes()).expect("an object");
        let list_at = |object: &str| Tree::read(object).at(&path(from)).map(texts).unwrap_or_default();
        let (originals, fresh, back) =
            (list_at(&object), list_at(&convert(&fresh, from)), list_at(&convert(&edited, from)));
        prop_assert_eq!(back.len(), shown_after.len());
        for (place, text) in shown_after.iter().enumerate() {
            let same = |other: &&String| reencoded(other) == reencoded(text);
            let (before, after) = (shown_before.iter().filter(same).count(), shown_after.iter().filter(same).count());
            let twins = shown_before.iter().enumerate().filter(|(_, text)| same(text));
            let mut twins = twins.map(|(place, _)| &originals[place]);
            let expected = if before == after {
                let nth = shown_after[..place].iter().filter(same).count();
                twins.nth(nth).expect("a twin")
            } else if changed[place] || after < before && twins.all(|twin| *twin == back[place]) {
                // Of those that keep the same any may be left.
                continue;
            } else {
                &fresh[place]
            };
            prop_assert_eq!(&back[place], expected, "item {} by {}", place, edited);
        }
    }
}
