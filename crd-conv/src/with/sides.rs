//! The requirements of converters in [`with`](crate::with) that take any serde type, as far as the
//! compiler can check them.

use std::collections::{BTreeMap, HashMap};

use super::Options;

/// The older version.
#[derive(Debug)]
pub struct Older;

/// The newer version.
#[derive(Debug)]
pub struct Newer;

/// A converter that reads and writes a text in one of the versions.
pub trait TextIn<Version> {}

/// A converter that can't convert an absent field of one version, unless the other version's field
/// may be absent, too.
pub trait NothingOfNone<Version> {}

/// A type that is never a text in JSON.
pub trait NotText {}

macro_rules! not_text {
    ($($ty:ident)*) => { $(impl NotText for $ty {})* };
}

not_text!(bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl<T> NotText for Vec<T> {}
impl<K, V> NotText for BTreeMap<K, V> {}
impl<K, V, S> NotText for HashMap<K, V, S> {}

/// A type that may be a text in JSON. No [`NotText`] type implements it.
#[diagnostic::on_unimplemented(
    message = "`{C}` converts a string here, but `{Self}` isn't one in JSON",
    label = "a field of type `{Self}`",
    note = "the field must be a `String`, or a type that serde writes as a string, such as a newtype around one",
    note = "if the string is in the other version, write `Inverse(…)` around the converter"
)]
pub trait Text<C> {}

/// A value that may be absent in the newer version.
#[diagnostic::on_unimplemented(
    message = "`{C}` can't make the newer version's `{Self}` from an older object that lacks the field",
    label = "the older field is an `Option`, the newer one isn't",
    note = "make the newer field an `Option` too: an absent field then stays absent",
    note = "or say what the newer version shows instead: `fallback(upgrade = …)` next to the converter"
)]
pub trait AbsentInNewer<C> {}

/// A value that may be absent in the older version.
#[diagnostic::on_unimplemented(
    message = "`{C}` can't make the older version's `{Self}` from a newer object that lacks the field",
    label = "the newer field is an `Option`, the older one isn't",
    note = "make the newer field required, since older objects always have it",
    note = "or say what the older version shows instead: `fallback(downgrade = …)` next to the converter"
)]
pub trait AbsentInOlder<C> {}

#[diagnostic::do_not_recommend]
impl<T: Options, C> AbsentInNewer<C> for T {}
#[diagnostic::do_not_recommend]
impl<T: Options, C> AbsentInOlder<C> for T {}
