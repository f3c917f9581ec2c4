//! The laws of conversion, on objects whose values move between structs and stanzas, between all of four versions.
//!
//! `PROPTEST_CASES` says how many objects a law gets.

use std::sync::LazyLock;

use crd_conv::testing::Tree;
use crd_conv::{Converted, ResourceType, UnrestoredReason};
use crd_conv_tests::carried::{carrier, essence, less_each_entry};
use crd_conv_tests::draw::{Stray, object};
use crd_conv_tests::rack::{Rack, SUBJECT, VERSIONS};
use crd_conv_tests::served::{Server, schema};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

static RACKS: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Rack>);

static SCHEMAS: LazyLock<[Value; 4]> = LazyLock::new(|| VERSIONS.map(schema::<Rack>));

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::of(&RACKS, &VERSIONS));

fn drawn(version: usize, stray: Stray) -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u32>(), 0..120)
        .prop_map(move |choices| object(&SUBJECT, version, stray, &choices))
}

/// An object and its version, and another version that is `most` hops away at most.
fn case(stray: Stray, most: usize) -> impl Strategy<Value = (String, usize, usize)> {
    (0..4_usize, 0..4_usize)
        .prop_filter("another version", move |(from, to)| from != to && from.abs_diff(*to) <= most)
        .prop_flat_map(move |(from, to)| (drawn(from, stray), Just(from), Just(to)))
}

fn try_convert(object: &str, to: usize) -> Result<Converted, TestCaseError> {
    let converted = RACKS.convert(object.as_bytes(), VERSIONS[to]);
    converted.map_err(|error| TestCaseError::fail(format!("{error}: {object}")))
}

/// Of an object that nobody has edited.
fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = try_convert(object, to)?;
    prop_assert!(converted.unrestored.is_empty(), "{:?}: {}", converted.unrestored, object);
    Ok(converted.json)
}

/// What the schema of the version says the same of: nulls of what isn't nullable are left out.
fn normal(object: &str, version: usize) -> Tree {
    fn strip(tree: &mut Tree, schema: &Value) {
        match tree {
            Tree::Object(members) => {
                members.retain(|name, value| {
                    let schema = &schema["properties"][name];
                    schema.is_null() || schema["nullable"] == true || value.write() != "null"
                });
                for (name, value) in members {
                    strip(value, &schema["properties"][name]);
                }
            }
            Tree::List(items) => items.iter_mut().for_each(|item| strip(item, &schema["items"])),
            Tree::Plain(_) | Tree::Text(_) => {}
        }
    }
    let mut tree = essence(object);
    strip(&mut tree, &SCHEMAS[version]);
    tree
}

/// The ways to all values that hold no others, through objects only.
fn leaves(tree: &Tree, way: &[String], found: &mut Vec<Vec<String>>) {
    match tree {
        Tree::Object(members) => {
            for (name, value) in members {
                leaves(value, &[way, std::slice::from_ref(name)].concat(), found);
            }
        }
        _ => found.push(way.to_vec()),
    }
}

fn edit(tree: &mut Tree, way: &[String], change: impl FnOnce(&mut Tree, &str)) {
    let Some((last, around)) = way.split_last() else { return };
    let around: Vec<&str> = around.iter().map(String::as_str).collect();
    if let Some(holder) = tree.at_mut(&around) {
        change(holder, last);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_return((object, from, to) in case(Stray::Harmless, 3)) {
        let there = convert(&object, to)?;
        let back = convert(&there, from)?;
        prop_assert_eq!(normal(&back, from), normal(&object, from), "via {}", there);
    }

    #[test]
    fn exact_return_through_the_server((object, from, to) in case(Stray::Partial, 3), raw in any::<bool>()) {
        let seen = SERVER.between(&object, from);
        let object = if raw { &object } else { &seen };
        let there = SERVER.between(&convert(object, to)?, to);
        let back = SERVER.between(&convert(&there, from)?, from);
        prop_assert_eq!(essence(&back), essence(&seen), "via {}", there);
        prop_assert!(raw || carrier(&back).is_empty(), "{}", back);
    }

    #[test]
    fn idempotent_store((object, from, to) in case(Stray::Harmless, 3)) {
        let stored = convert(&object, to)?;
        let written = convert(&convert(&stored, from)?, to)?;
        prop_assert_eq!(Tree::read(&written), Tree::read(&stored));
    }

    #[test]
    fn path_independence((object, from, to) in case(Stray::Harmless, 3), via in 0..4_usize) {
        // Where a default is missing, an entry may say what is as good as there, once the server has filled it in.
        let object = SERVER.between(&object, from);
        let direct = convert(&object, to)?;
        let round = convert(&convert(&object, via)?, to)?;
        prop_assert_eq!(carrier(&round), carrier(&direct));
        prop_assert_eq!(normal(&round, to), normal(&direct, to));
    }

    #[test]
    fn minimal((object, from, to) in case(Stray::Harmless, 1)) {
        let there = convert(&object, to)?;
        for (key, entry, poorer) in less_each_entry(&there, VERSIONS[from]) {
            let back = try_convert(&poorer, from)?.json;
            if normal(&back, from) == normal(&object, from) {
                // It may be of use only once the API server has filled in what the schema says.
                let back = try_convert(&SERVER.between(&poorer, to), from)?.json;
                let seen = |text: &str| essence(&SERVER.between(text, from));
                prop_assert_ne!(seen(&back), seen(&object), "{} in {} is of no use", entry.write(), key);
            }
        }
    }

    #[test]
    fn deterministic((object, _, to) in case(Stray::Harmless, 3)) {
        prop_assert_eq!(convert(&object, to)?, convert(&object, to)?);
    }

    #[test]
    fn hands_off((object, _, to) in case(Stray::Harmless, 3)) {
        let metadata = |text: &str| essence(text).at(&["metadata"]).cloned();
        prop_assert_eq!(metadata(&convert(&object, to)?), metadata(&object));
    }

    /// Typed: of what the object's version declares, nothing is left that the target doesn't declare.
    #[test]
    fn typed((object, from, to) in case(Stray::Partial, 3)) {
        let there = convert(&SERVER.between(&object, from), to)?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        leaves(&essence(&there), &[], &mut before);
        leaves(&essence(&SERVER.between(&there, to)), &[], &mut after);
        for leaf in before {
            let kept = after.iter().any(|other| other.starts_with(&leaf));
            let way: Vec<&str> = leaf.iter().map(String::as_str).collect();
            let null = essence(&there).at(&way).is_some_and(|value| value.write() == "null");
            prop_assert!(kept || null, "{:?} of {}", leaf, there);
        }
    }

    /// Edits win: what a client writes at the other version is there when it looks again.
    #[test]
    fn edits_win((object, from, to) in case(Stray::Partial, 3), (other, ..) in case(Stray::Partial, 3), graft in any::<u64>()) {
        let there = SERVER.between(&convert(&object, to)?, to);
        let theirs = Tree::read(&try_convert(&other, to)?.json);
        let mut edited = Tree::read(&there);
        let mut ways = Vec::new();
        leaves(&theirs, &[], &mut ways);
        leaves(&edited, &[], &mut ways);
        ways.retain(|way| ["spec", "status"].contains(&way[0].as_str()));
        for (place, way) in ways.iter().enumerate() {
            let names: Vec<&str> = way.iter().map(String::as_str).collect();
            let value = theirs.at(&names).cloned();
            edit(&mut edited, way, |holder, last| {
                let Some(members) = holder.members_mut() else { return };
                match (graft >> (2 * place % 64) & 3, value) {
                    (0, Some(value)) => drop(members.insert(last.to_owned(), value)),
                    (1, _) => drop(members.remove(last)),
                    _ => {}
                }
            });
        }
        let edited = SERVER.between(&edited.write(), to);
        let back = try_convert(&edited, from)?.json;
        let again = SERVER.between(&try_convert(&back, to)?.json, to);
        prop_assert_eq!(essence(&again), essence(&edited), "via {}", back);
    }

    /// Edits win: what a client doesn't touch is as it was.
    #[test]
    fn one_edit_changes_one_value((object, from, to) in case(Stray::Partial, 3), which in any::<Index>(), delete in any::<bool>()) {
        let object = SERVER.between(&object, from);
        let there = convert(&object, to)?;
        let mut tree = Tree::read(&there);
        let mut ways = Vec::new();
        leaves(&tree, &[], &mut ways);
        ways.retain(|way| ["spec", "status"].contains(&way[0].as_str()));
        prop_assume!(!ways.is_empty());
        let way = which.get(&ways);
        edit(&mut tree, way, |holder, last| {
            let Some(members) = holder.members_mut() else { return };
            match members.get_mut(last) {
                Some(Tree::Text(text)) if !delete => text.push('z'),
                Some(Tree::Plain(number)) if !delete && number != "null" && number != "true" => {
                    "41".clone_into(number);
                }
                _ => drop(members.remove(last)),
            }
        });
        let back = try_convert(&tree.write(), from)?.json;
        let (before, after) = (essence(&object), essence(&back));
        let (mut olds, mut news) = (Vec::new(), Vec::new());
        leaves(&before, &[], &mut olds);
        leaves(&after, &[], &mut news);
        let at = |tree: &Tree, way: &Vec<String>| {
            tree.at(&way.iter().map(String::as_str).collect::<Vec<_>>()).map(Tree::write)
        };
        olds.extend(news);
        olds.sort();
        olds.dedup();
        let changed: Vec<_> = olds
            .iter()
            .filter(|way| at(&before, way) != at(&after, way))
            // What a struct shows that is there from now on, or no longer.
            .filter(|way| !["kind", "pace", "grace", "units", "replicas", "depth", "seconds"].contains(&way[way.len() - 1].as_str()))
            .filter(|way| at(&before, way).is_none_or(|value| value != "null") || !["front", "facade", "back", "deep"].contains(&way[way.len() - 1].as_str()))
            // An empty struct that came or went with the value.
            .filter(|way| at(&before, way).is_none_or(|value| value != "{}") || at(&after, way).is_some_and(|value| value != "{}"))
            .collect();
        prop_assert!(changed.len() <= 1, "{:?} by {:?} of {} via {}", changed, way, there, back);
    }

    #[test]
    fn total((object, _, to) in case(Stray::Harmless, 3)) {
        try_convert(&object, to)?;
    }

    /// Loss is visible: an entry without which everything would be the same is still there, or was counted.
    #[test]
    fn loss_is_visible((object, from, to) in case(Stray::Harmless, 1), cut in any::<Index>()) {
        let mut tree = Tree::read(&convert(&object, to)?);
        let mut ways = Vec::new();
        leaves(&tree, &[], &mut ways);
        ways.retain(|way| ["spec", "status"].contains(&way[0].as_str()));
        prop_assume!(!ways.is_empty());
        let way = cut.get(&ways);
        // A value or one of the structs around it.
        let depth = 1 + cut.index(way.len());
        edit(&mut tree, &way[..depth], |holder, last| {
            holder.members_mut().and_then(|members| members.remove(last));
        });
        let edited = tree.write();
        let back = try_convert(&edited, from)?;
        let total = |converted: &Converted| converted.unrestored.iter().map(|(_, count)| count).sum::<u32>();
        prop_assert_eq!(back.unrestored.count(UnrestoredReason::Mistyped), 0);
        for (key, entry, poorer) in less_each_entry(&edited, VERSIONS[from]) {
            let without = try_convert(&poorer, from)?;
            // That a struct was there, or a value wasn't, is no loss where it is still so.
            let says = entry.at(&["keep"]).map(Tree::write).unwrap_or_default();
            if says == "{}" || says.ends_with(":{}}") {
                continue;
            }
            let same = essence(&without.json) == essence(&back.json);
            if same && !carrier(&back.json).contains_key(&key) {
                prop_assert_eq!(total(&without) + 1, total(&back), "{} in {} of {}", entry.write(), key, edited);
            }
        }
    }
}

/// The names of all fields of a schema.
fn names(schema: &Value, found: &mut Vec<String>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        found.push(name.clone());
        names(schema, found);
        names(&schema["items"], found);
    }
}

#[test]
fn what_is_drawn_has_every_field_and_strays() {
    let mut runner = TestRunner::deterministic();
    for version in 0..4 {
        let mut objects = |stray| -> Vec<String> {
            let mut next = || drawn(version, stray).new_tree(&mut runner).expect("an object");
            (0..1000).map(|_| next().current()).collect()
        };
        let (partial, harmless) = (objects(Stray::Partial), objects(Stray::Harmless));
        let mut wanted = Vec::new();
        names(&SCHEMAS[version], &mut wanted);
        let others = ["apiVersion", "metadata", "kind", "conversionEntries"];
        wanted.retain(|name| !others.contains(&name.as_str()));
        for name in wanted {
            let field = format!("\"{name}\":");
            assert!(partial.iter().any(|object| object.contains(&field)), "{field} in {version}");
        }
        let some = |objects: &[String], text| objects.iter().any(|object| object.contains(text));
        assert!(partial.iter().any(|object| !object.contains("\"spec\":")));
        for text in ["\"spec\":[", "\"unknown\":"] {
            assert!(some(&harmless, text) && !some(&partial, text), "{text} in {version}");
        }
    }
}

/// An entry for a version further away isn't there any more on the way back if that version has used it up.
#[test]
fn a_struct_stays_where_a_later_hop_uses_an_entry_up() {
    let old = r#"{"apiVersion":"example.com/v1beta2","kind":"Rack","metadata":{},"spec":{"back":{"depth":7,"paint":null}}}"#;
    let mut edited = Tree::read(&convert(old, 0).unwrap());
    assert!(
        carrier(&edited.write()).contains_key("conversion.example.com/v1beta2.spec.back.paint")
    );
    let front = Tree::read(r#"{"color":"a"}"#);
    let Some(Tree::Object(spec)) = edited.at_mut(&["spec"]) else { panic!("no spec") };
    assert!(spec.contains_key("back"));
    spec.insert("front".to_owned(), front);
    let edited = SERVER.between(&edited.write(), 0);
    let back = try_convert(&edited, 2).unwrap().json;
    let again = SERVER.between(&try_convert(&back, 0).unwrap().json, 0);
    assert_eq!(essence(&again), essence(&edited), "via {back}");
}
