//! Compares Kubernetes' own keywords.

use super::collect::{Changes, gone_and_new, named};
use crate::schema::{Schema, SchemaType};

pub(super) fn extensions(old: &Schema, new: &Schema, changes: &mut Changes) {
    lists(old, new, changes);
    maps(old, new, changes);
    rules(old, new, changes);
    match [old, new].map(|schema| schema.extensions.embedded_resource) {
        [false, true] => changes.breaking(
            "embedded-resource-added",
            "it must be a complete Kubernetes object: without `apiVersion`, `kind` and valid metadata, it is refused",
            "leave out `x-kubernetes-embedded-resource`",
        ),
        [true, false] => changes.breaking(
            "embedded-resource-removed",
            "it is no longer a Kubernetes object: undeclared parts of `apiVersion`, `kind` and `metadata` are dropped",
            "keep `x-kubernetes-embedded-resource`, or declare them",
        ),
        _ => {}
    }
}

fn lists(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old_type, new_type] =
        [old, new].map(|schema| schema.extensions.list_type.as_deref().unwrap_or("atomic"));
    let what = format!("its list type was `{old_type}` and is `{new_type}`");
    if old_type != new_type {
        if old_type == "set" && new_type == "atomic" && is_never_applied(old) {
            changes.risky(
                "list-type-changed",
                format!("{what}: server-side apply refused its items and now accepts them, and the API server now accepts the same item twice"),
                "make sure that readers accept it twice, too",
            );
        } else if new_type == "atomic" {
            changes.risky(
                "list-type-changed",
                format!("{what}: with server-side apply, an applier now owns the whole list, including the items of others"),
                "keep it while several appliers have their own items",
            );
        } else {
            changes.breaking(
                "list-type-changed",
                if new_type == "set" && is_never_applied(new) {
                    format!("{what}: server-side apply refuses objects with items here, because the items aren't plain values")
                } else {
                    format!("{what}: lists in which two items count as the same are refused")
                },
                "keep it in this version",
            );
        }
    } else if new_type == "map" {
        let keys = |schema: &Schema| schema.extensions.list_map_keys.clone();
        let (gone, added) = gone_and_new(&keys(old), &keys(new));
        if !gone.is_empty() || !added.is_empty() {
            let both = [("without", &gone), ("with", &added)];
            let both = both.into_iter().filter(|(_, keys)| !keys.is_empty());
            let both: Vec<_> = both.map(|(word, keys)| format!("{word} {keys}")).collect();
            changes.breaking(
                "list-map-keys-changed",
                format!(
                    "its items are identified {} now: other items count as the same, and appliers lose theirs",
                    both.join(" and ")
                ),
                "keep the keys in this version",
            );
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
        changes.risky(
            "map-type-changed",
            format!("its map type was `{old}` and is `{new}`: with server-side apply, an applier of a part owns another part than before"),
            "find out who applies it",
        );
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
        return changes.risky(
            "rule-changed",
            format!("the rule {gone_shown} is now {added_shown}, and this comparison can't tell whether it accepts all values that the former one accepts"),
            "make sure that it does",
        );
    }
    if !added.is_empty() {
        changes.breaking(
            "rule-added",
            format!(
                "the rule {added_shown} is new: objects that break it are refused when they change"
            ),
            "restrict it to new values with `optionalOldSelf`, or write it only in a new version",
        );
    }
    if !gone.is_empty() {
        changes.safe("rule-removed", format!("the rule {gone_shown} is gone"));
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
