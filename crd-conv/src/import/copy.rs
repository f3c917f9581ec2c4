//! The copy of a type in a new version: its text with another mapping.

use std::ops::Range;

use proc_macro2::TokenTree;
use syn::{Attribute, Item, spanned::Spanned, visit::Visit};

use super::next::{Part, names, slice};

/// Arguments of `#[versioned(…)]` about the mapping onto the version before.
const MAPPING: [&str; 9] =
    ["added", "fallback", "from", "map", "moved", "refuses", "removed", "renamed_from", "with"];

/// The first word of an argument, and where the argument is.
pub(super) type Argument = (String, Range<usize>);

/// The arguments of `#[versioned(…)]`.
pub(super) fn arguments(attribute: &Attribute) -> Option<Vec<Argument>> {
    let written = attribute.meta.require_list().ok()?;
    if !written.path.is_ident("versioned") {
        return None;
    }
    let mut all: Vec<Argument> = Vec::new();
    let mut is_new = true;
    for token in written.tokens.clone() {
        let range = token.span().byte_range();
        match (&token, all.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => is_new = true,
            (_, Some(last)) if !is_new => last.1.end = range.end,
            _ => {
                all.push((token.to_string(), range));
                is_new = false;
            }
        }
    }
    Some(all)
}

/// The text of a type, with the mapping from the type of the same name in the version before.
pub(super) fn copy(text: &str, part: &Part<'_>, older: &str, name: &str) -> String {
    let mut attributes = Attributes::default();
    attributes.visit_item(part.item);
    let from = format!("from = super::{older}::{name}");
    let own: &[Attribute] = match part.item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => &[],
    };
    let is_own = |range: &Range<usize>| own.iter().any(|own| own.span().byte_range() == *range);
    let mut is_said = !own.iter().any(|own| {
        own.path().is_ident("derive")
            && names(slice(text, own.span().byte_range())).contains("Versioned")
    });
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (range, arguments) in attributes.found {
        let kept = arguments.iter().filter(|(word, _)| !MAPPING.contains(&word.as_str()));
        let mut kept: Vec<_> = kept.map(|(_, range)| slice(text, range.clone())).collect();
        let adds = is_own(&range) && !is_said;
        if !adds && kept.len() == arguments.len() {
            continue;
        }
        if adds {
            is_said = true;
            kept.insert(0, &from);
        }
        if kept.is_empty() {
            edits.push((whole_line(text, range), String::new()));
        } else {
            edits.push((range, format!("#[versioned({})]", kept.join(", "))));
        }
    }
    if !is_said && let Some(derive) = own.iter().find(|own| own.path().is_ident("derive")) {
        let end = derive.span().byte_range().end;
        edits.push((end..end, format!("\n#[versioned({from})]")));
    }
    edits.sort_by_key(|(range, _)| range.start);
    let (mut copy, mut at) = (String::new(), part.range.start);
    for (range, new) in edits {
        copy += slice(text, at..range.start);
        copy += &new;
        at = range.end;
    }
    copy + slice(text, at..part.range.end)
}

/// With the line break and the indent before it, or the space after it if more is on the line.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let before = slice(text, 0..range.start).trim_end_matches([' ', '\t']);
    let after = slice(text, range.end..text.len());
    let next = after.trim_start_matches([' ', '\t', '\r']);
    if next.starts_with('\n') && before.ends_with('\n') {
        before.len() - 1..range.end
    } else {
        range.start..text.len() - next.len()
    }
}

/// Finds the attributes `versioned`.
#[derive(Default)]
struct Attributes {
    found: Vec<(Range<usize>, Vec<Argument>)>,
}

impl Visit<'_> for Attributes {
    fn visit_attribute(&mut self, attribute: &Attribute) {
        let arguments = arguments(attribute);
        self.found.extend(arguments.map(|all| (attribute.span().byte_range(), all)));
    }
}
