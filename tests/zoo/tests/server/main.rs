//! Whether the API server's own code and serde agree on the values of each type of the zoo.
//!
//! `CRD_CONV_CASES` says how many values of each type there are; half of them are broken.

mod broken;
mod excuses;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crd_conv::crd::CrdOptions;
use crd_conv::schema::Schema;
use crd_conv::testing::Trial;
use crd_conv_verdict::Verdict;
use crd_conv_zoo::{Shape, zoo};
use fastrand::Rng;
use serde_json::{Value, json};

use broken::Breaker;
use excuses::{EXCUSES, Side, examples};

const CASES: usize = 120;

/// How many disagreements of a type are told.
const TOLD: usize = 3;

/// A value of which serde and the server don't say the same.
struct Disagreement {
    side: Side,
    value: String,
    said: String,
}

#[test]
fn serde_and_the_server_agree() {
    let cases = std::env::var("CRD_CONV_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = cases.unwrap_or(CASES);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = Verdict::build(directory).expect("the Go program");
    let mut verdict = Verdict::start(&program).expect("it starts");
    let mut tally = Tally::default();
    let mut excused: BTreeMap<usize, usize> = BTreeMap::new();
    let mut wrong = String::new();
    for shape in zoo().into_iter().filter(|shape| shape.group != "refused") {
        let crd = (shape.resource)().crd(&CrdOptions::new()).expect("a schema");
        let created = verdict.definition(&crd.to_json()).expect("an answer");
        let is_taken = created.as_ref().is_ok_and(|created| created.refusals.is_empty());
        assert!(is_taken, "{}: {created:?}", shape.name);
        let schema = &crd.spec.versions[0].schema.open_api_v3_schema;
        let mut told = 0;
        for Disagreement { side, value, said } in
            disagreements(&shape, schema, cases, &mut verdict, &mut tally)
        {
            let excuse = EXCUSES.iter().position(|one| one.covers(shape.name, side, &said));
            if let Some(excuse) = excuse {
                *excused.entry(excuse).or_default() += 1;
            } else {
                tally.wrong += 1;
                told += 1;
                if told <= TOLD {
                    writeln!(wrong, "{}: {side:?}: {value}: {said}", shape.name).expect("a text");
                }
            }
        }
    }
    println!("{tally:?}");
    for (place, count) in &excused {
        println!("{count} times: {}", EXCUSES[*place].reason);
    }
    assert!(tally.wrong == 0, "{} wrong, such as\n{wrong}", tally.wrong);
    let idle = (0..EXCUSES.len()).filter(|place| !excused.contains_key(place));
    let idle: Vec<_> = idle.map(|place| EXCUSES[place].reason).collect();
    assert!(idle.is_empty(), "excuses for nothing: {idle:#?}");
    assert!(tally.refused * 20 > tally.accepted, "invalid test case: too few are broken");
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    types: usize,
    accepted: usize,
    refused: usize,
    written: usize,
    wrong: usize,
}

fn disagreements(
    shape: &Shape,
    schema: &Schema,
    cases: usize,
    verdict: &mut Verdict,
    tally: &mut Tally,
) -> Vec<Disagreement> {
    let specs = drawn(shape, schema, cases);
    let answers = created(verdict, schema, &specs);
    tally.types += 1;
    let mut found = Vec::new();
    let mut written = shape.samples.iter().map(|value| json!({"value": value})).collect::<Vec<_>>();
    for (spec, answer) in specs.iter().zip(answers) {
        let theirs = answer.as_ref().unwrap_or(spec).to_string();
        match ((shape.written)(&theirs), answer) {
            (Ok(ours), answer) => {
                if let Err(said) = answer {
                    tally.refused += 1;
                    found.push(Disagreement { side: Side::OnlySerde, value: theirs, said });
                } else {
                    tally.accepted += 1;
                }
                written.push(ours);
            }
            (Err(error), Ok(_)) => {
                tally.accepted += 1;
                found.push(Disagreement {
                    side: Side::OnlyServer,
                    value: theirs,
                    said: error.to_string(),
                });
            }
            (Err(_), Err(_)) => tally.refused += 1,
        }
    }
    let answers = created(verdict, schema, &written);
    tally.written += written.len();
    for (spec, answer) in written.iter().zip(answers) {
        let disagreement = |side, said| Disagreement { side, value: spec.to_string(), said };
        match answer {
            Err(said) => found.push(disagreement(Side::Written, said)),
            Ok(stored) => {
                let again = (shape.written)(&stored.to_string());
                let kept =
                    again.as_ref().is_ok_and(|again| same(again, spec)) && holds(&stored, spec);
                if !kept {
                    found.push(disagreement(Side::Changed, format!("{stored}, {again:?}")));
                }
            }
        }
    }
    found
}

/// Values that the schema describes, and as many broken ones.
fn drawn(shape: &Shape, schema: &Schema, cases: usize) -> Vec<Value> {
    let resource = (shape.resource)();
    let trial = Trial::of(&resource).expect("a schema");
    let objects = trial.objects("v1").take(cases.div_ceil(2));
    // Half a surrogate pair is no string to serde.
    let objects = objects.filter_map(|object| serde_json::from_str::<Value>(&object).ok());
    let mut specs: Vec<Value> = objects.map(|mut object| object["spec"].take()).collect();
    let (names, mut random) = (broken::names(schema), Rng::with_seed(7));
    let mut broken = specs.clone();
    for spec in &mut broken {
        let mut breaker = Breaker { others: &specs, names: &names, random: &mut random };
        for _ in 0..breaker.random.usize(1..=3) {
            breaker.break_it(spec);
        }
    }
    specs.append(&mut broken);
    specs.extend(examples(shape.name));
    specs
}

/// What the server stores of each `spec`, or why it refuses.
fn created(verdict: &mut Verdict, schema: &Schema, specs: &[Value]) -> Vec<Result<Value, String>> {
    let object = |spec: &Value| {
        json!({
            "apiVersion": "zoo.example.com/v1", "kind": "Shape", "metadata": {"name": "a"}, "spec": spec,
        })
    };
    let objects: Vec<Value> = specs.iter().map(object).collect();
    let created = verdict.creates(schema, &objects).expect("answers");
    assert_eq!(created.len(), specs.len(), "an answer for each");
    created.into_iter().map(|answer| answer.map(|mut object| object["spec"].take())).collect()
}

/// Whether all that was written is there, but for what `Option`s write.
fn holds(stored: &Value, written: &Value) -> bool {
    match (stored, written) {
        (Value::Object(stored), Value::Object(written)) => {
            written.iter().all(|(name, member)| match stored.get(name) {
                Some(stored) => holds(stored, member),
                None => member.is_null(),
            })
        }
        (Value::Array(stored), Value::Array(written)) => {
            stored.len() == written.len()
                && stored.iter().zip(written).all(|(stored, written)| holds(stored, written))
        }
        _ => same(stored, written),
    }
}

/// Whether two values are the same to the server, which writes `1.0` as `1`.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, member)| other.get(name).is_some_and(|m| same(member, m)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
