//! From decisions to edits of the text: commas, `apiVersion`, and the carrier's annotations.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::document::Source;
use super::hop::{Failure, Hop, MemberEdit, Patch};
use super::program::{ANNOTATIONS, METADATA, Node, ROOT, Role};
use crate::complement::Loss;
use crate::json::{Edit, quote, sort};
use crate::plan::Tagging;

/// The nodes around those of the versions.
const OUTSIDE: [usize; 3] = [ROOT, METADATA, ANNOTATIONS];

/// Makes the edits: first those of everything outside `metadata`, which tell what the target shows and so to which
/// item an entry belongs; then the version, the annotations, and `metadata` if there was none.
pub(super) fn emit(hop: &mut Hop<'_>, edits: &mut Vec<Edit>) -> Result<(), Failure> {
    let (source, patch) = (hop.source, &mut *hop.patch);
    edits.append(&mut patch.replaced);
    edit_instances(source, patch, edits, |node| !OUTSIDE.contains(&node));
    sort(edits);
    let new = (&hop.moving.new[..], &edits[..]);
    hop.others.drop_in_new(source, patch, &mut hop.tally.losses, new);
    let kept = hop.outbox.annotations(source, patch, edits);
    let size = kept.iter().map(|(key, text)| key.len() + text.len()).sum::<usize>();
    hop.tally.kept_bytes += size as u64;
    set_version(source, patch);
    let kept = reuse_annotations(hop, kept);
    place_annotations(source, hop.patch, kept)?;
    emit_metadata(source, hop.patch, edits);
    Ok(())
}

/// The edits of a copy.
pub(super) fn emit_copy(
    source: Source<'_>,
    patch: &mut Patch,
    edits: &mut Vec<Edit>,
) -> Result<(), Failure> {
    place_metadata(source, patch, None)?;
    emit_metadata(source, patch, edits);
    Ok(())
}

/// The edits of a copy without the carrier's annotations.
pub(super) fn emit_export(source: Source<'_>, patch: &mut Patch, edits: &mut Vec<Edit>) {
    for (at, named) in source.document.named.iter().enumerate() {
        if named.member.is_none() {
            patch.delete(Some(at));
        }
    }
    if let Some(annotations) = source.document.instance(ANNOTATIONS) {
        drop_if_emptied(source, patch, annotations);
    }
    emit_metadata(source, patch, edits);
}

/// The edits of the object's root and its metadata.
fn emit_metadata(source: Source<'_>, patch: &mut Patch, edits: &mut Vec<Edit>) {
    edit_instances(source, patch, edits, |node| OUTSIDE.contains(&node));
    sort(edits);
}

fn set_version(source: Source<'_>, patch: &mut Patch) {
    let version = patch.push(|arena| arena.push_str(&source.route.api_version));
    if let Some(named) = root_member(source, Role::ApiVersion) {
        patch.set(named, MemberEdit::Set(version));
    }
}

fn place_annotations(
    source: Source<'_>,
    patch: &mut Patch,
    kept: Vec<(Rc<str>, Range<usize>)>,
) -> Result<(), Failure> {
    if let Some(annotations) = source.document.instance(ANNOTATIONS) {
        for (key, value) in kept {
            let member = push_moved(patch, &key, value);
            patch.appended.push((annotations, member));
        }
        drop_if_emptied(source, patch, annotations);
        return Ok(());
    }
    let annotations = (!kept.is_empty()).then(|| {
        let members: Vec<_> =
            kept.into_iter().map(|(key, value)| push_moved(patch, &key, value)).collect();
        push_object(patch, &members)
    });
    place_metadata(source, patch, annotations)
}

/// Where the object has the annotation already, its value is replaced; gives all others.
fn reuse_annotations(
    hop: &mut Hop<'_>,
    kept: Vec<(Rc<str>, Range<usize>)>,
) -> Vec<(Rc<str>, Range<usize>)> {
    let source = hop.source;
    let mut there: HashMap<String, Vec<usize>> = HashMap::new();
    if !kept.is_empty() {
        for (index, named) in source.document.named.iter().enumerate() {
            if named.member.is_none() && !hop.patch.is_done(named.instance) {
                there.entry(source.key(index).into_owned()).or_default().push(index);
            }
        }
    }
    let mut others = Vec::new();
    for (key, value) in kept {
        let Some((first, more)) = there.get(&*key).and_then(|there| there.split_first()) else {
            others.push((key, value));
            continue;
        };
        if hop.patch.stays(*first) {
            hop.lose(Loss::Superseded);
        }
        hop.patch.set(*first, MemberEdit::Set(value));
        for other in more {
            hop.patch.delete(Some(*other));
        }
    }
    others
}

/// Annotations that held nothing but entries go with them.
fn drop_if_emptied(source: Source<'_>, patch: &mut Patch, annotations: usize) {
    let deleted = source.document.named_in(annotations).filter(|at| !patch.stays(*at)).count();
    let appended = patch.appended.iter().any(|(instance, _)| *instance == annotations);
    if deleted > 0 && deleted == source.instance(annotations).members && !appended {
        patch.end(annotations);
        let metadata = source.document.instance(METADATA);
        patch.delete(metadata.and_then(|metadata| source.member(metadata, 0)));
    }
}

/// Writes annotations where there were none, and `metadata` where there was none: the API server demands it of
/// every answer.
fn place_metadata(
    source: Source<'_>,
    patch: &mut Patch,
    annotations: Option<Range<usize>>,
) -> Result<(), Failure> {
    let metadata = source.document.instance(METADATA);
    if let (Some(instance), Some(annotations)) = (metadata, annotations.clone()) {
        if let Some(named) = source.member(instance, 0) {
            return set_null(source, patch, (named, "metadata.annotations"), annotations);
        }
        let member = push_moved(patch, "annotations", annotations);
        patch.appended.push((instance, member));
        return Ok(());
    }
    if metadata.is_some() {
        return Ok(());
    }
    let member = annotations.map(|annotations| push_moved(patch, "annotations", annotations));
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
        return Err(Failure { field: field.to_owned(), reason: "isn't an object".to_owned() });
    }
    patch.set(named, MemberEdit::Set(value));
    Ok(())
}

fn root_member(source: Source<'_>, role: Role) -> Option<usize> {
    let Node::Object(root) = &source.route.nodes[ROOT] else { return None };
    let member = root.names.members.iter().position(|member| member.role == role)?;
    source.member(0, member)
}

/// A member whose value stands in the arena already.
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

/// Makes the edits of the objects of some nodes.
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

/// What is left of the members of an object.
struct Left {
    something: bool,
    /// Nothing behind the last one has gone.
    ends_in_source: bool,
}

/// Each member, and each run of members that nobody names, owns the comma before it: the comma goes with its
/// owner, and where nothing is left before the owner.
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

/// Writes the new members of an object behind what is left of the others.
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
