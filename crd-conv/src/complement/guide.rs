//! A version's knowledge of fingerprinted values, such as their fields and defaults.

/// The shapes of the values that a plan describes, in one version.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    pub(super) shapes: Vec<Shape>,
}

/// The shape of a value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shape {
    /// Nothing is known about the value, so all of it counts.
    #[default]
    Whole,
    /// The shape of another value, by its number.
    Of(usize),
    /// An object with these fields. The API server may prune all other fields.
    Fields(Vec<Known>),
    /// An array whose items have this shape, by its number.
    Items(usize),
    /// An object with any keys, whose values have this shape, by its number.
    Values(usize),
}

/// A field that the version has.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// Whether `null` is a value of its own.
    pub(crate) nullable: bool,
    /// The default that the API server fills in.
    pub(crate) filled: Option<String>,
    /// The default's fingerprint, once the guide is complete.
    pub(crate) default: Option<u64>,
    pub(crate) inner: Shape,
}

impl Known {
    /// The default that the API server fills in. A default of `null` counts as none.
    fn filled(&self) -> Option<&str> {
        self.filled.as_deref().filter(|filled| *filled != "null")
    }
}

impl Guide {
    pub(crate) fn set(&mut self, node: usize, shape: Shape) {
        if self.shapes.len() <= node {
            self.shapes.resize_with(node + 1, Shape::default);
        }
        self.shapes[node] = shape;
    }

    pub(crate) fn at(&self, node: usize) -> &Shape {
        self.shapes.get(node).unwrap_or(&Shape::Whole)
    }

    /// The defaults that the API server fills into these fields of a list's items.
    pub(crate) fn filled(&self, list: usize, fields: &[&str]) -> Vec<Option<&str>> {
        let item = match self.at(list) {
            Shape::Items(item) => self.at(*item),
            _ => &Shape::Whole,
        };
        let known = |name: &&str| match item {
            Shape::Fields(fields) => fields.iter().find(|known| known.name == *name)?.filled(),
            _ => None,
        };
        fields.iter().map(known).collect()
    }

    pub(super) fn resolve<'g>(&'g self, shape: &'g Shape) -> &'g Shape {
        match shape {
            Shape::Of(node) => self.at(*node),
            shape => shape,
        }
    }
}
