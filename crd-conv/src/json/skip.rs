//! Skips values with full syntax checks and without recursion.

use super::ends::{byte_at, skip_space, skip_string};
use super::scan::{MAX_DEPTH, Scanner, SyntaxError, TOO_DEEP};

impl Scanner<'_> {
    /// Skips the value that starts here, including white space before it.
    pub(crate) fn skip_value(&mut self) -> Result<(), SyntaxError> {
        // The position is a local variable, so that it stays in a register. If it were stored to
        // memory between two tokens, that would take longer than a token.
        let bytes = self.bytes;
        let mut pos = self.pos;
        let mut open = Brackets { level: 0, kinds: 0 };
        self.spilled.clear();
        'value: loop {
            pos = skip_space(bytes, pos);
            match byte_at(bytes, pos) {
                b'"' => match skip_string(bytes, pos + 1) {
                    Some(end) => pos = end,
                    None => return self.broken_string(pos + 1),
                },
                bracket @ (b'{' | b'[') => {
                    if self.depth + open.level == MAX_DEPTH {
                        return self.error_at(pos, TOO_DEEP);
                    }
                    pos = skip_space(bytes, pos + 1);
                    // An opening bracket and its closing bracket differ by two.
                    if byte_at(bytes, pos) == bracket + 2 {
                        pos += 1;
                    } else {
                        open.push(bracket == b'{', &mut self.spilled);
                        if bracket == b'{' {
                            pos = self.skip_key(pos)?;
                        }
                        continue 'value;
                    }
                }
                b'-' | b'0'..=b'9' => {
                    self.pos = pos;
                    self.number()?;
                    pos = self.pos;
                }
                b't' => pos = self.word(pos, b"true")?,
                b'f' => pos = self.word(pos, b"false")?,
                b'n' => pos = self.word(pos, b"null")?,
                _ => return self.error_at(pos, "expected a value"),
            }
            while open.level > 0 {
                pos = skip_space(bytes, pos);
                let byte = byte_at(bytes, pos);
                let object = open.in_object();
                if byte == b',' {
                    pos += 1;
                    if object {
                        pos = self.skip_key(pos)?;
                    }
                    continue 'value;
                }
                if byte != if object { b'}' } else { b']' } {
                    let what = if object { "expected `,` or `}`" } else { "expected `,` or `]`" };
                    return self.error_at(pos, what);
                }
                pos += 1;
                open.pop(&mut self.spilled);
            }
            self.pos = pos;
            return Ok(());
        }
    }

    /// The position after the key and the colon that start here.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for each key is a tenth of the time")]
    fn skip_key(&mut self, pos: usize) -> Result<usize, SyntaxError> {
        let start = skip_space(self.bytes, pos);
        if byte_at(self.bytes, start) != b'"' {
            return self.error_at(start, "expected a key in quotes");
        }
        let Some(end) = skip_string(self.bytes, start + 1) else {
            return self.broken_string(start + 1);
        };
        let colon = skip_space(self.bytes, end);
        if byte_at(self.bytes, colon) != b':' {
            return self.error_at(colon, "expected `:`");
        }
        Ok(colon + 1)
    }

    fn word(&mut self, pos: usize, word: &'static [u8]) -> Result<usize, SyntaxError> {
        if self.bytes[pos..].starts_with(word) {
            Ok(pos + word.len())
        } else {
            self.error_at(pos, "expected a value")
        }
    }

    fn number(&mut self) -> Result<(), SyntaxError> {
        if self.byte() == b'-' {
            self.pos += 1;
        }
        match self.byte() {
            b'0' => self.pos += 1,
            b'1'..=b'9' => self.digits(),
            _ => return self.error("expected a digit"),
        }
        if self.byte() == b'.' {
            self.pos += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.pos += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.pos += 1;
            }
            self.some_digits()?;
        }
        Ok(())
    }

    fn some_digits(&mut self) -> Result<(), SyntaxError> {
        if !self.byte().is_ascii_digit() {
            return self.error("expected a digit");
        }
        self.digits();
        Ok(())
    }

    fn digits(&mut self) {
        while self.byte().is_ascii_digit() {
            self.pos += 1;
        }
    }
}

/// The open arrays and objects of a skipped value. The innermost ones are in a word, and the others
/// in a list of 64 each.
#[derive(Clone, Copy)]
struct Brackets {
    level: usize,
    /// The lowest bit is set if the innermost one is an object.
    kinds: u64,
}

impl Brackets {
    #[inline]
    fn in_object(self) -> bool {
        self.kinds & 1 == 1
    }

    #[inline]
    fn push(&mut self, object: bool, spilled: &mut Vec<u64>) {
        if self.level > 0 && self.level.is_multiple_of(64) {
            spilled.push(self.kinds);
        }
        self.kinds = self.kinds << 1 | u64::from(object);
        self.level += 1;
    }

    #[inline]
    fn pop(&mut self, spilled: &mut Vec<u64>) {
        self.level -= 1;
        self.kinds >>= 1;
        if self.level > 0 && self.level.is_multiple_of(64) {
            self.kinds = spilled.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::scan::validate;

    #[test]
    fn brackets_match_at_every_depth() {
        for depth in [1, 63, 64, 65, 127, 128, 129, 1_000] {
            let kinds: Vec<bool> = (0..depth).map(|level| level % 3 == 0).collect();
            let mut text = String::new();
            for object in &kinds {
                text.push_str(if *object { "{\"a\":" } else { "[" });
            }
            text.push('1');
            for object in kinds.iter().rev() {
                text.push_str(if *object { ",\"b\":2}" } else { ",2]" });
            }
            assert!(validate(&text).is_ok(), "{depth}");
            for at in (0..depth).step_by(7) {
                let mut broken = text.clone();
                let place = broken.len()
                    - broken.rmatch_indices(['}', ']']).nth(at).map_or(0, |(place, _)| place);
                let place = broken.len() - place;
                let other = if &broken[place..=place] == "}" { "]" } else { "}" };
                broken.replace_range(place..=place, other);
                assert!(validate(&broken).is_err(), "{depth} {at}");
            }
        }
    }
}
