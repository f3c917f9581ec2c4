//! From text to tokens.

use std::fmt;

/// A number, string, sign or name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    /// The name of a field in backquotes, such as `` `app.kubernetes.io/name` ``.
    Quoted(&'a str),
    Literal(&'a str),
    Sign(&'a str),
}

impl<'a> Token<'a> {
    /// The token as it is in the text.
    pub(super) fn text(self) -> &'a str {
        match self {
            Self::Name(text) | Self::Quoted(text) | Self::Literal(text) | Self::Sign(text) => text,
        }
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quoted(text) => f.write_str(text),
            Self::Name(text) | Self::Sign(text) => write!(f, "`{text}`"),
            Self::Literal(_) => f.write_str("a literal"),
        }
    }
}

const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!",
    "?", ":", "+", "*", "/", "%",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(['\t', ' ', '\r', '\n', '\u{c}']);
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
            continue;
        }
        if rest.is_empty() {
            return Ok(found);
        }
        let (token, after) = token(rest)?;
        found.push(token);
        rest = after;
    }
}

fn token(text: &str) -> Result<(Token<'_>, &str), String> {
    if let Some(len) = string(text)? {
        return Ok((Token::Literal(&text[..len]), &text[len..]));
    }
    if let Some(len) = number(text) {
        return Ok((Token::Literal(&text[..len]), &text[len..]));
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with(|c: char| word(c) && !c.is_ascii_digit()) {
        let end = text.find(|c| !word(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let token = match name {
            "true" | "false" | "null" => Token::Literal(name),
            "in" => Token::Sign(name),
            _ => Token::Name(name),
        };
        return Ok((token, rest));
    }
    let quotable = |c: char| word(c) || matches!(c, '.' | '-' | '/' | ' ');
    if let Some(rest) = text.strip_prefix('`') {
        let end = rest.find(|c| !quotable(c)).unwrap_or(rest.len());
        if end > 0 && rest[end..].starts_with('`') {
            let (name, rest) = text.split_at(end + 2);
            return Ok((Token::Quoted(name), rest));
        }
    }
    if let Some(sign) = SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        let (sign, rest) = text.split_at(sign.len());
        return Ok((Token::Sign(sign), rest));
    }
    let c = text.chars().next().unwrap_or_default();
    Err(match c {
        '=' => "a single `=` means nothing; write `==`".to_owned(),
        '&' | '|' => format!("a single `{c}` means nothing; write `{c}{c}`"),
        '"' | '\'' => "a string has no closing quote".to_owned(),
        _ => format!("`{c}` means nothing here"),
    })
}

/// The length of a number, if one begins here.
fn number(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let suffix = |end: usize| end + usize::from(matches!(bytes.get(end), Some(b'u' | b'U')));
    if text.starts_with("0x") {
        let end = 2 + bytes[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if end > 2 {
            return Some(suffix(end));
        }
    }
    let mut end = digits(0);
    let mut is_float = false;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
        is_float = true;
    } else if end == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let from = end + 1 + sign;
        if from <= bytes.len() && digits(from) > from {
            return Some(digits(from));
        }
    }
    Some(if is_float { end } else { suffix(end) })
}

/// The length of a string or of bytes, if either begins here.
fn string(text: &str) -> Result<Option<usize>, String> {
    let bytes = text.as_bytes();
    let mut at = 0;
    if matches!(bytes.first(), Some(b'b' | b'B')) {
        at += 1;
    }
    let raw = matches!(bytes.get(at), Some(b'r' | b'R'));
    at += usize::from(raw);
    let Some(quote) = bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\'')) else {
        return Ok(None);
    };
    let three = [quote; 3];
    let long = bytes[at..].starts_with(&three);
    at += if long { 3 } else { 1 };
    loop {
        let Some(byte) = bytes.get(at).copied() else {
            return Err("a string has no closing quote".to_owned());
        };
        if byte == quote && (!long || bytes[at..].starts_with(&three)) {
            return Ok(Some(at + if long { 3 } else { 1 }));
        }
        if !long && matches!(byte, b'\n' | b'\r') {
            return Err(
                "a string contains a line break; write `\\n`, or use three quotes".to_owned()
            );
        }
        at += if byte == b'\\' && !raw { escape(&bytes[at..])? } else { 1 };
    }
}

/// The length of an escape sequence.
fn escape(bytes: &[u8]) -> Result<usize, String> {
    let hex = |count: usize| {
        bytes.get(2..2 + count).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let octal = |i: usize, last: u8| bytes.get(i).is_some_and(|b| (b'0'..=last).contains(b));
    let len = match bytes.get(1) {
        Some(
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`',
        ) => 2,
        Some(b'x' | b'X') if hex(2) => 4,
        Some(b'u') if hex(4) => 6,
        Some(b'U') if hex(8) => 10,
        Some(b'0'..=b'3') if octal(2, b'7') && octal(3, b'7') => 4,
        Some(other) => {
            return Err(format!(
                "`\\{}` means nothing in a string; write `\\\\` for a backslash, or `r'…'` around the string",
                char::from(*other)
            ));
        }
        None => return Err("a string has no closing quote".to_owned()),
    };
    Ok(len)
}
