//! Kubernetes' own keywords.

use super::collect::{Changes, flag, gone_and_new, list, named, only_in, text, texts};
use crate::json::Json;

pub(super) fn extensions(old: &Json, new: &Json, changes: &mut Changes) {
    lists(old, new, changes);
    maps(old, new, changes);
    rules(old, new, changes);
    match [old, new].map(|schema| flag(schema, &["x-kubernetes-embedded-resource"])) {
        [false, true] => changes.breaking(
            "embedded-resource-added",
            "it is a whole object of Kubernetes: without `apiVersion`, `kind` and valid metadata it is refused",
            "leave it out",
        ),
        [true, false] => changes.breaking(
            "embedded-resource-removed",
            "it is no object of Kubernetes any more: what isn't declared of `apiVersion`, `kind` and `metadata` is dropped",
            "keep it, or declare them",
        ),
        _ => {}
    }
}

fn lists(old: &Json, new: &Json, changes: &mut Changes) {
    let name = "x-kubernetes-list-type";
    let [old_type, new_type] = [old, new].map(|schema| text(schema, &[name]).unwrap_or("atomic"));
    let what = format!("its list type was `{old_type}` and is `{new_type}`");
    if old_type != new_type {
        if old_type == "set" && new_type == "atomic" && is_never_applied(old) {
            changes.risky(
                "list-type-changed",
                format!("{what}: server-side apply refused its items and takes them now, and the API server takes the same item twice"),
                "see that readers take it, too",
            );
        } else if new_type == "atomic" {
            changes.risky(
                "list-type-changed",
                format!("{what}: who applies it takes the whole list, with the items of others"),
                "keep it while several apply items of their own",
            );
        } else {
            changes.breaking(
                "list-type-changed",
                if new_type == "set" && is_never_applied(new) {
                    format!("{what}: server-side apply refuses objects with items here, which aren't plain values")
                } else {
                    format!("{what}: lists with two items that count as one are refused")
                },
                "keep it in this version",
            );
        }
    } else if new_type == "map" {
        let keys = |schema| texts(schema, &["x-kubernetes-list-map-keys"]);
        let (gone, added) = gone_and_new(&keys(old), &keys(new));
        if !gone.is_empty() || !added.is_empty() {
            let both = [("without", &gone), ("with", &added)];
            let both = both.into_iter().filter(|(_, keys)| !keys.is_empty());
            let both: Vec<_> = both.map(|(word, keys)| format!("{word} {keys}")).collect();
            changes.breaking(
                "list-map-keys-changed",
                format!(
                    "its items are told apart {} now: other items count as one, and appliers lose theirs",
                    both.join(" and ")
                ),
                "keep the keys in this version",
            );
        }
    }
}

/// Whether the items of a set are none that server-side apply takes in a set.
fn is_never_applied(list: &Json) -> bool {
    matches!(text(list, &["items", "type"]), Some("array" | "object"))
}

fn maps(old: &Json, new: &Json, changes: &mut Changes) {
    let of = |schema| text(schema, &["x-kubernetes-map-type"]).unwrap_or("granular");
    let (old, new) = (of(old), of(new));
    if old != new {
        changes.risky(
            "map-type-changed",
            format!("it was `{old}` and is `{new}` for server-side apply: who applies a part owns another part than before"),
            "see who applies it",
        );
    }
}

/// A rule is its expression: who reads another message isn't refused anything.
fn rules(old: &Json, new: &Json, changes: &mut Changes) {
    let of = |schema| -> Vec<String> {
        let rules = list(schema, &["x-kubernetes-validations"]).iter();
        rules.filter_map(|rule| text(rule, &["rule"])).map(str::to_owned).collect()
    };
    let (old, new) = (of(old), of(new));
    let (gone, added) = (only_in(&old, &new), only_in(&new, &old));
    let [gone_shown, added_shown] =
        [&gone, &added].map(|rules| named(rules.iter().map(|rule| short(rule))));
    if gone.len() == added.len() && !gone.is_empty() {
        return changes.risky(
            "rule-changed",
            format!("the rule {gone_shown} is {added_shown} now, and whether it takes all that it took can't be decided here"),
            "see that it does",
        );
    }
    if !added.is_empty() {
        changes.breaking(
            "rule-added",
            format!("the rule {added_shown} is new: objects that it doesn't hold for are refused once they change"),
            "let it hold for what is new alone, with `optionalOldSelf`, or in a new version",
        );
    }
    if !gone.is_empty() {
        changes.safe("rule-removed", format!("the rule {gone_shown} is gone"));
    }
}

/// The beginning of a long expression, in one line.
fn short(rule: &str) -> String {
    const MOST: usize = 60;
    let words: Vec<_> = rule.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
