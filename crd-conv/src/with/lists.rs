//! Converters between a value, a list of values, and a struct around a value.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{Members, from_value, members_if_any, names, to_value};
use super::sides::{Newer, NothingOfNone};
use crate::converter::{ConvertError, Converter};

/// A converter between a value and a list that starts with it: `T` or `Option<T>`, and `Vec<T>` or
/// `Option<Vec<T>>`.
///
/// The other items of the list are kept, even if the first one is edited. For an empty list, an
/// `Option` is `None`.
///
/// ```
/// use crd_conv::{Converter, with::First};
///
/// assert_eq!(First.upgrade(80)?, [80]);
/// let first: i32 = First.downgrade(vec![80, 443])?;
/// assert_eq!(first, 80);
/// assert_eq!(First.upgrade_edited(8080, vec![80, 443])?, [8080, 443]);
/// // One object or none, and a list.
/// let none: Option<i32> = First.downgrade(Vec::<i32>::new())?;
/// assert_eq!(none, None);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails for an empty list, which has no first item, unless the value is an `Option`.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl<T> Converter<T, Vec<T>> for First {
    fn upgrade(&self, older: T) -> Result<Vec<T>, ConvertError> {
        Ok(vec![older])
    }

    fn downgrade(&self, newer: Vec<T>) -> Result<T, ConvertError> {
        newer.into_iter().next().ok_or_else(|| "an empty list has no first item".into())
    }

    fn upgrade_edited(&self, older: T, before: Vec<T>) -> Result<Vec<T>, ConvertError> {
        Ok(std::iter::once(older).chain(before.into_iter().skip(1)).collect())
    }
}

impl<T> Converter<Option<T>, Vec<T>> for First {
    fn upgrade(&self, older: Option<T>) -> Result<Vec<T>, ConvertError> {
        Ok(older.into_iter().collect())
    }

    fn downgrade(&self, newer: Vec<T>) -> Result<Option<T>, ConvertError> {
        Ok(newer.into_iter().next())
    }

    fn upgrade_edited(&self, older: Option<T>, before: Vec<T>) -> Result<Vec<T>, ConvertError> {
        // The list becomes empty. If only its first item were removed, its second item would be
        // shown as a value that nobody wrote.
        older.map_or_else(|| Ok(Vec::new()), |older| self.upgrade_edited(older, before))
    }
}

impl<T> Converter<Option<T>, Option<Vec<T>>> for First {
    fn upgrade(&self, older: Option<T>) -> Result<Option<Vec<T>>, ConvertError> {
        Ok(older.map(|older| vec![older]))
    }

    fn downgrade(&self, newer: Option<Vec<T>>) -> Result<Option<T>, ConvertError> {
        Ok(newer.and_then(|newer| newer.into_iter().next()))
    }

    fn upgrade_edited(
        &self,
        older: Option<T>,
        before: Option<Vec<T>>,
    ) -> Result<Option<Vec<T>>, ConvertError> {
        let before = before.unwrap_or_default();
        older.map(|older| self.upgrade_edited(older, before)).transpose()
    }
}

/// A converter between a value, and a struct that has it in a field. Give the field's name in JSON.
///
/// The other fields of the struct are kept, even if the value is edited. It must be possible to
/// make the struct from the value alone: its other fields are `Option`s or have defaults.
///
/// ```
/// use crd_conv::{Converter, with::{Each, First, Then, Wrapped}};
///
/// #[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
/// struct Port {
///     number: i32,
///     name: Option<String>,
/// }
///
/// let port: Port = Wrapped("number").upgrade(80)?;
/// assert_eq!(port, Port { number: 80, name: None });
///
/// // Wrapped items: `[80, 443]` and `[{number: 80}, {number: 443}]`.
/// let ports: Vec<Port> = Each(Wrapped("number")).upgrade(vec![80, 443])?;
/// assert_eq!(ports[1].number, 443);
///
/// // `80` and `[{number: 80}]`.
/// let ports = Then::<_, _, Port>::new(Wrapped("number"), First);
/// assert_eq!(ports.upgrade(80)?, [port]);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails if the type of the struct or of the value can't hold the other one's value.
#[derive(Clone, Copy, Debug)]
pub struct Wrapped(pub &'static str);

impl NothingOfNone<Newer> for Wrapped {}

impl<T, S> Converter<T, S> for Wrapped
where
    T: Serialize + DeserializeOwned,
    S: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: T) -> Result<S, ConvertError> {
        wrap(self.0, &older, Members::new())
    }

    fn downgrade(&self, newer: S) -> Result<T, ConvertError> {
        let name = self.0;
        let Some(mut members) = members_if_any(&newer)? else { return from_value(Value::Null) };
        match members.remove(name) {
            Some(value) => from_value(value).map_err(|error| format!("{name}: {error}").into()),
            None => from_value(Value::Null).map_err(|_: ConvertError| {
                format!("the struct has no `{name}`, only {}", names(&members)).into()
            }),
        }
    }

    fn upgrade_edited(&self, older: T, before: S) -> Result<S, ConvertError> {
        wrap(self.0, &older, members_if_any(&before)?.unwrap_or_default())
    }
}

fn wrap<T: Serialize, S: DeserializeOwned>(
    name: &str,
    value: &T,
    mut others: Members,
) -> Result<S, ConvertError> {
    let value = to_value(value)?;
    // Between two `Option`s, `None` becomes `None`.
    if value.is_null()
        && let Ok(none) = from_value(Value::Null)
    {
        return Ok(none);
    }
    others.insert(name.to_owned(), value);
    from_value(Value::Object(others))
        .map_err(|error| format!("no struct can be made with `{name}`: {error}").into())
}

/// A converter between a map of labels and a label selector.
///
/// The map is a `BTreeMap<String, String>`. The selector is a struct with `matchLabels` and,
/// optionally, `matchExpressions`. These are the names in JSON.
///
/// The expressions are kept, even if the labels are edited. The older version can't show them:
/// there, such a selector seems to select more than it does.
///
/// ```
/// use std::collections::BTreeMap;
/// use crd_conv::{Converter, with::MatchLabels};
/// use serde_json::{Value, json};
///
/// let labels = BTreeMap::from([("app".to_owned(), "web".to_owned())]);
/// let selector: Value = MatchLabels.upgrade(labels.clone())?;
/// assert_eq!(selector, json!({"matchLabels": {"app": "web"}}));
/// let shown: BTreeMap<String, String> = MatchLabels.downgrade(selector)?;
/// assert_eq!(shown, labels);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// Source: `LabelSelector` of `k8s.io/apimachinery/pkg/apis/meta/v1`.
///
/// # Errors
///
/// Fails if the struct's type can't hold these fields.
#[derive(Clone, Copy, Debug)]
pub struct MatchLabels;

const MATCH_LABELS: Wrapped = Wrapped("matchLabels");

impl<L, S> Converter<L, S> for MatchLabels
where
    L: Serialize + DeserializeOwned + Default,
    S: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: L) -> Result<S, ConvertError> {
        MATCH_LABELS.upgrade(older)
    }

    fn downgrade(&self, newer: S) -> Result<L, ConvertError> {
        let labels: Option<L> = MATCH_LABELS.downgrade(newer)?;
        Ok(labels.unwrap_or_default())
    }

    fn upgrade_edited(&self, older: L, before: S) -> Result<S, ConvertError> {
        MATCH_LABELS.upgrade_edited(older, before)
    }
}
