//! Decodes and writes escapes.

use std::borrow::Cow;

use memchr::memchr;

use super::ends::plain_run;

/// Decodes the text between a string's quotes. As in the API server, half of a surrogate pair
/// becomes U+FFFD. The flag is whether there was one.
///
/// Source: `unquoteBytes` of Go's `encoding/json`.
pub(crate) fn decode(raw: &str) -> (Cow<'_, str>, bool) {
    let Some(first) = memchr(b'\\', raw.as_bytes()) else { return (Cow::Borrowed(raw), false) };
    let mut out = String::with_capacity(raw.len());
    let (mut copied, mut at, mut lone) = (0, first, false);
    loop {
        out.push_str(&raw[copied..at]);
        copied = at + 2;
        match raw.as_bytes().get(at + 1) {
            Some(b'b') => out.push('\u{8}'),
            Some(b'f') => out.push('\u{c}'),
            Some(b'n') => out.push('\n'),
            Some(b'r') => out.push('\r'),
            Some(b't') => out.push('\t'),
            Some(b'u') => {
                let mut rest = &raw[copied..];
                let high = take_unit(&mut rest);
                let mut after = rest;
                let low = after.strip_prefix("\\u").map(|digits| {
                    after = digits;
                    take_unit(&mut after)
                });
                let units = std::iter::once(high).chain(low);
                if let Some(Ok(char)) = char::decode_utf16(units).next() {
                    if char.len_utf16() == 2 {
                        rest = after;
                    }
                    out.push(char);
                } else {
                    lone = true;
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                copied = raw.len() - rest.len();
            }
            // The escaped character itself is the decoded text. It is copied with the text after
            // it.
            _ => copied = at + 1,
        }
        let from = copied.max(at + 2);
        let Some(next) = raw.as_bytes().get(from..).and_then(|rest| memchr(b'\\', rest)) else {
            break;
        };
        at = from + next;
    }
    out.push_str(&raw[copied..]);
    (Cow::Owned(out), lone)
}

/// Takes four hexadecimal digits. The scanner has checked that they exist.
fn take_unit(rest: &mut &str) -> u16 {
    let (digits, after) = rest.split_at_checked(4).unwrap_or((rest, ""));
    *rest = after;
    u16::from_str_radix(digits, 16).unwrap_or(0xFFFD)
}

/// Whether a text is a string without escapes. Such a string is its own canonical form.
pub(crate) fn is_plain_string(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first() == Some(&b'"') && plain_run(bytes, 1) + 1 == bytes.len() && bytes.ends_with(b"\"")
}

/// Appends a string in quotes.
pub(crate) fn quote(text: &str, out: &mut String) {
    out.push('"');
    let (mut copied, mut at) = (0, 0);
    loop {
        at = plain_run(text.as_bytes(), at);
        out.push_str(&text[copied..at]);
        let Some(special) = text.as_bytes().get(at) else { break };
        at += 1;
        copied = at;
        match special {
            // The character is copied with the text after it.
            b'"' | b'\\' => {
                out.push('\\');
                copied = at - 1;
            }
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            &control => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(char::from(DIGITS[usize::from(control >> 4)]));
                out.push(char::from(DIGITS[usize::from(control & 15)]));
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_agrees_with_serde_json() {
        for raw in [
            "plain",
            "ü\\n\\t\\r\\b\\f",
            "\\u0041\\/\\\\\\\"",
            "\\ud83d\\ude00 and \\u00fc",
            "a\\\\u0041",
        ] {
            let theirs: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
            assert_eq!(decode(raw), (Cow::Borrowed(theirs.as_str()), false));
        }
    }

    #[test]
    fn half_a_pair_is_replaced_and_reported() {
        assert_eq!(decode("\\ud800"), (Cow::Borrowed("\u{fffd}"), true));
        assert_eq!(decode("\\udc00\\ud800x"), (Cow::Borrowed("\u{fffd}\u{fffd}x"), true));
        assert_eq!(decode("\\ud800\\u0041"), (Cow::Borrowed("\u{fffd}A"), true));
        assert_eq!(decode("\\ud800\\ud83d\\ude00").0, "\u{fffd}\u{1f600}");
    }

    #[test]
    fn quote_is_read_back() {
        let all: String = (0..0x250).filter_map(char::from_u32).chain(['\u{1f600}']).collect();
        let mut quoted = String::new();
        quote(&all, &mut quoted);
        assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), all);
        assert_eq!(
            quoted,
            serde_json::to_string(&all)
                .unwrap()
                .replace("\\b", "\\u0008")
                .replace("\\f", "\\u000c")
        );
    }
}
