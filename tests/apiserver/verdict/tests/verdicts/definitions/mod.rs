//! CustomResourceDefinitions as `crd_conv::verify` takes them and as the server's own code does.

mod change;
mod pieces;
mod texts;

use std::cell::RefCell;
use std::collections::BTreeSet;

use crd_conv::schema::{Json, Schema};
use crd_conv::verify::{About, VerificationReport, verify};
use crd_conv_verdict::{Created, Refusal, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::random::Random;
use crate::{cases, drawn, run, start};

/// Documents are large; what makes them smaller after that isn't worth the wait.
const SHRINKS: u32 = 300;

const EXAMPLES: [&str; 2] = [
    include_str!("../../../../../../examples/crontab/crd.yaml"),
    include_str!("../../../../../../examples/fleet/crd.yaml"),
];

/// A document with one version for each schema.
pub(crate) fn document(schemas: &[Value]) -> Value {
    let versions: Vec<_> = schemas
        .iter()
        .enumerate()
        .map(|(i, schema)| {
            json!({
                "name": format!("v{}", i + 1), "served": true, "storage": i == 0,
                "schema": {"openAPIV3Schema": schema},
            })
        })
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "boxes", "kind": "Box"}, "versions": versions,
        },
    })
}

fn example(yaml: &str) -> Value {
    let documents = crd_conv::yaml::to_json(yaml).expect("YAML");
    serde_json::from_str(&documents[0]).expect("JSON")
}

fn documents() -> impl Strategy<Value = Value> {
    let value = |schema: &Schema| serde_json::to_value(schema).expect("JSON");
    let rich = pieces::rich();
    prop_oneof![
        2 => proptest::sample::select(EXAMPLES.map(example).to_vec()),
        3 => Just(rich),
        4 => prop::collection::vec(drawn::root(), 1..3)
            .prop_map(move |schemas| document(&schemas.iter().map(value).collect::<Vec<_>>())),
    ]
}

/// Whether the server's refusals are all of what we said that we don't check.
fn excused(report: &VerificationReport, refusals: &[Refusal]) -> bool {
    refusals.iter().all(|refusal| {
        let path = refusal.path.replace("spec.validation.", "spec.versions[0].schema.");
        // Each rule adds to the total of its schema.
        let schema = |path: &str| path.split_inclusive("openAPIV3Schema").next().map(str::to_owned);
        let is_total = refusal.detail.contains("estimated rule cost total");
        report.unchecked.iter().any(|unchecked| {
            let adds = unchecked.what.contains("estimated cost");
            path.starts_with(&unchecked.path)
                || is_total && adds && schema(&path) == schema(&unchecked.path)
        })
    })
}

fn compare(verdict: &RefCell<Verdict>, document: &Value) -> Result<bool, TestCaseError> {
    let report = verify(&Json::from(document));
    let theirs = verdict.borrow_mut().definition(&document.to_string()).expect("an answer");
    let accepted = matches!(&theirs, Ok(created) if created.refusals.is_empty());
    let same = report.accepts() == accepted
        || report.accepts()
            && matches!(&theirs, Ok(created) if excused(&report, &created.refusals));
    prop_assert!(same, "{report}\nthe server: {theirs:?}\n{document}");
    if let Ok(created) = &theirs
        && accepted
    {
        warned(&report, created, document)?;
    }
    Ok(accepted)
}

/// What the server warns about, we warn about. Of a set of anything it doesn't say it, though it is the same.
fn warned(
    report: &VerificationReport,
    created: &Created,
    document: &Value,
) -> Result<(), TestCaseError> {
    const FORMAT: &str = "unrecognized format \"";
    let about = |about| report.warnings.iter().filter(move |warning| warning.about == about);
    let quoted = |text: &str, quote| text.split(quote).nth(1).map(str::to_owned);
    let (formats, sets): (Vec<_>, Vec<_>) =
        created.warnings.iter().partition(|text| text.starts_with(FORMAT));
    let theirs: BTreeSet<_> = formats.iter().filter_map(|text| quoted(text, '"')).collect();
    let ours: BTreeSet<_> =
        about(About::UnknownFormat).filter_map(|each| quoted(&each.problem, '`')).collect();
    prop_assert_eq!(ours, theirs, "{}", document);
    let is_set = sets.iter().all(|text| text.starts_with("x-kubernetes-list-type: set"));
    prop_assert!(is_set, "{sets:?}");
    let ours = about(About::ServerSideApply).any(|each| each.path.ends_with("list-type"));
    prop_assert!(sets.is_empty() || ours, "{report}\n{document}");
    Ok(())
}

#[test]
fn changed_documents_have_the_servers_verdict() {
    let verdict = start();
    let [accepted, refused] = [const { std::cell::Cell::new(0_u32) }; 2];
    let strategy = (documents(), prop::collection::vec(any::<u64>(), 0..4));
    run(cases(), SHRINKS, &strategy, |(mut document, seeds)| {
        for seed in seeds {
            change::change(&mut document, &mut Random::new(seed));
        }
        let counter = if compare(&verdict, &document)? { &accepted } else { &refused };
        counter.set(counter.get() + 1);
        Ok(())
    });
    let (accepted, refused) = (accepted.get(), refused.get());
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted * 5 > refused && refused * 5 > accepted, "invalid test case");
}

/// Each change by itself, of the versions only in the first: what the others say is much the same. A test for each document, since the
/// server takes its time.
fn every_change_has_the_servers_verdict(document: &Value) {
    let verdict = start();
    let accepted = compare(&verdict, document).expect("the server's verdict");
    assert!(accepted, "invalid test case: {document}");
    let elsewhere =
        |path: &str| path.starts_with("/spec/versions/") && !path.starts_with("/spec/versions/0");
    for change in change::all(document, |path| !elsewhere(path)) {
        let mut changed = document.clone();
        change.apply(&mut changed);
        compare(&verdict, &changed).expect("the server's verdict");
    }
}

#[test]
fn every_change_of_a_small_example() {
    every_change_has_the_servers_verdict(&example(EXAMPLES[0]));
}

#[test]
fn every_change_of_a_large_example() {
    let mut document = example(EXAMPLES[1]);
    // The server reads all versions for each change.
    let versions = document["spec"]["versions"].as_array_mut().expect("versions");
    versions.truncate(1);
    versions[0]["storage"] = json!(true);
    every_change_has_the_servers_verdict(&document);
}

#[test]
fn every_change_of_all_fields() {
    every_change_has_the_servers_verdict(&pieces::rich());
}

#[test]
fn patterns_have_the_servers_verdict() {
    let verdict = start();
    let strategy = (texts::pattern(), "[a-zA-Z0-9 \u{e4}\u{130}.\\-_\n]{0,4}");
    run(cases() / 2, SHRINKS, &strategy, |(pattern, text)| {
        let field = json!({"type": "string", "pattern": pattern, "default": text});
        let schema = json!({"type": "object", "properties": {"a": field}});
        compare(&verdict, &document(&[schema])).map(drop)
    });
}

#[test]
fn expressions_have_the_servers_syntax() {
    let verdict = start();
    run(cases() / 4, SHRINKS, &texts::expression(), |rule| {
        let field = json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true,
            "properties": {"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 9}},
            "x-kubernetes-validations": [{"rule": rule, "message": "no"}],
        });
        let schema = json!({"type": "object", "properties": {"spec": field}});
        let document = document(&[schema]);
        let report = verify(&Json::from(&document));
        let theirs = verdict.borrow_mut().definition(&document.to_string()).expect("an answer");
        let theirs = theirs.expect("it can be read").refusals;
        if theirs.is_empty() {
            prop_assert!(report.accepts(), "{report}\n{rule}");
        } else if report.accepts() {
            let syntax = theirs.iter().find(|refusal| refusal.detail.contains("Syntax error"));
            prop_assert!(syntax.is_none(), "{rule}: {syntax:?}");
            prop_assert!(excused(&report, &theirs), "{rule}: {theirs:?}");
        }
        Ok(())
    });
}
