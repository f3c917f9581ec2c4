//! Reviews for measurements, and the conversion as authors write it by hand on `serde_json::Value`.

use serde_json::{Value, json};

pub(crate) mod v1beta1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTabSpec {
        pub(crate) host_port: String,
        pub(crate) cron_spec: String,
        pub(crate) image: Option<String>,
    }
}

pub(crate) mod v1 {
    use crd_conv::{ConvertError, Converter, Versioned};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::CronTabSpec, map(host_port <=> (host, port), with = HostPort))]
    pub struct CronTabSpec {
        pub(crate) host: String,
        pub(crate) port: String,
        #[versioned(renamed_from = cron_spec)]
        pub(crate) schedule: String,
        pub(crate) image: Option<String>,
        #[versioned(added(value = 3))]
        pub(crate) history_limit: i32,
    }

    pub(crate) struct HostPort;

    impl Converter<String, (String, String)> for HostPort {
        fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
            let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
            Ok((host.to_owned(), port.to_owned()))
        }

        fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
            Ok(format!("{host}:{port}"))
        }
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
pub enum CronTab {
    V1beta1 {
        spec: v1beta1::CronTabSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::CronTabSpec,
    },
}

/// One object of 0.8 KB.
pub fn small() -> String {
    review(1, 1, false)
}

/// 500 objects of 3 KB, two thirds of it metadata.
pub fn many() -> String {
    review(500, 7, false)
}

/// The same. Each object also has an entry to restore and an entry to write.
pub fn many_with_complement() -> String {
    review(500, 7, true)
}

fn review(objects: usize, managers: usize, complement: bool) -> String {
    request("v1", (0..objects).map(|index| object(index, managers, complement)))
}

/// A review as the API server sends it, with the stub of a response.
pub(crate) fn request(desired: &str, objects: impl Iterator<Item = Value>) -> String {
    json!({
        "kind": "ConversionReview",
        "apiVersion": "apiextensions.k8s.io/v1",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "desiredAPIVersion": format!("example.com/{desired}"),
            "objects": objects.collect::<Vec<_>>(),
        },
        "response": { "uid": "", "convertedObjects": null, "result": { "metadata": {} } },
    })
    .to_string()
}

fn object(index: usize, managers: usize, complement: bool) -> Value {
    let managed: Vec<_> = (0..managers)
        .map(|manager| {
            json!({
                "apiVersion": "example.com/v1beta1", "fieldsType": "FieldsV1",
                "fieldsV1": { "f:metadata": { "f:labels": { ".": {}, "f:app": {}, "f:team": {} } },
                              "f:spec": { "f:hostPort": {}, "f:cronSpec": {}, "f:image": {} } },
                "manager": format!("manager-{manager}"), "operation": "Update", "time": "2024-05-01T10:00:00Z",
            })
        })
        .collect();
    let arguments: Vec<_> = (0..managers * 2)
        .map(|n| json!({ "name": format!("argument-{n}"), "value": n, "set": n % 2 == 0 }))
        .collect();
    let mut object = json!({
        "apiVersion": "example.com/v1beta1",
        "kind": "CronTab",
        "metadata": {
            "annotations": { "example.com/owner": "team-a", "example.com/note": "a \"quoted\" note" },
            "creationTimestamp": "2024-05-01T09:59:59Z",
            "generation": 3, "labels": { "app": "cron", "team": "a" },
            "managedFields": managed,
            "name": format!("crontab-{index}"), "namespace": "default",
            "resourceVersion": (100_000 + index).to_string(),
            "uid": format!("3415a7fc-162b-4300-b5da-{index:012}"),
        },
        "spec": { "arguments": arguments, "cronSpec": "*/5 * * * *", "hostPort": format!("host-{index}:80"),
                  "image": "registry.example.com/cron:v1" },
    });
    if complement {
        object["metadata"]["annotations"]["conversion.example.com/v1.spec.historyLimit"] =
            json!(r#"{"format":1,"peer":"v1beta1","keep":{"historyLimit":7}}"#);
        object["spec"]["historyLimit"] = json!("unknown to v1beta1");
    }
    object
}

/// The conversion as authors write it by hand: from bytes to bytes through a tree.
pub fn by_hand(request: &[u8]) -> Vec<u8> {
    answered(request, |object| {
        let spec = object["spec"].as_object_mut().expect("a spec");
        if let Some(Value::String(host_port)) = spec.remove("hostPort") {
            let (host, port) = host_port.rsplit_once(':').expect("host:port");
            spec.insert("host".to_owned(), json!(host));
            spec.insert("port".to_owned(), json!(port));
        }
        if let Some(schedule) = spec.remove("cronSpec") {
            spec.insert("schedule".to_owned(), schedule);
        }
        spec.insert("historyLimit".to_owned(), json!(3));
    })
}

/// Returns the answer to a review. `change` converts everything in an object but its version.
pub(crate) fn answered(request: &[u8], change: impl Fn(&mut Value)) -> Vec<u8> {
    let mut review: Value = serde_json::from_slice(request).expect("a review");
    let mut request = review["request"].take();
    let Value::Array(mut objects) = request["objects"].take() else { panic!("no objects") };
    for object in &mut objects {
        object["apiVersion"] = request["desiredAPIVersion"].clone();
        change(object);
    }
    let answer = json!({
        "kind": review["kind"], "apiVersion": review["apiVersion"],
        "response": { "uid": request["uid"], "convertedObjects": objects, "result": { "status": "Success" } },
    });
    serde_json::to_vec(&answer).expect("a review")
}
