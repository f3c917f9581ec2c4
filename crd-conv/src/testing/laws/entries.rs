//! The laws about entries.

use std::collections::BTreeMap;

use super::types::fits;
use crate::Converted;
use crate::apiserver::steps::META_FIELDS;
use crate::testing::{
    choices::Choices,
    stop::{Stop, ensure},
    stray::Stray,
    subject::{Case, Subject},
    tree::Tree,
};

pub(super) fn minimal(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let object = subject.decoded(&object, from)?;
    let there = subject.convert(&object, to)?;
    for Poorer { key, entry, object: poorer } in less_each_entry(subject, &there, from) {
        // An entry may be of use for what the server fills in alone.
        let [Ok(back), Ok(served)] = [&poorer, &subject.decoded(&poorer, to)?]
            .map(|poorer| subject.try_convert(poorer, from))
        else {
            continue;
        };
        let essence = subject.essence(&object);
        let of_use = [back, served].iter().any(|back| subject.essence(&back.json) != essence);
        ensure(of_use, || {
            format!(
                "{object}\nis restored even without the entry {} in {key} of\n{there}",
                entry.write()
            )
        })?;
    }
    Ok(())
}

pub(super) fn loss_is_visible(
    subject: &Subject<'_>,
    choices: &mut Choices<'_>,
) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Unknown, choices);
    let there = subject.convert(&object, to)?;
    let other = subject.object(to, Stray::Unknown, choices);
    let edited = grafted(&there, &other, choices);
    let back = subject.try_convert(&edited, from)?;
    let prefix = format!("{}{}.", subject.prefix, subject.version(from));
    let total =
        |converted: &Converted| converted.unrestored.iter().map(|(_, count)| count).sum::<u32>();
    for Poorer { key, entry, object: poorer } in less_each_entry(subject, &edited, from) {
        let Ok(without) = subject.try_convert(&poorer, from) else { continue };
        let same = subject.essence(&without.json) == subject.essence(&back.json);
        let still_there = subject.carrier(&back.json).contains_key(&key)
            || is_restored(&entry, key.strip_prefix(&prefix).unwrap_or_default(), &back.json);
        ensure(!same || still_there || total(&without) + 1 == total(&back), || {
            format!(
                "the entry {} in {key} is dropped but not counted, for\n{edited}",
                entry.write()
            )
        })?;
    }
    Ok(())
}

pub(super) fn untrusted(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let there = subject.convert(&subject.decoded(&object, from)?, to)?;
    let mut carrier = subject.carrier(&there);
    for value in carrier.values_mut() {
        forge(value, choices);
    }
    for _ in 0..choices.below(4) {
        let stanza = choices.one_of(&["", "spec.", "status."]);
        let version = subject.version(choices.below(subject.versions()));
        let key = format!("{}{version}.{stanza}{}", subject.prefix, subject.name(choices));
        carrier.insert(key, forged(subject, choices));
    }
    let forged = subject.with_carrier(&there, &carrier);
    // Without them the author's code may refuse what an entry would have spared it.
    subject.try_convert(&subject.with_carrier(&there, &BTreeMap::new()), from)?;
    match subject.try_convert(&forged, from) {
        Ok(back) => fits(subject, &back.json, from),
        Err(Stop::Refused(error)) => Err(Stop::Broken(format!("{error}:\n{forged}"))),
        Err(broken) => Err(broken),
    }
}

pub(super) fn preserve_unknown(
    subject: &Subject<'_>,
    choices: &mut Choices<'_>,
) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let mut carrier = BTreeMap::new();
    let texts = [
        r#"{"format":99,"peer":"v1","keep":{"a":1}}"#.to_owned(),
        r#"{"format":1,"peer":"v0unknown","keep":{"a":1}}"#.to_owned(),
        format!(r#"{{"format":1,"peer":"{}","keep":{{}},"more":1}}"#, subject.version(from)),
    ];
    // If a version on the way shows a new `spec`, no entry belongs to that.
    let around = if gets_spec(subject, &object, from, to)? { "" } else { "spec." };
    for (place, text) in texts.iter().enumerate().take(1 + choices.below(3)) {
        let homes = [subject.version(from), subject.version(to), "v0unknown"];
        // The home of the second one may be the version that the object leaves: that entry says nothing more.
        let home = if place == 1 { homes[1 + choices.below(2)] } else { choices.one_of(&homes) };
        let key = format!("{}{home}.{around}{}-{place}", subject.prefix, subject.name(choices));
        if key.split('/').next_back().is_some_and(|name| name.len() <= 63) {
            carrier.insert(key, Tree::read(text));
        }
    }
    let object = subject.with_carrier(&object, &carrier);
    let there = subject.try_convert(&object, to)?;
    let found = subject.carrier(&there.json);
    ensure(carrier.iter().all(|(key, value)| found.get(key) == Some(value)), || {
        format!("an unknown entry of\n{object}\nis missing from\n{}", there.json)
    })
}

/// Whether an object without a `spec` has one in a version between two others, or in the second of them.
fn gets_spec(subject: &Subject<'_>, object: &str, from: usize, to: usize) -> Result<bool, Stop> {
    let has_spec = |object: &str| matches!(Tree::read(object).at(&["spec"]), Some(Tree::Object(_)));
    if has_spec(object) {
        return Ok(false);
    }
    for version in from.min(to)..=from.max(to) {
        if has_spec(&subject.try_convert(object, version)?.json) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an object has the values of an entry, so that the entry was needed although the object would be the same without it.
fn is_restored(entry: &Tree, path: &str, object: &str) -> bool {
    let mut path: Vec<&str> = path.split('.').collect();
    let field = path.pop().unwrap_or_default();
    let Some(Tree::Object(keep)) = entry.at(&["keep"]) else { return false };
    let at: &[Tree] = match entry.at(&["at"]) {
        Some(Tree::List(at)) => at,
        _ => &[],
    };
    let object = Tree::read(object);
    if keep.is_empty() {
        // It says that the field is absent, which it also is if nothing is around it. An entry
        // without a guard says so about a moved value, which may have come from elsewhere since.
        return entry.at(&["guard"]).is_none()
            || !any_at(&object, &path, at, &|around| around.at(&[field]).is_some());
    }
    any_at(&object, &path, at, &|around| {
        keep.iter().all(|(name, value)| around.at(&[name]).is_some_and(|found| holds(found, value)))
    })
}

/// Whether something is true of what is at a path, in which locators stand for the keys of maps and the items of lists.
fn any_at(tree: &Tree, path: &[&str], at: &[Tree], is: &impl Fn(&Tree) -> bool) -> bool {
    match (tree, path, at) {
        (Tree::Object(members), [name, path @ ..], _)
            if members.get(*name).is_some_and(|member| any_at(member, path, at, is)) =>
        {
            true
        }
        (Tree::Object(members), _, [Tree::Text(key), at @ ..]) => {
            members.get(key).is_some_and(|member| any_at(member, path, at, is))
        }
        (Tree::List(items), _, [_, at @ ..]) => items.iter().any(|item| any_at(item, path, at, is)),
        (_, [], []) => is(tree),
        _ => false,
    }
}

fn holds(tree: &Tree, part: &Tree) -> bool {
    match (tree, part) {
        (Tree::Object(members), Tree::Object(parts)) => parts
            .iter()
            .all(|(name, part)| members.get(name).is_some_and(|member| holds(member, part))),
        (tree, part) => tree == part,
    }
}

/// An object that lacks an entry.
struct Poorer {
    key: String,
    entry: Tree,
    object: String,
}

/// For every entry for a version, the object without it.
fn less_each_entry(subject: &Subject<'_>, object: &str, home: usize) -> Vec<Poorer> {
    let carrier = subject.carrier(object);
    let prefix = format!("{}{}.", subject.prefix, subject.version(home));
    let mut all = Vec::new();
    for (key, value) in carrier.iter().filter(|(key, _)| key.starts_with(&prefix)) {
        let count = entries(&mut value.clone()).map_or(1, |entries| entries.len());
        for place in 0..count {
            let mut carrier = carrier.clone();
            let mut entry = value.clone();
            if let Some(entries) = carrier.get_mut(key).and_then(entries) {
                entry = entries.remove(place);
            }
            if count == 1 {
                carrier.remove(key);
            }
            let object = subject.with_carrier(object, &carrier);
            all.push(Poorer { key: key.clone(), entry, object });
        }
    }
    all
}

fn entries(annotation: &mut Tree) -> Option<&mut Vec<Tree>> {
    match annotation.at_mut(&["entries"])? {
        Tree::List(entries) => Some(entries),
        _ => None,
    }
}

/// An object with some fields of another one.
fn grafted(object: &str, other: &str, choices: &mut Choices<'_>) -> String {
    let (mut tree, other) = (Tree::read(object), Tree::read(other));
    graft(&mut tree, &other, 0, choices);
    tree.write()
}

fn graft(ours: &mut Tree, theirs: &Tree, depth: usize, choices: &mut Choices<'_>) {
    let (Some(ours), Tree::Object(theirs)) = (ours.members_mut(), theirs) else { return };
    for (name, value) in theirs {
        if depth == 0 && META_FIELDS.contains(&name.as_str()) {
            continue;
        }
        match choices.below(4) {
            1 => drop(ours.insert(name.clone(), value.clone())),
            2 => drop(ours.remove(name)),
            3 => {
                if let Some(inside) = ours.get_mut(name) {
                    graft(inside, value, depth + 1, choices);
                }
            }
            _ => {}
        }
    }
}

/// With nothing inside: an entry's value is held against the JSON type of its field and no more.
const ODD: [&str; 8] = ["null", "[]", "{}", "7", "\"a\"", "1.5", "true", "12345678901234567890123"];

/// Lets entries hold other values, and say that they belong elsewhere.
pub(super) fn forge(annotation: &mut Tree, choices: &mut Choices<'_>) {
    let Some(members) = annotation.members_mut() else { return };
    if !members.contains_key("entries") && choices.once_in(3) {
        let rule = ["keep", "guard"].map(|name| (name.to_owned(), members.remove(name)));
        let rule = rule.into_iter().filter_map(|(name, value)| Some((name, value?)));
        members.insert("entries".to_owned(), Tree::List(vec![Tree::Object(rule.collect())]));
    }
    for part in ["keep", "guard"] {
        if let Some(part) = members.get_mut(part) {
            forge_values(part, choices);
        }
    }
    if choices.once_in(2)
        && let Some(members) = annotation.members_mut()
    {
        members.insert("lists".to_owned(), Tree::read(choices.one_of(&LISTS)));
    }
    let Some(entries) = entries(annotation) else { return };
    for entry in entries {
        let Some(members) = entry.members_mut() else { continue };
        for part in ["keep", "guard"] {
            if let Some(part) = members.get_mut(part) {
                forge_values(part, choices);
            }
        }
        match choices.below(4) {
            1 => drop(members.insert("at".to_owned(), forged_place(choices))),
            2 => drop(members.remove("at")),
            _ => {}
        }
    }
}

/// What no conversion says of lists, or not of these.
const LISTS: [&str; 6] = [
    "null",
    "{}",
    "[7]",
    r#"[{"at":7,"items":"AAAA"}]"#,
    r#"[{"items":"AAAA "},{"at":[],"items":"a"}]"#,
    r#"[{"at":[],"items":"AAAABBB.CCC DDDD AAAA"}]"#,
];

fn forge_values(part: &mut Tree, choices: &mut Choices<'_>) {
    for value in part.members_mut().into_iter().flat_map(BTreeMap::values_mut) {
        if choices.once_in(2) {
            *value = Tree::read(choices.one_of(&ODD));
        }
    }
}

fn forged_place(choices: &mut Choices<'_>) -> Tree {
    const LOCATORS: [&str; 8] = [
        "\"a\"",
        r#"{"is":"00000000000000ff","nth":0,"of":1}"#,
        r#"{"is":7,"nth":-1,"of":"x"}"#,
        r#"{"nth":1e99}"#,
        r#"{"in":"x"}"#,
        "[\"a\",80]",
        "null",
        "[[]]",
    ];
    let count = choices.below(4);
    Tree::List((0..count).map(|_| Tree::read(choices.one_of(&LOCATORS))).collect())
}

/// An annotation that no conversion wrote.
fn forged(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Tree {
    let peer = subject.version(choices.below(subject.versions()));
    let (name, other) = (subject.name(choices), subject.name(choices));
    let (value, guard) = (choices.one_of(&ODD), choices.one_of(&ODD));
    let texts = [
        "null".to_owned(),
        "{}".to_owned(),
        format!(r#"{{"format":1,"peer":"{peer}","keep":{{"{name}":{value}}}}}"#),
        format!(
            r#"{{"format":1,"peer":"{peer}","keep":{{"{name}":{value}}},"guard":{{"{other}":{guard}}}}}"#
        ),
        format!(
            r#"{{"format":1,"peer":"{peer}","entries":[{{"at":["a"],"keep":{{"{name}":{value}}}}}]}}"#
        ),
        format!(r#"{{"format":1,"peer":"{peer}","keep":[{value}]}}"#),
    ];
    Tree::read(&texts[choices.below(texts.len())])
}
