//! What stands for a value that isn't there.

use crate::__private::Fill;
use crate::converter::{ConvertError, Converter};

/// A value that is always there, and one that is left out where it would say nothing: `T` and `Option<T>`, where nothing
/// is `T::default()`: `false`, `0`, an empty text or list.
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
/// Whether a zero was written in the newer version is kept.
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

/// A value that may be absent, and one that is always there: `Option<T>` and `T`, where the constant says what absent
/// means. For a text that is a `&str`.
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
/// Whether the value was written in the older version is kept.
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

/// The same as [`AbsentIs`], but the version with the `Option` shows the value, too, where an object of the other version has it: for clients
/// that don't know what absent means.
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
/// That the older version had nothing is kept.
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

/// A truth value, and a struct that is there or isn't: `bool` or `Option<bool>`, and `Option<S>`. A struct that is made
/// is `S::default()`.
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
/// What is in the struct is kept while the truth value stays `true`.
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
