//! The complement: the values that the target version can't express, kept in annotations until the
//! way back.
//!
//! If a conversion removes `owner: ada`, because `v1` has no such field, this module writes an
//! entry into the annotation `conversion.example.com/v1beta1.spec.owner`. The next conversion to
//! `v1beta1` reads it and restores the field. The module `engine` decides what to keep and what to
//! restore. This module defines the form of an entry.
//!
//! | task | module |
//! |---|---|
//! | Name the annotation for a field | `key` |
//! | Write an entry, and read it again | `entry`, `write`, `read`; long ones: `packed` |
//! | Tell which item of a list or map an entry belongs to | `locator`, `lists`, `digest`, `fingerprint` |
//! | Look up what a version knows about fingerprinted values, such as their defaults | `guide`, `defaults` |
//! | Count the entries that aren't restored | `unrestored` |
//!
//! An entry may also contain a guard: the values that the peer version showed when the entry was
//! written. If a client has changed one of them, the entry isn't restored.
//!
//! The format is permanent: every later release reads what a release has written. The guide's page
//! [on the carrier](crate::guide::carrier) describes the annotations for everyone who encounters
//! them.

mod defaults;
mod digest;
mod entry;
mod fingerprint;
mod guide;
mod key;
mod lists;
mod locator;
mod members;
mod packed;
mod read;
mod unrestored;
mod write;

pub(crate) use digest::{ListDigest, MAX_ITEMS, Short, short, values_in};
pub(crate) use entry::Entry;
#[cfg(test)]
pub(crate) use fingerprint::hash;
pub(crate) use fingerprint::note_fingerprints;
pub(crate) use guide::{Guide, Known, Shape};
#[cfg(feature = "schema")]
pub(crate) use key::annotation_key;
pub(crate) use key::{AnnotationPath, annotation_prefix};
pub(crate) use lists::{read_lists, write_lists};
pub(crate) use locator::{Locator, within};
#[cfg(feature = "testing")]
pub(crate) use packed::unpack;
pub(crate) use read::{Parsed, entries_of, parse};
pub use unrestored::{Unrestored, UnrestoredReason};
pub(crate) use write::{write_body, write_entries, write_tombstone};
