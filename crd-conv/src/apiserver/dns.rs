//! The kinds of names.

/// What a DNS label of RFC 1035 is.
pub(crate) const LABEL: &str = "a lower-case letter, then lower-case letters, digits and `-`, no `-` at the end, at most 63 in all";

/// What a DNS subdomain of RFC 1123 is.
pub(crate) const SUBDOMAIN: &str = "lower-case letters, digits, `-` and `.`, a letter or digit at both ends of each part, at most 253 in all";

/// A DNS label of RFC 1035.
pub(crate) fn is_label(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// A DNS label of RFC 1123.
pub(crate) fn is_dns_label(name: &str) -> bool {
    name.len() <= 63 && is_subdomain_part(name)
}

/// A DNS subdomain of RFC 1123.
pub(crate) fn is_subdomain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_subdomain_part)
}

fn is_subdomain_part(part: &str) -> bool {
    !part.is_empty()
        && !part.starts_with('-')
        && !part.ends_with('-')
        && part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// The key of a label or an annotation, and the name of a finalizer: perhaps a subdomain and `/`, then a name.
pub(crate) fn is_qualified_name(name: &str) -> bool {
    match name.split_once('/') {
        None => is_name_part(name),
        Some((prefix, name)) => is_subdomain(prefix) && is_name_part(name),
    }
}

/// The value of a label.
pub(crate) fn is_label_value(value: &str) -> bool {
    value.is_empty() || is_name_part(value)
}

fn is_name_part(name: &str) -> bool {
    let end = |c: char| c.is_ascii_alphanumeric();
    name.len() <= 63
        && name.starts_with(end)
        && name.ends_with(end)
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}
