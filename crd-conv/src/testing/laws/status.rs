//! The law about who may change what: writers of the object, and writers of its status.

use std::collections::BTreeMap;

use super::entries::forge;
use crate::definition::VersionDefinition;
use crate::plan::Branch;
use crate::testing::{
    choices::Choices,
    edit::{Reach, edit},
    server,
    stop::{Stop, ensure},
    stray::Stray,
    subject::{Case, Subject},
    tree::Tree,
};

/// How many writes there are at most, one after the other.
const WRITES: usize = 4;

/// A stored object, and writes to it in any version that has the subresource.
pub(super) fn status_apart(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let versions = subject.resource.definition().versions;
    // Where the author's rules move values into the status or out of it, the writers of the one stanza are meant to change the other.
    let roots = versions.iter().filter_map(VersionDefinition::rules).filter_map(Branch::fields);
    if roots.into_iter().any(|root| !root.across("status").is_empty()) {
        return Ok(());
    }
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let mut stored = store(subject, &object, from)?;
    for write in 0..=choices.below(WRITES) {
        let at = if write == 0 { to } else { choices.below(versions.len()) };
        if !versions[at].status {
            continue;
        }
        let old = read(subject, &stored, at)?;
        // What clients put into the carrier says something until the next write, whatever that is.
        let same_again = store(subject, &old, at)?;
        let body = subject.decoded(&body(subject, &old, at, choices)?, at)?;
        let refused = |error: crate::validation::Refusal| Stop::Refused(error.to_string());
        match choices.below(3) {
            0 => {
                let new = store(subject, &server::update(&old, &body).map_err(refused)?, at)?;
                same(subject, [&same_again, &new], [&old, &body], at, status)?;
                stored = new;
            }
            1 => {
                let new = server::update_status(&old, &body).map_err(refused)?;
                let new = store(subject, &new, at)?;
                same(subject, [&same_again, &new], [&old, &body], at, all_else)?;
                stored = new;
            }
            _ => {
                let bare = subject.with_carrier(&body, &BTreeMap::new());
                let [copy, bare] = [&body, &bare]
                    .map(|body| store(subject, &server::create(body).map_err(refused)?, at));
                same(subject, [&bare?, &copy?], [&old, &body], at, status)?;
            }
        }
    }
    Ok(())
}

/// A body that is sent: what was read or a new object, edited or not, with entries that were read, none, others, or in other places.
fn body(
    subject: &Subject<'_>,
    read: &str,
    version: usize,
    choices: &mut Choices<'_>,
) -> Result<String, Stop> {
    let mut body = match choices.below(3) {
        0 => subject.object(version, Stray::Valid, choices),
        _ => read.to_owned(),
    };
    let mut tree = Tree::read(&body);
    for _ in 0..choices.below(3) {
        edit(subject, &mut tree, &subject.drawn[version], choices, Reach::Everywhere);
    }
    body = tree.write();
    let other = choices.below(subject.versions());
    let other = subject.object(other, Stray::Valid, choices);
    let mut carrier = match choices.below(4) {
        0 => return Ok(body),
        1 => BTreeMap::new(),
        2 => subject.carrier(read),
        _ => subject.carrier(&subject.try_convert(&other, version)?.json),
    };
    carrier.retain(|_, _| !choices.once_in(6));
    for entry in carrier.values_mut() {
        if choices.once_in(3) {
            forge(entry, choices);
        }
    }
    let in_place = subject.with_carrier(&body, &carrier);
    if choices.once_in(2) {
        return Ok(in_place);
    }
    // Everything in annotations, and everything in the status.
    let texts = carrier.into_iter().map(|(key, entry)| (key, Tree::Text(entry.write())));
    let texts: BTreeMap<_, _> = texts.collect();
    let mut tree = Tree::read(&in_place);
    for around in [["metadata", "annotations"], ["status", "conversionEntries"]] {
        let [around, name] = around;
        if let Some(around) = tree.at_mut(&[around]).and_then(Tree::members_mut) {
            around.insert(name.to_owned(), Tree::Object(texts.clone()));
        }
    }
    Ok(tree.write())
}

/// What is in storage of an object in a version, as the server reads it from there.
fn store(subject: &Subject<'_>, object: &str, version: usize) -> Result<String, Stop> {
    let storage = subject.storage();
    let object = subject.decoded(object, version)?;
    let stored = subject.served(&subject.try_convert(&object, storage)?.json, storage)?;
    subject.decoded(&stored, storage)
}

/// A stored object as a client reads it in a version.
fn read(subject: &Subject<'_>, stored: &str, version: usize) -> Result<String, Stop> {
    subject.served(&subject.try_convert(stored, version)?.json, version)
}

/// Checks that a part of an object is the same in every version.
fn same(
    subject: &Subject<'_>,
    [before, after]: [&str; 2],
    [old, body]: [&str; 2],
    at: usize,
    part: impl Fn(&Subject<'_>, &str) -> Tree,
) -> Result<(), Stop> {
    for version in 0..subject.versions() {
        let seen = |stored: &str| subject.decoded(&read(subject, stored, version)?, version);
        let [was, is] = [seen(before)?, seen(after)?];
        ensure(part(subject, &was) == part(subject, &is), || {
            let [at, version] = [at, version].map(|version| subject.version(version));
            format!(
                "after a client read in {at}\n{old}\nand sent in {at}\n{body}\n{version} shows\n{is}\ninstead of\n{was}"
            )
        })?;
    }
    Ok(())
}

fn status(subject: &Subject<'_>, object: &str) -> Tree {
    subject.essence(object).at(&["status"]).cloned().unwrap_or_else(|| Tree::read("null"))
}

/// All but the status. What is kept for another version shows there, and an entry for a value that somebody changed shows nowhere.
fn all_else(subject: &Subject<'_>, object: &str) -> Tree {
    let mut essence = subject.essence(object);
    essence.members_mut().map(|root| root.remove("status"));
    essence
}
