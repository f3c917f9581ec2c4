//! Regular expressions of Go, whose syntax is RE2's.
//!
//! Source: `regexp/syntax/parse.go` of Go.

mod class;
mod empty;
mod escape;

use std::{cell::RefCell, collections::HashMap, fmt::Write};

use regex::Regex;

pub(crate) use empty::matches_nothing;

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
