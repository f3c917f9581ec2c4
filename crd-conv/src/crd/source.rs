//! Finds the Rust type and the field that a place in the document was made from.

use crate::definition::{Layout, VersionDefinition};
use crate::plan::{Declared, Facts, Flat};
use crate::schema::{Schema, VALIDATIONS};

/// The nearest Rust type around a place that is known, and its field, if the place is in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) ty: &'static str,
    pub(super) field: Option<&'static str>,
}

/// Where the part of a document's path below the schema of a version comes from.
pub(super) fn source(path: &str, schema: &Schema, version: &VersionDefinition) -> Option<Source> {
    let (ty, schema, mut rest) = match version.layout {
        Layout::Root(ty) => (ty, schema, path),
        Layout::Stanzas(stanzas) => {
            let (name, rest) = property(path)?;
            let stanza = stanzas.iter().find(|stanza| stanza.wire == name)?;
            (stanza.ty, schema.properties.get(name)?, rest)
        }
    };
    let around = Source { ty: ty.name, field: None };
    let mut at = At { around, field: None, declared: ty.declared.get(), schema };
    while let Some(after) = at.step(rest) {
        rest = after;
    }
    Some(at.source(rest))
}

/// A value, and what is known about it.
struct At<'s> {
    around: Source,
    /// The field whose own value it is.
    field: Option<&'static Facts>,
    declared: Option<Declared>,
    schema: &'s Schema,
}

impl At<'_> {
    /// Goes one step down the path and gives the rest, or nothing if this is where the path leads.
    fn step<'p>(&mut self, path: &'p str) -> Option<&'p str> {
        if let Some((name, rest)) = property(path) {
            self.schema = self.schema.properties.get(name)?;
            self.enter(name);
            return Some(rest);
        }
        let (schema, inside, rest) = if let Some(rest) = path.strip_prefix(".items") {
            let inside = match self.declared {
                Some(Declared::Items(inside)) => Some(inside()),
                _ => None,
            };
            (self.schema.items.as_deref(), inside, rest)
        } else {
            let rest = path.strip_prefix(".additionalProperties")?;
            let inside = match self.declared {
                Some(Declared::Values(inside)) => Some(inside()),
                declared => declared.and_then(Declared::rest),
            };
            (self.schema.additional_properties.as_deref(), inside, rest)
        };
        self.schema = schema?;
        (self.field, self.declared) = (None, inside);
        Some(rest)
    }

    fn enter(&mut self, name: &str) {
        self.field = None;
        let Some(declared) = self.declared else { return };
        if let Some((ty, facts)) = field(declared, name) {
            self.around = Source { ty, field: Some(facts.field.rust) };
            self.field = Some(facts);
            self.declared = facts.field.inside.get();
        } else if let Declared::Variants(_, _, variants) = declared {
            let named = variants.iter().find(|variant| variant.wire == name);
            self.declared = named.and_then(|variant| variant.inside().get());
        } else {
            self.declared = declared.inside(name);
        }
    }

    /// The schema of a field belongs to the field, except for the rules of its value's type.
    fn source(&self, rest: &str) -> Source {
        let Some(Declared::Fields(own, _) | Declared::Variants(own, ..)) = self.declared else {
            return self.around;
        };
        if let Some(facts) = self.field {
            let of_field = facts.said.validations.len();
            let of_type = self.schema.extensions.validations.len().saturating_sub(of_field);
            if rule(rest).is_none_or(|index| index >= of_type) {
                return self.around;
            }
        }
        Source { ty: own.name, field: None }
    }
}

/// The field of this name in JSON, and the name of the type that has it.
fn field(declared: Declared, name: &str) -> Option<(&'static str, &'static Facts)> {
    match declared {
        Declared::Fields(of, fields) => fields.iter().find_map(|facts| match facts.field.flat {
            Flat::No => (facts.field.wire == name).then_some((of.name, facts)),
            Flat::Fields(_) => field(facts.field.inside.get()?, name),
            Flat::Map => None,
        }),
        Declared::Variants(_, _, variants) => {
            variants.iter().find_map(|variant| field(variant.inside().get()?, name))
        }
        Declared::Items(_) | Declared::Values(_) | Declared::Around(..) | Declared::Foreign(_) => {
            None
        }
    }
}

/// `.properties[name]` and what follows.
fn property(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix(".properties[")?.split_once(']')
}

/// The place of a rule among those of a value.
fn rule(path: &str) -> Option<usize> {
    let rest = path.strip_prefix('.')?.strip_prefix(VALIDATIONS)?.strip_prefix('[')?;
    rest.split_once(']')?.0.parse().ok()
}
