//! Converters for absent values.

use crate::converter::Fill;
use crate::converter::{ConvertError, Converter};

/// A converter between a value that is always present, and one that is omitted if it is the
/// default: `T` and `Option<T>`.
///
/// An absent value means `T::default()`: `false`, `0`, or an empty text or list.
///
/// ```
/// use crd_conv::{Converter, with::ZeroAsAbsent};
///
/// assert_eq!(ZeroAsAbsent.upgrade(false)?, None);
/// let list: Vec<i32> = ZeroAsAbsent.downgrade(None)?;
/// assert!(list.is_empty());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// If the newer version has the zero written out, the written value is kept.
///
/// # Errors
///
/// None.
#[derive(Clone, Copy, Debug)]
pub struct ZeroAsAbsent;

impl<T: Default + PartialEq> Converter<T, Option<T>> for ZeroAsAbsent {
    fn upgrade(&self, older: T) -> Result<Option<T>, ConvertError> {
        Ok((older != T::default()).then_some(older))
    }

    fn downgrade(&self, newer: Option<T>) -> Result<T, ConvertError> {
        Ok(newer.unwrap_or_default())
    }
}

/// A converter between a value that may be absent, and one that is always present: `Option<T>` and
/// `T`.
///
/// The constant is the value that "absent" means. For a text it is a `&str`.
///
/// ```
/// use crd_conv::{Converter, with::AbsentIs};
///
/// let replicas: i32 = AbsentIs(3).upgrade(None)?;
/// assert_eq!(replicas, 3);
/// let class: String = AbsentIs("standard").upgrade(None::<String>)?;
/// assert_eq!(class, "standard");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// If the older version has the value written out, the written value is kept.
///
/// # Errors
///
/// None.
#[derive(Clone, Copy, Debug)]
pub struct AbsentIs<V>(pub V);

impl<T: PartialEq, V: Clone + Fill<T>> Converter<Option<T>, T> for AbsentIs<V> {
    fn upgrade(&self, older: Option<T>) -> Result<T, ConvertError> {
        Ok(older.unwrap_or_else(|| self.0.clone().into_value()))
    }

    fn downgrade(&self, newer: T) -> Result<Option<T>, ConvertError> {
        Ok((newer != self.0.clone().into_value()).then_some(newer))
    }
}

/// A converter like [`AbsentIs`] that also shows the value in the version with the `Option`.
///
/// If an object of the other version has the constant as its value, the version with the `Option`
/// shows it, too. Use it for clients that don't know what absent means.
///
/// ```
/// use crd_conv::{Converter, with::AbsentBecomes};
///
/// let class: String = AbsentBecomes("standard").upgrade(None::<String>)?;
/// assert_eq!(class, "standard");
/// let shown: Option<String> = AbsentBecomes("standard").downgrade("standard".to_owned())?;
/// assert_eq!(shown.as_deref(), Some("standard"));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// If the value is absent in the older version, its absence is kept.
///
/// # Errors
///
/// None.
#[derive(Clone, Copy, Debug)]
pub struct AbsentBecomes<V>(pub V);

impl<T, V: Clone + Fill<T>> Converter<Option<T>, T> for AbsentBecomes<V> {
    fn upgrade(&self, older: Option<T>) -> Result<T, ConvertError> {
        Ok(older.unwrap_or_else(|| self.0.clone().into_value()))
    }

    fn downgrade(&self, newer: T) -> Result<Option<T>, ConvertError> {
        Ok(Some(newer))
    }
}

/// A converter between a boolean and a struct that is present or absent: `bool` or `Option<bool>`,
/// and `Option<S>`.
///
/// A new struct is `S::default()`.
///
/// ```
/// use crd_conv::{Converter, with::Presence};
///
/// #[derive(Default, Debug, PartialEq)]
/// struct Tls { secret: Option<String> }
///
/// let tls: Option<Tls> = Presence.upgrade(true)?;
/// assert_eq!(tls, Some(Tls { secret: None }));
/// assert!(!Presence.downgrade(None::<Tls>)?);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// The contents of the struct are kept while the boolean stays `true`.
///
/// # Errors
///
/// None.
#[derive(Clone, Copy, Debug)]
pub struct Presence;

impl<S: Default> Converter<bool, Option<S>> for Presence {
    fn upgrade(&self, older: bool) -> Result<Option<S>, ConvertError> {
        Ok(older.then(S::default))
    }

    fn downgrade(&self, newer: Option<S>) -> Result<bool, ConvertError> {
        Ok(newer.is_some())
    }
}

impl<S: Default> Converter<Option<bool>, Option<S>> for Presence {
    fn upgrade(&self, older: Option<bool>) -> Result<Option<S>, ConvertError> {
        Ok(older.unwrap_or_default().then(S::default))
    }

    fn downgrade(&self, newer: Option<S>) -> Result<Option<bool>, ConvertError> {
        Ok(newer.map(|_| true))
    }
}
