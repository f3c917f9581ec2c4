//! Draws objects of a version from its schema.

use super::{
    branches::{is_open, settled},
    choices::Choices,
    known::{Below, Known},
    learned::Learned,
    scalars::{integer, integer_or_text, number, text},
    server::{self, write},
    stray::Stray,
};
use crate::{
    apiserver::{steps::META_FIELDS, value::fits},
    json::{Json, quote},
    schema::{Schema, SchemaType},
};

const ODD: [&str; 8] =
    ["null", "[]", "{}", "7", "\"x\"", "[null,{}]", "{\"a\":[1.0]}", "12345678901234567890123"];

/// The last one is accepted only where a null is.
const ANYTHING: [&str; 10] = [
    "\"a\"",
    "-0",
    "1.10",
    "1e2",
    "12345678901234567890123",
    r#""\ud800""#,
    r#""\u0041\/\n""#,
    "[ 1 , 2.0 ]",
    r#"{ "b":1,"a":{"c":null}}"#,
    "null",
];

const KEYS: [&str; 4] = ["a", "b", "a.b/c", ""];

/// Objects with at most this many fields are nearly empty often enough.
const FEW: usize = 3;

/// How deep values may nest if the schema doesn't end.
const MAX_DEPTH: usize = 8;

/// How often a value with one of several forms is drawn again because it fits none of them.
const MAX_TRIES: usize = 4;

/// Draws objects of one version.
pub(super) struct Draw<'d, 'c> {
    pub(super) choices: &'d mut Choices<'c>,
    pub(super) stray: Stray,
    pub(super) known: &'d Known,
    pub(super) learned: &'d Learned,
}

impl Draw<'_, '_> {
    /// Draws an object.
    pub(super) fn object(&mut self, kind: &str, api_version: &str, schema: &Schema) -> String {
        let metadata = [
            r#","metadata":{"name":"a"}"#,
            r#","metadata":{"name":"a","namespace":"b","labels":{"c":"d"},"annotations":{"e":"f"},"generation":1}"#,
            r#","metadata":{}"#,
            r#","metadata":{"name":"a","annotations":{}}"#,
            "",
        ];
        let whole = if self.stray.is_accepted() { 2 } else { metadata.len() };
        let metadata = metadata[self.choices.below(whole)];
        let mut out = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}"{metadata}"#);
        for member in self.members(schema, 0) {
            out.push(',');
            out.push_str(&member);
        }
        out.push('}');
        out
    }

    /// Draws a value.
    pub(super) fn value(&mut self, schema: &Schema, depth: usize) -> String {
        if self.stray == Stray::Anywhere && self.choices.once_in(12) {
            return self.choices.one_of(&ODD).to_owned();
        }
        if schema.nullable && self.choices.once_in(6) {
            return "null".to_owned();
        }
        if let Some(default) = &schema.default
            && self.choices.once_in(4)
        {
            return filled(default, schema);
        }
        if is_open(schema) {
            let mut drawn = String::new();
            for _ in 0..MAX_TRIES {
                let settled = settled(schema, self.choices);
                drawn = self.value(&settled, depth);
                let valid = |text: &str| server::read(text).is_ok_and(|value| fits(&value, schema));
                if !self.stray.is_accepted() || valid(&drawn) {
                    break;
                }
            }
            return drawn;
        }
        // The chosen form may be stricter than the field.
        if let Some(learned) = self.learned.draw(schema, self.choices)
            && server::read(learned).is_ok_and(|value| fits(&value, schema))
        {
            return learned.to_owned();
        }
        if !schema.values.is_empty() {
            let values: Vec<&Json> =
                schema.values.iter().filter(|value| **value != Json::Null).collect();
            return values
                .get(self.choices.below(values.len().max(1)))
                .map_or_else(|| "null".to_owned(), |value| write(value));
        }
        match schema.ty {
            Some(SchemaType::Object) => match &schema.additional_properties {
                Some(values) => self.map(schema, values, depth),
                None => format!("{{{}}}", self.members(schema, depth).join(",")),
            },
            Some(SchemaType::Array) => self.list(schema, depth),
            Some(SchemaType::Boolean) => self.choices.one_of(&["false", "true"]).to_owned(),
            Some(SchemaType::Integer) => write(&Json::Number(integer(schema, self.choices))),
            Some(SchemaType::Number) => write(&Json::Number(number(schema, self.choices))),
            Some(SchemaType::Text) => {
                let mut out = String::new();
                quote(&text(schema, self.known, self.choices), &mut out);
                out
            }
            None if schema.extensions.int_or_string => {
                write(&integer_or_text(schema, self.known, self.choices))
            }
            None => {
                let count = ANYTHING.len() - usize::from(!schema.nullable);
                self.choices.one_of(&ANYTHING[..count]).to_owned()
            }
        }
    }

    /// Draws the members of an object with properties.
    fn members(&mut self, schema: &Schema, depth: usize) -> Vec<String> {
        let mut members: Vec<String> = Vec::new();
        let embedded = schema.extensions.embedded_resource;
        if embedded {
            members.extend(self.resource().into_iter().map(|(name, value)| member(name, value)));
        }
        let is_own = |name: &str| embedded && META_FIELDS.contains(&name);
        let count = schema.properties.len();
        // Otherwise, an object with many fields would hardly ever have only a few.
        let sparse = (count > FEW && self.choices.once_in(4)).then_some(count);
        let turn = if count > 0 { self.choices.below(count) } else { 0 };
        for (name, property) in schema.properties.iter().cycle().skip(turn).take(count) {
            if is_own(name) {
                continue;
            }
            let required = match self.stray {
                // The server fills in the defaults before any conversion.
                Stray::Valid | Stray::Accepted => {
                    property.default.is_some() || schema.required.contains(name)
                }
                Stray::Unknown => property.default.is_some(),
                Stray::Partial | Stray::Anywhere => false,
            };
            let more = |choices: &mut Choices<'_>| {
                depth < MAX_DEPTH
                    && match sparse {
                        Some(count) => choices.once_in(count),
                        None => choices.below(5) > 1,
                    }
            };
            match &property.default {
                Some(default) if sparse.is_some() && required && !more(self.choices) => {
                    members.push(member(name, &filled(default, property)));
                }
                _ if required || more(self.choices) => {
                    members.push(member(name, &self.value(property, depth + 1)));
                }
                _ => {}
            }
        }
        let preserves = schema.preserves();
        let strays = matches!(self.stray, Stray::Unknown | Stray::Anywhere);
        if (preserves || (strays && depth > 0)) && self.choices.once_in(5) {
            let others: Vec<&String> = self
                .known
                .names()
                .filter(|name| !schema.properties.contains_key(*name) && !is_own(name))
                .collect();
            let name = others.get(self.choices.below(others.len() + 1));
            let name = name.map_or("unknown", |name| name.as_str());
            let typed = preserves && !matches!(self.stray, Stray::Accepted | Stray::Anywhere);
            let below = if typed { self.known.below_end(schema, name) } else { Below::Anything };
            match below {
                Below::Anything => members.push(member(name, self.choices.one_of(&ANYTHING))),
                Below::Field(field) if depth < MAX_DEPTH => {
                    members.push(member(name, &self.value(field, depth + 1)));
                }
                Below::Field(_) | Below::Unclear => {}
            }
        }
        members
    }

    fn map(&mut self, schema: &Schema, values: &Schema, depth: usize) -> String {
        let least = size(schema.min_properties, 0);
        let most = size(schema.max_properties, usize::MAX);
        let mut members = Vec::new();
        for place in 0..least.max(KEYS.len()) {
            let more = depth < MAX_DEPTH && self.choices.below(3) == 2;
            if place < least || (more && members.len() < most) {
                let key = KEYS.get(place).map_or_else(|| format!("k{place}"), ToString::to_string);
                members.push(member(&key, &self.value(values, depth + 1)));
            }
        }
        format!("{{{}}}", members.join(","))
    }

    fn list(&mut self, schema: &Schema, depth: usize) -> String {
        let Some(item) = &schema.items else { return "[]".to_owned() };
        let least = size(schema.min_items, 0);
        let most = size(schema.max_items, usize::MAX);
        let more = if depth < MAX_DEPTH { self.choices.below(4) } else { 0 };
        let count = (least + more).min(most);
        let list_type = schema.extensions.list_type.as_deref().unwrap_or_default();
        let mut items: Vec<String> = Vec::new();
        let mut seen = Vec::new();
        for _ in 0..count {
            let drawn = if items.is_empty() || !self.choices.once_in(4) {
                self.value(item, depth + 1)
            } else {
                items[self.choices.below(items.len())].clone()
            };
            let key = match list_type {
                "map" => key_of(&drawn, schema, item),
                "set" => as_served(&drawn, item),
                _ => None,
            };
            if list_type.is_empty()
                || list_type == "atomic"
                || key.is_some_and(|key| is_new(key, &mut seen))
            {
                items.push(drawn);
            }
        }
        format!("[{}]", items.join(","))
    }
}

fn size(bound: Option<i64>, other: usize) -> usize {
    bound.map_or(other, |bound| usize::try_from(bound).unwrap_or(usize::MAX))
}

/// Returns a default as the server fills it in, with the defaults inside it.
fn filled(default: &Json, schema: &Schema) -> String {
    let mut value = default.clone();
    server::default(&mut value, schema);
    write(&value)
}

fn member(name: &str, value: &str) -> String {
    let mut out = String::new();
    quote(name, &mut out);
    out.push(':');
    out.push_str(value);
    out
}

/// Returns the keys of a list's item, including those that the server fills in. Returns `None` if
/// one is missing.
pub(super) fn key_of(item: &str, list: &Schema, items: &Schema) -> Option<String> {
    let Ok(Json::Object(members)) = server::read(item) else { return None };
    let keys = &list.extensions.list_map_keys;
    let keys = keys.iter().map(|key| {
        let default = || items.properties.get(key)?.default.as_ref();
        members.get(key).or_else(default).map(write)
    });
    keys.collect::<Option<Vec<_>>>().map(|keys| keys.join(","))
}

/// Returns an item of a set as the API server compares it with others.
fn as_served(item: &str, schema: &Schema) -> Option<String> {
    let mut value = server::read(item).ok()?;
    server::prune(&mut value, schema);
    server::drop_nulls(&mut value, schema);
    server::default(&mut value, schema);
    Some(write(&value))
}

pub(super) fn is_new(key: String, seen: &mut Vec<String>) -> bool {
    let new = !seen.contains(&key);
    seen.push(key);
    new
}
