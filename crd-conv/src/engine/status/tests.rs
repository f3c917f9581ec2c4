use super::*;

const PREFIX: &str = "conversion.example.com/";
const ENTRY: &str = r#""conversion.example.com/v1.status.a":"1""#;
const OF_SPEC: &str = r#""conversion.example.com/v1.spec.a":"2""#;

const PLACES: Places<'static> =
    Places { prefix: PREFIX, from: Place::Status, to: Place::Status, trusted: false };

fn gathered(text: &str) -> (String, Aside, Unrestored) {
    let mut unrestored = Unrestored::default();
    let (text, aside) = super::gathered(text, PLACES, &mut unrestored).unwrap();
    (text, aside, unrestored)
}

fn is_left_alone(text: &str, places: Places<'_>) -> bool {
    let mut scanner = Scanner::new(text);
    let gathered = gather(&mut scanner, places, &mut Unrestored::default()).unwrap();
    gathered.is_none() && scanner.pos == 0
}

#[test]
fn entries_go_into_annotations_and_back() {
    for (rest, annotations) in [("", ""), (r#""b":1,"#, r#""c":"d""#), (r#""b":1,"#, OF_SPEC)] {
        let metadata = match annotations {
            "" => r#"{"name":"n"}"#.to_owned(),
            annotations => format!(r#"{{"name":"n","annotations":{{{annotations}}}}}"#),
        };
        let status = format!(r#"{{{rest}"conversionEntries":{{{ENTRY}}}}}"#);
        let object = format!(r#"{{"metadata":{metadata},"spec":{{}},"status":{status}}}"#);
        let (mut text, aside, unrestored) = gathered(&object);
        assert!(!text.contains(FIELD) && text.contains(ENTRY), "{text}");
        assert!(aside.is_empty() && unrestored.is_empty());
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        scatter(&mut text, 0, PLACES, &aside);
        assert_eq!(text, object);
    }
}

#[test]
fn what_everybody_may_write_is_set_aside() {
    let object = format!(r#"{{"metadata":{{"annotations":{{"e":"f",{ENTRY}}}}},"status":{{}}}}"#);
    let (mut text, aside, unrestored) = gathered(&object);
    assert_eq!(text, r#"{"metadata":{"annotations":{"e":"f"}},"status":{}}"#);
    assert_eq!(unrestored.count(UnrestoredReason::Ignored), 1);
    scatter(&mut text, 0, PLACES, &aside);
    assert_eq!(text, object);
    assert!(is_left_alone(&object, Places { trusted: true, ..PLACES }));
}

/// In the target version, annotations may count.
#[test]
fn what_is_set_aside_never_takes_the_place_of_what_is_kept() {
    let object = format!(r#"{{"metadata":{{"annotations":{{{ENTRY}}}}},"status":{{}}}}"#);
    let (_, aside, _) = gathered(&object);
    let kept = object.replace("\"1\"", "\"kept\"");
    let mut text = kept.clone();
    scatter(&mut text, 0, Places { to: Place::Annotations, ..PLACES }, &aside);
    assert_eq!(text, kept);
}

#[test]
fn without_a_status_they_stay_where_they_are() {
    let object = format!(r#"{{"metadata":{{"annotations":{{{ENTRY}}}}}}}"#);
    assert!(is_left_alone(&object, PLACES));
    let mut text = object.clone();
    scatter(&mut text, 0, PLACES, &Aside::new());
    assert_eq!(text, object);

    // But an entry that could create a status is set aside.
    let whole = object.replace(".status.a", ".status");
    let (text, aside) = super::gathered(&whole, PLACES, &mut Unrestored::default()).unwrap();
    assert_eq!((&*text, aside.len()), (r#"{"metadata":{}}"#, 1));
}

#[test]
fn a_version_without_a_status_has_one_for_them() {
    let places = Places { from: Place::OwnStatus, to: Place::OwnStatus, ..PLACES };
    let object = format!(r#"{{"metadata":{{}},"status":{{"conversionEntries":{{{ENTRY}}}}}}}"#);
    let (mut text, aside) = super::gathered(&object, places, &mut Unrestored::default()).unwrap();
    assert_eq!(text, format!(r#"{{"metadata":{{"annotations":{{{ENTRY}}}}}}}"#));
    scatter(&mut text, 0, places, &aside);
    assert_eq!(text, object);

    let object = format!(r#"{{"metadata":{{"annotations":{{{ENTRY}}}}}}}"#);
    let (text, aside) = super::gathered(&object, places, &mut Unrestored::default()).unwrap();
    assert_eq!((&*text, &*aside[0].1), (r#"{"metadata":{}}"#, ENTRY));
}

/// A client that may write the status must not be able to write everything else with it.
#[test]
fn only_what_is_about_the_status_comes_from_it() {
    for status in [
        format!(r#"{{"a":1,"conversionEntries":{{{OF_SPEC},"x":"y"}}}}"#),
        r#"{"conversionEntries":{"conversion.example.com/v1.status.a":7}}"#.to_owned(),
        r#"{"conversionEntries":"conversion.example.com/v1.status.a"}"#.to_owned(),
    ] {
        let object = format!(r#"{{"metadata":{{}},"status":{status}}}"#);
        assert!(is_left_alone(&object, PLACES), "{object}");
    }
    let status = format!(r#"{{"conversionEntries":{{{OF_SPEC},{ENTRY}}}}}"#);
    let (text, ..) = gathered(&format!(r#"{{"metadata":{{}},"status":{status}}}"#));
    assert_eq!(
        text,
        format!(
            r#"{{"metadata":{{"annotations":{{{ENTRY}}}}},"status":{{"conversionEntries":{{{OF_SPEC}}}}}}}"#
        )
    );
}

/// The CustomResourceDefinition's document can't be built with such a field.
#[test]
fn a_field_of_the_same_name_stays() {
    let object = format!(
        r#"{{"metadata":{{"annotations":{{{ENTRY}}}}},"status":{{"conversionEntries":[7]}}}}"#
    );
    let mut text = object.clone();
    scatter(&mut text, 0, PLACES, &Aside::new());
    assert_eq!(text, object);
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let status =
        format!(r#"{{"conversionEntries":{{{},{ENTRY}}}}}"#, ENTRY.replace("\"1\"", "\"0\""));
    let (text, _, unrestored) = gathered(&format!(r#"{{"metadata":{{}},"status":{status}}}"#));
    assert!(text.contains(ENTRY) && !text.contains("\"0\""), "{text}");
    assert_eq!(unrestored.count(UnrestoredReason::DuplicateKey), 1);
}

#[test]
fn an_export_has_none_of_them() {
    let mut text =
        format!(r#"{{"metadata":{{}},"status":{{"b":1,"conversionEntries":{{{ENTRY}}}}}}}"#);
    remove(&mut text, PREFIX);
    assert_eq!(text, r#"{"metadata":{},"status":{"b":1}}"#);
}

#[test]
fn what_is_about_the_status() {
    let about = |name: &str| is_about_status(&format!("{PREFIX}{name}"), PREFIX);
    for name in ["v1.status", "v1.status.a", "v1.status-0123456789abcdef"] {
        assert!(about(name), "{name}");
    }
    for name in ["v1.statuses", "v1.spec.status", "status.a", "v1"] {
        assert!(!about(name), "{name}");
    }
}
