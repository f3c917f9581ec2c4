//! What converters do, as functions on the JSON of fields.

use std::any::Any;
use std::ops::Range;

use smallvec::SmallVec;

use crate::converter::ConvertError;

/// Appends a value's JSON to the text. Returns `false` if serde would leave the field out.
pub(crate) type WriteFn = fn(&mut String) -> Result<bool, ConvertError>;

/// Converts one group of fields. The first argument is the JSON text of each input, in order, or
/// `None` if it is absent. The second one has the outputs as they were before a client edited the
/// inputs, if they are known.
pub(crate) type ConvertFn =
    fn(&[Option<&str>], Option<&[Option<&str>]>, &mut Values) -> Result<(), Fault>;

/// Returns what a group of fields shows if its converter refuses the other group.
pub(crate) type FallbackFn = fn(&mut Values) -> Result<(), Fault>;

/// What a converter does in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    pub(crate) convert: ConvertFn,
    pub(crate) fallback: Option<FallbackFn>,
    /// Why the converter may refuse values that the schema allows, in the author's words.
    pub refuses: Option<&'static str>,
}

impl Conversion {
    #[doc(hidden)]
    pub const fn new(convert: ConvertFn, fallback: Option<FallbackFn>) -> Self {
        Self { convert, fallback, refuses: None }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn refusing(mut self, why: &'static str) -> Self {
        self.refuses = Some(why);
        self
    }

    /// Returns the JSON that each field shows if the converter refuses. Returns `None` if there is
    /// no fallback, or if the fallback fails.
    #[cfg(feature = "schema")]
    pub(crate) fn shown_if_refused(&self) -> Option<Values> {
        let mut values = Values::default();
        self.fallback?(&mut values).ok()?;
        Some(values)
    }
}

/// The JSON of each field of a group, or `None` if the field is absent. Few groups have more than
/// four fields.
pub(crate) type Texts<'a> = SmallVec<[Option<&'a str>; 4]>;

/// The values of a converted group of fields, in the order of the mapping.
#[derive(Debug)]
pub struct Values {
    text: String,
    /// The position of each value in `text`, or `None` if serde leaves it out.
    spans: SmallVec<[Option<Range<usize>>; 4]>,
}

/// The texts of most groups are shorter.
const USUAL_TEXT: usize = 64;

impl Default for Values {
    fn default() -> Self {
        Self { text: String::with_capacity(USUAL_TEXT), spans: SmallVec::new() }
    }
}

impl<S: AsRef<str>> FromIterator<Option<S>> for Values {
    fn from_iter<I: IntoIterator<Item = Option<S>>>(texts: I) -> Self {
        let mut values = Self { text: String::new(), spans: SmallVec::new() };
        for (at, text) in texts.into_iter().enumerate() {
            values.spans.push(None);
            if let Some(text) = text {
                values.set(at, text.as_ref());
            }
        }
        values
    }
}

impl Values {
    /// Returns this number of absent values.
    pub(crate) fn absent(count: usize) -> Self {
        Self { text: String::new(), spans: SmallVec::from_elem(None, count) }
    }

    /// Returns the JSON of each value.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        self.spans.iter().map(|span| span.clone().map(|span| &self.text[span]))
    }

    /// Returns the JSON of a value.
    pub(crate) fn get(&self, at: usize) -> Option<&str> {
        self.spans.get(at)?.clone().map(|span| &self.text[span])
    }

    /// Replaces the JSON of a value.
    pub(crate) fn set(&mut self, at: usize, text: &str) {
        let start = self.text.len();
        if let Some(span) = self.spans.get_mut(at) {
            self.text.push_str(text);
            *span = Some(start..self.text.len());
        }
    }

    /// Appends the next value.
    ///
    /// # Errors
    ///
    /// Fails if `write` fails.
    pub fn push(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<bool, ConvertError>,
    ) -> Result<(), Fault> {
        let start = self.text.len();
        let written = write(&mut self.text);
        self.end(start, written)
    }

    /// This isn't part of `push`, because `push` is compiled for each type.
    fn end(&mut self, start: usize, written: Result<bool, ConvertError>) -> Result<(), Fault> {
        let there = written.map_err(Fault::Refused)?;
        if !there {
            self.text.truncate(start);
        }
        self.spans.push(there.then_some(start..self.text.len()));
        Ok(())
    }
}

/// Returns the message of a panic in the author's code.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Why a group of fields wasn't converted.
#[derive(Debug)]
pub enum Fault {
    /// The type of the input at this index can't hold the value.
    Unreadable(usize, ConvertError),
    /// The converter refused, or its result can't be written.
    Refused(ConvertError),
}
