//! From JSON to the API server's types, as Go reads it: null is nothing, and what isn't known is dropped.

use std::collections::BTreeMap;

use super::{finding::Kind, number::GoNumber, place::Place, report::About};
use crate::json::{Json, Number};

/// An object whose fields are asked for one by one.
pub(crate) struct Object<'a> {
    members: Option<&'a BTreeMap<String, Json>>,
    asked: Vec<&'static str>,
}

impl<'a> Object<'a> {
    pub(crate) fn new(json: &'a Json, place: &mut Place) -> Self {
        let members = match json {
            Json::Object(members) => Some(members),
            Json::Null => None,
            _ => {
                other_type(place, json, "an object");
                None
            }
        };
        Self { members, asked: Vec::new() }
    }

    /// A field, unless it is null.
    pub(crate) fn get(&mut self, name: &'static str) -> Option<&'a Json> {
        self.asked.push(name);
        self.members?.get(name).filter(|value| **value != Json::Null)
    }

    pub(crate) fn optional_text(
        &mut self,
        name: &'static str,
        place: &mut Place,
    ) -> Option<String> {
        let value = self.get(name)?;
        place.child(name, |place| text(value, place))
    }

    /// A text, where Go doesn't tell an empty one from none.
    pub(crate) fn some_text(&mut self, name: &'static str, place: &mut Place) -> Option<String> {
        self.optional_text(name, place).filter(|text| !text.is_empty())
    }

    pub(crate) fn text(&mut self, name: &'static str, place: &mut Place) -> String {
        self.optional_text(name, place).unwrap_or_default()
    }

    pub(crate) fn optional_flag(&mut self, name: &'static str, place: &mut Place) -> Option<bool> {
        match self.get(name)? {
            Json::Boolean(flag) => Some(*flag),
            other => {
                place.child(name, |place| other_type(place, other, "`true` or `false`"));
                None
            }
        }
    }

    pub(crate) fn flag(&mut self, name: &'static str, place: &mut Place) -> bool {
        self.optional_flag(name, place).unwrap_or_default()
    }

    pub(crate) fn integer(&mut self, name: &'static str, place: &mut Place) -> Option<i64> {
        let value = self.get(name)?;
        if let Json::Number(number) = value {
            match GoNumber::from(*number) {
                GoNumber::Integer(n) => return Some(n),
                // `1.0` in YAML reaches the server as `1`.
                #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
                GoNumber::Float(n) if n.fract() == 0.0 && n.abs() < 9e15 => return Some(n as i64),
                GoNumber::Float(_) => {}
            }
        }
        place.child(name, |place| other_type(place, value, "a whole number"));
        None
    }

    pub(crate) fn number(&mut self, name: &'static str, place: &mut Place) -> Option<Number> {
        match self.get(name)? {
            Json::Number(number) => Some(*number),
            other => {
                place.child(name, |place| other_type(place, other, "a number"));
                None
            }
        }
    }

    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        place: &mut Place,
        read: impl Fn(&'a Json, &mut Place) -> T,
    ) -> Vec<T> {
        match self.get(name) {
            None => Vec::new(),
            Some(Json::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(i, item)| place.item(name, i, |place| read(item, place)))
                .collect(),
            Some(other) => {
                place.child(name, |place| other_type(place, other, "a list"));
                Vec::new()
            }
        }
    }

    pub(crate) fn map<T>(
        &mut self,
        name: &'static str,
        place: &mut Place,
        read: impl Fn(&'a Json, &mut Place) -> T,
    ) -> BTreeMap<String, T> {
        match self.get(name) {
            None => BTreeMap::new(),
            Some(Json::Object(members)) => members
                .iter()
                .map(|(key, value)| {
                    (key.clone(), place.entry(name, key, |place| read(value, place)))
                })
                .collect(),
            Some(other) => {
                place.child(name, |place| other_type(place, other, "an object"));
                BTreeMap::new()
            }
        }
    }

    pub(crate) fn texts(&mut self, name: &'static str, place: &mut Place) -> Vec<String> {
        self.list(name, place, |item, place| text(item, place).unwrap_or_default())
    }

    /// Reads the value of a field, if there is one.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        place: &mut Place,
        read: impl FnOnce(&'a Json, &mut Place) -> T,
    ) -> Option<T> {
        let value = self.get(name)?;
        Some(place.child(name, |place| read(value, place)))
    }

    /// Warns about the fields that nobody asked for.
    pub(crate) fn finish(self, place: &mut Place) {
        for name in self.members.into_iter().flat_map(BTreeMap::keys) {
            if !self.asked.contains(&name.as_str()) {
                place.warn_at(
                    name,
                    About::UnknownField,
                    "the API server doesn't know this field and drops it, and `kubectl` refuses the document by default; correct its name, or remove it",
                );
            }
        }
    }
}

/// A string; null is an empty one.
fn text(value: &Json, place: &mut Place) -> Option<String> {
    match value {
        Json::Text(text) => Some(text.clone()),
        Json::Null => None,
        other => {
            other_type(place, other, "a string");
            None
        }
    }
}

pub(crate) fn other_type(place: &mut Place, value: &Json, wanted: &str) {
    let found = match value {
        Json::Null => "null",
        Json::Boolean(_) => "`true` or `false`",
        Json::Number(_) => "a number that doesn't fit",
        Json::Text(_) => "a string",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    };
    let found = match value {
        Json::Number(_) if !wanted.contains("number") => "a number",
        _ => found,
    };
    place.refuse(Kind::Malformed, format!("write {wanted} here, not {found}"));
}
