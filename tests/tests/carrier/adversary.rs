//! Objects that nobody but an adversary writes: the conversion neither fails nor does harm.

use std::fmt;

use crd_conv::testing::{Tree, members};
use crd_conv::{ResourceType, Reviewer, UnrestoredReason, Versioned};
use crd_conv_tests::gadget::Gadget;

/// How deep the API server's decoder reads.
const DEPTH: usize = 10_000;

fn gadget(version: &str, rest: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/{version}","kind":"Gadget"{rest}}}"#)
}

fn annotated(version: &str, annotations: &[(&str, &str)], rest: &str) -> String {
    let annotations: Vec<String> = annotations
        .iter()
        .map(|(key, value)| {
            format!("\"conversion.example.com/{key}\":{}", serde_json::json!(value))
        })
        .collect();
    let metadata = format!(r#","metadata":{{"annotations":{{{}}}}}"#, annotations.join(","));
    gadget(version, &(metadata + rest))
}

/// How deep a text nests, without what stands in its strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn review(objects: &str, desired: &str) -> String {
    format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{{"uid":"1","desiredAPIVersion":"example.com/{desired}","objects":[{objects}]}}}}"#
    )
}

#[test]
fn an_entry_cannot_make_an_object_too_deep_to_read() {
    let reviewer = Reviewer::new([ResourceType::of::<Gadget>()]);
    for levels in [DEPTH - 2, DEPTH - 3, DEPTH - 4, DEPTH - 5, DEPTH - 6, DEPTH - 7] {
        let deep = "[".repeat(levels) + &"]".repeat(levels);
        let entry = format!(r#"{{"format":1,"peer":"v1beta1","keep":{{"host":{deep}}}}}"#);
        // What it restores is an unknown field, which rides on to the next version.
        for to in ["v1alpha1", "v1beta1"] {
            let object =
                annotated("v1", &[("v1alpha1.spec.host", &entry)], r#","spec":{"host":"unknown"}"#);
            let answer = reviewer.review(review(&object, to).as_bytes()).expect("an answer");
            assert_eq!(answer.failure, None, "{levels}");
            assert!(depth(&answer.body) <= DEPTH, "{levels} {to}");
        }
        let entry = entry.replace("host", "legacy");
        let object = annotated("v1beta1", &[("v1.spec.legacy", &entry)], r#","spec":{}"#);
        let answer = reviewer.review(review(&object, "v1").as_bytes()).expect("an answer");
        assert_eq!(answer.failure, None, "{levels}");
        assert!(depth(&answer.body) <= DEPTH, "{levels}");
    }
}

#[test]
fn what_is_as_deep_as_a_review_allows_comes_back() {
    let reviewer = Reviewer::new([ResourceType::of::<Gadget>()]);
    // Five levels are around the value: the review, its request, the objects, the object and `spec`.
    let deep = "[".repeat(DEPTH - 5) + &"]".repeat(DEPTH - 5);
    let object = gadget("v1alpha1", &format!(r#","metadata":{{}},"spec":{{"host":{deep}}}"#));
    let there = reviewer.review(review(&object, "v1").as_bytes()).expect("an answer");
    assert_eq!(there.failure, None);
    let objects = |body: &str| {
        let start = body.find("\"convertedObjects\":[").expect("objects") + 20;
        body[start..body.rfind("],\"result\"").expect("a result")].to_owned()
    };
    let there = objects(&there.body);
    assert!(there.contains("conversion.example.com/v1alpha1.spec.host"));
    let back = reviewer.review(review(&there, "v1alpha1").as_bytes()).expect("an answer");
    assert_eq!((back.failure, back.unrestored.is_empty()), (None, true));
    assert!(objects(&back.body).contains(&format!("\"host\":{deep}")));
}

/// The API server reads the last of equal keys, and finding out would mean to read each object twice.
#[test]
fn a_repeated_identity_is_refused() {
    let resource = ResourceType::of::<Gadget>();
    for (object, field) in [
        (gadget("v1alpha1", r#","apiVersion":"example.com/v1beta1","spec":{}"#), "apiVersion"),
        (gadget("v1alpha1", r#","spec":{},"k\u0069nd":"Other""#), "kind"),
    ] {
        for to in ["v1alpha1", "v1beta1", "v1"] {
            let error = resource.convert(object.as_bytes(), to).unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{field}`: the object has this field twice")),
                "{error}"
            );
        }
    }
}

#[test]
fn an_entry_is_written_once_whatever_has_its_key() {
    let resource = ResourceType::of::<Gadget>();
    let key = "v1beta1.spec.suspend";
    for theirs in [r#"{"format":2}"#, "nonsense", r#"{"format":1,"peer":"v1","keep":{}}"#] {
        let object =
            annotated("v1beta1", &[(key, theirs), (key, theirs)], r#","spec":{"suspend":true}"#);
        let there = resource.convert(object.as_bytes(), "v1").unwrap().json;
        assert_eq!(there.matches(key).count(), 1, "{there}");
        let back = resource.convert(there.as_bytes(), "v1beta1").unwrap().json;
        assert!(back.contains(r#""suspend":true"#), "{back}");
    }
}

#[test]
fn annotations_that_are_no_strings_are_left_alone_or_taken_over() {
    let resource = ResourceType::of::<Gadget>();
    for value in ["null", "7", "{}", "[\"}\"]"] {
        let metadata = format!(
            r#","metadata":{{"annotations":{{"conversion.example.com/v1beta1.spec.suspend":{value}}}}}"#
        );
        let bare = gadget("v1alpha1", &format!(r#"{metadata},"spec":{{}}"#));
        let there = resource.convert(bare.as_bytes(), "v1beta1").unwrap().json;
        let annotations = members(members(&there)["metadata"])["annotations"];
        assert_eq!(members(annotations)["conversion.example.com/v1beta1.spec.suspend"], value);

        let lossy = gadget("v1beta1", &format!(r#"{metadata},"spec":{{"suspend":true}}"#));
        let there = resource.convert(lossy.as_bytes(), "v1").unwrap().json;
        let back = resource.convert(there.as_bytes(), "v1beta1").unwrap().json;
        assert!(back.contains(r#""suspend":true"#), "{back}");
    }
}

#[test]
fn a_repeated_key_costs_no_more_than_another() {
    let object = gadget("v1beta1", &r#","spec":{"limits":{}}"#.repeat(200_000));
    let converted = ResourceType::of::<Gadget>().convert(object.as_bytes(), "v1").unwrap();
    assert_eq!(converted.unrestored.count(UnrestoredReason::DuplicateKey), 199_999);
    assert_eq!(converted.json.matches("spec").count(), 1);
}

#[test]
fn an_export_has_no_carrier_even_where_it_would_not_count() {
    let carrier = r#"{"annotations":{"conversion.example.com/v1.spec.x":"kept","a":"b"}}"#;
    let object = gadget("v1", &format!(r#","metadata":{carrier},"metadata":{carrier}"#));
    let exported = ResourceType::of::<Gadget>().export(object.as_bytes()).unwrap();
    assert_eq!(exported, gadget("v1", r#","metadata":{"annotations":{"a":"b"}}"#));
}

/// `load` has a default in the schema, and there is none in `v1alpha1`.
#[test]
fn what_the_api_server_fills_in_is_not_taken_for_an_edit() {
    let resource = ResourceType::of::<Gadget>();
    let there = resource.convert(gadget("v1alpha1", r#","spec":{}"#).as_bytes(), "v1beta1");
    let there = there.unwrap().json;
    assert!(there.contains(r#""load":0"#), "{there}");
    let left_out = there.replace(r#""load":0,"#, "");
    assert_ne!(left_out, there);
    for there in [there, left_out] {
        let back = resource.convert(there.as_bytes(), "v1alpha1").unwrap().json;
        assert!(!back.contains(r#""weight""#), "{back}");
    }
}

#[test]
fn what_the_api_server_writes_otherwise_is_not_taken_for_an_edit() {
    let resource = ResourceType::of::<Gadget>();
    let entry = r#"{"format":1,"peer":"v1alpha1","keep":{"load":-0.0},"guard":{"weight":"-0","unit":"kg"}}"#;
    let spec = r#","spec":{"weight":"-0","unit":"kg"}"#;
    let object = annotated("v1alpha1", &[("v1beta1.spec.load", entry)], spec);
    let there = resource.convert(object.as_bytes(), "v1beta1").unwrap().json;
    assert!(there.contains(r#""load":-0.0"#), "{there}");
    let back = there.replace(r#""load":-0.0"#, r#""load":0"#);
    let back = resource.convert(back.as_bytes(), "v1alpha1").unwrap().json;
    assert!(back.contains(r#""weight":"-0""#), "{back}");
}

#[test]
fn only_an_entry_whose_guard_can_be_checked_and_of_the_fields_kind_is_restored() {
    let resource = ResourceType::of::<Gadget>();
    let entry = |peer: &str, keep: &str, guard: &str| {
        format!(r#"{{"format":1,"peer":"{peer}","keep":{keep}{guard}}}"#)
    };
    let guard = r#","guard":{"mode":7}"#;
    for (key, entry, restored, reason) in [
        ("v1alpha1.spec.owner", entry("v1beta1", r#"{"owner":"me"}"#, ""), true, None),
        // Of a release that hadn't the version between the two.
        ("v1alpha1.spec.owner", entry("v1", r#"{"owner":"me"}"#, ""), true, None),
        ("v1alpha1.spec.owner", entry("v9", r#"{"owner":"me"}"#, ""), true, None),
        (
            "v1alpha1.spec.owner",
            entry("v9", r#"{"owner":["me"]}"#, ""),
            false,
            Some(UnrestoredReason::Ignored),
        ),
        (
            "v1alpha1.spec.owner",
            entry("v1beta1", r#"{"owner":["me"]}"#, ""),
            false,
            Some(UnrestoredReason::Mistyped),
        ),
        ("v1alpha1.spec.mode", entry("v1beta1", r#"{"mode":"me"}"#, guard), true, None),
        (
            "v1alpha1.spec.mode",
            entry("v1", r#"{"mode":"me"}"#, guard),
            false,
            Some(UnrestoredReason::Ignored),
        ),
        (
            "v1alpha1.spec.mode",
            entry("v1beta1", r#"{"mode":["me"]}"#, guard),
            false,
            Some(UnrestoredReason::Mistyped),
        ),
        (
            "v1beta1.spec.mode",
            entry("v1alpha1", r#"{"mode":8}"#, guard),
            false,
            Some(UnrestoredReason::AtHome),
        ),
    ] {
        let object = annotated("v1beta1", &[(key, &entry)], r#","spec":{"mode":7}"#);
        let converted = resource.convert(object.as_bytes(), "v1alpha1").unwrap();
        assert_eq!(
            members(members(&converted.json)["spec"]).values().any(|value| *value == "\"me\""),
            restored,
            "{entry}"
        );
        assert_eq!(converted.unrestored.iter().next().map(|(reason, _)| reason), reason, "{entry}");
        assert_eq!(
            converted.json.contains(key),
            reason == Some(UnrestoredReason::Ignored),
            "{}",
            converted.json
        );
    }
}

/// What one release writes every later one looks for: the key is the path of the field at home.
#[test]
fn a_field_in_a_struct_has_its_whole_path_in_the_key() {
    let object = gadget("v1alpha1", r#","metadata":{},"spec":{"limits":{"burst":5}}"#);
    let there = ResourceType::of::<Gadget>().convert(object.as_bytes(), "v1").unwrap().json;
    assert!(there.contains(r#""conversion.example.com/v1alpha1.spec.limits.burst":"#), "{there}");
}

mod hostile {
    use super::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    mod text {
        use super::*;

        pub(super) fn serialize<S: Serializer>(value: &str, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(value)
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
            String::deserialize(from)
        }
    }

    pub(super) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            old: String,
            #[serde(with = "super::text")]
            #[schemars(with = "String")]
            word: String,
        }
    }

    pub(super) mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Spec)]
        pub(crate) struct Spec {
            #[versioned(renamed_from = old, with(upgrade = super::refuse, downgrade = super::refuse))]
            new: String,
            #[serde(with = "super::text")]
            #[schemars(with = "String")]
            #[versioned(with(upgrade = super::twice, downgrade = super::twice))]
            word: String,
        }
    }

    #[derive(Debug)]
    pub(super) struct Bomb;

    impl fmt::Display for Bomb {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("no words")
        }
    }

    impl std::error::Error for Bomb {}

    fn refuse(_: String) -> Result<String, Bomb> {
        Err(Bomb)
    }

    fn twice(mut word: String) -> String {
        let again = word.clone();
        word.push_str(&again);
        word
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "bombs", scope = "Cluster"))]
    #[allow(dead_code, reason = "a declaration")]
    pub(super) enum Bombs {
        #[versioned(storage)]
        V1 {
            spec: v1::Spec,
        },
        V2 {
            spec: v2::Spec,
        },
    }
}

#[test]
fn an_error_that_panics_when_it_is_shown_is_a_failed_review() {
    let object = r#"{"apiVersion":"example.com/v1","kind":"Bombs","metadata":{"name":"a"},"spec":{"old":"x"}}"#;
    let reviewer = Reviewer::new([ResourceType::of::<hostile::Bombs>()]);
    let answer = reviewer.review(review(object, "v2").as_bytes()).expect("an answer");
    let failure = answer.failure.expect("a failure");
    assert!(failure.contains("`spec.old`: panicked: no words"), "{failure}");
}

#[test]
fn half_a_surrogate_pair_reaches_a_codec_as_the_api_server_would_read_it() {
    let object =
        r#"{"apiVersion":"example.com/v1","kind":"Bombs","metadata":{},"spec":{"word":"\udc00"}}"#;
    let resource = ResourceType::of::<hostile::Bombs>();
    let there = resource.convert(object.as_bytes(), "v2").unwrap().json;
    assert!(there.contains("\"word\":\"\u{fffd}\u{fffd}\""), "{there}");
    assert_eq!(
        Tree::read(&resource.convert(there.as_bytes(), "v1").unwrap().json),
        Tree::read(object)
    );
}
