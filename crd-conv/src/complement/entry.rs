//! One entry: what a rule keeps for its home version.

use std::ops::Range;

use crate::json::Fidelity::AsWritten;
use crate::json::{Scanner, SyntaxError, canonical, decode, quote};

/// The format that this release writes.
const FORMAT: &str = "1";

/// An entry as it was found.
#[derive(Debug)]
pub(crate) struct Entry {
    text: String,
    peer: String,
    keep: Vec<Part>,
    guard: Option<Vec<Part>>,
}

type Part = (String, Range<usize>);

/// What an annotation's value turned out to be.
#[derive(Debug)]
pub(crate) enum Parsed {
    Entry(Entry),
    /// Of a format that this release doesn't know: another release will.
    Unknown,
    /// Nothing that any release writes.
    Malformed,
}

impl Entry {
    /// The version for which the home version's value had no room.
    pub(crate) fn peer(&self) -> &str {
        &self.peer
    }

    /// The kept fields with their JSON.
    pub(crate) fn keep(&self) -> impl Iterator<Item = (&str, &str)> {
        parts(&self.text, &self.keep)
    }

    /// The fields of the peer that must still have these values, `None` if only the anchor counts.
    pub(crate) fn guard(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        self.guard.as_ref().map(|guard| parts(&self.text, guard))
    }
}

fn parts<'a>(text: &'a str, parts: &'a [Part]) -> impl Iterator<Item = (&'a str, &'a str)> {
    parts.iter().map(|(name, span)| (name.as_str(), &text[span.clone()]))
}

/// Reads the text of an annotation. `depth` is how many arrays and objects are around it and around what it keeps once
/// that is restored: an entry must not make an object that nobody can read.
pub(crate) fn parse(text: String, depth: usize) -> Parsed {
    let mut found = Found::default();
    match found.read(&text, depth) {
        Err(_) => Parsed::Malformed,
        Ok(()) if found.format.is_empty() => Parsed::Malformed,
        Ok(()) if found.format != FORMAT || found.more => Parsed::Unknown,
        Ok(()) => match (found.peer, found.keep) {
            (Some(peer), Some(keep)) => {
                Parsed::Entry(Entry { peer, keep, guard: found.guard, text })
            }
            _ => Parsed::Malformed,
        },
    }
}

#[derive(Default)]
struct Found {
    format: String,
    peer: Option<String>,
    keep: Option<Vec<Part>>,
    guard: Option<Vec<Part>>,
    more: bool,
}

impl Found {
    fn read(&mut self, text: &str, depth: usize) -> Result<(), SyntaxError> {
        let mut scanner = Scanner::inside(text, depth);
        scanner.enter_object()?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first)? {
            first = false;
            let start = scanner.pos;
            match key.raw(text) {
                "peer" if scanner.peek() == b'"' => {
                    self.peer = Some(decode(scanner.string()?.raw(text)).0.into_owned());
                }
                "keep" => self.keep = Some(members(&mut scanner)?),
                "guard" => self.guard = Some(members(&mut scanner)?),
                "format" => {
                    scanner.skip_value()?;
                    text[start..scanner.pos].clone_into(&mut self.format);
                }
                _ => {
                    scanner.skip_value()?;
                    self.more = true;
                }
            }
        }
        scanner.end()
    }
}

fn members(scanner: &mut Scanner<'_>) -> Result<Vec<Part>, SyntaxError> {
    let mut parts: Vec<Part> = Vec::new();
    scanner.enter_object()?;
    while let Some(key) = scanner.next_member(parts.is_empty())? {
        let name = decode(key.raw(scanner.text())).0.into_owned();
        let start = scanner.pos;
        scanner.skip_value()?;
        parts.push((name, start..scanner.pos));
    }
    Ok(parts)
}

/// Appends the text of an entry: the same fields give the same bytes.
pub(crate) fn write_entry<'a>(
    peer: &str,
    keep: impl Iterator<Item = (&'a str, &'a str)>,
    guard: Option<impl Iterator<Item = (&'a str, &'a str)>>,
    out: &mut String,
) {
    out.push_str("{\"format\":");
    out.push_str(FORMAT);
    out.push_str(",\"peer\":");
    quote(peer, out);
    out.push_str(",\"keep\":");
    write_members(keep, out);
    if let Some(guard) = guard {
        out.push_str(",\"guard\":");
        write_members(guard, out);
    }
    out.push('}');
}

fn write_members<'a>(members: impl Iterator<Item = (&'a str, &'a str)>, out: &mut String) {
    out.push('{');
    for (index, (name, text)) in members.enumerate() {
        if index > 0 {
            out.push(',');
        }
        quote(name, out);
        out.push(':');
        let start = out.len();
        if canonical(text, AsWritten, out).is_none() {
            // Too deep for a canonical form: the text itself is as good, and nothing is lost.
            out.truncate(start);
            out.push_str(text);
        }
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(keep: &[(&str, &str)], guard: Option<&[(&str, &str)]>) -> String {
        let mut out = String::new();
        write_entry("v1", keep.iter().copied(), guard.map(|guard| guard.iter().copied()), &mut out);
        out
    }

    #[test]
    fn an_entry_reads_back() {
        let text = write(&[("b", " [ 1.0, 1e400 ] "), ("a\"", "null")], Some(&[("x", "\"y\"")]));
        let Parsed::Entry(entry) = parse(text, 0) else { panic!("not an entry") };
        assert_eq!(entry.peer(), "v1");
        assert_eq!(entry.keep().collect::<Vec<_>>(), [("b", "[1.0,1e400]"), ("a\"", "null")]);
        assert_eq!(entry.guard().unwrap().collect::<Vec<_>>(), [("x", "\"y\"")]);
    }

    /// Golden: every later release must read this.
    #[test]
    fn format_1() {
        assert_eq!(
            write(&[("hostPort", "\"a:1:2\"")], Some(&[("host", "\"a\""), ("port", "\"1:2\"")])),
            r#"{"format":1,"peer":"v1","keep":{"hostPort":"a:1:2"},"guard":{"host":"a","port":"1:2"}}"#
        );
        assert_eq!(
            write(&[("owner", "null")], None),
            r#"{"format":1,"peer":"v1","keep":{"owner":null}}"#
        );
        assert_eq!(write(&[], None), r#"{"format":1,"peer":"v1","keep":{}}"#);
    }

    #[test]
    fn other_formats_are_told_from_nonsense() {
        for text in [
            r#"{"format":2}"#,
            r#"{"format":"1"}"#,
            r#"{"format":1,"peer":"v1","keep":{},"at":[]}"#,
        ] {
            assert!(matches!(parse(text.to_owned(), 0), Parsed::Unknown), "{text}");
        }
        for text in
            ["", "x", "{}", "[]", r#"{"format":1}"#, r#"{"format":1,"peer":"v1","keep":[]}"#]
        {
            assert!(matches!(parse(text.to_owned(), 0), Parsed::Malformed), "{text}");
        }
    }
}
