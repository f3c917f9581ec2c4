//! What an annotation of the carrier holds: the entry of one rule, or one for each list item and map value.

use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use super::hash;
use super::packed::{pack, unpack};
use crate::json::Fidelity::{AsServed, AsWritten};
use crate::json::{Scanner, SyntaxError, canonical, quote};

/// The format that this release writes.
const FORMAT: &str = "1";

/// One entry: what a rule keeps for its home version.
#[derive(Debug)]
pub(crate) struct Entry {
    text: Rc<str>,
    /// Which items of the lists and maps around the rule it belongs to, outermost first.
    pub(crate) at: Vec<Locator>,
    keep: Vec<Part>,
    guard: Option<Vec<Part>>,
    /// What the annotation says of the lists on the way to its entries.
    lists: Option<Range<usize>>,
}

type Part = (String, Range<usize>);

/// Tells one item of a list or a map from the others, by what the peer version shows of it. Never by its place: a
/// value on the wrong item is worse than a lost one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Locator {
    /// The key in a map.
    Key(String),
    /// The values of the list's map keys, as a JSON array.
    Keys(String),
    /// The hash of the whole item, and which of the equal items it is.
    Print { hash: String, nth: usize, of: usize },
    /// The hash of what would stand here, up to the next one, if it didn't take too much room.
    Folded(String),
}

/// What an annotation's value turned out to be.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The peer, the version for which the home version's values had no room, and the entries.
    Entries(String, Vec<Entry>),
    /// What stands for an annotation that had no room: its peer, and how many bytes it had.
    Tombstone { peer: String, size: usize },
    /// Of a format that this release doesn't know: another release will.
    Unknown,
    /// Nothing that any release writes.
    Malformed,
}

impl Entry {
    /// The kept fields with their JSON.
    pub(crate) fn keep(&self) -> impl Iterator<Item = (&str, &str)> {
        parts(&self.text, &self.keep)
    }

    /// The fields of the peer that must still have these values, `None` if only the anchor counts.
    pub(crate) fn guard(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        self.guard.as_ref().map(|guard| parts(&self.text, guard))
    }

    /// The text of what it keeps, and of its guard.
    pub(crate) fn body(&self) -> String {
        let mut out = String::new();
        write_body(self.keep(), self.guard(), &mut out);
        out
    }

    /// Whether it says that a field was unset.
    pub(crate) fn says_unset(&self) -> bool {
        self.guard().is_some_and(|mut guard| guard.next().is_none())
    }

    /// Whether it says that a field was null where a version between doesn't take that.
    pub(crate) fn says_null(&self) -> bool {
        let mut keep = self.keep().peekable();
        self.says_unset() && keep.peek().is_some() && keep.all(|(_, value)| value == "null")
    }

    /// The text of the annotation.
    pub(crate) fn annotation(&self) -> &Rc<str> {
        &self.text
    }

    /// What the annotation says of the lists on the way to its entries.
    pub(crate) fn lists(&self) -> Option<&str> {
        self.lists.clone().map(|lists| &self.text[lists])
    }
}

impl Entry {
    /// Gives fields other names, by those that they have.
    pub(crate) fn rename(
        &mut self,
        keep: &[(&'static str, &'static str)],
        guard: &[(&'static str, &'static str)],
    ) {
        let rename = |parts: &mut Vec<Part>, names: &[(&'static str, &'static str)]| {
            for (name, _) in parts {
                if let Some((_, new)) = names.iter().find(|(old, _)| old == name) {
                    (*new).clone_into(name);
                }
            }
        };
        rename(&mut self.keep, keep);
        if let Some(parts) = &mut self.guard {
            rename(parts, guard);
        }
    }
}

fn parts<'a>(text: &'a str, parts: &'a [Part]) -> impl Iterator<Item = (&'a str, &'a str)> {
    parts.iter().map(|(name, span)| (name.as_str(), &text[span.clone()]))
}

/// Reads the text of an annotation.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut found = Found::default();
    match found.read(text) {
        Err(_) => Parsed::Malformed,
        Ok(()) if found.format.is_empty() => Parsed::Malformed,
        Ok(()) if found.format != FORMAT || found.more => Parsed::Unknown,
        Ok(()) => found.resolve(text),
    }
}

/// The entries in the text of an annotation that was read before, or in what was packed in it.
pub(crate) fn entries_of(text: &str) -> Vec<Entry> {
    let mut found = Found::default();
    match found.read(text).map(|()| found.entries(String::new(), text)) {
        Ok(Parsed::Entries(_, entries)) => entries,
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Found {
    format: String,
    peer: Option<String>,
    own: Item,
    items: Option<Vec<Item>>,
    lists: Option<Range<usize>>,
    packed: Option<String>,
    tombstone: Option<usize>,
    /// Whether there is something that this release doesn't know.
    more: bool,
}

#[derive(Clone, Default)]
struct Item {
    at: Option<Vec<Locator>>,
    keep: Option<Vec<Part>>,
    guard: Option<Vec<Part>>,
}

impl Found {
    fn read(&mut self, text: &str) -> Result<(), SyntaxError> {
        let mut scanner = Scanner::new(text);
        scanner.enter_object()?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first)? {
            first = false;
            let start = scanner.pos;
            match key.raw(text) {
                "peer" if scanner.peek() == b'"' => {
                    self.peer = Some(scanner.string()?.decoded(text).into_owned());
                }
                "packed" if scanner.peek() == b'"' => {
                    self.packed = Some(scanner.string()?.decoded(text).into_owned());
                }
                "tombstone" => {
                    scanner.skip_value()?;
                    self.tombstone = text[start..scanner.pos].parse().ok();
                    self.more |= self.tombstone.is_none();
                }
                "entries" => {
                    let mut items = Vec::new();
                    scanner.enter_array()?;
                    while scanner.next_element(items.is_empty())? {
                        let mut item = Item::default();
                        scanner.enter_object()?;
                        let mut first = true;
                        while let Some(key) = scanner.next_member(first)? {
                            first = false;
                            self.more |= !item.read(&mut scanner, key.raw(text))?;
                        }
                        items.push(item);
                    }
                    self.items = Some(items);
                }
                "lists" => {
                    scanner.skip_value()?;
                    self.lists = Some(start..scanner.pos);
                }
                "format" => {
                    scanner.skip_value()?;
                    text[start..scanner.pos].clone_into(&mut self.format);
                }
                other => self.more |= !self.own.read(&mut scanner, other)?,
            }
        }
        scanner.end()
    }

    /// What a text of a known format holds.
    fn resolve(mut self, text: &str) -> Parsed {
        let Some(peer) = self.peer.take() else { return Parsed::Malformed };
        match (&self.packed, self.tombstone) {
            (None, None) => self.entries(peer, text),
            (Some(packed), None) if self.holds_nothing() => {
                let Some(text) = unpack(packed) else { return Parsed::Malformed };
                let mut inside = Self::default();
                match inside.read(&text) {
                    Ok(()) if inside.is_bare() && inside.more => Parsed::Unknown,
                    Ok(()) if inside.is_bare() => inside.entries(peer, &text),
                    _ => Parsed::Malformed,
                }
            }
            (None, Some(size)) if self.holds_nothing() => Parsed::Tombstone { peer, size },
            _ => Parsed::Malformed,
        }
    }

    fn holds_nothing(&self) -> bool {
        let Item { at, keep, guard } = &self.own;
        at.is_none()
            && keep.is_none()
            && guard.is_none()
            && self.items.is_none()
            && self.lists.is_none()
    }

    /// Whether there is nothing but entries.
    fn is_bare(&self) -> bool {
        let Self { format, peer, packed, tombstone, .. } = self;
        format.is_empty() && peer.is_none() && packed.is_none() && tombstone.is_none()
    }

    fn entries(self, peer: String, text: &str) -> Parsed {
        let text: Rc<str> = text.into();
        let items = match (&self.own.keep, self.items) {
            (Some(_), None) => vec![self.own],
            (None, Some(items)) if self.own.guard.is_none() && self.own.at.is_none() => items,
            _ => return Parsed::Malformed,
        };
        let entry = |item: Item| {
            let at = item.at.unwrap_or_default();
            let (text, lists) = (Rc::clone(&text), self.lists.clone());
            Some(Entry { text, at, keep: item.keep?, guard: item.guard, lists })
        };
        let entries: Option<Vec<Entry>> = items.into_iter().map(entry).collect();
        entries.map_or(Parsed::Malformed, |entries| Parsed::Entries(peer, entries))
    }
}

impl Item {
    /// Reads the value of a member; `false` if it isn't known.
    fn read(&mut self, scanner: &mut Scanner<'_>, key: &str) -> Result<bool, SyntaxError> {
        match key {
            "at" => self.at = Some(locators(scanner)?),
            "keep" => self.keep = Some(members(scanner)?),
            "guard" => self.guard = Some(members(scanner)?),
            _ => {
                scanner.skip_value()?;
                return Ok(false);
            }
        }
        Ok(true)
    }
}

pub(super) fn locators(scanner: &mut Scanner<'_>) -> Result<Vec<Locator>, SyntaxError> {
    let mut locators = Vec::new();
    scanner.enter_array()?;
    while scanner.next_element(locators.is_empty())? {
        let start = scanner.pos;
        locators.push(match scanner.peek() {
            b'"' => Locator::Key(scanner.string()?.decoded(scanner.text()).into_owned()),
            b'{' => {
                let parts = members(scanner)?;
                let text = |name: &str| {
                    let part = parts.iter().find(|(part, _)| part == name);
                    part.map_or("", |(_, span)| &scanner.text()[span.clone()])
                };
                let hash = |name| text(name).trim_matches('"').to_owned();
                if parts.iter().any(|(part, _)| part == "in") {
                    locators.push(Locator::Folded(hash("in")));
                    continue;
                }
                let number = |name: &str| text(name).parse().unwrap_or(usize::MAX);
                Locator::Print { hash: hash("is"), nth: number("nth"), of: number("of") }
            }
            _ => {
                scanner.skip_value()?;
                let mut keys = String::new();
                let written = &scanner.text()[start..scanner.pos];
                // What has no canonical form was written by nobody and will match no item.
                let _ = canonical(written, AsServed, &mut keys);
                Locator::Keys(keys)
            }
        });
    }
    Ok(locators)
}

fn members(scanner: &mut Scanner<'_>) -> Result<Vec<Part>, SyntaxError> {
    let mut parts: Vec<Part> = Vec::new();
    scanner.enter_object()?;
    while let Some(key) = scanner.next_member(parts.is_empty())? {
        let name = key.decoded(scanner.text()).into_owned();
        let start = scanner.pos;
        scanner.skip_value()?;
        parts.push((name, start..scanner.pos));
    }
    Ok(parts)
}

/// Appends what an entry says of its rule: the same fields give the same bytes.
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

/// Appends the text of an annotation from the bodies of its entries, and what [`write_lists`](super::write_lists) says of
/// the lists on the way to them.
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

/// An annotation with more bytes is packed: so many of them fill what the API server allows that all the others matter
/// more than that people can read it.
const MAX_PLAIN: usize = 4 << 10;

/// Packs what stands behind the head, from the comma on, if that makes it shorter.
#[cold]
fn write_packed(body: usize, out: &mut String) {
    let Some(packed) = pack(&format!("{{{}", &out[body + 1..])) else { return };
    let packed = format!(",\"packed\":\"{packed}\"}}");
    if packed.len() < out.len() - body {
        out.truncate(body);
        out.push_str(&packed);
    }
}

/// Appends the text of what stands for an annotation that has no room.
pub(crate) fn write_tombstone(peer: &str, size: usize, out: &mut String) {
    write_head(peer, out);
    // Writing to a text can't fail.
    let _ = write!(out, ",\"tombstone\":{size}}}");
}

fn write_head(peer: &str, out: &mut String) {
    out.push_str("{\"format\":");
    out.push_str(FORMAT);
    out.push_str(",\"peer\":");
    quote(peer, out);
}

/// Appends the member that says to which items something belongs.
pub(super) fn write_at(at: &[Locator], out: &mut String) {
    out.push_str("\"at\":[");
    for (index, locator) in at.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        locator.write(out);
    }
    out.push(']');
}

/// How many bytes the locators of an entry may take.
const MAX_AT: usize = 256;

/// The locators of an item of what these locators lead to. An entry's locators have a limit, because there may be
/// as many entries as there are levels.
pub(crate) fn within(at: &[Locator], item: Locator) -> Vec<Locator> {
    let mut text = String::new();
    for locator in at.iter().chain([&item]) {
        locator.write(&mut text);
        text.push(',');
    }
    if text.len() > MAX_AT {
        return vec![Locator::Folded(format!("{:016x}", hash(text.as_bytes())))];
    }
    at.iter().cloned().chain([item]).collect()
}

impl Locator {
    fn write(&self, out: &mut String) {
        match self {
            Self::Key(key) => quote(key, out),
            Self::Keys(keys) => out.push_str(keys),
            Self::Print { hash, nth, of } => {
                out.push_str("{\"is\":");
                quote(hash, out);
                // Writing to a text can't fail.
                let _ = write!(out, ",\"nth\":{nth},\"of\":{of}}}");
            }
            Self::Folded(hash) => {
                out.push_str("{\"in\":");
                quote(hash, out);
                out.push('}');
            }
        }
    }
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
    use crate::complement::{Listed, read_lists, write_lists};

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

        let print = Locator::Print { hash: "00ff".to_owned(), nth: 1, of: 2 };
        let at = [Locator::Key("a\"b".to_owned()), Locator::Keys(r#"["x",80]"#.to_owned()), print];
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

        let listed = Listed::read("AAAA BBBBccc.ddd").expect("a list");
        let (mut lists, mut out) = (String::new(), String::new());
        write_lists(std::iter::once((&at[..2], &listed)), &mut lists);
        let body = [(&at[..], r#""keep":{"a":1}"#)];
        write_entries("v1", &lists, body.into_iter(), &mut out);
        assert_eq!(
            out,
            r#"{"format":1,"peer":"v1","lists":[{"at":["a\"b",["x",80]],"items":"AAAA BBBBccc.ddd"}],"entries":[{"at":["a\"b",["x",80],{"is":"00ff","nth":1,"of":2}],"keep":{"a":1}}]}"#
        );
        let [entry] = &entries(&out)[..] else { panic!("one entry") };
        assert_eq!(read_lists(entry.lists().expect("lists")), [(at[..2].to_vec(), listed)]);
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
