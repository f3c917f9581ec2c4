//! JSON as `check` compares it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use crate::json::{Fidelity, canonical};

/// JSON in the form that `check` compares. Numbers are compared by their text, because a float
/// would hide digits. Null members are left out, because a mapping treats them as absent where null
/// isn't a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Object(BTreeMap<String, Part>),
    List(Vec<Part>),
    /// The canonical text of any other value.
    Plain(String),
}

impl Part {
    pub(super) fn read(text: &str) -> Result<Self, serde_json::Error> {
        match text.trim_start().as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
                let members = members.into_iter().filter(|(_, value)| value.get() != "null");
                let read = members.map(|(name, value)| Ok((name, Self::read(value.get())?)));
                read.collect::<Result<_, _>>().map(Self::Object)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                let read = items.into_iter().map(|item| Self::read(item.get()));
                read.collect::<Result<_, _>>().map(Self::List)
            }
            _ => {
                let value: &RawValue = serde_json::from_str(text)?;
                let mut plain = String::new();
                // Every text that `serde_json` reads has a canonical form. Otherwise the text
                // itself would do.
                let known = canonical(value.get(), Fidelity::AsWritten, &mut plain);
                Ok(Self::Plain(if known.is_some() { plain } else { value.get().to_owned() }))
            }
        }
    }

    fn members(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            Self::List(_) | Self::Plain(_) => None,
        }
    }

    fn members_mut(&mut self) -> Option<&mut BTreeMap<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            Self::List(_) | Self::Plain(_) => None,
        }
    }
}

fn metadata(object: &Part) -> Option<&BTreeMap<String, Part>> {
    object.members()?.get("metadata")?.members()
}

pub(super) fn annotations(object: &Part) -> impl Iterator<Item = (&String, &Part)> {
    let annotations = metadata(object).and_then(|metadata| metadata.get("annotations")?.members());
    annotations.into_iter().flatten()
}

/// Whether an API server has stored the object: it gives every object a `uid`.
pub(super) fn is_from_server(object: &Part) -> bool {
    metadata(object).is_some_and(|metadata| metadata.contains_key("uid"))
}

/// An object without parts that a round trip may change: the annotations of conversions, and empty
/// `annotations` and `metadata`.
pub(super) fn comparable(object: &Part, prefix: &str) -> Part {
    let mut object = object.clone();
    let Some(root) = object.members_mut() else { return object };
    if let Some(metadata) = root.get_mut("metadata").and_then(Part::members_mut) {
        if let Some(annotations) = metadata.get_mut("annotations").and_then(Part::members_mut) {
            annotations.retain(|key, _| !key.starts_with(prefix));
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
        if metadata.is_empty() {
            root.remove("metadata");
        }
    }
    object
}

/// The path of the first value that differs.
pub(super) fn difference(before: &Part, after: &Part) -> Option<String> {
    match (before, after) {
        (Part::Object(old), Part::Object(new)) => {
            let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
            keys.into_iter().find_map(|key| match (old.get(key), new.get(key)) {
                (Some(old), Some(new)) => Some(format!(".{key}{}", difference(old, new)?)),
                _ => Some(format!(".{key}")),
            })
        }
        (Part::List(old), Part::List(new)) if old.len() == new.len() => {
            let mut pairs = old.iter().zip(new).enumerate();
            pairs.find_map(|(at, (old, new))| Some(format!("[{at}]{}", difference(old, new)?)))
        }
        _ => (before != after).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(before: &str, after: &str) -> Option<String> {
        let [before, after] = [before, after].map(|text| Part::read(text).unwrap());
        difference(&before, &after)
    }

    #[test]
    fn digits_that_a_float_hides_are_a_difference() {
        let (before, after) =
            (r#"{"a":[0.12345678901234567891]}"#, r#"{"a":[0.12345678901234568]}"#);
        let floats =
            [before, after].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(floats[0], floats[1], "the premise");
        assert_eq!(path(before, after).as_deref(), Some(".a[0]"));
        assert_eq!(path(r#"{"a":"\u0062"}"#, r#"{ "a" : "b" }"#), None);
    }

    #[test]
    fn a_null_member_is_absent_and_a_null_item_is_not() {
        assert_eq!(path(r#"{"a":null}"#, "{}"), None);
        assert_eq!(path(r#"{"a":[null]}"#, r#"{"a":[]}"#).as_deref(), Some(".a"));
    }

    #[test]
    fn what_is_not_json_is_an_error() {
        for text in ["", "{", "[1,]", "nul", "{\"a\":}"] {
            assert!(Part::read(text).is_err(), "{text}");
        }
    }
}
