//! Converters between several fields and a union of them.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{Members, from_value, listed, names, to_value};
use super::sides::{Newer, NothingOfNone};
use crate::converter::{ConvertError, Converter};

/// A converter between several optional fields of which one is set, and an enum with a variant for
/// each.
///
/// The fields are a tuple of `Option`s. The other side is an enum, or an `Option` of an enum. The
/// names are those of the variants in JSON, in the order of the fields.
///
/// ```
/// use crd_conv::{Converter, with::OneOf};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// #[serde(rename_all = "camelCase")]
/// enum Source { Git(Git), Path(String) }
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// struct Git { url: String }
///
/// const SOURCE: OneOf<2> = OneOf::new(["git", "path"]);
/// let git = || Git { url: "https://example.com".into() };
/// let source: Source = SOURCE.upgrade((Some(git()), None::<String>))?;
/// assert_eq!(source, Source::Git(git()));
/// let fields: (Option<Git>, Option<String>) = SOURCE.downgrade(Source::Path("/".into()))?;
/// assert_eq!(fields, (None, Some("/".into())));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// For serde's other representations, also call `.tag("type")` and `.content("value")` after
/// `OneOf::new([…])`.
///
/// # Errors
///
/// Fails in these cases:
///
/// - Several of the fields are set.
/// - None of the fields is set, and the enum isn't an `Option`.
/// - The enum has a variant that isn't named.
/// - One of the types can't hold the other one's value.
#[derive(Clone, Copy, Debug)]
pub struct OneOf<const COUNT: usize> {
    names: [&'static str; COUNT],
    tag: Option<&'static str>,
    content: Option<&'static str>,
}

impl<const COUNT: usize> OneOf<COUNT> {
    /// Makes a converter for these variants, without a tag: `{"git": …}`.
    pub const fn new(names: [&'static str; COUNT]) -> Self {
        Self { names, tag: None, content: None }
    }

    /// Adds a tag next to the variant's fields: `{"type": "git", …}`.
    #[must_use]
    pub const fn tag(self, tag: &'static str) -> Self {
        Self { tag: Some(tag), ..self }
    }

    /// Adds a name for the variant's content, next to the tag: `{"type": "git", "value": …}`.
    #[must_use]
    pub const fn content(self, content: &'static str) -> Self {
        Self { content: Some(content), ..self }
    }

    const fn tagging(&self) -> Tagging {
        match (self.tag, self.content) {
            (None, _) => Tagging::External,
            (Some(tag), None) => Tagging::Internal(tag),
            (Some(tag), Some(content)) => Tagging::Adjacent(tag, content),
        }
    }

    fn join(&self, fields: [Value; COUNT]) -> Result<Value, ConvertError> {
        let set = self.names.iter().zip(fields).filter(|(_, value)| !value.is_null());
        let set: Vec<_> = set.collect();
        match <[_; 1]>::try_from(set) {
            Ok([(name, value)]) => self.tagging().join((*name).to_owned(), Some(value)),
            Err(set) if set.is_empty() => Ok(Value::Null),
            Err(set) => {
                let names = listed(set.iter().map(|(name, _)| name));
                Err(format!("only one of {names} can be set").into())
            }
        }
    }

    fn split(&self, union: Value) -> Result<[Value; COUNT], ConvertError> {
        let mut fields = [const { Value::Null }; COUNT];
        if union.is_null() {
            return Ok(fields);
        }
        let (name, value) = self.tagging().split(union)?;
        let Some(at) = self.names.iter().position(|known| *known == name) else {
            return Err(format!("expected one of {}, not `{name}`", listed(self.names)).into());
        };
        fields[at] = value
            .filter(|value| !value.is_null())
            .ok_or_else(|| format!("`{name}` has no value"))?;
        Ok(fields)
    }
}

macro_rules! one_of {
    ($count:literal: $($field:ident)*) => {
        impl<U, $($field),*> Converter<($(Option<$field>,)*), U> for OneOf<$count>
        where
            U: Serialize + DeserializeOwned,
            $($field: Serialize + DeserializeOwned,)*
        {
            #[expect(non_snake_case, reason = "named as their types")]
            fn upgrade(&self, ($($field,)*): ($(Option<$field>,)*)) -> Result<U, ConvertError> {
                match self.join([$(to_value(&$field)?),*])? {
                    Value::Null => from_value(Value::Null).map_err(|_: ConvertError| {
                        format!("one of {} must be set", listed(self.names)).into()
                    }),
                    union => from_value(union),
                }
            }

            #[expect(non_snake_case, reason = "named as their types")]
            fn downgrade(&self, newer: U) -> Result<($(Option<$field>,)*), ConvertError> {
                let [$($field),*] = self.split(to_value(&newer)?)?;
                Ok(($(from_value($field)?,)*))
            }
        }
    };
}

one_of!(2: A B);
one_of!(3: A B C);
one_of!(4: A B C D);
one_of!(5: A B C D E);
one_of!(6: A B C D E F);

/// A converter between a kind with a value, and an enum with a variant for each kind that holds the
/// value: `(K, V)` and an enum.
///
/// The pairs are the kinds and the variants, both as in JSON.
///
/// ```
/// use crd_conv::{Converter, with::ByKind};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// #[serde(rename_all = "camelCase")]
/// enum Reference { Secret(String), ConfigMap(String) }
///
/// const REFERENCE: ByKind = ByKind(&[("Secret", "secret"), ("ConfigMap", "configMap")]);
/// let name = || "web".to_owned();
/// let reference: Reference = REFERENCE.upgrade(("ConfigMap".to_owned(), name()))?;
/// assert_eq!(reference, Reference::ConfigMap(name()));
/// assert_eq!(REFERENCE.downgrade(Reference::Secret(name()))?, ("Secret".to_owned(), name()));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails for a kind or a variant that isn't named, or if one of the types can't hold the other
/// one's value.
#[derive(Clone, Copy, Debug)]
pub struct ByKind(pub &'static [(&'static str, &'static str)]);

impl NothingOfNone<Newer> for ByKind {}

impl<K, V, U> Converter<(K, V), U> for ByKind
where
    K: Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
    U: Serialize + DeserializeOwned,
{
    fn upgrade(&self, (kind, value): (K, V)) -> Result<U, ConvertError> {
        let (kind, value) = (to_value(&kind)?, to_value(&value)?);
        // Between `Option`s, `None` becomes `None`. So does a group that is incomplete.
        if (kind.is_null() || value.is_null())
            && let Ok(none) = from_value(Value::Null)
        {
            return Ok(none);
        }
        let Some((_, variant)) = self.0.iter().find(|(known, _)| kind == *known) else {
            let known = listed(self.0.iter().map(|(kind, _)| kind));
            return Err(format!("expected one of {known}, not `{kind}`").into());
        };
        from_value(Value::Object(Members::from_iter([((*variant).to_owned(), value)])))
    }

    fn downgrade(&self, newer: U) -> Result<(K, V), ConvertError> {
        let newer = to_value(&newer)?;
        if newer.is_null() {
            return Ok((from_value(Value::Null)?, from_value(Value::Null)?));
        }
        let (variant, value) = Tagging::External.split(newer)?;
        let value = value.ok_or_else(|| format!("`{variant}` has no value"))?;
        let Some((kind, _)) = self.0.iter().find(|(_, known)| *known == variant) else {
            return Err(format!("the converter has no kind for `{variant}`").into());
        };
        Ok((from_value((*kind).into())?, from_value(value)?))
    }
}

/// How serde writes an enum whose variants have content.
#[derive(Clone, Copy, Debug)]
pub enum Tagging {
    /// The variant's name around its content, serde's default: `{"s3": {…}}`. A variant without
    /// content is `"s3"`.
    External,
    /// A tag next to the variant's fields, `#[serde(tag = "type")]`: `{"type": "s3", …}`.
    Internal(&'static str),
    /// A tag and a name for the variant's content, `#[serde(tag = "type", content = "config")]`:
    /// `{"type": "s3", "config": {…}}`.
    Adjacent(&'static str, &'static str),
}

impl Tagging {
    /// Writes a variant. `value` is `None` for a variant without content.
    fn join(self, name: String, value: Option<Value>) -> Result<Value, ConvertError> {
        let members = match (self, value) {
            (Self::External, None) => return Ok(name.into()),
            (Self::External, Some(value)) => Members::from_iter([(name, value)]),
            (Self::Internal(tag) | Self::Adjacent(tag, _), None) => {
                Members::from_iter([(tag.to_owned(), name.into())])
            }
            (Self::Internal(tag), Some(Value::Object(mut fields))) => {
                if fields.contains_key(tag) {
                    return Err(format!(
                        "`{name}` already has a field `{tag}`, which is for the tag"
                    )
                    .into());
                }
                fields.insert(tag.to_owned(), name.into());
                fields
            }
            (Self::Internal(tag), Some(other)) => {
                return Err(format!(
                    "`{name}` has the value `{other}`, but next to the tag `{tag}` only the fields of an object fit"
                )
                .into());
            }
            (Self::Adjacent(tag, content), Some(value)) => {
                Members::from_iter([(tag.to_owned(), name.into()), (content.to_owned(), value)])
            }
        };
        Ok(Value::Object(members))
    }

    /// Returns the variant's name and its content. With an internal tag, the content is the other
    /// fields.
    fn split(self, union: Value) -> Result<(String, Option<Value>), ConvertError> {
        let mut members = match (self, union) {
            (Self::External, Value::String(name)) => return Ok((name, None)),
            (_, Value::Object(members)) => members,
            (_, other) => return Err(format!("expected a union, not `{other}`").into()),
        };
        let (Self::Internal(tag) | Self::Adjacent(tag, _)) = self else {
            let found = names(&members);
            let mut members = members.into_iter();
            return match (members.next(), members.next()) {
                (Some((name, value)), None) => Ok((name, Some(value))),
                _ => Err(format!("expected one variant, found {found}").into()),
            };
        };
        let name = match members.remove(tag) {
            Some(Value::String(name)) => name,
            Some(other) => {
                return Err(format!("the tag `{tag}` must be a string, not `{other}`").into());
            }
            None => {
                return Err(
                    format!("the union has no tag `{tag}`, only {}", names(&members)).into()
                );
            }
        };
        let Self::Adjacent(_, content) = self else {
            return Ok((name, Some(Value::Object(members))));
        };
        let value = members.remove(content);
        if members.is_empty() {
            return Ok((name, value));
        }
        Err(format!("expected only `{tag}` and `{content}`, but found {}, too", names(&members))
            .into())
    }
}

/// A converter between two serde representations of the same enum. The first one is that of the
/// older version.
///
/// A representation is the variant's name around its content, a tag next to the fields, or a tag
/// and a name for the content.
///
/// ```
/// use crd_conv::{Converter, with::{Retagged, Tagging}};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// enum Older { S3 { bucket: String }, Memory }
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// #[serde(rename_all = "camelCase", tag = "type")]
/// enum Newer { S3 { bucket: String }, Memory }
///
/// // `{"s3": {"bucket": "a"}}` and `{"type": "s3", "bucket": "a"}`
/// const STORE: Retagged = Retagged(Tagging::External, Tagging::Internal("type"));
/// let store: Newer = STORE.upgrade(Older::S3 { bucket: "a".into() })?;
/// assert_eq!(store, Newer::S3 { bucket: "a".into() });
/// // `"memory"` and `{"type": "memory"}`
/// let store: Newer = STORE.upgrade(Older::Memory)?;
/// assert_eq!(store, Newer::Memory);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// The variants have the same names in JSON. The fields inside them stay as they are.
///
/// # Errors
///
/// Fails in these cases:
///
/// - The value doesn't have the named representation.
/// - A variant holds a plain value or a list, or has a field with the tag's name, and the other
///   representation is a tag next to the fields.
/// - The other type can't hold the variant.
#[derive(Clone, Copy, Debug)]
pub struct Retagged(pub Tagging, pub Tagging);

impl<Version> NothingOfNone<Version> for Retagged {}

impl<O, N> Converter<O, N> for Retagged
where
    O: Serialize + DeserializeOwned,
    N: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        retag(&older, self.0, self.1)
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        retag(&newer, self.1, self.0)
    }
}

fn retag<A: Serialize, B: DeserializeOwned>(
    union: &A,
    from: Tagging,
    to: Tagging,
) -> Result<B, ConvertError> {
    let union = to_value(union)?;
    // Between two `Option`s, `None` becomes `None`.
    if union.is_null() {
        return from_value(union);
    }
    let (name, value) = from.split(union)?;
    // A tag alone doesn't tell a variant without content from one without fields. Only the type
    // tells.
    let alone = matches!((from, &value), (Tagging::Internal(_), Some(Value::Object(fields))) if fields.is_empty());
    let made = from_value(to.join(name.clone(), value)?);
    if !alone {
        return made;
    }
    made.or_else(|error| from_value(to.join(name, None)?).map_err(|_: ConvertError| error))
}
