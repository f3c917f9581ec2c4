//! The laws about edits: what they change, and what they don't.

use std::collections::{BTreeMap, BTreeSet};

use super::{differences::differences, journey::Journey, returns::same, types::named_once};
use crate::testing::{
    choices::Choices,
    edit::{Reach, edit, guards},
    stop::{Stop, ensure},
    stray::Stray,
    subject::{Case, Subject},
    tree::Tree,
};

pub(super) fn edits_win(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let there = subject.convert(&object, to)?;
    let mut edited = Tree::read(&there);
    let guarded = guards(subject, &there).into_iter().flat_map(BTreeMap::into_keys).collect();
    for _ in 0..=choices.below(4) {
        let reach = if choices.once_in(2) { Reach::Towards(&guarded) } else { Reach::Everywhere };
        edit(subject, &mut edited, &subject.drawn[to], choices, reach);
    }
    subject.send_back(&there, &mut edited);
    // The server writes a float's -0 as an integer's, which it reads as 0.
    let edited = subject.decoded(&subject.decoded(&edited.write(), to)?, to)?;
    let back = subject.try_convert(&edited, from)?.json;
    named_once(&back)?;
    // A default that only this version has is filled in again.
    let again = subject.decoded(&subject.try_convert(&back, to)?.json, to)?;
    same(subject, &edited, &again, || format!("after it was converted to\n{back}"))?;

    let newer = from.max(to);
    if from.abs_diff(to) > 1 {
        return Ok(());
    }
    let Some(plan) = subject.resource.definition().versions[newer].rules() else { return Ok(()) };
    let bare = subject.with_carrier(&edited, &BTreeMap::new());
    let bare = subject.try_convert(&bare, from)?.json;
    let echo = subject.with_carrier(&bare, &BTreeMap::new());
    let echo = subject.try_convert(&echo, to)?.json;
    let told = subject.with_carrier(&back, &BTreeMap::new());
    let told = subject.try_convert(&told, to)?.json;
    // What the server fills in is no edit.
    let seen = |text: &str, version: usize| {
        subject.decoded(text, version).map(|text| subject.essence(&text))
    };
    let journey = Journey {
        object: &seen(&object, from)?,
        there: &seen(&there, to)?,
        edited: &subject.essence(&edited),
        back: &seen(&back, from)?,
        bare: &seen(&bare, from)?,
        told: &seen(&told, to)?,
        echo: &seen(&echo, to)?,
    };
    let wrong = journey.wrong(plan, to == newer);
    if wrong.is_empty() {
        return Ok(());
    }
    // Nulls that were added to what is shown for another value may count as an edit, or as none.
    let idle = without_idle_nulls(subject, &there, &edited);
    let idle = Journey { edited: &idle, ..journey };
    ensure(idle.wrong(plan, to == newer).is_empty(), || {
        let wrong = wrong.join(", ");
        let differences = differences(&subject.essence(&object), &subject.essence(&back));
        format!(
            "{wrong}:\n{object}\nbecame\n{there}\nwas edited to\n{edited}\nand was converted back to\n{back}\n{differences}"
        )
    })
}

/// Whether an entry says more than that a struct or a value was there at all: that is said of others too, if what moves
/// takes a struct along. Leaves only such entries of items.
fn says_more(entry: &mut Tree) -> bool {
    let Some(members) = entry.members_mut() else { return true };
    if let Some(Tree::List(entries)) = members.get_mut("entries") {
        entries.retain_mut(says_more);
        return !entries.is_empty();
    }
    let Some(Tree::Object(keep)) = members.get("keep") else { return true };
    keep.values().any(|kept| !["{}", "null"].contains(&kept.write().as_str()))
}

pub(super) fn own_entry(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    // As the API server writes it: entries stand in the order of the text.
    let mut edited = Tree::read(&object);
    let object = edited.write();
    edit(subject, &mut edited, &subject.drawn[from], choices, Reach::Leaves);
    let edited = edited.write();
    let kept = |object: &str| -> Result<_, Stop> {
        let there = subject.convert(object, to)?;
        let mut carrier = subject.carrier(&there);
        carrier.retain(|_, entry| says_more(entry));
        Ok((carrier, structs(&subject.essence(&there))))
    };
    let ((before, structs_before), (after, structs_after)) = (kept(&object)?, kept(&edited)?);
    // What is said of the inside of such a struct comes and goes with it.
    let same_structs = structs_before == structs_after;
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = |key: &&String| match (before.get(*key), after.get(*key)) {
        (Some(before), Some(after)) => before != after,
        _ => same_structs,
    };
    let changed: Vec<_> = keys.into_iter().filter(differs).collect();
    // A value that moves has an entry of its own only if it changes on its way. Otherwise, it's in
    // the entry of the struct around it.
    let is_inside = |key: &str, around: &str| {
        key.strip_prefix(around).is_some_and(|rest| rest.starts_with('.'))
    };
    let outermost: Vec<_> =
        changed.iter().filter(|key| !changed.iter().any(|around| is_inside(key, around))).collect();
    // Values that move together share an entry, or each one stays in that of its own field.
    let share = |keys: &[&&String]| {
        let hops = subject.resource.explanation();
        let mut rows = hops.iter().flat_map(|hop| &hop.rows);
        rows.any(|row| keys.iter().all(|key| row.annotations.contains(key)))
    };
    ensure(outermost.len() <= 1 || share(&outermost), || {
        let differences = differences(&Tree::read(&object), &Tree::read(&edited));
        format!(
            "the entries in {changed:?} change, but only one field differs between\n{object}\nand\n{edited}\n{differences}"
        )
    })
}

/// An edited object without the nulls that were added to what is shown for another value.
fn without_idle_nulls(subject: &Subject<'_>, there: &str, edited: &str) -> Tree {
    fn bare(tree: &Tree) -> Tree {
        match tree {
            Tree::Object(members) => {
                let members =
                    members.iter().filter(|(_, member)| **member != Tree::Plain("null".to_owned()));
                Tree::Object(members.map(|(name, member)| (name.clone(), bare(member))).collect())
            }
            Tree::List(items) => Tree::List(items.iter().map(bare).collect()),
            other => other.clone(),
        }
    }
    fn settle(edited: &mut Tree, there: &Tree, shown: &[Tree]) {
        if shown.contains(there) && bare(edited) == *there {
            edited.clone_from(there);
            return;
        }
        match (edited, there) {
            (Tree::Object(members), Tree::Object(others)) => {
                for (name, member) in members {
                    others.get(name).into_iter().for_each(|other| settle(member, other, shown));
                }
            }
            (Tree::List(items), Tree::List(others)) => {
                items.iter_mut().zip(others).for_each(|(item, other)| settle(item, other, shown));
            }
            _ => {}
        }
    }
    let shown = guards(subject, there).into_iter().flat_map(BTreeMap::into_values);
    let shown: Vec<Tree> = shown.filter(|value| matches!(value, Tree::Object(_))).collect();
    let mut edited = subject.essence(edited);
    settle(&mut edited, &subject.essence(there), &shown);
    edited
}

/// The places of all objects in a tree.
fn structs(tree: &Tree) -> BTreeSet<Vec<String>> {
    fn collect(tree: &Tree, path: &mut Vec<String>, places: &mut BTreeSet<Vec<String>>) {
        let inside: Vec<(String, &Tree)> = match tree {
            Tree::Object(members) => {
                places.insert(path.clone());
                members.iter().map(|(name, member)| (name.clone(), member)).collect()
            }
            Tree::List(items) => {
                items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
            }
            _ => return,
        };
        for (name, member) in inside {
            path.push(name);
            collect(member, path, places);
            path.pop();
        }
    }
    let mut places = BTreeSet::new();
    collect(tree, &mut Vec::new(), &mut places);
    places
}
