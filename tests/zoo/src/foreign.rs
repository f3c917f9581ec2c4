//! Types from other crates.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::DeploymentSpec;
use k8s_openapi::api::core::v1::{
    Affinity, Container, EnvVar, LocalObjectReference, PodTemplateSpec, ResourceRequirements,
    Secret, SecretKeySelector, ServiceSpec, Toleration, Volume,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    Condition, LabelSelector, MicroTime, ObjectMeta, Time,
};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shapes;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    #[schemars(extend("x-crd-conv-recursion-depth" = 1))]
    pub rules: JSONSchemaProps,
}

fn read<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).expect("invalid test case: not of this type")
}

shapes! { "foreign":
    Quantity = [Quantity("1Gi".to_owned())];
    IntOrString = [IntOrString::Int(1), IntOrString::String("50%".to_owned())];
    Option<IntOrString> = [None, Some(IntOrString::Int(1))];
    BTreeMap<String, Quantity> = [[("cpu".to_owned(), Quantity("1".to_owned()))].into()];
    Time = [read(json!("2026-01-02T03:04:05Z"))];
    MicroTime = [read(json!("2026-01-02T03:04:05.000006Z"))];
    Condition = [read(json!({
        "type": "Ready", "status": "True", "reason": "Up", "message": "",
        "lastTransitionTime": "2026-01-02T03:04:05Z",
    }))];
    LabelSelector = [read(json!({"matchLabels": {"a": "b"}}))];
    ObjectMeta = [read(json!({"name": "a", "labels": {"b": "c"}}))];
    LocalObjectReference = [read(json!({"name": "a"}))];
    ResourceRequirements = [read(json!({"limits": {"cpu": "1"}}))];
    Toleration = [read(json!({"key": "a"}))];
    EnvVar = [read(json!({"name": "a", "value": "b"}))];
    Container = [read(json!({"name": "a", "ports": [{"containerPort": 80}]}))];
    PodTemplateSpec = [read(json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": []}}))];
    chrono::DateTime<chrono::Utc> = [chrono::DateTime::UNIX_EPOCH];
    chrono::NaiveDate = [chrono::NaiveDate::MAX.min(read(json!("2026-01-02")))];
    jiff::Timestamp = [jiff::Timestamp::UNIX_EPOCH];
    jiff::civil::Date = [jiff::civil::date(2026, 1, 2)];
    jiff::SignedDuration = [jiff::SignedDuration::from_secs(90)];
    url::Url = [read(json!("https://example.com/"))];
    uuid::Uuid = [uuid::Uuid::from_u128(7)];
    BTreeMap<uuid::Uuid, bool> = [[(uuid::Uuid::from_u128(7), true)].into()];
    RawExtension = [RawExtension(json!({"kind": "A", "a": null}))];
    Secret = [read(json!({"data": {"a": "AQI="}, "type": "Opaque"}))];
    SecretKeySelector = [read(json!({"key": "a", "name": "b"}))];
    Affinity = [read(json!({"podAffinity": {}}))];
    Volume = [read(json!({"name": "a", "emptyDir": {"sizeLimit": "1Gi"}}))];
    ServiceSpec = [read(json!({"ports": [{"port": 80, "targetPort": "http"}]}))];
    DeploymentSpec = [read(json!({
        "selector": {"matchLabels": {"a": "b"}}, "template": {},
        "strategy": {"rollingUpdate": {"maxSurge": "50%"}},
    }))];
    chrono::NaiveDateTime = [chrono::DateTime::UNIX_EPOCH.naive_utc()];
    chrono::NaiveTime = [chrono::NaiveTime::MIN];
    chrono::DateTime<chrono::FixedOffset> = [chrono::DateTime::UNIX_EPOCH.fixed_offset()];
    chrono::Weekday = [chrono::Weekday::Mon];
    jiff::Span = [jiff::Span::new().years(1).months(2).hours(3), jiff::Span::new(), jiff::Span::new().days(-3)];
    jiff::civil::Time = [jiff::civil::time(1, 2, 3, 4)];
    jiff::civil::DateTime = [jiff::civil::date(2026, 1, 2).at(3, 4, 5, 6)];
    Option<jiff::Timestamp> = [None, Some(jiff::Timestamp::UNIX_EPOCH)];
    Rules = [read(json!({"rules": {
        "type": "object",
        "properties": {"a": {"properties": {"b": {"items": {"default": [1, null]}, "enum": [1, "a"]}}}},
        "default": {"a": 1}, "enum": [{"a": 1}, "b"],
    }}))];
}
