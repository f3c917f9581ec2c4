//! The content of an object's text: where the values are, and which items of lists and maps they
//! are in.

mod align;
mod items;
mod scan;
mod source;
mod spans;
mod tags;

pub(crate) use align::Aligned;
pub(crate) use items::{Edits, Items, View};
pub(crate) use scan::Walk;
pub(crate) use source::Source;
pub(crate) use spans::{Document, Instance, Named, Place, ROOT_PLACE};
