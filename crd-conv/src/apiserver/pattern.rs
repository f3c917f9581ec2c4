//! Regular expressions of Go, whose syntax is RE2's.
//!
//! Source: `regexp/syntax/parse.go` of Go.

use std::{cell::RefCell, collections::HashMap, fmt::Write};

use regex::Regex;

/// A pattern that Go takes, or may take.
pub(crate) struct Pattern {
    /// The same for the crate `regex`, if it is the same.
    pub(crate) translated: Option<String>,
    /// What makes it doubtful that Go takes it.
    pub(crate) doubt: Option<String>,
}

/// How many compiled patterns are kept for later.
const MAX_COMPILED: usize = 256;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// Whether a text matches a pattern. `None` if that can't be said.
pub(crate) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    COMPILED.with_borrow_mut(|compiled| {
        if !compiled.contains_key(pattern) {
            if compiled.len() >= MAX_COMPILED {
                compiled.clear();
            }
            let translated = parse(pattern).ok().and_then(|pattern| pattern.translated);
            let regex = translated.and_then(|translated| Regex::new(&translated).ok());
            compiled.insert(pattern.to_owned(), regex);
        }
        Some(compiled.get(pattern)?.as_ref()?.is_match(text))
    })
}

/// Whether a text matches one of the server's own patterns, of all of which that is known.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    is_match(pattern, text) == Some(true)
}

/// Parses a pattern, or says what is wrong with it.
pub(crate) fn parse(pattern: &str) -> Result<Pattern, String> {
    let mut parser = Parser {
        rest: pattern,
        out: String::with_capacity(pattern.len()),
        differs: false,
        doubt: None,
        groups: Vec::new(),
        counts: Counts::default(),
        repeats: Repeat::Nothing,
    };
    while !parser.rest.is_empty() {
        parser.step()?;
        if parser.groups.len() > MAX_DEPTH {
            parser.doubt.get_or_insert_with(|| "groups nested so deep".to_owned());
        }
    }
    if !parser.groups.is_empty() {
        return Err("a `(` has no `)`".to_owned());
    }
    if pattern.len() > MAX_LENGTH {
        parser.doubt.get_or_insert_with(|| "so long a pattern".to_owned());
    }
    let same = parser.doubt.is_none() && !parser.differs;
    Ok(Pattern { translated: same.then_some(parser.out), doubt: parser.doubt })
}

/// Below these, Go's own limits are out of reach.
const MAX_DEPTH: usize = 300;
const MAX_LENGTH: usize = 3000;

/// How often counts such as `{5}` in each other repeat something, at most.
#[derive(Clone, Copy)]
struct Counts {
    /// What is repeated next.
    last: u64,
    /// Anything else in the same group.
    rest: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Self { last: 1, rest: 1 }
    }
}

impl Counts {
    fn most(self) -> u64 {
        self.last.max(self.rest)
    }
}

/// What an operator such as `*` would repeat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Nothing,
    Something,
    Operator,
}

struct Parser<'a> {
    rest: &'a str,
    out: String,
    /// Whether the crate `regex` takes something for something else.
    differs: bool,
    doubt: Option<String>,
    /// What stood before each open `(`.
    groups: Vec<Counts>,
    counts: Counts,
    repeats: Repeat,
}

impl Parser<'_> {
    fn step(&mut self) -> Result<(), String> {
        let rest = self.rest;
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return Ok(()) };
        match c {
            '(' => {
                if rest.starts_with("(?") {
                    self.flags()?;
                } else {
                    self.keep(1);
                    self.open();
                }
            }
            ')' => {
                let outer = self.groups.pop().ok_or("a `)` has no `(`")?;
                self.keep(1);
                self.counts = Counts { last: self.counts.most(), rest: outer.most() };
                self.repeats = Repeat::Something;
            }
            '|' => {
                self.keep(1);
                self.one();
                self.repeats = Repeat::Nothing;
            }
            '^' | '$' | '.' => {
                self.keep(1);
                self.one();
            }
            '[' => {
                self.class()?;
                self.one();
            }
            '*' | '+' | '?' => {
                self.check_repeat(&rest[..1])?;
                self.keep(1);
                self.lazy();
            }
            '{' => match count(rest) {
                Some((min, max, len)) => {
                    let written = &rest[..len];
                    let many = |n: u64| n > 1000;
                    if many(min) || max.is_some_and(|max| many(max) || min > max) {
                        return Err(format!(
                            "`{written}` repeats more than 1000 times, or less often than it repeats at least"
                        ));
                    }
                    self.check_repeat(written)?;
                    match max.unwrap_or(min) {
                        // What is never there counts for nothing.
                        0 if max == Some(0) => self.counts.last = 1,
                        most => self.counts.last *= most.max(1),
                    }
                    if self.counts.last > 1000 {
                        return Err(format!(
                            "with `{written}` something repeats more than 1000 times"
                        ));
                    }
                    self.keep(len);
                    self.lazy();
                }
                None => self.literal('{', 1),
            },
            '\\' => self.escape()?,
            _ => self.literal(c, c.len_utf8()),
        }
        Ok(())
    }

    /// Copies some of the pattern.
    fn keep(&mut self, len: usize) {
        let (kept, rest) = self.rest.split_at(len);
        self.out.push_str(kept);
        self.rest = rest;
    }

    fn literal(&mut self, c: char, len: usize) {
        self.rest = &self.rest[len..];
        self.push_literal(c);
        self.one();
    }

    /// Something that may be repeated was there.
    fn one(&mut self) {
        self.counts = Counts { last: 1, rest: self.counts.most() };
        self.repeats = Repeat::Something;
    }

    fn open(&mut self) {
        self.groups.push(self.counts);
        self.counts = Counts::default();
        self.repeats = Repeat::Nothing;
    }

    fn push_literal(&mut self, c: char) {
        // Writing to a string doesn't fail.
        let _ = write!(self.out, "\\x{{{:X}}}", u32::from(c));
    }

    fn check_repeat(&mut self, operator: &str) -> Result<(), String> {
        match self.repeats {
            Repeat::Something => {}
            Repeat::Nothing => return Err(format!("`{operator}` has nothing to repeat")),
            Repeat::Operator => {
                return Err(format!(
                    "`{operator}` stands behind another operator that repeats; write a group around the first"
                ));
            }
        }
        self.repeats = Repeat::Operator;
        Ok(())
    }

    fn lazy(&mut self) {
        if self.rest.starts_with('?') {
            self.keep(1);
        }
    }

    /// `(?i)`, `(?i:…)`, `(?P<name>…)` and `(?<name>…)`.
    fn flags(&mut self) -> Result<(), String> {
        let rest = self.rest;
        for lookaround in ["(?=", "(?!", "(?<=", "(?<!"] {
            if rest.starts_with(lookaround) {
                return Err(format!(
                    "it has no look-around, `{lookaround}…)`; write a rule in `x-kubernetes-validations`"
                ));
            }
        }
        for start in ["(?P<", "(?<"] {
            if let Some(after) = rest.strip_prefix(start) {
                let name = after.split_once('>').map(|(name, _)| name);
                let name = name
                    .filter(|name| !name.is_empty())
                    .filter(|name| name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()))
                    .ok_or("the name of a group isn't letters, digits and `_`")?;
                // A name is of no use here, and the two crates differ in which ones they take.
                self.out.push('(');
                self.rest = &after[name.len() + 1..];
                self.open();
                return Ok(());
            }
        }
        let wrong = || "a `(?` is followed by nothing that is known".to_owned();
        let end = rest.find([':', ')']).ok_or_else(wrong)?;
        let flags = &rest[2..end];
        let mut parts = flags.splitn(2, '-');
        let known = |part: &str| part.bytes().all(|b| b"imsU".contains(&b));
        let on = parts.next().unwrap_or_default();
        let off = parts.next();
        if !known(on) || off.is_some_and(|off| off.is_empty() || !known(off)) {
            return Err(wrong());
        }
        let opens = rest[end..].starts_with(':');
        // `(?)` means nothing to Go and is an error elsewhere.
        if opens || !flags.is_empty() {
            self.out.push_str(&rest[..=end]);
        }
        self.rest = &rest[end + 1..];
        // Behind `(?i)` stands what stood before it.
        if opens {
            self.open();
        } else if self.repeats == Repeat::Operator {
            self.repeats = Repeat::Something;
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
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

    /// `\p{Greek}` for the crate, and its length.
    fn unicode(&mut self, text: &str) -> Result<(String, usize), String> {
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

    /// `[…]`, written anew: the two differ in what is special inside.
    fn class(&mut self) -> Result<(), String> {
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
}

/// `{2}`, `{2,}` and `{2,5}` with their length; anything else is text.
fn count(text: &str) -> Option<(u64, Option<u64>, usize)> {
    let (inner, _) = text.strip_prefix('{')?.split_once('}')?;
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let zero = text.len() > 1 && text.starts_with('0');
        (plain && !zero).then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (min, max) = match inner.split_once(',') {
        None => (number(inner)?, Some(number(inner)?)),
        Some((min, "")) => (number(min)?, None),
        Some((min, max)) => (number(min)?, Some(number(max)?)),
    };
    Some((min, max, inner.len() + 2))
}

/// What `\d` and its like are: of ASCII only.
fn perl(c: char) -> Option<&'static str> {
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

/// One character behind a backslash, and the length of both.
fn character(text: &str) -> Result<(char, usize), String> {
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
