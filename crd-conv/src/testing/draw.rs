//! Objects of a version, drawn from its schema.

use super::branches::{is_open, settled};
use super::choices::Choices;
use super::pattern::matching;
use super::server::{self, write};
use crate::json::quote;
use crate::schema::{Json, Number, Schema, SchemaType, fits};

/// How far an object may stray from its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stray {
    /// Not at all.
    Valid,
    /// Only in what is missing: an object as server-side apply sends it.
    Partial,
    /// Also by unknown fields, whose names other versions may know.
    Unknown,
    /// By odd values everywhere.
    Anywhere,
}

const ODD: [&str; 8] =
    ["null", "[]", "{}", "7", "\"x\"", "[null,{}]", "{\"a\":[1.0]}", "12345678901234567890123"];

const ANYTHING: [&str; 10] = [
    "\"a\"",
    "null",
    "-0",
    "1.10",
    "1e2",
    "12345678901234567890123",
    r#""\ud800""#,
    r#""\u0041\/\n""#,
    "[ 1 , 2.0 ]",
    r#"{ "b":1,"a":{"c":null}}"#,
];

const TEXTS: [&str; 12] =
    ["a", "", "b", "a:1", "a b", "host:80", "a/b", "1", "0", "true", "A:b:", "90s"];

const KEYS: [&str; 4] = ["a", "b", "a.b/c", ""];

/// How deep values may nest where the schema doesn't end.
const MAX_DEPTH: usize = 8;

/// How often a value of one of several forms is drawn anew that fits none of them.
const MAX_TRIES: usize = 4;

/// Draws objects of one version.
pub(super) struct Draw<'d, 'c> {
    pub(super) choices: &'d mut Choices<'c>,
    pub(super) stray: Stray,
    /// The names that any version knows.
    pub(super) names: &'d [String],
}

impl Draw<'_, '_> {
    /// An object.
    pub(super) fn object(&mut self, kind: &str, api_version: &str, schema: &Schema) -> String {
        let metadata = [
            r#","metadata":{"name":"a"}"#,
            r#","metadata":{"name":"a","namespace":"b","labels":{"c":"d"},"annotations":{"e":"f"},"generation":1}"#,
            r#","metadata":{}"#,
            r#","metadata":{"name":"a","annotations":{}}"#,
            "",
        ];
        let whole = if self.stray == Stray::Valid { 2 } else { metadata.len() };
        let metadata = metadata[self.choices.below(whole)];
        let mut out = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}"{metadata}"#);
        for member in self.members(schema, 0) {
            out.push(',');
            out.push_str(&member);
        }
        out.push('}');
        out
    }

    /// A value.
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
            return write(default);
        }
        if is_open(schema) {
            let mut drawn = String::new();
            for _ in 0..MAX_TRIES {
                let settled = settled(schema, self.choices);
                drawn = self.value(&settled, depth);
                let valid = |text: &str| server::read(text).is_ok_and(|value| fits(&value, schema));
                if self.stray != Stray::Valid || valid(&drawn) {
                    break;
                }
            }
            return drawn;
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
            Some(SchemaType::Integer) => self.integer(schema),
            Some(SchemaType::Number) => self.number(schema),
            Some(SchemaType::Text) => self.text(schema),
            None if schema.has("x-kubernetes-int-or-string") => {
                self.choices.one_of(&["1", "\"50%\"", "0", "\"http\""]).to_owned()
            }
            None => self.choices.one_of(&ANYTHING).to_owned(),
        }
    }

    /// The members of an object with properties.
    fn members(&mut self, schema: &Schema, depth: usize) -> Vec<String> {
        let mut members = Vec::new();
        let count = schema.properties.len();
        let turn = if count > 0 { self.choices.below(count) } else { 0 };
        for (name, property) in schema.properties.iter().cycle().skip(turn).take(count) {
            let required = match self.stray {
                // The server has filled in the defaults before anyone converts.
                Stray::Valid => property.default.is_some() || schema.required.contains(name),
                Stray::Unknown => property.default.is_some(),
                Stray::Partial | Stray::Anywhere => false,
            };
            if required || (depth < MAX_DEPTH && self.choices.below(5) > 1) {
                members.push(member(name, &self.value(property, depth + 1)));
            }
        }
        let preserves = schema.has("x-kubernetes-preserve-unknown-fields");
        let strays = matches!(self.stray, Stray::Unknown | Stray::Anywhere);
        if (preserves || (strays && depth > 0)) && self.choices.once_in(5) {
            let others: Vec<&String> =
                self.names.iter().filter(|name| !schema.properties.contains_key(*name)).collect();
            let value = self.choices.one_of(&ANYTHING);
            let name = others.get(self.choices.below(others.len() + 1));
            members.push(member(name.map_or("unknown", |name| name.as_str()), value));
        }
        members
    }

    fn map(&mut self, schema: &Schema, values: &Schema, depth: usize) -> String {
        let least = schema.min_properties.unwrap_or(0);
        let mut members = Vec::new();
        for (place, key) in (0..).zip(KEYS) {
            if place < least || (depth < MAX_DEPTH && self.choices.below(3) == 2) {
                members.push(member(key, &self.value(values, depth + 1)));
            }
        }
        format!("{{{}}}", members.join(","))
    }

    fn list(&mut self, schema: &Schema, depth: usize) -> String {
        let Some(item) = &schema.items else { return "[]".to_owned() };
        let least = usize::try_from(schema.min_items.unwrap_or(0)).unwrap_or_default();
        let most = schema.max_items.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(0));
        let more = if depth < MAX_DEPTH { self.choices.below(4) } else { 0 };
        let count = (least + more).min(most);
        let list_type =
            schema.extensions.get("x-kubernetes-list-type").and_then(Json::as_str).unwrap_or("");
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
                "set" => Some(drawn.clone()),
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

    fn integer(&mut self, schema: &Schema) -> String {
        let (least, most) = match schema.format.as_deref() {
            Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (i64::MIN, i64::MAX),
        };
        let bound = |bound: Option<Number>, other: i64| match bound {
            Some(Number::Signed(bound)) => bound,
            Some(bound) => {
                #[expect(clippy::cast_possible_truncation, reason = "a bound beyond is none")]
                let bound = bound.as_f64() as i64;
                bound
            }
            None => other,
        };
        let least = bound(schema.minimum, least).saturating_add(schema.exclusive_minimum.into());
        let most = bound(schema.maximum, most).saturating_sub(schema.exclusive_maximum.into());
        let drawn: i64 =
            self.choices.one_of(&[0, 1, 2, 7, -1, 90, 65_536, 5_000_000_000, i64::MAX]);
        let drawn = drawn.clamp(least, most.max(least));
        match schema.multiple_of.map(Number::as_f64) {
            #[expect(clippy::cast_possible_truncation, reason = "whole steps of an integer")]
            Some(step) if step >= 1.0 => (drawn / step as i64 * step as i64).to_string(),
            _ => drawn.to_string(),
        }
    }

    fn number(&mut self, schema: &Schema) -> String {
        let drawn: f64 = self.choices.one_of(&[0.0, 0.5, 1.0, -2.25, 1e21, 1e-7]);
        let least = schema.minimum.map_or(f64::MIN, Number::as_f64);
        let most = schema.maximum.map_or(f64::MAX, Number::as_f64);
        write(&Json::Number(Number::Float(drawn.clamp(least, most.max(least)))))
    }

    fn text(&mut self, schema: &Schema) -> String {
        let drawn = match (schema.format.as_deref(), &schema.pattern) {
            (_, Some(pattern)) => matching(pattern, self.choices).unwrap_or_default(),
            (Some(format), None) => of_format(format).unwrap_or("a").to_owned(),
            _ => self.choices.one_of(&TEXTS).to_owned(),
        };
        let least = schema.min_length.map_or(0, |least| usize::try_from(least).unwrap_or(0));
        let mut drawn = drawn;
        while drawn.chars().count() < least {
            drawn.push('a');
        }
        if let Some(most) = schema.max_length {
            drawn = drawn.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
        }
        let mut out = String::new();
        quote(&drawn, &mut out);
        out
    }
}

/// Source: the formats that `k8s.io/kube-openapi/pkg/validation/strfmt` checks.
fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2026-01-02",
        "date-time" | "datetime" => "2026-01-02T03:04:05Z",
        "duration" => "90s",
        "email" => "a@example.com",
        "hostname" => "a.example.com",
        "ipv4" => "10.0.0.1",
        "ipv6" => "::1",
        "cidr" => "10.0.0.0/8",
        "mac" => "00:00:5e:00:53:01",
        "uri" => "https://example.com/",
        "uuid" | "uuid4" => "5c4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f",
        "byte" => "YQ==",
        _ => return None,
    })
}

fn member(name: &str, value: &str) -> String {
    let mut out = String::new();
    quote(name, &mut out);
    out.push(':');
    out.push_str(value);
    out
}

/// The keys of a list's item with what the server fills in; `None` if one is missing.
fn key_of(item: &str, list: &Schema, items: &Schema) -> Option<String> {
    let Ok(Json::Object(members)) = server::read(item) else { return None };
    let Some(Json::Array(keys)) = list.extensions.get("x-kubernetes-list-map-keys") else {
        return None;
    };
    let keys = keys.iter().map(|key| {
        let key = key.as_str()?;
        let default = || items.properties.get(key)?.default.as_ref();
        members.get(key).or_else(default).map(write)
    });
    keys.collect::<Option<Vec<_>>>().map(|keys| keys.join(","))
}

fn is_new(key: String, seen: &mut Vec<String>) -> bool {
    let new = !seen.contains(&key);
    seen.push(key);
    new
}
