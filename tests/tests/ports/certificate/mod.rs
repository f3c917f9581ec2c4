//! `Certificate` of cert-manager, `v1alpha2` to `v1`, as in its release 1.5: <https://cert-manager.io/docs/reference/api-docs/>.
//!
//! | | |
//! |---|---|
//! | rules | 4 moved, 2 enums with other names for their values, 2 renamed, 1 variant added |
//! | lines of mapping | 26 |
//! | the project's converters | 242 lines by hand, with those of `CertificateRequest`; 6,278 generated for all kinds of the group |
//!
//! `keyAlgorithm: rsa` became `privateKey.algorithm: RSA`: the value moves, and its type has another name for it.

pub(crate) mod types;

use crd_conv::{ResourceType, crd::CrdOptions, crd::Webhook};
use serde_json::{Value, json};

use types::Certificate;

crd_conv::laws!(Certificate);

/// What cert-manager 1.5 makes of objects: each version's spec of the same certificate, found by its own Go code. Where it isn't what is
/// made here, the field is named.
fn same_certificate() -> [(&'static str, Value); 4] {
    let common = json!({
        "commonName": "example.com",
        "duration": "2160h0m0s",
        "renewBefore": "360h0m0s",
        "dnsNames": ["example.com", "www.example.com"],
        "ipAddresses": ["192.168.0.5"],
        "secretName": "example-com-tls",
        "secretTemplate": {"labels": {"app": "web"}},
        "keystores": {"jks": {"create": true, "passwordSecretRef": {"name": "jks", "key": "password"}}},
        "issuerRef": {"name": "ca-issuer", "kind": "Issuer", "group": "cert-manager.io"},
        "isCA": true,
        "usages": ["server auth", "client auth"],
        "encodeUsagesInRequest": false,
        "revisionHistoryLimit": 3,
    });
    let spec = |more: Value| {
        let mut spec = common.clone();
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        spec
    };
    let old_key = json!({
        "keySize": 2048, "keyAlgorithm": "rsa", "keyEncoding": "pkcs1", "privateKey": {"rotationPolicy": "Always"},
    });
    let new_key = json!({
        "privateKey": {"rotationPolicy": "Always", "size": 2048, "algorithm": "RSA", "encoding": "PKCS1"},
    });
    let subject = json!({"organizations": ["jetstack"], "countries": ["GB"], "serialNumber": "7"});
    let sans = json!({"uriSANs": ["spiffe://a/b"], "emailSANs": ["a@example.com"]});
    let with = |parts: &[&Value]| {
        let mut all = serde_json::Map::new();
        for part in parts {
            all.extend(part.as_object().unwrap().clone());
        }
        spec(Value::Object(all))
    };
    let oldest = json!({
        "organization": ["jetstack"], "subject": {"countries": ["GB"], "serialNumber": "7"},
    });
    let subject = json!({ "subject": subject });
    let newest = json!({"uris": ["spiffe://a/b"], "emailAddresses": ["a@example.com"]});
    [
        ("v1alpha2", with(&[&oldest, &old_key, &sans])),
        ("v1alpha3", with(&[&subject, &old_key, &sans])),
        ("v1beta1", with(&[&subject, &new_key, &sans])),
        ("v1", with(&[&subject, &new_key, &newest])),
    ]
}

fn object(version: &str, spec: &Value) -> String {
    json!({
        "apiVersion": format!("cert-manager.io/{version}"),
        "kind": "Certificate",
        "metadata": {"name": "example-com"},
        "spec": spec,
    })
    .to_string()
}

fn spec(object: &str) -> Value {
    serde_json::from_str::<Value>(object).unwrap()["spec"].clone()
}

#[test]
fn every_version_says_what_cert_manager_says() {
    let resource = ResourceType::of::<Certificate>();
    let all = same_certificate();
    for (from, source) in &all {
        for (to, expected) in &all {
            let converted = resource.convert(object(from, source).as_bytes(), to).unwrap();
            assert_eq!(spec(&converted.json), *expected, "{from} to {to}");
        }
    }
}

/// Go shows an algorithm that the older version's schema refuses; here it shows one that it takes, and the newer one comes back.
#[test]
fn an_algorithm_that_the_older_versions_do_not_know() {
    let resource = ResourceType::of::<Certificate>();
    let newest = json!({
        "secretName": "s", "issuerRef": {"name": "i"}, "privateKey": {"algorithm": "Ed25519"},
    });
    let newest = object("v1", &newest);
    let older = resource.convert(newest.as_bytes(), "v1alpha2").unwrap().json;
    assert_eq!(spec(&older)["keyAlgorithm"], "ecdsa");
    let back = resource.convert(older.as_bytes(), "v1").unwrap().json;
    assert_eq!(
        serde_json::from_str::<Value>(&back).unwrap(),
        serde_json::from_str::<Value>(&newest).unwrap()
    );
}

#[test]
fn the_api_server_takes_its_definition() {
    let options =
        CrdOptions::new().webhook(Webhook::service("cert-manager", "cert-manager-webhook"));
    let crd = ResourceType::of::<Certificate>().crd(&options).unwrap();
    let report = crd.verify();
    assert!(report.accepts(), "{report}");
}
