//! Reviews through the program: what it prints, where, and with what exit code.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// The documentation's review.
const REVIEW: &str = include_str!("../review.json");
const UID: &str = "705ab4f5-6393-11e8-b7cc-42010a800002";

fn review(request: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crontab"))
        .arg("review")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(request).expect("the program reads everything");
    child.wait_with_output().expect("the program ends")
}

/// The review that was printed, with nothing on standard error and exit code 0.
#[track_caller]
fn printed(request: &[u8]) -> (String, Value) {
    let Output { status, stdout, stderr } = review(request);
    assert_eq!((status.code(), String::from_utf8_lossy(&stderr).as_ref()), (Some(0), ""));
    let text = String::from_utf8(stdout).expect("UTF-8");
    assert!(text.ends_with('\n') && text.lines().count() > 0, "{text}");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["kind"], "ConversionReview");
    assert_eq!(value["response"]["uid"], UID);
    (text, value)
}

/// The message of a failed review that holds nothing else.
#[track_caller]
fn failed(request: &[u8]) -> String {
    let (_, answer) = printed(request);
    let message = answer["response"]["result"]["message"].as_str().expect("a message").to_owned();
    let expected = json!({ "uid": UID, "result": { "status": "Failed", "message": message } });
    assert_eq!(answer["response"], expected);
    message
}

/// The objects of a successful review.
#[track_caller]
fn converted(request: &[u8]) -> Vec<Value> {
    let (_, mut answer) = printed(request);
    assert_eq!(answer["response"]["result"], json!({ "status": "Success" }));
    serde_json::from_value(answer["response"]["convertedObjects"].take()).expect("an array")
}

/// One sentence on standard error, nothing on standard output, and exit code 1.
#[track_caller]
fn refused(request: &[u8]) -> String {
    let Output { status, stdout, stderr } = review(request);
    let text = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!((status.code(), stdout.len()), (Some(1), 0), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text.strip_prefix("error: ").expect("an error").trim_end().to_owned()
}

/// The documentation's review with a part of it changed.
#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(REVIEW.contains(from), "{from}");
    REVIEW.replacen(from, to, 1)
}

fn asking(objects: &str, desired: &str) -> String {
    format!(
        r#"{{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"{UID}","desiredAPIVersion":"{desired}","objects":{objects}}}}}"#
    )
}

#[test]
fn the_way_back_gives_the_documentations_objects() {
    let original: Value = serde_json::from_str(REVIEW).unwrap();
    let there = converted(REVIEW.as_bytes());
    assert_ne!(Value::from(there.clone()), original["request"]["objects"]);
    let back = converted(asking(&json!(there).to_string(), "example.com/v1beta1").as_bytes());
    assert_eq!(Value::from(back), original["request"]["objects"]);
}

#[test]
fn odd_fields_come_out_byte_for_byte() {
    let odd = r#""big": 12345678901234567890123, "f": 1.10, "e": 1e400, "z": null, "neg": -0, "esc": "\u0041\/", "half": "\ud83d x""#;
    let request =
        with(r#""hostPort": "localhost:1234""#, &format!(r#""hostPort": "localhost:1234", {odd}"#));
    let objects = |text: &str| {
        let start = text.find(r#""convertedObjects":["#).expect("objects") + 20;
        text[start..text.rfind(r#"],"result""#).expect("a result")].to_owned()
    };
    // No `printed` here: half a surrogate pair and 1e400 are beyond serde_json.
    let output = review(request.as_bytes());
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let there = objects(&String::from_utf8(output.stdout).expect("UTF-8"));
    assert!(
        there.contains(odd) && there.contains(r#""host":"localhost","port":"1234""#),
        "{there}"
    );
    let output = review(asking(&format!("[{there}]"), "example.com/v1beta1").as_bytes());
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let back = objects(&String::from_utf8(output.stdout).expect("UTF-8"));
    let first = &back[..back.find("},{").expect("two objects") + 1];
    // What a rule wrote stands without the blank behind its colon.
    let first = first.replace(r#""hostPort":""#, r#""hostPort": ""#);
    assert!(first.contains(odd) && request.contains(&first), "{first}");
}

#[test]
fn a_refusal_names_the_object_the_versions_the_field_and_the_reason() {
    let message = failed(with("localhost:1234", "nonsense").as_bytes());
    let expected = "can't convert CronTab `default/local-crontab` from v1beta1 to v1: `hostPort`: expected `host:port`";
    assert_eq!(message, format!("object 1: {expected}"));

    let objects: Vec<Value> = (1..=500)
        .map(|number| {
            let host_port = if number == 400 { "nonsense" } else { "localhost:80" };
            let metadata = json!({ "name": format!("c-{number}"), "namespace": "n" });
            json!({ "apiVersion": "example.com/v1beta1", "kind": "CronTab", "metadata": metadata, "hostPort": host_port })
        })
        .collect();
    let message = failed(asking(&json!(objects).to_string(), "example.com/v1").as_bytes());
    assert_eq!(
        message,
        format!("object 400: {}", expected.replace("default/local-crontab", "n/c-400"))
    );
}

#[test]
fn a_review_with_a_uid_fails_with_a_message() {
    let deep = "[".repeat(20_000) + &"]".repeat(20_000);
    for (request, expected) in [
        (
            with("example.com/v1beta1", "example.org/v1beta1"),
            "this webhook doesn't serve that kind in that group",
        ),
        (with("example.com/v1beta1", "example.com/v2"), "not in `v2`"),
        (
            with(r#"APIVersion": "example.com/v1""#, r#"APIVersion": "example.com/v2""#),
            "not in `v2`",
        ),
        (
            with(r#"APIVersion": "example.com/v1""#, r#"APIVersion": "example.org/v1""#),
            "another group",
        ),
        (with(r#""kind": "CronTab""#, r#""kind": "Other""#), "doesn't serve that kind"),
        (
            with(r#""localhost:1234""#, "1234"),
            "`hostPort`: invalid type: integer `1234`, expected a string",
        ),
        (REVIEW.to_owned() + "x", "unexpected text after the value"),
        (with(r#""localhost:1234""#, &deep), "more than 10000 levels of nesting"),
        (with(r#""localhost:1234""#, r#""localhost"#), "control character in a string"),
    ] {
        let message = failed(request.as_bytes());
        assert!(message.contains(expected), "{message}");
    }
    let mut bytes = REVIEW.as_bytes().to_vec();
    let place = REVIEW.find("localhost").expect("a host");
    bytes[place] = 0xC3;
    assert_eq!(failed(&bytes), format!("the request isn't UTF-8 from byte {place} on"));
}

#[test]
fn a_review_without_a_uid_is_a_sentence_and_an_exit_code() {
    for (request, expected) in [
        (with(&format!(r#""uid": "{UID}","#), ""), "the request has no `uid`"),
        (with("extensions.k8s.io/v1", "extensions.k8s.io/v2"), "is neither"),
        (with("ConversionReview", "AdmissionReview"), "isn't `ConversionReview`"),
        ("nonsense".to_owned(), "isn't valid JSON: expected an object"),
        (String::new(), "isn't valid JSON: expected an object"),
        ("{\"a\":".repeat(20_000), "more than 10000 levels of nesting"),
    ] {
        let message = refused(request.as_bytes());
        assert!(message.contains(expected), "{message}");
    }
    let mut bytes = REVIEW.as_bytes().to_vec();
    bytes[3] = 0xFF;
    assert_eq!(refused(&bytes), "the request isn't UTF-8 from byte 3 on");
}

#[test]
fn half_a_request_is_never_half_an_answer() {
    let uid_ends = REVIEW.find(UID).expect("a uid") + UID.len() + 1;
    for end in (0..REVIEW.trim_end().len()).step_by(101).chain(uid_ends - 2..uid_ends + 2) {
        let half = &REVIEW.as_bytes()[..end];
        if end < uid_ends {
            refused(half);
        } else {
            failed(half);
        }
    }
}

#[test]
fn nothing_to_convert_is_a_success() {
    let object =
        |rest: &str| format!(r#"[{{"apiVersion":"example.com/v1beta1","kind":"CronTab"{rest}}}]"#);
    for rest in [
        "",
        r#","metadata":null"#,
        r#","metadata":{"name":"a"}"#,
        r#","metadata":{"name":"a"},"hostPort":null"#,
    ] {
        let found = converted(asking(&object(rest), "example.com/v1").as_bytes());
        assert_eq!((found.len(), &found[0]["apiVersion"]), (1, &json!("example.com/v1")));
        assert!(found[0]["metadata"].is_object() && found[0].get("host").is_none());
    }
    for none in ["[]", "null"] {
        assert_eq!(converted(asking(none, "example.com/v1").as_bytes()), [] as [Value; 0]);
    }
    let same =
        r#"[{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a"},"port":7}]"#;
    let found = converted(asking(same, "example.com/v1").as_bytes());
    assert_eq!(Value::from(found), serde_json::from_str::<Value>(same).unwrap());
}
