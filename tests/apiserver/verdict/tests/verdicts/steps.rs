//! The API server's steps as `crd_conv::testing::server` takes them and as the server's own code does.

use crd_conv::schema::{Json, Schema};
use crd_conv::{testing::server, validation::Refusal};
use proptest::prelude::*;

use crate::{cases, drawn, run, start};

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
    let verdict = start();
    run(cases(), 500, &drawn::pair(), |(schema, object)| {
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
}
