//! Reviews as the API server sends them, and as nobody should.

use crd_conv::{ResourceType, Reviewed, Reviewer};
use crd_conv_tests::crontab::CronTab;
use crd_conv_tests::gadget::Gadget;
use crd_conv_tests::loose::Loose;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

const REVIEW_V1: &str = "apiextensions.k8s.io/v1";
const REVIEW_V1BETA1: &str = "apiextensions.k8s.io/v1beta1";

fn reviewer() -> Reviewer {
    Reviewer::new([ResourceType::of::<CronTab>(), ResourceType::of::<Gadget>()])
}

/// What the API server sends, with the stub of a response.
fn request(api_version: &str, desired: &str, objects: &str) -> String {
    format!(
        r#"{{"kind":"ConversionReview","apiVersion":"{api_version}","request":{{"uid":"u-1","desiredAPIVersion":"{desired}","objects":{objects}}},"response":{{"uid":"","convertedObjects":null,"result":{{"metadata":{{}}}}}}}}"#
    )
}

fn ask(desired: &str, objects: &str) -> Reviewed {
    let request = request(REVIEW_V1, desired, objects);
    reviewer().review(request.as_bytes()).expect("an answer")
}

fn parsed(answer: &Reviewed) -> Value {
    serde_json::from_str(&answer.body).expect("an answer is JSON")
}

/// The failure's message, of an answer that holds nothing else.
#[track_caller]
fn failure(answer: &Reviewed) -> String {
    let message = answer.failure.clone().expect("a failure");
    let expected = json!({
        "kind": "ConversionReview",
        "apiVersion": REVIEW_V1,
        "response": { "uid": "u-1", "result": { "status": "Failed", "message": message } },
    });
    assert_eq!(parsed(answer), expected);
    message
}

/// The objects of a successful answer.
#[track_caller]
fn objects(answer: &Reviewed) -> Vec<Value> {
    assert_eq!(answer.failure, None);
    let mut body = parsed(answer);
    let objects = body["response"]["convertedObjects"].take();
    let expected = json!({
        "kind": "ConversionReview",
        "apiVersion": REVIEW_V1,
        "response": { "uid": "u-1", "result": { "status": "Success" }, "convertedObjects": null },
    });
    assert_eq!(body, expected);
    serde_json::from_value(objects).expect("an array")
}

fn old(rest: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/v1beta1","kind":"CronTab"{rest}}}"#)
}

fn new(rest: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/v1","kind":"CronTab"{rest}}}"#)
}

#[test]
fn both_versions_of_the_review_are_answered_in_their_own() {
    for api_version in [REVIEW_V1, REVIEW_V1BETA1] {
        for objects in ["[]", &format!("[{}]", old(""))] {
            let request = request(api_version, "example.com/v1", objects);
            let answer = parsed(&reviewer().review(request.as_bytes()).expect("an answer"));
            assert_eq!(answer["apiVersion"], api_version);
            assert_eq!(answer["response"]["uid"], "u-1");
            assert_eq!(answer["response"]["result"]["status"], "Success");
        }
    }
}

#[test]
fn what_has_nothing_to_convert_succeeds() {
    for (object, expected) in [
        (old(""), new(r#","metadata":{}"#)),
        (old(r#","metadata":null"#), new(r#","metadata":{}"#)),
        (old(r#","metadata":{"name":"a"}"#), new(r#","metadata":{"name":"a"}"#)),
        (old(r#","metadata":{},"hostPort":null"#), new(r#","metadata":{}"#)),
        (old(r#","hostPort":"h:1""#), new(r#","host":"h","port":"1","metadata":{}"#)),
        (
            new(r#","metadata":{"name":"a"},"x": 1.10"#),
            new(r#","metadata":{"name":"a"},"x": 1.10"#),
        ),
        (new(""), new(r#","metadata":{}"#)),
    ] {
        let answer = ask("example.com/v1", &format!("[{object}]"));
        assert!(
            answer.body.contains(&format!("\"convertedObjects\":[{expected}]")),
            "{object} {}",
            answer.body
        );
        assert_eq!(objects(&answer).len(), 1);
    }
    for none in ["[]", "null", " [ ] "] {
        assert_eq!(objects(&ask("example.com/v1", none)), [] as [Value; 0]);
    }
    let missing = request(REVIEW_V1, "example.com/v1", "[]").replace(r#","objects":[]"#, "");
    assert!(!missing.contains("objects\""), "{missing}");
    assert_eq!(
        objects(&reviewer().review(missing.as_bytes()).expect("an answer")),
        [] as [Value; 0]
    );
}

#[test]
fn a_refused_object_fails_the_whole_review() {
    let named = r#","metadata":{"name":"a","namespace":"n"}"#;
    let refused = |rest: &str| old(&format!("{named}{rest}"));
    let other = |from: &str, to: &str| {
        let object = refused(r#","hostPort":"h:1""#);
        assert!(object.contains(from));
        object.replace(from, to)
    };
    for (object, expected) in [
        (
            refused(r#","hostPort":"nonsense""#),
            "can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: expected `host:port`",
        ),
        (
            refused(r#","hostPort":"panic""#),
            "can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: panicked: no such host",
        ),
        (
            refused(r#","hostPort":7"#),
            "can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: invalid type: integer `7`, expected a string",
        ),
        (
            other("example.com", "example.org"),
            "can't convert `n/a`: this webhook doesn't serve that kind in that group (it is example.org/v1beta1 CronTab)",
        ),
        (
            other("CronTab", "Other"),
            "can't convert `n/a`: this webhook doesn't serve that kind in that group (it is example.com/v1beta1 Other)",
        ),
        (
            other("v1beta1", "v9"),
            "can't convert `n/a`: `example.com` has CronTab in v1beta1, v1, not in `v9` (it is example.com/v9 CronTab)",
        ),
        (
            other(r#""apiVersion":"example.com/v1beta1","#, ""),
            "can't convert `n/a`: it has no `apiVersion`",
        ),
        (other(r#""kind":"CronTab","#, ""), "can't convert `n/a`: it has no `kind`"),
    ] {
        let good = old(r#","metadata":{"name":"good"},"hostPort":"h:1""#);
        for place in [0, 1, 399, 499] {
            let mut all = vec![good.as_str(); if place < 2 { 3 } else { 500 }];
            all[place] = &object;
            let answer = ask("example.com/v1", &format!("[{}]", all.join(",")));
            assert_eq!(failure(&answer), format!("object {}: {expected}", place + 1));
        }
    }
}

#[test]
fn an_unknown_desired_version_is_refused_by_name() {
    let object = old(r#","metadata":{"name":"a"},"hostPort":"h:1""#);
    for (desired, expected) in [
        ("example.com/v9", "`example.com` has CronTab in v1beta1, v1, not in `v9`"),
        ("example.org/v1", "`example.org/v1` is in another group"),
        ("v1", "`v1` is in another group"),
        ("", "`` is in another group"),
    ] {
        let message = failure(&ask(desired, &format!("[{object}]")));
        assert!(message.contains(expected), "{message}");
    }
    let without = request(REVIEW_V1, "x", "[]").replace(r#""desiredAPIVersion":"x","#, "");
    let answer = reviewer().review(without.as_bytes()).expect("an answer");
    assert_eq!(failure(&answer), "the request has no `desiredAPIVersion`");
}

#[test]
fn what_cannot_be_answered_is_one_sentence() {
    let request = request(REVIEW_V1, "example.com/v1", "[]");
    let change = |from: &str, to: &str| {
        assert!(request.contains(from), "{from}");
        request.replacen(from, to, 1)
    };
    for text in [
        change(r#""uid":"u-1","#, ""),
        change(r#""uid":"u-1""#, r#""uid":"""#),
        change(r#""uid":"u-1""#, r#""uid":7"#),
        change(r#""request""#, r#""demand""#),
        change(r#""kind":"ConversionReview","#, ""),
        change("ConversionReview", "AdmissionReview"),
        change("k8s.io/v1", "k8s.io/v2"),
        change(r#""apiVersion":"apiextensions.k8s.io/v1","#, ""),
        String::new(),
        " ".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "nonsense".to_owned(),
        "[".repeat(20_000),
        format!("{{\"a\":{}", "{\"a\":".repeat(20_000)),
    ] {
        let error = reviewer().review(text.as_bytes()).expect_err("no answer").to_string();
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }
}

#[test]
fn what_is_broken_behind_the_uid_is_a_failed_review() {
    let good = request(REVIEW_V1, "example.com/v1", &format!("[{}]", old("")));
    let deep = "[".repeat(20_000) + &"]".repeat(20_000);
    for (text, expected) in [
        (good.clone() + "x", "unexpected text after the value"),
        (good.clone() + &good, "unexpected text after the value"),
        (
            request(REVIEW_V1, "example.com/v1", &format!("[{}]", old(&format!(r#","x":{deep}"#)))),
            "more than 10000 levels",
        ),
        (request(REVIEW_V1, "example.com/v1", &deep), "expected an object"),
        (request(REVIEW_V1, "example.com/v1", "{}"), "expected an array"),
        (request(REVIEW_V1, "example.com/v1", "[null]"), "expected an object"),
        (request(REVIEW_V1, "example.com/v1", &format!("[{},]", old(""))), "expected an object"),
        (request(REVIEW_V1, "example.com/v1", "[,]"), "expected an object"),
    ] {
        let answer = reviewer().review(text.as_bytes()).expect("an answer");
        let message = failure(&answer);
        assert!(message.contains(expected), "{message}");
    }
    let uid = good.find("u-1").expect("a uid");
    for place in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[place] = 0xFF;
        match reviewer().review(&bytes) {
            Ok(answer) => {
                assert!(place > uid + 3, "{place}");
                assert_eq!(
                    failure(&answer),
                    format!("the request isn't UTF-8 from byte {place} on")
                );
            }
            Err(error) => {
                assert!(place <= uid + 3, "{place}");
                assert_eq!(
                    error.to_string(),
                    format!("the request isn't UTF-8 from byte {place} on")
                );
            }
        }
    }
}

#[test]
fn a_truncated_review_is_never_a_success() {
    let object = old(r#","metadata":{"name":"\u00fc"},"hostPort":"h:1","x":[1.5e3,true,null]"#);
    let good = request(REVIEW_V1, "example.com/v1", &format!("[{object}]"));
    assert_eq!(objects(&reviewer().review(good.as_bytes()).expect("an answer")).len(), 1);
    let uid_ends = good.find("u-1").expect("a uid") + 4;
    for end in 0..good.len() {
        match reviewer().review(&good.as_bytes()[..end]) {
            Ok(answer) => {
                assert!(end >= uid_ends, "{end}");
                failure(&answer);
            }
            Err(_) => assert!(end < uid_ends, "{end}"),
        }
    }
}

#[test]
fn a_field_of_the_review_given_twice_is_refused() {
    let good = request(REVIEW_V1, "example.com/v1", "[]");
    for (field, value) in [
        ("uid", r#""u-1""#),
        ("desiredAPIVersion", r#""example.com/v1""#),
        ("objects", "[]"),
        ("objects", "null"),
    ] {
        let twice = good.replace(r#""request":{"#, &format!(r#""request":{{"{field}":{value},"#));
        let answer = reviewer().review(twice.as_bytes()).expect("an answer");
        assert_eq!(failure(&answer), format!("the request has `{field}` twice"));
    }
    for (field, value) in [
        ("kind", r#""ConversionReview""#),
        ("apiVersion", r#""apiextensions.k8s.io/v1""#),
        ("request", "{}"),
    ] {
        let twice = format!("{},\"{field}\":{value}}}", &good[..good.len() - 1]);
        let answer = reviewer().review(twice.as_bytes()).expect("an answer");
        assert_eq!(failure(&answer), format!("the request has `{field}` twice"));
    }
}

#[test]
fn several_source_versions_and_kinds_keep_their_order() {
    let gadget = r#"{"apiVersion":"example.com/v1alpha1","kind":"Gadget","metadata":{"name":"2"},"spec":{"cronSpec":"x"}}"#;
    let all = [
        old(r#","metadata":{"name":"0"},"hostPort":"a:0""#),
        new(r#","metadata":{"name":"1"},"host":"b""#),
        gadget.to_owned(),
        old(r#","metadata":{"name":"3"},"hostPort":"c:3""#),
    ];
    let answer = objects(&ask("example.com/v1", &format!("[{}]", all.join(" , "))));
    let names: Vec<_> =
        answer.iter().map(|object| object["metadata"]["name"].as_str().unwrap_or("")).collect();
    assert_eq!(names, ["0", "1", "2", "3"]);
    assert!(answer.iter().all(|object| object["apiVersion"] == "example.com/v1"));
    assert_eq!(
        answer[1],
        json!({ "apiVersion": "example.com/v1", "kind": "CronTab", "metadata": { "name": "1" }, "host": "b" })
    );
    assert_eq!(
        (&answer[2]["kind"], &answer[2]["spec"]["schedule"]),
        (&json!("Gadget"), &json!("x"))
    );
    assert_eq!((&answer[3]["host"], &answer[3]["port"]), (&json!("c"), &json!("3")));
}

fn crontab(name: usize, fields: &[(&'static str, String)]) -> Loose {
    let mut metadata = vec![("name".to_owned(), Loose::text(&name.to_string()))];
    if name.is_multiple_of(2) {
        let annotations = Loose::object([("a/b", Loose::text("c")), ("d", Loose::text("}"))]);
        metadata.push(("annotations".to_owned(), annotations));
    }
    let mut members = vec![
        ("apiVersion".to_owned(), Loose::text("example.com/v1beta1")),
        ("kind".to_owned(), Loose::text("CronTab")),
        ("metadata".to_owned(), Loose::Object(metadata)),
    ];
    members.extend(
        fields.iter().map(|(name, value)| ((*name).to_owned(), Loose::Plain(value.clone()))),
    );
    Loose::Object(members)
}

fn fields() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let value =
        select(vec!["\"h:1\"", "\"h:p: 2\"", "null", "\"\\u0068:\""]).prop_map(str::to_owned);
    let other = select(vec!["1.5", "{}", "[]", "[ {\"a\" : \"}\"} , null ]", "\"\\\\\"", "true"])
        .prop_map(str::to_owned);
    let field = |name: &'static str, value: BoxedStrategy<String>| {
        prop::option::of(value.prop_map(move |value| (name, value)))
    };
    (
        field("hostPort", value.boxed()),
        field("host", other.clone().boxed()),
        field("x", other.clone().boxed()),
        field("y", other.boxed()),
    )
        .prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect())
}

fn loose_review(objects: &[Vec<(&'static str, String)>], desired: &str, seed: &[usize]) -> String {
    let mut place = 0;
    let mut next = || {
        place += 1;
        seed[place % seed.len()].wrapping_add(place / seed.len())
    };
    let objects = objects.iter().enumerate().map(|(name, fields)| crontab(name, fields)).collect();
    let stub = Loose::object([
        ("uid", Loose::text("")),
        ("convertedObjects", Loose::Plain("null".to_owned())),
        ("result", Loose::object([("metadata", Loose::object([]))])),
    ]);
    let mut review = Loose::object([
        ("apiVersion", Loose::text(REVIEW_V1)),
        ("kind", Loose::text("ConversionReview")),
        (
            "request",
            Loose::object([
                ("uid", Loose::text("u-1")),
                ("desiredAPIVersion", Loose::text(desired)),
                ("objects", Loose::List(objects)),
            ]),
        ),
        ("response", stub),
    ]);
    review.shuffle(&mut next);
    let mut text = String::new();
    review.write(&mut next, &mut text);
    text
}

/// What an object must become, by way of a tree: nothing of the engine is asked.
fn by_hand(object: &mut Value) {
    let members = object.as_object_mut().expect("an object");
    members.insert("apiVersion".to_owned(), json!("example.com/v1"));
    let kept = members.remove("host");
    if let Some(Value::String(host_port)) = members.remove("hostPort") {
        let (host, port) = host_port.rsplit_once(':').expect("host:port");
        members.insert("host".to_owned(), json!(host));
        members.insert("port".to_owned(), json!(port));
    }
    if let Some(kept) = kept {
        let entry = json!({ "format": 1, "peer": "v1", "keep": { "host": kept } });
        members["metadata"]["annotations"]["conversion.example.com/v1beta1.host"] = entry;
    }
}

/// Entries as the JSON that they hold.
fn open_entries(object: &mut Value) {
    if let Some(annotations) =
        object["metadata"].get_mut("annotations").and_then(Value::as_object_mut)
    {
        for (key, value) in annotations {
            if key.starts_with("conversion.") {
                *value = serde_json::from_str(value.as_str().expect("a text")).expect("an entry");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Fields in any order, white space and escapes anywhere: what a tree gives is what the engine gives.
    #[test]
    fn any_spelling_of_a_review_means_the_same(
        objects_in in prop::collection::vec(fields(), 0..4),
        seed in prop::collection::vec(any::<usize>(), 64),
    ) {
        let text = loose_review(&objects_in, "example.com/v1", &seed);
        let mut expected = serde_json::from_str::<Value>(&text).expect("the premise")["request"]["objects"].take();
        expected.as_array_mut().expect("objects").iter_mut().for_each(by_hand);
        let answer = reviewer().review(text.as_bytes()).expect("an answer");
        let mut found = objects(&answer);
        found.iter_mut().for_each(open_entries);
        prop_assert_eq!(Value::Array(found), expected, "{}", text);

        let converted = parsed(&answer)["response"]["convertedObjects"].to_string();
        let back = ask("example.com/v1beta1", &converted);
        let original = serde_json::from_str::<Value>(&text).expect("the premise")["request"]["objects"].take();
        let mut original: Vec<Value> = serde_json::from_value(original).expect("objects");
        for object in &mut original {
            let members = object.as_object_mut().expect("an object");
            members.retain(|name, value| name != "hostPort" || !value.is_null());
        }
        let mut found = objects(&back);
        for object in &mut found {
            // Annotations that were only there for an entry stay away with it, and so does an empty map.
            prop_assert!(!object.to_string().contains("conversion."), "{}", object);
        }
        prop_assert_eq!(found, original);
    }

    /// Cut anywhere and with any byte changed, a review is an answer or an error and never a panic; what is no
    /// JSON is never a success.
    #[test]
    fn no_damage_makes_it_panic(
        objects_in in prop::collection::vec(fields(), 0..3),
        seed in prop::collection::vec(any::<usize>(), 64),
        cut in any::<prop::sample::Index>(),
        change in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
    ) {
        let mut bytes = loose_review(&objects_in, "example.com/v1", &seed).into_bytes();
        if let Some((place, byte)) = change {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        } else {
            bytes.truncate(cut.index(bytes.len()));
        }
        let sound = std::str::from_utf8(&bytes).is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok());
        match reviewer().review(&bytes) {
            Ok(answer) => {
                prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&answer.body).is_ok(), "{}", answer.body);
                prop_assert!(sound || answer.failure.is_some());
                if answer.failure.is_some() {
                    prop_assert!(!answer.body.contains("convertedObjects"));
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
