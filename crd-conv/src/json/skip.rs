//! Skipping values with full checks of their syntax, without recursion.

use super::scan::{MAX_DEPTH, Scanner, SyntaxError, TOO_DEEP, string_end};

impl Scanner<'_> {
    /// Skips the value that starts here, white space before it included.
    pub(crate) fn skip_value(&mut self) -> Result<(), SyntaxError> {
        let bytes = self.bytes;
        let mut open = Brackets { level: 0, kinds: 0 };
        self.spilled.clear();
        'value: loop {
            match self.peek() {
                b'"' => {
                    let start = self.pos + 1;
                    let Some((end, _)) = string_end(bytes, start) else {
                        return self.broken_string(start);
                    };
                    self.pos = end + 1;
                }
                bracket @ (b'{' | b'[') => {
                    if self.depth + open.level == MAX_DEPTH {
                        return self.error(TOO_DEEP);
                    }
                    let object = bracket == b'{';
                    open.push(object, &mut self.spilled);
                    self.pos += 1;
                    // A closing bracket is dealt with below.
                    if self.peek() != bracket + 2 {
                        if object {
                            self.skip_key()?;
                        }
                        continue 'value;
                    }
                }
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => return self.error("expected a value"),
            }
            while open.level > 0 {
                let byte = self.peek();
                let object = open.in_object();
                if byte == b',' {
                    self.pos += 1;
                    if object {
                        self.skip_key()?;
                    }
                    continue 'value;
                }
                if byte != if object { b'}' } else { b']' } {
                    return self.error(if object {
                        "expected `,` or `}`"
                    } else {
                        "expected `,` or `]`"
                    });
                }
                self.pos += 1;
                open.pop(&mut self.spilled);
            }
            return Ok(());
        }
    }

    /// Skips a key and its colon, up to the value.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for each key is a tenth of the time")]
    fn skip_key(&mut self) -> Result<(), SyntaxError> {
        if self.peek() != b'"' {
            return self.error("expected a key in quotes");
        }
        let start = self.pos + 1;
        let Some((end, _)) = string_end(self.bytes, start) else {
            return self.broken_string(start);
        };
        self.pos = end + 1;
        if self.peek() != b':' {
            return self.error("expected `:`");
        }
        self.pos += 1;
        Ok(())
    }

    fn word(&mut self, word: &'static [u8]) -> Result<(), SyntaxError> {
        if self.bytes[self.pos..].starts_with(word) {
            self.pos += word.len();
            Ok(())
        } else {
            self.error("expected a value")
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

/// The arrays and objects that a skipped value has open: the innermost ones in a word, 64 others at a time in a list.
#[derive(Clone, Copy)]
struct Brackets {
    level: usize,
    /// The lowest bit says whether the innermost is an object.
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
