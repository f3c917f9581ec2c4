//! Converters between a list and a map by a key.

use std::collections::{BTreeMap, HashSet};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{Members, from_value, members, names, to_value};
use crate::converter::{ConvertError, Converter};

/// A converter between a list of structs, and a map of the same structs without one field, keyed by
/// that field: `Vec<A>` and `BTreeMap<String, B>`.
///
/// The field is a string. Name it as in JSON.
///
/// The order of the list is kept. After an edit of the map, the items stay in their order, and new
/// ones follow in the order of their keys.
///
/// ```
/// use std::collections::BTreeMap;
/// use crd_conv::{Converter, with::KeyedBy};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// struct Named { name: String, weight: i32 }
///
/// #[derive(Serialize, Deserialize)]
/// struct Unnamed { weight: i32 }
///
/// let list = || vec![Named { name: "b".into(), weight: 1 }, Named { name: "a".into(), weight: 2 }];
/// let map: BTreeMap<String, Unnamed> = KeyedBy("name").upgrade(list())?;
/// assert_eq!(map["a"].weight, 2);
/// assert_eq!(KeyedBy("name").downgrade_edited(map, list())?, list());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// For a map that becomes a list, write `Inverse(KeyedBy("name"))`. For a map of plain values, use
/// [`Pairs`].
///
/// # Errors
///
/// Fails in these cases:
///
/// - Two items have the same key, because a map would lose one of them.
/// - An item has no such field, or the field isn't a string.
/// - One of the types can't hold the other one's value.
#[derive(Clone, Copy, Debug)]
pub struct KeyedBy(pub &'static str);

impl<A, B> Converter<Vec<A>, BTreeMap<String, B>> for KeyedBy
where
    A: Serialize + DeserializeOwned,
    B: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: Vec<A>) -> Result<BTreeMap<String, B>, ConvertError> {
        to_map(&older, |item| {
            let mut rest = members(item)?;
            let key = take_key(self.0, &mut rest)?;
            Ok((key, Value::Object(rest)))
        })
    }

    fn downgrade(&self, newer: BTreeMap<String, B>) -> Result<Vec<A>, ConvertError> {
        to_list(&newer, Vec::new(), |key, value| item_of(self.0, key, members(value)?))
    }

    fn downgrade_edited(
        &self,
        newer: BTreeMap<String, B>,
        before: Vec<A>,
    ) -> Result<Vec<A>, ConvertError> {
        let order = keys(self.0, &before)?;
        to_list(&newer, order, |key, value| item_of(self.0, key, members(value)?))
    }
}

/// A converter between a list of structs with two fields, and a map from one field to the other:
/// `Vec<A>` and `BTreeMap<String, V>`.
///
/// Name the fields as in JSON. The first one is a string.
///
/// ```
/// use std::collections::BTreeMap;
/// use crd_conv::{Converter, with::Pairs};
/// use serde_json::{Value, json};
///
/// let list = || vec![json!({"name": "LANG", "value": "C"}), json!({"name": "HOME", "value": "/"})];
/// let map: BTreeMap<String, String> = Pairs("name", "value").upgrade(list())?;
/// assert_eq!(map["HOME"], "/");
/// assert_eq!(Pairs("name", "value").downgrade_edited(map, list())?, list());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// The other fields of an item are kept, as [`KeyedBy`] keeps the order, until somebody edits the
/// map.
///
/// # Errors
///
/// The errors of [`KeyedBy`].
#[derive(Clone, Copy, Debug)]
pub struct Pairs(pub &'static str, pub &'static str);

impl<A, V> Converter<Vec<A>, BTreeMap<String, V>> for Pairs
where
    A: Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: Vec<A>) -> Result<BTreeMap<String, V>, ConvertError> {
        to_map(&older, |item| {
            let mut fields = members(item)?;
            let key = take_key(self.0, &mut fields)?;
            Ok((key, fields.remove(self.1).unwrap_or_default()))
        })
    }

    fn downgrade(&self, newer: BTreeMap<String, V>) -> Result<Vec<A>, ConvertError> {
        to_list(&newer, Vec::new(), |key, value| self.item(key, value))
    }

    fn downgrade_edited(
        &self,
        newer: BTreeMap<String, V>,
        before: Vec<A>,
    ) -> Result<Vec<A>, ConvertError> {
        to_list(&newer, keys(self.0, &before)?, |key, value| self.item(key, value))
    }
}

impl Pairs {
    fn item<A: DeserializeOwned, V: Serialize>(
        &self,
        key: &str,
        value: &V,
    ) -> Result<A, ConvertError> {
        item_of(self.0, key, Members::from_iter([(self.1.to_owned(), to_value(value)?)]))
    }
}

fn take_key(name: &str, members: &mut Members) -> Result<String, ConvertError> {
    match members.remove(name) {
        Some(Value::String(key)) => Ok(key),
        Some(other) => Err(format!("the key `{name}` must be a string, not `{other}`").into()),
        None => {
            let found = names(members);
            Err(format!("an item has no key `{name}`, only {found}").into())
        }
    }
}

fn keys<A: Serialize>(name: &str, items: &[A]) -> Result<Vec<String>, ConvertError> {
    items.iter().map(|item| take_key(name, &mut members(item)?)).collect()
}

fn item_of<A: DeserializeOwned>(
    name: &str,
    key: &str,
    mut members: Members,
) -> Result<A, ConvertError> {
    if members.insert(name.to_owned(), key.into()).is_some() {
        return Err(
            format!("`{key}` already has a field `{name}`, which is for the map's key").into()
        );
    }
    from_value(Value::Object(members)).map_err(|error| format!("`{key}`: {error}").into())
}

fn to_map<A, V: DeserializeOwned>(
    items: &[A],
    split: impl Fn(&A) -> Result<(String, Value), ConvertError>,
) -> Result<BTreeMap<String, V>, ConvertError> {
    let mut map = BTreeMap::new();
    for item in items {
        let (key, value) = split(item)?;
        let value = from_value(value).map_err(|error| format!("`{key}`: {error}"))?;
        if map.contains_key(&key) {
            return Err(
                format!("the list has `{key}` twice, but a map can have it only once").into()
            );
        }
        map.insert(key, value);
    }
    Ok(map)
}

/// The items that the list had before come first, in their old order.
fn to_list<A, V>(
    map: &BTreeMap<String, V>,
    order: Vec<String>,
    join: impl Fn(&str, &V) -> Result<A, ConvertError>,
) -> Result<Vec<A>, ConvertError> {
    let mut seen = HashSet::new();
    let first: Vec<_> = order
        .into_iter()
        .filter_map(|key| map.get_key_value(&key))
        .filter(|(key, _)| seen.insert(*key))
        .collect();
    let others = map.iter().filter(|(key, _)| !seen.contains(key));
    first.into_iter().chain(others).map(|(key, value)| join(key, value)).collect()
}
