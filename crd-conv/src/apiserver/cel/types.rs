//! The types that values have in expressions.
//!
//! Source: `SchemaDeclType` of `k8s.io/apiserver/pkg/cel/common/schemas.go`.

use crate::apiserver::{
    escape::escape,
    schema::{Schema, SchemaType},
};

/// The type of an expression.
#[derive(Clone, Debug)]
pub(super) enum Type<'s> {
    Bool,
    Int,
    Double,
    Text,
    Null,
    /// An int-or-string.
    Dyn,
    Duration,
    Quantity,
    Url,
    /// A list, with what its equality looks at.
    List(Box<Type<'s>>, Order<'s>),
    /// A map from texts.
    Map(Box<Type<'s>>),
    /// An object with properties. The flag says that it is a resource.
    Object(&'s Schema, bool),
    /// The metadata of a resource. Rules only see its names.
    Metadata,
    /// The items of a list without items.
    Nothing,
    /// A value that isn't modeled.
    Other,
}

/// What the equality of a list looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order<'s> {
    Ordered,
    Set,
    /// Items are found by these keys.
    Keys(&'s [String]),
    /// It depends on the value.
    Unknown,
}

impl<'s> Type<'s> {
    /// The type of a schema, if the server knows it.
    pub(super) fn of(schema: &'s Schema, is_resource: bool) -> Option<Self> {
        if schema.extensions.int_or_string {
            return Some(Self::Dyn);
        }
        Some(match schema.ty? {
            SchemaType::Array => {
                let items = schema.items.as_deref()?;
                let order = match schema.extensions.list_type.as_deref() {
                    Some("set") => Order::Set,
                    Some("map") => Order::Keys(&schema.extensions.list_map_keys),
                    _ => Order::Ordered,
                };
                Self::List(Box::new(Self::of(items, items.extensions.embedded_resource)?), order)
            }
            SchemaType::Boolean => Self::Bool,
            SchemaType::Integer => Self::Int,
            SchemaType::Number => Self::Double,
            SchemaType::Text => match schema.format.as_deref() {
                Some("duration") => Self::Duration,
                Some("byte" | "date" | "date-time") => Self::Other,
                _ => Self::Text,
            },
            SchemaType::Object => match &schema.additional_properties {
                Some(values) => {
                    let inside = Self::of(values, values.extensions.embedded_resource)?;
                    Self::Map(Box::new(inside))
                }
                None => Self::Object(schema, is_resource),
            },
        })
    }

    /// The type of a field of an object, by its name in expressions.
    pub(super) fn field(schema: &'s Schema, is_resource: bool, name: &str) -> Option<Self> {
        if is_resource && matches!(name, "apiVersion" | "kind" | "metadata") {
            let known = if name == "metadata" { Self::Metadata } else { Self::Text };
            let is_text = |schema: &'s Schema| matches!(Self::of(schema, false), Some(Self::Text));
            let names = |schema: &'s Schema| {
                ["name", "generateName"].iter().all(|name| is_text(&schema.properties[*name]))
            };
            let own = &schema.properties;
            let known_as_declared = !declares_metadata(schema)
                || if name == "metadata" { names(&own[name]) } else { is_text(&own[name]) };
            return Some(if known_as_declared { known } else { Self::Other });
        }
        let mut properties = schema.properties.iter();
        let (_, property) = properties.find(|(own, _)| escape(own).as_deref() == Some(name))?;
        Self::of(property, property.extensions.embedded_resource)
    }

    /// A list that an expression makes.
    pub(super) fn list(items: Self) -> Self {
        Self::List(Box::new(items), Order::Ordered)
    }

    /// Whether values have objects in them.
    pub(super) fn has_objects(&self) -> bool {
        match self {
            Self::Object(..) => true,
            Self::List(inside, _) | Self::Map(inside) => inside.has_objects(),
            _ => false,
        }
    }

    /// Whether all values have the same size to the server.
    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Double | Self::Duration)
    }

    /// One type for values of both types.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Nothing, ty) | (ty, Self::Nothing) => ty,
            (Self::Dyn, _) | (_, Self::Dyn) => Self::Dyn,
            (Self::Bool, Self::Bool) => Self::Bool,
            (Self::Int, Self::Int) => Self::Int,
            (Self::Double, Self::Double) => Self::Double,
            (Self::Text, Self::Text) => Self::Text,
            (Self::Null, Self::Null) => Self::Null,
            (Self::Duration, Self::Duration) => Self::Duration,
            (Self::Metadata, Self::Metadata) => Self::Metadata,
            (Self::List(a, own), Self::List(b, other)) => {
                let order = if own == other { own } else { Order::Unknown };
                Self::List(Box::new(a.join(*b)?), order)
            }
            (Self::Map(a), Self::Map(b)) => Self::Map(Box::new(a.join(*b)?)),
            (Self::Object(a, is_resource), Self::Object(b, other))
                if std::ptr::eq(a, b) && is_resource == other =>
            {
                Self::Object(a, is_resource)
            }
            _ => return None,
        })
    }

    /// Whether the equality of values is that of their texts, members and items, in order.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Bool
            | Self::Int
            | Self::Double
            | Self::Text
            | Self::Null
            | Self::Dyn
            | Self::Duration
            | Self::Nothing => true,
            Self::List(items, order) => *order == Order::Ordered && items.is_plain(),
            Self::Map(values) => values.is_plain(),
            Self::Object(schema, is_resource) => {
                let is_plain = |property: &'s Schema| {
                    let is_resource = property.extensions.embedded_resource;
                    Self::of(property, is_resource).is_some_and(|ty| ty.is_plain())
                };
                !is_resource && schema.properties.values().all(is_plain)
            }
            _ => false,
        }
    }
}

/// Whether a resource's schema has the types of all that rules see of its metadata, so that the server takes it as it is.
///
/// Source: `WithTypeAndObjectMeta` of `pkg/apiserver/schema/cel/model/schemas.go`.
pub(super) fn declares_metadata(schema: &Schema) -> bool {
    let is = |schema: &Schema, name: &str, ty| {
        schema.properties.get(name).is_some_and(|own| own.ty == Some(ty))
    };
    let text = SchemaType::Text;
    is(schema, "apiVersion", text)
        && is(schema, "kind", text)
        && schema.properties.get("metadata").is_some_and(|metadata| {
            metadata.ty == Some(SchemaType::Object)
                && is(metadata, "name", text)
                && is(metadata, "generateName", text)
        })
}
