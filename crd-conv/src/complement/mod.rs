//! The complement: what the target version has no room for, kept in annotations until the way back.
//!
//! The guide's page on the carrier describes the annotations for everyone who meets them.

mod defaults;
mod digest;
mod entry;
mod fingerprint;
mod guide;
mod key;
mod lists;
mod locator;
mod losses;
mod members;
mod packed;
mod read;
mod write;

pub(crate) use digest::{ListDigest, MAX_ITEMS, Short, short, values_in};
pub(crate) use entry::Entry;
#[cfg(test)]
pub(crate) use fingerprint::hash;
pub(crate) use fingerprint::note_fingerprints;
pub(crate) use guide::{Guide, Known, Shape};
#[cfg(feature = "cli")]
pub(crate) use key::annotation_key;
pub(crate) use key::{AnnotationPath, annotation_prefix};
pub(crate) use lists::{read_lists, write_lists};
pub(crate) use locator::{Locator, within};
pub use losses::{Loss, Losses};
#[cfg(feature = "testing")]
pub(crate) use packed::unpack;
pub(crate) use read::{Parsed, entries_of, parse};
pub(crate) use write::{write_body, write_entries, write_tombstone};
