//! Conversions of Rust values, by the same engine.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::complement::Unrestored;
use crate::engine::{Direction, Stop, Tally, convert_object};
use crate::plan::Nested;
use crate::{error::ConversionError, versioned::UpgradeFrom};

/// The kept values of a Rust value: those that its new type can't express.
///
/// A complement belongs to the value that it was returned with. The empty one,
/// [`Complement::default`], is for a value that never had another version.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// let old = v1::Spec { size: 3, owner: Some("ada".to_owned()) };
/// let new = crd_conv::upgrade::<v2::Spec>(&old)?;
/// assert!(!new.complement.is_empty());
/// // You can store it next to the value. It serializes as a map of strings.
/// let stored = serde_json::to_string(&new.complement).unwrap();
/// assert_eq!(serde_json::from_str::<crd_conv::Complement>(&stored).unwrap(), new.complement);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Complement(BTreeMap<String, String>);

impl Complement {
    /// Returns whether nothing had to be kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A converted value, its complement, and the entries that were not restored.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// use crd_conv::{Typed, upgrade};
///
/// let Typed { value, complement, unrestored, .. } =
///     upgrade::<v2::Spec>(&v1::Spec { size: 3, owner: Some("ada".to_owned()) })?;
/// assert_eq!(value.replicas, 3);
/// assert!(!complement.is_empty() && unrestored.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Typed<T> {
    /// The value.
    pub value: T,
    /// The values that its type can't express.
    pub complement: Complement,
    /// The entries of an earlier complement that were not restored.
    pub unrestored: Unrestored,
}

/// A type of the version before `Newer`, which [`upgrade`] takes.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// use crd_conv::{ConversionError, OlderThan, upgrade};
/// use serde::de::DeserializeOwned;
///
/// /// Reads a file of either version.
/// fn newest<N: DeserializeOwned, O: DeserializeOwned + OlderThan<N>>(json: &str) -> Result<N, ConversionError> {
///     if let Ok(new) = serde_json::from_str(json) {
///         return Ok(new);
///     }
///     let old: O = serde_json::from_str(json).map_err(|error| ConversionError::Syntax(error.to_string()))?;
///     Ok(upgrade(&old)?.value)
/// }
/// assert_eq!(newest::<v2::Spec, v1::Spec>(r#"{"size":3}"#)?.replicas, 3);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't the version before `{Newer}`, so it can't be upgraded to `{Newer}`",
    label = "no mapping from this to `{Newer}`",
    note = "if `{Newer}` came from this type, write `#[versioned(from = …)]` on it; if there are versions between the two, convert one \
            version at a time"
)]
pub trait OlderThan<Newer>: Serialize {
    /// Returns the rules between the two types.
    #[doc(hidden)]
    fn plan() -> Nested;
}

#[diagnostic::do_not_recommend]
impl<O: Serialize, N: UpgradeFrom<O>> OlderThan<N> for O {
    fn plan() -> Nested {
        N::plan()
    }
}

/// A type of the version after `Older`, which [`downgrade`] takes.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// use crd_conv::{ConversionError, NewerThan, downgrade};
///
/// /// What users of the older version get to see.
/// fn as_v1(new: &impl NewerThan<v1::Spec>) -> Result<v1::Spec, ConversionError> {
///     Ok(downgrade(new)?.value)
/// }
/// assert_eq!(as_v1(&v2::Spec { replicas: 3 })?.size, 3);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't the version after `{Older}`, so it can't be downgraded to `{Older}`",
    label = "no mapping from `{Older}` to this",
    note = "if this type came from `{Older}`, write `#[versioned(from = …)]` on it; if there are versions between the two, convert one \
            version at a time"
)]
pub trait NewerThan<Older>: Serialize {
    /// Returns the rules between the two types.
    #[doc(hidden)]
    fn plan() -> Nested;
}

#[diagnostic::do_not_recommend]
impl<O, N: UpgradeFrom<O> + Serialize> NewerThan<O> for N {
    fn plan() -> Nested {
        <N as UpgradeFrom<O>>::plan()
    }
}

/// Converts a value to the newer version's type.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// let old = v1::Spec { size: 3, owner: Some("ada".to_owned()) };
/// let mut new = crd_conv::upgrade::<v2::Spec>(&old)?;
/// assert_eq!(new.value.replicas, 3);
///
/// new.value.replicas = 4;
/// let old = crd_conv::downgrade_with::<v1::Spec>(&new.value, &new.complement)?.value;
/// assert_eq!((old.size, old.owner.as_deref()), (4, Some("ada")));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if a converter refuses the value, or if the newer type can't hold the result.
pub fn upgrade<N: DeserializeOwned>(
    older: &impl OlderThan<N>,
) -> Result<Typed<N>, ConversionError> {
    upgrade_with(older, &Complement::default())
}

/// Converts a value to the newer version's type, like [`upgrade`], with the complement that it was
/// returned with.
///
/// Use it for a value that was converted from the newer version before.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// let new = v2::Spec { replicas: 3 };
/// let old = crd_conv::downgrade::<v1::Spec>(&new)?;
/// let new = crd_conv::upgrade_with::<v2::Spec>(&old.value, &old.complement)?;
/// assert_eq!(new.value.replicas, 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails in the same cases as [`upgrade`].
pub fn upgrade_with<N: DeserializeOwned>(
    older: &impl OlderThan<N>,
    complement: &Complement,
) -> Result<Typed<N>, ConversionError> {
    convert(older, plan_from(older), Direction::Upgrade, complement)
}

fn plan_from<O: OlderThan<N>, N>(_: &O) -> Nested {
    O::plan()
}

/// Converts a value to the older version's type.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// let old = crd_conv::downgrade::<v1::Spec>(&v2::Spec { replicas: 3 })?.value;
/// assert_eq!((old.size, old.owner), (3, None));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if a converter refuses the value, or if the older type can't hold the result.
pub fn downgrade<O: DeserializeOwned>(
    newer: &impl NewerThan<O>,
) -> Result<Typed<O>, ConversionError> {
    downgrade_with(newer, &Complement::default())
}

/// Converts a value to the older version's type, like [`downgrade`], with the complement that it
/// was returned with.
///
/// Use it for a value that was converted from the older version before.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// let old = v1::Spec { size: 3, owner: Some("ada".to_owned()) };
/// let new = crd_conv::upgrade::<v2::Spec>(&old)?;
/// let old = crd_conv::downgrade_with::<v1::Spec>(&new.value, &new.complement)?.value;
/// assert_eq!(old.owner.as_deref(), Some("ada"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails in the same cases as [`downgrade`].
pub fn downgrade_with<O: DeserializeOwned>(
    newer: &impl NewerThan<O>,
    complement: &Complement,
) -> Result<Typed<O>, ConversionError> {
    convert(newer, plan_to(newer), Direction::Downgrade, complement)
}

fn plan_to<N: NewerThan<O>, O>(_: &N) -> Nested {
    N::plan()
}

/// A value in the form of an object. The engine finds the value and its complement in the usual
/// places.
#[derive(Deserialize)]
struct Object<T> {
    metadata: Metadata,
    value: T,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    annotations: Complement,
}

fn convert<T: DeserializeOwned>(
    value: &impl Serialize,
    plan: Nested,
    direction: Direction,
    complement: &Complement,
) -> Result<Typed<T>, ConversionError> {
    let unfit = |error: serde_json::Error| ConversionError::Value {
        type_name: std::any::type_name::<T>(),
        reason: error.to_string(),
    };
    let mut tally = Tally::default();
    let entries = serde_json::to_string(complement).map_err(unfit)?;
    let value = serde_json::to_string(value).map_err(unfit)?;
    let out =
        convert_object(plan, direction, &value, &entries, &mut tally).map_err(
            |stop| match stop {
                Stop::Syntax(error) => ConversionError::from(error),
                Stop::Missing(_) | Stop::Excess(_) => ConversionError::Value {
                    type_name: std::any::type_name::<T>(),
                    reason: "the complement doesn't belong to a value".to_owned(),
                },
                Stop::Field { failure, .. } => ConversionError::Value {
                    type_name: std::any::type_name::<T>(),
                    reason: format!(
                        "`{}`: {}",
                        failure.field.trim_start_matches("value."),
                        failure.reason
                    ),
                },
            },
        )?;
    let Object { metadata, value } = serde_json::from_str(&out).map_err(unfit)?;
    Ok(Typed { value, complement: metadata.annotations, unrestored: tally.unrestored })
}
