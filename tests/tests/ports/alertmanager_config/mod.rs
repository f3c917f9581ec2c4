//! `AlertmanagerConfig` of the Prometheus operator, `v1alpha1` to `v1beta1`, as in its release 0.93:
//! <https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1beta1.AlertmanagerConfig>.
//!
//! | | |
//! |---|---|
//! | rules | 1 renamed, 1 group by a converter, 2 removed, inside 20 structs in lists |
//! | lines of mapping | 6, one for each of the structs, and 14 of a converter |
//! | the project's converters | 1,227 lines by hand |
//!
//! Most structs are the same but for what is inside them, so a macro writes them for both versions.

mod receivers;
pub(crate) mod types;

use crd_conv::{ResourceType, UnrestoredReason, crd::CrdOptions, crd::Webhook};
use serde_json::{Value, json};

use types::AlertmanagerConfig;

crd_conv::laws!(AlertmanagerConfig);

fn object(version: &str, spec: &Value) -> String {
    json!({
        "apiVersion": format!("monitoring.coreos.com/{version}"),
        "kind": "AlertmanagerConfig",
        "metadata": {"name": "team-a", "namespace": "a"},
        "spec": spec,
    })
    .to_string()
}

fn spec(object: &str) -> Value {
    serde_json::from_str::<Value>(object).unwrap()["spec"].clone()
}

fn receivers(secret: &Value) -> Value {
    json!([{
        "name": "on-call",
        "pagerdutyConfigs": [{"routingKey": secret, "severity": "critical", "details": [{"key": "team", "value": "a"}]}],
        "slackConfigs": [{"apiURL": secret, "channel": "#a", "actions": [{"type": "button", "text": "Silence", "url": "https://a"}]}],
        "webhookConfigs": [{"url": "https://hook", "httpConfig": {"bearerTokenSecret": secret, "followRedirects": false}}],
        "emailConfigs": [{"to": "a@example.com", "authPassword": secret, "headers": [{"key": "Subject", "value": "x"}]}],
    }])
}

fn intervals() -> Value {
    json!([{"name": "nights", "timeIntervals": [{"times": [{"startTime": "22:00", "endTime": "24:00"}], "weekdays": ["monday:friday"]}]}])
}

fn older() -> Value {
    json!({
        "route": {
            "receiver": "on-call",
            "groupBy": ["job"],
            "matchers": [{"name": "team", "value": "a|b", "regex": true}],
            "routes": [{"matchers": [{"name": "severity", "value": "critical", "matchType": "!="}], "muteTimeIntervals": ["nights"], "routes": [
                {"receiver": "on-call", "matchers": [{"name": "job", "value": "x.*", "regex": true}], "routes": [
                    {"matchers": [{"name": "deep", "value": "y.*", "regex": true}]},
                ]},
            ]}],
        },
        "receivers": receivers(&json!({"name": "keys", "key": "token", "optional": true})),
        "inhibitRules": [{"sourceMatch": [{"name": "severity", "value": "critical", "regex": false}], "equal": ["job"]}],
        "muteTimeIntervals": intervals(),
    })
}

/// What the operator's own code makes of it, but for the `receiver: ""` that Go writes in child routes without one. A matcher with neither `matchType`
/// nor `regex` gets `=` from it, and stays as it is here, which means the same.
fn newer() -> Value {
    json!({
        "route": {
            "receiver": "on-call",
            "groupBy": ["job"],
            "matchers": [{"name": "team", "value": "a|b", "matchType": "=~"}],
            "routes": [{"matchers": [{"name": "severity", "value": "critical", "matchType": "!="}], "muteTimeIntervals": ["nights"], "routes": [
                {"receiver": "on-call", "matchers": [{"name": "job", "value": "x.*", "matchType": "=~"}], "routes": [
                    {"matchers": [{"name": "deep", "value": "y.*", "matchType": "=~"}]},
                ]},
            ]}],
        },
        "receivers": receivers(&json!({"name": "keys", "key": "token"})),
        "inhibitRules": [{"sourceMatch": [{"name": "severity", "value": "critical", "matchType": "="}], "equal": ["job"]}],
        "timeIntervals": intervals(),
    })
}

#[test]
fn upwards_it_says_what_the_operator_says() {
    let resource = ResourceType::of::<AlertmanagerConfig>();
    let newest = resource.convert(object("v1alpha1", &older()).as_bytes(), "v1beta1").unwrap();
    assert_eq!(spec(&newest.json), newer());
    let back = resource.convert(newest.json.as_bytes(), "v1alpha1").unwrap();
    assert_eq!(spec(&back.json), older());
}

/// A new object, in which nothing is kept: types stay types.
#[test]
fn downwards_it_says_what_the_operator_says() {
    let resource = ResourceType::of::<AlertmanagerConfig>();
    let oldest = resource.convert(object("v1beta1", &newer()).as_bytes(), "v1alpha1").unwrap();
    let mut expected = newer();
    let fields = expected.as_object_mut().unwrap();
    let intervals = fields.remove("timeIntervals").unwrap();
    fields.insert("muteTimeIntervals".to_owned(), intervals);
    assert_eq!(spec(&oldest.json), expected);
}

/// Nobody validates child routes further down. The operator's code refuses the whole object for a misspelt field or a value of another type in
/// one of them, and with it the list of all objects. Here the one stays where it is, and of the other, which the newer version has no room for, it is
/// said that it doesn't come back.
#[test]
fn a_bad_child_route_harms_nobody() {
    let resource = ResourceType::of::<AlertmanagerConfig>();
    let mut before = older();
    let child = |spec: &mut Value| spec["route"]["routes"][0]["routes"][0]["routes"][0].take();
    let mut bad = child(&mut before);
    bad["reciever"] = "on-call".into();
    bad["matchers"][0]["regex"] = "yes".into();
    before["route"]["routes"][0]["routes"][0]["routes"][0] = bad.clone();
    let newest = resource.convert(object("v1alpha1", &before).as_bytes(), "v1beta1").unwrap();
    let back = resource.convert(newest.json.as_bytes(), "v1alpha1").unwrap();
    assert_eq!(back.unrestored.count(UnrestoredReason::Mistyped), 1);
    bad["matchers"][0].as_object_mut().unwrap().remove("regex").unwrap();
    let mut after = spec(&back.json);
    assert_eq!(child(&mut after), bad);
    child(&mut before);
    assert_eq!(after, before);
}

#[test]
fn the_api_server_takes_its_definition() {
    let options = CrdOptions::new()
        .webhook(Webhook::service("monitoring", "prometheus-operator-admission-webhook"));
    let crd = ResourceType::of::<AlertmanagerConfig>().crd(&options).unwrap();
    let report = crd.verify();
    assert!(report.accepts(), "{report}");
}
