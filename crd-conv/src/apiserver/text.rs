//! JSON as Go writes it.

use std::fmt::Write;

use crate::json::{Json, Number, go_float};

/// A schema's value as the server has it in memory.
pub(crate) fn as_decoded(value: &Json) -> Json {
    match value {
        Json::Number(Number::Unsigned(integer)) => Json::Number(match i64::try_from(*integer) {
            Ok(integer) => Number::Signed(integer),
            Err(_) => Number::Float(Number::Unsigned(*integer).as_f64()),
        }),
        Json::Array(items) => Json::Array(items.iter().map(as_decoded).collect()),
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), as_decoded(value)));
            Json::Object(members.collect())
        }
        value => value.clone(),
    }
}

/// Writes a value as the server does: keys sorted, numbers and escapes in Go's way.
///
/// Source: `encoding/json`.
pub(crate) fn write(value: &Json) -> String {
    let mut out = String::new();
    push(value, &mut out);
    out
}

fn push(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Boolean(boolean) => out.push_str(if *boolean { "true" } else { "false" }),
        Json::Number(number) => out.push_str(&written(*number)),
        Json::Text(text) => push_text(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_text(name, out);
                out.push(':');
                push(member, out);
            }
            out.push('}');
        }
    }
}

/// A number as Go writes it.
pub(crate) fn written(number: Number) -> String {
    match number {
        Number::Signed(integer) => integer.to_string(),
        Number::Unsigned(integer) => integer.to_string(),
        Number::Float(float) => go_float(float),
    }
}

fn push_text(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a text can't fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{refusal::Refusal, text::read};

    fn reencode(text: &str) -> Result<String, Refusal> {
        read(text).map(|value| write(&value))
    }

    #[test]
    fn numbers_are_those_of_go() {
        for (text, expected) in [
            ("1.0", "1"),
            ("1e2", "100"),
            ("-0", "0"),
            ("-0.0", "-0"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9223372036854776000"),
            ("12345678901234567890123", "1.2345678901234568e+22"),
        ] {
            assert_eq!(reencode(text).as_deref(), Ok(expected));
        }
        assert!(reencode("1e400").is_err());
    }

    #[test]
    fn strings_are_those_of_go() {
        assert_eq!(
            reencode(r#"{"b":"\ud800<&>\u2028","a":1,"b":"\b\f\u0001\/\u007f\udc00"}"#).as_deref(),
            Ok("{\"a\":1,\"b\":\"\\b\\f\\u0001/\u{7f}\u{fffd}\"}")
        );
        assert_eq!(reencode(r#""<&>\u2028""#).as_deref(), Ok(r#""\u003c\u0026\u003e\u2028""#));
    }

    #[test]
    fn deep_and_broken_texts_are_refused() {
        for text in ["", "{", "1 2", &("[".repeat(9_000) + &"]".repeat(9_000))] {
            assert!(read(text).is_err());
        }
    }
}
