//! The complement: what the target version has no room for, kept in annotations until the way back.
//!
//! `FORMAT.md` beside this file describes the annotations for everyone who meets them.

mod entry;
mod key;
mod losses;

pub(crate) use entry::{Entry, Locator, Parsed, parse, write_body, write_entries};
pub(crate) use key::{annotation_key, annotation_prefix, fingerprint};
pub use losses::{Loss, Losses};
