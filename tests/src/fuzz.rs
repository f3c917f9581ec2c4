//! The functions that are fuzzed. They take any bytes, and panic if something is wrong.
//! `tests/fuzz` runs them with libFuzzer, and `tests/tests/carrier/fuzzed.rs` runs them on the
//! inputs that are kept.

use std::str;
use std::sync::LazyLock;

use crd_conv::{ResourceType, Reviewer};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::flat::Flat;
use crate::gadget::Gadget;
use crate::nest::Nest;
use crate::rack::Rack;

mod v1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Spec {
        size: i64,
    }
}

mod v2 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub struct Spec {
        #[versioned(renamed_from = size)]
        count: i64,
    }
}

/// Of what the mapping doesn't name.
#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "plains", scope = "Namespaced"))]
pub enum Plain {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// A value is copied byte for byte if and only if `serde_json` takes it for JSON.
pub fn scanner(data: &[u8]) {
    static PLAIN: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Plain>);
    let object = |version: &str, inside: &[u8]| {
        let mut object = format!(
            r#"{{"apiVersion":"example.com/{version}","kind":"Plain","metadata":{{}},"spec":{{"unknown":"#
        )
        .into_bytes();
        object.extend_from_slice(inside);
        object.extend_from_slice(b"}}");
        object
    };
    let given = object("v1", data);
    let converted = PLAIN.convert(&given, "v2");
    let valid = |text: &[u8]| str::from_utf8(text).is_ok_and(is_json);
    match converted {
        Ok(converted) if valid(data) => {
            assert_eq!(converted.json.as_bytes(), object("v2", data), "something else came out");
            assert_eq!(converted.unrestored.iter().count(), 0, "there was nothing to lose");
        }
        // The bytes closed the object around them, and went on.
        Ok(_) => assert!(valid(&given), "what isn't JSON was converted"),
        Err(error) => assert!(!valid(data), "a value was refused: {error}"),
    }
}

/// If a hop succeeds without the carrier's annotations, it also succeeds with any content of these,
/// and the result is JSON.
///
/// The first byte determines the resource, and the second one the source and target versions. After
/// these come the object's members, and the names of annotations with their texts. There is a byte
/// of 255 before each.
pub fn carrier(data: &[u8]) {
    static RESOURCES: LazyLock<[ResourceType; 4]> = LazyLock::new(|| {
        [
            ResourceType::of::<Gadget>(),
            ResourceType::of::<Flat>(),
            ResourceType::of::<Nest>(),
            ResourceType::of::<Rack>(),
        ]
    });
    let [resource, versions, rest @ ..] = data else { return };
    let resource = &RESOURCES[usize::from(resource % 4)];
    let definition = resource.definition();
    let count = definition.versions.len();
    let (from, to) = (usize::from(versions % 16) % count, usize::from(versions / 16) % count);
    let mut parts = rest.split(|byte| *byte == 255).map(String::from_utf8_lossy);
    let members = parts.next().unwrap_or_default();
    let mut annotations = serde_json::Map::new();
    while let (Some(key), Some(text)) = (parts.next(), parts.next()) {
        annotations.insert(format!("conversion.{}/{key}", definition.group), text.into());
    }
    let object = |annotations: &serde_json::Map<String, Value>| {
        let api_version = format!("{}/{}", definition.group, definition.versions[from].name);
        let (kind, metadata) =
            (definition.kind, json!({ "name": "fuzzed", "annotations": annotations }));
        format!(
            r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{metadata}{members}}}"#
        )
    };
    let (with, without) = (object(&annotations), object(&serde_json::Map::new()));
    let (from, to) = (definition.versions[from].name, definition.versions[to].name);
    let plain = resource.convert(without.as_bytes(), to);
    let converted = match resource.convert(with.as_bytes(), to) {
        Ok(converted) => converted.json,
        Err(error) => {
            // In several hops, an entry may restore a value that the next converter refuses, as if
            // it had been written.
            let neighbours = definition.versions.windows(2).any(|pair| {
                [from, to].iter().all(|version| pair.iter().any(|of| of.name == *version))
            });
            assert!(!neighbours || plain.is_err(), "the carrier made it fail: {error}\n{with}");
            return;
        }
    };
    assert!(is_json(&converted), "{with}\nbecame\n{converted}");
    if let Ok(back) = resource.convert(converted.as_bytes(), from) {
        assert!(is_json(&back.json), "{converted}\nbecame\n{}", back.json);
    }
}

/// An answer is JSON. It is a success only if the request is JSON, too.
pub fn review(data: &[u8]) {
    static REVIEWER: LazyLock<Reviewer> = LazyLock::new(|| {
        let resources =
            [ResourceType::of::<Gadget>(), ResourceType::of::<Nest>(), ResourceType::of::<Plain>()];
        Reviewer::new(resources)
    });
    let Ok(reviewed) = REVIEWER.review(data) else { return };
    let answer: Value = match serde_json::from_str(&reviewed.body) {
        Ok(answer) => answer,
        Err(error) if is_json(&reviewed.body) => {
            // The request has numbers or surrogates that `serde_json` can't hold.
            let _ = error;
            return;
        }
        Err(error) => panic!("{error}: {}", reviewed.body),
    };
    assert!(answer["response"]["uid"].is_string(), "{answer}");
    let request = str::from_utf8(data).ok().filter(|text| is_json(text));
    match (&reviewed.failure, request) {
        (Some(message), _) => {
            assert_eq!(answer["response"]["result"]["message"], json!(message), "{answer}");
        }
        (None, None) => panic!("a success for what isn't JSON: {answer}"),
        (None, Some(request)) => {
            let Ok(request) = serde_json::from_str::<Value>(request) else { return };
            let count = |objects: &Value| objects.as_array().map_or(0, Vec::len);
            assert_eq!(
                count(&answer["response"]["convertedObjects"]),
                count(&request["request"]["objects"]),
                "{answer}"
            );
        }
    }
}
