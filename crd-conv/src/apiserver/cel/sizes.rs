//! How large values can be, by their schema or by the values of an object.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/schemas.go`, and `sizeEstimator` of
//! `pkg/apiserver/schema/cel/compilation.go`.

use super::{
    types::{Type, declares_metadata},
    value::Values,
};
use crate::apiserver::{
    escape::escape,
    schema::{Schema, SchemaType},
};

/// The largest request, in bytes.
const MAX_REQUEST: u64 = 3 << 20;
/// The longest string in a request, without its quotes.
const MAX_TEXT: u64 = MAX_REQUEST - 2;
/// The longest name of a resource.
const MAX_NAME: u64 = 253;

/// The least and the greatest size of a value: characters, items or entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: u64,
    pub(super) max: u64,
}

impl Size {
    pub(super) fn exactly(size: u64) -> Self {
        Self { min: size, max: size }
    }

    pub(super) fn up_to(max: u64) -> Self {
        Self { min: 0, max }
    }

    /// A size that is one of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }
}

/// Where in the schema a value is declared.
#[derive(Clone, Copy)]
pub(super) enum At<'s> {
    /// The expression makes the value.
    Nowhere,
    Declared(Declared<'s>),
    /// The server doesn't find the place.
    Lost,
}

/// A type as the server declares it to an expression.
#[derive(Clone, Copy)]
pub(super) enum Declared<'s> {
    /// The flag says that it is a resource.
    Schema(&'s Schema, bool),
    /// The metadata of a resource, with its schema if it has one.
    Metadata(Option<&'s Schema>),
    /// The key of a map. The server doesn't estimate its length.
    Key,
    Text(u64),
}

#[derive(Clone, Copy)]
pub(super) enum Step<'n> {
    Field(&'n str),
    /// An item of a list, or a value of a map.
    Element,
    Key,
}

impl<'s> At<'s> {
    /// Goes into a value. If an expression makes the value, the server takes the first step for the name of the variable.
    pub(super) fn step(self, step: Step<'_>, root: Declared<'s>) -> Self {
        match self {
            Self::Nowhere => Self::Declared(root),
            Self::Declared(of) => of.step(step).map_or(Self::Lost, Self::Declared),
            Self::Lost => Self::Lost,
        }
    }
}

impl<'s> Declared<'s> {
    fn step(self, step: Step<'_>) -> Option<Self> {
        let inside = |schema: &'s Schema| {
            is_typed(schema).then_some(Self::Schema(schema, schema.extensions.embedded_resource))
        };
        match (self, step) {
            (Self::Schema(schema, _), _) if schema.extensions.int_or_string => None,
            (Self::Schema(schema, _), Step::Element) => match schema.ty? {
                SchemaType::Array => inside(schema.items.as_deref()?),
                SchemaType::Object => inside(schema.additional_properties.as_deref()?),
                _ => None,
            },
            (Self::Schema(schema, _), Step::Key) => {
                schema.additional_properties.is_some().then_some(Self::Key)
            }
            (Self::Schema(schema, is_resource), Step::Field(name)) => {
                if schema.additional_properties.is_some() {
                    return None;
                }
                if is_resource && !declares_metadata(schema) {
                    match name {
                        "apiVersion" | "kind" => return Some(Self::Text(MAX_TEXT)),
                        "metadata" => {
                            return Some(Self::Metadata(schema.properties.get("metadata")));
                        }
                        _ => {}
                    }
                }
                let mut properties = schema.properties.iter();
                let named = |own: &str| escape(own).as_deref() == Some(name);
                inside(properties.find(|(own, _)| named(own))?.1)
            }
            (Self::Metadata(schema), Step::Field(name)) => {
                let most = match name {
                    "name" => MAX_NAME,
                    "generateName" => MAX_NAME - 1,
                    _ => return None,
                };
                let own = schema.and_then(|schema| schema.properties.get(name)?.max_length);
                let length = own.map_or(most, |own| most.min(own.max(0).cast_unsigned()));
                Some(Self::Text(length * 4))
            }
            (Self::Metadata(_) | Self::Key | Self::Text(_), _) => None,
        }
    }

    /// The greatest size, as the server estimates it. Only strings, lists and maps have one.
    fn max(self) -> u64 {
        match self {
            Self::Text(max) => max,
            Self::Metadata(_) | Self::Key => 0,
            Self::Schema(schema, _) => max_of(schema),
        }
    }
}

/// The greatest number of elements. A character takes up to four.
fn max_of(schema: &Schema) -> u64 {
    let given = |bound: i64| bound.max(0).cast_unsigned();
    let characters = schema.max_length.map(|length| given(length).saturating_mul(4));
    if schema.extensions.int_or_string {
        return characters.unwrap_or(MAX_TEXT);
    }
    match schema.ty {
        Some(SchemaType::Array) => schema.max_items.map_or_else(
            || MAX_TEXT / (schema.items.as_deref().map_or(0, element_size) + 1),
            given,
        ),
        Some(SchemaType::Object) => match schema.additional_properties.as_deref() {
            // Its key, a colon and a comma.
            Some(values) => {
                schema.max_properties.map_or_else(|| MAX_TEXT / (element_size(values) + 6), given)
            }
            None => 0,
        },
        Some(SchemaType::Text) => match schema.format.as_deref() {
            Some("duration" | "date-time") => 32,
            Some("date") => 12,
            Some("byte") => schema.max_length.map_or(MAX_TEXT, given),
            _ => characters.unwrap_or_else(|| match schema.values.as_slice() {
                [] => MAX_TEXT,
                values => values
                    .iter()
                    .filter_map(|value| value.as_str())
                    .map(str::len)
                    .max()
                    .unwrap_or(0) as u64,
            }),
        },
        _ => 0,
    }
}

fn element_size(schema: &Schema) -> u64 {
    min_json(schema, schema.extensions.embedded_resource)
}

/// How often a value can be in a request.
pub(super) fn most_in_request(schema: &Schema, is_resource: bool) -> u64 {
    MAX_REQUEST / (min_json(schema, is_resource) + 1)
}

/// The length of the shortest JSON.
fn min_json(schema: &Schema, is_resource: bool) -> u64 {
    if schema.extensions.int_or_string {
        return 1;
    }
    match schema.ty {
        Some(SchemaType::Object) if schema.additional_properties.is_none() => {
            let has_own = is_resource && !declares_metadata(schema);
            let required = schema.required.iter().collect::<std::collections::BTreeSet<_>>();
            let of = |name: &String| {
                let value = match name.as_str() {
                    "apiVersion" | "kind" | "metadata" if has_own => 2,
                    _ => match schema.properties.get(name)? {
                        own if own.default.is_some() || !is_typed(own) => return None,
                        own => element_size(own),
                    },
                };
                Some(name.len() as u64 + value + 4)
            };
            2 + required.into_iter().filter_map(of).sum::<u64>()
        }
        Some(SchemaType::Boolean) => 4,
        Some(SchemaType::Integer | SchemaType::Number) => 1,
        Some(SchemaType::Text) => match schema.format.as_deref() {
            Some("duration") => 3,
            Some("date") => 12,
            Some("date-time") => 21,
            _ => 2,
        },
        _ => 2,
    }
}

fn is_typed(schema: &Schema) -> bool {
    Type::of(schema, schema.extensions.embedded_resource).is_some()
}

/// Where the sizes of values are from.
#[derive(Clone, Copy)]
pub(super) enum Sizes {
    /// From the schema, as the server estimates them.
    Declared,
    /// From the values that there are.
    Found { items: u64, text: u64, unknown: u64 },
}

impl Sizes {
    pub(super) fn of(values: &Values, rule: &str) -> Self {
        let (items, text) = (values.items as u64, values.text as u64);
        // A value that a rule puts together isn't longer than all of its parts, each as often as the rule names it.
        let unknown = (values.texts + values.items + rule.len()).saturating_mul(rule.len());
        Self::Found { items, text, unknown: unknown as u64 }
    }

    /// The size of a declared value.
    pub(super) fn at(self, at: At<'_>) -> Option<Size> {
        let At::Declared(declared) = at else { return None };
        Some(Size::up_to(match (self, declared) {
            (Self::Declared, _) => declared.max(),
            (Self::Found { text, .. }, Declared::Key | Declared::Text(_)) => text,
            (Self::Found { items, text, .. }, _) => items.max(text).max(1),
        }))
    }

    /// The size of a value about which the server knows nothing.
    pub(super) fn unknown(self) -> Size {
        Size::up_to(match self {
            Self::Declared => u64::MAX,
            Self::Found { unknown, .. } => unknown,
        })
    }
}
