//! Reads documents from files.

use std::io::Read;
use std::path::Path;

use serde_json::value::RawValue;

use super::args::Format;
pub(super) use crate::folders::{Files, with_folders};
use crate::yaml;

/// Reads a file, or standard input if there is no file.
pub(super) fn read(file: Option<&Path>, stdin: &mut dyn Read) -> Result<Vec<u8>, String> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else {
        let mut bytes = Vec::new();
        stdin
            .read_to_end(&mut bytes)
            .map_err(|error| format!("can't read standard input: {error}"))?;
        return Ok(bytes);
    };
    std::fs::read(file).map_err(|error| format!("can't read `{}`: {error}", file.display()))
}

/// Whether YAML has comments, as far as that is visible without parsing it. Quotes over several
/// lines aren't recognized.
pub(super) fn has_comments(text: &str) -> bool {
    // The indentation of the line whose block text continues below it.
    let mut block: Option<usize> = None;
    text.lines().any(|line| {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        if content.is_empty() || block.is_some_and(|start| indent > start) {
            return false;
        }
        let (code, has_comment) = before_comment(content);
        let header = code.trim_end().rsplit([' ', ':']).next().unwrap_or_default();
        let is_header = header.starts_with(['|', '>'])
            && header[1..].bytes().all(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9'));
        block = is_header.then_some(indent);
        has_comment
    })
}

/// Splits a line of YAML from its comment. Returns the code, and whether there is a comment: a `#`
/// at the start or after a space, outside of quotes.
fn before_comment(line: &str) -> (&str, bool) {
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    for (at, char) in line.char_indices() {
        match quote {
            // In double quotes, a backslash escapes the next character. In single quotes, two
            // quotes are one. They end the text and begin it again.
            Some(open) => {
                if char == open && !escaped {
                    quote = None;
                }
                escaped = open == '"' && char == '\\' && !escaped;
            }
            None if char == '#' && before.is_whitespace() => return (&line[..at], true),
            // In other places, a quote is an ordinary character, as in `it's`.
            None if matches!(char, '"' | '\'')
                && (before.is_whitespace() || before == char || "[{,:".contains(before)) =>
            {
                quote = Some(char);
            }
            None => {}
        }
        before = char;
    }
    (line, false)
}

/// A file's name in messages.
pub(super) fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        format!("`{}`", file.display())
    }
}

/// Returns the documents as JSON, and their original format. JSON isn't changed by a single byte.
pub(super) fn documents(input: &[u8]) -> Result<(Vec<String>, Format), String> {
    let text = text(input)?;
    parsed(text).map_err(|error| match template_line(text) {
        Some(line) => format!(
            "line {line} has `{{{{`, so this is a template that isn't rendered yet: pass on the output of `helm template`"
        ),
        None => error,
    })
}

/// Does the same, but a document in YAML that can't be read doesn't hide the others. There is an
/// error for each, with its line in the whole text.
pub(super) fn each_document(input: &[u8]) -> Vec<Result<String, String>> {
    match documents(input) {
        Ok((documents, _)) => documents.into_iter().map(Ok).collect(),
        Err(error) => text(input).ok().and_then(apart).unwrap_or_else(|| vec![Err(error)]),
    }
}

/// Reads the documents of a text in YAML one by one. Returns `None` if there is only one.
///
/// Source: `splitYAMLDocument` in `pkg/util/yaml/decoder.go` of `k8s.io/apimachinery`.
fn apart(text: &str) -> Option<Vec<Result<String, String>>> {
    let mut starts = vec![(0, 0)];
    let mut at = 0;
    for (line, written) in text.split_inclusive('\n').enumerate() {
        if at > 0 && written.starts_with("---") {
            starts.push((at, line));
        }
        at += written.len();
    }
    if starts.len() < 2 {
        return None;
    }
    let ends = starts[1..].iter().map(|(end, _)| *end).chain([text.len()]);
    let parts = starts.iter().zip(ends).flat_map(|(&(start, line), end)| {
        let part = &text[start..end];
        match documents(part.as_bytes()) {
            Ok((documents, _)) => documents.into_iter().map(Ok).collect(),
            // Once more where it is in the text, because messages name lines.
            Err(_) => match documents(("\n".repeat(line) + part).as_bytes()) {
                Ok((documents, _)) => documents.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            },
        }
    });
    Some(parts.collect())
}

fn text(input: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(input)
        .map_err(|error| format!("the input isn't UTF-8: byte {} is wrong", error.valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The first line that is valid in a Helm chart's template and not in YAML.
fn template_line(text: &str) -> Option<usize> {
    let is_of_template = |line: &str| {
        let code = !line.trim_start().starts_with('#');
        code && line.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}"))
    };
    text.lines().position(is_of_template).map(|before| before + 1)
}

fn parsed(text: &str) -> Result<(Vec<String>, Format), String> {
    if !text.trim_start().starts_with(['{', '[']) {
        let documents = yaml::to_json(text).map_err(|error| error.to_string())?;
        return Ok((documents, Format::Yaml));
    }
    let json: Result<Vec<String>, _> = serde_json::Deserializer::from_str(text)
        .into_iter::<&RawValue>()
        .map(|document| document.map(|raw| raw.get().to_owned()))
        .collect();
    match json {
        Ok(documents) => Ok((documents, Format::Json)),
        // YAML's flow style begins in the same way.
        Err(error) => match yaml::to_json(text) {
            Ok(documents) => Ok((documents, Format::Yaml)),
            Err(_) => Err(format!("the input isn't JSON: {error}")),
        },
    }
}
