//! Classes of characters, such as `[a-z]`, `\d` and `\p{Greek}`.

use super::{Parser, escape::character};

impl Parser<'_> {
    /// `[…]`, written anew: the two differ in what is special inside.
    pub(super) fn class(&mut self) -> Result<(), String> {
        let whole = self.rest;
        let missing = || "a `[` has no `]`".to_owned();
        let mut rest = &whole[1..];
        self.out.push('[');
        if let Some(after) = rest.strip_prefix('^') {
            self.out.push('^');
            rest = after;
        }
        let mut first = true;
        loop {
            if rest.is_empty() {
                return Err(missing());
            }
            if let Some(after) = rest.strip_prefix(']')
                && !first
            {
                self.out.push(']');
                self.rest = after;
                return Ok(());
            }
            first = false;
            if let Some(end) = rest.strip_prefix("[:").and_then(|inner| inner.find(":]")) {
                let end = end + 2;
                let name = &rest[..end + 2];
                self.out
                    .push_str(posix(name).ok_or_else(|| format!("the class `{name}` is unknown"))?);
                rest = &rest[end + 2..];
                continue;
            }
            if rest.starts_with("\\p") || rest.starts_with("\\P") {
                let (class, len) = self.unicode(rest)?;
                self.out.push_str(&class);
                rest = &rest[len..];
                continue;
            }
            if let Some(class) =
                rest.strip_prefix('\\').and_then(|after| perl(after.chars().next()?))
            {
                self.out.push_str(class);
                rest = &rest[2..];
                continue;
            }
            let (low, len) = class_character(rest)?;
            rest = &rest[len..];
            self.push_literal(low);
            if rest.starts_with('-') && !rest.starts_with("-]") && rest.len() > 1 {
                let (high, len) = class_character(&rest[1..])?;
                if high < low {
                    return Err(format!("the range `{low}-{high}` is upside down"));
                }
                rest = &rest[1 + len..];
                self.out.push('-');
                self.push_literal(high);
            } else if rest == "-" {
                return Err(missing());
            }
        }
    }

    /// `\p{Greek}` for the crate, and its length.
    pub(super) fn unicode(&mut self, text: &str) -> Result<(String, usize), String> {
        const CATEGORIES: &[&str] = &[
            "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn",
            "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk",
            "Sm", "So", "Z", "Zl", "Zp", "Zs", "Any", "Arabic", "Cyrillic", "Greek", "Han",
            "Hangul", "Hebrew", "Hiragana", "Katakana", "Latin", "Thai",
        ];
        let (name, len) = if let Some(after) = text[2..].strip_prefix('{') {
            let end = after.find('}').ok_or("a `\\p{` has no `}`")?;
            (&after[..end], end + 4)
        } else {
            let c = text[2..].chars().next().ok_or("a `\\p` has no name")?;
            (&text[2..2 + c.len_utf8()], 2 + c.len_utf8())
        };
        let mut negated = text.starts_with("\\P");
        let name = match name.strip_prefix('^') {
            Some(name) => {
                negated = !negated;
                name
            }
            None => name,
        };
        if !CATEGORIES.contains(&name) {
            self.doubt.get_or_insert_with(|| format!("the class `{}`", &text[..len]));
            return Ok((".".to_owned(), len));
        }
        Ok((format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }), len))
    }
}

/// What `\d` and its like are: of ASCII only.
pub(super) fn perl(c: char) -> Option<&'static str> {
    Some(match c {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        's' => r"[\t\n\x0C\r ]",
        'S' => r"[^\t\n\x0C\r ]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        _ => return None,
    })
}

fn posix(name: &str) -> Option<&str> {
    let inner = name.strip_prefix("[:")?.strip_suffix(":]")?;
    let known = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    known.contains(&inner.strip_prefix('^').unwrap_or(inner)).then_some(name)
}

fn class_character(text: &str) -> Result<(char, usize), String> {
    let c = text.chars().next().ok_or("a `[` has no `]`")?;
    if c == '\\' { character(text) } else { Ok((c, c.len_utf8())) }
}
