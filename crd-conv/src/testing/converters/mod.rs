//! How converters treat the values in objects.
//!
//! Most laws can't judge an object that a converter refuses, so a converter that refuses all of
//! them would break none. The law *total* and the table of converters look at each value.

mod meetings;

use std::fmt;

use meetings::Outcome;
pub(super) use meetings::{Meeting, meetings};

use super::pair::Pair;
use crate::table::Table;

/// How a converter treated the values that were drawn for its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConverterUse {
    /// The versions between which it converts, in this direction.
    pub pair: Pair,
    /// The field that it takes, or the first of several. This is the path in the object, with `[]`
    /// for the items of a list and `*` for the keys of a map.
    pub field: String,
    /// The converter as the author named it.
    pub converter: &'static str,
    /// The number of values that it accepted. Null, `[]` and `{}` aren't counted, because
    /// converters that accept nothing else accept these.
    pub taken: u32,
    /// The number of values that it refused, or that its types couldn't read.
    pub refused: u32,
    /// The number of these at which it panicked.
    pub panicked: u32,
    /// The shortest value that it refused or panicked at, as JSON. If there are several fields, it
    /// is an object of them.
    pub refused_value: Option<String>,
    /// The reason why it refused that value.
    pub refusal: Option<String>,
    /// Whether the mapping has a `fallback` in this direction.
    pub fallback: bool,
    /// The reason why it may refuse values, if its author gives one with `refuses`.
    pub refuses: Option<&'static str>,
}

impl ConverterUse {
    /// Returns whether it breaks the law *total*.
    ///
    /// It does so in these cases:
    ///
    /// - It panics.
    /// - It refuses a value without a `fallback`, unless its author allows that with `refuses`.
    /// - There were values for it and it accepted none, whatever its author declares.
    pub fn breaks_total(&self) -> bool {
        let excused = self.refuses.is_some() && self.taken > 0;
        self.panicked > 0 || (self.refused > 0 && !self.fallback && !excused)
    }
}

/// Writes what the converter accepted or refused, in a sentence without a full stop.
impl fmt::Display for ConverterUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pair, field, converter, taken, refused, panicked, .. } = self;
        let all = taken + refused;
        write!(f, "`{field}`, {pair}: the converter `{converter}` ")?;
        let (Some(value), Some(why)) = (&self.refused_value, &self.refusal) else {
            return write!(f, "accepts {taken} of {all} values");
        };
        let how = if *panicked > 0 { "panics on" } else { "refuses" };
        let count = if *panicked > 0 { panicked } else { refused };
        write!(f, "{how} {count} of {all} values, such as {value}: {why}")
    }
}

/// Returns a table of how many values each converter accepted and refused, and what a refusal leads
/// to.
pub(crate) fn table(uses: &[ConverterUse]) -> String {
    if uses.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    table.push(["converter", "field", "versions", "values", "refused", "if refused"]);
    for used in uses {
        let ConverterUse { pair, field, converter, taken, refused, fallback, refuses, .. } = used;
        let counts = [taken + refused, *refused].map(|count| count.to_string());
        let then = match refuses {
            Some(why) => why,
            None if *fallback => "fallback",
            None => "",
        };
        let texts = [(*converter).to_owned(), field.clone(), pair.to_string()];
        table.push(texts.into_iter().chain(counts).chain([then.to_owned()]));
    }
    table.lines().into_iter().fold(String::new(), |text, line| text + &line + "\n")
}

/// Counts how converters treat the values in an object.
pub(super) fn count(meetings: Vec<Meeting>, pair: Pair, uses: &mut Vec<ConverterUse>) {
    for Meeting { field, converter, value, absent, conversion, outcome } in meetings {
        let known = uses.iter().position(|known| (known.pair, &known.field) == (pair, &field));
        let known = known.unwrap_or_else(|| {
            uses.push(ConverterUse {
                pair,
                field,
                converter,
                taken: 0,
                refused: 0,
                panicked: 0,
                refused_value: None,
                refusal: None,
                fallback: conversion.fallback.is_some(),
                refuses: conversion.refuses,
            });
            uses.len() - 1
        });
        let known = &mut uses[known];
        let panics = matches!(outcome, Outcome::Panicked(_));
        let (Outcome::Refused(why) | Outcome::Panicked(why)) = outcome else {
            let says_little = absent || matches!(value.as_str(), "null" | "[]" | "{}");
            known.taken += u32::from(!says_little);
            continue;
        };
        let shorter = known.refused_value.as_ref().is_none_or(|known| value.len() < known.len());
        // A panic says more than a refusal.
        if (panics && known.panicked == 0) || (shorter && (panics || known.panicked == 0)) {
            (known.refused_value, known.refusal) = (Some(value), Some(why));
        }
        known.refused += 1;
        known.panicked += u32::from(panics);
    }
}
