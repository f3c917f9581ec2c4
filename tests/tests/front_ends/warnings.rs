//! The policies that warn about fields of older versions.

use crd_conv::{
    ResourceType, Versioned,
    cli::{Cli, Streams},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct Spec {
        keel: String,
        crew_size: Option<i64>,
        #[versioned(default = 2)]
        masts: i32,
        mode: Mode,
        #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
        destination: Option<String>,
        hold: Option<String>,
        decks: Vec<Deck>,
        signals: BTreeMap<String, Signal>,
        length: String,
        gone_later: Option<bool>,
        back_again: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mode {
        Sail,
        Oars,
        Tow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Deck {
        #[serde(rename = "is-open")]
        open: Option<bool>,
        rooms: Vec<Room>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Room {
        beds: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Signal {
        colour: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Status {
        berth: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1::Spec, moved(crew_size => crew.size))]
    pub(super) struct Spec {
        keel: String,
        #[versioned(renamed_from = masts, default = 2)]
        poles: i32,
        mode: Mode,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[versioned(renamed_from = destination)]
        target: Option<String>,
        hold: Option<String>,
        decks: Vec<Deck>,
        signals: BTreeMap<String, Signal>,
        length: String,
        crew: Option<Crew>,
        gone_later: Option<bool>,
        #[versioned(renamed_from = back_again)]
        away: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Crew {
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mode, removed(Tow = Oars))]
    pub(super) enum Mode {
        #[versioned(renamed_from = Sail)]
        Wind,
        Oars,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Deck)]
    pub(super) struct Deck {
        #[versioned(renamed_from = open)]
        covered: Option<bool>,
        rooms: Vec<Room>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Room, removed(beds))]
    pub(super) struct Room {}

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Signal)]
    pub(super) struct Signal {
        #[versioned(renamed_from = colour)]
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Status, removed(berth))]
    pub(super) struct Status {}
}

mod v3 {
    use super::*;
    use crd_conv::with::GoDuration;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v2::Spec, removed(gone_later), map((length) <=> (seconds), with = GoDuration::SECONDS))]
    pub(super) struct Spec {
        keel: String,
        #[versioned(default = 2)]
        poles: i32,
        mode: super::v2::Mode,
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<String>,
        #[versioned(renamed_from = hold)]
        cargo: Option<String>,
        decks: Vec<super::v2::Deck>,
        signals: BTreeMap<String, super::v2::Signal>,
        seconds: i64,
        #[versioned(renamed_from = crew)]
        people: Option<super::v2::Crew>,
        #[versioned(renamed_from = away)]
        back_again: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ships", scope = "Namespaced"))]
enum Ship {
    V1 {
        spec: v1::Spec,
        status: v1::Status,
    },
    V2 {
        spec: v2::Spec,
        status: v2::Status,
    },
    #[versioned(storage)]
    V3 {
        spec: v3::Spec,
        status: v2::Status,
    },
}

fn run(args: &[&str]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let code = Cli::new([ResourceType::of::<Ship>()])
        .run_with(["ships", "crd"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(stdout), text(stderr))
}

/// The policies, without the one for the annotations and without bindings.
fn policies() -> Vec<Value> {
    let (code, stdout, stderr) = run(&["--policies", "--warn-fields", "--format", "json"]);
    assert_eq!((code, &*stderr), (0, ""));
    let documents = serde_json::Deserializer::from_str(&stdout).into_iter::<Value>();
    let documents: Vec<_> = documents.map(Result::unwrap).collect();
    let named = |document: &Value, kind: &str| {
        let name = document["metadata"]["name"].as_str().unwrap();
        document["kind"] == kind && name.starts_with("fields.")
    };
    for binding in documents.iter().filter(|own| named(own, "ValidatingAdmissionPolicyBinding")) {
        assert_eq!(binding["spec"]["validationActions"], serde_json::json!(["Warn", "Audit"]));
    }
    documents.into_iter().filter(|own| named(own, "ValidatingAdmissionPolicy")).collect()
}

/// The expressions and the messages.
fn warnings(policy: &Value) -> Vec<(String, String)> {
    let validations = policy["spec"]["validations"].as_array().unwrap();
    validations
        .iter()
        .map(|own| ["expression", "message"].map(|part| own[part].as_str().unwrap().to_owned()))
        .map(|[expression, message]| (expression, message))
        .collect()
}

#[test]
fn each_field_names_its_place_in_the_newest_version() {
    let policies = policies();
    let names: Vec<_> = policies.iter().map(|policy| &policy["metadata"]["name"]).collect();
    assert_eq!(names, ["fields.v1.ships.example.com", "fields.v2.ships.example.com"]);
    let rules = &policies[0]["spec"]["matchConstraints"];
    assert_eq!(rules["matchPolicy"], "Exact");
    assert_eq!(rules["resourceRules"][0]["apiVersions"], serde_json::json!(["v1"]));
    let expected = [
        (
            "has(object.spec.masts) && object.spec.masts != 2",
            "`spec.masts` is deprecated: in `example.com/v3` it is `spec.poles`",
        ),
        (
            "has(object.spec.__for__)",
            "`spec.for` is deprecated: in `example.com/v3` it is `spec.target`",
        ),
        (
            "has(object.spec.mode) && object.spec.mode == \"Sail\"",
            "\"Sail\" in `spec.mode` is deprecated: in `example.com/v3` it is \"Wind\" in `spec.mode`",
        ),
        (
            "has(object.spec.mode) && object.spec.mode == \"Tow\"",
            "\"Tow\" in `spec.mode` is deprecated: `example.com/v3` doesn't have it",
        ),
        (
            "has(object.spec.decks) && object.spec.decks.exists(item0, has(item0.is__dash__open))",
            "`spec.decks[].is-open` is deprecated: in `example.com/v3` it is `spec.decks[].covered`",
        ),
        (
            "has(object.spec.decks) && object.spec.decks.exists(item0, has(item0.rooms) && item0.rooms.exists(item1, has(item1.beds)))",
            "`spec.decks[].rooms[].beds` is deprecated: `example.com/v3` doesn't have it",
        ),
        (
            "has(object.spec.signals) && object.spec.signals.exists(key0, has(object.spec.signals[key0].colour))",
            "`spec.signals.*.colour` is deprecated: in `example.com/v3` it is `spec.signals.*.color`",
        ),
        (
            "has(object.spec.crewSize)",
            "`spec.crewSize` is deprecated: in `example.com/v3` it is `spec.people.size`",
        ),
        (
            "has(object.spec.length)",
            "`spec.length` is deprecated: in `example.com/v3` it is `spec.seconds`",
        ),
        (
            "has(object.spec.hold)",
            "`spec.hold` is deprecated: in `example.com/v3` it is `spec.cargo`",
        ),
        (
            "has(object.spec.goneLater)",
            "`spec.goneLater` is deprecated: `example.com/v3` doesn't have it",
        ),
    ];
    let expected = expected
        .map(|(set, message)| (format!("!(has(object.spec) && {set})"), message.to_owned()));
    let found = warnings(&policies[0]);
    assert_eq!(found, expected, "{found:#?}");
    // What the next version has already moved isn't in the list of the version after it.
    let found = warnings(&policies[1]);
    let messages: Vec<_> = found.iter().map(|(_, message)| &**message).collect();
    let expected = [
        "`spec.goneLater` is deprecated: `example.com/v3` doesn't have it",
        "`spec.length` is deprecated: in `example.com/v3` it is `spec.seconds`",
        "`spec.hold` is deprecated: in `example.com/v3` it is `spec.cargo`",
        "`spec.crew` is deprecated: in `example.com/v3` it is `spec.people`",
        "`spec.away` is deprecated: in `example.com/v3` it is `spec.backAgain`",
    ];
    let sorted = |mut texts: Vec<&str>| {
        texts.sort_unstable();
        texts.join("\n")
    };
    assert_eq!(sorted(messages), sorted(expected.to_vec()));
}

#[test]
fn warnings_are_printed_on_demand_only() {
    let (code, stdout, _) = run(&["--policies"]);
    assert!(code == 0 && !stdout.contains("fields."), "{stdout}");
    let (code, _, stderr) = run(&["--warn-fields"]);
    assert!(code == 2 && stderr.contains("--policies"), "{stderr}");
}
