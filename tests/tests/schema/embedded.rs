//! Resources inside of objects: their schema, and the laws of what conversions do to them.

use crd_conv::{ResourceType, UnrestoredReason, Versioned, VersionedResource, crd::CrdOptions};
use crd_conv_tests::served::{Server, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        #[versioned(embedded_resource)]
        pub(super) template: Value,
        #[versioned(embedded_resource)]
        pub(super) gone: Option<Value>,
        #[serde(default)]
        #[versioned(embedded_resource)]
        pub(super) manifests: Vec<Value>,
        #[versioned(embedded_resource)]
        pub(super) job: Option<Job>,
        pub(super) hooks: Option<Hooks>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct Job {
        pub(super) api_version: String,
        pub(super) kind: String,
        #[versioned(preserve_unknown_fields)]
        pub(super) metadata: Option<Metadata>,
        pub(super) command: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Metadata {
        pub(super) name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hooks {
        #[versioned(embedded_resource)]
        pub(super) before: Option<Value>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::Spec, removed(gone, hooks))]
    pub(super) struct Spec {
        #[versioned(renamed_from = template, embedded_resource)]
        pub(super) pod: Value,
        #[versioned(added, embedded_resource, nullable = false)]
        pub(super) come: Option<Value>,
        #[serde(default)]
        #[versioned(embedded_resource)]
        pub(super) manifests: Vec<Value>,
        #[versioned(embedded_resource)]
        pub(super) job: Option<Job>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::Job, removed(command))]
    pub(super) struct Job {
        pub(super) api_version: String,
        pub(super) kind: String,
        #[versioned(preserve_unknown_fields)]
        pub(super) metadata: Option<v1beta1::Metadata>,
        #[versioned(added)]
        pub(super) args: Option<Vec<String>>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "runs", scope = "Namespaced"))]
enum Run {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

mod laws {
    crd_conv::laws!(super::Run);
}

#[test]
fn the_schema() {
    let found = schema::<Run>("v1beta1");
    let spec = &found["properties"]["spec"]["properties"];
    let anything = json!({
        "type": "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
    });
    assert_eq!(spec["template"], anything);
    assert_eq!(spec["manifests"]["items"], anything);
    let mut or_null = anything.clone();
    or_null["nullable"] = json!(true);
    assert_eq!(spec["gone"], or_null);
    assert_eq!(spec["job"]["x-kubernetes-embedded-resource"], json!(true));
    assert_eq!(spec["job"]["properties"]["kind"], json!({ "type": "string" }));
    assert_eq!(schema::<Run>("v1")["properties"]["spec"]["properties"]["come"], anything);
}

/// The API server reads what a conversion makes, and what it can't read is lost to everybody. Clients can write the entries.
#[test]
fn no_entry_restores_a_resource_that_the_server_cannot_read() {
    let resource = ResourceType::of::<Run>();
    let server = Server::of(&resource, &["v1beta1", "v1"]);
    let object = json!({
        "apiVersion": "example.com/v1beta1",
        "kind": "Run",
        "metadata": { "name": "a" },
        "spec": {
            "template": { "apiVersion": "v1", "kind": "Pod" },
            "gone": { "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "the-name" } },
            "manifests": [],
            "hooks": { "before": { "apiVersion": "v1", "kind": "the-kind" } },
        },
    });
    let there = resource.convert(object.to_string().as_bytes(), "v1").expect("it converts").json;
    let restored = resource.convert(there.as_bytes(), "v1beta1").expect("it converts");
    let restored: Value = serde_json::from_str(&restored.json).expect("JSON");
    assert_eq!(restored, object, "invalid test case: nothing comes back");
    for (right, wrong) in [(r#"\"the-name\""#, "7"), (r#"\"the-kind\""#, "[]")] {
        assert!(there.contains(right), "invalid test case: {there}");
        let forged = there.replace(right, wrong);
        let back = resource.convert(forged.as_bytes(), "v1beta1").expect("it converts");
        assert_eq!(
            back.unrestored.iter().next(),
            Some((UnrestoredReason::Mistyped, 1)),
            "{}",
            back.json
        );
        // It panics if the server couldn't.
        server.decode(&back.json, 0);
    }
}

mod wrong {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        #[versioned(embedded_resource)]
        pub(super) text: String,
        #[versioned(embedded_resource)]
        pub(super) nameless: Nameless,
        #[versioned(embedded_resource)]
        pub(super) map: std::collections::BTreeMap<String, Value>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct Nameless {
        pub(super) api_version: String,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "runs", scope = "Namespaced"))]
    pub(super) enum Run {
        #[versioned(storage)]
        V1 { spec: Spec },
    }
}

#[test]
fn what_is_no_resource_is_refused() {
    let errors = ResourceType::of::<wrong::Run>().crd(&CrdOptions::new()).expect_err("no CRD");
    let said: Vec<_> = errors.errors.iter().map(ToString::to_string).collect();
    let none = "is declared `embedded_resource`, but is neither an object nor a list of objects, but a resource is an object \
                with `apiVersion` and `kind`: make it a `serde_json::Value`, or a struct with `apiVersion` and `kind`";
    assert_eq!(wrong::Run::DEFINITION.versions.len(), 1);
    assert_eq!(
        said,
        [
            format!("version `v1`: `.spec.text` (Rust type `Spec`) {none}"),
            "version `v1`: `.spec.nameless` (Rust type `Spec`) is declared `embedded_resource`, but has no `kind`, but \
             the API server accepts no resource without `apiVersion` and `kind`: add the field to the struct, or make it \
             a `serde_json::Value`"
                .to_owned(),
            format!("version `v1`: `.spec.map` (Rust type `Spec`) {none}"),
        ]
    );
}
