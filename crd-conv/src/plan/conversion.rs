//! What converters do, as functions over the JSON of fields.

use crate::converter::ConvertError;

/// Appends a value's JSON to the text; `false` says that serde would leave the field out.
pub(crate) type WriteFn = fn(&mut String) -> Result<bool, ConvertError>;

/// Converts one group of fields: the JSON text of each input, in order, `None` where it is absent. The second are the
/// outputs as they were before a client edited the inputs, if they are known.
pub(crate) type ConvertFn =
    fn(&[Option<&str>], Option<&[Option<&str>]>, &mut Values) -> Result<(), Fault>;

/// What a group of fields shows if its converter refuses the others.
pub(crate) type FallbackFn = fn(&mut Values) -> Result<(), Fault>;

/// What a converter does in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    pub(crate) convert: ConvertFn,
    pub(crate) fallback: Option<FallbackFn>,
}

impl Conversion {
    #[doc(hidden)]
    pub const fn new(convert: ConvertFn, fallback: Option<FallbackFn>) -> Self {
        Self { convert, fallback }
    }

    /// The JSON of each field if the converter refuses, if that is said.
    #[cfg(feature = "cli")]
    pub(crate) fn shown_if_refused(&self) -> Option<Vec<Option<String>>> {
        let mut values = Values::default();
        self.fallback?(&mut values).ok()?;
        Some(values.texts().map(|text| text.map(str::to_owned)).collect())
    }
}

/// What a converted group of fields came to, in the order of the mapping.
#[derive(Debug, Default)]
pub struct Values {
    text: String,
    /// Where each value ends in `text`, and whether it is there at all.
    ends: Vec<(usize, bool)>,
}

impl Values {
    /// The JSON of each value, `None` for one that serde leaves out.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, there)| {
            let text = &self.text[std::mem::replace(&mut start, end)..end];
            there.then_some(text)
        })
    }

    /// Appends the next value.
    ///
    /// # Errors
    ///
    /// What `write` fails with.
    pub fn push(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<bool, ConvertError>,
    ) -> Result<(), Fault> {
        let written = write(&mut self.text);
        self.end(written)
    }

    /// Apart from `push`, which is compiled for each type.
    fn end(&mut self, written: Result<bool, ConvertError>) -> Result<(), Fault> {
        let start = self.ends.last().map_or(0, |&(end, _)| end);
        let there = written.map_err(Fault::Refused)?;
        if !there {
            self.text.truncate(start);
        }
        self.ends.push((self.text.len(), there));
        Ok(())
    }
}

/// Why a group of fields wasn't converted.
#[derive(Debug)]
pub enum Fault {
    /// The type of the input at this place can't hold the value.
    Unreadable(usize, ConvertError),
    /// The converter refused, or its result can't be written.
    Refused(ConvertError),
}
