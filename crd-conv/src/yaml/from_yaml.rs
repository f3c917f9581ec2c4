//! Reads YAML text as documents.

use std::fmt;

use serde::{
    Deserialize,
    de::{Deserializer, Error, MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::Spanned;

use super::{
    error::YamlError,
    node::{MAX_DEPTH, Node, is_json_number},
};

/// Serde reads nested values by recursion. Without optimization, each level takes about 50 KiB.
const STACK: usize = 32 << 20;

pub(super) fn documents(yaml: &str) -> Result<Vec<Node>, YamlError> {
    // Most WebAssembly targets have no threads. An optimized build needs less than their usual
    // stack of 1 MiB.
    if cfg!(target_family = "wasm") {
        return parse(yaml);
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || parse(yaml))
            .map_err(|error| YamlError(format!("can't start a thread to read the YAML: {error}")))?
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn parse(yaml: &str) -> Result<Vec<Node>, YamlError> {
    // The positions of numbers are counted from after a byte order mark.
    let yaml = yaml.strip_prefix('\u{feff}').unwrap_or(yaml);
    let options = serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_documents: 100_000,
            max_nodes: 10_000_000,
            max_events: 30_000_000,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    let parsed: Vec<Spanned<Parsed>> = serde_saphyr::from_multiple_with_options(yaml, options)
        .map_err(|error| match &error {
            serde_saphyr::Error::NonFiniteFloat { .. } => {
                YamlError(format!("a number can't be written in JSON: {error}"))
            }
            _ => YamlError(format!("not readable as YAML: {error}")),
        })?;
    parsed.into_iter().map(|document| node(document, yaml)).collect()
}

/// The parts that serde reads. Numbers are looked up in the text afterwards.
enum Parsed {
    Null,
    Boolean(bool),
    Integer(i128),
    Float,
    String(String),
    Sequence(Vec<Spanned<Parsed>>),
    Mapping(Vec<(String, Spanned<Parsed>)>),
}

fn node(parsed: Spanned<Parsed>, yaml: &str) -> Result<Node, YamlError> {
    let span = parsed.defined.span();
    Ok(match parsed.value {
        Parsed::Null => Node::Null,
        Parsed::Boolean(b) => Node::Boolean(b),
        Parsed::String(text) => Node::String(text),
        Parsed::Integer(_) | Parsed::Float => {
            let written = span
                .byte_offset()
                .zip(span.byte_len())
                .and_then(|(start, len)| {
                    let (start, len) = (usize::try_from(start).ok()?, usize::try_from(len).ok()?);
                    yaml.get(start..start.checked_add(len)?)
                })
                .map(str::trim)
                .unwrap_or_default();
            let integer = match parsed.value {
                Parsed::Integer(n) => Some(n),
                _ => None,
            };
            Node::Number(number(written, integer).ok_or_else(|| {
                YamlError(format!(
                    "the number `{written}` in line {} can't be written in JSON with the same digits; write it the way JSON does",
                    parsed.defined.line()
                ))
            })?)
        }
        Parsed::Sequence(items) => Node::Sequence(
            items.into_iter().map(|item| node(item, yaml)).collect::<Result<_, _>>()?,
        ),
        Parsed::Mapping(members) => Node::Mapping(
            members
                .into_iter()
                .map(|(key, value)| Ok((key, node(value, yaml)?)))
                .collect::<Result<_, _>>()?,
        ),
    })
}

/// A number in JSON's grammar with the digits of the YAML text.
fn number(written: &str, integer: Option<i128>) -> Option<String> {
    if is_json_number(written) {
        return Some(written.to_owned());
    }
    // `0x1F` and `0o17` have no digits that JSON could keep. Their value is exact.
    let unsigned = written.strip_prefix(['+', '-']).unwrap_or(written);
    if let Some(value) = integer
        && (unsigned.starts_with("0x") || unsigned.starts_with("0o"))
    {
        return Some(value.to_string());
    }
    let sign = if written.starts_with('-') { "-" } else { "" };
    let zero = if unsigned.starts_with('.') { "0" } else { "" };
    let end = if unsigned.ends_with('.') { "0" } else { "" };
    Some(format!("{sign}{zero}{unsigned}{end}")).filter(|text| is_json_number(text))
}

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyNode;

        impl<'de> Visitor<'de> for AnyNode {
            type Value = Parsed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value that JSON can express")
            }

            fn visit_unit<E: Error>(self) -> Result<Parsed, E> {
                Ok(Parsed::Null)
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Parsed, E> {
                Ok(Parsed::Boolean(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Parsed, E> {
                Ok(Parsed::Integer(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Parsed, E> {
                Ok(Parsed::Integer(value.into()))
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Parsed, E> {
                Ok(Parsed::Float)
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Parsed, E> {
                Ok(Parsed::String(value.to_owned()))
            }

            fn visit_string<E: Error>(self, value: String) -> Result<Parsed, E> {
                Ok(Parsed::String(value))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parsed, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Parsed::Sequence(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parsed, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Parsed::Mapping(members))
            }
        }

        deserializer.deserialize_any(AnyNode)
    }
}
