//! Writes entries as the text of an annotation.

use std::fmt::Write;

use super::locator::{Locator, write_at};
use super::members::write_members;
use super::packed::pack;
use crate::json::quote;

/// The format that this release writes.
pub(super) const FORMAT: &str = "1";

/// Appends the body of an entry. The same fields give the same bytes.
pub(crate) fn write_body<'a>(
    keep: impl Iterator<Item = (&'a str, &'a str)>,
    guard: Option<impl Iterator<Item = (&'a str, &'a str)>>,
    out: &mut String,
) {
    out.push_str("\"keep\":");
    write_members(keep, out);
    if let Some(guard) = guard {
        out.push_str(",\"guard\":");
        write_members(guard, out);
    }
}

/// Appends the text of an annotation from the bodies of its entries, and from the text that
/// [`write_lists`](super::write_lists) writes about their lists.
pub(crate) fn write_entries<'a>(
    peer: &str,
    lists: &str,
    entries: impl Iterator<Item = (&'a [Locator], &'a str)>,
    out: &mut String,
) {
    let start = out.len();
    write_head(peer, out);
    let body = out.len();
    out.push_str(lists);
    let mut open = false;
    for (at, body) in entries {
        out.push(',');
        if at.is_empty() {
            out.push_str(body);
            continue;
        }
        if !std::mem::replace(&mut open, true) {
            out.push_str("\"entries\":[");
        }
        out.push('{');
        write_at(at, out);
        out.push(',');
        out.push_str(body);
        out.push('}');
    }
    if open {
        out.push(']');
    }
    out.push('}');
    if out.len() - start > MAX_PLAIN {
        write_packed(body, out);
    }
}

/// Longer annotations are packed. Many annotations of this size would fill the API server's limit,
/// and room for the others matters more than a readable text.
const MAX_PLAIN: usize = 4 << 10;

/// Packs the text after the head, from the comma on, if that makes it shorter.
#[cold]
fn write_packed(body: usize, out: &mut String) {
    let Some(packed) = pack(["{", &out[body + 1..]]) else { return };
    let packed = format!(",\"packed\":\"{packed}\"}}");
    if packed.len() < out.len() - body {
        out.truncate(body);
        out.push_str(&packed);
    }
}

/// Appends a tombstone for an annotation that has no room.
pub(crate) fn write_tombstone(peer: &str, size: usize, out: &mut String) {
    write_head(peer, out);
    // Writing to a string can't fail.
    let _ = write!(out, ",\"tombstone\":{size}}}");
}

fn write_head(peer: &str, out: &mut String) {
    out.push_str("{\"format\":");
    out.push_str(FORMAT);
    out.push_str(",\"peer\":");
    quote(peer, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complement::{Entry, ListDigest, Parsed, parse, read_lists, write_lists};

    fn write(keep: &[(&str, &str)], guard: Option<&[(&str, &str)]>) -> String {
        let (mut body, mut out) = (String::new(), String::new());
        write_body(keep.iter().copied(), guard.map(|guard| guard.iter().copied()), &mut body);
        write_entries("v1", "", std::iter::once((&[][..], body.as_str())), &mut out);
        out
    }

    fn entries(text: &str) -> Vec<Entry> {
        let Parsed::Entries(peer, entries) = parse(text) else { panic!("no entries: {text}") };
        assert_eq!(peer, "v1");
        entries
    }

    #[test]
    fn an_entry_reads_back() {
        let text = write(&[("b", " [ 1.0, 1e400 ] "), ("a\"", "null")], Some(&[("x", "\"y\"")]));
        let [entry] = &entries(&text)[..] else { panic!("one entry") };
        assert_eq!(entry.keep().collect::<Vec<_>>(), [("b", "[1.0,1e400]"), ("a\"", "null")]);
        assert_eq!(entry.guard().unwrap().collect::<Vec<_>>(), [("x", "\"y\"")]);
        assert_eq!(entry.at, []);
    }

    /// Golden value: every later release must read this text.
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

        let fingerprint = Locator::Fingerprint { hash: "00ff".to_owned(), nth: 1, of: 2 };
        let at =
            [Locator::Key("a\"b".to_owned()), Locator::Keys(r#"["x",80]"#.to_owned()), fingerprint];
        let mut out = String::new();
        let bodies = [(&at[..], r#""keep":{"a":1}"#), (&at[..1], r#""keep":{},"guard":{}"#)];
        write_entries("v1", "", bodies.into_iter(), &mut out);
        assert_eq!(
            out,
            r#"{"format":1,"peer":"v1","entries":[{"at":["a\"b",["x",80],{"is":"00ff","nth":1,"of":2}],"keep":{"a":1}},{"at":["a\"b"],"keep":{},"guard":{}}]}"#
        );
        let read = entries(&out);
        assert_eq!((&read[0].at[..], &read[1].at[..]), (&at[..], &at[..1]));
        assert_eq!(read[0].lists(), None);

        let digest = ListDigest::read("AAAA BBBBccc.ddd").expect("a list");
        let (mut lists, mut out) = (String::new(), String::new());
        write_lists(std::iter::once((&at[..2], &digest)), &mut lists);
        let body = [(&at[..], r#""keep":{"a":1}"#)];
        write_entries("v1", &lists, body.into_iter(), &mut out);
        assert_eq!(
            out,
            r#"{"format":1,"peer":"v1","lists":[{"at":["a\"b",["x",80]],"items":"AAAA BBBBccc.ddd"}],"entries":[{"at":["a\"b",["x",80],{"is":"00ff","nth":1,"of":2}],"keep":{"a":1}}]}"#
        );
        let [entry] = &entries(&out)[..] else { panic!("one entry") };
        assert_eq!(read_lists(entry.lists().expect("lists")), [(at[..2].to_vec(), digest)]);
    }

    #[test]
    fn other_formats_are_told_from_nonsense() {
        for text in [
            r#"{"format":2}"#,
            r#"{"format":"1"}"#,
            r#"{"format":1,"peer":"v1","keep":{},"more":[]}"#,
            r#"{"format":1,"peer":"v1","entries":[{"at":[],"keep":{},"more":[]}]}"#,
        ] {
            assert!(matches!(parse(text), Parsed::Unknown), "{text}");
        }
        for text in [
            "",
            "x",
            "{}",
            "[]",
            r#"{"format":1}"#,
            r#"{"format":1,"peer":"v1","keep":[]}"#,
            r#"{"format":1,"peer":"v1","entries":{}}"#,
            r#"{"format":1,"peer":"v1","entries":[{"at":[]}]}"#,
            r#"{"format":1,"peer":"v1","entries":[],"keep":{}}"#,
        ] {
            assert!(matches!(parse(text), Parsed::Malformed), "{text}");
        }
    }
}
