//! Parts of an import. `tests/schema/imported.rs` has a document with everything, whose types are compiled.

mod next;

use serde_json::{Value, json};

use super::{ImportError, ImportOptions, Imported, import, names, text};
use crate::json::Json;

/// A document with these schemas of `spec`, the oldest version first.
fn document(specs: &[Value]) -> Value {
    let count = specs.len();
    let versions: Vec<_> = specs
        .iter()
        .enumerate()
        .map(|(at, spec)| {
            json!({"name": format!("v{}", at + 1), "served": true, "storage": at + 1 == count, "schema":
                {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}})
        })
        .collect();
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {"group": "example.com", "names": {"plural": "boxes", "kind": "Box"}, "scope": "Namespaced", "versions": versions}})
}

fn imported(document: &Value) -> Imported {
    import(&[Json::from(document)], &ImportOptions::new()).unwrap()
}

/// Schemas with these properties.
fn specs(all: &[Value]) -> Vec<Value> {
    all.iter().map(|properties| json!({"type": "object", "properties": properties})).collect()
}

#[test]
fn names_of_fields() {
    let all = ["clusterIPs", "fooBar", "HTTPRoute", "1st", "_", "self", "Self", "self_2", "type"];
    let found = names::fields(all.into_iter());
    assert_eq!(
        found,
        [
            "cluster_ips",
            "foo_bar",
            "http_route",
            "f_1st",
            "field",
            "self_",
            "self_2",
            "self_2_2",
            "type"
        ]
    );
    let raw: Vec<_> = found.iter().map(|name| names::raw(name)).collect();
    assert_eq!(raw[5..], ["self_", "self_2", "self_2_2", "r#type"]);
    assert_eq!(names::camel("foo_bar"), "fooBar");
}

#[test]
fn names_of_types_variants_and_modules() {
    for (many, one) in
        [("Policies", "Policy"), ("Addresses", "Address"), ("Boxes", "Box"), ("Zones", "Zone")]
    {
        assert_eq!(names::singular(many).as_deref(), Some(one));
    }
    assert_eq!(["Status", "Class", "Data", "s"].map(names::singular), [None, None, None, None]);
    assert_eq!(
        names::variants(&["foo", "", "Foo", "Self", "1"]),
        ["Foo2", "Empty", "Foo", "SelfValue", "N1"]
    );
    // The order of the values doesn't matter.
    assert_eq!(names::variants(&["Foo", "foo"]), ["Foo", "Foo2"]);
    let modules = names::modules(["serde", "boxes", "type", "a-b", "boxes", "1"].into_iter());
    assert_eq!(modules, ["serde_2", "boxes", "type_2", "a_b", "boxes_2", "m1"]);
    assert_eq!(["Box", "Thing", "a\"b"].map(names::of_kind), ["BoxResource", "Thing", "AB"]);
}

#[test]
fn literals_can_not_be_left() {
    for (given, written) in [
        ("a", "\"a\""),
        ("\\d", "r#\"\\d\"#"),
        ("\"#", "r##\"\"#\"##"),
        ("\n\t\r\\\"", r#""\n\t\r\\\"""#),
        ("\0\u{202e}", r#""\u{0}\u{202e}""#),
    ] {
        assert_eq!(text::string(given), written);
    }
    assert_eq!(text::in_comment("a\n*/ b"), "a */ b");
    // `json!` can't read so much.
    let many = Json::Array((0..200).map(|at| Json::Text(at.to_string())).collect());
    assert!(text::json(&many).starts_with("serde_json::from_str::<serde_json::Value>(r#\"[\"0\""));
}

#[test]
fn versions_with_the_same_types_share_them() {
    let spec = &specs(&[json!({"a": {"type": "string"}})])[0];
    let imported = imported(&document(&[spec.clone(), spec.clone()]));
    let files: Vec<_> =
        imported.files.iter().map(|file| (file.path.to_str().unwrap(), &*file.text)).collect();
    let [(_, item), (shared, types), (_, v1), (_, v2)] = files[..] else { panic!("{files:?}") };
    assert_eq!(shared, "boxes/shared.rs");
    assert!(item.contains("enum BoxResource") && types.contains("pub struct BoxSpec {"), "{item}");
    assert_eq!([v1, v2], ["pub use super::shared::BoxSpec;\n"; 2]);
}

#[test]
fn a_type_in_two_forms_has_two_names() {
    let inner = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    let all = specs(&[
        json!({"zone": inner("a"), "other": {"type": "object", "properties": {"zone": inner("a")}}}),
        json!({"zone": inner("b"), "other": {"type": "object", "properties": {"zone": inner("a")}}}),
    ]);
    let imported = imported(&document(&all));
    let v2 = &imported.files.last().unwrap().text;
    assert!(v2.contains("from = super::shared::Zone, removed(a)"), "{v2}");
    assert!(
        v2.contains("pub struct BoxSpecZone {")
            && v2.contains("pub use super::shared::{Other, Zone};"),
        "{v2}"
    );
}

#[test]
fn pairs_of_fields_that_may_be_one() {
    let zone = json!({"weight": {"type": "integer", "format": "int64"}});
    let named =
        json!({"weight": {"type": "integer", "format": "int64"}, "name": {"type": "string"}});
    let all = specs(&[
        json!({
            "ttl": {"type": "string"},
            "owner": {"type": "string", "description": "Who has it."},
            "zones": {"type": "object", "additionalProperties": {"type": "object", "properties": zone}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "port": {"type": "string"},
            "host": {"type": "string"},
            "unrelated": {"type": "boolean"},
        }),
        json!({
            "ttlSeconds": {"type": "integer", "format": "int64"},
            "keeper": {"type": "string", "description": "Who has it."},
            "zones": {"type": "array", "items": {"type": "object", "properties": named}},
            "labels": {"type": "array", "items": {"type": "object", "properties":
                {"key": {"type": "string"}, "value": {"type": "string"}}}},
            "port": {"type": "integer", "format": "int64"},
            "hosts": {"type": "array", "items": {"type": "string"}},
            "new": {"type": "boolean"},
        }),
    ]);
    let imported = imported(&document(&all));
    let text = imported.to_text();
    let found: Vec<_> =
        text.lines().filter_map(|line| line.split_once("//   #[versioned(")).collect();
    let found: Vec<_> = found
        .iter()
        .filter_map(|(_, rest)| rest.split_once(")]   "))
        .map(|(items, _)| items)
        .collect();
    assert_eq!(
        found,
        [
            "renamed_from = host, with = crd_conv::with::First",
            "renamed_from = owner",
            "with = crd_conv::with::Inverse(crd_conv::with::Pairs(\"key\", \"value\"))",
            "with = crd_conv::with::Inverse(crd_conv::with::IntText)",
            "renamed_from = ttl, with = crd_conv::with::GoDuration::SECONDS",
            "with = crd_conv::with::Inverse(crd_conv::with::KeyedBy(\"name\"))",
        ],
        "{text}"
    );
}

#[test]
fn what_can_not_be_written_is_noted() {
    let spec = json!({"type": "object", "required": ["gone"], "properties": {
        "untyped": {},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}},
        "lists": {"type": "array", "items": {"type": "array", "maxItems": 3, "items": {"type": "object"}}},
    }});
    let imported = imported(&document(&[spec]));
    let notes: Vec<_> = imported.notes.iter().map(ToString::to_string).collect();
    for part in [
        "v1 .spec: `gone` is required and isn't declared",
        "v1 .spec.untyped: there is no type",
        "v1 .spec.set: x-kubernetes-list-type: set can't be written",
        "v1 .spec.lists: the keywords of items can't be written",
        "the API server refuses the document",
    ] {
        assert!(notes.iter().any(|note| note.contains(part)), "{part}\n{notes:#?}");
    }
    assert!(imported.to_text().contains("// import: x-kubernetes-list-type: set can't be written"));
}

#[test]
fn a_document_of_a_cluster_is_like_its_source() {
    let mut exported = document(&specs(&[json!({"a": {"type": "string"}})]));
    let source = imported(&exported);
    exported["metadata"]["resourceVersion"] = json!("7");
    exported["metadata"]["uid"] = json!("8");
    exported["status"] = json!({"storedVersions": ["v1"]});
    let annotations = json!({"kubectl.kubernetes.io/last-applied-configuration": "{}"});
    exported["metadata"]["annotations"] = annotations;
    assert_eq!(imported(&exported), source);
    assert_eq!(source.notes, []);
}

#[test]
fn documents_that_are_missing_or_double() {
    let document = document(&specs(&[json!({})]));
    let json = || Json::from(&document);
    let with = |name: &str| import(&[json()], &ImportOptions::new().resource(name));
    for name in ["Box", "boxes", "boxes.example.com"] {
        assert_eq!(with(name).unwrap().resources[0].item, "BoxResource");
    }
    assert_eq!(with("other").unwrap_err(), ImportError::Missing("other".to_owned()));
    let twice = import(&[json(), json()], &ImportOptions::new());
    assert_eq!(twice.unwrap_err(), ImportError::Twice("boxes.example.com".to_owned()));
    assert!(import(&[Json::Null], &ImportOptions::new()).is_ok());
}

#[test]
fn names_are_alike_if_their_words_are() {
    let integer = json!({"type": "integer"});
    let suggests = |old: &str, new: &str| {
        let specs = specs(&[json!({old: &integer}), json!({new: &integer})]);
        imported(&document(&specs)).to_text().contains("may be `")
    };
    for (old, new) in
        [("timeout", "timeoutSeconds"), ("replicas", "readyReplica"), ("timestamp", "time")]
    {
        assert!(suggests(old, new), "{old} {new}");
    }
    for (old, new) in
        [("availableReplicas", "unavailableReplicas"), ("port", "report"), ("id", "idSize")]
    {
        assert!(!suggests(old, new), "{old} {new}");
    }
}

#[test]
fn descriptions_are_one_without_the_name_of_the_field() {
    let described = |text: &str| json!({"type": "integer", "description": text});
    let suggests = |newer: &str| {
        let specs = specs(&[
            json!({"grace": described("grace is the time until a kill.")}),
            json!({"patience": described(newer)}),
        ]);
        imported(&document(&specs)).to_text().contains("may be `")
    };
    assert!(suggests("patience is the time until a kill."));
    assert!(!suggests("patience is the time until a start."));
    assert!(!suggests("patience"));
}
