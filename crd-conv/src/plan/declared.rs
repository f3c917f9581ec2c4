//! What the authors of types declare of what is inside a field, and how that is read.

use super::{Choice, Facts, Flat, Indexed, Tagging, ValidationRule};

/// What the author of a type declares of it as a whole.
#[derive(Clone, Copy, Debug)]
pub struct TypeFacts {
    /// Its name as messages show it.
    pub name: &'static str,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<&'static str>,
    /// `x-kubernetes-validations`.
    pub validations: &'static [ValidationRule],
}

/// What is declared of a value.
#[derive(Clone, Copy, Debug)]
pub enum Declared {
    /// Of a struct and of each of its fields.
    Fields(TypeFacts, &'static [Facts]),
    /// Of the items of a list.
    Items(fn() -> Declared),
    /// Of the values of a map.
    Values(fn() -> Declared),
    /// Of an enum and of what its variants hold.
    Variants(TypeFacts, Tagging, &'static [Holds]),
    /// Of the one field of this name.
    Around(&'static str, Indexed<Declared>),
    /// Nothing: the type's own schema says what there is to know.
    Foreign(ForeignType),
}

/// What gives the schema of a type without the derive.
pub(crate) type ForeignType = fn(&mut schemars::SchemaGenerator) -> schemars::Schema;

/// A variant and what is declared of what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Holds {
    /// Its name in JSON.
    pub wire: &'static str,
    /// What is declared.
    pub inside: Choice<Declared>,
}

impl Holds {
    pub(crate) const fn inside(self) -> Indexed<Declared> {
        Indexed::new(self.inside, 0)
    }
}

impl Declared {
    /// What is declared of a struct's field, by its name in JSON.
    pub(crate) fn field(self, wire: &str) -> Option<&'static Facts> {
        match self {
            Self::Fields(_, fields) => leaves(fields)
                .into_iter()
                .find(|facts| !facts.field.is_rest() && facts.field.wire == wire),
            _ => None,
        }
    }

    /// What is declared of what is in a field, by its name in JSON.
    #[cfg(feature = "schema")]
    pub(crate) fn inside(self, wire: &str) -> Option<Declared> {
        match self {
            Self::Around(name, inside) if name == wire => inside.get(),
            // A map whose keys are the names of an enum.
            Self::Values(inside) => Some(inside()),
            _ => self.field(wire)?.field.inside.get(),
        }
    }

    /// The type's own `x-kubernetes-map-type`.
    #[cfg(feature = "schema")]
    pub(crate) fn map_type(self) -> Option<&'static str> {
        match self {
            Self::Fields(of, _) | Self::Variants(of, ..) => of.map_type,
            _ => None,
        }
    }

    /// The same where another map type is said, or none.
    #[cfg(feature = "schema")]
    pub(crate) fn with_map_type(mut self, map_type: Option<&'static str>) -> Self {
        if let Self::Fields(of, _) | Self::Variants(of, ..) = &mut self {
            of.map_type = map_type;
        }
        self
    }

    /// The names in JSON of the fields whose author says what the API server fills in.
    #[cfg(feature = "schema")]
    pub(crate) fn explicit_defaults(self) -> Vec<&'static str> {
        let Self::Fields(_, fields) = self else { return Vec::new() };
        let fields = leaves(fields).into_iter().filter(|facts| facts.said.default.is_some());
        fields.map(|facts| facts.field.wire).collect()
    }

    /// Whether a flattened field says that the struct around it preserves what its schema doesn't know.
    #[cfg(feature = "schema")]
    pub(crate) fn preserves(self) -> bool {
        let Self::Fields(_, fields) = self else { return false };
        fields.iter().any(|facts| match facts.field.flat {
            Flat::No => false,
            Flat::Map => facts.said.preserve_unknown_fields,
            Flat::Fields(_) => {
                facts.said.preserve_unknown_fields
                    || facts.field.inside.get().is_some_and(Self::preserves)
            }
        })
    }

    /// What is declared of the values of a struct's flattened map.
    pub(crate) fn rest(self) -> Option<Self> {
        let Self::Fields(_, fields) = self else { return None };
        let rest = leaves(fields).into_iter().find(|facts| facts.field.is_rest())?;
        match rest.field.inside.get()? {
            Self::Values(values) => Some(values()),
            _ => None,
        }
    }
}

/// The fields as they stand in JSON: those of flattened structs in their place, and flattened maps.
pub(crate) fn leaves(fields: &'static [Facts]) -> Vec<&'static Facts> {
    let mut leaves = Vec::new();
    for facts in fields {
        match facts.field.flat {
            Flat::Fields(inside) => leaves.extend(self::leaves(inside)),
            Flat::No | Flat::Map => leaves.push(facts),
        }
    }
    leaves
}
