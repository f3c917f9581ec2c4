//! Choices that depend on concrete types: an inherent item wins over a trait's.

use core::marker::PhantomData;

use super::UpgradeFrom;
use crate::{ConvertError, StructPlan};

/// The types of a field in two neighbouring versions.
#[derive(Debug)]
pub struct Probe<O, N>(PhantomData<(O, N)>);

impl<O, N> Probe<O, N> {
    /// Names both types.
    pub const fn new(_: PhantomData<O>, _: PhantomData<N>) -> Self {
        Self(PhantomData)
    }
}

impl<T> Probe<T, T> {
    /// The same type: nothing changes.
    pub fn plan(self) -> Option<&'static StructPlan> {
        None
    }
}

/// The newer version of the older type.
pub trait Via<O, N> {
    /// The rules between the two.
    fn plan(self) -> Option<&'static StructPlan>
    where
        N: UpgradeFrom<O>;
}

impl<O, N> Via<O, N> for Probe<O, N> {
    fn plan(self) -> Option<&'static StructPlan>
    where
        N: UpgradeFrom<O>,
    {
        Some(N::plan())
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Option<O>> for Option<N> {
    fn plan() -> &'static StructPlan {
        N::plan()
    }
}

/// Whether a type is an `Option`: `<IsOption<T>>::VALUE`.
#[derive(Debug)]
pub struct IsOption<T>(PhantomData<T>);

impl<T> IsOption<Option<T>> {
    /// It is.
    pub const VALUE: bool = true;
}

/// Every other type.
pub trait NotOption {
    /// It isn't.
    const VALUE: bool = false;
}

impl<T> NotOption for IsOption<T> {}

/// What a conversion function gave: `T`, or `Result<T, E>`.
#[derive(Debug)]
pub struct Outcome<R>(pub R);

impl<T, E: Into<ConvertError>> Outcome<Result<T, E>> {
    /// The function may fail.
    ///
    /// # Errors
    ///
    /// The function's.
    pub fn get(self) -> Result<T, ConvertError> {
        self.0.map_err(Into::into)
    }
}

/// A function that never fails.
pub trait OutcomeOf<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// Never.
    fn get(self) -> Result<T, ConvertError>;
}

impl<T> OutcomeOf<T> for Outcome<T> {
    fn get(self) -> Result<T, ConvertError> {
        Ok(self.0)
    }
}

/// A literal or const that may stand for a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "this value isn't of the field's type `{T}`",
    label = "`{Self}`, but the field is `{T}`"
)]
pub trait Fill<T> {
    /// The value.
    fn into_value(self) -> T;
}

impl<T> Fill<T> for T {
    fn into_value(self) -> T {
        self
    }
}

impl Fill<String> for &str {
    fn into_value(self) -> String {
        self.to_owned()
    }
}

/// Makes a field's value from what the author wrote.
pub fn fill<T>(value: impl Fill<T>) -> T {
    value.into_value()
}
