//! A sample of each version, and every part of it, through every other version and back.

use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::{ResourceType, yaml};
use fleet::Fleet;
use serde_json::{Map, Value, json};

const SAMPLES: [(&str, &str); 3] = [
    ("v1alpha1", include_str!("../objects/v1alpha1.yaml")),
    ("v1beta1", include_str!("../objects/v1beta1.yaml")),
    ("v1", include_str!("../objects/v1.yaml")),
];

/// Each sample with each of the other versions.
fn journeys() -> impl Iterator<Item = (Value, &'static str, &'static str)> {
    SAMPLES.iter().flat_map(|(home, text)| {
        let json = &yaml::to_json(text).expect("YAML")[0];
        let sample: Value = serde_json::from_str(json).expect("JSON");
        let others = SAMPLES.iter().map(|(name, _)| *name).filter(move |name| name != home);
        others.map(move |other| (sample.clone(), *home, other))
    })
}

#[track_caller]
fn convert(resource: &ResourceType, object: &Value, to: &str) -> Value {
    let converted = resource.convert(object.to_string().as_bytes(), to).expect("it converts");
    assert!(converted.unrestored.is_empty(), "{:?}", converted.unrestored);
    serde_json::from_str(&converted.json).expect("JSON")
}

#[test]
fn a_sample_comes_back_exactly() {
    let resource = ResourceType::of::<Fleet>();
    for (sample, home, other) in journeys() {
        let there = convert(&resource, &sample, other);
        assert_ne!(there["spec"], sample["spec"]);
        assert_eq!(convert(&resource, &there, home), sample, "{home} to {other} and back");
    }
}

#[test]
fn a_sample_has_every_field_of_its_version() {
    for (sample, home, _) in journeys() {
        let webhook =
            CrdOptions::new().webhook(Webhook::service("fleet-system", "fleet-conversion"));
        let crd = ResourceType::of::<Fleet>().crd(&webhook).expect("a definition");
        let version = crd.spec.versions.iter().find(|version| version.name == home);
        let schema = serde_json::to_value(&version.expect("it is one").schema).expect("JSON");
        for stanza in ["spec", "status"] {
            let fields = &schema["openAPIV3Schema"]["properties"][stanza]["properties"];
            // What only conversions write is in none of them.
            let fields = fields.as_object().expect("fields").keys();
            let fields = fields.filter(|field| *field != "conversionEntries");
            let found = sample[stanza].as_object().expect("a stanza").keys();
            assert_eq!(Vec::from_iter(fields), Vec::from_iter(found), "{home}");
        }
    }
}

/// No stanza, and one with every subset of the fields.
fn parts(stanza: &Value) -> Vec<Option<Value>> {
    let fields: Vec<_> = stanza.as_object().expect("a stanza").iter().collect();
    let subsets = (0..1u32 << fields.len()).map(|subset| {
        let chosen = fields.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
        let chosen: Map<_, _> =
            chosen.map(|(_, (name, value))| ((*name).clone(), (*value).clone())).collect();
        Some(Value::Object(chosen))
    });
    std::iter::once(None).chain(subsets).collect()
}

/// No stanza, an empty one, and the whole one.
fn extremes(stanza: &Value) -> Vec<Option<Value>> {
    vec![None, Some(json!({})), Some(stanza.clone())]
}

#[track_caller]
fn come_back(
    (sample, home, other): &(Value, &str, &str),
    specs: &[Option<Value>],
    statuses: &[Option<Value>],
) {
    let resource = ResourceType::of::<Fleet>();
    for spec in specs {
        for status in statuses {
            let mut part = json!({
                "apiVersion": sample["apiVersion"],
                "kind": sample["kind"],
                "metadata": {},
            });
            for (name, stanza) in [("spec", spec), ("status", status)] {
                if let Some(stanza) = stanza {
                    part[name] = stanza.clone();
                }
            }
            let there = convert(&resource, &part, other);
            assert_eq!(there.get("spec").is_some(), spec.is_some(), "{part} to {other}");
            assert_eq!(there.get("status").is_some(), status.is_some(), "{part} to {other}");
            assert_eq!(convert(&resource, &there, home), part, "{there}");
        }
    }
}

/// Server-side apply sends such: whatever one manager owns.
#[test]
fn every_part_of_a_stanza_comes_back_and_no_stanza_is_invented() {
    for journey in journeys() {
        let (spec, status) = (&journey.0["spec"], &journey.0["status"]);
        come_back(&journey, &parts(spec), &extremes(status));
        come_back(&journey, &extremes(spec), &parts(status));
    }
}

#[test]
#[ignore = "takes minutes without --release"]
fn every_part_of_an_object_comes_back_and_no_stanza_is_invented() {
    for journey in journeys() {
        come_back(&journey, &parts(&journey.0["spec"]), &parts(&journey.0["status"]));
    }
}
