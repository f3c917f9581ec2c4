//! A validating scanner. It finds where values end, and builds nothing.

use std::borrow::Cow;
use std::fmt;

use super::decode;
use super::ends::{byte_at, escape_end, plain_run, short_string_end, skip_space, string_end};

/// The most levels of arrays and objects, the same as in the API server's own decoder.
///
/// Source: `maxNestingDepth` of Go's `encoding/json`.
pub(super) const MAX_DEPTH: usize = 10_000;

pub(super) const TOO_DEEP: &str = "more than 10000 levels of nesting";

/// The position at which a text stops being JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The number of bytes from the start of the text.
    pub(crate) at: usize,
    what: &'static str,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

/// A string in the text: the bytes between its quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Str {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) escaped: bool,
}

impl Str {
    /// The text between the quotes, including escapes.
    pub(crate) fn raw(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// The text with its escapes decoded.
    #[inline]
    pub(crate) fn decoded(self, text: &str) -> Cow<'_, str> {
        if self.escaped { decode(self.raw(text)).0 } else { Cow::Borrowed(self.raw(text)) }
    }
}

/// A position in a text, which moves forward.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(crate) pos: usize,
    /// The number of arrays and objects that are open around `pos`.
    pub(super) depth: usize,
    /// The open brackets of a skipped value that don't fit into one word.
    pub(super) spilled: Vec<u64>,
}

/// Whether a value can be nested inside so many arrays and objects without being too deep for the
/// next reader.
pub(crate) fn fits(value: &str, depth: usize) -> bool {
    // Each level takes two bytes, so a short value needs no scan.
    value.len() / 2 + depth <= MAX_DEPTH || Scanner::inside(value, depth).skip_value().is_ok()
}

/// A position to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pos: usize,
    depth: usize,
}

/// Checks that a text is one JSON value and nothing else.
#[cfg(test)]
pub(crate) fn validate(text: &str) -> Result<(), SyntaxError> {
    let mut scanner = Scanner::new(text);
    scanner.skip_value()?;
    scanner.end()
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), pos: 0, depth: 0, spilled: Vec::new() }
    }

    /// Starts as if so many arrays and objects were open around the text.
    fn inside(text: &'a str, depth: usize) -> Self {
        Self { depth, ..Self::new(text) }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The current position, to return to before the value around it ends.
    pub(crate) fn mark(&self) -> Mark {
        Mark { pos: self.pos, depth: self.depth }
    }

    pub(crate) fn reset(&mut self, mark: Mark) {
        self.pos = mark.pos;
        self.depth = mark.depth;
    }

    pub(crate) fn error<T>(&self, what: &'static str) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.pos, what })
    }

    #[cold]
    pub(super) fn error_at<T>(&mut self, pos: usize, what: &'static str) -> Result<T, SyntaxError> {
        self.pos = pos;
        self.error(what)
    }

    #[inline]
    pub(super) fn byte(&self) -> u8 {
        byte_at(self.bytes, self.pos)
    }

    /// Skips white space and returns the next byte, or 0 at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        self.pos = skip_space(self.bytes, self.pos);
        self.byte()
    }

    /// Checks that only white space follows.
    pub(crate) fn end(&mut self) -> Result<(), SyntaxError> {
        self.peek();
        if self.pos == self.bytes.len() {
            Ok(())
        } else {
            self.error("unexpected text after the value")
        }
    }

    /// Enters the object that starts here.
    #[inline]
    pub(crate) fn enter_object(&mut self) -> Result<(), SyntaxError> {
        if self.peek() != b'{' {
            return self.error("expected an object");
        }
        self.enter()
    }

    /// Enters the array that starts here.
    pub(crate) fn enter_array(&mut self) -> Result<(), SyntaxError> {
        if self.peek() != b'[' {
            return self.error("expected an array");
        }
        self.enter()
    }

    #[inline]
    fn enter(&mut self) -> Result<(), SyntaxError> {
        if self.depth == MAX_DEPTH {
            return self.error(TOO_DEEP);
        }
        self.depth += 1;
        self.pos += 1;
        Ok(())
    }

    /// Leaves the array or object whose closing bracket is here.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
        self.pos += 1;
    }

    /// Moves to the next element's start. Returns `false` after the closing bracket. `first` is
    /// whether this would be the first element.
    pub(crate) fn next_element(&mut self, first: bool) -> Result<bool, SyntaxError> {
        match self.peek() {
            b']' => {
                self.leave();
                Ok(false)
            }
            _ if first => Ok(true),
            b',' => {
                self.pos += 1;
                self.peek();
                Ok(true)
            }
            _ => self.error("expected `,` or `]`"),
        }
    }

    /// Returns the next member's key and moves to its value. Returns `None` after the closing
    /// brace.
    pub(crate) fn next_member(&mut self, first: bool) -> Result<Option<Str>, SyntaxError> {
        match self.peek() {
            b'}' => {
                self.leave();
                Ok(None)
            }
            _ if first => self.key().map(Some),
            b',' => {
                self.pos += 1;
                self.key().map(Some)
            }
            _ => self.error("expected `,` or `}`"),
        }
    }

    /// Reads a key and its colon, up to the value.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "what a call gives back takes its way through memory, which takes longer than the key"
    )]
    pub(crate) fn key(&mut self) -> Result<Str, SyntaxError> {
        if self.peek() != b'"' {
            return self.error("expected a key in quotes");
        }
        let key = self.string()?;
        if self.peek() != b':' {
            return self.error("expected `:`");
        }
        self.pos += 1;
        self.peek();
        Ok(key)
    }

    /// Reads the string whose opening quote is here.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for a key")]
    pub(crate) fn string(&mut self) -> Result<Str, SyntaxError> {
        let start = self.pos + 1;
        let (end, escaped) = match short_string_end(self.bytes, start) {
            Some(end) => (end, false),
            None => match string_end(self.bytes, start) {
                Some(end) => end,
                None => return self.broken_string(start),
            },
        };
        self.pos = end + 1;
        Ok(Str { start, end, escaped })
    }

    /// Reads a broken string again, to report what is wrong with it.
    #[cold]
    pub(super) fn broken_string<T>(&mut self, start: usize) -> Result<T, SyntaxError> {
        self.pos = start;
        loop {
            self.pos = plain_run(self.bytes, self.pos);
            match self.bytes.get(self.pos) {
                Some(b'\\') => match escape_end(self.bytes, self.pos) {
                    Some(end) => self.pos = end,
                    None if self.bytes.get(self.pos + 1) == Some(&b'u') => {
                        return self.error("`\\u` without four hexadecimal digits");
                    }
                    None => return self.error("unknown escape"),
                },
                Some(_) => return self.error("control character in a string"),
                None => return self.error("unfinished string"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        validate(text).is_ok()
    }

    #[test]
    fn agrees_with_serde_json() {
        let texts = [
            "0",
            "-0",
            "01",
            "-",
            "1.",
            "1.5",
            ".5",
            "1e5",
            "1E+5",
            "1e",
            "1e+",
            "-1.5e-7",
            "1e400",
            "true",
            "tru",
            "nulll",
            "null",
            "\"\"",
            "\"a",
            "\"\\u0041\\/\"",
            "\"\\u004\"",
            "\"\\x\"",
            "\"\n\"",
            "[]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1,2]",
            "{}",
            "{\"a\":1,}",
            "{\"a\" : [ {} , null ] }",
            "{\"a\"}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "[}",
            "{]",
            "",
            " ",
            " 1 ",
            "1 2",
            "\u{a0}1",
            "[[[]]]",
            "]",
            "}",
            "\"0123456789abcdef\u{1}\"",
            "\"0123456\\\\\"",
            "\"01234567\\\"89\"",
            "\"ü\u{7f}\"",
        ];
        for text in texts {
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            assert_eq!(accepts(text), theirs, "{text:?}");
        }
    }

    #[test]
    fn lone_surrogates_are_text() {
        assert!(accepts(r#""\ud800""#));
    }

    #[test]
    fn depth_is_limited_without_recursion() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(accepts(&nested(MAX_DEPTH)));
        let error = validate(&nested(MAX_DEPTH + 1)).unwrap_err();
        assert_eq!((error.at, error.what), (MAX_DEPTH, "more than 10000 levels of nesting"));
    }

    #[test]
    fn a_value_fits_if_all_of_it_stays_readable() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(fits(&nested(MAX_DEPTH - 70), 70));
        assert!(!fits(&nested(MAX_DEPTH - 70), 71));
        assert!(fits(&format!("\"{}\"", "x".repeat(3 * MAX_DEPTH)), MAX_DEPTH));
    }
}
