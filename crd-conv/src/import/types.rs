//! The types of a resource.

use std::collections::{BTreeSet, HashMap};

use serde_json::to_string;

use super::kind::{Kind, inner, kind};
use crate::apiserver::schema::Schema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TypeId(pub(super) usize);

/// The Rust type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Text,
    Boolean,
    I32,
    I64,
    F32,
    F64,
    IntOrString,
    /// Any JSON.
    Value,
    /// An object with any members.
    Open,
    List(Box<Ty>),
    Map(Box<Ty>),
    Option(Box<Ty>),
    Named(TypeId),
}

impl Ty {
    /// The type inside of lists, maps and options.
    pub(super) fn leaf(&self) -> &Self {
        match self {
            Self::List(inner) | Self::Map(inner) | Self::Option(inner) => inner.leaf(),
            leaf => leaf,
        }
    }

    pub(super) fn named(&self) -> Option<TypeId> {
        match self.leaf() {
            Self::Named(id) => Some(*id),
            _ => None,
        }
    }
}

/// A struct or an enum of plain names.
pub(super) struct Type<'s> {
    /// The oldest version that has it.
    pub(super) version: usize,
    /// The type in the version before, if that is another one.
    pub(super) from: Option<TypeId>,
    /// The description of items, values and stanzas. A field has its own.
    pub(super) doc: Option<&'s str>,
    pub(super) schema: &'s Schema,
    /// The first place in the schema.
    pub(super) path: String,
    pub(super) body: Body<'s>,
    /// All of it except the description and the mapping.
    base: String,
    /// The versions that have it.
    pub(super) users: BTreeSet<usize>,
    pub(super) name: String,
}

pub(super) enum Body<'s> {
    Struct(Struct<'s>),
    Enum(Vec<&'s str>),
}

pub(super) struct Struct<'s> {
    pub(super) fields: Vec<Field<'s>>,
    /// The names of the fields that only the older type has.
    pub(super) removed: Vec<String>,
    /// The name of the field for what isn't declared.
    pub(super) rest: Option<String>,
}

#[derive(Clone)]
pub(super) struct Field<'s> {
    pub(super) json: &'s str,
    /// The name in Rust, not yet raw.
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) schema: &'s Schema,
    pub(super) is_optional: bool,
    pub(super) is_required: bool,
    /// Whether only the newer type has it.
    pub(super) is_added: bool,
    /// The versions that require it, if others don't.
    pub(super) requiring: Vec<usize>,
}

/// The description that a type needs.
#[derive(Clone, Copy)]
pub(super) enum Doc<'s> {
    Exactly(Option<&'s str>),
    /// The field has its own.
    Any,
}

impl<'s> Doc<'s> {
    fn accepts(self, doc: Option<&str>) -> bool {
        match self {
            Self::Exactly(wanted) => wanted == doc,
            Self::Any => true,
        }
    }

    fn written(self) -> Option<&'s str> {
        match self {
            Self::Exactly(doc) => doc,
            Self::Any => None,
        }
    }
}

#[derive(Default)]
pub(super) struct Types<'s> {
    pub(super) all: Vec<Type<'s>>,
    /// The types with equal text apart from the description.
    alike: HashMap<(usize, Option<TypeId>, String), Vec<TypeId>>,
}

impl<'s> Types<'s> {
    pub(super) fn get(&self, id: TypeId) -> &Type<'s> {
        &self.all[id.0]
    }

    pub(super) fn structure(&self, id: TypeId) -> Option<&Struct<'s>> {
        match &self.get(id).body {
            Body::Struct(body) => Some(body),
            Body::Enum(_) => None,
        }
    }

    /// The type for a place in a version: that of the version before if both are the same, otherwise one with the same text,
    /// otherwise a new one.
    pub(super) fn intern(
        &mut self,
        version: usize,
        before: Option<TypeId>,
        doc: Doc<'s>,
        (schema, path): (&'s Schema, &str),
        body: Body<'s>,
    ) -> TypeId {
        let base = base(schema, &body);
        if let Some(before) = before {
            let older = self.get(before);
            if older.base == base && doc.accepts(older.doc) {
                return before;
            }
        }
        let alike =
            self.alike.entry((version, before, base.clone() + &mapping(&body))).or_default();
        if let Some(&id) = alike.iter().find(|id| doc.accepts(self.all[id.0].doc)) {
            return id;
        }
        let id = TypeId(self.all.len());
        alike.push(id);
        self.all.push(Type {
            version,
            from: before,
            doc: doc.written(),
            schema,
            path: path.to_owned(),
            body,
            base,
            users: BTreeSet::new(),
            name: String::new(),
        });
        id
    }

    /// Whether two types have the same text apart from the description and the mapping.
    pub(super) fn are_alike(&self, a: TypeId, b: TypeId) -> bool {
        a == b || self.get(a).base == self.get(b).base
    }

    /// The types of a type's fields, each with the field.
    pub(super) fn inside(&self, id: TypeId) -> impl Iterator<Item = (&Field<'s>, TypeId)> {
        let fields = self.structure(id).map_or(&[][..], |body| &body.fields);
        fields.iter().filter_map(|field| Some((field, field.ty.named()?)))
    }
}

fn base(schema: &Schema, body: &Body<'_>) -> String {
    match body {
        Body::Enum(values) => format!("{values:?}"),
        Body::Struct(Struct { fields, rest, .. }) => {
            let own =
                Schema { description: None, nullable: false, default: None, ..shallow(schema) };
            let mut base = format!("{rest:?}{}", written(&own));
            for Field { json, name, ty, schema, is_optional, is_required, .. } in fields {
                base += &format!(
                    "{json:?}{name}{ty:?}{is_optional}{is_required}{}",
                    written(&own_part(schema, ty))
                );
            }
            base
        }
    }
}

fn mapping(body: &Body<'_>) -> String {
    match body {
        Body::Enum(_) => String::new(),
        Body::Struct(Struct { fields, removed, .. }) => {
            let added: Vec<_> =
                fields.iter().filter(|field| field.is_added).map(|field| &field.name).collect();
            format!("{removed:?}{added:?}")
        }
    }
}

/// All that the field's attributes say: not what is inside of a struct, which has a type of its own.
fn own_part(schema: &Schema, ty: &Ty) -> Schema {
    if ty.named().is_none() {
        return schema.clone();
    }
    let mut own = shallow(schema);
    // A struct is written with these.
    if let Kind::Struct { .. } = kind(schema) {
        own.extensions.validations.clear();
    }
    let ty = if let Ty::Option(ty) = ty { ty } else { ty };
    if let (Some(inside), Ty::List(ty) | Ty::Map(ty)) = (inner(schema), ty) {
        own.items = Some(Box::new(own_part(inside, ty)));
    }
    own
}

/// A schema without the schemas inside.
fn shallow(schema: &Schema) -> Schema {
    Schema {
        description: schema.description.clone(),
        ty: schema.ty,
        format: schema.format.clone(),
        title: None,
        default: schema.default.clone(),
        maximum: schema.maximum,
        exclusive_maximum: schema.exclusive_maximum,
        minimum: schema.minimum,
        exclusive_minimum: schema.exclusive_minimum,
        max_length: schema.max_length,
        min_length: schema.min_length,
        pattern: schema.pattern.clone(),
        max_items: schema.max_items,
        min_items: schema.min_items,
        multiple_of: schema.multiple_of,
        values: schema.values.clone(),
        max_properties: schema.max_properties,
        min_properties: schema.min_properties,
        all_of: schema.all_of.clone(),
        one_of: schema.one_of.clone(),
        any_of: schema.any_of.clone(),
        not: schema.not.clone(),
        nullable: schema.nullable,
        extensions: schema.extensions.clone(),
        ..Schema::default()
    }
}

fn written(schema: &Schema) -> String {
    to_string(schema).unwrap_or_default()
}
