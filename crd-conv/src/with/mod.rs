#![doc = include_str!("../../guide/mappings.md")]

mod absent;
mod compose;
mod documents;
mod duration;
mod keyed;
mod lists;
mod numbers;
pub(crate) mod quantity;
mod references;
mod shape;
pub(crate) mod sides;
mod tables;
mod template;
mod unions;

pub use absent::{AbsentBecomes, AbsentIs, Presence, ZeroAsAbsent};
pub use compose::{Each, Inverse, Optional, Options, Then};
pub use documents::JsonText;
#[cfg(feature = "yaml")]
pub use documents::YamlText;
pub use duration::GoDuration;
pub use keyed::{KeyedBy, Pairs};
pub use lists::{First, MatchLabels, Wrapped};
pub use numbers::{Checked, Clamped, IntOrString, IntOrText, IntText, Integer, Rounded};
pub use quantity::Quantity;
pub use references::ApiGroup;
pub use tables::{InField, Plain, Renamed, Table};
pub use template::{Template, TemplateField};
pub use unions::{ByKind, OneOf, Retagged, Tagging};
