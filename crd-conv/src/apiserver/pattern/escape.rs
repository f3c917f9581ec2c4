//! Characters and classes that start with a backslash.

use super::{Parser, Repeat, class::perl};

impl Parser<'_> {
    pub(super) fn escape(&mut self) -> Result<(), String> {
        let rest = self.rest;
        let Some(c) = rest[1..].chars().next() else {
            return Err("a `\\` stands at the end".to_owned());
        };
        match c {
            'A' | 'z' => self.keep(2),
            'b' => {
                self.out.push_str("(?-u:\\b)");
                self.rest = &rest[2..];
            }
            'B' => {
                // The two differ beside what isn't ASCII.
                self.differs = true;
                self.rest = &rest[2..];
            }
            'Q' => {
                let (literal, after) = rest[2..].split_once("\\E").unwrap_or((&rest[2..], ""));
                for c in literal.chars() {
                    self.push_literal(c);
                }
                self.rest = after;
                if literal.is_empty() {
                    if self.repeats == Repeat::Operator {
                        self.repeats = Repeat::Something;
                    }
                    return Ok(());
                }
            }
            'p' | 'P' => {
                let (class, len) = self.unicode(rest)?;
                self.out.push_str(&class);
                self.rest = &rest[len..];
            }
            _ => {
                if let Some(class) = perl(c) {
                    self.out.push_str(class);
                    self.rest = &rest[2..];
                } else {
                    let (c, len) = character(rest)?;
                    self.push_literal(c);
                    self.rest = &rest[len..];
                }
            }
        }
        self.one();
        Ok(())
    }
}

/// One character behind a backslash, and the length of both.
pub(super) fn character(text: &str) -> Result<(char, usize), String> {
    let mut chars = text[1..].chars();
    let c = chars.next().ok_or("a `\\` stands at the end")?;
    let rest = chars.as_str();
    let unknown = || match c {
        '1'..='9' => format!("it has no back-references, `\\{c}`"),
        _ => format!("`\\{c}` means nothing; write `{c}` alone, or `\\\\` for a backslash"),
    };
    let octal = rest.bytes().take_while(|b| (b'0'..=b'7').contains(b)).count();
    let simple = match c {
        'a' => Some('\u{7}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(c),
        _ => None,
    };
    if let Some(simple) = simple {
        return Ok((simple, 2));
    }
    match c {
        '0'..='7' if c == '0' || octal > 0 => {
            let len = octal.min(2);
            let code = u32::from_str_radix(&text[1..2 + len], 8).map_err(|_| unknown())?;
            Ok((char::from_u32(code).ok_or_else(unknown)?, 2 + len))
        }
        'x' => {
            let (digits, len) = match rest.strip_prefix('{') {
                Some(inner) => {
                    let end = inner.find('}').ok_or_else(unknown)?;
                    (&inner[..end], end + 4)
                }
                None => (rest.get(..2).ok_or_else(unknown)?, 4),
            };
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(unknown());
            }
            let code = u32::from_str_radix(digits, 16).map_err(|_| unknown())?;
            if code > u32::from(char::MAX) {
                return Err(unknown());
            }
            // Half a surrogate pair matches nothing.
            Ok((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), len))
        }
        _ => Err(unknown()),
    }
}
