//! JSON text: scanning, comparing and editing it without building a tree.

mod canonical;
mod ends;
mod number;
mod object;
mod scan;
mod skip;
mod splice;
mod string;
#[cfg_attr(
    not(feature = "schema"),
    expect(dead_code, unreachable_pub, reason = "`schema` exports it")
)]
mod value;
mod whole;

pub(crate) use canonical::{Fidelity, canonical, equal};
pub(crate) use number::go_float;
pub(crate) use object::{Member, find, member, members_of, object_of, push_member};
pub(crate) use scan::{Scanner, Str, SyntaxError, fits};
pub(crate) use splice::{Edit, sort, splice};
pub(crate) use string::{decode, is_plain_string, quote};
#[cfg_attr(not(feature = "schema"), expect(unreachable_pub, reason = "`schema` exports it"))]
pub use value::{Json, Number};
pub(crate) use whole::whole;
