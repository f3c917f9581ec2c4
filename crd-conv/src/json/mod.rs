//! JSON text: scanning, comparing and editing it without building a tree.

mod canonical;
mod ends;
mod number;
mod object;
mod scan;
mod skip;
mod splice;
mod string;
#[cfg(feature = "schema")]
mod value;
mod whole;

pub(crate) use canonical::{Fidelity, canonical, equal};
pub(crate) use number::go_float;
pub(crate) use object::{Member, find, member, members_of, object_of, push_member};
pub(crate) use scan::{Scanner, Str, SyntaxError, fits};
pub(crate) use splice::{Edit, sort, splice};
pub(crate) use string::{decode, is_plain_string, quote};
#[cfg(feature = "schema")]
pub use value::{Json, Number};
pub(crate) use whole::whole;
