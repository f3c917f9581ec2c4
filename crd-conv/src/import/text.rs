//! Rust text: literals, JSON in attributes, and comments.
//!
//! All that comes from a document goes through this module or through `names`, so that no document can write code.

use std::fmt::Write as _;

use crate::json::{Json, Number};

/// `json!` calls itself for each token. Rust allows 128 calls, and a few are schemars' own.
const MACRO_CALLS: usize = 80;

/// A string literal.
pub(super) fn string(text: &str) -> String {
    if text.chars().any(|each| !is_printable(each)) {
        return escaped(text);
    }
    if !text.contains(['\\', '"']) {
        return format!("\"{text}\"");
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    // Rust allows at most 255.
    if hashes.len() > 255 { escaped(text) } else { format!("r{hashes}\"{text}\"{hashes}") }
}

fn escaped(text: &str) -> String {
    let mut out = "\"".to_owned();
    for each in text.chars() {
        match each {
            '\\' => out += "\\\\",
            '"' => out += "\\\"",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            _ if is_printable(each) => out.push(each),
            _ => {
                // Writing to a string doesn't fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(each));
            }
        }
    }
    out + "\""
}

/// Whether a character can stand in a literal and in a comment as it is. rustc refuses those that change the direction of the
/// text around them.
fn is_printable(each: char) -> bool {
    !each.is_control()
        && !matches!(each, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A value as the argument of schemars' `extend`.
pub(super) fn json(value: &Json) -> String {
    if calls(value) > MACRO_CALLS {
        // `Some(value)` is written like the value.
        return format!(
            "serde_json::from_str::<serde_json::Value>({}).ok()",
            string(&value.to_string())
        );
    }
    in_macro(value)
}

fn in_macro(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Boolean(value) => value.to_string(),
        Json::Number(value) => number(*value),
        Json::Text(text) => string(text),
        Json::Array(items) => {
            let items: Vec<_> = items.iter().map(in_macro).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", string(name), in_macro(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// How deep `json!` calls itself for a value.
fn calls(value: &Json) -> usize {
    let inside = |each: usize, place: usize, value: &Json| each * (place + 1) + calls(value);
    match value {
        Json::Array(items) => {
            items.iter().enumerate().map(|(place, item)| inside(2, place, item)).max().unwrap_or(1)
        }
        Json::Object(members) => {
            let members = members.values().enumerate();
            members.map(|(place, value)| inside(5, place, value)).max().unwrap_or(1)
        }
        _ => 1,
    }
}

/// A number whose type is visible, because schemars infers `i32` otherwise.
pub(super) fn number(number: Number) -> String {
    match number {
        Number::Signed(value) if i32::try_from(value).is_ok() => value.to_string(),
        Number::Signed(value) => format!("{value}_i64"),
        Number::Unsigned(value) => format!("{value}_u64"),
        Number::Float(value) => format!("{value:?}"),
    }
}

/// How a description is written.
pub(super) enum Docs {
    /// Lines with `///`.
    Lines(Vec<String>),
    /// The argument of `#[schemars(description = …)]`.
    Literal(String),
}

/// A doc comment, if schemars makes exactly this description of it.
pub(super) fn docs(description: &str) -> Docs {
    let is_plain = |line: &str| {
        !line.ends_with([' ', '\t']) && line.chars().all(|each| each == '\t' || is_printable(each))
    };
    // schemars makes a title of the first line if it starts with `#`.
    if description.trim() != description
        || description.starts_with('#')
        || description.is_empty()
        || !description.split('\n').all(is_plain)
    {
        return Docs::Literal(string(description));
    }
    let line = |line: &str| if line.is_empty() { "///".to_owned() } else { format!("/// {line}") };
    Docs::Lines(description.split('\n').map(line).collect())
}

/// Text of a document in a comment: on one line, and without anything that isn't visible.
pub(super) fn in_comment(text: &str) -> String {
    let visible = |each: char| if is_printable(each) { each } else { ' ' };
    text.chars().map(visible).collect()
}

/// Indents every line of a text.
pub(super) fn indented(text: &str, by: usize) -> String {
    let space = " ".repeat(by);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            out += &space;
        }
        out += line;
    }
    out
}
