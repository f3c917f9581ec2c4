//! Converters that replace values by a table.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{from_value, members_if_any, to_value};
use super::sides::{NothingOfNone, TextIn};
use crate::converter::{ConvertError, Converter};

/// A value in a [`Table`]: a text, an integer or a boolean, as it is in JSON.
pub trait Plain: Copy {
    #[doc(hidden)]
    fn to_json(self) -> Value;
}

impl Plain for &'static str {
    fn to_json(self) -> Value {
        self.into()
    }
}

impl Plain for i64 {
    fn to_json(self) -> Value {
        self.into()
    }
}

impl Plain for bool {
    fn to_json(self) -> Value {
        self.into()
    }
}

/// A converter that replaces values by a table of pairs, the older value on the left.
///
/// Values are texts, integers, booleans, or enums of plain names, each as it is in JSON.
///
/// Several pairs may share a value. The first of them then decides the result, and the original
/// value is kept.
///
/// ```
/// use crd_conv::{Converter, with::Table};
///
/// const LEVELS: Table<i64, &str> = Table(&[(0, "Low"), (1, "Low"), (2, "High")]);
/// let level: String = LEVELS.upgrade(1)?;
/// assert_eq!(level, "Low");
/// let level: i64 = LEVELS.downgrade("High".to_owned())?;
/// assert_eq!(level, 2);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// An enum with `Versioned` in both versions declares this itself, variant by variant.
///
/// # Errors
///
/// Fails for a value that isn't in the table. [`Renamed`] leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub struct Table<A: 'static, B: 'static>(pub &'static [(A, B)]);

impl<A, B, Version> NothingOfNone<Version> for Table<A, B> {}

impl<A, B, O, N> Converter<O, N> for Table<A, B>
where
    A: Plain,
    B: Plain,
    O: Serialize + DeserializeOwned,
    N: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        look_up(&older, self.0.iter().map(|(older, newer)| (older.to_json(), newer.to_json())))
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        look_up(&newer, self.0.iter().map(|(older, newer)| (newer.to_json(), older.to_json())))
    }
}

fn look_up<A: Serialize, B: DeserializeOwned>(
    value: &A,
    pairs: impl Iterator<Item = (Value, Value)> + Clone,
) -> Result<B, ConvertError> {
    let value = to_value(value)?;
    if let Some((_, to)) = pairs.clone().find(|(from, _)| *from == value) {
        return from_value(to);
    }
    // Between two `Option`s, `None` becomes `None`.
    if value.is_null()
        && let Ok(none) = from_value(Value::Null)
    {
        return Ok(none);
    }
    let mut known: Vec<String> = pairs.map(|(from, _)| format!("`{from}`")).collect();
    known.dedup();
    Err(format!("expected one of {}, not `{value}`", known.join(", ")).into())
}

/// A converter that renames texts by a table of pairs, the older name on the left. It leaves all
/// other texts as they are.
///
/// ```
/// use crd_conv::{Converter, with::Renamed};
///
/// const MODES: Renamed = Renamed(&[("WhenUnderutilized", "WhenEmptyOrUnderutilized")]);
/// let mode: String = MODES.upgrade("WhenUnderutilized".to_owned())?;
/// assert_eq!(mode, "WhenEmptyOrUnderutilized");
/// let mode: String = MODES.upgrade("WhenEmpty".to_owned())?;
/// assert_eq!(mode, "WhenEmpty");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails if the other version's type can't hold the text.
#[derive(Clone, Copy, Debug)]
pub struct Renamed(pub &'static [(&'static str, &'static str)]);

impl<Version> TextIn<Version> for Renamed {}
impl<Version> NothingOfNone<Version> for Renamed {}

impl<O, N> Converter<O, N> for Renamed
where
    O: Serialize + DeserializeOwned,
    N: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        let value = to_value(&older)?;
        let renamed = self.0.iter().find(|(older, _)| value == *older);
        from_value(renamed.map_or(value.clone(), |(_, newer)| (*newer).into()))
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        let value = to_value(&newer)?;
        let renamed = self.0.iter().find(|(_, newer)| value == *newer);
        from_value(renamed.map_or(value.clone(), |(older, _)| (*older).into()))
    }
}

/// A converter for one field inside a struct, by its name in JSON. All other fields stay as they
/// are.
///
/// ```
/// use crd_conv::{Converter, with::{Each, InField, Renamed}};
/// use serde_json::{Value, json};
///
/// // A condition has another type.
/// let conditions = Each(InField("type", Renamed(&[("Ready", "Available")])));
/// let older: Vec<Value> = vec![json!({"type": "Ready", "status": "True"}), json!({"type": "Synced"})];
/// let newer: Vec<Value> = conditions.upgrade(older)?;
/// assert_eq!(newer[0], json!({"type": "Available", "status": "True"}));
/// assert_eq!(newer[1], json!({"type": "Synced"}));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// A struct with `Versioned` in both versions declares this at the field itself, with `with = …`.
///
/// # Errors
///
/// The errors of the field's converter. Also fails if the struct's type can't hold the result. A
/// struct without the field stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct InField<C>(pub &'static str, pub C);

impl<C, Version> NothingOfNone<Version> for InField<C> {}

impl<C, O, N> Converter<O, N> for InField<C>
where
    C: Converter<Value, Value>,
    O: Serialize + DeserializeOwned,
    N: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        in_field(self.0, &older, |value| self.1.upgrade(value))
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        in_field(self.0, &newer, |value| self.1.downgrade(value))
    }
}

fn in_field<A: Serialize, B: DeserializeOwned>(
    name: &str,
    value: &A,
    convert: impl FnOnce(Value) -> Result<Value, ConvertError>,
) -> Result<B, ConvertError> {
    let Some(mut members) = members_if_any(value)? else { return from_value(Value::Null) };
    if let Some(value) = members.get_mut(name) {
        *value = convert(value.take()).map_err(|error| format!("{name}: {error}"))?;
    }
    from_value(Value::Object(members))
}
