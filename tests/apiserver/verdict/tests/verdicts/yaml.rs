//! What a text in YAML means to `crd_conv::yaml`, and to the library through which kubectl reads it.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::Value;

use crate::{cases, run, start};

const SHRINKS: u32 = 2_000;

/// A value as it is written.
#[derive(Clone, Debug)]
enum Written {
    /// In one line, or in several where each goes on with `↵`.
    Scalar(String),
    Sequence(Vec<Written>, Style),
    Mapping(Vec<(String, Written)>, Style),
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Block,
    Flow,
}

/// What readers of YAML take for different things.
const WORDS: [&str; 46] = [
    "",
    "~",
    "null",
    "Null",
    "nUll",
    "y",
    "N",
    "yes",
    "Off",
    "on",
    "True",
    "tRue",
    "0",
    "-0",
    "+1",
    "007",
    "08",
    "0o17",
    "0x1F",
    "-0xf",
    "0b11",
    "1_000",
    "_1",
    "1__0",
    "1e3",
    "1E-3",
    ".5",
    "5.",
    "-.5",
    "1.10",
    "+.inf",
    ".NaN",
    "12:30",
    "1:2:3.5",
    "2001-12-14",
    "2001-12-14t21:59:43Z",
    "=",
    "<<",
    "a b",
    "a#b",
    "a:b",
    "-a",
    "?a",
    "12345678901234567890123",
    "18446744073709551616",
    "1e400",
];

fn scalar() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
    let text = || "[a-c0-9 _.:,#'\"\\\\\u{e4}-]{0,6}";
    prop_oneof![
        5 => word.clone(),
        3 => "[-+]?[0-9][0-9_.]{0,4}([eE][-+]?[0-9]{1,2})?",
        2 => "0[xXoObB]?[-+]?[0-9a-f_]{1,4}",
        2 => "[a-c][a-c0-9:#,. -]{0,6}",
        2 => text().prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        2 => text().prop_map(|text| serde_json::to_string(&text).expect("JSON")),
        1 => r#""(\\x41|\\u263a|\\e|\\N|\\/|\\ |\\t|a| ){0,4}""#,
        1 => ("[|>][+-]?", prop::collection::vec("( |#)?[a-c:'-]{0,4}", 1..4))
            .prop_map(|(header, lines)| format!("{header}↵{}", lines.join("↵"))),
        1 => prop::collection::vec("[a-c]{1,3}", 2..4).prop_map(|lines| lines.join("↵")),
        1 => prop::collection::vec("[a-c ]{0,3}", 2..4).prop_map(|lines| format!("\"{}\"", lines.join("↵"))),
        1 => (prop::sample::select(&["!!str", "!!int", "!!float", "!!bool", "!!null", "!", "!!binary"][..]), word)
            .prop_map(|(tag, word)| format!("{tag} {word}")),
        1 => "&[ab] [a-c0-9]{1,3}",
        1 => "\\*[ab]",
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]{1,3}",
        2 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        1 => "\"[a-c :#]{0,3}\"",
        1 => "'[a-c :#]{0,3}'",
    ]
}

fn written() -> impl Strategy<Value = Written> {
    scalar().prop_map(Written::Scalar).prop_recursive(3, 12, 4, |inner| {
        let style = prop_oneof![3 => Just(Style::Block), 1 => Just(Style::Flow)];
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..4), style.clone())
                .prop_map(|(items, style)| Written::Sequence(items, style)),
            (prop::collection::vec((key(), inner), 0..4), style)
                .prop_map(|(members, style)| Written::Mapping(members, style)),
        ]
    })
}

impl Written {
    /// Writes the value after a key or a dash, or at the start.
    fn append(&self, out: &mut String, indent: usize, style: Style) {
        match self {
            Self::Scalar(text) => {
                let continued = format!("\n{}", " ".repeat(indent + 1));
                out.push(' ');
                out.push_str(&text.replace('↵', &continued));
            }
            Self::Sequence(items, Style::Block)
                if matches!(style, Style::Block) && !items.is_empty() =>
            {
                for item in items {
                    line(out, indent);
                    out.push('-');
                    item.append(out, indent + 2, style);
                }
            }
            Self::Mapping(members, Style::Block)
                if matches!(style, Style::Block) && !members.is_empty() =>
            {
                for (key, value) in members {
                    line(out, indent);
                    out.push_str(key);
                    out.push(':');
                    value.append(out, indent + 2, style);
                }
            }
            Self::Sequence(items, _) => {
                out.push_str(" [");
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    item.append(out, indent, Style::Flow);
                }
                out.push_str(" ]");
            }
            Self::Mapping(members, _) => {
                out.push_str(" {");
                for (i, (key, value)) in members.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { " " });
                    out.push_str(key);
                    out.push(':');
                    value.append(out, indent, Style::Flow);
                }
                out.push_str(" }");
            }
        }
    }
}

fn line(out: &mut String, indent: usize) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&" ".repeat(indent));
}

/// Whether two values are the same but for digits that Go rounds.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => ours.as_f64() == theirs.as_f64(),
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| same(ours, theirs))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .all(|(key, ours)| theirs.get(key).is_some_and(|theirs| same(ours, theirs)))
        }
        _ => ours == theirs,
    }
}

#[test]
fn a_text_means_what_it_means_to_kubectl() {
    let verdict = start();
    let [read, refused, ours_alone, theirs_alone] = [const { Cell::new(0_u32) }; 4];
    let count = |counter: &Cell<u32>| counter.set(counter.get() + 1);
    run(cases(), SHRINKS, &written(), |written| {
        let mut text = String::new();
        written.append(&mut text, 0, Style::Block);
        text.push('\n');
        let theirs = verdict.borrow_mut().yaml(&text).expect("an answer");
        match (crd_conv::yaml::to_json(&text), theirs) {
            (Ok(ours), Ok(theirs)) => {
                let parsed = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
                let ours = ours.first().map_or(Value::Null, |ours| parsed(ours));
                let theirs = parsed(&theirs);
                prop_assert!(same(&ours, &theirs), "{text}\nours: {ours}\ntheirs: {theirs}");
                count(&read);
            }
            (Err(_), Err(_)) => count(&refused),
            // Such as `"\/"`, an escape of YAML 1.2.
            (Ok(_), Err(_)) => count(&ours_alone),
            // Such as keys that occur twice, or that kubectl rounds.
            (Err(_), Ok(_)) => count(&theirs_alone),
        }
        Ok(())
    });
    let [read, refused, ours_alone, theirs_alone] =
        [read, refused, ours_alone, theirs_alone].map(|counter| counter.get());
    println!("{read} read, {refused} refused, {ours_alone} and {theirs_alone} by one only");
    let all = cases();
    assert!(read > all / 2 && refused > all / 20, "invalid test case");
    assert!(ours_alone < all / 20 && theirs_alone < all / 10, "invalid test case");
}
