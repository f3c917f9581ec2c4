//! Changes values in a YAML text, and keeps its comments and its formatting.

mod apply;
mod marks;
mod matching;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use yaml_edit::{Document, YamlFile};

use super::{error::YamlError, from_json, node::Node, to_json};
use marks::{Mark, lost, marks};

/// A text whose documents have new values.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// What is lost in the documents that only can be written as a whole.
    pub(crate) obstacles: Vec<Obstacle>,
}

/// A reason why a document can't be changed in its place.
#[derive(Debug, PartialEq)]
pub(crate) struct Obstacle {
    /// The number of the document, from 1. Empty documents don't count.
    pub(crate) document: usize,
    /// The line in the whole text, from 1.
    pub(crate) line: usize,
    what: What,
}

#[derive(Debug, PartialEq)]
enum What {
    Lost(Mark),
    /// The edited text has another value, or none can be made, and there is an alias.
    Shared,
    /// The same without an alias.
    Different,
}

/// Writes what is lost if the document is written as a whole.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Lost(mark) => mark.fmt(f),
            What::Shared => f.write_str("an alias of a value that changes"),
            What::Different => f.write_str("the formatting of this document"),
        }
    }
}

/// Gives each document its new value. `old` is what [`to_json`] makes of the text.
///
/// All lines stay that don't have to change. A document with an obstacle stays as it is. If
/// `is_forced`, it is written as a whole.
///
/// # Errors
///
/// Fails if the documents can't be told apart, or if no text has these values.
pub(crate) fn edit(
    yaml: &str,
    old: &[String],
    new: &[String],
    is_forced: bool,
) -> Result<Edited, YamlError> {
    let (mut text, mut copied) = (String::with_capacity(yaml.len()), 0);
    let mut obstacles = Vec::new();
    let mut expected = old.to_vec();
    let mut values = old.iter().zip(new).enumerate();
    let file = YamlFile::from_str(yaml)
        .map_err(|error| YamlError(format!("this text can't be changed in place: {error}")))?;
    let documents: Vec<_> = file
        .documents()
        .map(|document| {
            let range = document.byte_range();
            (document, range.start as usize..range.end as usize)
        })
        .collect();
    for (document, range) in documents {
        let part = yaml.get(range.clone()).ok_or_else(apart)?;
        let found = to_json(part).map_err(|_| apart())?;
        let found = match &*found {
            [] => continue,
            [found] => found,
            _ => return Err(apart()),
        };
        let (place, (old, new)) = values.next().ok_or_else(apart)?;
        if found != old {
            return Err(apart());
        }
        if old == new {
            continue;
        }
        let change = Change { document, text: part, old: node(old)?, new: node(new)? };
        let edited = match change.edited()? {
            Ok(edited) => edited,
            Err(found) => {
                let written = if is_forced { Some(change.whole(new)?) } else { None };
                let lines = yaml[..range.start].matches('\n').count();
                let found = match &written {
                    // Much more is lost than the obstacle.
                    Some(written) => Some(lost(&marks(part)?, &marks(written)?))
                        .filter(|lost| !lost.is_empty())
                        .unwrap_or(found),
                    None => found,
                };
                obstacles.extend(found.into_iter().map(|(line, what)| Obstacle {
                    document: place + 1,
                    line: lines + line,
                    what,
                }));
                match written {
                    Some(written) => written,
                    None => continue,
                }
            }
        };
        expected[place].clone_from(new);
        text += &yaml[copied..range.start];
        text += &edited;
        copied = range.end;
    }
    text += &yaml[copied..];
    if values.next().is_some() || !reads_as(&text, &expected) {
        return Err(apart());
    }
    Ok(Edited { text, obstacles })
}

fn apart() -> YamlError {
    YamlError("the documents of the file can't be changed one by one".to_owned())
}

fn node(json: &str) -> Result<Node, YamlError> {
    super::from_json::document(json)
}

/// Whether a text has these values. The order of keys is free.
fn reads_as(yaml: &str, expected: &[String]) -> bool {
    let Ok(found) = to_json(yaml) else { return false };
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            found == expected
                || node(found)
                    .is_ok_and(|found| node(expected).is_ok_and(|expected| found.same(&expected)))
        })
}

/// A document and its new value.
struct Change<'y> {
    document: Document,
    text: &'y str,
    old: Node,
    new: Node,
}

impl Change<'_> {
    /// The edited text, or the lines with obstacles.
    fn edited(&self) -> Result<Result<String, Vec<(usize, What)>>, YamlError> {
        let before = marks(self.text)?;
        let is_done = apply::document(&self.document, &self.old, &self.new)?;
        let edited = self.document.to_string();
        if !is_done || !self.is_right(&edited) {
            // An alias is the most likely reason.
            let alias = before.iter().find(|mark| mark.is_alias());
            let (line, what) = match alias {
                Some(alias) => (alias.line, What::Shared),
                None => (self.first_line(), What::Different),
            };
            return Ok(Err(vec![(line, what)]));
        }
        let after = marks(&edited)?;
        let lost = lost(&before, &after);
        Ok(if lost.is_empty() { Ok(edited) } else { Err(lost) })
    }

    fn is_right(&self, edited: &str) -> bool {
        let Ok(found) = to_json(edited) else { return false };
        matches!(&*found, [found] if node(found).is_ok_and(|found| found.same(&self.new)))
    }

    /// The document as a new text below its first comments.
    fn whole(&self, new: &str) -> Result<String, YamlError> {
        let mut text: String =
            self.text.split_inclusive('\n').take_while(|line| is_before(line)).collect();
        if !text.contains("---") && self.text.starts_with("---") {
            text += "---\n";
        }
        let written = from_json(new)?;
        let is_dos = self.text.contains("\r\n");
        text += &if is_dos { written.replace('\n', "\r\n") } else { written };
        Ok(text)
    }

    fn first_line(&self) -> usize {
        1 + self.text.split_inclusive('\n').take_while(|line| is_before(line)).count()
    }
}

/// Whether a line at the start of a document is before its value.
fn is_before(line: &str) -> bool {
    let line = line.trim();
    let rest = line.strip_prefix("---").map_or(line, str::trim_start);
    rest.is_empty() || rest.starts_with('#')
}
