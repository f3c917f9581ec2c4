//! Rules that would take a lot of stack.

use std::thread;

use serde_json::{Value, json};

use super::{Validator, document, object};
use crate::verify::verify;

/// The stack that the standard library gives a thread, such as one of a server's workers.
const STACK: usize = 2 << 20;

/// The longest rules that are parsed.
const LENGTH: usize = 10_000;

/// How deep values are nested.
const VALUES: usize = 100;

/// What becomes of a rule that no object breaks.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// By `verify`, so that no object is validated.
    Refused,
    Unchecked,
    Holds,
}

/// Verifies a schema of `spec` and validates an object, with no more than the usual stack.
fn outcome(schema: Value, spec: Value) -> Outcome {
    let run = move || {
        let document = document(&json!({"spec": schema}), &json!({}));
        let accepted = verify(&document).violations.is_empty();
        let Ok(validator) = Validator::read(&document) else {
            assert!(!accepted);
            return Outcome::Refused;
        };
        let object = object(&json!({"name": "a"}), &spec, &json!({}));
        let report = validator.validate(&object).expect("it can be read");
        assert_eq!(report.causes, []);
        if report.unchecked.is_empty() { Outcome::Holds } else { Outcome::Unchecked }
    };
    thread::Builder::new().stack_size(STACK).spawn(run).expect("it starts").join().expect("it ends")
}

fn of_rule(rule: &str) -> Outcome {
    let schema = json!({"type": "object", "x-kubernetes-validations": [{"rule": rule}]});
    outcome(schema, json!({}))
}

/// A rule with parts that are repeated: its begin, what opens a level, the innermost part, what closes a level, its end.
/// Then a number of levels at which the rule holds, and what becomes of the longest rule.
type Shape = ([&'static str; 5], usize, Outcome);

const SHAPES: &[Shape] = &[
    (["", "(", "true", ")", ""], 40, Outcome::Unchecked),
    (["", "!!(", "true", ")", ""], 40, Outcome::Unchecked),
    (["size(", "[", "1", "]", ") == 1"], 40, Outcome::Unchecked),
    (["size(", "{1: ", "1", "}", ") == 1"], 0, Outcome::Unchecked),
    (["", "true ? (", "true", ") : false", ""], 40, Outcome::Unchecked),
    (["'a' == ", "'b'.replace('b', ", "'a'", ")", ""], 5, Outcome::Unchecked),
    (["", "[1].all(x, ", "true", ")", ""], 2, Outcome::Unchecked),
    (["size(", "[1].map(x, ", "1", ")", ") == 1"], 1, Outcome::Unchecked),
    (["0 < 1 || [] == [", "-1 == -1 + -1 * [", "1", "]", "]"], 0, Outcome::Unchecked),
    (["", "[", "", "", ""], 0, Outcome::Unchecked),
    (["", "f(", "", "", ""], 0, Outcome::Unchecked),
    (["", "false ? false : ", "true", "", ""], 40, Outcome::Unchecked),
    (["", "", "1", " + 1", " > 0"], 40, Outcome::Unchecked),
    (["", "", "'a'", ".trim()", " == 'a'"], 5, Outcome::Unchecked),
    (["size(", "", "[1]", ".map(x, x)", ") == 1"], 3, Outcome::Unchecked),
    (["", "", "self", ".a", " == 1"], 0, Outcome::Unchecked),
    (["", "", "self", "[0]", " == 1"], 0, Outcome::Unchecked),
    (["", "", "true", " == true", ""], 40, Outcome::Unchecked),
    (["", "true && ", "true", "", ""], 500, Outcome::Holds),
    (["", "false || ", "true", "", ""], 500, Outcome::Holds),
    (["", "!!", "true", "", ""], 4_000, Outcome::Holds),
    (["", "--", "1", "", " > 0"], 4_000, Outcome::Holds),
];

#[test]
fn rules() {
    for ([begin, open, middle, close, end], holds, longest) in SHAPES {
        let rule = |levels: usize| {
            [begin, &*open.repeat(levels), middle, &*close.repeat(levels), end].concat()
        };
        let most = (LENGTH - rule(0).len()) / (open.len() + close.len());
        if *holds > 0 {
            assert_eq!(of_rule(&rule(*holds)), Outcome::Holds, "{}", rule(*holds));
        }
        // The parser of expressions ends soon after this.
        of_rule(&rule(95.min(most)));
        assert_eq!(of_rule(&rule(most)), *longest, "{}", rule(1));
        assert_ne!(of_rule(&rule(LENGTH)), Outcome::Holds, "{}", rule(1));
    }
}

#[test]
fn values() {
    let (mut schema, mut value) = (json!({"type": "integer"}), json!(1));
    for _ in 0..VALUES {
        schema = json!({"type": "object", "properties": {"a": schema}});
        value = json!({"a": value});
    }
    schema["x-kubernetes-validations"] = json!([{"rule": "self == self && [self] == [self]"}]);
    assert_eq!(outcome(schema, value), Outcome::Holds);
}
