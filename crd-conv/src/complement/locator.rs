//! Identifies the item of a list or map that an entry belongs to.

use std::fmt::Write;

use super::fingerprint::hash;
use super::members::read_members;
use crate::json::Fidelity::AsServed;
use crate::json::{Scanner, SyntaxError, canonical, quote};

/// Identifies an item of a list or a map by its content in the peer version. The position is never
/// used: a value on the wrong item is worse than a lost value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Locator {
    /// The key in a map.
    Key(String),
    /// The values of the list's map keys, as a JSON array.
    Keys(String),
    /// The hash of the whole item, and its number among the equal items.
    Fingerprint { hash: String, nth: usize, of: usize },
    /// The hash of the locators that would be here, up to the next one in the list. Used if they
    /// would take too much room.
    Folded(String),
}

/// How many bytes the locators of an entry may take.
const MAX_AT: usize = 256;

/// More locators than fit into `MAX_AT` bytes.
pub(super) const MAX_LOCATORS: usize = MAX_AT / 2;

/// The locators of an item inside the item that `at` identifies. Their length has a limit, because
/// there may be as many entries as there are levels.
pub(crate) fn within(at: &[Locator], item: Locator) -> Vec<Locator> {
    let mut text = String::with_capacity(MAX_AT);
    for locator in at.iter().chain([&item]) {
        locator.write(&mut text);
        text.push(',');
    }
    if text.len() > MAX_AT {
        return vec![Locator::Folded(format!("{:016x}", hash(text.as_bytes())))];
    }
    at.iter().cloned().chain([item]).collect()
}

impl Locator {
    fn write(&self, out: &mut String) {
        match self {
            Self::Key(key) => quote(key, out),
            Self::Keys(keys) => out.push_str(keys),
            Self::Fingerprint { hash, nth, of } => {
                out.push_str("{\"is\":");
                quote(hash, out);
                // Writing to a string can't fail.
                let _ = write!(out, ",\"nth\":{nth},\"of\":{of}}}");
            }
            Self::Folded(hash) => {
                out.push_str("{\"in\":");
                quote(hash, out);
                out.push('}');
            }
        }
    }
}

/// Appends the member with the locators.
pub(super) fn write_at(at: &[Locator], out: &mut String) {
    out.push_str("\"at\":[");
    for (index, locator) in at.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        locator.write(out);
    }
    out.push(']');
}

/// Reads the locators of an entry.
pub(super) fn read_locators(scanner: &mut Scanner<'_>) -> Result<Vec<Locator>, SyntaxError> {
    let mut locators = Vec::new();
    scanner.enter_array()?;
    while scanner.next_element(locators.is_empty())? {
        let start = scanner.pos;
        locators.push(match scanner.peek() {
            b'"' => Locator::Key(scanner.string()?.decoded(scanner.text()).into_owned()),
            b'{' => {
                let parts = read_members(scanner)?;
                let text = |name: &str| {
                    let part = parts.iter().find(|(part, _)| part == name);
                    part.map_or("", |(_, span)| &scanner.text()[span.clone()])
                };
                let hash = |name| text(name).trim_matches('"').to_owned();
                if parts.iter().any(|(part, _)| part == "in") {
                    locators.push(Locator::Folded(hash("in")));
                    continue;
                }
                let number = |name: &str| text(name).parse().unwrap_or(usize::MAX);
                Locator::Fingerprint { hash: hash("is"), nth: number("nth"), of: number("of") }
            }
            _ => {
                scanner.skip_value()?;
                let mut keys = String::new();
                let written = &scanner.text()[start..scanner.pos];
                // A text without a canonical form isn't from any release, and matches no item.
                let _ = canonical(written, AsServed, &mut keys);
                Locator::Keys(keys)
            }
        });
    }
    Ok(locators)
}
