//! The size of the carrier: what is packed, what is refused, and what a tombstone stands for.

use crd_conv::cli::{Cli, Streams};
use crd_conv::testing::Tree;
use crd_conv::{ConversionError, Converted, OversizedError, UnrestoredReason};
use crd_conv_tests::budget::{LIMIT, annotations, noise, page, resource, size};
use crd_conv_tests::carried::essence;
use proptest::prelude::*;
use serde_json::{Value, json};

const NOTES: &str = "conversion.example.com/v1beta1.spec.notes";
const LINKS: &str = "conversion.example.com/v1beta1.spec.links";
const OWNER: &str = "conversion.example.com/v1alpha1.spec.owner";

fn to(version: &str, object: &str) -> Converted {
    resource().convert(object.as_bytes(), version).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(version: &str, object: &str) -> OversizedError {
    match resource().convert(object.as_bytes(), version) {
        Err(ConversionError::Oversized(error)) => *error,
        other => panic!("{other:?}"),
    }
}

fn annotation(object: &str, key: &str) -> Option<String> {
    annotations(object).into_iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn without(object: &str, key: &str) -> String {
    let mut tree: Value = serde_json::from_str(object).unwrap();
    tree["metadata"]["annotations"].as_object_mut().unwrap().remove(key).expect("was there");
    tree.to_string()
}

fn kept(field: &str, peer: &str, value: &str) -> String {
    format!(r#"{{"format":1,"peer":"{peer}","keep":{{"{field}":"{value}"}}}}"#)
}

fn tombstone(peer: &str, size: usize) -> String {
    format!(r#"{{"format":1,"peer":"{peer}","tombstone":{size}}}"#)
}

/// How long the value of `owner` may be next to other annotations.
fn room(others: usize) -> usize {
    LIMIT - others - OWNER.len() - kept("owner", "v1beta1", "").len()
}

#[test]
fn the_last_byte_fits_into_the_storage_version() {
    let room = room("note".len() + "\u{e9}\n\"".len());
    for (length, fits) in [(room - 1, true), (room, true), (room + 1, false)] {
        // In the text it takes more: é is 2 bytes, a line feed and a quote are 1.
        let object = page("v1alpha1", &json!({}), &json!({ "owner": noise(length) }))
            .replace(r#""annotations":{}"#, r#""annotations":{"n\u006fte":"\u00e9\n\u0022"}"#);
        if fits {
            let stored = to("v1beta1", &object);
            assert!(stored.unrestored.is_empty());
            assert_eq!(size(&stored.json), LIMIT - (room - length));
            assert_eq!(essence(&to("v1alpha1", &stored.json).json), essence(&object));
            continue;
        }
        let error = refused("v1beta1", &object);
        assert_eq!(error.size(), Some(LIMIT + 1));
        let bytes = kept("owner", "v1beta1", "").len() + length;
        assert_eq!(error.entries().collect::<Vec<_>>(), [(OWNER, bytes)]);
        assert_eq!(
            error.to_string(),
            format!(
                "can't convert Page `default/p` from v1alpha1 to v1beta1: its annotations would have 262145 bytes, but the API \
                 server allows 262144; they hold `spec.owner` of v1alpha1 ({bytes} bytes): make these values smaller, or remove \
                 other annotations"
            )
        );
    }
}

#[test]
fn the_last_byte_fits_into_any_other_version() {
    let room = LIMIT - NOTES.len() - kept("notes", "v1", "").len();
    let object = |length| page("v1beta1", &json!({}), &json!({ "notes": noise(length) }));
    let there = to("v1", &object(room));
    assert_eq!((size(&there.json), there.unrestored.is_empty()), (LIMIT, true));
    let there = to("v1", &object(room + 1));
    assert_eq!(
        annotations(&there.json),
        [(NOTES.to_owned(), tombstone("v1", LIMIT - NOTES.len() + 1))]
    );
    assert_eq!(there.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Oversized, 1)]);
}

/// What the user has too much of is the server's affair.
#[test]
fn annotations_without_a_carrier_are_left_to_the_server() {
    let many = json!({ "a": noise(LIMIT) });
    for (from, version) in [("v1", "v1beta1"), ("v1beta1", "v1")] {
        let there = to(version, &page(from, &many, &json!({ "title": "t" })));
        assert_eq!(size(&there.json), LIMIT + 1);
    }
    let error = refused("v1beta1", &page("v1", &many, &json!({ "history": "h" })));
    assert!(error.to_string().contains("`spec.history` of v1"), "{error}");
}

#[test]
fn kibibytes_in_each_direction() {
    for (kibibytes, fits) in [(250, true), (256, false), (300, false)] {
        let value = noise(kibibytes << 10);
        for (from, field) in [("v1alpha1", "owner"), ("v1", "history")] {
            let object = page(from, &json!({}), &json!({ field: value }));
            if fits {
                let stored = to("v1beta1", &object).json;
                assert_eq!(essence(&to(from, &stored).json), essence(&object));
            } else {
                assert!(refused("v1beta1", &object).size() > Some(kibibytes << 10));
            }
            // Not by way of the storage version, but through it.
            let other = if from == "v1" { "v1alpha1" } else { "v1" };
            assert_eq!(to(other, &object).unrestored.is_empty(), fits);
        }
        let stored = page("v1beta1", &json!({}), &json!({ "notes": value }));
        for other in ["v1alpha1", "v1"] {
            let there = to(other, &stored);
            assert_eq!(there.unrestored.is_empty(), fits);
            if fits {
                assert_eq!(essence(&to("v1beta1", &there.json).json), essence(&stored));
            } else {
                assert_eq!(annotation(&there.json, NOTES).map(|text| text.len() < 100), Some(true));
                refused("v1beta1", &there.json);
            }
        }
    }
}

/// The largest ones go, and no more than must.
#[test]
fn the_largest_entries_get_tombstones() {
    let stored = page(
        "v1beta1",
        &json!({ "a": noise(40_000) }),
        &json!({ "title": "t", "notes": noise(200_000), "links": noise(100_000) }),
    );
    let there = to("v1", &stored);
    let bytes = kept("notes", "v1", "").len() + 200_000;
    assert_eq!(annotation(&there.json, NOTES), Some(tombstone("v1", bytes)));
    assert_eq!(annotation(&there.json, LINKS), Some(kept("links", "v1", &noise(100_000))));
    assert_eq!(there.unrestored.count(UnrestoredReason::Oversized), 1);
    assert_eq!(to("v1", &stored).json, there.json);

    // A client may read it and not write it back, or else the notes would be gone.
    let error = refused("v1beta1", &there.json);
    assert_eq!((error.size(), error.entries().collect::<Vec<_>>()), (None, vec![(NOTES, bytes)]));
    assert_eq!(
        error.to_string(),
        format!(
            "can't convert Page `default/p` from v1 to v1beta1: it lacks kept values that didn't fit into its annotations: \
             `spec.notes` of v1beta1 ({bytes} bytes); change or delete it in v1beta1, where it is complete if it is stored in that version, \
             or create a new object without the annotations that say `tombstone`; if it is stored in the former storage version, make that \
             the storage version again first"
        )
    );
    // Who deletes it gives it up.
    let back = to("v1beta1", &without(&there.json, NOTES));
    let expected = page(
        "v1beta1",
        &json!({ "a": noise(40_000) }),
        &json!({ "title": "t", "links": noise(100_000) }),
    );
    assert_eq!(essence(&back.json), essence(&expected));
    assert!(back.unrestored.is_empty());
}

/// Of equal ones that with the first key.
#[test]
fn the_order_of_tombstones_is_that_of_the_keys() {
    let value = noise(150_000);
    for spec in [r#"{"notes":"N","links":"N"}"#, r#"{"links":"N","notes":"N"}"#] {
        let spec: Value = serde_json::from_str(&spec.replace('N', &value)).unwrap();
        let there = to("v1", &page("v1beta1", &json!({}), &spec)).json;
        let links = annotation(&there, LINKS).unwrap();
        assert!(links.contains("tombstone"), "{links:.60}");
        assert!(annotation(&there, NOTES).unwrap().contains("keep"));
    }
}

/// A tombstone of a value that the next version doesn't have either goes along, and no further than to the version that is stored.
#[test]
fn tombstones_go_along_between_versions_that_are_not_stored() {
    let stored = page(
        "v1beta1",
        &json!({ OWNER: kept("owner", "v1beta1", &noise(150_000)) }),
        &json!({ "notes": noise(140_000) }),
    );
    let newest = to("v1", &stored).json;
    assert!(annotation(&newest, OWNER).unwrap().contains("tombstone"), "the larger one");
    // The oldest one would get its owner back.
    assert_eq!(refused("v1alpha1", &newest).entries().next().unwrap().0, OWNER);
    assert_eq!(refused("v1beta1", &newest).entries().next().unwrap().0, OWNER);

    let oldest = to("v1alpha1", &page("v1beta1", &json!({}), &json!({ "notes": noise(270_000) })));
    assert!(annotation(&oldest.json, NOTES).unwrap().contains("tombstone"));
    // The way to the newest one leads through its home.
    assert_eq!(refused("v1", &oldest.json).entries().next().unwrap().0, NOTES);
}

/// The fields of a tombstone's home are complete where the object is in that version.
#[test]
fn a_tombstone_at_home_is_dropped() {
    let object = page(
        "v1",
        &json!({ "conversion.example.com/v1.spec.history": tombstone("v1beta1", 270_000) }),
        &json!({ "history": "h" }),
    );
    let there = to("v1beta1", &object);
    assert_eq!(there.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::AtHome, 1)]);
    assert_eq!(essence(&to("v1", &there.json).json), essence(&object));
}

/// No release writes one there, but clients may. All lists would fail with the object.
#[test]
fn a_tombstone_in_a_stored_object_stops_nobody() {
    for key in [NOTES, LINKS, OWNER, "conversion.example.com/v1.spec.history"] {
        for gone in [key.to_owned(), format!("{key}.gone")] {
            let stored =
                page("v1beta1", &json!({ gone: tombstone("v1", 9) }), &json!({ "title": "t" }));
            for version in ["v1alpha1", "v1"] {
                let there = to(version, &stored);
                assert_eq!(
                    there.unrestored.iter().map(|(_, count)| count).sum::<u32>(),
                    1,
                    "{key}"
                );
                assert_eq!(annotations(&there.json), []);
                to("v1beta1", &there.json);
            }
        }
    }
}

/// A rule that is gone may come back with another release, and it could restore nothing then.
#[test]
fn a_tombstone_of_an_unknown_rule_is_not_stored() {
    let key = "conversion.example.com/v1alpha1.spec.gone";
    let object = page("v1", &json!({ key: tombstone("v1beta1", 9) }), &json!({ "title": "t" }));
    for version in ["v1beta1", "v1alpha1"] {
        assert_eq!(refused(version, &object).entries().collect::<Vec<_>>(), [(key, 9)]);
    }
    let of_older = object.replace("v1alpha1.spec.gone", "v1alpha0.spec.gone");
    assert_eq!(annotations(&to("v1alpha1", &of_older).json).len(), 1);
    refused("v1beta1", &of_older);
}

/// The storage version changes: objects are read from both, and written to either.
#[test]
fn nothing_incomplete_goes_where_objects_may_be_stored() {
    let moving = resource().stored_in(&["v1", "v0"]);
    let large = page("v1beta1", &json!({}), &json!({ "notes": noise(270_000) }));
    let error = moving.convert(large.as_bytes(), "v1").unwrap_err();
    assert!(error.to_string().contains("270"), "{error}");
    assert!(!moving.convert(large.as_bytes(), "v1alpha1").unwrap().unrestored.is_empty());
}

const COMPLETE_IN: &str = "conversion.example.com/complete-in";

fn labels(object: &str) -> Value {
    let object: Value = serde_json::from_str(object).unwrap();
    object["metadata"]["labels"].clone()
}

/// Annotations of a user alone, with so many bytes.
fn filled(bytes: usize) -> Value {
    json!({ "a": noise(bytes - 1) })
}

/// Nobody's list fails because of what somebody else has put into annotations.
#[test]
fn users_annotations_that_leave_no_room_fail_no_read() {
    let spec = json!({ "title": "t", "notes": noise(1_000), "links": noise(10) });
    let mut seen = [0; 3];
    for bytes in (LIMIT - 1_400..=LIMIT).step_by(20).chain([LIMIT]) {
        let stored = page("v1beta1", &filled(bytes), &spec);
        for version in ["v1alpha1", "v1"] {
            let there = to(version, &stored);
            assert!(size(&there.json) <= LIMIT);
            let marked = labels(&there.json) == json!({ COMPLETE_IN: "v1beta1" });
            let tombstones = there.json.matches("tombstone").count();
            let carried = annotations(&there.json).len() - 1;
            assert_eq!(there.unrestored.is_empty(), !marked && tombstones == 0);
            if marked {
                seen[2] += 1;
                assert_eq!((carried, there.unrestored.count(UnrestoredReason::Oversized)), (0, 2));
            } else {
                seen[usize::from(tombstones > 0)] += 1;
                assert_eq!(carried, 2);
            }
            if there.unrestored.is_empty() {
                assert_eq!(essence(&to("v1beta1", &there.json).json), essence(&stored));
            } else {
                // It is never stored like this, and whoever reads it elsewhere sees that it isn't complete.
                refused("v1beta1", &there.json);
                let other = if version == "v1" { "v1alpha1" } else { "v1" };
                if marked {
                    assert_eq!(labels(&to(other, &there.json).json), labels(&there.json));
                }
            }
        }
    }
    assert!(seen.into_iter().all(|count| count > 5), "{seen:?}");
}

#[test]
fn the_label_says_where_an_object_is_complete() {
    let stored = page("v1beta1", &filled(LIMIT), &json!({ "notes": "n" }))
        .replace(r#""annotations""#, r#""labels":{"app":"p"},"annotations""#);
    let there = to("v1", &stored).json;
    assert_eq!(labels(&there), json!({ "app": "p", COMPLETE_IN: "v1beta1" }));
    let error = refused("v1beta1", &there);
    assert_eq!((error.size(), error.entries().count()), (None, 0));
    assert_eq!(
        error.to_string(),
        "can't convert Page `default/p` from v1 to v1beta1: it lacks kept values that didn't fit into its annotations, as \
         its label `conversion.example.com/complete-in` says; make its annotations smaller or delete it in v1beta1, where it is \
         complete if it is stored in that version, or create a new object without the label; if it is stored in the former storage \
         version, make that the storage version again first"
    );
    // Who makes a new one without it gives up what is missing.
    let mut copy: Value = serde_json::from_str(&there).unwrap();
    copy["metadata"]["labels"].as_object_mut().unwrap().remove(COMPLETE_IN);
    let copy = to("v1beta1", &copy.to_string());
    assert_eq!(labels(&copy.json), json!({ "app": "p" }));
    assert!(copy.unrestored.is_empty() && !copy.json.contains("notes"));
}

/// A label that somebody has given to a stored object stops no read of it.
#[test]
fn a_label_in_a_stored_object_stops_nobody_who_reads() {
    let labels = format!(r#""labels":{{"{COMPLETE_IN}":"v1"}},"annotations""#);
    let stored = page("v1beta1", &json!({}), &json!({ "notes": "n" }));
    let stored = stored.replace(r#""annotations""#, &labels);
    for version in ["v1alpha1", "v1"] {
        let there = to(version, &stored);
        assert!(there.unrestored.is_empty() && there.json.contains("keep"));
        refused("v1beta1", &there.json);
    }
    // Another value than a version's name says nothing at all.
    let there = to("v1", &stored.replace(r#":"v1"}"#, r#":"x"}"#)).json;
    to("v1beta1", &there);
}

/// A copy that was made before objects were stored in its version isn't stored without what it lacks.
#[test]
fn an_incomplete_copy_is_not_stored_while_the_storage_version_changes() {
    let stored = page("v1beta1", &filled(LIMIT), &json!({ "notes": "n" }));
    let copy = to("v1", &stored).json;
    let moving = resource().stored_in(&["v1"]);
    let error = moving.convert(copy.as_bytes(), "v1beta1").expect_err("it lacks the notes");
    assert!(error.to_string().contains(COMPLETE_IN), "{error}");
}

#[test]
fn an_export_has_no_label() {
    let stored = page("v1beta1", &filled(LIMIT), &json!({ "notes": "n" }));
    let there = to("v1", &stored).json;
    assert!(there.contains(COMPLETE_IN));
    let exported = resource().export(there.as_bytes()).unwrap();
    assert_eq!(labels(&exported), Value::Null);
    to("v1beta1", &exported);
}

fn tags(count: usize) -> Value {
    let tag =
        |at: usize| json!({ "name": format!("tag-{at}"), "color": format!("{:x}", at * 977) });
    json!({ "tags": (0..count).map(tag).collect::<Vec<_>>() })
}

/// The items of a list share an annotation, and so a tombstone.
#[test]
fn a_list_with_many_items() {
    let key = "conversion.example.com/v1alpha1.spec.tags.color";
    for count in [50, 200, 5_000, 15_000] {
        let object = page("v1alpha1", &json!({}), &tags(count));
        let stored = to("v1beta1", &object);
        assert!(stored.unrestored.is_empty());
        let text = annotation(&stored.json, key).unwrap();
        assert_eq!(text.contains("packed"), count > 50, "{text:.100}");
        assert!(text.len() < 5_000 + count * 12, "{} of {count}", text.len());
        assert_eq!(essence(&to("v1alpha1", &stored.json).json), essence(&object));
    }
    let error = refused("v1beta1", &page("v1alpha1", &json!({}), &tags(40_000)));
    assert_eq!(error.entries().map(|(key, _)| key).collect::<Vec<_>>(), [key]);
}

fn words(count: usize) -> String {
    let line = |at: usize| format!("{at} all work and no play makes a dull operator; ");
    (0..count).map(line).collect::<Vec<_>>().concat()
}

#[test]
fn what_packs_well_has_room() {
    let value = words(12_000);
    let object = page("v1alpha1", &json!({}), &json!({ "owner": value }));
    let stored = to("v1beta1", &object).json;
    let text = annotation(&stored, OWNER).unwrap();
    assert!(text.starts_with(r#"{"format":1,"peer":"v1beta1","packed":"H4sI"#), "{text:.80}");
    assert!(text.len() < value.len() / 8);
    assert_eq!(essence(&to("v1alpha1", &stored).json), essence(&object));
    // As any other version passes it on.
    let newest = to("v1", &stored).json;
    assert_eq!(annotation(&newest, OWNER), Some(text));
    assert_eq!(to("v1beta1", &newest).json, stored);
}

/// Packed or not, it is the same entry.
#[test]
fn entries_need_not_be_packed() {
    let value = words(300);
    let object = page("v1alpha1", &json!({}), &json!({ "owner": value }));
    let stored = to("v1beta1", &object).json;
    let plain = page("v1beta1", &json!({ OWNER: kept("owner", "v1beta1", &value) }), &json!({}));
    assert!(stored.contains("packed"));
    assert_eq!(essence(&to("v1alpha1", &plain).json), essence(&object));
}

#[test]
fn broken_packed_entries_are_dropped() {
    let value = words(300);
    let stored = to("v1beta1", &page("v1alpha1", &json!({}), &json!({ "owner": value }))).json;
    let text = annotation(&stored, OWNER).unwrap();
    for (broken, reason) in [
        (text.replace("H4sI", "H4sJ"), UnrestoredReason::Malformed),
        (text.replace("\"}", "A\"}"), UnrestoredReason::Malformed),
        (text.replace(",\"packed\"", ",\"keep\":{},\"packed\""), UnrestoredReason::Malformed),
        (text.replace(",\"packed\"", ",\"more\":{},\"packed\""), UnrestoredReason::Ignored),
    ] {
        assert!(broken != text, "{reason}");
        let back = to("v1alpha1", &page("v1beta1", &json!({ OWNER: broken }), &json!({})));
        assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(reason, 1)], "{broken:.80}");
    }
}

/// A file would lack what only the stored object has.
#[test]
fn the_command_line_prints_no_tombstones() {
    let object = page("v1beta1", &json!({}), &json!({ "notes": noise(270_000) }));
    let run = |args: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut object.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
        let code = Cli::new([resource()]).run_with(args, &mut streams);
        (code, String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
    };
    let (code, error) = run(&["page", "convert", "--to", "v1"]);
    assert_eq!(code, 1);
    assert_eq!(
        error,
        "error: the annotations of `default/p` have no room for the values that v1 can't express; `--export` converts it without any kept values\n"
    );
    let (code, exported) = run(&["page", "convert", "--to", "v1", "--export"]);
    assert_eq!((code, exported.contains("tombstone")), (0, false));
}

/// Lengths near what has room, alone and together.
fn lengths() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0), 1..6_000_usize, 60_000..140_000_usize, (LIMIT - 400)..(LIMIT + 400),]
}

fn texts() -> impl Strategy<Value = String> {
    (lengths(), any::<bool>()).prop_map(
        |(length, packs)| {
            if packs { words(length / 48) } else { noise(length) }
        },
    )
}

fn spec(version: &str, texts: &[String]) -> Value {
    let fields: &[&str] = match version {
        "v1alpha1" => &["title", "owner"],
        "v1beta1" => &["title", "notes", "links"],
        _ => &["title", "history"],
    };
    let fields = fields.iter().zip(texts).filter(|(_, text)| !text.is_empty());
    fields
        .map(|(name, text)| ((*name).to_owned(), json!(text)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 30, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn objects_of_any_size(
        (from, other) in (0..3_usize, 1..3_usize),
        texts in prop::collection::vec(texts(), 3),
        users in prop_oneof![Just(0), 1..100_000_usize],
    ) {
        let (from, version) = (VERSIONS[from], VERSIONS[(from + other) % 3]);
        let object = page(from, &json!({ "a": noise(users) }), &spec(from, &texts));
        let there = match resource().convert(object.as_bytes(), version) {
            Ok(there) => there,
            Err(ConversionError::Oversized(error)) if version == "v1beta1" => {
                prop_assert!(error.size().unwrap() > LIMIT && error.entries().count() > 0);
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        prop_assert!(size(&there.json) <= LIMIT);
        let tombstones = there.unrestored.count(UnrestoredReason::Oversized) as usize;
        prop_assert_eq!(there.json.matches("tombstone").count(), tombstones);
        match resource().convert(there.json.as_bytes(), from) {
            Ok(back) => {
                prop_assert_eq!(tombstones, 0);
                prop_assert!(back.unrestored.is_empty());
                prop_assert_eq!(essence(&back.json), essence(&object));
            }
            Err(ConversionError::Oversized(error)) => {
                prop_assert_eq!(error.entries().count(), tombstones);
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Whatever a version shows of a stored object, and a client writes back: the object stays as it was, or nothing is written.
    #[test]
    fn what_is_stored_stays_complete(
        at in 0..2_usize,
        texts in prop::collection::vec(texts(), 3),
        owner in 0..200_000_usize,
    ) {
        let carrier = json!({ OWNER: kept("owner", "v1beta1", &noise(owner)) });
        let stored = page("v1beta1", &carrier, &spec("v1beta1", &texts));
        let shown = to(["v1alpha1", "v1"][at], &stored);
        prop_assert!(size(&shown.json) <= LIMIT);
        match resource().convert(shown.json.as_bytes(), "v1beta1") {
            Ok(back) => {
                prop_assert_eq!(Tree::read(&back.json), Tree::read(&stored));
                prop_assert!(shown.unrestored.is_empty());
            }
            Err(error) => prop_assert!(!shown.unrestored.is_empty(), "{error}"),
        }
    }
}
