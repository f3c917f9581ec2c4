//! What a plain scalar means to kubectl.
//!
//! Source: `resolve.go` of `go.yaml.in/yaml/v2`, through which `sigs.k8s.io/yaml` reads manifests.
//! That is YAML 1.1 without numbers to the base of 60.

use super::node::{Node, is_json_number};

/// Resolves a scalar without quotes and without a tag. Numbers keep their digits, as far as JSON
/// has such digits.
pub(super) fn resolve(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Node::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Node::Boolean(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Node::Boolean(false);
        }
        _ => {}
    }
    number(text).map_or_else(|| Node::String(text.to_owned()), Node::Number)
}

/// Whether a scalar is a number that JSON doesn't have.
pub(super) fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

fn number(text: &str) -> Option<String> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return None;
    }
    let digits = text.replace('_', "");
    let (is_negative, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(&digits)),
    };
    let sign = if is_negative { "-" } else { "" };
    // Only here, Go takes a second sign.
    if let Some(binary) = digits.strip_prefix("0b")
        && let Ok(value) = i64::from_str_radix(binary, 2)
    {
        return Some(value.to_string());
    }
    if let Some(value) = with_base(unsigned) {
        let is_in_range = if is_negative {
            value <= i64::MIN.unsigned_abs().into()
        } else {
            value <= u64::MAX.into()
        };
        return is_in_range.then(|| format!("{sign}{value}"));
    }
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
    if !is_number {
        return None;
    }
    let unsigned = unsigned.trim_start_matches('0');
    let zero = if unsigned.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    let (before, after) = match unsigned.find(['e', 'E']) {
        Some(exponent) => unsigned.split_at(exponent),
        None => (unsigned, ""),
    };
    let end = if before.ends_with('.') { "0" } else { "" };
    let number = format!("{sign}{zero}{before}{end}{after}");
    let is_finite = number.parse::<f64>().is_ok_and(f64::is_finite);
    Some(number).filter(|number| is_finite && is_json_number(number))
}

/// An integer whose first digits name its base.
fn with_base(unsigned: &str) -> Option<u128> {
    let (base, digits) = match unsigned.get(..2) {
        Some("0x" | "0X") => (16, &unsigned[2..]),
        Some("0o" | "0O") => (8, &unsigned[2..]),
        Some("0b" | "0B") => (2, &unsigned[2..]),
        Some(_) if unsigned.starts_with('0') => (8, &unsigned[1..]),
        _ => return None,
    };
    // A sign after the base isn't one.
    let is_plain = digits.starts_with(|c: char| c.is_ascii_alphanumeric());
    u128::from_str_radix(digits, base).ok().filter(|_| is_plain)
}
