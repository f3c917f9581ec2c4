//! The law about objects whose annotations have little room.

use crate::ConversionError;
use crate::engine::label;
use crate::testing::{
    choices::Choices,
    stop::{Stop, ensure},
    stray::Stray,
    subject::{Case, Subject},
    tree::Tree,
};

/// How many bytes of the room are left at most, by cases: for most of what conversions keep, for little of it, for nothing.
const LEFT: [usize; 4] = [2_000, 400, 60, 1];

/// A stored object that is read and written back. Instead of filling a client's annotations up to the API server's limit, the law lowers
/// the limit to what they have.
pub(super) fn room(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let storage = subject.storage();
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    if to == storage {
        return Ok(());
    }
    let created = subject.decoded(&object, from)?;
    let stored = subject.served(&subject.convert(&created, storage)?, storage)?;
    let stored = subject.decoded(&stored, storage)?;
    let most = choices.one_of(&LEFT);
    let room = annotations(&Tree::read(&stored)) + choices.below(most);
    let at = subject.version(to);
    let told = |what: &str, is: &str| {
        format!(
            "{what}\nstored as\n{stored}\nread in {at} with room for {room} bytes of annotations\nresult\n{is}"
        )
    };

    let read = subject.converted_within(room, &stored, to).map_err(|error| match error {
        ConversionError::Field(_) => Stop::Refused(error.to_string()),
        _ => Stop::Broken(told("reading the object fails", &error.to_string())),
    })?;
    let (unrestored, read) = (read.unrestored, read.json);
    let tree = Tree::read(&read);
    ensure(annotations(&tree) <= room, || {
        told("the object has too many bytes of annotations", &read)
    })?;
    let mark = label(&subject.prefix);
    let is_marked = tree.at(&["metadata", "labels", &mark]).is_some();
    let mut entries = subject.carrier(&read);
    let is_tombstone = |entry: &Tree| entry.at(&["tombstone"]).is_some();
    let is_complete = !is_marked && !entries.values().any(is_tombstone);
    ensure(is_complete == unrestored.is_empty(), || {
        told(
            &format!(
                "the counts of entries that were not restored, {unrestored:?}, don't match what the object says is missing"
            ),
            &read,
        )
    })?;

    // What its version can say is there in any case, and what is kept is as ever.
    let roomy = subject.try_convert(&stored, to)?.json;
    ensure(shown(subject, &roomy, &mark) == shown(subject, &read, &mark), || {
        told(&format!("the object has other fields than with enough room\n{roomy}"), &read)
    })?;
    let kept = subject.carrier(&roomy);
    entries.retain(|_, entry| !is_tombstone(entry));
    ensure(entries.iter().all(|(key, entry)| kept.get(key) == Some(entry)), || {
        told(&format!("the object has other entries than with enough room\n{roomy}"), &read)
    })?;

    // What comes back is all there was, or nothing.
    let read = subject.decoded(&subject.served(&read, to)?, to)?;
    match subject.converted_within(room, &read, storage) {
        Ok(back) if is_complete => {
            let back = subject.decoded(&subject.served(&back.json, storage)?, storage)?;
            ensure(Tree::read(&back) == Tree::read(&stored), || {
                told("writing the object back changes it", &back)
            })
        }
        Err(ConversionError::Oversized(_)) if !is_complete => Ok(()),
        Err(error @ ConversionError::Field(_)) => Err(Stop::Refused(error.to_string())),
        Ok(back) => Err(Stop::Broken(told(
            "writing the object back succeeds, although it isn't complete",
            &back.json,
        ))),
        Err(error) => Err(Stop::Broken(told("writing the object back fails", &error.to_string()))),
    }
}

/// How many bytes an object's annotations have, as the API server counts them.
fn annotations(object: &Tree) -> usize {
    let Some(Tree::Object(annotations)) = object.at(&["metadata", "annotations"]) else { return 0 };
    let size = |(key, value): (&String, &Tree)| match value {
        Tree::Text(text) => key.len() + text.len(),
        _ => key.len(),
    };
    annotations.iter().map(size).sum()
}

/// An object without the carrier and the label.
fn shown(subject: &Subject<'_>, object: &str, label: &str) -> Tree {
    let mut tree = subject.essence(object);
    let Some(Tree::Object(metadata)) = tree.at_mut(&["metadata"]) else { return tree };
    if let Some(Tree::Object(labels)) = metadata.get_mut("labels") {
        labels.remove(label);
        if labels.is_empty() {
            metadata.remove("labels");
        }
    }
    tree
}
