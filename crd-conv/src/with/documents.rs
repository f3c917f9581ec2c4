//! Between a text that holds data, and the data.

use serde::{Serialize, de::DeserializeOwned};

use crate::converter::{ConvertError, Converter};

/// A text that holds JSON, and what it holds: `String` and any type.
///
/// How the text was written is kept.
///
/// ```
/// use crd_conv::{Converter, with::JsonText};
///
/// let list: Vec<i32> = JsonText.upgrade("[ 1, 2 ]".to_owned())?;
/// assert_eq!(list, [1, 2]);
/// assert_eq!(JsonText.downgrade(list)?, "[1,2]");
/// // Never empty data in the place of what can't be read.
/// assert!(Converter::<String, Vec<i32>>::upgrade(&JsonText, String::new()).is_err());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// The text isn't JSON, or not of this type. A `fallback` keeps one such text from failing a whole list.
#[derive(Clone, Copy, Debug)]
pub struct JsonText;

impl<T: Serialize + DeserializeOwned> Converter<String, T> for JsonText {
    fn upgrade(&self, older: String) -> Result<T, ConvertError> {
        Ok(serde_json::from_str(&older)?)
    }

    fn downgrade(&self, newer: T) -> Result<String, ConvertError> {
        Ok(serde_json::to_string(&newer)?)
    }
}

/// A text that holds YAML, and what it holds: `String` and any type.
///
/// How the text was written is kept, comments too, while nobody edits the data.
///
/// ```
/// use crd_conv::{Converter, with::YamlText};
///
/// let list: Vec<i32> = YamlText.upgrade("- 1 # one\n- 2\n".to_owned())?;
/// assert_eq!(list, [1, 2]);
/// assert_eq!(YamlText.downgrade(list)?, "- 1\n- 2\n");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// The text isn't one YAML document, or not of this type: an empty text is none. A `fallback` keeps one such text from
/// failing a whole list.
#[cfg(feature = "yaml")]
#[derive(Clone, Copy, Debug)]
pub struct YamlText;

#[cfg(feature = "yaml")]
impl<T: Serialize + DeserializeOwned> Converter<String, T> for YamlText {
    fn upgrade(&self, older: String) -> Result<T, ConvertError> {
        let documents = crate::yaml::to_json(&older)?;
        let [document] = &documents[..] else {
            return Err(format!("expected one document, not {}", documents.len()).into());
        };
        Ok(serde_json::from_str(document)?)
    }

    fn downgrade(&self, newer: T) -> Result<String, ConvertError> {
        Ok(crate::yaml::to_string(&newer)?)
    }
}
