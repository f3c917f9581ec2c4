//! The parts of a text that its value doesn't show.

use std::{collections::HashMap, fmt, str::FromStr};

use serde_saphyr::granit_parser::{Event, Parser, options};
use yaml_edit::YamlFile;

use super::{What, YamlError};

/// A comment, an anchor or an alias.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// As it is written.
    text: String,
    /// From 1.
    pub(super) line: usize,
}

impl Mark {
    pub(super) fn is_alias(&self) -> bool {
        self.text.starts_with('*')
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.text.as_bytes().first() {
            Some(b'*') => "alias",
            Some(b'&') => "anchor",
            _ => "comment",
        };
        write!(f, "the {kind} `{}`", self.text)
    }
}

/// All marks of a text, the comments first.
pub(super) fn marks(yaml: &str) -> Result<Vec<Mark>, YamlError> {
    let failed = |error: &dyn fmt::Display| YamlError(error.to_string());
    let file = YamlFile::from_str(yaml).map_err(|error| failed(&error))?;
    let (mut counted, mut line) = (0, 1);
    let mut found: Vec<_> = file
        .comments()
        .map(|comment| {
            let start = comment.byte_range().start as usize;
            line += yaml.get(counted..start).map_or(0, |before| before.matches('\n').count());
            counted = start;
            Mark { text: comment.text().trim_end().to_owned(), line }
        })
        .collect();
    let options = options! { emit_anchor_events: true };
    for event in Parser::new_from_str_with_options(yaml, options) {
        let (event, span) = event.map_err(|error| failed(&error))?;
        if let (Event::Alias(_) | Event::Anchor(..), Some(text)) = (event, span.slice(yaml)) {
            found.push(Mark { text: text.to_owned(), line: span.start.line() });
        }
    }
    Ok(found)
}

/// The marks that aren't there any more, with their lines. Of equal ones, the first are lost.
pub(super) fn lost(before: &[Mark], after: &[Mark]) -> Vec<(usize, What)> {
    let mut missing = HashMap::<&str, usize>::new();
    for mark in before {
        *missing.entry(&mark.text).or_default() += 1;
    }
    for mark in after {
        if let Some(count) = missing.get_mut(&*mark.text) {
            *count = count.saturating_sub(1);
        }
    }
    let mut is_lost = |mark: &&Mark| {
        let count = missing.get_mut(&*mark.text).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    before
        .iter()
        .filter(|mark| is_lost(mark))
        .map(|mark| (mark.line, What::Lost(mark.clone())))
        .collect()
}
