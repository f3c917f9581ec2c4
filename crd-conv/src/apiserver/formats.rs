//! The formats of strings.
//!
//! Source: `k8s.io/kube-openapi/pkg/validation/strfmt`.

mod codes;
mod names;
mod network;
mod times;

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
pub(crate) fn is_known(ty: &str, format: &str) -> bool {
    match ty {
        "" | "string" => !format.is_empty() && KNOWN.contains(&format.replace('-', "").as_str()),
        "integer" => ["int32", "int64"].contains(&format),
        "number" => ["float", "double"].contains(&format),
        _ => false,
    }
}

/// Whether a text is of a format. `None` if that isn't known here.
pub(super) fn fits(format: &str, text: &str) -> Option<bool> {
    if format.is_empty() {
        return Some(true);
    }
    Some(match format.replace('-', "").as_str() {
        "bsonobjectid" => text.len() == 24 && text.bytes().all(|b| b.is_ascii_hexdigit()),
        "byte" => codes::is_base64(text),
        "cidr" => network::is_cidr(text),
        "creditcard" => codes::is_credit_card(text),
        "date" => times::is_date(text),
        "datetime" => times::is_date_time(text),
        "duration" => times::is_duration(text),
        "email" => return names::is_email(text),
        "hexcolor" => codes::is_hex_color(text),
        "hostname" => names::is_hostname(text),
        "ipv4" => network::is_ipv4(text),
        "ipv6" => network::is_ipv6(text),
        "isbn" => codes::is_isbn10(text) || codes::is_isbn13(text),
        "isbn10" => codes::is_isbn10(text),
        "isbn13" => codes::is_isbn13(text),
        "k8slongname" => names::is_long_name(text),
        "k8sshortname" => names::is_short_name(text),
        "mac" => network::is_mac(text),
        "rgbcolor" => codes::is_rgb_color(text),
        "ssn" => codes::is_ssn(text),
        "uri" => network::is_request_uri(text),
        "uuid" => codes::is_uuid(text, None),
        "uuid3" => codes::is_uuid(text, Some('3')),
        "uuid4" => codes::is_uuid(text, Some('4')),
        "uuid5" => codes::is_uuid(text, Some('5')),
        // A password is any text, and what the server doesn't know it doesn't look at.
        _ => true,
    })
}
