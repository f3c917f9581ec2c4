//! Several optional fields and a kind with a name, which become unions, in objects.

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        git: Option<Held>,
        oci: Option<Held>,
        s3: Option<Held>,
        gs: Option<Held>,
        kind: String,
        name: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Held {
        url: String,
    }
}

mod v1 {
    use super::v1beta1::Held;
    use super::*;
    use crd_conv::with::{ByKind, OneOf};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Spec,
        map((git, oci) <=> source, with = OneOf::new(["git", "oci"])),
        map((s3, gs) <=> store, with = OneOf::new(["S3", "Gs"]).tag("type"), fallback(upgrade = _)),
        map((kind, name) <=> reference, with = ByKind(&[("Secret", "secret"), ("ConfigMap", "config")])),
    )]
    pub(super) struct Spec {
        source: Source,
        store: Option<Store>,
        reference: Reference,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Source {
        Git(Held),
        Oci(Held),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub(super) enum Store {
        S3(Held),
        Gs(Held),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Reference {
        Secret(String),
        Config(String),
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Gadget","metadata":{{}},"spec":{spec}}}"#
    )
}

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Gadget>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

#[track_caller]
fn there_and_back(old: &str, new: &str) {
    let old = object("v1beta1", old);
    let there = convert(&old, "v1");
    assert_eq!(Tree::read(&there).at(&["spec"]), Some(&Tree::read(new)));
    assert_eq!(Tree::read(&convert(&there, "v1beta1")), Tree::read(&old));
    // Also without what is kept.
    if !there.contains("annotations") {
        let bare = object("v1", new);
        assert_eq!(Tree::read(&convert(&convert(&bare, "v1beta1"), "v1")), Tree::read(&bare));
    }
}

#[test]
fn fields_become_a_union() {
    there_and_back(r#"{"git":{"url":"a"}}"#, r#"{"source":{"git":{"url":"a"}}}"#);
    there_and_back(r#"{"oci":{"url":"a"}}"#, r#"{"source":{"oci":{"url":"a"}}}"#);
    there_and_back(r#"{"s3":{"url":"a"}}"#, r#"{"store":{"type":"S3","url":"a"}}"#);
    // What the variant's type doesn't know is kept.
    there_and_back(r#"{"gs":{"url":"a","x":1}}"#, r#"{"store":{"type":"Gs","url":"a"}}"#);
    there_and_back("{}", "{}");
}

#[test]
fn two_at_once_are_refused_or_kept() {
    there_and_back(r#"{"s3":{"url":"a"},"gs":{"url":"b"}}"#, "{}");
    let both = object("v1beta1", r#"{"git":{"url":"a"},"oci":{"url":"b"}}"#);
    let error = ResourceType::of::<Gadget>().convert(both.as_bytes(), "v1").expect_err("refused");
    let error = error.to_string();
    assert!(error.contains("only one of `git`, `oci` can be set"), "{error}");
    assert!(error.contains("spec.git, spec.oci"), "{error}");
}

#[test]
fn a_kind_becomes_a_variant() {
    there_and_back(r#"{"kind":"ConfigMap","name":"a"}"#, r#"{"reference":{"config":"a"}}"#);
    there_and_back(r#"{"kind":"Secret","name":""}"#, r#"{"reference":{"secret":""}}"#);
}

#[test]
fn only_an_object_comes_back_into_a_union_with_its_tag_inside() {
    let forged = |value: &str| {
        let entry =
            format!(r#"{{"format":1,"peer":"v1beta1","keep":{{"store":{value}}},"guard":{{}}}}"#);
        format!(
            r#"{{"apiVersion":"example.com/v1beta1","kind":"Gadget","metadata":{{"annotations":{{"conversion.example.com/v1.spec.store":{entry:?}}}}},"spec":{{}}}}"#
        )
    };
    let store = |value: &str| {
        Tree::read(&convert(&forged(value), "v1")).at(&["spec", "store"]).map(Tree::write)
    };
    for mistyped in ["7", "[]", "\"x\""] {
        assert_eq!(store(mistyped), None);
    }
    let known = r#"{"type":"S3","url":"a"}"#;
    assert_eq!(store(known).as_deref(), Some(known));
}
