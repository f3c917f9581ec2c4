//! Where a value stands, in the API server's notation.

use std::fmt;

/// A path to a value, written only where something is wrong.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    /// A member without a property of its own.
    Key(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl Path<'_> {
    pub(crate) fn field<'p>(&'p self, name: &'p str) -> Path<'p> {
        Path::Field(self, name)
    }

    pub(crate) fn key<'p>(&'p self, name: &'p str) -> Path<'p> {
        Path::Key(self, name)
    }

    pub(crate) fn index(&self, index: usize) -> Path<'_> {
        Path::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Path::Root, name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Key(parent, name) => write!(f, "{parent}[{name}]"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
