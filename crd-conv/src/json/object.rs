//! Takes the members of an object apart as text, and puts them together again.

use std::borrow::Cow;

use super::scan::Scanner;
use super::string::quote;

/// A member of an object.
pub(crate) struct Member<'a> {
    pub(crate) name: Cow<'a, str>,
    /// The name in quotes, as it is in the text.
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
}

impl Member<'_> {
    pub(crate) fn text(&self) -> String {
        format!("{}:{}", self.key, self.value)
    }
}

/// The members of an object, or `None` if the text isn't an object.
pub(crate) fn members_of(object: &str) -> Option<Vec<Member<'_>>> {
    let mut members = Vec::new();
    let mut scanner = Scanner::new(object);
    scanner.enter_object().ok()?;
    while let Some(key) = scanner.next_member(members.is_empty()).ok()? {
        let start = scanner.pos;
        scanner.skip_value().ok()?;
        members.push(Member {
            name: key.decoded(object),
            key: &object[key.start - 1..=key.end],
            value: &object[start..scanner.pos],
        });
    }
    Some(members)
}

/// The value of a member. The last of equal names counts.
pub(crate) fn find<'v>(object: &'v str, name: &str) -> Option<&'v str> {
    let members = members_of(object)?;
    members.iter().rev().find(|member| member.name == name).map(|member| member.value)
}

pub(crate) fn member(name: &str, value: &str) -> String {
    let mut text = String::new();
    push_member(&mut text, name, value);
    text
}

pub(crate) fn object_of(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

/// Appends a member.
pub(crate) fn push_member(out: &mut String, name: &str, value: &str) {
    quote(name, out);
    out.push(':');
    out.push_str(value);
}
