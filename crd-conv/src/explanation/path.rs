//! Paths in objects, as explanations show them.

use std::fmt;

/// A path in an object.
///
/// `Display` writes it as readers of schemas know it: `.spec.ports[].name`, with `[]` for the items
/// of a list and `.*` for the values of a map. The name of a variant that isn't a field of its own
/// is in parentheses: `.spec.target(Service).port`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath(Vec<Segment>);

/// A step of a [`FieldPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// A field, by its name in JSON. In a flattened map, `*` stands for any name.
    Field(&'static str),
    /// The items of a list.
    Items,
    /// The values of a map.
    Values,
    /// The variant of the value, if that isn't a field.
    Variant(&'static str),
}

impl FieldPath {
    /// Returns the steps from the object to the value.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Returns the path as a schema has it. A schema doesn't tell variants apart.
    pub fn in_schema(&self) -> String {
        let is_in_schema = |segment: &&Segment| !matches!(segment, Segment::Variant(_));
        self.0.iter().filter(is_in_schema).map(Segment::to_string).collect()
    }

    pub(super) fn then(&self, segments: &[Segment]) -> Self {
        Self([&self.0, segments].concat())
    }

    pub(super) fn field(&self, name: &'static str) -> Self {
        self.then(&[Segment::Field(name)])
    }

    /// Returns the names of the fields and variants, which annotations are named after.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let name = |segment: &Segment| match segment {
            Segment::Field(name) | Segment::Variant(name) => Some(*name),
            Segment::Items | Segment::Values => None,
        };
        self.0.iter().filter_map(name).collect()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|segment| segment.fmt(f))
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Items => f.write_str("[]"),
            Self::Values => f.write_str(".*"),
            Self::Variant(name) => write!(f, "({name})"),
        }
    }
}
