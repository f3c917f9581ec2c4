//! Replaces each half of a surrogate pair with the replacement character.

use std::borrow::Cow;

use memchr::memchr;

use super::{Scanner, decode, quote};

/// Returns a JSON text in which each half of a surrogate pair is U+FFFD, as the API server would
/// read it.
pub(crate) fn whole(text: &str) -> Cow<'_, str> {
    if memchr(b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut scanner = Scanner::new(text);
    let mut copied = 0;
    while let Some(quote_at) = text[scanner.pos..].find('"') {
        scanner.pos += quote_at;
        let Ok(string) = scanner.string() else { break };
        if let (decoded, true) = decode(string.raw(text)) {
            out.push_str(&text[copied..string.start - 1]);
            quote(&decoded, &mut out);
            copied = scanner.pos;
        }
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn whole_strings_stay_as_they_are() {
        assert_eq!(
            whole(r#"{"a\u0041\"": ["\ud800", "\ud83d\ude00"], "b": 1}"#),
            "{\"a\\u0041\\\"\": [\"\u{fffd}\", \"\\ud83d\\ude00\"], \"b\": 1}"
        );
    }
}
