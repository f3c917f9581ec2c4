//! Joined hops: which hops are joined, for which objects, and that the result is the same.

use super::{LIMIT, OWNER, field};
use crate::__private::write;
use crate::engine::{Direction, Ends, Engine, Joined, Route, Stored, Tally, Way};
use crate::json::Scanner;
use crate::plan::{Indexed, JsonType, Nested, Rule, StructPlan, Tree};

const fn renamed(older: &'static str, newer: &'static str) -> Rule {
    let [older, newer] =
        [field(older, false, || JsonType::STRING), field(newer, false, || JsonType::STRING)];
    Rule::Kept { older, newer, nested: Indexed::NOTHING }
}

static PLANS: [StructPlan; 5] = [
    StructPlan::new("A", "B", &[renamed("a", "b"), renamed("same", "same")]),
    StructPlan::new(
        "B",
        "C",
        &[renamed("b", "c"), renamed("same", "same"), Rule::Added { newer: OWNER, fill: None }],
    ),
    StructPlan::new(
        "C",
        "D",
        &[
            renamed("c", "a"),
            renamed("same", "same"),
            renamed("owner", "owner"),
            Rule::Added { newer: LIMIT, fill: Some(|out| write(&3, false, out)) },
        ],
    ),
    StructPlan::new("D", "E", &[renamed("a", "d"), renamed("same", "other")]),
    StructPlan::new("E", "F", &[renamed("d", "e"), renamed("other", "same")]),
];

fn hops() -> Vec<Route> {
    let versions = ["v1", "v2", "v3", "v4", "v5", "v6"];
    let hops = versions.windows(2).zip(&PLANS).map(|(pair, plan)| {
        let ends = Ends { group: "example.com", older: pair[0], newer: pair[1] };
        Route::new(ends, Some(Tree::of(Nested::Struct(plan))), Direction::Upgrade)
    });
    hops.collect()
}

/// Returns what becomes of an object, and what is counted.
fn convert(hops: &[Route], joined: &[Joined], object: &str) -> (String, String) {
    let (mut tally, mut out) = (Tally::default(), String::new());
    let way = Way { hops, joined };
    let outcome = Engine::default().hops(
        &mut Scanner::new(object),
        way,
        Stored::default(),
        &mut tally,
        &mut out,
    );
    match outcome {
        Ok(()) => (out, format!("{tally:?}")),
        Err(error) => (format!("{error:?}"), String::new()),
    }
}

#[test]
fn the_longest_runs_without_a_hop_that_does_something_in_every_object() {
    let hops = hops();
    let runs = |hops: &[Route]| {
        Joined::of(hops).into_iter().map(|run| (run.hops.start, run.hops.end)).collect::<Vec<_>>()
    };
    assert_eq!(runs(&hops), [(0, 2), (3, 5)]);
    assert_eq!(runs(&hops[1..]), [(2, 4)]);
    assert_eq!(runs(&hops[..2]), [(0, 2)]);
    assert!(runs(&hops[1..3]).is_empty() && runs(&hops[..1]).is_empty());
}

#[test]
fn an_object_comes_out_as_of_each_hop_by_itself() {
    let hops = hops();
    let joined = Joined::of(&hops[..2]);
    let start = r#""apiVersion":"example.com/v1","kind":"K""#;
    for (rest, is_one) in [
        (r#","metadata":{"name":"n"},"a":"x","same":"y","unknown":{"a":1}"#, true),
        ("", true),
        (r#","metadata":{"annotations":{"other.example.com/a":"b"}},"a":null"#, true),
        // Fields with names that other versions have.
        (r#","owner":"me""#, false),
        (r#","b":"x""#, false),
        (r#","c":"x","a":"y""#, false),
        // A key that is there twice, which is counted.
        (r#","a":"x","a":"y""#, false),
        (
            r#","metadata":{"annotations":{"conversion.example.com/v3.owner":"{\"format\":1,\"peer\":\"v2\",\"keep\":{\"owner\":\"me\"}}"}}"#,
            false,
        ),
        // Errors that name the hop.
        (r#","metadata":7"#, false),
        (r#","kind":"K""#, false),
        (r#","a":"x"#, false),
    ] {
        let object = format!("{{{start}{rest}}}");
        let mut out = String::from("before");
        let mut scanner = Scanner::new(&object);
        let done = Engine::default().as_one(&mut scanner, &joined[0].route, &mut out);
        assert_eq!(done, is_one, "{object}");
        assert_eq!((out == "before", scanner.pos == 0), (!is_one, !is_one), "{object}");
        assert_eq!(convert(&hops[..2], &joined, &object), convert(&hops[..2], &[], &object));
        assert_eq!(convert(&hops, &Joined::of(&hops), &object), convert(&hops, &[], &object));
    }
}
