//! What a version knows of the values that are fingerprinted.

/// The shapes of the values that a plan describes, in one version.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    pub(super) shapes: Vec<Shape>,
}

/// The shape of a value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shape {
    /// Nothing is known: all of it counts.
    #[default]
    Whole,
    /// That of another value.
    Of(usize),
    /// An object with these fields. The API server may prune all others.
    Fields(Vec<Known>),
    /// An array of such items.
    Items(usize),
    /// An object of such values under any keys.
    Values(usize),
}

/// A field that the version has.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// Whether `null` is a value of its own.
    pub(crate) nullable: bool,
    /// What the API server fills in.
    pub(crate) filled: Option<String>,
    /// Its fingerprint, once the whole guide is there.
    pub(crate) default: Option<u64>,
    pub(crate) inner: Shape,
}

impl Known {
    /// What the API server fills in; a default of `null` is none.
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

    /// What the API server fills into fields of a list's items.
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
