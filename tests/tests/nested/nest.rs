//! The laws of conversion, on objects that nest every shape in every other, between all of four versions.
//!
//! `PROPTEST_CASES` says how many objects a law gets.

use std::sync::LazyLock;

use crd_conv::Converted;
use crd_conv::testing::{Tree, members};
use crd_conv_tests::carried::{carrier, entries, essence, less_each_entry, with_carrier};
use crd_conv_tests::draw::{Stray, object};
use crd_conv_tests::nest::{SUBJECT, VERSIONS, resource, structural};
use crd_conv_tests::served::{Server, reencoded};
use proptest::prelude::*;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::new((0..4).map(structural).collect()));

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..200)
}

/// An object and its version, and another version.
fn case(stray: Stray) -> impl Strategy<Value = (String, usize, usize)> {
    (0..4_usize, 1..4_usize, choices()).prop_map(move |(from, on, choices)| {
        (object(&SUBJECT, from, stray, &choices), from, (from + on) % 4)
    })
}

/// The same for two neighbouring versions.
fn hop(stray: Stray) -> impl Strategy<Value = (String, usize, usize)> {
    let ways = prop::sample::select(vec![(0, 1), (1, 2), (2, 3), (3, 2), (2, 1), (1, 0)]);
    (ways, choices())
        .prop_map(move |((from, to), choices)| (object(&SUBJECT, from, stray, &choices), from, to))
}

fn try_convert(object: &str, to: usize) -> Result<Converted, TestCaseError> {
    let converted = resource().convert(object.as_bytes(), VERSIONS[to]);
    converted.map_err(|error| TestCaseError::fail(format!("{error}: {object}")))
}

/// Of an object that nobody has edited.
fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = try_convert(object, to)?;
    prop_assert!(converted.unrestored.is_empty(), "{:?}: {}", converted.unrestored, object);
    Ok(converted.json)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exact return: A→B→A gives back the object.
    #[test]
    fn exact_return((object, from, to) in case(Stray::Harmless)) {
        let there = convert(&object, to)?;
        let back = convert(&there, from)?;
        prop_assert_eq!(essence(&back), essence(&object), "via {}", there);
        prop_assert!(carrier(&back).is_empty());
    }

    /// The same with the API server between the hops, which prunes, drops nulls and fills in defaults.
    #[test]
    fn exact_return_through_the_server((object, from, to) in case(Stray::Harmless)) {
        let object = SERVER.decode(&object, from);
        let there = SERVER.between(&convert(&object, to)?, to);
        let back = SERVER.converted(&convert(&there, from)?, from);
        prop_assert_eq!(essence(&reencoded(&back)), essence(&reencoded(&object)), "via {}", there);
    }

    /// Idempotent store: read at any version and written back unchanged, the object is the same.
    #[test]
    fn idempotent_store((object, from, to) in case(Stray::Harmless)) {
        let stored = convert(&object, to)?;
        let written = convert(&convert(&stored, from)?, to)?;
        prop_assert_eq!(Tree::read(&written), Tree::read(&stored));
    }

    /// Path independence: by way of a third version, the same object with the same entries.
    #[test]
    fn path_independence((object, _, to) in case(Stray::Harmless), via in 0..4_usize) {
        let direct = convert(&object, to)?;
        let round = convert(&convert(&object, via)?, to)?;
        prop_assert_eq!(carrier(&round), carrier(&direct));
        prop_assert_eq!(essence(&round), essence(&direct));
    }

    /// Minimal: without any one of the entries, something would be lost.
    #[test]
    fn minimal((object, from, to) in hop(Stray::Harmless)) {
        let there = convert(&object, to)?;
        for (key, entry, poorer) in less_each_entry(&there, VERSIONS[from]) {
            let back = try_convert(&poorer, from)?.json;
            prop_assert_ne!(essence(&back), essence(&object), "{} in {} is of no use", entry.write(), key);
        }
    }

    /// Deterministic: the same bytes in, the same bytes out.
    #[test]
    fn deterministic((object, _, to) in case(Stray::Harmless)) {
        prop_assert_eq!(convert(&object, to)?, convert(&object, to)?);
    }

    /// Hands off: `metadata` without the carrier comes out as it went in.
    #[test]
    fn hands_off((object, _, to) in case(Stray::Harmless)) {
        let there = convert(&object, to)?;
        let metadata = |text: &str| essence(text).at(&["metadata"]).cloned();
        prop_assert_eq!(metadata(&there), metadata(&object));
        prop_assert_eq!(members(&there)["kind"], members(&object)["kind"]);
    }

    /// Total: an object converts, or the message says which field the author's code couldn't read.
    #[test]
    fn total((object, _, to) in case(Stray::Anywhere)) {
        if let Err(error) = resource().convert(object.as_bytes(), VERSIONS[to]) {
            let error = error.to_string();
            prop_assert!(error.contains("spec") && error.contains("invalid"), "{}", error);
        }
    }

    /// Loss is visible: an entry without which everything would be the same is still there, or was counted.
    #[test]
    fn loss_is_visible((object, from, to) in hop(Stray::Harmless), (other, ..) in case(Stray::Harmless), graft in any::<u32>()) {
        let there = convert(&object, to)?;
        let edited = grafted(&there, &try_convert(&other, to)?.json, graft);
        let back = try_convert(&edited, from)?;
        let total = |converted: &Converted| converted.unrestored.iter().map(|(_, count)| count).sum::<u32>();
        for (key, entry, poorer) in less_each_entry(&edited, VERSIONS[from]) {
            let without = try_convert(&poorer, from)?;
            let same = essence(&without.json) == essence(&back.json);
            let still_there = carrier(&back.json).contains_key(&key);
            if same && !still_there {
                prop_assert_eq!(total(&without) + 1, total(&back), "{} in {} of {}", entry.write(), key, edited);
            }
        }
    }

    /// Untrusted: an entry may say that it belongs anywhere, the conversion doesn't fail.
    #[test]
    fn forged_places_are_harmless((object, from, to) in case(Stray::Harmless), forgeries in prop::collection::vec(any::<u32>(), 1..40)) {
        let there = convert(&object, to)?;
        let mut forged = carrier(&there);
        let mut forgeries = forgeries.iter().cycle().copied();
        for value in forged.values_mut() {
            forge(value, &mut forgeries);
        }
        let back = try_convert(&with_carrier(&there, &forged), from)?;
        try_convert(&back.json, to)?;
    }
}

/// An object with some fields of another one's `spec`.
fn grafted(object: &str, other: &str, which: u32) -> String {
    let (mut tree, other) = (Tree::read(object), Tree::read(other));
    let Some(Tree::Object(theirs)) = other.at(&["spec"]).cloned() else { return tree.write() };
    if let Some(ours) = tree.at_mut(&["spec"]).and_then(Tree::members_mut) {
        for (place, (name, value)) in theirs.into_iter().enumerate() {
            if which >> (place % 32) & 1 == 1 {
                ours.insert(name, value);
            } else if which >> ((place + 11) % 32) & 3 == 3 {
                ours.remove(&name);
            }
        }
    }
    tree.write()
}

/// Lets entries say that they belong elsewhere.
fn forge(annotation: &mut Tree, forgeries: &mut impl Iterator<Item = u32>) {
    const LOCATORS: [&str; 7] = [
        r#""a""#,
        r#"{"is":"00000000000000ff","nth":0,"of":1}"#,
        r#"{"is":7,"nth":-1,"of":"x"}"#,
        r#"{"nth":1e99}"#,
        r#"["a",80]"#,
        "null",
        "[[]]",
    ];
    const LISTS: [&str; 4] = [
        "7",
        r#"[{"at":7}]"#,
        r#"[{"at":[],"items":"AAAABBB.CCC DDDD AAAA"}]"#,
        r#"[{"at":[["a",80]],"items":"AAAA"},{"at":[],"items":"A"}]"#,
    ];
    let mut pick = |limit: usize| forgeries.next().unwrap_or_default() as usize % limit;
    let members = annotation.members_mut().expect("an object");
    if !members.contains_key("entries") && pick(2) == 1 {
        let rule = ["keep", "guard"].map(|name| (name.to_owned(), members.remove(name)));
        let rule = rule.into_iter().filter_map(|(name, value)| Some((name, value?)));
        members.insert("entries".to_owned(), Tree::List(vec![Tree::Object(rule.collect())]));
    }
    if pick(2) == 1 {
        let lists = Tree::read(LISTS[pick(4)]);
        annotation.members_mut().expect("an object").insert("lists".to_owned(), lists);
    }
    let Some(entries) = entries(annotation) else { return };
    for place in 0..entries.len() {
        let other = entries[pick(entries.len())].at(&["at"]).cloned();
        let mut at = match entries[place].at(&["at"]).cloned() {
            Some(Tree::List(at)) => at,
            _ => Vec::new(),
        };
        let locator = Tree::read(LOCATORS[pick(7)]);
        match pick(7) {
            0 => {}
            1 => at.clear(),
            2 => at = vec![locator; pick(5)],
            3 => at = other.into_iter().collect(),
            4 => at.push(locator),
            5 => drop(at.pop()),
            _ => at.iter_mut().take(1).for_each(|first| *first = locator.clone()),
        }
        entries[place].members_mut().expect("an object").insert("at".to_owned(), Tree::List(at));
    }
}
