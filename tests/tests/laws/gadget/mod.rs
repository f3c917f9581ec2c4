//! The laws of conversion, on objects generated for every version of a resource that has every kind of rule.
//!
//! `PROPTEST_CASES` says how many objects a law gets.

mod objects;
mod view;

use std::sync::LazyLock;

use crd_conv::testing::{Tree, members};
use crd_conv::{ResourceType, UnrestoredReason};
use crd_conv_tests::gadget::Gadget;
use crd_conv_tests::served::{Server, reencoded, sendable};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use objects::{CARRIER, GROUPS, Group, VERSIONS, case, hostile, object};
use view::{carrier_entries, carrier_of, essence, without};

static GADGETS: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Gadget>);

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::of(&GADGETS, &VERSIONS));

fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = GADGETS.convert(object.as_bytes(), VERSIONS[to]);
    let converted = converted.map_err(|error| TestCaseError::fail(error.to_string()))?;
    for (reason, count) in converted.unrestored.iter() {
        prop_assert!(
            reason == UnrestoredReason::Edited || reason == UnrestoredReason::AnchorGone,
            "{count} × {reason}: {}",
            object
        );
    }
    Ok(converted.json)
}

/// What a client sees of an object that the server has been given.
fn seen(object: &str, version: usize) -> Tree {
    essence(&reencoded(object), version)
}

/// The object with some groups of fields as another object of its version has them.
fn with_groups(object: &str, version: usize, source: &str, groups: &[&Group]) -> String {
    let (mut tree, source) = (Tree::read(object), Tree::read(source));
    for (stanza, name, _) in groups.iter().flat_map(|group| group.fields[version]) {
        let path: &[&str] = if stanza.is_empty() { &[] } else { &[stanza] };
        let value = source.at(path).and_then(|stanza| stanza.at(&[name])).cloned();
        let Some(members) = tree.at_mut(path).and_then(Tree::members_mut) else { continue };
        match value {
            Some(value) => members.insert((*name).to_owned(), value),
            None => members.remove(*name),
        };
    }
    tree.write()
}

/// An object of any version, and the version.
fn any_object() -> impl Strategy<Value = (String, usize)> {
    (0..3_usize).prop_flat_map(|version| (object(version), Just(version)))
}

/// An object that has been read and edited at several versions, and the version that it ended at.
fn lived() -> impl Strategy<Value = (String, usize)> {
    let edit = (any_object(), prop::collection::vec(any::<bool>(), GROUPS.len()));
    (any_object(), prop::collection::vec(edit, 1..4)).prop_map(|(start, edits)| {
        edits.into_iter().fold(start, |(object, at), ((source, version), groups)| {
            // A converter may refuse what a client wrote; then the client goes away.
            let Ok(read) = convert(&object, version) else { return (object, at) };
            let groups =
                GROUPS.iter().zip(groups).filter(|(_, edit)| *edit).map(|(group, _)| group);
            let edited = with_groups(&read, version, &source, &groups.collect::<Vec<_>>());
            let fine = (0..3).all(|to| convert(&edited, to).is_ok());
            (if fine { edited } else { read }, version)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exact return: A→B→A gives back the object, and what no rule names byte for byte.
    #[test]
    fn exact_return((object, from, to) in case()) {
        let there = convert(&object, to)?;
        let back = convert(&there, from)?;
        prop_assert_eq!(essence(&back, from), essence(&object, from), "via {}", there);
        prop_assert_eq!(carrier_of(&back), Vec::<String>::new());
        let (before, after) = (members(&object), members(&back));
        for name in ["data", "kind"] {
            prop_assert_eq!(before.get(name), after.get(name));
        }
        if let (Some(before), Some(after)) = (before.get("spec"), after.get("spec"))
            && before.starts_with('{')
        {
            let (before, after) = (members(before), members(after));
            for (name, text) in before.iter().filter(|(name, _)| ["unknown", ["cronSpec", "schedule", "schedule"][from]].contains(&name.as_str())) {
                prop_assert_eq!(Some(text), after.get(name));
            }
        }
    }

    /// The same with the API server between the hops, which prunes, drops nulls and fills in defaults.
    #[test]
    fn exact_return_through_the_server((object, from, to) in case()) {
        let object = SERVER.decode(&sendable(&object), from);
        let there = SERVER.between(&convert(&object, to)?, to);
        let back = SERVER.converted(&convert(&there, from)?, from);
        prop_assert_eq!(seen(&back, from), seen(&object, from), "via {}", there);
    }

    /// The same for an object that has been through other versions, where clients edited it: what it carries for them
    /// is in nobody's way.
    #[test]
    fn exact_return_with_a_history((object, from) in lived(), to in 0..3_usize, server in any::<bool>()) {
        let between = |text: String, version| if server { SERVER.between(&text, version) } else { text };
        let object = if server { SERVER.between(&sendable(&object), from) } else { object };
        let there = between(convert(&object, to)?, to);
        let back = between(convert(&there, from)?, from);
        prop_assert_eq!(essence(&back, from), essence(&object, from), "via {}", there);
        let again = between(convert(&back, to)?, to);
        prop_assert_eq!(Tree::read(&again), Tree::read(&there), "via {}", back);
    }

    /// Own entry: a change of one group of fields is seen in these fields and their entries only.
    #[test]
    fn own_entry(
        (object, from, to, other) in case().prop_flat_map(|(object, from, to)| {
            (Just(object), Just(from), Just(to), objects::object(from))
        }),
        group in any::<Index>(),
    ) {
        let group = group.get(GROUPS);
        let changed = with_groups(&object, from, &other, &[group]);
        let (before, after) = (convert(&object, to)?, convert(&changed, to)?);
        let names: Vec<&str> = group.fields.iter().flat_map(|fields| fields.iter()).map(|(_, name, _)| *name).collect();
        let entries = |text: &str| {
            let mut entries = carrier_entries(text);
            entries.retain(|(key, _)| !names.contains(&key.rsplit('.').next().unwrap_or(key)));
            entries
        };
        prop_assert_eq!(entries(&before), entries(&after));
        let rest = |text: &str| {
            let mut tree = essence(text, to);
            for (stanza, name, _) in group.fields[to] {
                let path: &[&str] = if stanza.is_empty() { &[] } else { &[stanza] };
                if let Some(members) = tree.at_mut(path).and_then(Tree::members_mut) {
                    members.remove(*name);
                }
            }
            tree
        };
        prop_assert_eq!(rest(&before), rest(&after));
    }

    /// What went with its anchor doesn't come back with another one.
    #[test]
    fn nothing_resurrects((object, from, to) in case(), path in select(vec![&["spec"][..], &["spec", "limits"], &["status"]])) {
        let (holder, name) = (&path[..path.len() - 1], path[path.len() - 1]);
        let mut there = Tree::read(&convert(&object, to)?);
        let Some(members) = there.at_mut(holder).and_then(Tree::members_mut) else { return Ok(()) };
        members.remove(name);
        let back = convert(&there.write(), from)?;
        let mut again = Tree::read(&convert(&back, to)?);
        let Some(members) = again.at_mut(holder).and_then(Tree::members_mut) else { return Ok(()) };
        members.insert(name.to_owned(), Tree::read("{}"));
        let below: Vec<String> = carrier_of(&again.write());
        let path = path.join(".") + ".";
        let of_it = |key: &String| key.split_once('.').is_some_and(|_| key.contains(&format!(".{path}")));
        prop_assert_eq!(below.iter().find(|key| of_it(key)), None);
        let fresh = without(&again.write(), &below.into_iter().filter(of_it).collect::<Vec<_>>());
        prop_assert_eq!(convert(&again.write(), from)?, convert(&fresh, from)?);
    }

    /// Idempotent store: read at any version and written back unchanged, the object is the same.
    #[test]
    fn idempotent_store((object, from, to) in case()) {
        let stored = convert(&object, to)?;
        let read = convert(&stored, from)?;
        let written = convert(&read, to)?;
        prop_assert_eq!(Tree::read(&written), Tree::read(&stored));
    }

    /// Edits win: what a client edits at B is there after B→A→B, what it doesn't edit is as it was at A.
    #[test]
    fn edits_win(
        (object, from, to) in case(),
        edited in prop::collection::vec(any::<bool>(), GROUPS.len()),
        other in select(vec![0_usize, 1, 2]).prop_flat_map(|version| (Just(version), object(version))),
    ) {
        let there = convert(&object, to)?;
        let source = Tree::read(&convert(&other.1, to)?);
        let mut changed = Tree::read(&there);
        if !matches!(changed.at(&["spec"]), Some(Tree::Object(_))) {
            return Ok(());
        }
        let mut touched = Vec::new();
        for (group, _) in GROUPS.iter().zip(&edited).filter(|(group, edit)| **edit && !group.fields[to].is_empty()) {
            let before = changed.clone();
            for (stanza, name, _) in group.fields[to] {
                let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                let value = source.at(&path).cloned();
                let parent = changed.at_mut(&path[..path.len() - 1]).and_then(Tree::members_mut).expect("a stanza");
                match value {
                    Some(value) => parent.insert((*name).to_owned(), value),
                    None => parent.remove(*name),
                };
            }
            if essence(&before.write(), to) != essence(&changed.write(), to) {
                touched.push(group);
            }
        }
        let changed = changed.write();
        // A converter may refuse what the client wrote.
        let Ok(back) = GADGETS.convert(changed.as_bytes(), VERSIONS[from]) else { return Ok(()) };
        let again = convert(&back.json, to)?;
        prop_assert_eq!(essence(&again, to), essence(&changed, to), "via {}", back.json);

        let (original, back) = (essence(&object, from), essence(&back.json, from));
        for group in GROUPS.iter().filter(|group| !touched.iter().any(|touched| std::ptr::eq(*touched, *group))) {
            for (stanza, name, _) in group.fields[from] {
                let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                prop_assert_eq!(back.at(&path), original.at(&path), "{} of {:?}", name, back);
            }
        }
        if from.abs_diff(to) == 1 {
            let fresh = GADGETS.export(changed.as_bytes()).expect("an object");
            let Ok(fresh) = GADGETS.convert(fresh.as_bytes(), VERSIONS[from]) else { return Ok(()) };
            let fresh = essence(&fresh.json, from);
            // Where the schema has a default, absent is the same, and taking the one for the other is no edit.
            let edited = |group: &&&Group| {
                let value = |text: &str| {
                    let seen = Tree::read(&SERVER.between(&sendable(text), to));
                    group.fields[to].iter().map(|(stanza, name, _)| seen.at(&[*stanza, *name]).cloned()).collect::<Vec<_>>()
                };
                group.fields[to].iter().all(|(_, name, _)| *name != "load") || value(&there) != value(&changed)
            };
            for group in touched.iter().filter(edited) {
                for (stanza, name, _) in group.fields[from] {
                    let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                    if *name == "checks" {
                        // What the client can't see stays in the struct.
                        for moved in ["timeout", "maxAttempts"] {
                            let path = [*stanza, *name, moved];
                            prop_assert_eq!(back.at(&path), fresh.at(&path), "{} of {:?}", moved, back);
                        }
                        continue;
                    }
                    prop_assert_eq!(back.at(&path), fresh.at(&path), "{} of {:?}", name, back);
                }
            }
        }
    }

    /// Minimal: without any one of the entries, something would be lost.
    #[test]
    fn minimal((object, from, to) in case()) {
        let there = convert(&object, to)?;
        for key in carrier_of(&there) {
            let poorer = without(&there, std::slice::from_ref(&key));
            let back = GADGETS.convert(poorer.as_bytes(), VERSIONS[from]);
            if back.is_ok_and(|back| essence(&back.json, from) != essence(&object, from)) {
                continue;
            }
            // It may be of use only once the API server has filled in what the schema says.
            let poorer = SERVER.between(&sendable(&poorer), to);
            if let Ok(back) = GADGETS.convert(poorer.as_bytes(), VERSIONS[from]) {
                let seen = |text: &str| seen(&SERVER.between(&sendable(text), from), from);
                prop_assert_ne!(seen(&back.json), seen(&object), "{} is of no use", key);
            }
        }
    }

    /// Deterministic: the same bytes in, the same bytes out, alone or after other objects.
    #[test]
    fn deterministic((object, _, to) in case(), (other, ..) in case()) {
        let alone = convert(&object, to)?;
        prop_assert_eq!(&convert(&object, to)?, &alone);
        let review = format!(
            r#"{{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"1","desiredAPIVersion":"example.com/{}","objects":[{other},{object}]}}}}"#,
            VERSIONS[to],
        );
        let answer = crd_conv::Reviewer::new([ResourceType::of::<Gadget>()]).review(review.as_bytes()).expect("an answer");
        prop_assert_eq!(&answer.failure, &None);
        prop_assert!(answer.body.contains(&format!(",{alone}],\"result\"")), "{}", answer.body);
    }

    /// Hands off: all of `metadata` but the carrier comes out as it went in.
    #[test]
    fn hands_off((object, _, to) in case()) {
        let there = convert(&object, to)?;
        let (before, after) = (members(&object), members(&there));
        prop_assert_eq!(before["kind"], after["kind"]);
        let before = before.get("metadata").map(|metadata| members(metadata)).unwrap_or_default();
        let after = members(after["metadata"]);
        for (name, value) in &before {
            if name == "annotations" {
                let (before, after) = (members(value), members(after[name]));
                for (key, text) in before {
                    prop_assert_eq!(after.get(&key), Some(&text));
                }
            } else {
                prop_assert_eq!(after.get(name), Some(value));
            }
        }
        prop_assert!(after.keys().all(|name| name == "annotations" || before.contains_key(name)));
    }

    /// Path independence: by way of a third version, the same object.
    #[test]
    fn path_independence((object, _, to) in case(), via in 0..3_usize) {
        let direct = convert(&object, to)?;
        let round = convert(&convert(&object, via)?, to)?;
        // The way round may leave an empty `annotations` away, and nulls that the API server drops.
        let clean = |text: &str| {
            let mut tree = essence(text, to);
            if let Some(metadata) = tree.at_mut(&["metadata"]).and_then(Tree::members_mut) {
                metadata.insert("carrier".to_owned(), Tree::Text(format!("{:?}", carrier_entries(text))));
            }
            tree
        };
        prop_assert_eq!(clean(&round), clean(&direct));
    }

    /// Total, on the carrier: whatever stands in the annotations, the conversion neither fails nor panics.
    #[test]
    fn hostile_carriers_are_harmless((object, from, to) in case(), text in hostile()) {
        let there = convert(&object, to)?;
        let mut tree = Tree::read(&there);
        if let Some(Tree::Object(annotations)) = tree.at_mut(&["metadata", "annotations"]) {
            for (key, value) in annotations.iter_mut().filter(|(key, _)| key.starts_with(CARRIER)) {
                let name = key.rsplit('.').next().expect("a name");
                *value = Tree::Text(text.replace("NAME", name).replace("PEER", VERSIONS[to]));
            }
        }
        let converted = GADGETS.convert(tree.write().as_bytes(), VERSIONS[from]);
        if let Err(error) = converted {
            // Without its entry a value may be one that the converter refuses.
            let refused = ["more than one", "out of range", "expected `host:port`"];
            let error = error.to_string();
            prop_assert!(refused.iter().any(|reason| error.contains(reason)), "{}", error);
        }
    }
}
