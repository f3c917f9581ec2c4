//! What the API server refuses of objects, as `crd_conv::validation` takes it and as the server's own code does.

mod restrict;
mod values;

use std::cell::{Cell, RefCell};

use crd_conv::schema::{Json, Schema};
use crd_conv::testing::server::{self, Invalid};
use crd_conv::verify::{About, Warning, verify};
use crd_conv_verdict::{Cause, Verdict};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;

use crate::random::Random;
use crate::{cases, definitions, drawn, run, start};

/// What these strategies are made of takes hours to shrink.
pub(crate) const SHRINKS: u32 = 0;

/// The causes in an order that both sides have. The server leaves the order of keys to chance.
pub(crate) fn sorted(mut causes: Vec<Cause>) -> Vec<Cause> {
    for cause in &mut causes {
        // What the server has no words for in a field of its own it says of `<nil>`.
        if cause.message.contains("must validate")
            || cause.message.contains("must not validate")
            || cause.message.contains("value must be of type")
            || cause.field == "<nil>"
        {
            cause.field.clear();
        }
        // Which characters Go prints as they are depends on its tables of Unicode.
        let is_odd = |c: char| !c.is_ascii() && !"\u{e4}\u{fc}".contains(c);
        if cause.message.contains(is_odd)
            || ["\\u", "\\U", "\\x"].iter().any(|s| cause.message.contains(s))
        {
            cause.message.clear();
        }
        // Names are explained at length.
        if cause.field.contains("metadata") || cause.field.ends_with("kind") {
            cause.message.clear();
        }
    }
    causes.sort();
    causes.dedup();
    causes
}

pub(crate) fn ours(invalid: &Invalid) -> Vec<Cause> {
    let cause = |cause: &crd_conv::validation::Cause| {
        let text = cause.to_string();
        let message = text.split_once(": ").map_or("", |(_, message)| message);
        Cause {
            field: cause.field.clone(),
            ty: format!("FieldValue{:?}", cause.kind),
            message: message.to_owned(),
        }
    };
    sorted(invalid.causes.iter().map(cause).collect())
}

/// What came out, to see that the test tries both.
#[derive(Default)]
struct Counts {
    accepted: Cell<u32>,
    refused: Cell<u32>,
    unchecked: Cell<u32>,
}

fn one_more(count: &Cell<u32>) {
    count.set(count.get() + 1);
}

fn compare(
    verdict: &RefCell<Verdict>,
    schema: &Schema,
    object: &str,
    counts: &Counts,
) -> TestCaseResult {
    let theirs = verdict.borrow_mut().causes("validate", schema, object).expect("an answer");
    let shown = || format!("{object}\n{}", serde_json::to_string(schema).expect("JSON"));
    let (ours, theirs, invalid) = match (server::validate(object, schema), theirs) {
        (Ok(invalid), Ok(theirs)) => (ours(&invalid), sorted(theirs), invalid),
        (Err(_), Err(_)) => return Ok(()),
        (ours, theirs) => {
            return Err(TestCaseError::fail(format!("{ours:?}, {theirs:?}\n{}", shown())));
        }
    };
    if ours != theirs && !invalid.unchecked.is_empty() {
        one_more(&counts.unchecked);
        return Ok(());
    }
    one_more(if theirs.is_empty() { &counts.accepted } else { &counts.refused });
    prop_assert_eq!(ours, theirs, "{}", shown());
    Ok(())
}

#[test]
fn objects_have_the_servers_verdict() {
    let verdict = start();
    let counts = Counts::default();
    let strategy = (drawn::root(), any::<u64>(), 0..4_usize);
    run(cases(), SHRINKS, &strategy, |(mut schema, seed, wrong)| {
        let mut random = Random::new(seed);
        restrict::restrict(&mut schema, &mut random);
        let ask = verdict.borrow_mut().ask("structural", &schema, "{}").expect("an answer");
        prop_assert_eq!(ask, Ok("true".to_owned()), "invalid test case");
        let mut object = values::resource(&schema, &mut random);
        for _ in 0..wrong {
            values::spoil(&mut object, &mut random);
        }
        compare(&verdict, &schema, &object.to_string(), &counts)
    });
    let [accepted, refused, unchecked] =
        [&counts.accepted, &counts.refused, &counts.unchecked].map(Cell::get);
    println!("{accepted} accepted, {refused} refused, {unchecked} not to be said");
    assert!(accepted * 5 > refused && refused * 5 > accepted, "invalid test case");
    // Nearly all of them are compared.
    assert!(unchecked * 50 < accepted + refused, "invalid test case");
}

/// What the server creates, server-side apply takes, unless `verify` warned.
#[test]
fn server_side_apply_takes_what_is_created() {
    let verdict = start();
    let [taken, warned] = [const { Cell::new(0_u32) }; 2];
    run(cases() / 10, SHRINKS, &(drawn::root(), any::<u64>()), |(mut schema, seed)| {
        let mut random = Random::new(seed);
        restrict::restrict(&mut schema, &mut random);
        restrict::list_types(&mut schema, &mut random);
        let document = definitions::document(&[serde_json::to_value(&schema).expect("JSON")]);
        let report = verify(&Json::from(&document));
        if !report.accepts() {
            return Ok(());
        }
        let objects: Vec<_> = (0..8).map(|_| values::resource(&schema, &mut random)).collect();
        let created = verdict.borrow_mut().creates(&schema, &objects).expect("an answer");
        for object in created.into_iter().flatten() {
            let object = object.to_string();
            let said = verdict.borrow_mut().ask("applies", &schema, &object).expect("an answer");
            let said = said.map_err(TestCaseError::fail)?;
            let about = |warning: &Warning| warning.about == About::ServerSideApply;
            if said == "null" {
                one_more(&taken);
            } else {
                let said_so = report.warnings.iter().any(about);
                prop_assert!(said_so, "{said}\n{object}\n{document}");
                one_more(&warned);
            }
        }
        Ok(())
    });
    let [taken, warned] = [&taken, &warned].map(Cell::get);
    println!("{taken} taken, {warned} refused with a warning");
    assert!(warned > 0 && taken > warned, "invalid test case");
}

#[test]
fn texts_have_the_servers_verdict() {
    let verdict = start();
    let counts = Counts::default();
    let strategy = (proptest::sample::select(values::FORMATS.to_vec()), any::<u64>(), 0..3_usize);
    run(cases(), SHRINKS, &strategy, |((format, texts), seed, wrong)| {
        let mut random = Random::new(seed);
        let mut text = (*random.pick(texts)).to_owned();
        for _ in 0..wrong {
            values::spoil_text(&mut text, &mut random);
        }
        let mut field = Schema::default();
        field.ty = Some(crd_conv::schema::SchemaType::Text);
        field.format = Some(format.to_owned());
        let mut schema = Schema::default();
        schema.ty = Some(crd_conv::schema::SchemaType::Object);
        schema.properties.insert("a".to_owned(), field);
        let object = serde_json::json!({
            "apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "a": text,
        });
        compare(&verdict, &schema, &object.to_string(), &counts)
    });
    let [accepted, refused, unchecked] =
        [&counts.accepted, &counts.refused, &counts.unchecked].map(Cell::get);
    println!("{accepted} accepted, {refused} refused, {unchecked} not to be said");
    assert!(accepted * 5 > refused && refused * 5 > accepted, "invalid test case");
}

#[test]
fn unknown_fields_are_those_of_the_server() {
    let verdict = start();
    run(cases(), SHRINKS, &drawn::pair(), |(schema, text)| {
        let Ok(mut object) = server::read(&text) else { return Ok(()) };
        let theirs = verdict.borrow_mut().ask("pruned", &schema, &text).expect("an answer");
        let theirs: Value = serde_json::from_str(&theirs.expect("paths")).expect("JSON");
        let theirs: Vec<String> = serde_json::from_value(theirs).unwrap_or_default();
        let mut ours = server::prune(&mut object, &schema);
        ours.sort();
        prop_assert_eq!(ours, theirs, "{}", text);
        Ok(())
    });
}
