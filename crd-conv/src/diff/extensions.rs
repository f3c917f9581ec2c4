//! Compares Kubernetes' own keywords.

use super::catalog;
use super::collect::{Changes, gone_and_new, named};
use crate::schema::{Schema, SchemaType};

pub(super) fn extensions(old: &Schema, new: &Schema, changes: &mut Changes) {
    lists(old, new, changes);
    maps(old, new, changes);
    rules(old, new, changes);
    match [old, new].map(|schema| schema.extensions.embedded_resource) {
        [false, true] => changes.here(catalog::resource_embedded()),
        [true, false] => changes.here(catalog::resource_no_longer_embedded()),
        _ => {}
    }
}

fn lists(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old_type, new_type] =
        [old, new].map(|schema| schema.extensions.list_type.as_deref().unwrap_or("atomic"));
    if old_type != new_type {
        let change = match (old_type, new_type) {
            ("set", "atomic") if is_never_applied(old) => catalog::list_now_applied,
            (_, "atomic") => catalog::list_made_atomic,
            (_, "set") if is_never_applied(new) => catalog::list_never_applied,
            _ => catalog::list_made_unique,
        };
        changes.here(change(&old_type, &new_type));
    } else if new_type == "map" {
        let keys = |schema: &Schema| schema.extensions.list_map_keys.clone();
        let (gone, added) = gone_and_new(&keys(old), &keys(new));
        if !gone.is_empty() || !added.is_empty() {
            let both = [("without", &gone), ("with", &added)];
            let both = both.into_iter().filter(|(_, keys)| !keys.is_empty());
            let both: Vec<_> = both.map(|(word, keys)| format!("{word} {keys}")).collect();
            changes.here(catalog::list_keys_changed(&both.join(" and ")));
        }
    }
}

/// Whether server-side apply refuses the items of this set.
fn is_never_applied(list: &Schema) -> bool {
    let ty = list.items.as_ref().and_then(|items| items.ty);
    matches!(ty, Some(SchemaType::Array | SchemaType::Object))
}

fn maps(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old, new] =
        [old, new].map(|schema| schema.extensions.map_type.as_deref().unwrap_or("granular"));
    if old != new {
        changes.here(catalog::map_type_changed(&old, &new));
    }
}

/// Compares rules by their expressions. A different message doesn't refuse anything, and neither
/// does other white space.
fn rules(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old, new] = [old, new].map(|schema| {
        let rules = schema.extensions.validations.iter().map(|rule| rule.rule.as_str());
        rules.filter(|rule| !rule.is_empty()).map(|rule| (dense(rule), rule)).collect::<Vec<_>>()
    });
    let only_in = |these: &[(String, &'_ str)], others: &[(String, &str)]| {
        let is_other = |(dense, _): &&(String, _)| others.iter().all(|(other, _)| other != dense);
        these.iter().filter(is_other).map(|(_, rule)| short(rule)).collect::<Vec<_>>()
    };
    let (gone, added) = (only_in(&old, &new), only_in(&new, &old));
    let [gone_shown, added_shown] = [&gone, &added].map(named);
    if gone.len() == added.len() && !gone.is_empty() {
        return changes.here(catalog::rules_changed(&gone_shown, &added_shown));
    }
    if !added.is_empty() {
        changes.here(catalog::rules_added(&added_shown));
    }
    if !gone.is_empty() {
        changes.here(catalog::rules_removed(&gone_shown));
    }
}

/// Returns an expression without comments, and without white space that separates no words. Strings
/// stay as they are.
///
/// Source: the lexer of <https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax>.
fn dense(rule: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut dense = String::with_capacity(rule.len());
    let (mut rest, mut apart) = (rule, false);
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '/' if rest.starts_with("//") => {
                apart = true;
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '"' | '\'' => string_end(rest, dense.ends_with(['r', 'R'])),
            _ => first.len_utf8(),
        };
        if first.is_whitespace() {
            apart = true;
        } else {
            if apart && is_word(first) && dense.ends_with(is_word) {
                dense.push(' ');
            }
            apart = false;
            dense.push_str(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    dense
}

/// Returns the end of the string that a text starts with. In a raw string, a backslash is nothing
/// special.
fn string_end(text: &str, is_raw: bool) -> usize {
    let quote = &text[..1];
    let triple = quote.repeat(3);
    let quotes = if text.starts_with(&triple) { &*triple } else { quote };
    let mut at = quotes.len();
    while let Some(next) = text[at..].chars().next() {
        if text[at..].starts_with(quotes) {
            return at + quotes.len();
        }
        at += next.len_utf8();
        if next == '\\' && !is_raw {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    at
}

/// The beginning of a long expression, on one line.
fn short(rule: &str) -> String {
    const MOST: usize = 60;
    let words: Vec<_> = rule.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
