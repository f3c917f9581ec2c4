//! Turns decisions into edits of the text: commas, `apiVersion`, and the carrier's annotations.

use std::ops::Range;

use smallvec::SmallVec;

use super::document::{Instance, Source};
use super::hop::{Annotations, Failure, Hop, MemberEdit, Patch};
use super::incomplete::label;
use super::program::{ANNOTATIONS, LABELS, METADATA, Node, ROOT, Role};
use crate::complement::UnrestoredReason;
use crate::json::{Edit, quote, sort};
use crate::plan::Tagging;

/// The nodes that every object has, in addition to those of the versions.
const OUTSIDE: [usize; 4] = [ROOT, METADATA, ANNOTATIONS, LABELS];

/// Makes the edits. Those outside `metadata` come first, because they determine what the target
/// shows, and so which item an entry belongs to. Then follow the version, the annotations, and
/// `metadata` if it's missing.
pub(super) fn emit(hop: &mut Hop<'_>, edits: &mut Vec<Edit>) -> Result<(), Failure> {
    let (source, patch) = (hop.source, &mut *hop.patch);
    edits.append(&mut patch.replaced);
    edit_instances(source, patch, edits, |node| !OUTSIDE.contains(&node));
    sort(edits);
    hop.others.drop_in_new(source, patch, &mut hop.tally.unrestored, edits);
    let mut kept = hop.outbox.annotations(source, patch, edits);
    let size = kept.iter().map(|(key, text)| key.len() + text.len()).sum::<usize>();
    hop.tally.kept_bytes += size as u64;
    set_version(source, patch);
    reuse_annotations(hop, &mut kept);
    place_strings(source, hop.patch, ANNOTATIONS, kept)?;
    emit_metadata(source, hop.patch, edits);
    Ok(())
}

/// Makes the edits for a copy.
pub(super) fn emit_copy(
    source: Source<'_>,
    patch: &mut Patch,
    edits: &mut Vec<Edit>,
) -> Result<(), Failure> {
    place_metadata(source, patch, ANNOTATIONS, None)?;
    emit_metadata(source, patch, edits);
    Ok(())
}

/// Makes the edits for a copy without the carrier's annotations. Adds or removes the label that
/// says in which version the object is complete.
pub(super) fn emit_export(
    source: Source<'_>,
    patch: &mut Patch,
    complete_in: Option<&str>,
    edits: &mut Vec<Edit>,
) -> Result<(), Failure> {
    remove_carried(source, patch, ANNOTATIONS);
    match complete_in {
        None => remove_carried(source, patch, LABELS),
        Some(_) if source.document.carried(LABELS).next().is_some() => {}
        Some(version) => {
            let label = (label(&source.route.prefix).into(), patch.push_quoted(version));
            place_strings(source, patch, LABELS, Annotations::from_iter([label]))?;
        }
    }
    emit_metadata(source, patch, edits);
    Ok(())
}

/// Makes the edits of the object's root and its metadata.
fn emit_metadata(source: Source<'_>, patch: &mut Patch, edits: &mut Vec<Edit>) {
    let others = edits.len();
    edit_instances(source, patch, edits, |node| OUTSIDE.contains(&node));
    // Metadata usually comes first in the text.
    edits.rotate_left(others);
    sort(edits);
}

fn set_version(source: Source<'_>, patch: &mut Patch) {
    let version = patch.push(|arena| arena.push_str(&source.route.api_version));
    if let Some(named) = root_member(source, Role::ApiVersion) {
        patch.set(named, MemberEdit::Set(version));
    }
}

/// Adds annotations or labels.
fn place_strings(
    source: Source<'_>,
    patch: &mut Patch,
    node: usize,
    new: Annotations,
) -> Result<(), Failure> {
    if let Some(strings) = source.document.instance(node) {
        for (key, value) in new {
            let member = push_moved(patch, &key, value);
            patch.appended.push((strings, member));
        }
        drop_if_emptied(source, patch, strings);
        return Ok(());
    }
    let strings = (!new.is_empty()).then(|| {
        let members: Vec<_> =
            new.into_iter().map(|(key, value)| push_moved(patch, &key, value)).collect();
        push_object(patch, &members)
    });
    place_metadata(source, patch, node, strings)
}

/// Removes the carrier's annotations or labels.
fn remove_carried(source: Source<'_>, patch: &mut Patch, node: usize) {
    for named in source.document.carried(node) {
        patch.delete(Some(named));
    }
    if let Some(strings) = source.document.instance(node) {
        drop_if_emptied(source, patch, strings);
    }
}

/// Replaces the values of annotations that the object already has, and removes these from `kept`,
/// which is sorted.
fn reuse_annotations(hop: &mut Hop<'_>, kept: &mut Annotations) {
    let source = hop.source;
    if kept.is_empty() {
        return;
    }
    let mut there = SmallVec::<[bool; 8]>::from_elem(false, kept.len());
    for named in source.document.carried(ANNOTATIONS) {
        let key = source.key(named);
        let Ok(at) = kept.binary_search_by(|(kept, _)| (**kept).cmp(&key)) else { continue };
        if std::mem::replace(&mut there[at], true) {
            hop.patch.delete(Some(named));
            continue;
        }
        if hop.patch.stays(named) {
            hop.lose(UnrestoredReason::Superseded);
        }
        hop.patch.set(named, MemberEdit::Set(kept[at].1.clone()));
    }
    let mut there = there.into_iter();
    kept.retain(|_| there.next() == Some(false));
}

/// Removes `annotations` or `labels` if only the carrier had something in it.
fn drop_if_emptied(source: Source<'_>, patch: &mut Patch, instance: usize) {
    let deleted = source.document.named_in(instance).filter(|at| !patch.stays(*at)).count();
    let Instance { node, members, .. } = source.instance(instance);
    let appended = patch.appended.iter().any(|(of, _)| *of == instance);
    if deleted > 0 && deleted == *members && !appended {
        patch.end(instance);
        let metadata = source.document.instance(METADATA);
        patch.delete(metadata.and_then(|metadata| source.member_called(metadata, name_of(*node))));
    }
}

/// Returns the name of a node in the metadata.
fn name_of(node: usize) -> &'static str {
    if node == LABELS { "labels" } else { "annotations" }
}

/// Writes annotations or labels if there were none, and `metadata` if it's missing: the API server
/// requires it in each converted object.
fn place_metadata(
    source: Source<'_>,
    patch: &mut Patch,
    node: usize,
    strings: Option<Range<usize>>,
) -> Result<(), Failure> {
    let (name, metadata) = (name_of(node), source.document.instance(METADATA));
    if let (Some(instance), Some(strings)) = (metadata, strings.clone()) {
        if let Some(named) = source.member_called(instance, name) {
            return set_null(source, patch, (named, &format!("metadata.{name}")), strings);
        }
        let member = push_moved(patch, name, strings);
        patch.appended.push((instance, member));
        return Ok(());
    }
    if metadata.is_some() {
        return Ok(());
    }
    let member = strings.map(|strings| push_moved(patch, name, strings));
    let object = push_object(patch, member.as_slice());
    if let Some(named) = root_member(source, Role::Child(METADATA)) {
        return set_null(source, patch, (named, "metadata"), object);
    }
    let member = push_moved(patch, "metadata", object);
    patch.appended.push((ROOT, member));
    Ok(())
}

fn set_null(
    source: Source<'_>,
    patch: &mut Patch,
    (named, field): (usize, &str),
    value: Range<usize>,
) -> Result<(), Failure> {
    if source.value(named) != "null" {
        let reason = "isn't an object".to_owned();
        return Err(Failure { field: field.to_owned(), reason, cause: None });
    }
    patch.set(named, MemberEdit::Set(value));
    Ok(())
}

fn root_member(source: Source<'_>, role: Role) -> Option<usize> {
    let Node::Object(root) = &source.route.nodes[ROOT] else { return None };
    let member = root.names.members.iter().position(|member| member.role == role)?;
    source.member(0, member)
}

/// Appends a member to the arena. Its value is already there.
fn push_moved(patch: &mut Patch, name: &str, value: Range<usize>) -> Range<usize> {
    patch.push(|arena| {
        quote(name, arena);
        arena.push(':');
        arena.extend_from_within(value);
    })
}

fn push_object(patch: &mut Patch, members: &[Range<usize>]) -> Range<usize> {
    patch.push(|arena| {
        arena.push('{');
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                arena.push(',');
            }
            arena.extend_from_within(member.clone());
        }
        arena.push('}');
    })
}

/// Makes the edits of all objects of the chosen nodes.
fn edit_instances(
    source: Source<'_>,
    patch: &mut Patch,
    edits: &mut Vec<Edit>,
    chosen: impl Fn(usize) -> bool,
) {
    patch.order();
    let appended = std::mem::take(&mut patch.appended);
    let mut new = 0;
    for instance in 0..source.document.instances.len() {
        let of_these = &appended[new..];
        let last = new + of_these.iter().take_while(|(of, _)| *of == instance).count();
        if chosen(source.instance(instance).node) {
            edit_instance(source, patch, instance, &appended[new..last], edits);
        }
        new = last;
    }
    patch.appended = appended;
}

fn edit_instance(
    source: Source<'_>,
    patch: &mut Patch,
    instance: usize,
    new: &[(usize, Range<usize>)],
    edits: &mut Vec<Edit>,
) {
    let has_members = match source.node(instance) {
        Node::Object(_) => true,
        Node::Union(union) => union.tagging == Tagging::External,
        Node::List { .. } | Node::Map { .. } => false,
    };
    if patch.is_done(instance) || !has_members {
        return;
    }
    let left = edit_members(source, patch, instance, edits);
    append(source, patch, instance, left, new, edits);
}

/// What's left of an object's members after the edits.
struct Left {
    something: bool,
    /// Whether the last of the object's members stays.
    ends_in_source: bool,
}

/// Each named member, and each run of other members, owns the comma before it. The comma is deleted
/// with its owner, and also if nothing is left before the owner.
fn edit_members(source: Source<'_>, patch: &Patch, instance: usize, edits: &mut Vec<Edit>) -> Left {
    let object = source.instance(instance);
    let mut edit = |span: Range<usize>, text: Range<usize>| edits.push(Edit { span, text });
    let mut after = object.start;
    let mut something = false;
    let mut ends_in_source = true;
    for at in source.document.named_in(instance) {
        let member = source.named(at);
        if member.lead > after {
            if after > object.start && !something {
                edit(after - 1..after, 0..0);
            }
            something = true;
        }
        let comma = member.lead - usize::from(member.lead > object.start);
        ends_in_source = patch.stays(at);
        if ends_in_source {
            if !something {
                edit(comma..member.lead, 0..0);
            }
            something = true;
            let key = member.key.start - 1..member.key.end + 1;
            match patch.member(at) {
                MemberEdit::Replace(text) => edit(key.start..member.value.end, text.clone()),
                MemberEdit::Rename(text) => edit(key, text.clone()),
                MemberEdit::Set(text) => edit(member.value.clone(), text.clone()),
                MemberEdit::Keep | MemberEdit::Delete => {}
            }
        } else {
            edit(comma..member.tail, 0..0);
        }
        after = member.tail + 1;
    }
    if after <= object.end && (after > object.start || object.members > 0) {
        if after > object.start && !something {
            edit(after - 1..after, 0..0);
        }
        something = true;
        ends_in_source = true;
    }
    Left { something, ends_in_source }
}

/// Writes an object's new members after what's left of the others.
fn append(
    source: Source<'_>,
    patch: &mut Patch,
    instance: usize,
    Left { mut something, ends_in_source }: Left,
    new: &[(usize, Range<usize>)],
    edits: &mut Vec<Edit>,
) {
    if new.is_empty() {
        return;
    }
    let object = source.instance(instance);
    let inside = source.text[object.start..object.end].bytes();
    let blank = inside.rev().take_while(u8::is_ascii_whitespace).count();
    let at = if something && ends_in_source { object.end - blank } else { object.end };
    for (_, text) in new {
        let member = patch.push(|arena| {
            if something {
                arena.push(',');
            }
            arena.extend_from_within(text.clone());
        });
        something = true;
        edits.push(Edit { span: at..at, text: member });
    }
}
