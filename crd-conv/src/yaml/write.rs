//! Writes a document as YAML text.
//!
//! This module writes the structure, because a serde serializer can't take a number as text.
//! `serde_saphyr` decides how a string is quoted.

use super::{error::YamlError, node::Node, plain::resolve};

pub(super) fn document(node: &Node) -> Result<String, YamlError> {
    let mut out = String::new();
    match node {
        Node::Sequence(_) | Node::Mapping(_) => block(node, 0, false, &mut out)?,
        _ => scalar_line(node, 0, &mut out)?,
    }
    Ok(out)
}

/// Writes a collection in block style, at the start of a line or, if `inline`, after a dash.
fn block(node: &Node, indent: usize, inline: bool, out: &mut String) -> Result<(), YamlError> {
    let mut first = inline;
    let mut start = |out: &mut String| {
        if !std::mem::take(&mut first) {
            out.extend(std::iter::repeat_n(' ', indent));
        }
    };
    match node {
        Node::Sequence(items) if !items.is_empty() => {
            for item in items {
                start(out);
                out.push('-');
                if is_block(item) {
                    out.push(' ');
                    block(item, indent + 2, true, out)?;
                } else {
                    out.push(' ');
                    scalar_line(item, indent + 2, out)?;
                }
            }
        }
        Node::Mapping(members) if !members.is_empty() => {
            for (key, value) in members {
                start(out);
                member(key, value, indent, out)?;
            }
        }
        _ => scalar_line(node, indent, out)?,
    }
    Ok(())
}

/// Writes a member whose key is indented already.
pub(super) fn member(
    key: &str,
    value: &Node,
    indent: usize,
    out: &mut String,
) -> Result<(), YamlError> {
    out.push_str(&quoted_key(key)?);
    out.push(':');
    match value {
        // `kubectl` indents a list as far as its key, and so does this.
        Node::Sequence(_) if is_block(value) => {
            out.push('\n');
            block(value, indent, false, out)
        }
        Node::Mapping(_) if is_block(value) => {
            out.push('\n');
            block(value, indent + 2, false, out)
        }
        _ => {
            out.push(' ');
            scalar_line(value, indent + 2, out)
        }
    }
}

fn is_block(node: &Node) -> bool {
    match node {
        Node::Sequence(items) => !items.is_empty(),
        Node::Mapping(members) => !members.is_empty(),
        _ => false,
    }
}

fn scalar_line(node: &Node, indent: usize, out: &mut String) -> Result<(), YamlError> {
    match node {
        Node::Null => out.push_str("null"),
        Node::Boolean(true) => out.push_str("true"),
        Node::Boolean(false) => out.push_str("false"),
        Node::Number(text) => out.push_str(text),
        Node::String(text) if is_plain_text(text) => literal(text, indent, out),
        Node::String(text) => out.push_str(&quoted(text)?),
        Node::Sequence(_) => out.push_str("[]"),
        Node::Mapping(_) => out.push_str("{}"),
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Ok(())
}

/// Whether a text is several lines that a literal block can hold without an indentation indicator.
fn is_plain_text(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with("\n\n")
        && text.chars().all(|c| c == '\n' || c == '\t' || is_printable(c))
        && !text.lines().any(|line| line.ends_with([' ', '\t']) || line.starts_with('\t'))
}

fn literal(text: &str, indent: usize, out: &mut String) {
    out.push_str(if text.ends_with('\n') { "|\n" } else { "|-\n" });
    // Even at the root, a literal must be indented, so that it can't be mistaken for the next
    // document.
    let indent = indent.max(2);
    for line in text.lines() {
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn quoted(text: &str) -> Result<String, YamlError> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let mut out = serde_saphyr::to_string_with_options(&text, options)
        .map_err(|error| YamlError(error.to_string()))?;
    out.truncate(out.trim_end_matches('\n').len());
    // kubectl reads some more texts as something else.
    if out == text && resolve(text) != Node::String(text.to_owned()) {
        return Ok(format!("\"{text}\""));
    }
    Ok(out)
}

/// A key on one line. A long or unusual key is written as in JSON, which is valid YAML, too.
pub(super) fn quoted_key(key: &str) -> Result<String, YamlError> {
    let simple = !key.is_empty()
        && key.len() <= 128
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/'));
    if simple {
        return quoted(key);
    }
    let mut out = "\"".to_owned();
    for c in key.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ if is_printable(c) => out.push(c),
            _ => {
                out.push_str("\\U");
                out.extend((0..8).rev().map(|place| hex_digit(u32::from(c) >> (4 * place) & 15)));
            }
        }
    }
    out.push('"');
    Ok(out)
}

/// Whether every version of YAML accepts a character as it is.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{10000}'..)
}

fn hex_digit(value: u32) -> char {
    char::from_digit(value, 16).unwrap_or('0')
}
