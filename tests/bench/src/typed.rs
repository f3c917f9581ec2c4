//! Conversions of a small Rust value, and the same by hand on `serde_json::Value`.

use serde_json::{Value, json};

use crate::reviews::{v1, v1beta1};

fn older() -> v1beta1::CronTabSpec {
    v1beta1::CronTabSpec {
        host_port: "example.com:80".to_owned(),
        cron_spec: "*/5 * * * *".to_owned(),
        image: Some("registry.example.com/cron:1.2.3".to_owned()),
    }
}

fn newer() -> v1::CronTabSpec {
    v1::CronTabSpec {
        host: "example.com".to_owned(),
        port: "80".to_owned(),
        schedule: "*/5 * * * *".to_owned(),
        image: Some("registry.example.com/cron:1.2.3".to_owned()),
        history_limit: 7,
    }
}

pub fn upgrade() {
    let new = crd_conv::upgrade::<v1::CronTabSpec>(&older()).expect("it converts");
    assert_eq!(new.value.host, "example.com");
}

pub fn upgrade_by_hand() {
    let mut spec = serde_json::to_value(older()).expect("JSON");
    rename(&mut spec, "cronSpec", "schedule");
    let host_port = take(&mut spec, "hostPort");
    let (host, port) = host_port.split_once(':').expect("a colon");
    (spec["host"], spec["port"], spec["historyLimit"]) = (json!(host), json!(port), json!(3));
    let new: v1::CronTabSpec = serde_json::from_value(spec).expect("a spec");
    assert_eq!(new.host, "example.com");
}

pub fn downgrade() {
    let old = crd_conv::downgrade::<v1beta1::CronTabSpec>(&newer()).expect("it converts");
    assert_eq!(old.value.host_port, "example.com:80");
}

pub fn downgrade_by_hand() {
    let mut spec = serde_json::to_value(newer()).expect("JSON");
    rename(&mut spec, "schedule", "cronSpec");
    let [host, port] = ["host", "port"].map(|name| take(&mut spec, name));
    spec["hostPort"] = json!(format!("{host}:{port}"));
    let kept = spec.as_object_mut().and_then(|spec| spec.remove("historyLimit"));
    let complement = json!({"historyLimit": kept}).to_string();
    let old: v1beta1::CronTabSpec = serde_json::from_value(spec).expect("a spec");
    assert_eq!((&*old.host_port, complement.len()), ("example.com:80", 18));
}

fn rename(spec: &mut Value, from: &str, to: &str) {
    let value = spec.as_object_mut().and_then(|spec| spec.remove(from));
    spec[to] = value.unwrap_or_default();
}

fn take(spec: &mut Value, name: &str) -> String {
    let value = spec.as_object_mut().and_then(|spec| spec.remove(name));
    value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
