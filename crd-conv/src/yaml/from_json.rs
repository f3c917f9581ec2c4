//! Reads JSON text as a document.

use std::fmt;

use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{
    error::YamlError,
    node::{MAX_DEPTH, Node},
};

pub(super) fn document(json: &str) -> Result<Node, YamlError> {
    let raw: &RawValue = parse(json)?;
    node(raw.get(), 0)
}

/// Reads one level. The text inside stays text until its turn, so no number passes through a type.
fn node(json: &str, depth: usize) -> Result<Node, YamlError> {
    if depth > MAX_DEPTH {
        return Err(YamlError(format!("the text is nested more than {MAX_DEPTH} levels deep")));
    }
    Ok(match json.as_bytes().first() {
        Some(b'n') => Node::Null,
        Some(b't') => Node::Boolean(true),
        Some(b'f') => Node::Boolean(false),
        Some(b'"') => Node::String(parse(json)?),
        Some(b'[') => {
            let items: Vec<&RawValue> = parse(json)?;
            let items = items.iter().map(|item| node(item.get(), depth + 1));
            Node::Sequence(items.collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let Members(members) = parse(json)?;
            let members =
                members.into_iter().map(|(key, value)| Ok((key, node(value.get(), depth + 1)?)));
            Node::Mapping(members.collect::<Result<_, _>>()?)
        }
        _ => {
            if json.parse::<f64>().is_ok_and(f64::is_infinite) {
                return Err(YamlError(format!(
                    "the number {json} is too large for readers of YAML; use JSON"
                )));
            }
            Node::Number(json.to_owned())
        }
    })
}

fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, YamlError> {
    serde_json::from_str(json).map_err(|error| YamlError(format!("not readable as JSON: {error}")))
}

/// The members of an object, in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}
