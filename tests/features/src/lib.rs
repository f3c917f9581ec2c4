//! An API, and conversions of its objects, which must be the same with every feature.
//!
//! `conversions.txt` has the result. The tests of the workspace compare it with many features enabled. The tests of this
//! package compare it with none, with those of other crates alone, and with all.

use std::fmt::Write;

use crd_conv::{ConvertError, Converter, ResourceType, Versioned, with};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A type without `Versioned`, so only its schema says what the API server drops and fills in.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    pub path: String,
    /// The server fills it in where serde leaves it out.
    #[serde(default = "port", skip_serializing_if = "is_port")]
    #[schemars(extend("default" = port()))]
    pub port: i64,
    #[serde(default = "ratio", skip_serializing_if = "is_ratio")]
    #[schemars(extend("default" = ratio()))]
    pub ratio: f32,
    /// The server drops a null.
    #[schemars(with = "String")]
    #[serde(default)]
    pub host: Option<String>,
    /// The server keeps a null.
    pub scheme: Option<String>,
    #[serde(default)]
    pub headers: Vec<Header>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    pub name: String,
    #[schemars(with = "String")]
    #[serde(default)]
    pub value: Option<String>,
}

fn port() -> i64 {
    80
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_port(port: &i64) -> bool {
    *port == 80
}

fn ratio() -> f32 {
    0.1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_ratio(ratio: &f32) -> bool {
    ratio.to_bits() == self::ratio().to_bits()
}

pub mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        /// A path, and a comment that the newer version has no place for.
        pub probe: String,
        pub document: String,
        pub ports: Vec<Port>,
        pub weight: f64,
        pub notes: Option<Value>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Port {
        pub name: String,
        pub number: i64,
        pub extra: Value,
    }
}

pub mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Spec, removed(notes))]
    pub struct Spec {
        #[versioned(with = FromPath)]
        pub probe: Probe,
        #[versioned(with = with::JsonText)]
        pub document: Value,
        #[versioned(with = with::KeyedBy("name"))]
        pub ports: std::collections::BTreeMap<String, Port>,
        #[versioned(with = with::Rounded)]
        pub weight: i64,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Port {
        pub number: i64,
        pub extra: Value,
    }
}

/// Drops the comment after `#`.
pub struct FromPath;

impl Converter<String, Probe> for FromPath {
    fn upgrade(&self, older: String) -> Result<Probe, ConvertError> {
        let path = older.split('#').next().unwrap_or_default().to_owned();
        let header = Header { name: "a".to_owned(), value: None };
        let headers = if older.contains('#') { vec![header] } else { Vec::new() };
        Ok(Probe { path, port: port(), ratio: ratio(), host: None, scheme: None, headers })
    }

    fn downgrade(&self, newer: Probe) -> Result<String, ConvertError> {
        Ok(newer.path)
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
pub enum Box {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

/// A `spec` in `v1`, and what the API server stores as its `probe` in `v2`.
const OBJECTS: [(&str, &str); 4] = [
    (
        r#"{"probe":"/a#why","document":"{\"b\": [1, 2.5, null]}","ports":[],"weight":1.5,"notes":null}"#,
        r#"{"path":"/a","port":80,"ratio":0.1,"scheme":null,"headers":[{"name":"a"}]}"#,
    ),
    (
        r#"{"probe":"/#1","document":"[1.0, 1e2, 0.1, -0]","ports":[{"name":"z","number":1,"extra":{"y":1.0,"x":1e2}},{"name":"a","number":2,"extra":null}],"weight":0.1,"notes":{"z":1e2,"a":1.0}}"#,
        r#"{"headers":[{"name":"a"}],"path":"/","port":80,"ratio":0.1,"scheme":null}"#,
    ),
    (
        r#"{"probe":"/ ","document":"{\"z\":1,\"a\":{\"d\":1,\"c\":2}}","ports":[{"extra":12345678901234567890123,"name":"p","number":3}],"weight":2.5,"notes":123456789012345678901234567890.000}"#,
        r#"{"path":"/ ","port":80,"ratio":0.1,"scheme":null,"headers":[]}"#,
    ),
    (
        r##"{"probe":"#\u00e9","document":"1.7976931348623157e308","ports":[{"extra":0.30000000000000004,"name":"p","number":3}],"weight":1e18,"notes":[1e400]}"##,
        r#"{"path":"","port":80,"ratio":0.1,"scheme":null,"headers":[{"name":"a"}]}"#,
    ),
];

/// What becomes of the objects: in `v2`, in `v1` again after the API server has stored them, and in `v2` after an edit.
#[must_use]
pub fn conversions() -> String {
    let boxes = ResourceType::of::<Box>();
    let mut out = String::new();
    let mut convert = |object: &str, version: &str| {
        let (json, note) = match boxes.convert(object.as_bytes(), version) {
            Ok(converted) => (converted.json, format!("{:?}", converted.unrestored)),
            Err(error) => (String::new(), error.to_string()),
        };
        // Writing to a string doesn't fail.
        let _ = writeln!(out, "{version}: {json} {note}");
        json
    };
    for (spec, served) in OBJECTS {
        let object = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Box","metadata":{{"name":"b"}},"spec":{spec}}}"#
        );
        let newer = convert(&object, "v2");
        let Some((before, spec)) = newer.split_once(r#""spec":{"probe":"#) else { continue };
        let Some((_, after)) = spec.split_once(r#","document":"#) else { continue };
        let stored = format!(r#"{before}"spec":{{"probe":{served},"document":{after}"#);
        let older = convert(&stored, "v1");
        convert(&older.replace(r#""probe":""#, r#""probe":"edited"#), "v2");
    }
    out
}
