//! How much the annotations of a fleet take, with every field of a version.

use crd_conv::{Resource, yaml};
use fleet::Fleet;
use serde_json::Value;

const SAMPLES: [(&str, &str); 3] = [
    ("v1alpha1", include_str!("../objects/v1alpha1.yaml")),
    ("v1beta1", include_str!("../objects/v1beta1.yaml")),
    ("v1", include_str!("../objects/v1.yaml")),
];

/// How many annotations an object gets in a version, and how many bytes their keys and values have together.
fn carried(object: &str, version: &str) -> (usize, usize) {
    let converted = Resource::of::<Fleet>().convert(object.as_bytes(), version).expect("converts");
    let object: Value = serde_json::from_str(&converted.json).expect("JSON");
    let annotations = object["metadata"]["annotations"].as_object().cloned().unwrap_or_default();
    let bytes = |(key, value): (String, Value)| key.len() + value.as_str().expect("a text").len();
    (annotations.len(), annotations.into_iter().map(bytes).sum())
}

#[test]
fn with_every_field() {
    let mut found = Vec::new();
    for (home, sample) in SAMPLES {
        let object = &yaml::to_json(sample).expect("YAML")[0];
        for (version, _) in SAMPLES.into_iter().filter(|(version, _)| *version != home) {
            let (count, bytes) = carried(object, version);
            found.push((home, version, object.len(), count, bytes));
        }
    }
    let expected: [(&str, &str, usize, usize, usize); 0] = [];
    assert_eq!(found, expected);
}

/// What every version can say takes nothing.
#[test]
fn with_no_field_of_one_version_alone() {
    let metadata = r#""metadata":{"name":"f"}"#;
    let rest = r#""pools":{"a":{"weight":1}},"ports":[{"name":"p","port":1}]"#;
    for (home, fields) in [
        ("v1alpha1", r#""size":4,"endpoint":"a:1""#),
        ("v1beta1", r#""replicas":4,"endpoint":"a:1""#),
        ("v1", r#""replicas":4,"host":"a","port":1,"historyLimit":5"#),
    ] {
        let object = format!(
            r#"{{"apiVersion":"example.com/{home}","kind":"Fleet",{metadata},"spec":{{"image":"i",{fields},{rest}}}}}"#
        );
        for (version, _) in SAMPLES {
            assert_eq!(carried(&object, version), (0, 0), "{home} to {version}");
        }
    }
}
