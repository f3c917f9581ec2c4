//! JSON with its members in any order, and with white space and escapes anywhere. `next` returns
//! the numbers that choose.

use std::fmt::Write;

use serde_json::json;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Loose {
    Plain(String),
    List(Vec<Loose>),
    Object(Vec<(String, Loose)>),
}

impl Loose {
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    pub fn text(text: &str) -> Self {
        Self::Plain(json!(text).to_string())
    }

    /// Changes the order of all members.
    pub fn shuffle(&mut self, next: &mut impl FnMut() -> usize) {
        match self {
            Self::Plain(_) => {}
            Self::List(items) => items.iter_mut().for_each(|item| item.shuffle(next)),
            Self::Object(members) => {
                for place in (1..members.len()).rev() {
                    members.swap(place, next() % (place + 1));
                }
                for (_, value) in members {
                    value.shuffle(next);
                }
            }
        }
    }

    /// Writes it with white space and escapes wherever JSON allows them.
    pub fn write(&self, next: &mut impl FnMut() -> usize, out: &mut String) {
        let mut space =
            |out: &mut String| out.push_str(["", "", "", " ", "\n\t", "\r\n  "][next() % 6]);
        space(out);
        match self {
            Self::Plain(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write(next, out);
                }
                if items.is_empty() {
                    out.push_str(["", " "][next() % 2]);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(["", " ", "\n"][next() % 3]);
                    out.push_str(if index > 0 { "," } else { "" });
                    out.push_str(["", " ", "\n"][next() % 3]);
                    // Any character may be escaped, also in a key.
                    let escaped = next() % (name.len() * 3);
                    out.push('"');
                    for (place, char) in name.chars().enumerate() {
                        match char {
                            '/' if next().is_multiple_of(2) => out.push_str("\\/"),
                            _ if place == escaped => {
                                let _ = write!(out, "\\u{:04x}", u32::from(char));
                            }
                            _ => out.push(char),
                        }
                    }
                    out.push('"');
                    out.push_str(["", " "][next() % 2]);
                    out.push(':');
                    value.write(next, out);
                }
                out.push_str(["", " ", "\n"][next() % 3]);
                out.push('}');
            }
        }
        out.push_str(["", "", " "][next() % 3]);
    }
}
