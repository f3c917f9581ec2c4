use serde_json::{Value, json};

use super::{super::About, SPEC, good, report, set, warnings, with};

/// What one change of the good document makes the server refuse: all of it, or nothing.
#[test]
fn rules() {
    let webhook = |config: Value| json!({"strategy": "Webhook", "webhook": {"clientConfig": config, "conversionReviewVersions": ["v1"]}});
    let url = |url: &str| webhook(json!({"url": url}));
    let path =
        |path: &str| webhook(json!({"service": {"name": "a", "namespace": "b", "path": path}}));
    let versions = |versions: Value| json!({"strategy": "Webhook", "webhook": {"clientConfig": {"url": "https://a.b"}, "conversionReviewVersions": versions}});
    let scale = |spec: &str, status: &str| json!({"scale": {"specReplicasPath": spec, "statusReplicasPath": status}});
    let column = |change: &str, value: &str| {
        let mut column = json!({"name": "A", "type": "string", "jsonPath": ".spec.name"});
        column[change] = json!(value);
        json!([column])
    };
    let fields =
        |paths: &[&str]| Value::Array(paths.iter().map(|path| json!({"jsonPath": path})).collect());
    let second =
        json!({"name": "v1", "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let deprecated = |warning: &str| json!({"name": "v1", "storage": true, "deprecated": true, "deprecationWarning": warning, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let config = "spec.conversion.webhook.clientConfig";
    let (url_path, service_path) = (format!("{config}.url"), format!("{config}.service.path"));
    let (v0, columns) = ("spec.versions[0]", "spec.versions[0].additionalPrinterColumns[0]");
    let table: Vec<(&str, Value, String)> = vec![
        ("/apiVersion", json!("apiextensions.k8s.io/v1beta1"), "apiVersion: not supported: write `apiextensions.k8s.io/v1`".into()),
        ("/metadata/name", json!("box.example.com"), "metadata.name: invalid: `box.example.com` isn't the plural and the group; write `boxes.example.com`".into()),
        ("/metadata/name", json!(""), "metadata.name: required: write `boxes.example.com`".into()),
        ("/metadata/labels", json!({"a b": ""}), "metadata.labels: invalid: `a b` isn't a valid key".into()),
        ("/metadata/labels", json!({"a": "b c"}), "metadata.labels: invalid: the value `b c`".into()),
        ("/metadata/labels", json!({"a/b": "C_d", "e": ""}), String::new()),
        ("/metadata/labels", json!({"a": 1}), "metadata.labels[a]: malformed: write a string here, not a number".into()),
        ("/metadata/annotations", json!({"a b": ""}), "metadata.annotations: invalid: `a b` isn't a valid key".into()),
        ("/metadata/annotations", json!({"A/B": "any thing"}), String::new()),
        ("/metadata/annotations", json!({"a": "x".repeat(300_000)}), "metadata.annotations: too long: all keys and values together have 300001 bytes".into()),
        ("/metadata/finalizers", json!(["a b"]), "metadata.finalizers: invalid: `a b`".into()),
        ("/spec/scope", json!("Everywhere"), "spec.scope: not supported: `Everywhere` is unknown; write `Namespaced` or `Cluster`".into()),
        ("/spec/scope", json!(null), "spec.scope: required: write `Namespaced` or `Cluster`".into()),
        ("/spec/names/singular", json!("Box"), "spec.names.singular: invalid: `Box` isn't a valid name; write a lower-case letter".into()),
        ("/spec/names/kind", json!("Box_1"), "spec.names.kind: invalid: `Box_1`".into()),
        ("/spec/names/listKind", json!("Box"), "spec.names.listKind: invalid: it is the same as the kind; write `BoxList`".into()),
        ("/spec/names/categories", json!(["all", "A"]), "spec.names.categories[1]: invalid: `A`".into()),
        ("/spec/preserveUnknownFields", json!(true), "spec.preserveUnknownFields: invalid: remove it".into()),
        ("/spec/preserveUnknownFields", json!("no"), "spec.preserveUnknownFields: malformed: write `true` or `false` here, not a string".into()),
        ("/spec/versions/0/name", json!("V1"), format!("{v0}.name: invalid: `V1` isn't a valid name; write a lower-case letter")),
        ("/spec/versions/0/storage", json!(false), "spec.versions: invalid: exactly one version must have `storage: true`, but none have it".into()),
        ("/spec/versions/1", second, "spec.versions: invalid: two versions have the name `v1`".into()),
        ("/spec/versions/0/deprecationWarning", json!("a"), format!("{v0}.deprecationWarning: invalid: only a deprecated version has it")),
        ("/spec/versions/0", deprecated("use v2"), String::new()),
        ("/spec/versions/0", deprecated(""), format!("{v0}.deprecationWarning: invalid: it is empty")),
        ("/spec/versions/0", deprecated("a\nb"), format!("{v0}.deprecationWarning: invalid: it has characters that can't be printed")),
        ("/spec/versions/0", deprecated(&"x".repeat(257)), format!("{v0}.deprecationWarning: invalid: it has 257 bytes, but at most 256 are allowed")),
        ("/spec/versions/0/schema", json!({}), format!("{v0}.schema.openAPIV3Schema: required: write the schema of the version")),
        ("/spec/conversion", json!({"strategy": "None"}), String::new()),
        ("/spec/conversion", json!({}), "spec.conversion.strategy: required: write `Webhook` or `None`".into()),
        ("/spec/conversion", json!({"strategy": "Hook"}), "spec.conversion.strategy: not supported: `Hook` is unknown".into()),
        ("/spec/conversion", json!({"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}), "spec.conversion.webhook: forbidden: only the strategy `Webhook` has one".into()),
        ("/spec/conversion", webhook(json!({})), format!("{config}: required: write the service or the URL")),
        ("/spec/conversion", webhook(json!({"url": "https://a.b", "service": {"name": "a", "namespace": "b"}})), format!("{config}: required: the webhook has both a URL and a service")),
        ("/spec/conversion", webhook(json!({"service": {"name": "a"}})), format!("{config}.service.namespace: required: write the namespace")),
        ("/spec/conversion", webhook(json!({"service": {"name": "a", "namespace": "b", "port": 0}})), format!("{config}.service.port: invalid: 0 isn't between 1 and 65535")),
        ("/spec/conversion", webhook(json!({"url": "https://a.b", "caBundle": "a"})), format!("{config}.caBundle: malformed: it isn't base64")),
        ("/spec/conversion", path("/a-b/c.d/"), String::new()),
        ("/spec/conversion", path("a"), format!("{service_path}: invalid: `a` doesn't start with `/`; write `/a`")),
        ("/spec/conversion", path("/a//b"), format!("{service_path}: invalid: `/a//b` has an empty segment")),
        ("/spec/conversion", path("/A"), format!("{service_path}: invalid: `/A` has the invalid segment `A`")),
        ("/spec/conversion", url("HTTPS://a.b:443/C"), String::new()),
        ("/spec/conversion", url("http://a.b"), format!("{url_path}: invalid: `http://a.b` doesn't start with `https://`")),
        ("/spec/conversion", url("https:///a"), format!("{url_path}: invalid: `https:///a` names no host")),
        ("/spec/conversion", url("https://a b"), format!("{url_path}: required: `https://a b` isn't a URL: its host has the character ' '")),
        ("/spec/conversion", url("https://a/%zz"), format!("{url_path}: required: `https://a/%zz` isn't a URL: it has a `%` without two hexadecimal digits")),
        ("/spec/conversion", url("https://a?b"), format!("{url_path}: invalid: `https://a?b` has a query, `?`; remove it")),
        ("/spec/conversion", versions(json!([])), "spec.conversion.webhook.conversionReviewVersions: required: write the versions".into()),
        ("/spec/conversion", versions(json!(["v1", "v1"])), "spec.conversion.webhook.conversionReviewVersions[1]: invalid: `v1` is listed twice".into()),
        ("/spec/conversion", versions(json!(["v2"])), "spec.conversion.webhook.conversionReviewVersions: invalid: neither `v1` nor `v1beta1`".into()),
        ("/spec/versions/0/subresources", scale(".spec.size", ".status.size"), String::new()),
        ("/spec/versions/0/subresources", scale(".size", ".status.size"), format!("{v0}.subresources.scale.specReplicasPath: invalid: `.size` doesn't start with `.spec.`")),
        ("/spec/versions/0/subresources", scale(".spec.size", "status.size"), format!("{v0}.subresources.scale.statusReplicasPath: invalid: `status.size` doesn't start with `.`; write `.status.size`")),
        ("/spec/versions/0/subresources", scale(".spec.size", ""), format!("{v0}.subresources.scale.statusReplicasPath: required: write a path that starts with `.status.`")),
        ("/spec/versions/0/additionalPrinterColumns", column("format", "date"), String::new()),
        ("/spec/versions/0/additionalPrinterColumns", json!([{"name": "A", "type": "string", "jsonPath": ".spec.name", "priority": 1_i64 << 31}]), format!("{columns}.priority: malformed: write a number of 32 bits")),
        ("/spec/versions/0/additionalPrinterColumns", column("name", ""), format!("{columns}.name: required: write the header")),
        ("/spec/versions/0/additionalPrinterColumns", column("type", "time"), format!("{columns}.type: invalid: `time` is unknown; write one of boolean, date")),
        ("/spec/versions/0/additionalPrinterColumns", column("format", "uuid"), format!("{columns}.format: invalid: `uuid` is unknown; write one of byte, date")),
        ("/spec/versions/0/additionalPrinterColumns", column("jsonPath", "a"), format!("{columns}.jsonPath: invalid: `a` doesn't start with `.`; write `.a`")),
        ("/spec/versions/0/selectableFields", fields(&[".spec.size", ".spec.name"]), String::new()),
        ("/spec/versions/0/selectableFields", fields(&[""]), format!("{v0}.selectableFields[0].jsonPath: required: write the path")),
        ("/spec/versions/0/selectableFields", fields(&[".spec"]), format!("{v0}.selectableFields[0].jsonPath: invalid: `.spec` leads to a field whose type isn't string")),
        ("/spec/versions/0/selectableFields", fields(&[".spec.no"]), format!("{v0}.selectableFields[0].jsonPath: invalid: `.spec.no` leads to `no`, which the schema doesn't declare")),
        ("/spec/versions/0/selectableFields", fields(&[".spec['size']"]), format!("{v0}.selectableFields[0].jsonPath: invalid: `.spec['size']` has a `[`, which isn't allowed here")),
        ("/spec/versions/0/selectableFields", fields(&[".spec.size", ".spec.size"]), format!("{v0}.selectableFields[1].jsonPath: duplicate: `.spec.size` is listed twice")),
    ];
    each(table);
}

/// The same for what only the server writes.
#[test]
fn rules_of_system_fields() {
    each(vec![
        ("/status/storedVersions", json!(["v1"]), String::new()),
        ("/status/storedVersions", json!(["v0"]), String::new()),
        ("/status/storedVersions", json!("v1"), "status.storedVersions: malformed: write a list here, not a string".into()),
        ("/status/acceptedNames", json!({"plural": "X", "kind": "1"}), String::new()),
        ("/status/conditions", json!([{"type": 1}]), "status.conditions[0].type: malformed: write a string here, not a number".into()),
        ("/metadata/generation", json!(-1), String::new()),
        ("/metadata/generation", json!("1"), "metadata.generation: malformed: write a whole number here, not a string".into()),
        ("/metadata/resourceVersion", json!("4"), "metadata.resourceVersion: forbidden: only an object that already exists has a resource version".into()),
        ("/metadata/resourceVersion", json!("0"), String::new()),
        ("/metadata/resourceVersion", json!(""), String::new()),
    ]);
}

fn each(table: Vec<(&str, Value, String)>) {
    for (pointer, value, expected) in table {
        let report = with(&[(pointer, value.clone())]);
        let found: Vec<_> = report.violations.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), usize::from(!expected.is_empty()), "{value}: {found:#?}");
        assert!(found.iter().all(|found| found.starts_with(&expected)), "{expected}\n{found:#?}");
    }
}

/// As `kubectl get --output yaml --show-managed-fields` prints it, and what generators write.
#[test]
fn what_the_server_writes_itself_is_dropped() {
    let dropped = |changes: &[(&str, Value)]| {
        let report = with(changes);
        assert!(report.accepts() && report.unchecked.is_empty(), "{report}");
        let found = report.warnings.iter();
        assert!(found.clone().all(|warning| warning.about == About::DroppedField), "{report}");
        found.map(|warning| warning.path.clone()).collect::<Vec<_>>()
    };
    let condition = json!({
        "lastTransitionTime": "2026-11-27T17:05:56Z", "message": "the initial names have been accepted",
        "reason": "InitialNamesAccepted", "status": "True", "type": "Established",
    });
    let exported = dropped(&[
        ("/metadata/creationTimestamp", json!("2026-11-27T17:05:56Z")),
        ("/metadata/generation", json!(1)),
        ("/metadata/uid", json!("4a26dd38-61bc-4aa7-bdef-a5f739d0334e")),
        (
            "/status",
            json!({"acceptedNames": {"kind": "Box", "plural": "boxes"}, "conditions": [condition], "storedVersions": ["v1"]}),
        ),
    ]);
    assert_eq!(
        exported,
        ["metadata.creationTimestamp", "metadata.generation", "metadata.uid", "status"]
    );
    // As older generators write it.
    let empty = json!({"acceptedNames": {"kind": "", "plural": ""}, "conditions": [], "storedVersions": []});
    assert_eq!(dropped(&[("/status", empty)]), ["status"]);
    let nothing = [
        ("/metadata/creationTimestamp", json!(null)),
        ("/metadata/uid", json!("")),
        ("/status", json!(null)),
    ];
    assert!(dropped(&nothing).is_empty());
    let foreign = [
        ("/metadata/selfLink", json!("/apis/a")),
        ("/metadata/deletionGracePeriodSeconds", json!(0)),
        ("/metadata/deletionTimestamp", json!("2026-11-27T17:05:56.5+01:00")),
        ("/status", json!({"storedVersions": ["v0"]})),
    ];
    assert_eq!(dropped(&foreign).len(), 4);
    let managed = with(&[("/metadata/managedFields", json!([{"manager": "kubectl"}]))]);
    assert!(managed.accepts() && managed.warnings.len() == 1, "{managed}");
}

#[test]
fn protected_groups_want_an_approval() {
    let with_group = |annotation: Option<&str>| {
        let mut changes =
            vec![("/spec/group", json!("a.k8s.io")), ("/metadata/name", json!("boxes.a.k8s.io"))];
        if let Some(annotation) = annotation {
            changes
                .push(("/metadata/annotations", json!({"api-approved.kubernetes.io": annotation})));
        }
        with(&changes).accepts()
    };
    assert!(!with_group(None));
    assert!(!with_group(Some("yes")));
    assert!(with_group(Some("unapproved, an experiment")));
    assert!(with_group(Some("https://github.com/kubernetes/kubernetes/pull/1")));
}

/// The server loses the schema of selectable fields if the versions share only one of the two.
#[test]
fn versions_share_selectable_fields_and_schema_or_neither() {
    let version = |name: &str, kind: &str, fields: &[&str]| {
        let fields: Vec<_> = fields.iter().map(|path| json!({"jsonPath": path})).collect();
        let schema =
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": kind}}});
        json!({"name": name, "storage": name == "v1", "schema": {"openAPIV3Schema": schema}, "selectableFields": fields})
    };
    let accepts = |versions: [Value; 2]| with(&[("/spec/versions", json!(versions))]).accepts();
    assert!(accepts([version("v1", "string", &[".a"]), version("v2", "string", &[".a"])]));
    assert!(accepts([version("v1", "string", &[".a"]), version("v2", "integer", &[".b"])]));
    assert!(!accepts([version("v1", "string", &[".a"]), version("v2", "integer", &[".a"])]));
    assert!(!accepts([version("v1", "string", &[".a"]), version("v2", "string", &[".b"])]));
}

#[test]
fn what_goes_wrong_later_is_a_warning() {
    let nullable = json!({"type": "integer", "nullable": true});
    let report = with(&[
        (
            "/spec/versions/0/subresources",
            json!({"scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}}),
        ),
        ("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size", nullable),
        (
            "/spec/versions/0/additionalPrinterColumns",
            json!([
                {"name": "A", "type": "string", "jsonPath": ".spec.title"},
                {"name": "B", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                {"name": "C", "type": "string", "jsonPath": ".spec.items[*].name"},
            ]),
        ),
        (
            "/spec/conversion",
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://:443", "caBundle": "YWJj"}, "conversionReviewVersions": ["v1"],
            }}),
        ),
        ("/spec/versions/0/more", json!(1)),
    ]);
    assert!(report.accepts(), "{report}");
    let found = warnings(&report);
    let expected = [
        "spec.versions[0].more: the API server doesn't know this field and drops it",
        "spec.conversion.webhook.clientConfig.url: `https://:443` names no host, so the API server calls itself; write `https://host/path`",
        "spec.conversion.webhook.clientConfig.caBundle: it contains no certificate in PEM form",
        "spec.versions[0].additionalPrinterColumns[0].jsonPath: `.spec.title` leads to `title`, which the schema doesn't declare",
        "spec.versions[0].subresources.scale.specReplicasPath: `.spec.size` leads to a field that may be null",
        "spec.versions[0].subresources.scale.statusReplicasPath: `.status.size` leads to `status`, which the schema doesn't declare",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{expected}\n{found}");
    }
}

#[test]
fn large_documents_say_what_takes_the_bytes() {
    let described = |bytes: usize| json!({"type": "string", "description": "x".repeat(bytes)});
    let choices: Vec<_> = (0..400).map(|n| format!("{n:04000}")).collect();
    let all = |change: (&str, Value)| {
        let found = warnings(&with(&[
            (&format!("{SPEC}/properties/small"), described(100_000)),
            (&format!("{SPEC}/properties/{}", change.0), change.1),
        ]));
        assert_eq!(found.len(), 1, "{found:?}");
        found.concat()
    };
    let remedy = "bytes are descriptions: leave them out with `--descriptions none` or `#[versioned(resource(descriptions = \"none\"))]`";

    let found = all(("large", described(1_500_000)));
    assert!(found.contains(&format!("; 1600034 of the {remedy}")), "{found}");
    assert!(
        found.ends_with("; the largest field is `.spec.large` in v1 with 1500034 bytes"),
        "{found}"
    );

    // Within a list and a map, as far as one field has most of the bytes.
    let item =
        json!({"type": "object", "properties": {"a": described(1_500_000), "b": described(9)}});
    let list = json!({"type": "array", "items": item});
    let found = all(("list", list.clone()));
    assert!(found.contains("`.spec.list[*].a` in v1 with 1500034 bytes"), "{found}");
    let found = all(("map", json!({"type": "object", "additionalProperties": list})));
    assert!(found.contains("`.spec.map.*[*].a` in v1"), "{found}");
    let halves =
        json!({"type": "object", "properties": {"a": described(750_000), "b": described(750_000)}});
    let found = all(("halves", halves));
    assert!(found.contains("`.spec.halves` in v1"), "{found}");

    // Without the descriptions it would be too large all the same.
    let found = all(("choice", json!({"type": "string", "enum": choices})));
    assert!(found.contains("`.spec.choice` in v1 with 1601"), "{found}");
    let rest = "aren't descriptions: `#[versioned(preserve_unknown_fields)]` on that field";
    assert!(found.contains(rest), "{found}");

    // The newer version has more in it; and without descriptions none are advised against.
    let mut document = good();
    let version = document["spec"]["versions"][0].clone();
    set(&mut document, "/spec/versions/1", version);
    set(&mut document, "/spec/versions/1/name", json!("v2"));
    set(&mut document, "/spec/versions/1/storage", json!(false));
    let pointer = "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/choice";
    set(&mut document, pointer, json!({"type": "string", "enum": choices}));
    let found = warnings(&report(&document)).concat();
    assert!(found.contains("; the largest field is `.spec.choice` in v2"), "{found}");
    assert!(!found.contains("--descriptions"), "{found}");
}

#[test]
fn large_documents_are_warned_of() {
    for (size, part) in [(1_000, None), (300_000, Some("--server-side")), (1_600_000, Some("etcd"))]
    {
        let description = "x".repeat(size);
        let pointer = "/spec/versions/0/schema/openAPIV3Schema/description";
        let found = warnings(&with(&[(pointer, json!(description))]));
        assert_eq!(found.len(), usize::from(part.is_some()), "{size}: {found:?}");
        assert!(found.iter().all(|found| found.contains(part.unwrap_or_default())), "{found:?}");
    }
}

#[test]
fn larger_documents_than_a_request_are_refused() {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/description";
    let report = with(&[(pointer, json!("x".repeat(3_200_000)))]);
    let found: Vec<_> = report.violations.iter().map(ToString::to_string).collect();
    let [only] = &found[..] else { panic!("{found:?}") };
    assert!(only.starts_with("spec: too long: ") && only.contains("at most 3 MiB"), "{only}");
    assert_eq!(warnings(&report), [""; 0]);
}
