//! Choices that depend on concrete types. They work because an inherent item wins over a trait's
//! item.

use core::marker::PhantomData;

use super::{InPlace, Pair};
use crate::plan::{Fault, Nested};
use crate::{
    converter::{ConvertError, Converter, Fill},
    versioned::UpgradeFrom,
};

/// The types of a value in two neighboring versions. `A` is whether a field contains the value.
/// Then it may be an `Option` in only one of them.
#[derive(Debug)]
pub struct Probe<O, N, A = NoField>(PhantomData<(O, N, A)>);

impl<O, N> Probe<O, N> {
    /// Takes both types.
    pub const fn new(_: PhantomData<O>, _: PhantomData<N>) -> Self {
        Self(PhantomData)
    }
}

impl<O, N> Probe<O, N, OfField> {
    /// Takes the types of a field.
    pub const fn of_field(_: PhantomData<O>) -> Self {
        Self(PhantomData)
    }
}

impl<T, A> Probe<T, T, A> {
    /// Returns `None`, because the type is the same and nothing changes.
    pub fn plan(self) -> Option<fn() -> Nested> {
        None
    }

    /// Returns `None`. The fields of the type are next to a variant's tag.
    pub fn plan_in_place(self) -> Option<fn() -> Nested> {
        None
    }
}

/// A type that may be absent in only one of the versions. `Form` distinguishes the implementations.
/// At most one fits a pair of types.
pub trait OptionOnOneSide<O, N, Form, A>: Sized {
    /// Returns the rules between the type inside the `Option` and the other type, or `None` if they
    /// are the same.
    fn plan(self) -> Option<fn() -> Nested>
    where
        A: Shows<O, N>;
}

impl<T, A> OptionOnOneSide<Option<T>, T, (), A> for Probe<Option<T>, T, A> {
    fn plan(self) -> Option<fn() -> Nested> {
        None
    }
}

impl<T, A> OptionOnOneSide<T, Option<T>, (), A> for Probe<T, Option<T>, A> {
    fn plan(self) -> Option<fn() -> Nested> {
        None
    }
}

impl<O, N: UpgradeFrom<O>, A> OptionOnOneSide<Option<O>, N, InOlder, A> for Probe<Option<O>, N, A> {
    fn plan(self) -> Option<fn() -> Nested> {
        Some(N::plan)
    }
}

impl<O, N: UpgradeFrom<O>, A> OptionOnOneSide<O, Option<N>, InNewer, A> for Probe<O, Option<N>, A> {
    fn plan(self) -> Option<fn() -> Nested> {
        Some(N::plan)
    }
}

/// The older version has the `Option`, with another type inside.
#[derive(Debug)]
pub struct InOlder;

/// The newer version has the `Option`, with another type inside.
#[derive(Debug)]
pub struct InNewer;

/// The value is in a field. [`kept`](super::kept) checks whether it needs a default.
#[derive(Debug)]
pub struct OfField;

/// The value is a stanza or the content of a variant, which has no default.
#[derive(Debug)]
pub struct NoField;

/// A place that has a value to show when the other version's value is absent.
#[diagnostic::on_unimplemented(
    message = "`{Older}` became `{Newer}`, and nothing says what the version without `Option` shows when the value is absent",
    label = "was `{Older}` in the older version",
    note = "only a field can have a default: make it an `Option` in both versions",
    note = "or name a converter on the field that holds it: `#[versioned(with = …)]`"
)]
pub trait Shows<Older, Newer> {}

impl<O, N> Shows<O, N> for OfField {}

/// The newer version of the older type. Implemented for a reference, so that the others are found
/// first.
pub trait Via<O, N>: Sized {
    /// Returns the rules between the two types.
    fn plan(self) -> Option<fn() -> Nested>
    where
        N: UpgradeFrom<O>;

    /// Returns the rules if the fields of the type are next to a variant's tag.
    fn plan_in_place(self) -> Option<fn() -> Nested>
    where
        N: UpgradeFrom<O> + InPlace;
}

impl<O, N, A> Via<O, N> for &Probe<O, N, A> {
    fn plan(self) -> Option<fn() -> Nested>
    where
        N: UpgradeFrom<O>,
    {
        Some(N::plan)
    }

    fn plan_in_place(self) -> Option<fn() -> Nested>
    where
        N: UpgradeFrom<O> + InPlace,
    {
        Some(N::plan)
    }
}

/// Any other type, which causes an error. Implemented for a mutable reference, so that the others are
/// found first.
pub trait NoConverter<O, N, C>: Sized {
    /// Requires the missing converter.
    fn fits(self)
    where
        C: Converter<O, N>,
    {
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn upgrade(self, _: O, _: Option<N>) -> Result<N, Fault>
    where
        C: Converter<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn downgrade(self, _: N, _: Option<O>) -> Result<O, Fault>
    where
        C: Converter<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Requires the missing converter.
    fn carries(self)
    where
        C: Converter<O, N>,
    {
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn carry(self, _: O, _: Option<N>) -> Result<Option<N>, Fault>
    where
        C: Converter<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn carry_back(self, _: N, _: Option<O>) -> Result<Option<O>, Fault>
    where
        C: Converter<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }
}

impl<O, N, C> NoConverter<O, N, C> for &mut Pair<O, N, C> {}

/// A function instead of a converter. It is refused, and this trait exists only for the message.
pub trait OneWay<O, N, C, Arguments>: Sized {
    /// Requires a trait that no function implements.
    fn fits(self)
    where
        C: BothWays<O, N>,
    {
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn upgrade(self, _: O, _: Option<N>) -> Result<N, Fault>
    where
        C: BothWays<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn downgrade(self, _: N, _: Option<O>) -> Result<O, Fault>
    where
        C: BothWays<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Requires a trait that no function implements.
    fn carries(self)
    where
        C: BothWays<O, N>,
    {
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn carry(self, _: O, _: Option<N>) -> Result<Option<N>, Fault>
    where
        C: BothWays<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn carry_back(self, _: N, _: Option<O>) -> Result<Option<O>, Fault>
    where
        C: BothWays<O, N>,
    {
        Err(Fault::Refused("no converter".into()))
    }
}

impl<O, N, C: Fn(A) -> R, A, R> OneWay<O, N, C, (A, R)> for Pair<O, N, C> {}
impl<O, N, C: Fn(A, B) -> R, A, B, R> OneWay<O, N, C, (A, B, R)> for Pair<O, N, C> {}

/// A converter, which is required instead of a function.
#[diagnostic::on_unimplemented(
    message = "a function converts in one direction only: write `with(upgrade = function, downgrade = function)`, with one for each",
    label = "`{Self}` isn't a converter",
    note = "the name of a tuple struct without its values is a function, too"
)]
pub trait BothWays<Older, Newer> {}

// With this impl, rustc can see that a tuple struct is a converter.
#[diagnostic::do_not_recommend]
impl<O, N, C: Converter<O, N>> BothWays<O, N> for C {}

/// The result of a conversion function: `T`, or `Result<T, E>`.
#[derive(Debug)]
pub struct Outcome<R>(Option<R>);

impl<R> Outcome<R> {
    /// Stores the result until it is taken, once.
    pub const fn new(given: R) -> Self {
        Self(Some(given))
    }

    fn take(&mut self) -> Result<R, Fault> {
        self.0.take().ok_or_else(|| Fault::Refused("no result".into()))
    }
}

impl<T, E> Outcome<Result<T, E>> {
    /// Returns the result of a function that may fail.
    ///
    /// # Errors
    ///
    /// Returns the function's error.
    pub fn get(&mut self) -> Result<T, Fault>
    where
        E: Refusal,
    {
        self.take()?.map_err(|error| Fault::Refused(error.into_error()))
    }
}

/// An error of a conversion function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't say why a conversion fails",
    label = "returns `Result<_, {Self}>`",
    note = "a conversion's error must be a `String`, a `&'static str` or a type with `std::error::Error + Send + Sync`",
    note = "for any other type, return its text: `.map_err(|error| error.to_string())`"
)]
pub trait Refusal {
    /// Returns the error.
    fn into_error(self) -> ConvertError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ConvertError>> Refusal for E {
    fn into_error(self) -> ConvertError {
        self.into()
    }
}

/// A function that never fails. Implemented for a reference, so that the others are found first.
pub trait OutcomeOf<T> {
    /// Returns the value.
    ///
    /// # Errors
    ///
    /// Never fails.
    fn get(&mut self) -> Result<T, Fault>;
}

impl<T> OutcomeOf<T> for &mut Outcome<T> {
    fn get(&mut self) -> Result<T, Fault> {
        self.take()
    }
}

/// A function that returns a future, which is refused. This trait exists only for the message.
pub trait OutcomeLater<F> {
    /// Never called.
    ///
    /// # Errors
    ///
    /// Always fails.
    fn get<T>(&mut self) -> Result<T, Fault>
    where
        F: Now,
    {
        Err(Fault::Refused("no result".into()))
    }
}

impl<F: Future> OutcomeLater<F> for Outcome<F> {}

/// A result that is available at once.
#[diagnostic::on_unimplemented(
    message = "a conversion can't wait, but this function is `async`",
    label = "returns a future",
    note = "a conversion must depend only on the values: the API server requests it on every read, for each object of a list",
    note = "if a value depends on another object, let the controller write it into this one"
)]
pub trait Now {}

/// Returns a field's value from the author's literal or constant.
pub fn fill<T>(value: impl Fill<T>) -> T {
    value.into_value()
}
