#![allow(dead_code, reason = "the types are there for their schemas")]

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::fixture::{CRON_TAB, DEFINITION, FULL, cron_tab, field, version};
use super::{CrdOptions, Webhook, build::build};
use crate::ConvertError;
use crate::definition::{Definition, Layout, Scale, Stanza, TypeRef, VersionDefinition};
use crate::plan::{Field, Indexed, Nested, Rule, StructPlan};

fn options() -> CrdOptions {
    CrdOptions::new().webhook(
        Webhook::service("default", "example-conversion-webhook-server").path("/crdconvert"),
    )
}

fn problems(definition: &Definition, options: &CrdOptions) -> Vec<String> {
    build(definition, &[], options).unwrap_err().errors.iter().map(ToString::to_string).collect()
}

#[test]
fn the_documentations_cron_tab() {
    let crd = cron_tab().crd(&options()).unwrap();
    assert_eq!(
        serde_json::to_string(&crd).unwrap(),
        concat!(
            r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"crontabs.example.com"},"#,
            r#""spec":{"group":"example.com","names":{"plural":"crontabs","singular":"crontab","shortNames":["ct"],"kind":"CronTab","listKind":"CronTabList"},"scope":"Namespaced","versions":["#,
            r#"{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"host":{"type":"string"},"port":{"type":"string"}}}}},"#,
            r#"{"name":"v1beta1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"hostPort":{"type":"string"}}}}}],"#,
            r#""conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"default","name":"example-conversion-webhook-server","path":"/crdconvert"}},"conversionReviewVersions":["v1","v1beta1"]}}}}"#
        )
    );
}

#[test]
fn everything_a_version_can_declare() {
    let found = problems(&FULL, &CrdOptions::new());
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "`.spec.tasks.limit` of `v1` has the default 3 in the schema and the value 4 in the mapping; write the same \
         in both places, because the API server fills in the default before it asks for a conversion"
    );
    assert!(found[1].contains("--service-name") && found[1].contains("--url"), "{}", found[1]);

    // The same without the mapping, which is what was wrong with it.
    let [old, new] = FULL.versions else { panic!("two versions") };
    let versions = [*old, VersionDefinition { plan: Some(|| None), ..*new }];
    let definition = Definition { versions: Box::leak(Box::new(versions)), ..FULL };
    let crd = build(&definition, &[], &CrdOptions::new()).unwrap();
    let json = serde_json::to_string(&crd).unwrap();
    for part in [
        r#""metadata":{"name":"fulls.example.com","labels":{"a":"1","b":"2"},"annotations":{"c":"on"}}"#,
        r#""names":{"plural":"fulls","singular":"full","kind":"Full","listKind":"FullSet","categories":["all"]},"scope":"Cluster""#,
        r#"{"name":"v1alpha1","served":false,"storage":false,"deprecated":true,"deprecationWarning":"use v1","schema":"#,
        r#""required":["spec"],"properties":{"spec":{"#,
        r#""status":{"type":"object","required":["replicas"],"properties":{"conversionEntries":{"description":"#,
        r#""replicas":{"type":"integer","format":"int32"}},"nullable":true}"#,
        r#""subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas","labelSelectorPath":".status.selector"}}"#,
        r#""additionalPrinterColumns":[{"name":"Replicas","type":"integer","format":"int32","description":"How many.","priority":1,"jsonPath":".spec.replicas"}]"#,
        r#""selectableFields":[{"jsonPath":".spec.replicas"}]"#,
        r#""conversion":{"strategy":"None"}"#,
    ] {
        assert!(json.contains(part), "{part}\n{json}");
    }
}

/// The mapping isn't checked, and the status has only its own fields.
#[test]
fn only_what_the_types_say() {
    let of =
        |options: &CrdOptions| serde_json::to_string(&build(&FULL, &[], options).unwrap()).unwrap();
    let json = of(&CrdOptions::new().types_only());
    assert!(!json.contains("conversionEntries"), "{json}");
    assert!(json.contains(r#""conversion":{"strategy":"None"}"#), "{json}");
    // The webhook is said even if all versions are the same.
    let json = of(&options().types_only());
    assert!(json.contains(r#""conversion":{"strategy":"Webhook""#), "{json}");
}

#[cfg(feature = "yaml")]
#[test]
fn yaml_and_json_say_the_same() {
    let crd = cron_tab().crd(&options()).unwrap();
    let [from_yaml] = &crate::yaml::to_json(&crd.to_yaml().unwrap()).unwrap()[..] else {
        panic!("one document")
    };
    assert_eq!(*from_yaml, serde_json::to_string(&crd).unwrap());
}

#[test]
fn conversion_is_none_only_if_every_hop_is_the_identity() {
    static SAME: StructPlan = StructPlan::new(
        "Old",
        "New",
        &[Rule::Kept {
            older: field("a", "A", true),
            newer: field("a", "A", true),
            // A type that holds itself.
            nested: Indexed::new(|_| Some(|| Nested::Struct(&SAME)), 0),
        }],
    );
    static RENAMED: StructPlan = StructPlan::new(
        "Old",
        "New",
        &[Rule::Kept {
            older: field("a", "A", true),
            newer: field("b", "A", true),
            nested: Indexed::NOTHING,
        }],
    );
    static INSIDE: StructPlan = StructPlan::new(
        "Old",
        "New",
        &[Rule::Kept {
            older: field("a", "A", true),
            newer: field("a", "A", true),
            nested: Indexed::new(|_| Some(|| Nested::Struct(&RENAMED)), 0),
        }],
    );
    static NOT_NULL: StructPlan = StructPlan::new(
        "Old",
        "New",
        &[Rule::Kept {
            older: field("a", "A", true),
            newer: Field { nullable: false, ..field("a", "A", true) },
            nested: Indexed::NOTHING,
        }],
    );
    static FILLED: StructPlan = StructPlan::new(
        "Old",
        "New",
        &[Rule::Kept {
            older: Field { default: Some(one), ..field("a", "A", true) },
            newer: field("a", "A", true),
            nested: Indexed::NOTHING,
        }],
    );
    #[expect(clippy::unnecessary_wraps, reason = "the signature of a default")]
    fn one(text: &mut String) -> Result<bool, ConvertError> {
        text.push('1');
        Ok(true)
    }
    let strategy = |plan: fn() -> Option<Nested>| {
        let [old, new] = CRON_TAB.versions else { panic!("two versions") };
        let versions = [*old, VersionDefinition { plan: Some(plan), ..*new }];
        let definition = Definition { versions: Box::leak(Box::new(versions)), ..CRON_TAB };
        build(&definition, &[], &options()).unwrap().spec.conversion.strategy
    };
    assert_eq!(strategy(|| None), "None");
    assert_eq!(strategy(|| Some(Nested::Struct(&SAME))), "None");
    assert_eq!(strategy(|| Some(Nested::Struct(&RENAMED))), "Webhook");
    assert_eq!(strategy(|| Some(Nested::Struct(&INSIDE))), "Webhook");
    // What one version has unset, the other one fills in or drops.
    assert_eq!(strategy(|| Some(Nested::Struct(&NOT_NULL))), "Webhook");
    assert_eq!(strategy(|| Some(Nested::Struct(&FILLED))), "Webhook");
}

#[test]
fn what_breaks_the_servers_rules_is_said_all_at_once() {
    #[derive(JsonSchema)]
    struct Wrong {
        unit: (),
        pair: (BTreeMap<String, i32>, BTreeMap<String, bool>),
    }
    let wrong = version("V1", Layout::Root(TypeRef::of::<Wrong>("Wrong")));
    let definition = Definition {
        group: "example",
        kind: "Cron_Tab",
        plural: "CronTabs",
        versions: Box::leak(Box::new([
            VersionDefinition { deprecation_warning: Some("\n"), ..wrong },
            VersionDefinition { name: "v1", selectable_fields: &["spec", ".a"], ..wrong },
        ])),
        ..DEFINITION
    };
    let found = problems(&definition, &CrdOptions::new());
    for part in [
        "spec.group: invalid: `example` has no dot",
        "spec.names.kind: invalid: `Cron_Tab`",
        "spec.names.plural: invalid: `CronTabs`",
        "name: invalid: `V1`",
        "exactly one version must have `storage: true`, but none have it",
        "version `V1`: spec.versions[1].deprecationWarning: invalid: only a deprecated version has it",
        "deprecationWarning: invalid: it has characters that can't be printed",
        "version `V1`: `.unit` (Rust type `Wrong`) can only be null",
        "version `v1`: `.pair[]` (Rust type `Wrong`) is a tuple",
    ] {
        assert!(found.iter().any(|problem| problem.contains(part)), "{part}\n{found:#?}");
    }
}

#[test]
fn the_root_is_a_plain_object() {
    #[derive(JsonSchema)]
    #[schemars(extend("minProperties" = 1, "x-kubernetes-map-type" = "atomic"))]
    struct Rooted {
        metadata: String,
    }
    let root = |ty| {
        let versions = [VersionDefinition { storage: true, ..version("v1", Layout::Root(ty)) }];
        let definition = Definition { versions: Box::leak(Box::new(versions)), ..DEFINITION };
        problems(&definition, &CrdOptions::new()).join("\n")
    };
    assert!(root(TypeRef::of::<String>("String")).contains("isn't a struct"));
    let rooted = root(TypeRef::of::<Option<Rooted>>("Option<Rooted>"));
    for part in ["may be null", "`minProperties`", "`metadata`", "`x-kubernetes-map-type`"] {
        assert!(rooted.contains(part), "{part}\n{rooted}");
    }
    let map = root(TypeRef::of::<std::collections::BTreeMap<String, String>>("Map"));
    assert!(map.contains("is a map"), "{map}");
}

#[test]
fn the_scale_subresource_points_at_nothing_that_may_be_null() {
    #[derive(JsonSchema)]
    struct Spec {
        replicas: Option<i32>,
    }
    #[derive(JsonSchema)]
    struct Status {
        replicas: i32,
        selector: Option<String>,
    }
    let stanza = |wire, ty| Stanza { wire, optional: false, ty };
    let stanzas = Box::leak(Box::new([
        stanza("spec", TypeRef::of::<Spec>("Spec")),
        stanza("status", TypeRef::of::<Status>("Status")),
    ]));
    let scale = Scale {
        spec_replicas_path: ".spec.replicas",
        status_replicas_path: ".status.replicas",
        label_selector_path: Some(".status.selector"),
    };
    let of_version = VersionDefinition {
        storage: true,
        scale: Some(scale),
        ..version("v1", Layout::Stanzas(stanzas))
    };
    let versions = Box::leak(Box::new([of_version]));
    let found = problems(&Definition { versions, ..DEFINITION }, &CrdOptions::new());
    let message = |field, path| {
        format!(
            "version `v1`: spec.versions[0].subresources.scale.{field}: invalid: `{path}` leads to a field that may be null, but the API server refuses every object with null there; remove `nullable`: write \
             `#[versioned(nullable = false)]` on the field"
        )
    };
    assert_eq!(
        found,
        [
            message("specReplicasPath", ".spec.replicas"),
            message("labelSelectorPath", ".status.selector")
        ]
    );
}

#[test]
fn a_webhook_that_the_server_takes_passes() {
    let pem = "# ours\n-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n";
    for webhook in [
        Webhook::service("default", "example").path("/crdconvert").ca_bundle(pem),
        Webhook::service("default", "example").path("/").port(65535),
        Webhook::service("default", "example").path("/a-b/c.d/"),
        Webhook::url("https://my-webhook.example.com:9443/my-webhook-path"),
        Webhook::url("https://[::1]").review_versions(["v2", "v1beta1"]),
    ] {
        let crd = cron_tab().crd(&CrdOptions::new().webhook(webhook));
        crd.unwrap_or_else(|errors| panic!("{errors}"));
    }
}

#[test]
fn a_webhook_that_the_server_refuses_is_refused_with_a_sentence() {
    let service = || Webhook::service("default", "example");
    for (webhook, problem) in [
        (service().path("crdconvert"), "doesn't start with `/`"),
        (service().path("/a//b"), "has an empty segment"),
        (service().path("/crdConvert"), "`crdConvert`"),
        (service().path("/crd_convert"), "`crd_convert`"),
        (service().port(0), "isn't between 1 and 65535"),
        (Webhook::service("", "example"), "no namespace"),
        (Webhook { url: Some("https://a.b".into()), ..service() }, "both a URL and a service"),
        (Webhook::url("http://a.b"), "doesn't start with `https://`"),
        (Webhook::url("https://"), "names no host"),
        (Webhook::url("https://a:b@c.d"), "user"),
        (Webhook::url("https://a.b/c?d"), "query"),
        (Webhook::url("https://a.b#c"), "fragment"),
        (Webhook::url("https://a b"), "isn't a URL"),
        (service().ca_bundle("nonsense"), "no certificate in PEM form"),
        (service().review_versions([""; 0]), "write the versions"),
        (service().review_versions(["v1", "v1"]), "twice"),
        (service().review_versions(["v2"]), "neither"),
        (service().review_versions(["v1", "V2"]), "`V2`"),
    ] {
        let found = problems(&CRON_TAB, &CrdOptions::new().webhook(webhook.clone()));
        assert_eq!(found.len(), 1, "{webhook:?}: {found:?}");
        assert!(found[0].contains(problem), "{}", found[0]);
    }
}
