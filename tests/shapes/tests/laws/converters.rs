//! Converters for drawn types. Each loses something in both directions, so that entries are needed, with guards.

use std::collections::BTreeMap;

use crd_conv::{ConvertError, Converter};

/// What holds an amount, among other things.
pub(crate) trait Holds: Sized {
    /// With this amount, and always the same besides.
    fn of(amount: i64) -> Self;
    /// The amount, or zero.
    fn amount(&self) -> i64;
}

impl<T: Holds> Holds for Vec<T> {
    fn of(amount: i64) -> Self {
        match amount {
            0 => Self::new(),
            1 => vec![T::of(1)],
            amount => vec![T::of(amount), T::of(amount / 2)],
        }
    }

    fn amount(&self) -> i64 {
        self.first().map_or(0, T::amount)
    }
}

impl<T: Holds> Holds for BTreeMap<String, T> {
    fn of(amount: i64) -> Self {
        let keys = if amount == 0 { &[][..] } else { &["a", "b"] };
        keys.iter().map(|key| ((*key).to_owned(), T::of(amount))).collect()
    }

    fn amount(&self) -> i64 {
        self.values().next().map_or(0, T::amount)
    }
}

/// Grams, and a value that holds kilograms.
#[derive(Debug)]
pub(crate) struct Kilos;

impl<T: Holds> Converter<i64, T> for Kilos {
    fn upgrade(&self, older: i64) -> Result<T, ConvertError> {
        Ok(T::of(older / 1000))
    }

    fn downgrade(&self, newer: T) -> Result<i64, ConvertError> {
        Ok(newer.amount().saturating_mul(1000))
    }
}

/// Grams, and two values: one holds the kilograms, the other one hundreds of grams, if there are any.
#[derive(Debug)]
pub(crate) struct Split;

impl<A: Holds, B: Holds> Converter<Option<i64>, (Option<A>, Option<B>)> for Split {
    fn upgrade(&self, older: Option<i64>) -> Result<(Option<A>, Option<B>), ConvertError> {
        let Some(grams) = older else { return Ok((None, None)) };
        let rest = grams % 1000 / 100;
        Ok((Some(A::of(grams / 1000)), (rest != 0).then(|| B::of(rest))))
    }

    fn downgrade(&self, newer: (Option<A>, Option<B>)) -> Result<Option<i64>, ConvertError> {
        let (kilos, rest) =
            (newer.0.map(|kilos| kilos.amount()), newer.1.map(|rest| rest.amount()));
        if kilos.is_none() && rest.is_none() {
            return Ok(None);
        }
        let grams = |amount: Option<i64>, each| amount.unwrap_or(0).saturating_mul(each);
        Ok(Some(grams(kilos, 1000).saturating_add(grams(rest, 100))))
    }
}

/// Two values in another order. The second one shows only next to the first.
#[derive(Debug)]
pub(crate) struct Crossed;

impl<A, B> Converter<(Option<A>, Option<B>), (Option<B>, Option<A>)> for Crossed {
    fn upgrade(
        &self,
        (a, b): (Option<A>, Option<B>),
    ) -> Result<(Option<B>, Option<A>), ConvertError> {
        Ok((b.filter(|_| a.is_some()), a))
    }

    fn downgrade(
        &self,
        (b, a): (Option<B>, Option<A>),
    ) -> Result<(Option<A>, Option<B>), ConvertError> {
        Ok((a, b))
    }
}

/// Whether serde leaves out what it would fill in.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
