//! The values that rules see.
//!
//! Source: `UnstructuredToVal` of `k8s.io/apiserver/pkg/cel/common/valuesunstructured.go`.

use std::collections::HashMap;

use cel::common::{
    types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString},
    value::Val,
};

use super::types::Type;
use crate::{
    apiserver::{
        escape::escape,
        number::GoNumber,
        schema::{Schema, SchemaType},
    },
    go::duration::read_duration,
    json::Json,
};

pub(super) type Value<'v> = Box<dyn Val + 'v>;

/// Makes values, and notes what decides which rules can be evaluated.
#[derive(Default)]
pub(super) struct Values {
    /// Whether the equality of objects would see members that no expression sees.
    pub(super) hides: bool,
    /// Whether there is a duration that only the server's own reader understands.
    pub(super) odd_durations: bool,
    /// The length of the longest list or map.
    pub(super) items: usize,
    /// The length of the longest text.
    pub(super) text: usize,
    /// The length of all texts.
    pub(super) texts: usize,
}

impl Values {
    /// The value in expressions. `None` if the server would have an error in its place, or if it isn't known.
    pub(super) fn of<'v>(
        &mut self,
        json: &'v Json,
        schema: &Schema,
        is_resource: bool,
    ) -> Option<Value<'v>> {
        if *json == Json::Null {
            return schema.nullable.then(|| Box::new(CelNull) as Value<'v>);
        }
        if schema.extensions.int_or_string {
            return match json {
                Json::Text(text) => Some(self.text(text)),
                Json::Number(number) => match GoNumber::from(*number) {
                    GoNumber::Integer(integer) => Some(Box::new(CelInt::from(integer))),
                    GoNumber::Float(_) => None,
                },
                _ => None,
            };
        }
        Some(match (schema.ty?, json) {
            (SchemaType::Object, Json::Object(members)) => {
                self.items = self.items.max(members.len());
                let mut map: HashMap<CelMapKey<'v>, Value<'v>> = HashMap::new();
                if let Some(values) = &schema.additional_properties {
                    for (name, member) in members {
                        let is_resource = values.extensions.embedded_resource;
                        self.text(name);
                        map.insert(key(name.as_str()), self.of(member, values, is_resource)?);
                    }
                } else {
                    for (name, member) in members {
                        match self.field(name, member, schema, is_resource)? {
                            Some((name, value)) => drop(map.insert(name, value)),
                            None => self.hides = true,
                        }
                    }
                }
                Box::new(CelMap::from(map))
            }
            (SchemaType::Array, Json::Array(items)) => {
                let of_items = schema.items.as_deref()?;
                self.items = self.items.max(items.len());
                let is_resource = of_items.extensions.embedded_resource;
                let items = items.iter().map(|item| self.of(item, of_items, is_resource));
                Box::new(CelList::from(items.collect::<Option<Vec<_>>>()?))
            }
            (SchemaType::Boolean, Json::Boolean(boolean)) => Box::new(CelBool::from(*boolean)),
            (SchemaType::Integer, Json::Number(number)) => match GoNumber::from(*number) {
                GoNumber::Integer(integer) => Box::new(CelInt::from(integer)),
                GoNumber::Float(_) => return None,
            },
            (SchemaType::Number, Json::Number(number)) => {
                Box::new(CelDouble::from(number.as_f64()))
            }
            (SchemaType::Text, Json::Text(text)) => match schema.format.as_deref() {
                Some("duration") => {
                    let read = read_duration(text);
                    self.odd_durations |= read.is_none();
                    Box::new(CelInt::from(read.unwrap_or_default()))
                }
                // No rule that is evaluated looks at these.
                Some("byte" | "date" | "date-time") => Box::new(CelNull),
                _ => self.text(text),
            },
            _ => return None,
        })
    }

    fn text<'v>(&mut self, text: &'v str) -> Value<'v> {
        self.text = self.text.max(text.len());
        self.texts += text.len();
        Box::new(CelString::from(text))
    }

    /// A member as expressions see it. The inner `None` is one that they don't see.
    #[expect(clippy::option_option, reason = "an error, and a member that isn't there")]
    fn field<'v>(
        &mut self,
        name: &'v str,
        member: &'v Json,
        schema: &Schema,
        is_resource: bool,
    ) -> Option<Option<(CelMapKey<'v>, Value<'v>)>> {
        if *member == Json::Null {
            return Some(None);
        }
        let value = match (name, member) {
            ("apiVersion" | "kind", Json::Text(text)) if is_resource => self.text(text),
            ("metadata", Json::Object(members)) if is_resource => {
                let mut map: HashMap<CelMapKey<'v>, Value<'v>> = HashMap::new();
                for (name, member) in members {
                    if let ("name" | "generateName", Json::Text(text)) = (name.as_str(), member) {
                        map.insert(key(name.as_str()), self.text(text));
                    }
                }
                Box::new(CelMap::from(map))
            }
            _ => {
                let Some(schema) = schema.properties.get(name) else { return Some(None) };
                let is_resource = schema.extensions.embedded_resource;
                if Type::of(schema, is_resource).is_none() {
                    return Some(None);
                }
                self.of(member, schema, is_resource)?
            }
        };
        let Some(name) = escape(name) else { return Some(None) };
        Some(Some((key(name.into_owned()), value)))
    }
}

fn key<'v>(name: impl Into<CelString<'v>>) -> CelMapKey<'v> {
    CelMapKey::String(name.into())
}
