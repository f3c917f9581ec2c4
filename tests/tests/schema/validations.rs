//! CEL rules: where they stand in the schema, and what is said of wrong ones.

use std::collections::BTreeMap;

use crd_conv::cli::{Cli, Streams};
use crd_conv::{ResourceType, Versioned, VersionedResource, crd::CrdOptions};
use crd_conv_tests::served::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(validation(
    "self.min <= self.max",
    message = "min is at most max",
    reason = "FieldValueInvalid",
    field_path = ".min",
))]
struct Range {
    min: i64,
    max: i64,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
#[versioned(validation("self.type != 'Git' || self.url.size() > 0"))]
enum Source {
    Git { url: String },
    None,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(validation("self != 'Never' || true"))]
enum Restart {
    Never,
    Always,
}

/// With rules that the type's own schema has, as `kube::KubeSchema` writes them.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = [{ "rule": "self.a > 0" }]))]
#[versioned(validation("self.a > 1"))]
struct Kubes {
    a: i64,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(validation("has(self.timeout) || has(self.retries)"))]
struct Common {
    timeout: Option<i64>,
    retries: Option<i64>,
    #[serde(flatten)]
    deeper: Deeper,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(validation("self.depth < 9"))]
struct Deeper {
    depth: i64,
}

/// Holds itself; its schema ends at `inner`.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(validation("self.name != ''"))]
struct Tree {
    name: String,
    #[versioned(preserve_unknown_fields)]
    inner: Option<Box<Tree>>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(
    validation(
        "self.size >= oldSelf.size",
        message_expression = "'not below ' + string(oldSelf.size)"
    ),
    validation("oldSelf.hasValue() || self.size > 0", optional_old_self)
)]
struct Spec {
    #[versioned(validation("self < 100"))]
    size: i64,
    range: Range,
    maybe: Option<Range>,
    several: Vec<Range>,
    named: BTreeMap<String, Range>,
    #[versioned(validation("self.min > 0"), validation("self.max > 0", optional_old_self = false))]
    both: Option<Range>,
    #[versioned(validation("self.size() < 3"))]
    list: Vec<Range>,
    source: Source,
    restart: Restart,
    kubes: Kubes,
    #[schemars(extend("x-kubernetes-validations" = [{ "rule": "self.a > 2" }]))]
    #[versioned(validation("self.a > 3"))]
    more: Kubes,
    #[serde(flatten)]
    common: Common,
    tree: Tree,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
enum Box1 {
    #[versioned(storage, validation("self.metadata.name.size() < 20", message = "short names"))]
    V1 { spec: Spec },
}

/// The rules at a place, as their expressions.
#[track_caller]
fn rules(place: &Value) -> Vec<&str> {
    let rules = place["x-kubernetes-validations"].as_array();
    let rules = rules.into_iter().flatten();
    rules.map(|rule| rule["rule"].as_str().expect("a text")).collect()
}

#[test]
fn each_rule_stands_where_its_value_is() {
    let schema = schema::<Box1>("v1");
    assert_eq!(
        schema["x-kubernetes-validations"],
        json!([{ "rule": "self.metadata.name.size() < 20", "message": "short names" }])
    );
    let spec = &schema["properties"]["spec"];
    assert_eq!(
        spec["x-kubernetes-validations"],
        json!([
            {
                "rule": "self.size >= oldSelf.size",
                "messageExpression": "'not below ' + string(oldSelf.size)",
            },
            { "rule": "oldSelf.hasValue() || self.size > 0", "optionalOldSelf": true },
            { "rule": "has(self.timeout) || has(self.retries)" },
            { "rule": "self.depth < 9" },
        ])
    );
    let at = |name: &str| &spec["properties"][name];
    let of_range = json!([{
        "rule": "self.min <= self.max",
        "message": "min is at most max",
        "reason": "FieldValueInvalid",
        "fieldPath": ".min",
    }]);
    for place in [
        at("range"),
        at("maybe"),
        &at("several")["items"],
        &at("named")["additionalProperties"],
        &at("list")["items"],
    ] {
        assert_eq!(place["x-kubernetes-validations"], of_range);
    }
    assert_eq!(at("maybe")["nullable"], json!(true));
    assert_eq!(rules(at("size")), ["self < 100"]);
    assert_eq!(rules(at("list")), ["self.size() < 3"]);
    assert_eq!(rules(at("both")), ["self.min <= self.max", "self.min > 0", "self.max > 0"]);
    assert_eq!(rules(at("source")), ["self.type != 'Git' || self.url.size() > 0"]);
    assert_eq!(rules(at("restart")), ["self != 'Never' || true"]);
    assert_eq!(rules(at("tree")), ["self.name != ''"]);
    assert_eq!(rules(&at("tree")["properties"]["inner"]), Vec::<&str>::new());
}

/// Those that the type's own schema has come first, those of its place behind them.
#[test]
fn rules_of_the_types_own_schema_stay() {
    let schema = schema::<Box1>("v1");
    let spec = &schema["properties"]["spec"]["properties"];
    assert_eq!(rules(&spec["kubes"]), ["self.a > 0", "self.a > 1"]);
    assert_eq!(rules(&spec["more"]), ["self.a > 0", "self.a > 2", "self.a > 1", "self.a > 3"]);
}

mod wrong {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        #[versioned(validation("self.min <="))]
        pub(super) range: Limits,
        #[serde(rename = "theLimits")]
        pub(super) limits: Option<Limits>,
        pub(super) list: Vec<Item>,
        #[serde(flatten)]
        pub(super) common: Common,
        pub(super) source: Source,
        #[versioned(preserve_unknown_fields, validation("self.a > 0"))]
        pub(super) raw: Value,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(validation("self.min > 0", field_path = ".minimum"))]
    pub(super) struct Limits {
        pub(super) min: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(validation("self.name == oldSelf.name"))]
    pub(super) struct Item {
        pub(super) name: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Common {
        #[versioned(validation("self +"))]
        pub(super) timeout: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum Source {
        Git {
            #[versioned(validation("'"))]
            url: String,
        },
        Path(Limits),
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
    pub(super) enum Box {
        #[versioned(storage, validation("self.metadata.name ="))]
        V1 { spec: Spec },
    }
}

/// What `crd` says of a resource, a line for each mistake.
#[track_caller]
fn refusal<R: VersionedResource>() -> Vec<String> {
    let errors =
        ResourceType::of::<R>().crd(&CrdOptions::new()).expect_err("invalid test case: a CRD");
    errors.errors.iter().map(ToString::to_string).collect()
}

#[test]
fn a_wrong_rule_is_refused_by_the_names_of_its_type_and_its_field() {
    let said = refusal::<wrong::Box>();
    let expected = [
        ("properties[spec].properties[list].items.x-", "(in the Rust type `wrong::Item`)"),
        (
            "properties[spec].properties[range].x-kubernetes-validations[1].rule",
            "(in the field `range` of the Rust type `wrong::Spec`)",
        ),
        (
            "properties[spec].properties[range].x-kubernetes-validations[0].fieldPath",
            "(in the Rust type `wrong::Limits`)",
        ),
        (
            "properties[spec].properties[theLimits].x-kubernetes-validations[0].fieldPath",
            "(in the Rust type `wrong::Limits`)",
        ),
        (
            "properties[timeout].x-kubernetes-validations[0].rule",
            "(in the field `timeout` of the Rust type `wrong::Common`)",
        ),
        (
            "properties[git].properties[url].x-kubernetes-validations[0].rule",
            "(in the field `url` of the Rust type `Source::Git`)",
        ),
        (
            "properties[path].x-kubernetes-validations[0].fieldPath",
            "(in the Rust type `wrong::Limits`)",
        ),
        (
            "properties[raw].x-kubernetes-validations",
            "(in the field `raw` of the Rust type `wrong::Spec`)",
        ),
        ("openAPIV3Schema.x-kubernetes-validations[0].rule", "write `==`"),
    ];
    for (path, source) in expected {
        let found = said.iter().find(|line| line.contains(path));
        let found = found.unwrap_or_else(|| panic!("nothing of {path}: {said:#?}"));
        assert!(found.ends_with(source), "{found}");
    }
    assert_eq!(said.len(), expected.len(), "{said:#?}");
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Tagged {
    Range(Range),
    None,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Around {
    tagged: Tagged,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
enum Box2 {
    #[versioned(storage)]
    V1 { spec: Around },
}

/// The place is that of all variants.
#[test]
fn a_rule_of_what_a_variant_holds_beside_its_tag_is_refused() {
    let said = refusal::<Box2>();
    assert_eq!(
        said,
        [
            "version `v1`: `.spec.tagged` (Rust type `Tagged`) is an enum with rules for some of its variants, but all variants share one schema, with one list of rules: write the rule on the enum, with a condition for the variant: `self.kind != 'Box' || self.min <= self.max`"
        ]
    );
}

fn run(args: &[&str]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let cli = Cli::new([ResourceType::of::<Box1>()]);
    let code = cli.run_with(["boxes"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(stdout), text(stderr))
}

/// Nobody here knows whether the server takes the types of a rule.
#[test]
fn the_command_says_that_rules_were_not_checked() {
    let (code, document, notes) = run(&["crd"]);
    assert_eq!((code, document.is_empty()), (0, false), "{notes}");
    assert!(notes.contains("note: boxes.example.com: not checked: "), "{notes}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("crd.yaml");
    let (code, stdout, stderr) =
        run(&["crd", "--strict", "--write", file.to_str().expect("UTF-8")]);
    assert_eq!((code, &*stdout, file.exists()), (1, "", false));
    assert!(stderr.starts_with(&notes), "{stderr}");
    assert!(stderr.contains("which `--strict` doesn't allow"), "{stderr}");
}
