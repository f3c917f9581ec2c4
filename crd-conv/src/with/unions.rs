//! Between several fields and one union of them.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{Members, from_value, to_value};
use crate::converter::{ConvertError, Converter};

/// Several optional fields of which one is set, and an enum with a variant for each: a tuple of `Option`s and an enum, or
/// an `Option` of an enum. The names are those of the variants in JSON, in the order of the fields.
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
/// For serde's other representations write `OneOf::new([…]).tag("type")` and `.content("value")` besides.
///
/// # Errors
///
/// Several of the fields are set, or none and the enum isn't an `Option`; the enum is of a variant that isn't named; or
/// one of the types can't hold what becomes of the other one.
#[derive(Clone, Copy, Debug)]
pub struct OneOf<const COUNT: usize> {
    names: [&'static str; COUNT],
    tag: Option<&'static str>,
    content: Option<&'static str>,
}

impl<const COUNT: usize> OneOf<COUNT> {
    /// Of these variants, without a tag: `{"git": …}`.
    pub const fn new(names: [&'static str; COUNT]) -> Self {
        Self { names, tag: None, content: None }
    }

    /// With a tag beside the variant's fields: `{"type": "git", …}`.
    #[must_use]
    pub const fn tag(self, tag: &'static str) -> Self {
        Self { tag: Some(tag), ..self }
    }

    /// With a name for what the variant holds, beside the tag: `{"type": "git", "value": …}`.
    #[must_use]
    pub const fn content(self, content: &'static str) -> Self {
        Self { content: Some(content), ..self }
    }

    fn join(&self, fields: [Value; COUNT]) -> Result<Value, ConvertError> {
        let set = self.names.iter().zip(fields).filter(|(_, value)| !value.is_null());
        let set: Vec<_> = set.collect();
        match <[_; 1]>::try_from(set) {
            Ok([(name, value)]) => self.variant(name, value),
            Err(set) if set.is_empty() => Ok(Value::Null),
            Err(set) => {
                let names: Vec<_> = set.iter().map(|(name, _)| format!("`{name}`")).collect();
                Err(format!("only one of {} can be set", names.join(", ")).into())
            }
        }
    }

    fn variant(&self, name: &str, value: Value) -> Result<Value, ConvertError> {
        let members = match (self.tag, self.content, value) {
            (None, _, value) => Members::from_iter([(name.to_owned(), value)]),
            (Some(tag), Some(content), value) => {
                Members::from_iter([(tag.to_owned(), name.into()), (content.to_owned(), value)])
            }
            (Some(tag), None, Value::Object(mut fields)) => {
                if fields.insert(tag.to_owned(), name.into()).is_some() {
                    return Err(format!("`{name}` has a `{tag}` of its own").into());
                }
                fields
            }
            (Some(_), None, other) => {
                return Err(format!("only an object has fields beside a tag, not `{other}`").into());
            }
        };
        Ok(Value::Object(members))
    }

    fn split(&self, union: Value) -> Result<[Value; COUNT], ConvertError> {
        let mut fields = [const { Value::Null }; COUNT];
        let (name, value) = match (self.tag, union) {
            (_, Value::Null) => return Ok(fields),
            (None, Value::Object(members)) if members.len() == 1 => {
                members.into_iter().next().ok_or("an empty union")?
            }
            (Some(tag), Value::Object(mut members)) => {
                let Some(Value::String(name)) = members.remove(tag) else {
                    return Err(format!("a union without its tag `{tag}`").into());
                };
                let value = match self.content {
                    Some(content) => members.remove(content).unwrap_or_default(),
                    None => Value::Object(members),
                };
                (name, value)
            }
            (_, other) => return Err(format!("expected a union, not `{other}`").into()),
        };
        match self.names.iter().position(|known| *known == name) {
            Some(_) if value.is_null() => Err(format!("`{name}` holds nothing").into()),
            Some(at) => {
                fields[at] = value;
                Ok(fields)
            }
            None => {
                let known: Vec<_> = self.names.iter().map(|name| format!("`{name}`")).collect();
                Err(format!("expected one of {}, not `{name}`", known.join(", ")).into())
            }
        }
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
                        { let names: Vec<_> = self.names.iter().map(|name| format!("`{name}`")).collect(); format!("one of {} must be set", names.join(", ")).into() }
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

/// A kind and a value, and an enum with a variant for each kind that holds the value: `(K, V)` and an enum. The pairs are
/// the kinds and the variants, both as in JSON.
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
/// A kind or a variant that isn't named, or one of the types can't hold what becomes of the other one.
#[derive(Clone, Copy, Debug)]
pub struct ByKind(pub &'static [(&'static str, &'static str)]);

impl<K, V, U> Converter<(K, V), U> for ByKind
where
    K: Serialize + DeserializeOwned,
    V: Serialize + DeserializeOwned,
    U: Serialize + DeserializeOwned,
{
    fn upgrade(&self, (kind, value): (K, V)) -> Result<U, ConvertError> {
        let kind = to_value(&kind)?;
        let Some((_, variant)) = self.0.iter().find(|(known, _)| kind == *known) else {
            let known: Vec<_> = self.0.iter().map(|(kind, _)| format!("`{kind}`")).collect();
            return Err(format!("expected one of {}, not `{kind}`", known.join(", ")).into());
        };
        from_value(Value::Object(Members::from_iter([((*variant).to_owned(), to_value(&value)?)])))
    }

    fn downgrade(&self, newer: U) -> Result<(K, V), ConvertError> {
        let Value::Object(members) = to_value(&newer)? else {
            return Err("expected an enum whose variants hold a value".into());
        };
        let mut members = members.into_iter();
        let (Some((variant, value)), None) = (members.next(), members.next()) else {
            return Err("expected an enum without a tag".into());
        };
        let Some((kind, _)) = self.0.iter().find(|(_, known)| *known == variant) else {
            return Err(format!("no kind is named for `{variant}`").into());
        };
        Ok((from_value((*kind).into())?, from_value(value)?))
    }
}
