//! Stores status entries in `status`, because the API server lets only writers of the status change
//! it.
//!
//! The rules only know annotations. So before the first hop, the entries move from the status into
//! annotations. After the last hop, entries for status fields move back. If an object has a status,
//! its annotations say nothing about the status: annotations belong to the writers of the object.
//!
//! Source: the API server takes everything but `status` from writers of the main resource, and
//! nothing but `status` from writers of the subresource:
//! <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#status-subresource>

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use crate::complement::{Unrestored, UnrestoredReason};
use crate::json::{Member, Scanner, SyntaxError, member, members_of, object_of};

/// The field of a status that contains the status entries. They have the same names as in
/// annotations.
pub(crate) const FIELD: &str = "conversionEntries";

pub(crate) const STATUS: &str = "status";
const METADATA: &str = "metadata";
const ANNOTATIONS: &str = "annotations";

/// Annotations for status fields that can't be trusted: their names, and their unchanged texts.
/// They have no effect, and stay on the object.
pub(super) type Aside = Vec<(String, String)>;

/// Whether an annotation is for the status or a field in it: after the carrier's prefix and the
/// version's name, its path starts with `status`.
pub(crate) fn is_about_status(key: &str, prefix: &str) -> bool {
    let path = key.strip_prefix(prefix).and_then(|name| name.split_once('.'));
    // In a shortened name, a hash follows.
    path.and_then(|(_, path)| path.strip_prefix(STATUS))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

/// Where status entries are stored in a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Annotations,
    /// In the status of objects that have one.
    Status,
    /// In a status that exists only for the entries: the version has no status of its own.
    OwnStatus,
}

/// Where status entries are stored in the versions at the two ends of a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'r> {
    /// The prefix of the carrier's annotations.
    pub(crate) prefix: &'r str,
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// Whether annotations for status fields count even if their place is in the status.
    pub(crate) trusted: bool,
}

/// Whether an annotation is for a version's status as a whole, and not for a field in it.
fn is_whole_status(key: &str, prefix: &str) -> bool {
    let path = key.strip_prefix(prefix).and_then(|name| name.split_once('.'));
    path.is_some_and(|(_, path)| path == STATUS)
}

/// Moves the entries in the status of the object at the scanner's position into its annotations.
/// Sets aside the annotations for status fields that were there before, unless they are trusted.
/// Afterwards, the scanner is at the end of the object. If there is nothing to do, returns `None`
/// and leaves the scanner where it was.
///
/// If an object has no status, but its version has one, annotations count if they are for fields
/// inside the status. An entry can then set nothing there, except for what the author's rules move
/// into the status.
pub(super) fn gather(
    scanner: &mut Scanner<'_>,
    places: Places<'_>,
    unrestored: &mut Unrestored,
) -> Result<Option<(String, Aside)>, SyntaxError> {
    if places.from == Place::Annotations {
        return Ok(None);
    }
    scanner.peek();
    let (mark, start) = (scanner.mark(), scanner.pos);
    scanner.skip_value()?;
    let gathered = gathered(&scanner.text()[start..scanner.pos], places, unrestored);
    if gathered.is_none() {
        scanner.reset(mark);
    }
    Ok(gathered)
}

fn gathered(
    text: &str,
    Places { prefix, from, trusted, .. }: Places<'_>,
    unrestored: &mut Unrestored,
) -> Option<(String, Aside)> {
    // A name that is spelled differently has a backslash.
    if ![FIELD, ".status", "\\u"].iter().any(|part| has(text, part)) {
        return None;
    }
    let parts = Parts::read(text, from)?;
    let has_place = from == Place::OwnStatus || parts.status.is_some();
    let held = parts.held.as_deref().unwrap_or_default();
    let is_own =
        |entry: &Member<'_>| is_about_status(&entry.name, prefix) && entry.value.starts_with('"');
    let own = held.iter().enumerate().filter(|(_, entry)| is_own(entry));
    let last: HashMap<&str, usize> = own.map(|(place, entry)| (&*entry.name, place)).collect();
    let (mut coming, mut others) = (Vec::new(), Vec::new());
    for (place, entry) in held.iter().enumerate() {
        if !is_own(entry) {
            if from == Place::OwnStatus {
                unrestored.add(UnrestoredReason::Malformed);
            } else {
                others.push(entry.text());
            }
        } else if last[&*entry.name] != place {
            unrestored.add(UnrestoredReason::DuplicateKey);
        } else {
            coming.push(entry);
        }
    }
    let (mut annotations, mut aside) = (Vec::new(), Aside::new());
    for annotation in &parts.annotations {
        if !is_about_status(&annotation.name, prefix) {
            annotations.push(annotation.text());
        } else if last.contains_key(&*annotation.name) {
            unrestored.add(UnrestoredReason::Superseded);
        } else if trusted || !has_place && !is_whole_status(&annotation.name, prefix) {
            annotations.push(annotation.text());
        } else {
            unrestored.add(UnrestoredReason::Ignored);
            aside.push((annotation.name.clone().into_owned(), annotation.text()));
        }
    }
    if others.len() == held.len() && annotations.len() == parts.annotations.len() {
        return None;
    }
    annotations.extend(coming.into_iter().map(Member::text));
    Some((parts.with(&annotations, &others), aside))
}

/// Moves the status entries of an object from its annotations into its status, if it has one. Puts
/// back into the annotations what was set aside. The object is at the end of the text.
pub(super) fn scatter(
    out: &mut String,
    start: usize,
    Places { prefix, to, .. }: Places<'_>,
    aside: &Aside,
) {
    let text = &out[start..];
    let takes = to != Place::Annotations;
    if aside.is_empty() && !(takes && has(text, ".status") && has(text, prefix)) {
        return;
    }
    // The text isn't broken, since a conversion wrote it.
    let Some(parts) = Parts::read(text, to) else { return };
    let takes = takes && parts.held.is_some();
    let mut entries: Vec<_> = parts.held.iter().flatten().map(Member::text).collect();
    let mut annotations = Vec::new();
    for annotation in &parts.annotations {
        let about = takes && is_about_status(&annotation.name, prefix);
        let place = if about { &mut entries } else { &mut annotations };
        place.push(annotation.text());
    }
    // Entries that the conversion kept in annotations, because there is no other place, replace
    // those that were set aside.
    let known: HashSet<&str> =
        parts.annotations.iter().map(|annotation| &*annotation.name).collect();
    let aside = aside.iter().filter(|(name, _)| !known.contains(&**name));
    annotations.extend(aside.map(|(_, text)| text.clone()));
    let text = parts.with(&annotations, &entries);
    out.truncate(start);
    out.push_str(&text);
}

/// Removes the status entries from an object's status.
pub(crate) fn remove(text: &mut String, prefix: &str) {
    if !has(text, FIELD) && !has(text, "\\u") {
        return;
    }
    let Some(parts) = Parts::read(text, Place::Status) else { return };
    let Some(held) = &parts.held else { return };
    let others = held.iter().filter(|entry| !is_about_status(&entry.name, prefix));
    let others: Vec<_> = others.map(Member::text).collect();
    if others.len() < held.len() {
        let annotations: Vec<_> = parts.annotations.iter().map(Member::text).collect();
        *text = parts.with(&annotations, &others);
    }
}

fn has(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// The parts of an object's text that matter here. If several members have the same name, the last
/// one counts, as for the API server.
struct Parts<'t> {
    root: Vec<Member<'t>>,
    metadata: Vec<Member<'t>>,
    annotations: Vec<Member<'t>>,
    status: Option<Vec<Member<'t>>>,
    /// The entries in the status. `None` if the status can't have any: there is no status, or its
    /// author has another field with that name. A status that exists only for entries needn't be
    /// there.
    held: Option<Vec<Member<'t>>>,
    /// Whether the status exists only for entries: it is added with the first one, and removed with
    /// the last one.
    is_own: bool,
}

impl<'t> Parts<'t> {
    fn read(text: &'t str, place: Place) -> Option<Self> {
        let root = members_of(text)?;
        let inside = |around: &[Member<'t>], name| members_of(last(around, name)?.value);
        let metadata = inside(&root, METADATA).unwrap_or_default();
        let annotations = inside(&metadata, ANNOTATIONS).unwrap_or_default();
        let status = inside(&root, STATUS);
        let is_own = place == Place::OwnStatus;
        let none = is_own.then(Vec::new);
        let held = status.as_ref().map_or(none, |status| match last(status, FIELD) {
            None => Some(Vec::new()),
            Some(field) if field.value == "null" => Some(Vec::new()),
            Some(field) => members_of(field.value),
        });
        Some(Self { root, metadata, annotations, status, held, is_own })
    }

    /// Returns the object with other annotations, and with other entries in its status.
    fn with(&self, annotations: &[String], entries: &[String]) -> String {
        let mut root: Vec<_> = self.root.iter().map(Member::text).collect();
        let metadata = exchanged(&self.metadata, ANNOTATIONS, annotations);
        exchange(&self.root, &mut root, METADATA, &object_of(&metadata));
        if self.held.is_none() {
            return object_of(&root);
        }
        let status = exchanged(self.status.as_deref().unwrap_or_default(), FIELD, entries);
        if !status.is_empty() || !self.is_own {
            exchange(&self.root, &mut root, STATUS, &object_of(&status));
        } else if let Some(place) = self.root.iter().rposition(|member| member.name == STATUS) {
            root.remove(place);
        }
        object_of(&root)
    }
}

fn last<'m, 't>(members: &'m [Member<'t>], name: &str) -> Option<&'m Member<'t>> {
    members.iter().rev().find(|member| member.name == name)
}

/// Returns the texts of members, where the member `name` is an object with the members `inside`.
/// Without any, it is removed.
fn exchanged(members: &[Member<'_>], name: &str, inside: &[String]) -> Vec<String> {
    if inside.is_empty() {
        let others = members.iter().filter(|member| member.name != name);
        return others.map(Member::text).collect();
    }
    let mut texts: Vec<_> = members.iter().map(Member::text).collect();
    exchange(members, &mut texts, name, &object_of(inside));
    texts
}

/// Replaces the value of a member, or adds the member if there is none. `texts` are the texts of
/// the members.
fn exchange(members: &[Member<'_>], texts: &mut Vec<String>, name: &str, value: &str) {
    match members.iter().rposition(|member| member.name == name) {
        Some(place) => texts[place] = member(name, value),
        None => texts.push(member(name, value)),
    }
}
