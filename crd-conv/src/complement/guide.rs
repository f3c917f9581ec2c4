//! What a version knows of the values that are fingerprinted.

use super::print::fingerprint;

/// How often a default may be looked for inside another one: they could hold themselves.
const MAX_NESTED_DEFAULTS: usize = 8;

/// The shapes of the values that a plan describes, in one version.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    shapes: Vec<Shape>,
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

    /// Fingerprints the defaults: first as if they had none inside, then with those, and so on.
    pub(crate) fn learn_defaults(&mut self) {
        for _ in 0..MAX_NESTED_DEFAULTS {
            let mut next = self.shapes.clone();
            let changed = next.iter_mut().map(|shape| self.learn(shape)).fold(false, |a, b| a | b);
            self.shapes = next;
            if !changed {
                break;
            }
        }
    }

    /// Whether a default has another fingerprint now.
    fn learn(&self, shape: &mut Shape) -> bool {
        let Shape::Fields(fields) = shape else { return false };
        let mut changed = false;
        for known in fields {
            let filled = known.filled.as_deref().filter(|filled| *filled != "null");
            let print =
                filled.and_then(|text| fingerprint(text, self, &known.inner, &mut |_, _| {}));
            changed |= print != std::mem::replace(&mut known.default, print);
            changed |= self.learn(&mut known.inner);
        }
        changed
    }
}
