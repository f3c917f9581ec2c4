//! The API server's steps as `crd_conv::testing::server` takes them and as the server's own code does.
//!
//! `PROPTEST_CASES` says how many pairs of a schema and an object are compared.

mod objects;
mod schemas;

use std::cell::RefCell;
use std::path::Path;

use crd_conv::schema::{Json, Schema};
use crd_conv::{testing::server, validation::Refusal};
use crd_conv_verdict::Verdict;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const CASES: u32 = 5_000;

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

fn step(object: &str, change: impl FnOnce(&mut Json)) -> Result<String, Refusal> {
    let mut object = server::read(object)?;
    change(&mut object);
    Ok(server::write(&object))
}

fn ours(op: &str, schema: &Schema, object: &str) -> Result<String, Refusal> {
    match op {
        "reencode" => server::reencode(object),
        "prune" => step(object, |object| drop(server::prune(object, schema))),
        "dropNulls" => step(object, |object| server::drop_nulls(object, schema)),
        "default" => step(object, |object| server::default(object, schema)),
        "decode" => server::decode(object, schema),
        "converted" => server::converted(object, schema),
        _ => panic!("there is no step {op}"),
    }
}

#[test]
fn steps_are_those_of_the_server() {
    let verdict = Verdict::start(Path::new(env!("CARGO_TARGET_TMPDIR"))).expect("the Go program");
    let verdict = RefCell::new(verdict);
    let config = ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    };
    let pairs = schemas::root().prop_flat_map(|schema| {
        let object = objects::resource(&schema);
        (Just(schema), object)
    });
    let outcome = TestRunner::new(config).run(&pairs, |(schema, object)| {
        let ask = |op| verdict.borrow_mut().ask(op, &schema, &object).expect("an answer");
        prop_assert_eq!(ask("structural"), Ok("true".to_owned()), "invalid test case");
        for op in ["reencode", "prune", "dropNulls", "default", "decode", "converted"] {
            match (ours(op, &schema, &object), ask(op)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs, "{} of {}", op, object),
                (Err(_), Err(_)) => {}
                (ours, theirs) => prop_assert!(false, "{op} of {object}: {ours:?}, {theirs:?}"),
            }
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
