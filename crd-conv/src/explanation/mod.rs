//! What becomes of each field between two neighboring versions.
//!
//! [`ResourceType::explanation`](crate::ResourceType::explanation) derives it from the mapping: for each
//! pair of neighboring versions, the path in the older version, the path in the newer one, what
//! happens on the way, and the annotations that keep what the other version can't express. The
//! command `explain` prints it, `diff` looks up a changed field in it, and the admission policies
//! protect the annotations that it names.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
//! # fn main() {
//! use crd_conv::{ResourceType, explanation::Mapping};
//!
//! let hops = ResourceType::of::<Box>().explanation();
//! let [hop] = &hops[..] else { panic!("two versions have one hop") };
//! assert_eq!((hop.older, hop.newer), ("v1", "v2"));
//!
//! let renamed = hop.rows.iter().find(|row| row.mapping == Mapping::Renamed).unwrap();
//! assert_eq!(renamed.older[0].to_string(), ".spec.size: i64");
//! assert_eq!(renamed.newer[0].path.to_string(), ".spec.replicas");
//!
//! let removed = hop.rows.iter().find(|row| row.newer.is_empty()).unwrap();
//! assert_eq!(removed.mapping, Mapping::Removed { value: None });
//! assert_eq!(removed.annotations, ["conversion.example.com/v1.spec.owner"]);
//! # }
//! ```

mod mapping;
mod path;
#[cfg(feature = "cli")]
pub(crate) mod successors;
mod walk;

use std::fmt;

pub use mapping::{Mapping, Refusal};
pub use path::{FieldPath, Segment};

use crate::definition::VersionDefinition;

/// Two neighboring versions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hop {
    /// The name of the older version.
    pub older: &'static str,
    /// The name of the newer version.
    pub newer: &'static str,
    /// A row for each field, in the order of the rules. Without rows, the versions are the same.
    pub rows: Vec<Row>,
}

/// What happens to a field, to a group of fields with one converter, or to a variant of an enum.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Where it is in the older version. Empty if only the newer version has it.
    pub older: Vec<Value>,
    /// Where it is in the newer version. Empty if only the older version has it.
    pub newer: Vec<Value>,
    /// What happens to it.
    pub mapping: Mapping,
    /// The annotations that keep what the other version can't express.
    pub annotations: Vec<String>,
    /// If the type contains itself here: the rows of the place around this one apply inside it,
    /// too.
    pub as_above: Option<AsAbove>,
}

/// A field, or a variant of an enum, in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Value {
    /// The path in the object.
    pub path: FieldPath,
    /// What is known about the value there.
    pub detail: Detail,
}

/// What is known about the value at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The Rust type, as the author wrote it.
    Type(&'static str),
    /// The name of the enum's variant, which is the value itself.
    Variant(&'static str),
    /// Nothing else: the path says which variant it is.
    None,
}

/// A place whose type contains itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AsAbove {
    /// The places in the older and the newer version.
    pub places: [FieldPath; 2],
    /// The places of the same type around them.
    pub above: [FieldPath; 2],
}

/// Returns the hops between neighboring versions, oldest first.
pub(crate) fn explain(group: &str, versions: &[VersionDefinition]) -> Vec<Hop> {
    let pairs = versions.windows(2);
    let hops = pairs.map(|pair| {
        let (older, newer) = (pair[0].name, pair[1].name);
        let rows = pair[1].rules();
        let rows = rows.map(|plan| walk::rows(group, [older, newer], plan));
        Hop { older, newer, rows: rows.unwrap_or_default() }
    });
    hops.collect()
}

/// Writes the path with the type or the variant, such as `.spec.size: i64` or
/// `.spec.mode = "Fast"`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail {
            Detail::Type(ty) => write!(f, "{}: {ty}", self.path),
            Detail::Variant(name) => write!(f, "{} = {name:?}", self.path),
            Detail::None => self.path.fmt(f),
        }
    }
}
