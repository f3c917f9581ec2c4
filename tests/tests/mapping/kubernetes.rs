//! Texts with types of their own, groups of `Option`s, and enums that another version writes otherwise, in objects.

use crd_conv::testing::Tree;
use crd_conv::{ConvertError, Converter, ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// As `Quantity` of `k8s_openapi`: a text in JSON.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Amount(String);

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct Spec {
        memory: Option<Amount>,
        timeout: Option<Amount>,
        host_port: Option<String>,
        image: Option<Amount>,
        kind: Option<String>,
        name: Option<String>,
        api_version: Option<Amount>,
        config: Option<Amount>,
        store: Option<Store>,
        cache: Option<Cache>,
        queue: Option<Queue>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Store {
        S3(Bucket),
        Disk {},
        Memory,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "type")]
    pub(super) enum Cache {
        S3(Bucket),
        Disk {},
        Memory,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "type", content = "config")]
    pub(super) enum Queue {
        S3(Bucket),
        Disk {},
        Memory,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Bucket {
        bucket: String,
    }
}

mod v1 {
    use super::v1beta1::Bucket;
    use super::*;
    use crd_conv::with::{
        ApiGroup, ByKind, GoDuration, JsonText, Quantity, Retagged, Tagging::*, Template,
    };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta1::Spec,
        map(host_port <=> (host, port), with = HostPort, fallback(upgrade = (_, _))),
        map(image <=> (repository, tag), with = Template::new("{repository}:{tag}"), fallback(upgrade = (_, _))),
        map((kind, name) <=> reference, with = ByKind(&[("Secret", "secret")]), fallback(upgrade = _)),
    )]
    pub(super) struct Spec {
        #[versioned(with = Quantity::BYTES, fallback(upgrade = _))]
        memory: Option<i64>,
        #[versioned(with = GoDuration::SECONDS, fallback(upgrade = _, downgrade = _))]
        timeout: Option<i64>,
        host: Option<String>,
        port: Option<u16>,
        repository: Option<String>,
        tag: Option<String>,
        reference: Option<Reference>,
        #[versioned(renamed_from = api_version, with = ApiGroup("v1"), fallback(upgrade = _, downgrade = _))]
        group: Option<String>,
        #[versioned(with = JsonText, fallback(upgrade = _))]
        config: Option<Bucket>,
        #[versioned(with = Retagged(External, Internal("type")))]
        store: Option<Store>,
        #[versioned(with = Retagged(Internal("type"), Adjacent("kind", "spec")))]
        cache: Option<Cache>,
        #[versioned(with = Retagged(Adjacent("type", "config"), External))]
        queue: Option<Queue>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Reference {
        Secret(String),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "type")]
    pub(super) enum Store {
        S3(Bucket),
        Disk {},
        Memory,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "kind", content = "spec")]
    pub(super) enum Cache {
        S3(Bucket),
        Disk {},
        Memory,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Queue {
        S3(Bucket),
        Disk {},
        Memory,
    }

    /// Written for the plain types.
    struct HostPort;

    impl Converter<String, (String, u16)> for HostPort {
        fn upgrade(&self, older: String) -> Result<(String, u16), ConvertError> {
            let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
            Ok((host.to_owned(), port.parse()?))
        }

        fn downgrade(&self, (host, port): (String, u16)) -> Result<String, ConvertError> {
            Ok(format!("{host}:{port}"))
        }
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "pumps", scope = "Namespaced"))]
enum Pump {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

mod laws {
    crd_conv::laws!(super::Pump);
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Pump","metadata":{{}},"spec":{spec}}}"#
    )
}

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Pump>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

/// Both ways, and each time back.
#[track_caller]
fn same(old: &str, new: &str) {
    for ((from, spec), (to, other)) in
        [(("v1beta1", old), ("v1", new)), (("v1", new), ("v1beta1", old))]
    {
        let here = object(from, spec);
        let there = convert(&here, to);
        assert_eq!(Tree::read(&there), Tree::read(&object(to, other)), "{from}");
        assert_eq!(Tree::read(&convert(&there, from)), Tree::read(&here), "{from}");
    }
}

/// One way, where something is kept, and back.
#[track_caller]
fn kept(from: &str, spec: &str, to: &str, shown: &str) {
    let here = object(from, spec);
    let there = convert(&here, to);
    assert!(there.contains("annotations"), "{there}");
    assert_eq!(Tree::read(&there).at(&["spec"]), Some(&Tree::read(shown)));
    assert_eq!(Tree::read(&convert(&there, from)), Tree::read(&here));
}

#[test]
fn a_text_has_a_type_of_its_own() {
    same(r#"{"memory":"1Gi"}"#, r#"{"memory":1073741824}"#);
    same(r#"{"timeout":"1m30s"}"#, r#"{"timeout":90}"#);
    same(r#"{"apiVersion":"apps/v1"}"#, r#"{"group":"apps"}"#);
    same(r#"{"config":"{\"bucket\":\"a\"}"}"#, r#"{"config":{"bucket":"a"}}"#);
    same(r#"{"image":"web:1"}"#, r#"{"repository":"web","tag":"1"}"#);
    kept("v1beta1", r#"{"memory":"1024Mi"}"#, "v1", r#"{"memory":1073741824}"#);
    kept("v1beta1", r#"{"memory":"1e300"}"#, "v1", "{}");
    kept("v1beta1", r#"{"config":"null"}"#, "v1", "{}");
    kept("v1", r#"{"timeout":9223372036854775807}"#, "v1beta1", "{}");
}

#[test]
fn a_group_is_lifted() {
    same("{}", "{}");
    same(r#"{"hostPort":"::1:80"}"#, r#"{"host":"::1","port":80}"#);
    same(r#"{"kind":"Secret","name":"a"}"#, r#"{"reference":{"secret":"a"}}"#);
}

#[test]
fn an_incomplete_group_is_kept() {
    kept("v1", r#"{"host":"a"}"#, "v1beta1", "{}");
    kept("v1", r#"{"port":80}"#, "v1beta1", "{}");
    kept("v1", r#"{"tag":"1"}"#, "v1beta1", "{}");
    kept("v1beta1", r#"{"kind":"Secret"}"#, "v1", "{}");
    kept("v1beta1", r#"{"name":"a"}"#, "v1", "{}");
    // A client that writes the value in the other version replaces the whole group.
    let shown = convert(&object("v1", r#"{"host":"a"}"#), "v1beta1");
    let edited = shown.replace(r#""spec":{"#, r#""spec":{"hostPort":"b:1""#);
    let back = convert(&edited, "v1");
    let expected = Tree::read(r#"{"host":"b","port":1}"#);
    assert_eq!(Tree::read(&back).at(&["spec"]), Some(&expected), "{edited}");
}

#[test]
fn an_enum_is_retagged() {
    let bucket = r#""bucket":"a""#;
    let external = [&format!(r#"{{"s3":{{{bucket}}}}}"#), r#"{"disk":{}}"#, r#""memory""#];
    let internal =
        [&format!(r#"{{"type":"s3",{bucket}}}"#), r#"{"type":"disk"}"#, r#"{"type":"memory"}"#];
    let adjacent = [
        &format!(r#"{{"type":"s3","config":{{{bucket}}}}}"#),
        r#"{"type":"disk","config":{}}"#,
        r#"{"type":"memory"}"#,
    ];
    for ((external, internal), adjacent) in external.into_iter().zip(internal).zip(adjacent) {
        same(&format!(r#"{{"store":{external}}}"#), &format!(r#"{{"store":{internal}}}"#));
        let spec = adjacent.replace("type", "kind").replace("config", "spec");
        same(&format!(r#"{{"cache":{internal}}}"#), &format!(r#"{{"cache":{spec}}}"#));
        same(&format!(r#"{{"queue":{adjacent}}}"#), &format!(r#"{{"queue":{external}}}"#));
    }
}
