//! Choices that depend on concrete types: an inherent item wins over a trait's.

use core::marker::PhantomData;
use std::collections::{BTreeMap, HashMap};

use super::{FieldOf, InPlace, Unknown, UpgradeFrom};
use crate::{ConvertError, Converter, Nested, Rule, StructPlan};

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
    pub fn plan(self) -> Option<Nested> {
        None
    }

    /// The same where its fields stand beside a variant's tag.
    pub fn plan_in_place(self) -> Option<Nested> {
        None
    }
}

/// The newer version of the older type.
pub trait Via<O, N> {
    /// The rules between the two.
    fn plan(self) -> Option<Nested>
    where
        N: UpgradeFrom<O>;

    /// The same where its fields stand beside a variant's tag.
    fn plan_in_place(self) -> Option<Nested>
    where
        N: UpgradeFrom<O> + InPlace;
}

impl<O, N> Via<O, N> for Probe<O, N> {
    fn plan(self) -> Option<Nested>
    where
        N: UpgradeFrom<O>,
    {
        Some(N::plan())
    }

    fn plan_in_place(self) -> Option<Nested>
    where
        N: UpgradeFrom<O> + InPlace,
    {
        Some(N::plan())
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Option<O>> for Option<N> {
    fn plan() -> Nested {
        N::plan()
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Box<O>> for Box<N> {
    fn plan() -> Nested {
        N::plan()
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Vec<O>> for Vec<N> {
    fn plan() -> Nested {
        Nested::List(N::plan)
    }
}

impl<K, O, N: UpgradeFrom<O>> UpgradeFrom<BTreeMap<K, O>> for BTreeMap<K, N> {
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

impl<K, O, N: UpgradeFrom<O>, S> UpgradeFrom<HashMap<K, O, S>> for HashMap<K, N, S> {
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

#[cfg(feature = "indexmap")]
impl<K, O, N: UpgradeFrom<O>, S> UpgradeFrom<indexmap::IndexMap<K, O, S>>
    for indexmap::IndexMap<K, N, S>
{
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

/// Whatever became of a type whose own derive failed: that error is enough.
impl<N> UpgradeFrom<Unknown> for N {
    fn plan() -> Nested {
        static NOTHING: StructPlan = StructPlan::new("", "", &[]);
        Nested::Struct(&NOTHING)
    }
}

/// The plan of an object's stanzas; `None` if every stanza stays as it is.
pub fn stanzas(plan: &'static StructPlan) -> Option<Nested> {
    let same = |rule: &Rule| match rule {
        Rule::Kept { older, newer, nested } => older.wire == newer.wire && nested().is_none(),
        _ => false,
    };
    if plan.rules.iter().all(same) { None } else { Some(Nested::Struct(plan)) }
}

/// The type of a struct's field, also where its name can't be written.
pub const fn ty<S: FieldOf<At, T>, At, T>() -> PhantomData<T> {
    PhantomData
}

/// A value that must be of a type without a name.
pub fn typed<T>(_: PhantomData<T>, value: T) -> T {
    value
}

/// Whether a type is an `Option`: `<IsOption<T>>::VALUE`.
#[derive(Debug)]
pub struct IsOption<T>(PhantomData<T>);

impl<T> IsOption<Option<T>> {
    /// It is.
    pub const VALUE: bool = true;

    /// What an absent field is.
    pub const fn absent() -> Option<Option<T>> {
        Some(None)
    }
}

/// Every other type.
pub trait NotOption<T> {
    /// It isn't.
    const VALUE: bool = false;

    /// No value stands for an absent field.
    fn absent() -> Option<T> {
        None
    }
}

impl<T> NotOption<T> for IsOption<T> {}

/// Whether a type is an `Option` of a versioned enum of plain names: the API server never takes null for one.
#[derive(Debug)]
pub struct IsOptionOfName<T>(PhantomData<T>);

impl<T: super::Variants> IsOptionOfName<Option<T>> {
    /// It is, unless variants hold data.
    pub const VALUE: bool = T::PLAIN;
}

/// Every other type.
pub trait NotOptionOfName {
    /// It isn't.
    const VALUE: bool = false;
}

impl<T> NotOptionOfName for IsOptionOfName<T> {}

/// The two functions of a converter between two types.
#[derive(Debug)]
pub struct Pair<O, N>(PhantomData<(O, N)>);

impl<O, N> Pair<O, N> {
    /// Names both types.
    pub const fn new(_: PhantomData<O>, _: PhantomData<N>) -> Self {
        Self(PhantomData)
    }

    /// The converter's newer value.
    ///
    /// # Errors
    ///
    /// The converter's.
    pub fn upgrade<C: Converter<O, N>>(self, older: O) -> Result<N, super::Fault> {
        C::upgrade(older).map_err(super::Fault::Refused)
    }

    /// The converter's older value.
    ///
    /// # Errors
    ///
    /// The converter's.
    pub fn downgrade<C: Converter<O, N>>(self, newer: N) -> Result<O, super::Fault> {
        C::downgrade(newer).map_err(super::Fault::Refused)
    }
}

/// What a conversion function gave: `T`, or `Result<T, E>`.
#[derive(Debug)]
pub struct Outcome<R>(pub R);

impl<T, E> Outcome<Result<T, E>> {
    /// The function may fail.
    ///
    /// # Errors
    ///
    /// The function's.
    pub fn get(self) -> Result<T, super::Fault>
    where
        E: Refusal,
    {
        self.0.map_err(|error| super::Fault::Refused(error.into_error()))
    }
}

/// Why a conversion function refuses a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't say why a conversion fails",
    label = "gives `Result<_, {Self}>`",
    note = "a conversion's error is a `String`, a `&'static str` or a type with `std::error::Error + Send + Sync`"
)]
pub trait Refusal {
    /// The error.
    fn into_error(self) -> ConvertError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ConvertError>> Refusal for E {
    fn into_error(self) -> ConvertError {
        self.into()
    }
}

/// A function that never fails.
pub trait OutcomeOf<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// Never.
    fn get(self) -> Result<T, super::Fault>;
}

impl<T> OutcomeOf<T> for Outcome<T> {
    fn get(self) -> Result<T, super::Fault> {
        Ok(self.0)
    }
}

/// A literal or const that may stand for a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "this value isn't of the field's type `{T}`",
    label = "`{Self}`, but the field is `{T}`",
    note = "a value is a literal such as `3`, `-1.5`, `true` or `\"text\"`, or the path of a const of the field's type",
    note = "an `Option` takes no value: an object that never had one leaves it out"
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
