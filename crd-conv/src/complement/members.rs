//! The members of an object in an annotation's text: names, and the positions of their values.

use std::ops::Range;

use crate::json::Fidelity::AsWritten;
use crate::json::{Scanner, SyntaxError, canonical, quote};

/// A name, and the span of its value.
pub(super) type Part = (String, Range<usize>);

pub(super) fn read_members(scanner: &mut Scanner<'_>) -> Result<Vec<Part>, SyntaxError> {
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

pub(super) fn write_members<'a>(
    members: impl Iterator<Item = (&'a str, &'a str)>,
    out: &mut String,
) {
    out.push('{');
    for (index, (name, text)) in members.enumerate() {
        if index > 0 {
            out.push(',');
        }
        quote(name, out);
        out.push(':');
        let start = out.len();
        if canonical(text, AsWritten, out).is_none() {
            // The value is nested too deep for a canonical form. The text itself serves as well,
            // and nothing is lost.
            out.truncate(start);
            out.push_str(text);
        }
    }
    out.push('}');
}
