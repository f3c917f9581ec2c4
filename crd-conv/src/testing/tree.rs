//! JSON as the laws compare it. It is read with `RawValue`, so that it shares no code with the
//! scanner under test.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A JSON value as the laws compare it: numbers by their text, and without any normalization.
///
/// ```
/// use crd_conv::testing::Tree;
///
/// let tree = Tree::read(r#"{"b":1.0,"a":"\u0062"}"#);
/// assert_eq!(tree, Tree::read(r#"{ "a": "b", "b": 1.0 }"#));
/// assert_ne!(tree.at(&["b"]), Some(&Tree::read("1")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A number, a string with half a surrogate pair, `true`, `false` or `null`, as written.
    Plain(String),
    /// Any other string.
    Text(String),
    /// An array.
    List(Vec<Tree>),
    /// An object, with the last of equal keys.
    Object(BTreeMap<String, Tree>),
}

impl Tree {
    /// Reads a text.
    ///
    /// # Panics
    ///
    /// Panics if the text isn't JSON.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        match text.as_bytes()[0] {
            b'{' => {
                let members = members(text);
                Self::Object(
                    members.into_iter().map(|(name, raw)| (name, Self::read(raw))).collect(),
                )
            }
            b'[' => Self::List(items(text).into_iter().map(Self::read).collect()),
            b'"' => match serde_json::from_str(text) {
                Ok(string) => Self::Text(string),
                Err(_) => Self::Plain(text.to_owned()),
            },
            _ => Self::Plain(text.to_owned()),
        }
    }

    /// Returns the value at a path, if it exists.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, name| match tree {
            Self::Object(members) => members.get(*name),
            _ => None,
        })
    }

    /// Returns the members, if the value is an object.
    pub fn members_mut(&mut self) -> Option<&mut BTreeMap<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the value at a path for changing it, if it exists.
    pub fn at_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |tree, name| tree.members_mut()?.get_mut(*name))
    }

    /// Writes the value as JSON, with sorted keys.
    ///
    /// # Panics
    ///
    /// Never: every text can be written.
    pub fn write(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) => serde_json::to_string(text).expect("a string"),
            Self::List(items) => {
                format!("[{}]", items.iter().map(Self::write).collect::<Vec<_>>().join(","))
            }
            Self::Object(members) => {
                let members = members.iter().map(|(name, value)| {
                    format!("{}:{}", serde_json::to_string(name).expect("a string"), value.write())
                });
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// Returns the members of an object with their texts as written. Of equal keys, it returns the last
/// one.
///
/// # Panics
///
/// Panics if the text isn't an object.
pub fn members(text: &str) -> BTreeMap<String, &str> {
    pairs(text).into_iter().collect()
}

/// Whether an object somewhere in a text has two members with the same name.
///
/// # Panics
///
/// Panics if the text isn't JSON.
pub(super) fn repeats_a_name(text: &str) -> bool {
    let text = text.trim();
    match text.as_bytes()[0] {
        b'{' => {
            let pairs = pairs(text);
            let names: BTreeSet<&String> = pairs.iter().map(|(name, _)| name).collect();
            names.len() < pairs.len() || pairs.iter().any(|(_, member)| repeats_a_name(member))
        }
        b'[' => items(text).into_iter().any(repeats_a_name),
        _ => false,
    }
}

fn items(text: &str) -> Vec<&str> {
    let items: Vec<&RawValue> = serde_json::from_str(text).expect("an array");
    items.into_iter().map(RawValue::get).collect()
}

fn pairs(text: &str) -> Vec<(String, &str)> {
    let Pairs(pairs) = serde_json::from_str(text).expect("an object");
    pairs.into_iter().map(|(name, raw)| (name, raw.get())).collect()
}

/// All members of an object, as written.
struct Pairs<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Pairs<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'t> Visitor<'t> for PairsVisitor {
    type Value = Pairs<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
