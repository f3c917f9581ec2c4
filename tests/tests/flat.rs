//! The laws of conversion, on objects with flattened structs and maps, between all of four versions.
//!
//! `PROPTEST_CASES` says how many objects a law gets.

use std::sync::LazyLock;

use crd_conv::{Converted, Resource};
use crd_conv_tests::carried::{carrier, essence, less_each_entry};
use crd_conv_tests::draw::{Stray, VERSIONS, object};
use crd_conv_tests::flat::{Flat, SUBJECT};
use crd_conv_tests::served::{schema, served};
use crd_conv_tests::tree::Tree;
use proptest::prelude::*;
use serde_json::Value;

static FLATS: LazyLock<Resource> = LazyLock::new(Resource::of::<Flat>);

static SCHEMAS: LazyLock<[Value; 4]> = LazyLock::new(|| VERSIONS.map(schema::<Flat>));

/// An object and its version, and another version that is `most` hops away at most.
fn case(stray: Stray, most: usize) -> impl Strategy<Value = (String, usize, usize)> {
    let ways = (0..4_usize, 0..4_usize)
        .prop_filter("another version", move |(from, to)| from != to && from.abs_diff(*to) <= most);
    (ways, prop::collection::vec(any::<u32>(), 0..200))
        .prop_map(move |((from, to), choices)| (object(&SUBJECT, from, stray, &choices), from, to))
}

fn try_convert(object: &str, to: usize) -> Result<Converted, TestCaseError> {
    let converted = FLATS.convert(object.as_bytes(), VERSIONS[to]);
    converted.map_err(|error| TestCaseError::fail(format!("{error}: {object}")))
}

/// Of an object that nobody has edited.
fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = try_convert(object, to)?;
    prop_assert!(converted.losses.is_empty(), "{:?}: {}", converted.losses, object);
    Ok(converted.json)
}

fn spec(object: &str) -> Option<Tree> {
    Tree::read(object).at(&["spec"]).cloned()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_return((object, from, to) in case(Stray::Harmless, 3)) {
        let there = convert(&object, to)?;
        let back = convert(&there, from)?;
        prop_assert_eq!(essence(&back), essence(&object), "via {}", there);
        prop_assert!(carrier(&back).is_empty());
    }

    /// Unknown fields in the items of lists without keys are pruned, and then nobody knows which item was which.
    #[test]
    fn exact_return_through_the_server((object, from, to) in case(Stray::Partial, 3)) {
        let object = served(&object, &SCHEMAS[from]);
        let there = served(&convert(&object, to)?, &SCHEMAS[to]);
        let back = served(&convert(&there, from)?, &SCHEMAS[from]);
        prop_assert_eq!(spec(&back), spec(&object), "via {}", there);
    }

    #[test]
    fn idempotent_store((object, from, to) in case(Stray::Harmless, 3)) {
        let stored = convert(&object, to)?;
        let written = convert(&convert(&stored, from)?, to)?;
        prop_assert_eq!(Tree::read(&written), Tree::read(&stored));
    }

    #[test]
    fn path_independence((object, _, to) in case(Stray::Harmless, 3), via in 0..4_usize) {
        let direct = convert(&object, to)?;
        let round = convert(&convert(&object, via)?, to)?;
        prop_assert_eq!(carrier(&round), carrier(&direct));
        prop_assert_eq!(essence(&round), essence(&direct));
    }

    #[test]
    fn minimal((object, from, to) in case(Stray::Harmless, 1)) {
        let there = convert(&object, to)?;
        for (key, entry, poorer) in less_each_entry(&there, VERSIONS[from]) {
            let back = try_convert(&poorer, from)?.json;
            prop_assert_ne!(essence(&back), essence(&object), "{} in {} is of no use", entry.write(), key);
        }
    }

    /// Typed: of what the object's version declares, nothing is left that the target doesn't declare.
    #[test]
    fn typed((object, from, to) in case(Stray::Partial, 3)) {
        let object = served(&object, &SCHEMAS[from]);
        let there = convert(&object, to)?;
        let seen = served(&there, &SCHEMAS[to]);
        for (name, _) in spec(&there).and_then(|mut spec| spec.members_mut().cloned()).into_iter().flatten() {
            prop_assert!(spec(&seen).and_then(|spec| spec.at(&[&name]).cloned()).is_some(), "{} of {}", name, there);
        }
    }

    /// Edits win: what a client writes at the other version is there when it looks again.
    #[test]
    fn edits_win((object, from, to) in case(Stray::Partial, 3), (other, ..) in case(Stray::Partial, 3), which in any::<u32>()) {
        let there = convert(&served(&object, &SCHEMAS[from]), to)?;
        let (mut edited, other) = (Tree::read(&there), spec(&try_convert(&other, to)?.json));
        let Some(Tree::Object(theirs)) = other else { return Ok(()) };
        let Some(ours) = edited.at_mut(&["spec"]).and_then(Tree::members_mut) else { return Ok(()) };
        for (place, (name, value)) in theirs.into_iter().enumerate() {
            match which >> (2 * place % 32) & 3 {
                0 => drop(ours.insert(name, value)),
                1 => drop(ours.remove(&name)),
                _ => {}
            }
        }
        let edited = served(&edited.write(), &SCHEMAS[to]);
        let back = try_convert(&edited, from)?.json;
        let again = served(&try_convert(&back, to)?.json, &SCHEMAS[to]);
        prop_assert_eq!(spec(&again), spec(&edited), "via {}", back);
    }

    #[test]
    fn total((object, _, to) in case(Stray::Anywhere, 3)) {
        if let Err(error) = FLATS.convert(object.as_bytes(), VERSIONS[to]) {
            let error = error.to_string();
            prop_assert!(error.contains("spec") && error.contains("invalid"), "{}", error);
        }
    }
}
