//! Limits the size of an object's annotations.

use std::collections::HashMap;
use std::ops::Range;

use super::document::Walk;
use super::locate::Missing;
use super::program::{ANNOTATIONS, Route};
use crate::complement::{Parsed, Unrestored, UnrestoredReason, parse, write_tombstone};
use crate::json::{Edit, Scanner, SyntaxError, quote, sort, splice};

/// How many bytes the keys and values of an object's annotations may have together.
///
/// Source: `TotalAnnotationSizeLimitB` of `k8s.io/apimachinery/pkg/api/validation`.
pub(crate) const MAX_ANNOTATIONS: usize = 256 << 10;

/// The limits for the annotations of a converted object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'a> {
    /// How many bytes the annotations may have.
    pub(crate) max: usize,
    /// Whether the object may be stored as it is.
    pub(crate) stored: bool,
    /// The version in which the object is complete.
    pub(crate) complete_in: &'a str,
}

/// Why an object's annotations don't fit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// How many bytes all annotations have.
    pub(crate) total: usize,
    /// The carrier's annotations, the largest first.
    pub(crate) entries: Vec<Missing>,
}

#[derive(Debug)]
struct Annotation {
    key: String,
    /// The position of the value, with its quotes.
    value: Range<usize>,
    text: String,
}

/// Checks whether a converted object has room for its annotations. The object is at the end of the
/// text. If it has no room, tombstones replace the largest entries. It is an error if the object
/// may be stored, or if the tombstones don't fit either. If the carrier has no annotations, the
/// check is left to the API server.
///
/// Annotations are never longer than their object, so nearly all objects need no check.
#[inline]
pub(super) fn limit(
    walk: &mut Walk,
    out: &mut String,
    start: usize,
    route: &Route,
    room: Room<'_>,
    unrestored: &mut Unrestored,
) -> Result<(), Excess> {
    if out.len() - start <= room.max {
        return Ok(());
    }
    limit_large(walk, out, start, route, room, unrestored)
}

#[cold]
fn limit_large(
    walk: &mut Walk,
    out: &mut String,
    start: usize,
    route: &Route,
    room: Room<'_>,
    unrestored: &mut Unrestored,
) -> Result<(), Excess> {
    // Checks whether a converted object has room for its annotations. The object is at the end of
    // the text. If it has no room and may not be stored, tombstones replace the largest entries. If
    // it may be stored, or if the tombstones don't fit either, that is an error. If the carrier has
    // no annotations, the check is left to the API server.
    //
    // Annotations are never longer than their object, so nearly all objects need no check.
    let annotations = annotations(walk, out, start, route).unwrap_or_default();
    let total = annotations.iter().map(|Annotation { key, text, .. }| key.len() + text.len());
    let total = total.sum();
    let mut carried = annotations;
    carried.retain(|annotation| annotation.key.starts_with(&route.prefix));
    if total <= room.max || carried.is_empty() {
        return Ok(());
    }
    carried.sort_by(|a, b| b.text.len().cmp(&a.text.len()).then_with(|| a.key.cmp(&b.key)));

    let mut left = total;
    let mut tombstones = Vec::new();
    for Annotation { value, text, .. } in carried.iter().filter(|_| !room.stored) {
        let Parsed::Entries(peer, _) = parse(text) else { continue };
        let mut tombstone = String::new();
        write_tombstone(&peer, text.len(), &mut tombstone);
        if tombstone.len() < text.len() {
            left = left - text.len() + tombstone.len();
            tombstones.push((value.clone(), tombstone));
        }
        if left <= room.max {
            break;
        }
    }
    if left > room.max {
        let missing = |Annotation { key, text, .. }| Missing { key, size: text.len() };
        return Err(Excess { total, entries: carried.into_iter().map(missing).collect() });
    }
    let (mut edits, mut arena) = (Vec::new(), String::new());
    for (span, tombstone) in tombstones {
        let start = arena.len();
        quote(&tombstone, &mut arena);
        edits.push(Edit { span, text: start..arena.len() });
        unrestored.add(UnrestoredReason::Oversized);
    }
    sort(&mut edits);
    // Only this object: others of the same review come before it in the text.
    let mut limited = String::with_capacity(out.len() - start);
    splice(out, start..out.len(), &edits, &arena, &mut limited);
    out.truncate(start);
    out.push_str(&limited);
    Ok(())
}

/// Returns the annotations of the object that starts here. If a key is there several times, only
/// the last one counts.
fn annotations(
    walk: &mut Walk,
    text: &str,
    start: usize,
    route: &Route,
) -> Result<Vec<Annotation>, SyntaxError> {
    let object = &text[start..];
    walk.read(&mut Scanner::new(object), route, &mut Unrestored::default())?;
    let mut annotations = Vec::new();
    let Some(instance) = walk.document.instance(ANNOTATIONS) else { return Ok(annotations) };
    let start = start + walk.document.instances[instance].span().start;
    let text = &text[start..];
    let mut scanner = Scanner::new(text);
    let mut places = HashMap::new();
    scanner.enter_object()?;
    while let Some(key) = scanner.next_member(annotations.is_empty())? {
        let key = key.decoded(text).into_owned();
        scanner.peek();
        let from = scanner.pos;
        // The API server accepts no object with an annotation that isn't a string.
        let value = crate::object::string(&mut scanner)?.unwrap_or_default().into_owned();
        let value = Annotation { key, value: start + from..start + scanner.pos, text: value };
        if let Some(place) = places.get(&value.key) {
            annotations[*place] = value;
        } else {
            places.insert(value.key.clone(), annotations.len());
            annotations.push(value);
        }
    }
    Ok(annotations)
}
