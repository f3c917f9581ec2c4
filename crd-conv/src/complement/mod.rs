//! The complement: what the target version has no room for, kept in annotations until the way back.
//!
//! The guide's page on the carrier describes the annotations for everyone who meets them.

mod entry;
mod guide;
mod key;
mod likeness;
mod lists;
mod losses;
mod packed;
mod print;

pub(crate) use entry::{
    Entry, Locator, Parsed, entries_of, parse, within, write_body, write_entries, write_tombstone,
};
pub(crate) use guide::{Guide, Known, Shape};
#[cfg(feature = "cli")]
pub(crate) use key::annotation_key;
pub(crate) use key::{AnnotationPath, annotation_prefix};
pub(crate) use likeness::{Listed, MAX_ITEMS, Short, short, values_in};
pub(crate) use lists::{read_lists, write_lists};
pub use losses::{Loss, Losses};
#[cfg(feature = "testing")]
pub(crate) use packed::unpack;
pub(crate) use print::{fingerprints, hash};
