//! A converter, and what happens to the values that it refuses.

use syn::{Expr, Ident, LitStr, Path};

use crate::name::shown;

/// How a group is converted.
#[derive(Clone)]
pub(crate) struct Conversion {
    pub(crate) by: Converter,
    pub(crate) fallback: Fallback,
    pub(crate) refuses: Refuses,
}

/// The values that a group shows if its converter refuses those of the other version.
pub(crate) type Fallback = Directions<Vec<Option<Expr>>>;

/// Why a converter may refuse values.
pub(crate) type Refuses = Directions<LitStr>;

/// A setting for each direction, with the keyword that names the direction.
#[derive(Clone)]
pub(crate) struct Directions<T> {
    pub(crate) upgrade: Option<(Ident, T)>,
    pub(crate) downgrade: Option<(Ident, T)>,
}

impl<T> std::default::Default for Directions<T> {
    fn default() -> Self {
        Self { upgrade: None, downgrade: None }
    }
}

/// The keyword of a fallback, and the value of each field. `None` leaves a field out.
pub(crate) type Shown = (Ident, Vec<Option<Expr>>);

/// The author's code that converts a group.
#[derive(Clone)]
pub(crate) enum Converter {
    /// A constant whose type implements `Converter`.
    Value(Box<Expr>),
    /// One function for each direction.
    Functions { upgrade: Path, downgrade: Path },
}

impl Converter {
    /// The converter's name as the author wrote it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Value(value) => shown(value),
            Self::Functions { upgrade, downgrade } => {
                format!("{} / {}", shown(upgrade), shown(downgrade))
            }
        }
    }
}
