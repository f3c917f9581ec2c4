//! The label of an object that lacks what its annotations have no room for, not even for saying so.
//!
//! Labels may change in a conversion, too, and the API server doesn't limit all of them together.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Scanner, SyntaxError, member, quote};
use crate::object::string;

/// The label, which starts with the prefix of the group's carrier. Its value is the version in which the object is complete.
pub(crate) fn label(prefix: &str) -> String {
    format!("{prefix}complete-in")
}

/// A label.
struct Member {
    /// From the key's quote to the end of the value.
    span: Range<usize>,
    /// Where the value starts.
    value: usize,
}

/// Where an object's labels are, or where they would be.
enum Place {
    /// Behind the brace of the labels, and whether there are any.
    Labels { start: usize, empty: bool },
    /// Instead of a value that isn't an object.
    Null { start: usize, end: usize },
    /// Behind the brace of `metadata`, and whether that has anything.
    Metadata { start: usize, empty: bool },
}

/// What the label says of the object that starts at the scanner's position, if it has it. The scanner stays there.
pub(crate) fn complete_in(scanner: &mut Scanner<'_>, label: &str) -> Option<String> {
    let mark = scanner.mark();
    let text = scanner.text();
    let mut found = None;
    // What is broken behind the labels, the conversion says.
    let _ = find(scanner, true, |key, member| {
        if key == label {
            let mut value = Scanner::new(text);
            value.pos = member.value;
            found = string(&mut value).ok().flatten().map(Cow::into_owned);
        }
    });
    scanner.reset(mark);
    found
}

/// Takes the label from an object.
pub(crate) fn unmark(text: &mut String, label: &str) {
    let mut members: Vec<(bool, Range<usize>)> = Vec::new();
    let _ = find(&mut Scanner::new(text), false, |key, member| {
        members.push((key == label, member.span));
    });
    while let Some(at) = members.iter().rposition(|(is_label, _)| *is_label) {
        let (_, span) = members.remove(at);
        // With the comma before it, or else that behind it.
        let span = match (at.checked_sub(1).and_then(|before| members.get(before)), members.get(at))
        {
            (Some((_, before)), _) => before.end..span.end,
            (None, Some((_, next))) => span.start..next.start,
            (None, None) => span,
        };
        text.replace_range(span, "");
    }
}

/// Gives the label to the object with which a text ends.
pub(super) fn mark(out: &mut String, start: usize, label: &str, complete_in: &str) {
    let mut value = String::new();
    quote(complete_in, &mut value);
    let member = member(label, &value);
    let mut there = false;
    // It isn't broken, and it has `metadata`: a conversion wrote it.
    let place = find(&mut Scanner::new(&out[start..]), false, |key, _| there |= key == label);
    match place {
        Ok(Some(Place::Labels { start: at, empty })) if !there => {
            let comma = if empty { "" } else { "," };
            out.insert_str(start + at, &format!("{member}{comma}"));
        }
        Ok(Some(Place::Null { start: at, end })) => {
            out.replace_range(start + at..start + end, &format!("{{{member}}}"));
        }
        Ok(Some(Place::Metadata { start: at, empty })) => {
            let comma = if empty { "" } else { "," };
            out.insert_str(start + at, &format!("\"labels\":{{{member}}}{comma}"));
        }
        _ => {}
    }
}

/// Finds an object's labels, and names each of them. Of equal keys the last one counts, unless the first labels end the search: the API server
/// sends no key twice, and what is behind them takes time.
fn find(
    scanner: &mut Scanner<'_>,
    only_first: bool,
    mut name: impl FnMut(&str, Member),
) -> Result<Option<Place>, SyntaxError> {
    let text = scanner.text();
    let mut place = None;
    scanner.enter_object()?;
    let mut first = true;
    while let Some(key) = scanner.next_member(first)? {
        first = false;
        if key.decoded(text) != "metadata" || scanner.peek() != b'{' {
            scanner.skip_value()?;
            continue;
        }
        scanner.enter_object()?;
        let inside = scanner.pos;
        place = Some(Place::Metadata { start: inside, empty: scanner.peek() == b'}' });
        let mut first = true;
        while let Some(key) = scanner.next_member(first)? {
            first = false;
            if key.decoded(text) == "labels" {
                place = Some(labels(scanner, &mut name)?);
                if only_first {
                    return Ok(place);
                }
            } else {
                scanner.skip_value()?;
            }
        }
        if only_first {
            break;
        }
    }
    Ok(place)
}

fn labels(
    scanner: &mut Scanner<'_>,
    name: &mut impl FnMut(&str, Member),
) -> Result<Place, SyntaxError> {
    let text = scanner.text();
    if scanner.peek() != b'{' {
        let start = scanner.pos;
        scanner.skip_value()?;
        return Ok(Place::Null { start, end: scanner.pos });
    }
    scanner.enter_object()?;
    let start = scanner.pos;
    let mut first = true;
    while let Some(key) = scanner.next_member(first)? {
        first = false;
        let value = scanner.pos;
        scanner.skip_value()?;
        name(&key.decoded(text), Member { span: key.start - 1..scanner.pos, value });
    }
    Ok(Place::Labels { start, empty: first })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: &str = "conversion.example.com/complete-in";

    fn marked(metadata: &str) -> String {
        let mut text = format!(r#"[{{"kind":"Box","metadata":{metadata},"spec":{{}}}}"#);
        let before = text.clone();
        assert_eq!(complete_in(&mut Scanner::new(&text[1..]), LABEL), None);
        mark(&mut text, 1, LABEL, "v1");
        assert_eq!(complete_in(&mut Scanner::new(&text[1..]), LABEL).as_deref(), Some("v1"));
        let mut object = text[1..].to_owned();
        unmark(&mut object, LABEL);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let (object, mut expected) = (read(&object), read(&before[1..]));
        if expected["metadata"]["labels"].is_null() {
            expected["metadata"]["labels"] = serde_json::json!({});
        }
        assert_eq!(object, expected);
        let again = text.clone();
        mark(&mut text, 1, LABEL, "v2");
        assert_eq!(text, again);
        let (_, metadata) = text.split_once(r#""metadata":"#).unwrap();
        metadata.split_once(r#","spec""#).unwrap().0.to_owned()
    }

    #[test]
    fn the_label_stands_beside_others() {
        let label = r#""conversion.example.com/complete-in":"v1""#;
        for (before, after) in [
            ("{}", format!(r#"{{"labels":{{{label}}}}}"#)),
            (r#"{ "name":"b"}"#, format!(r#"{{"labels":{{{label}}}, "name":"b"}}"#)),
            (r#"{"labels":{}}"#, format!(r#"{{"labels":{{{label}}}}}"#)),
            (r#"{"labels":{ }}"#, format!(r#"{{"labels":{{{label} }}}}"#)),
            (r#"{"labels":{"a":"b"}}"#, format!(r#"{{"labels":{{{label},"a":"b"}}}}"#)),
            (r#"{"labels": null}"#, format!(r#"{{"labels": {{{label}}}}}"#)),
            (r#"{"l\u0061bels":{"a":"b"}}"#, format!(r#"{{"l\u0061bels":{{{label},"a":"b"}}}}"#)),
        ] {
            assert_eq!(marked(before), after);
        }
    }
}
