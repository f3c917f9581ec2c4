//! A converter between two types, and how it is called.

use core::marker::PhantomData;

use super::probe::{InNewer, InOlder};
use crate::{
    converter::{ConvertError, Converter},
    plan::Fault,
    with::{
        Optional,
        sides::{AbsentInNewer, AbsentInOlder, Newer, NotText, NothingOfNone, Older, Text, TextIn},
    },
};

/// A converter `C` between two types.
#[derive(Debug)]
pub struct Pair<O, N, C>(PhantomData<(O, N)>, C);

impl<O, N, C> Pair<O, N, C> {
    /// Takes both types.
    pub const fn new(_: PhantomData<O>, _: PhantomData<N>, converter: C) -> Self {
        Self(PhantomData, converter)
    }
}

fn upgraded<O, N, C>(by: &C, older: O, before: Option<N>) -> Result<N, Fault>
where
    C: Converter<O, N>,
{
    refused(match before {
        Some(before) => by.upgrade_edited(older, before),
        None => by.upgrade(older),
    })
}

fn downgraded<O, N, C>(by: &C, newer: N, before: Option<O>) -> Result<O, Fault>
where
    C: Converter<O, N>,
{
    refused(match before {
        Some(before) => by.downgrade_edited(newer, before),
        None => by.downgrade(newer),
    })
}

fn refused<T>(converted: Result<T, ConvertError>) -> Result<T, Fault> {
    match converted {
        Ok(value) => Ok(value),
        Err(error) => Err(Fault::Refused(error)),
    }
}

impl<O, N, C: Converter<O, N>> Pair<O, N, C> {
    /// Tells the compiler which of several converters is meant, such as a template with a certain
    /// number of fields.
    pub fn fits(self) {}

    /// Returns the converter's newer value. `before` is the newer value from before an edit.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    pub fn upgrade(self, older: O, before: Option<N>) -> Result<N, Fault> {
        upgraded(&self.1, older, before)
    }

    /// Returns the converter's older value. `before` is the older value from before an edit.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    pub fn downgrade(self, newer: N, before: Option<O>) -> Result<O, Fault> {
        downgraded(&self.1, newer, before)
    }
}

/// A converter of a moved value, which isn't asked about an absent one.
impl<O, N, C: Converter<O, N>> Pair<O, N, C> {
    /// The counterpart of [`fits`](Self::fits).
    pub fn carries(self) {}

    /// Returns the converter's newer value, or `None` for a value that is absent.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    pub fn carry(self, older: O, before: Option<N>) -> Result<Option<N>, Fault> {
        self.upgrade(older, before).map(Some)
    }

    /// Returns the converter's older value, or `None` for a value that is absent.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    pub fn carry_back(self, newer: N, before: Option<O>) -> Result<Option<O>, Fault> {
        self.downgrade(newer, before).map(Some)
    }
}

/// A converter for the contents of `Option`s, which [`Optional`] turns into a converter for the
/// `Option`s themselves.
pub trait Lifted<O, N>: Sized {
    /// The counterpart of [`Pair::fits`] for the contents.
    fn fits(self) {}

    /// Returns the converter's newer value for `Option`s.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn upgrade(self, older: O, before: Option<N>) -> Result<N, Fault>;

    /// Returns the converter's older value for `Option`s.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn downgrade(self, newer: N, before: Option<O>) -> Result<O, Fault>;

    /// The counterpart of [`Pair::carries`] for the contents.
    fn carries(self) {}

    /// The counterpart of [`Pair::carry`] for `Option`s.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn carry(self, older: O, before: Option<N>) -> Result<Option<N>, Fault> {
        self.upgrade(older, before).map(Some)
    }

    /// The counterpart of [`Pair::carry_back`] for `Option`s.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn carry_back(self, newer: N, before: Option<O>) -> Result<Option<O>, Fault> {
        self.downgrade(newer, before).map(Some)
    }
}

impl<O, N, C> Lifted<O, N> for Pair<O, N, C>
where
    Optional<C>: Converter<O, N>,
{
    fn upgrade(self, older: O, before: Option<N>) -> Result<N, Fault> {
        Pair::<O, N, _>(PhantomData, Optional(self.1)).upgrade(older, before)
    }

    fn downgrade(self, newer: N, before: Option<O>) -> Result<O, Fault> {
        Pair::<O, N, _>(PhantomData, Optional(self.1)).downgrade(newer, before)
    }
}

/// A converter of a moved value that is an `Option` in only one version, for its contents. `Form`
/// distinguishes the implementations. Implemented for a reference, so that a converter for the
/// types themselves is found first.
pub trait OptionOnOneEnd<O, N, Form>: Sized {
    /// The counterpart of [`Pair::carries`] for the contents.
    fn carries(self) {}

    /// The counterpart of [`Pair::carry`] for the contents.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn carry(self, older: O, before: Option<N>) -> Result<Option<N>, Fault>;

    /// The counterpart of [`Pair::carry_back`] for the contents.
    ///
    /// # Errors
    ///
    /// Returns the converter's error.
    fn carry_back(self, newer: N, before: Option<O>) -> Result<Option<O>, Fault>;
}

impl<O, N, C> OptionOnOneEnd<Option<O>, N, InOlder> for &Pair<Option<O>, N, C>
where
    C: Converter<O, N>,
{
    fn carry(self, older: Option<O>, before: Option<N>) -> Result<Option<N>, Fault> {
        older.map(|older| upgraded(&self.1, older, before)).transpose()
    }

    fn carry_back(self, newer: N, before: Option<Option<O>>) -> Result<Option<Option<O>>, Fault> {
        downgraded(&self.1, newer, before.flatten()).map(|older| Some(Some(older)))
    }
}

impl<O, N, C> OptionOnOneEnd<O, Option<N>, InNewer> for &Pair<O, Option<N>, C>
where
    C: Converter<O, N>,
{
    fn carry(self, older: O, before: Option<Option<N>>) -> Result<Option<Option<N>>, Fault> {
        upgraded(&self.1, older, before.flatten()).map(|newer| Some(Some(newer)))
    }

    fn carry_back(self, newer: Option<N>, before: Option<O>) -> Result<Option<O>, Fault> {
        newer.map(|newer| downgraded(&self.1, newer, before)).transpose()
    }
}

impl<O: NotText, N, C: Converter<O, N> + TextIn<Older>> Pair<O, N, C> {
    /// Requires a text if the converter reads and writes a text in the older version.
    pub fn older_is_text(&self)
    where
        O: Text<C>,
    {
    }
}

impl<O, N: NotText, C: Converter<O, N> + TextIn<Newer>> Pair<O, N, C> {
    /// Requires a text if the converter reads and writes a text in the newer version.
    pub fn newer_is_text(&self)
    where
        N: Text<C>,
    {
    }
}

impl<O, N, C: Converter<Option<O>, N> + NothingOfNone<Older>> Pair<Option<O>, N, C> {
    /// Requires an `Option` in the newer version if an older object may lack the field and the
    /// converter can't convert that.
    pub fn absent_in_older(&self)
    where
        N: AbsentInNewer<C>,
    {
    }
}

impl<O, N, C: Converter<O, Option<N>> + NothingOfNone<Newer>> Pair<O, Option<N>, C> {
    /// Requires an `Option` in the older version if a newer object may lack the field and the
    /// converter can't convert that.
    pub fn absent_in_newer(&self)
    where
        O: AbsentInOlder<C>,
    {
    }
}

/// Accepts every other pair.
pub trait NothingAsked {
    /// Does nothing.
    fn older_is_text(&self) {}
    /// Does nothing.
    fn newer_is_text(&self) {}
    /// Does nothing.
    fn absent_in_older(&self) {}
    /// Does nothing.
    fn absent_in_newer(&self) {}
}

impl<O, N, C> NothingAsked for Pair<O, N, C> {}
