//! How much a fleet carries for other versions, with every field of a version.

use crd_conv::{ResourceType, yaml};
use fleet::Fleet;
use serde_json::Value;

const SAMPLES: [(&str, &str); 3] = [
    ("v1alpha1", include_str!("../objects/v1alpha1.yaml")),
    ("v1beta1", include_str!("../objects/v1beta1.yaml")),
    ("v1", include_str!("../objects/v1.yaml")),
];

/// How many entries an object gets in a version, in annotations and in the status, and how many bytes their keys and values have.
fn carried(object: &str, version: &str) -> (usize, usize) {
    let converted =
        ResourceType::of::<Fleet>().convert(object.as_bytes(), version).expect("converts");
    let object: Value = serde_json::from_str(&converted.json).expect("JSON");
    let places = [&object["metadata"]["annotations"], &object["status"]["conversionEntries"]];
    let entries: Vec<_> = places.into_iter().filter_map(Value::as_object).flatten().collect();
    let bytes = |(key, value): (&String, &Value)| key.len() + value.as_str().expect("a text").len();
    (entries.len(), entries.into_iter().map(bytes).sum())
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
    // From, to, the object's bytes, the entries that it gets, and their bytes.
    let expected = [
        ("v1alpha1", "v1beta1", 563, 4, 455),
        ("v1alpha1", "v1", 563, 5, 564),
        ("v1beta1", "v1alpha1", 757, 5, 656),
        ("v1beta1", "v1", 757, 1, 109),
        ("v1", "v1alpha1", 824, 13, 1660),
        ("v1", "v1beta1", 824, 7, 886),
    ];
    assert_eq!(found, expected);
}

/// What every version can say takes nothing.
#[test]
fn with_no_field_of_one_version_alone() {
    let metadata = r#""metadata":{"name":"f"}"#;
    // With the defaults that the API server fills in.
    let newer = r#""pools":{"a":{"weight":1,"labels":{}}},"ports":[{"name":"p","port":1,"protocol":"TCP"}]"#;
    for (home, spec) in [
        (
            "v1alpha1",
            r#""size":4,"endpoint":"a:1","retries":3,"pools":{"a":{"weight":1}},"ports":[{"name":"p","number":1}]"#.to_owned(),
        ),
        ("v1beta1", format!(r#""replicas":4,"endpoint":"a:1",{newer}"#)),
        ("v1", format!(r#""replicas":4,"host":"a","port":1,"historyLimit":5,{newer}"#)),
    ] {
        let object = format!(
            r#"{{"apiVersion":"example.com/{home}","kind":"Fleet",{metadata},"spec":{{"image":"i",{spec}}}}}"#
        );
        for (version, _) in SAMPLES {
            assert_eq!(carried(&object, version), (0, 0), "{home} to {version}");
        }
    }
}
