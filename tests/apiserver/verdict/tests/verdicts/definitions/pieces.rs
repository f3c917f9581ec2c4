//! What documents are made of and broken with.

use serde_json::{Value, json};

/// Times as Go reads them, and what it doesn't take for one.
const TIMES: [&str; 17] = [
    "2026-11-27T17:05:56Z",
    "2026-11-27T7:05:56Z",
    "2026-11-27T24:05:56Z",
    "2026-11-27T17:05:60Z",
    "2026-11-27T17:60:56Z",
    "2026-02-29T17:05:56Z",
    "2024-02-29T17:05:56,123Z",
    "2026-11-27T17:05:56.Z",
    "2026-11-27T17:05:56.0123456789+01:00",
    "2026-11-27T17:05:56+24:60",
    "2026-11-27T17:05:56-25:00",
    "2026-11-27t17:05:56z",
    "2026-11-27 17:05:56Z",
    "2026-11-27T17:05:56",
    "2026-11-27",
    "today",
    "",
];

/// A document with a little of everything.
pub(crate) fn rich() -> Value {
    let item = json!({
        "type": "object", "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "port": {"type": "integer", "format": "int32", "default": 80, "minimum": 1, "maximum": 65535},
        },
    });
    let schema = json!({
        "type": "object",
        "properties": {
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 20}}},
            "spec": {
                "type": "object",
                "default": {"mode": "Fast"},
                "properties": {
                    "mode": {"type": "string", "enum": ["Fast", "Slow"], "default": "Fast"},
                    "size": {"type": "integer", "multipleOf": 2, "default": 4},
                    "ratio": {"type": "number", "default": 0.5, "maximum": 1},
                    "ports": {
                        "type": "array", "items": item, "maxItems": 9,
                        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                        "default": [{"name": "a"}],
                    },
                    "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                    "limit": {
                        "x-kubernetes-int-or-string": true,
                        "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+%$", "default": "5%",
                    },
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic"},
                    "raw": {"x-kubernetes-preserve-unknown-fields": true},
                    "template": {
                        "type": "object", "x-kubernetes-embedded-resource": true,
                        "x-kubernetes-preserve-unknown-fields": true,
                        "default": {"apiVersion": "v1", "kind": "Pod", "more": {}},
                    },
                    "one": {
                        "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "nullable": true}},
                        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                        "x-kubernetes-validations": [{"rule": "has(self.a) || has(self.b)", "fieldPath": ".a"}],
                    },
                },
            },
            "status": {"type": "object", "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}}},
        },
    });
    let mut old = schema.clone();
    old["properties"]["spec"]["properties"]["size"]["default"] = json!(2);
    let version = |name: &str, storage, schema| {
        json!({
            "name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": schema},
            "subresources": {
                "status": {},
                "scale": {
                    "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas",
                    "labelSelectorPath": ".status.selector",
                },
            },
            "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
        })
    };
    let mut new = version("v1", true, schema);
    new["selectableFields"] = json!([{"jsonPath": ".spec.mode"}, {"jsonPath": ".spec.size"}]);
    let mut old = version("v1beta1", false, old);
    old["deprecated"] = json!(true);
    old["deprecationWarning"] = json!("use v1");
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com", "labels": {"a": "b"}, "annotations": {"example.com/A": ""}},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "boxes", "kind": "Box", "shortNames": ["b"], "categories": ["all"]},
            "versions": [new, old],
            "conversion": {
                "strategy": "Webhook",
                "webhook": {
                    "clientConfig": {"service": {"namespace": "a", "name": "b", "path": "/c", "port": 443}, "caBundle": "YQ=="},
                    "conversionReviewVersions": ["v1"],
                },
            },
        },
        "status": {"conditions": [], "acceptedNames": {"plural": "boxes", "kind": "Box"}, "storedVersions": ["v1beta1", "v1"]},
    })
}

type Values = Vec<Value>;

/// Keywords of a schema with values that fit and values that don't.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(crate) fn keywords() -> Vec<(&'static str, Values)> {
    let text = json!({"type": "string"});
    let rule = |rule: &str| json!([{"rule": rule}]);
    vec![
        (
            "type",
            vec![
                json!("string"),
                json!("object"),
                json!("array"),
                json!("integer"),
                json!("number"),
                json!("null"),
                json!("text"),
                json!(""),
            ],
        ),
        (
            "format",
            vec![
                json!("int32"),
                json!("date"),
                json!("uuid"),
                json!("ipv4"),
                json!("nonsense"),
                json!("date-time"),
            ],
        ),
        ("title", vec![json!("a")]),
        ("description", vec![json!("a"), json!("")]),
        (
            "default",
            vec![
                json!(1),
                json!(1.5),
                json!("a"),
                json!({}),
                json!([]),
                json!(null),
                json!({"a": 1}),
                json!(["a"]),
                json!(true),
                json!({"apiVersion": "v1", "kind": "A"}),
                json!({"mode": "Slow", "size": 3}),
            ],
        ),
        ("maximum", vec![json!(1), json!(0.5), json!(-3), json!(1e19)]),
        ("exclusiveMaximum", vec![json!(true), json!(3)]),
        ("minimum", vec![json!(1), json!(0.5)]),
        ("maxLength", vec![json!(0), json!(3), json!(-1)]),
        ("minLength", vec![json!(1), json!(4)]),
        (
            "pattern",
            vec![
                json!("^a*$"),
                json!("(?=a)"),
                json!("a{1001}"),
                json!("[[]"),
                json!("a**"),
                json!(""),
                json!("\\d"),
            ],
        ),
        ("maxItems", vec![json!(0), json!(3)]),
        ("uniqueItems", vec![json!(false), json!(true)]),
        ("multipleOf", vec![json!(2), json!(0.1), json!(0)]),
        ("enum", vec![json!([]), json!(["a", "Fast"]), json!([1, 2, 80]), json!([null])]),
        ("maxProperties", vec![json!(1), json!(0)]),
        ("minProperties", vec![json!(1)]),
        ("required", vec![json!(["a"]), json!(["name", "size"]), json!([])]),
        (
            "items",
            vec![
                json!({"type": "string"}),
                json!({}),
                json!([{"type": "string"}]),
                json!({"type": "string", "nullable": true}),
                json!(true),
            ],
        ),
        (
            "allOf",
            vec![
                json!([]),
                json!([{"required": ["a"]}]),
                json!([{"properties": {"a": {}, "spec": {"minProperties": 1}}}]),
                json!([{"anyOf": [{"type": "integer"}, {"type": "string"}]}]),
                json!([{"nullable": true}]),
                json!([{"minimum": 1}, {"maxLength": 3}]),
            ],
        ),
        (
            "oneOf",
            vec![
                json!([{"required": ["a"]}, {"required": ["b"]}]),
                json!([{"type": "string"}]),
                json!([{"properties": {"metadata": {}}}]),
                json!([{"enum": ["Fast"]}, {"maximum": 0}]),
            ],
        ),
        (
            "anyOf",
            vec![
                json!([{"type": "integer"}, {"type": "string"}]),
                json!([{"type": "string"}, {"type": "integer"}]),
                json!([{"format": "date"}, {"pattern": "a"}]),
                json!([{"items": {"maximum": 3}}]),
                json!([{"additionalProperties": false}]),
            ],
        ),
        (
            "not",
            vec![
                json!({"required": ["b"]}),
                json!({"description": "a"}),
                json!({"minimum": 3}),
                json!({}),
                json!({"not": {"enum": ["a"]}}),
            ],
        ),
        (
            "properties",
            vec![
                json!({}),
                json!({"a": text}),
                json!({"a": {}}),
                json!({"metadata": {"type": "object"}}),
                json!({"kind": {"type": "integer"}}),
                json!({"apiVersion": {"type": "string", "default": "a/b/c"}}),
            ],
        ),
        (
            "additionalProperties",
            vec![
                json!(true),
                json!(false),
                json!({"type": "string"}),
                json!({}),
                json!({"type": "string", "default": 1}),
                json!("a"),
            ],
        ),
        ("patternProperties", vec![json!({"a": text}), json!({})]),
        ("dependencies", vec![json!({"a": ["b"]}), json!({})]),
        ("additionalItems", vec![json!(true)]),
        ("definitions", vec![json!({"a": text}), json!({})]),
        ("$ref", vec![json!("#/a"), json!("")]),
        ("$schema", vec![json!("a"), json!("")]),
        ("id", vec![json!("a"), json!("")]),
        ("const", vec![json!(1)]),
        ("example", vec![json!(1)]),
        ("externalDocs", vec![json!({"url": "a"})]),
        ("nullable", vec![json!(true), json!(false)]),
        ("x-kubernetes-preserve-unknown-fields", vec![json!(true), json!(false)]),
        ("x-kubernetes-embedded-resource", vec![json!(true), json!(false)]),
        ("x-kubernetes-int-or-string", vec![json!(true), json!(false)]),
        ("x-kubernetes-list-type", vec![json!("atomic"), json!("set"), json!("map"), json!("bag")]),
        (
            "x-kubernetes-list-map-keys",
            vec![
                json!(["name"]),
                json!([]),
                json!(["port"]),
                json!(["name", "name"]),
                json!(["a"]),
            ],
        ),
        ("x-kubernetes-map-type", vec![json!("atomic"), json!("granular"), json!("set")]),
        (
            "x-kubernetes-validations",
            vec![
                rule("true"),
                rule("self == oldSelf"),
                rule("has(self.missing)"),
                rule("type(oldSelf) == type(self)"),
                rule("1 +"),
                rule(" "),
                json!([]),
                json!([{"rule": "true\n&& true"}]),
                json!([{"rule": "true", "message": " "}]),
                json!([{"rule": "true", "message": "a\nb"}]),
                json!([{"rule": "true", "messageExpression": " "}]),
                json!([{"rule": "true", "messageExpression": "'a'"}]),
                json!([{"rule": "true", "reason": "FieldValueInvalid", "fieldPath": ".a"}]),
                json!([{"rule": "true", "reason": "Nonsense"}]),
                json!([{"rule": "true", "fieldPath": "a"}]),
                json!([{"rule": "true", "fieldPath": ".spec['mode']"}]),
                json!([{"rule": "true", "optionalOldSelf": true}]),
                json!([{"rule": "!oldSelf.hasValue() || true", "optionalOldSelf": true}]),
            ],
        ),
    ]
}

/// Fields of a document with values that fit and values that don't.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(crate) fn fields() -> Vec<(&'static str, Values)> {
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<_>>();
    vec![
        ("/metadata/name", texts(&["boxes.example.com", "boxes", "boxes.example.org"])),
        ("/metadata/generateName", texts(&["boxes-", ""])),
        ("/metadata/namespace", texts(&["a"])),
        (
            "/metadata/finalizers",
            vec![json!(["a/b"]), json!(["a b"]), json!(["orphan", "foregroundDeletion"])],
        ),
        (
            "/metadata/labels",
            vec![json!({"a/b": "C"}), json!({"a b": ""}), json!({"a": "b c"}), json!({"a": 1})],
        ),
        ("/metadata/annotations", vec![json!({"A/b": "any thing"}), json!({"a b": ""})]),
        (
            "/spec/group",
            texts(&["example.com", "example", "Example.com", "", "a.k8s.io", "a.kubernetes.io"]),
        ),
        ("/spec/scope", texts(&["Cluster", "Everywhere", ""])),
        ("/spec/names/plural", texts(&["boxes", "Boxes", ""])),
        ("/spec/names/singular", texts(&["box", "a_b", "1"])),
        ("/spec/names/kind", texts(&["Box", "box-1", "1Box", "A b", "BoxList"])),
        ("/spec/names/listKind", texts(&["Boxes", "Box", "1"])),
        ("/spec/names/shortNames", vec![json!(["a", "b"]), json!(["A"]), json!("a")]),
        ("/spec/names/categories", vec![json!(["all"]), json!(["1"])]),
        ("/spec/preserveUnknownFields", vec![json!(false), json!(true)]),
        ("/spec/versions/0/name", texts(&["v1", "V1", "1v", "foo", "v1beta1", "v2"])),
        ("/spec/versions/0/storage", vec![json!(true), json!(false)]),
        ("/spec/versions/1/storage", vec![json!(true), json!(false)]),
        ("/spec/versions/0/deprecated", vec![json!(true)]),
        ("/spec/versions/1/deprecated", vec![json!(true), json!(false)]),
        (
            "/spec/versions/1/deprecationWarning",
            texts(&["", "a", "a\nb", "\u{a0}", "\u{e4}\u{1f600}", "a\u{200b}"]),
        ),
        (
            "/spec/versions/1/schema",
            vec![json!({}), json!(null), json!({"openAPIV3Schema": {"type": "object"}})],
        ),
        (
            "/spec/versions/0/subresources",
            vec![json!({}), json!({"status": {}}), json!({"status": null}), json!({"scale": {}})],
        ),
        ("/spec/versions/1/subresources", vec![json!({}), json!({"status": {}}), json!(null)]),
        (
            "/spec/versions/0/subresources/scale/specReplicasPath",
            texts(&[".spec.a", ".spec.", ".status.a", "spec.a", ""]),
        ),
        (
            "/spec/versions/0/subresources/scale/statusReplicasPath",
            texts(&[".status.a", ".spec.a", ""]),
        ),
        (
            "/spec/versions/0/subresources/scale/labelSelectorPath",
            texts(&[".status.a", ".spec.a", ".a", ""]),
        ),
        (
            "/spec/versions/0/additionalPrinterColumns",
            vec![
                json!([{"name": "A", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1}]),
                json!([{"name": "A", "type": "time", "jsonPath": ".a"}]),
                json!([{"name": "A", "type": "string", "format": "uuid", "jsonPath": ".a"}]),
                json!([{"name": "A", "type": "string", "jsonPath": "a"}]),
                json!([{"type": "string", "jsonPath": ".a"}]),
                json!([{"name": "A", "type": "string"}]),
            ],
        ),
        (
            "/spec/versions/0/selectableFields",
            vec![
                json!([{"jsonPath": ".spec.mode"}]),
                json!([{"jsonPath": ".spec.ports[0]"}]),
                json!([{"jsonPath": ".spec.labels.a"}]),
                json!([{"jsonPath": ".spec.mode"}, {"jsonPath": ".spec.mode"}]),
                json!([{"jsonPath": ".metadata.name"}]),
                json!([{"jsonPath": ""}]),
                json!([{"jsonPath": ".spec.ratio"}]),
            ],
        ),
        (
            "/spec/versions/1/selectableFields",
            vec![
                json!([{"jsonPath": ".spec.mode"}, {"jsonPath": ".spec.size"}]),
                json!([{"jsonPath": ".spec.size"}, {"jsonPath": ".spec.mode"}]),
                json!([{"jsonPath": ".spec.nothing"}]),
            ],
        ),
        (
            "/spec/conversion",
            vec![
                json!({"strategy": "None"}),
                json!({"strategy": "Webhook"}),
                json!({}),
                json!({"strategy": "None", "webhook": {}}),
                json!(null),
            ],
        ),
        ("/spec/conversion/strategy", texts(&["None", "Webhook", "Other"])),
        (
            "/spec/conversion/webhook/clientConfig",
            vec![
                json!({}),
                json!(null),
                json!({"url": "https://a.b/c"}),
                json!({"url": "https://a", "service": {"name": "a", "namespace": "b"}}),
            ],
        ),
        ("/spec/conversion/webhook/clientConfig/url", texts(&["https://a.b/c", "", "http://a"])),
        (
            "/spec/conversion/webhook/clientConfig",
            [
                "https://a.b",
                "HTTPS://a.b:443/c",
                "https://",
                "https://:443",
                "https://a:b@c",
                "https://a?",
                "https://a?b",
                "https://a#",
                "https://a#b",
                "https://a b",
                "https://a/b c",
                "https://a/%zz",
                "https://[::1]:80/",
                "https://[::1",
                "https://[a]",
                "https://a:x",
                "https://a:b:1",
                "a.b/c",
                ":a",
                "https:a",
                "//a.b",
                "https:///a",
                "https://a%41",
                "https://\u{e4}.b",
                "https://a\tb",
                "https://a/\u{7f}",
            ]
            .iter()
            .map(|url| json!({"url": url}))
            .collect(),
        ),
        (
            "/spec/conversion/webhook/clientConfig/caBundle",
            texts(&["", "YQ==", "YQ", "!", "Y\nQ=="]),
        ),
        (
            "/spec/conversion/webhook/clientConfig/service/port",
            vec![json!(1), json!(0), json!(65536), json!(-1), json!(5_000_000_000_i64)],
        ),
        (
            "/spec/conversion/webhook/clientConfig/service/path",
            texts(&["/", "", "/a", "a", "/a/", "//", "/a//b", "/A", "/a_b", "/a.b/c-d"]),
        ),
        ("/spec/conversion/webhook/clientConfig/service/name", texts(&["a", ""])),
        (
            "/spec/conversion/webhook/conversionReviewVersions",
            vec![
                json!(["v1"]),
                json!([]),
                json!(["v1", "v1"]),
                json!(["v2"]),
                json!(["v1", "V2"]),
                json!(["v2", "v1beta1"]),
            ],
        ),
        ("/metadata/creationTimestamp", texts(&TIMES)),
        ("/metadata/generation", vec![json!(1), json!(-1), json!("1")]),
        ("/metadata/resourceVersion", texts(&["4", "0", "", "a", "-1", "18446744073709551616"])),
        ("/metadata/uid", texts(&["4a26dd38-61bc-4aa7-bdef-a5f739d0334e", ""])),
        ("/metadata/selfLink", texts(&["/a"])),
        ("/metadata/deletionTimestamp", texts(&["2026-11-27T17:05:56.5+01:00"])),
        ("/metadata/deletionGracePeriodSeconds", vec![json!(1), json!(-1)]),
        ("/status", vec![json!({}), json!({"storedVersions": "v1"}), json!({"more": 1})]),
        ("/status/conditions", TIMES.map(|time| json!([{"lastTransitionTime": time}])).into()),
        (
            "/status/storedVersions",
            vec![json!(["v1"]), json!(["v1beta1"]), json!(["v0", "v1"]), json!([])],
        ),
        (
            "/status/acceptedNames",
            vec![json!({"plural": "boxes", "kind": "Box"}), json!({"plural": "A", "kind": "Box"})],
        ),
        ("/apiVersion", texts(&["apiextensions.k8s.io/v1"])),
    ]
}
