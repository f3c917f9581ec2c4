//! The formats of strings that a default can be held against.
//!
//! Source: `k8s.io/kube-openapi/pkg/validation/strfmt`.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Those of strings, without dashes.
const KNOWN: &[&str] = &[
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Whether the server does anything with a format.
///
/// Source: `pkg/apiserver/validation/formats.go`.
pub(super) fn is_known(ty: &str, format: &str) -> bool {
    match ty {
        "" | "string" => KNOWN.contains(&format.replace('-', "").as_str()),
        "integer" => ["int32", "int64"].contains(&format),
        "number" => ["float", "double"].contains(&format),
        _ => false,
    }
}

/// Whether a text is of a format. `None` if that isn't known here.
pub(super) fn fits(format: &str, text: &str) -> Option<bool> {
    let format = format.replace('-', "");
    Some(match format.as_str() {
        "uuid" => is_uuid(text, None),
        "uuid3" => is_uuid(text, Some('3')),
        "uuid4" => is_uuid(text, Some('4')),
        "uuid5" => is_uuid(text, Some('5')),
        "ipv4" if text.parse::<Ipv4Addr>().is_ok() => true,
        "ipv6" => text.contains(':') && text.parse::<Ipv6Addr>().is_ok(),
        "hexcolor" => {
            let digits = text.strip_prefix('#').unwrap_or(text);
            matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit())
        }
        "date" => is_date(text),
        "password" => true,
        other => return (!KNOWN.contains(&other)).then_some(true),
    })
}

/// Upper case or lower, with or without the dashes.
fn is_uuid(text: &str, version: Option<char>) -> bool {
    let mut rest = text;
    let mut digits = String::with_capacity(32);
    for (i, len) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if i > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((part, after)) = rest.split_at_checked(len) else { return false };
        digits.push_str(part);
        rest = after;
    }
    let at = |i: usize| digits.as_bytes().get(i).map(u8::to_ascii_lowercase).map(char::from);
    let is_of_version = version.is_none_or(|version| {
        at(12) == Some(version) && (version == '3' || at(16).is_some_and(|c| "89ab".contains(c)))
    });
    rest.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) && is_of_version
}

/// `2006-01-02`.
fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |text: &str, len: usize| {
        (text.len() == len && text.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.parse::<u32>().unwrap_or_default())
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}
