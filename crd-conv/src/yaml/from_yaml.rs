//! Reads YAML text as documents.

use std::{collections::HashSet, fmt};

use serde::{
    Deserialize,
    de::{Deserializer, Error, MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::{Location, Spanned};

use super::{
    error::YamlError,
    node::{MAX_DEPTH, Node},
    plain::{is_not_finite, resolve},
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
            serde_saphyr::Error::DuplicateMappingKey { key: Some(key), location } => {
                twice(key, *location)
            }
            _ => YamlError(format!("not readable as YAML: {error}")),
        })?;
    parsed.into_iter().map(|document| node(document, yaml)).collect()
}

/// The parts that serde reads. Plain scalars are looked up in the text afterwards.
enum Parsed {
    Scalar(String),
    /// Anything but a string.
    Plain,
    Sequence(Vec<Spanned<Parsed>>),
    Mapping(Vec<(Spanned<String>, Spanned<Parsed>)>),
}

fn node(parsed: Spanned<Parsed>, yaml: &str) -> Result<Node, YamlError> {
    let written = written(parsed.defined, yaml);
    Ok(match parsed.value {
        // `serde_saphyr` takes more for a number or a boolean than kubectl.
        Parsed::Plain => match written.plain {
            Some(plain) => resolve(plain),
            None => return Err(ambiguous(written.text, parsed.defined)),
        },
        // Over several lines, the text is another one. An empty text is one in quotes, or a block
        // of empty lines: without either, the value is null.
        Parsed::Scalar(text) => match written.plain {
            Some(plain) if plain.starts_with('?') => return Err(ambiguous(plain, parsed.defined)),
            Some(plain) if plain == text && !text.is_empty() => resolve(plain),
            _ => Node::String(text),
        },
        Parsed::Sequence(items) => Node::Sequence(
            items.into_iter().map(|item| node(item, yaml)).collect::<Result<_, _>>()?,
        ),
        Parsed::Mapping(members) => {
            let mut names = HashSet::new();
            let mut all = Vec::with_capacity(members.len());
            for (name, value) in members {
                let at = name.defined;
                let name = key(name, yaml)?;
                if !names.insert(name.clone()) {
                    return Err(twice(&name, at));
                }
                all.push((name, node(value, yaml)?));
            }
            Node::Mapping(all)
        }
    })
}

/// For example `[?a]`: to kubectl, that is a mapping with the key `a`.
fn ambiguous(text: &str, at: Location) -> YamlError {
    YamlError(format!(
        "the value `{text}` in line {} means different things to different readers of YAML; write it the way JSON does",
        at.line()
    ))
}

fn twice(name: &str, at: Location) -> YamlError {
    let line = at.line();
    let is_next = at.column() == 1 && matches!(name, "apiVersion" | "kind" | "metadata");
    let hint = if is_next { "; is the line `---` missing that begins a document?" } else { "" };
    YamlError(format!("the key `{name}` in line {line} occurs twice in the same object{hint}"))
}

/// The name that a key has in JSON.
fn key(name: Spanned<String>, yaml: &str) -> Result<String, YamlError> {
    let Some(plain) = written(name.defined, yaml).plain.filter(|plain| *plain == name.value) else {
        return Ok(name.value);
    };
    let refused = |what: &str| {
        let line = name.defined.line();
        Err(YamlError(format!("the key `{plain}` in line {line} {what}: write it in quotes")))
    };
    if plain.starts_with('?') {
        return Err(ambiguous(plain, name.defined));
    }
    match resolve(plain) {
        Node::Null => refused("is null, and not a string"),
        Node::Boolean(value) => Ok(value.to_string()),
        Node::Number(number) => match (number.parse::<i128>(), number.parse::<f32>()) {
            (Ok(whole), _) if (i64::MIN.into()..=u64::MAX.into()).contains(&whole) => {
                Ok(whole.to_string())
            }
            (_, Ok(float)) if float.to_string() != number => {
                refused("is a number, which kubectl rounds")
            }
            _ => Ok(number),
        },
        Node::String(_) if is_not_finite(plain) => refused("is a number, and not a string"),
        Node::String(_) | Node::Sequence(_) | Node::Mapping(_) => Ok(name.value),
    }
}

/// The text of a scalar.
struct Written<'y> {
    text: &'y str,
    /// The same if it has neither quotes nor a tag.
    plain: Option<&'y str>,
}

fn written(at: Location, yaml: &str) -> Written<'_> {
    let span = at.span();
    let range = span.byte_offset().zip(span.byte_len()).and_then(|(start, len)| {
        let (start, len) = (usize::try_from(start).ok()?, usize::try_from(len).ok()?);
        Some(start..start.checked_add(len)?)
    });
    let parts = range.and_then(|range| Some((yaml.get(..range.start)?, yaml.get(range)?)));
    let (before, text) = parts.unwrap_or_default();
    let text = text.trim();
    // `!!str &a 12`: an anchor may be between the tag and the scalar.
    let mut before = before.split(char::is_whitespace).rev().filter(|word| !word.is_empty());
    let word = before.next().unwrap_or_default();
    let word = if word.starts_with('&') { before.next().unwrap_or_default() } else { word };
    let is_text = word == "!" || word.ends_with("!!str");
    let is_plain = !is_text && !text.starts_with(['"', '\'', '|', '>']);
    Written { text, plain: Some(text).filter(|_| is_plain) }
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
                Ok(Parsed::Plain)
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<Parsed, E> {
                Ok(Parsed::Plain)
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<Parsed, E> {
                Ok(Parsed::Plain)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<Parsed, E> {
                Ok(Parsed::Plain)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Parsed, E> {
                Ok(Parsed::Plain)
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Parsed, E> {
                Ok(Parsed::Scalar(value.to_owned()))
            }

            fn visit_string<E: Error>(self, value: String) -> Result<Parsed, E> {
                Ok(Parsed::Scalar(value))
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
