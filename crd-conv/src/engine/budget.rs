//! How much the annotations of an object may hold.

use std::collections::HashMap;
use std::ops::Range;

use super::document::Walk;
use super::locate::Missing;
use super::program::{ANNOTATIONS, Route};
use crate::complement::{Loss, Losses, Parsed, parse, write_tombstone};
use crate::json::{Edit, Scanner, SyntaxError, quote, sort, splice};

/// How many bytes the keys and values of an object's annotations may have together.
///
/// Source: `TotalAnnotationSizeLimitB` of `k8s.io/apimachinery/pkg/api/validation`.
pub(crate) const MAX_ANNOTATIONS: usize = 256 << 10;

/// What an object's annotations may have where it is converted to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'a> {
    /// How many bytes they may have.
    pub(crate) max: usize,
    /// Whether it may be stored as it is.
    pub(crate) stored: bool,
    /// The version in which it is complete.
    pub(crate) complete_in: &'a str,
}

/// Why the annotations of an object have too much.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// How much they have.
    pub(crate) total: usize,
    /// What the carrier has of it, the largest first.
    pub(crate) entries: Vec<Missing>,
}

/// An annotation.
#[derive(Debug)]
struct Annotation {
    key: String,
    /// Where its value stands, with quotes.
    value: Range<usize>,
    text: String,
}

/// Looks whether a converted object, which ends with the text, has room for its annotations. If it doesn't, tombstones take
/// the place of the largest entries, unless the object may be stored. Where the carrier has no part in it, that is
/// left to the API server.
///
/// No annotations are longer than their object, so nearly all objects need no look.
#[inline]
pub(super) fn limit(
    walk: &mut Walk,
    out: &mut String,
    start: usize,
    route: &Route,
    room: Room<'_>,
    losses: &mut Losses,
) -> Result<(), Excess> {
    if out.len() - start <= room.max {
        return Ok(());
    }
    limit_large(walk, out, start, route, room, losses)
}

#[cold]
fn limit_large(
    walk: &mut Walk,
    out: &mut String,
    start: usize,
    route: &Route,
    room: Room<'_>,
    losses: &mut Losses,
) -> Result<(), Excess> {
    // It isn't broken: a conversion wrote it.
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
        losses.add(Loss::Oversized);
    }
    sort(&mut edits);
    // Only the object: other ones of the same review stand before it.
    let mut limited = String::with_capacity(out.len() - start);
    splice(out, start..out.len(), &edits, &arena, &mut limited);
    out.truncate(start);
    out.push_str(&limited);
    Ok(())
}

/// The annotations of the object that starts here, without those whose key comes again.
fn annotations(
    walk: &mut Walk,
    text: &str,
    start: usize,
    route: &Route,
) -> Result<Vec<Annotation>, SyntaxError> {
    let object = &text[start..];
    walk.read(&mut Scanner::new(object), route, &mut Losses::default())?;
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
        // The API server takes no object with an annotation that isn't a text.
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
