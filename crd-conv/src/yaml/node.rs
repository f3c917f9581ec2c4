//! A document, between the two notations.

use super::error::YamlError;

/// The most levels that a document may have, in either direction.
pub(super) const MAX_DEPTH: usize = 128;

/// A document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Boolean(bool),
    /// A number in JSON's grammar.
    Number(String),
    String(String),
    Sequence(Vec<Node>),
    /// The members in the document's order.
    Mapping(Vec<(String, Node)>),
}

impl Node {
    /// Whether two values are the same, whatever the order of their members is. Numbers are
    /// compared by their texts.
    #[cfg(feature = "cli")]
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mapping(members), Self::Mapping(others)) => {
                members.len() == others.len()
                    && members.iter().zip(others).all(|((key, value), at_same_place)| {
                        let other = if at_same_place.0 == *key {
                            Some(at_same_place)
                        } else {
                            others.iter().find(|(other, _)| other == key)
                        };
                        other.is_some_and(|(_, other)| value.same(other))
                    })
            }
            (Self::Sequence(items), Self::Sequence(others)) => {
                items.len() == others.len()
                    && items.iter().zip(others).all(|(item, other)| item.same(other))
            }
            _ => self == other,
        }
    }

    pub(super) fn to_json(&self) -> Result<String, YamlError> {
        let mut out = String::new();
        self.append_json(&mut out)?;
        Ok(out)
    }

    fn append_json(&self, out: &mut String) -> Result<(), YamlError> {
        match self {
            Self::Null => out.push_str("null"),
            Self::Boolean(true) => out.push_str("true"),
            Self::Boolean(false) => out.push_str("false"),
            Self::Number(text) => out.push_str(text),
            Self::String(text) => append_string(text, out)?,
            Self::Sequence(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.append_json(out)?;
                }
                out.push(']');
            }
            Self::Mapping(members) => {
                out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    append_string(key, out)?;
                    out.push(':');
                    value.append_json(out)?;
                }
                out.push('}');
            }
        }
        Ok(())
    }
}

fn append_string(text: &str, out: &mut String) -> Result<(), YamlError> {
    out.push_str(&serde_json::to_string(text).map_err(|error| YamlError(error.to_string()))?);
    Ok(())
}

/// Whether a text is a number in JSON's grammar.
pub(super) fn is_json_number(text: &str) -> bool {
    // `serde_json` checks the grammar of a skipped number, and not its range.
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        && !text.ends_with(char::is_whitespace)
}
