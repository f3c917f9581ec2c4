//! The canonical form, which is equal for all JSON texts that mean the same.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Scanner, Str, decode, go_float, is_plain_string, quote};

/// Deeper values have no canonical form. `serde_json` reads values up to this depth, so no
/// converter ever sees a deeper one.
const MAX_DEPTH: usize = 128;

/// How exact a comparison of two texts is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fidelity {
    /// Numbers are compared by their text, and half a surrogate pair differs from U+FFFD, so that
    /// nothing can be lost.
    AsWritten,
    /// Texts are compared as the API server sees them after decoding. A number that fits a signed
    /// 64-bit integer is that integer, and any other number is a 64-bit float. Half a surrogate
    /// pair is U+FFFD.
    ///
    /// Source: `k8s.io/apimachinery/pkg/util/json` and `encoding/json`.
    AsServed,
}

/// Appends the canonical form of a value: no white space, keys in the API server's order, only the
/// last of equal keys, and the shortest escapes. Returns `None` if the text isn't JSON or is nested
/// too deep.
pub(crate) fn canonical(text: &str, fidelity: Fidelity, out: &mut String) -> Option<()> {
    if is_plain_string(text) {
        out.push_str(text);
        return Some(());
    }
    let mut scanner = Scanner::new(text);
    scanner.peek();
    value(&mut scanner, fidelity, 0, out)?;
    scanner.end().ok()
}

/// Whether two texts mean the same.
pub(crate) fn equal(a: &str, b: &str, fidelity: Fidelity) -> bool {
    if a == b {
        return true;
    }
    let (mut left, mut right) = (String::new(), String::new());
    canonical(a, fidelity, &mut left).is_some()
        && canonical(b, fidelity, &mut right).is_some()
        && left == right
}

fn value(
    scanner: &mut Scanner<'_>,
    fidelity: Fidelity,
    depth: usize,
    out: &mut String,
) -> Option<()> {
    if depth == MAX_DEPTH {
        return None;
    }
    let start = scanner.pos;
    match scanner.peek() {
        b'"' => {
            let string = scanner.string().ok()?;
            quote_canonical(scanner.text(), string, fidelity, out);
        }
        b'[' => {
            scanner.enter_array().ok()?;
            out.push('[');
            let mut first = true;
            while scanner.next_element(first).ok()? {
                if !first {
                    out.push(',');
                }
                first = false;
                value(scanner, fidelity, depth + 1, out)?;
            }
            out.push(']');
        }
        b'{' => {
            scanner.enter_object().ok()?;
            let mut members = BTreeMap::new();
            let mut first = true;
            while let Some(key) = scanner.next_member(first).ok()? {
                first = false;
                let (mut name, mut member) = (String::new(), String::new());
                quote_canonical(scanner.text(), key, fidelity, &mut name);
                value(scanner, fidelity, depth + 1, &mut member)?;
                members.insert(Name(name), member);
            }
            out.push('{');
            for (index, (Name(name), member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(name);
                out.push(':');
                out.push_str(member);
            }
            out.push('}');
        }
        b'-' | b'0'..=b'9' if fidelity == Fidelity::AsServed => {
            scanner.skip_value().ok()?;
            number(&scanner.text()[start..scanner.pos], out);
        }
        _ => {
            scanner.skip_value().ok()?;
            out.push_str(&scanner.text()[start..scanner.pos]);
        }
    }
    Some(())
}

/// A key in quotes. Keys are sorted as in the API server: by their decoded text.
#[derive(Debug, PartialEq, Eq)]
struct Name(String);

impl Name {
    fn sorted_by(&self) -> (Cow<'_, str>, &str) {
        (decode(&self.0[1..self.0.len() - 1]).0, &self.0)
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sorted_by().cmp(&other.sorted_by())
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn quote_canonical(text: &str, string: Str, fidelity: Fidelity, out: &mut String) {
    let raw = string.raw(text);
    if !string.escaped {
        push_quoted(raw, out);
        return;
    }
    match decode(raw) {
        // Half a surrogate pair needs a fixed text that differs from every decoded string. The
        // escaped text does, and is still JSON.
        (_, true) if fidelity == Fidelity::AsWritten => push_quoted(raw, out),
        (decoded, _) => quote(&decoded, out),
    }
}

fn push_quoted(raw: &str, out: &mut String) {
    out.push('"');
    out.push_str(raw);
    out.push('"');
}

fn number(text: &str, out: &mut String) {
    if let Ok(integer) = text.parse::<i64>() {
        out.push_str(&integer.to_string());
        return;
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => {
            let written = go_float(float);
            match written.parse::<i64>() {
                // If the API server writes a float like an integer, it reads the float as that
                // integer.
                Ok(integer) => out.push_str(&integer.to_string()),
                Err(_) => out.push_str(&written),
            }
        }
        _ => out.push_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(text: &str) -> String {
        let mut out = String::new();
        canonical(text, Fidelity::AsServed, &mut out).unwrap();
        out
    }

    #[test]
    fn keys_are_in_the_servers_order() {
        let sorted = r#"{"":0,"\t":0,"a":0,"a b":0,"a!":0,"a\"":0,"ab":0,"ü":0}"#;
        let mixed = r#"{"ab":0,"a!":0,"a b":0,"ü":0,"a":0,"a\"":0,"\t":0,"":0}"#;
        assert_eq!(served(mixed), sorted);
    }

    #[test]
    fn numbers_that_the_server_cannot_tell_apart_are_one() {
        for (text, expected) in [
            ("1.0", "1"),
            ("1e2", "100"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.10", "1.1"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9223372036854776000"),
            // The server writes this number in this way. It isn't the exact integer value of the
            // float.
            ("1.2345678901234567e18", "1234567890123456800"),
            ("-9223372036854775808.0", "-9223372036854776000"),
            ("12345678901234567890123", "1.2345678901234568e+22"),
            ("1e400", "1e400"),
            ("1E-7", "1e-7"),
            ("1e-5", "0.00001"),
        ] {
            assert_eq!(served(text), expected);
        }
    }

    #[test]
    fn objects_are_sorted_and_the_last_of_equal_keys_wins() {
        assert_eq!(
            served(r#" { "b" : [ 1.0 , "\u0041\/" ], "a" : {} , "\u0062": null } "#),
            r#"{"a":{},"b":null}"#
        );
    }

    #[test]
    fn as_written_keeps_what_the_server_would_fold() {
        assert!(equal(r#""h\u003a1""#, r#""h:1""#, Fidelity::AsWritten));
        assert!(!equal("1.0", "1", Fidelity::AsWritten));
        assert!(equal("1.0", "1", Fidelity::AsServed));
        assert!(!equal(r#""\ud800""#, "\"\u{fffd}\"", Fidelity::AsWritten));
        assert!(equal(r#""\ud800""#, "\"\u{fffd}\"", Fidelity::AsServed));
    }

    #[test]
    fn deep_and_broken_texts_have_no_form() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in [deep.as_str(), "", "1 2", "{"] {
            assert_eq!(canonical(text, Fidelity::AsServed, &mut String::new()), None, "{text}");
        }
    }
}
