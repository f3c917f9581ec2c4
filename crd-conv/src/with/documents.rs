//! Converters between a text that holds data, and the data.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{from_text, from_value, text_if_any};
use super::sides::{NothingOfNone, Older, TextIn};
use crate::converter::{ConvertError, Converter};

/// A converter between a text that holds JSON, and the data in it.
///
/// The text is any type that is a string in JSON, such as `String`. The data is any type. The
/// original text is kept.
///
/// ```
/// use crd_conv::{Converter, with::JsonText};
///
/// let list: Vec<i32> = JsonText.upgrade("[ 1, 2 ]".to_owned())?;
/// assert_eq!(list, [1, 2]);
/// let text: String = JsonText.downgrade(list)?;
/// assert_eq!(text, "[1,2]");
/// // Never empty data in the place of what can't be read.
/// assert!(Converter::<String, Vec<i32>>::upgrade(&JsonText, String::new()).is_err());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails if the text isn't JSON, or if the JSON isn't of this type. With a `fallback`, one such
/// text doesn't make a whole list fail.
#[derive(Clone, Copy, Debug)]
pub struct JsonText;

impl TextIn<Older> for JsonText {}
impl NothingOfNone<Older> for JsonText {}

impl<S, T> Converter<S, T> for JsonText
where
    S: Serialize + DeserializeOwned,
    T: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: S) -> Result<T, ConvertError> {
        read(&older, |text| Ok(serde_json::from_str(text)?))
    }

    fn downgrade(&self, newer: T) -> Result<S, ConvertError> {
        write(&newer, |newer| Ok(serde_json::to_string(newer)?))
    }
}

fn read<S: Serialize, T: DeserializeOwned>(
    text: &S,
    parse: impl FnOnce(&str) -> Result<T, ConvertError>,
) -> Result<T, ConvertError> {
    // Between two `Option`s, `None` becomes `None`.
    text_if_any(text)?.map_or_else(|| from_value(Value::Null), |text| parse(&text))
}

fn write<T: Serialize, S: DeserializeOwned>(
    data: &T,
    format: impl FnOnce(&T) -> Result<String, ConvertError>,
) -> Result<S, ConvertError> {
    let text = format(data)?;
    // Between two `Option`s, `None` becomes `None`. A `String` can't be `None`, and holds `null`.
    if text.trim_end() == "null"
        && let Ok(none) = from_value(Value::Null)
    {
        return Ok(none);
    }
    from_text(text)
}

/// A converter between a text that holds YAML, and the data in it.
///
/// The text is any type that is a string in JSON, such as `String`. The data is any type. The
/// original text is kept with its comments, until somebody edits the data.
///
/// ```
/// use crd_conv::{Converter, with::YamlText};
///
/// let list: Vec<i32> = YamlText.upgrade("- 1 # one\n- 2\n".to_owned())?;
/// assert_eq!(list, [1, 2]);
/// let text: String = YamlText.downgrade(list)?;
/// assert_eq!(text, "- 1\n- 2\n");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails if the text isn't exactly one YAML document (an empty text has none), or if the document
/// isn't of this type. With a `fallback`, one such text doesn't make a whole list fail.
#[cfg(feature = "yaml")]
#[derive(Clone, Copy, Debug)]
pub struct YamlText;

#[cfg(feature = "yaml")]
impl TextIn<Older> for YamlText {}
#[cfg(feature = "yaml")]
impl NothingOfNone<Older> for YamlText {}

#[cfg(feature = "yaml")]
impl<S, T> Converter<S, T> for YamlText
where
    S: Serialize + DeserializeOwned,
    T: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: S) -> Result<T, ConvertError> {
        read(&older, |text| {
            let documents = crate::yaml::to_json(text)?;
            let [document] = &documents[..] else {
                return Err(format!("expected one document, not {}", documents.len()).into());
            };
            Ok(serde_json::from_str(document)?)
        })
    }

    fn downgrade(&self, newer: T) -> Result<S, ConvertError> {
        write(&newer, |newer| Ok(crate::yaml::to_string(newer)?))
    }
}
