//! From the fates of members to edits of the text: commas, `apiVersion`, and the carrier's annotations.

use std::collections::HashMap;
use std::ops::Range;

use super::route::{ANNOTATIONS, METADATA, Node, ROOT, Role, Route};
use super::steps::{Failure, Work};
use super::walk::{Fate, Found};
use crate::complement::Loss;
use crate::json::{Edit, quote, sort};
use crate::plan::Tagging;

/// The nodes around those of the versions.
const OUTSIDE: [usize; 3] = [ROOT, METADATA, ANNOTATIONS];

impl Work<'_> {
    /// Makes the edits: first those of everything outside `metadata`, which tell what the target shows and so to which
    /// item an entry belongs; then the version, the annotations, and `metadata` if there was none.
    pub(crate) fn finish(&mut self, edits: &mut Vec<Edit>) -> Result<(), Failure> {
        edits.append(&mut self.replaced);
        self.edit_instances(edits, |node| !OUTSIDE.contains(&node));
        sort(edits);
        self.drop_in_new(edits);
        let kept = self.annotations(edits);
        let size = kept.iter().map(|(key, text)| key.len() + text.len()).sum::<usize>();
        *self.kept_bytes += size as u64;
        self.set_version();
        let kept = self.reuse_annotations(kept);
        self.place_annotations(kept)?;
        self.finish_metadata(edits);
        Ok(())
    }

    /// Makes the edits of the object's root and its metadata.
    pub(crate) fn finish_metadata(&mut self, edits: &mut Vec<Edit>) {
        self.edit_instances(edits, |node| OUTSIDE.contains(&node));
        sort(edits);
    }

    fn set_version(&mut self) {
        let version = self.push(|arena, route| arena.push_str(&route.api_version));
        if let Some(named) = self.root_member(Role::ApiVersion) {
            self.found.named[named].fate = Fate::Set(version);
        }
    }

    fn place_annotations(&mut self, kept: Vec<(String, Range<usize>)>) -> Result<(), Failure> {
        if let Some(annotations) = self.found.instance(ANNOTATIONS) {
            for (key, value) in kept {
                let member = self.push_holder(&key, value);
                self.appended.push((annotations, member));
            }
            self.drop_if_emptied(annotations);
            return Ok(());
        }
        let annotations = (!kept.is_empty()).then(|| {
            let members: Vec<_> =
                kept.into_iter().map(|(key, value)| self.push_holder(&key, value)).collect();
            self.push_object(&members)
        });
        self.place_metadata(annotations)
    }

    /// Where the object has the annotation already, its value is replaced; gives all others.
    fn reuse_annotations(
        &mut self,
        kept: Vec<(String, Range<usize>)>,
    ) -> Vec<(String, Range<usize>)> {
        let Found { named, instances, .. } = &mut *self.found;
        let mut there: HashMap<String, Vec<usize>> = HashMap::new();
        if !kept.is_empty() {
            for (index, named) in named.iter().enumerate() {
                if named.member.is_none() && !instances[named.instance].dead {
                    let key = named.key.decoded(self.text).into_owned();
                    there.entry(key).or_default().push(index);
                }
            }
        }
        let mut others = Vec::new();
        for (key, value) in kept {
            let Some((first, more)) = there.get(&key).and_then(|there| there.split_first()) else {
                others.push((key, value));
                continue;
            };
            if named[*first].stays() {
                self.losses.add(Loss::Superseded);
            }
            named[*first].fate = Fate::Set(value);
            for other in more {
                named[*other].fate = Fate::Delete;
            }
        }
        others
    }

    /// Takes every annotation of the carrier away.
    pub(crate) fn drop_carrier(&mut self) {
        for named in self.found.named.iter_mut().filter(|named| named.member.is_none()) {
            named.fate = Fate::Delete;
        }
        if let Some(annotations) = self.found.instance(ANNOTATIONS) {
            self.drop_if_emptied(annotations);
        }
    }

    /// Annotations that held nothing but entries go with them.
    fn drop_if_emptied(&mut self, annotations: usize) {
        let of_these = |named: &&super::walk::Named| named.instance == annotations;
        let deleted =
            self.found.named.iter().filter(of_these).filter(|named| !named.stays()).count();
        let appended = self.appended.iter().any(|(instance, _)| *instance == annotations);
        if deleted > 0 && deleted == self.found.instances[annotations].members && !appended {
            self.found.instances[annotations].dead = true;
            let metadata = self.found.instance(METADATA);
            if let Some(holder) = metadata.and_then(|metadata| self.found.member(metadata, 0)) {
                self.found.named[holder].fate = Fate::Delete;
            }
        }
    }

    /// Writes annotations where there were none, and `metadata` where there was none: the API server demands it of
    /// every answer.
    pub(crate) fn place_metadata(
        &mut self,
        annotations: Option<Range<usize>>,
    ) -> Result<(), Failure> {
        let metadata = self.found.instance(METADATA);
        if let (Some(instance), Some(annotations)) = (metadata, annotations.clone()) {
            if let Some(named) = self.found.member(instance, 0) {
                return self.set_null(named, annotations, "metadata.annotations");
            }
            let member = self.push_holder("annotations", annotations);
            self.appended.push((instance, member));
            return Ok(());
        }
        if metadata.is_some() {
            return Ok(());
        }
        let members: Vec<_> = annotations
            .map(|annotations| self.push_holder("annotations", annotations))
            .into_iter()
            .collect();
        let object = self.push_object(&members);
        if let Some(named) = self.root_member(Role::Child(METADATA)) {
            return self.set_null(named, object, "metadata");
        }
        let member = self.push_holder("metadata", object);
        self.appended.push((ROOT, member));
        Ok(())
    }

    fn set_null(&mut self, named: usize, value: Range<usize>, field: &str) -> Result<(), Failure> {
        if self.found.value(self.text, named) != "null" {
            return Err(Failure { field: field.to_owned(), reason: "isn't an object".to_owned() });
        }
        self.found.named[named].fate = Fate::Set(value);
        Ok(())
    }

    fn root_member(&self, role: Role) -> Option<usize> {
        let Node::Object(root) = &self.route.nodes[ROOT] else { return None };
        let member = root.members.iter().position(|member| member.role == role)?;
        self.found.member(0, member)
    }

    fn push(&mut self, write: impl FnOnce(&mut String, &Route)) -> Range<usize> {
        let start = self.arena.len();
        write(self.arena, self.route);
        start..self.arena.len()
    }

    /// A member whose value stands in the arena already.
    fn push_holder(&mut self, name: &str, value: Range<usize>) -> Range<usize> {
        self.push(|arena, _| {
            quote(name, arena);
            arena.push(':');
            arena.extend_from_within(value);
        })
    }

    fn push_object(&mut self, members: &[Range<usize>]) -> Range<usize> {
        self.push(|arena, _| {
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

    /// Brings what is appended and replaced into the order of the text.
    pub(super) fn order(&mut self) {
        self.appended.sort_by_key(|(instance, _)| *instance);
        sort(&mut self.replaced);
    }

    /// Makes the edits of the objects of some nodes.
    fn edit_instances(&mut self, edits: &mut Vec<Edit>, chosen: impl Fn(usize) -> bool) {
        self.order();
        let mut members: Vec<usize> = (0..self.found.named.len()).collect();
        members.sort_by_key(|member| self.found.named[*member].instance);
        let (mut member, mut new) = (0, 0);
        for instance in 0..self.found.instances.len() {
            let more = |at: &usize| self.found.named[*at].instance == instance;
            let next = member + members[member..].iter().take_while(|at| more(at)).count();
            let of_these = &self.appended[new..];
            let last = new + of_these.iter().take_while(|(of, _)| *of == instance).count();
            if chosen(self.found.instances[instance].node) {
                self.edit_instance(instance, &members[member..next], new..last, edits);
            }
            (member, new) = (next, last);
        }
    }

    /// Each member, and each run of members that nobody names, owns the comma before it: the comma goes with its
    /// owner, and where nothing is left before the owner.
    fn edit_instance(
        &mut self,
        instance: usize,
        members: &[usize],
        new: Range<usize>,
        edits: &mut Vec<Edit>,
    ) {
        let Self { found, appended, arena, text, route, .. } = self;
        let Found { instances, named, .. } = &**found;
        let object = &instances[instance];
        let has_members = match &route.nodes[object.node] {
            Node::Object(_) => true,
            Node::Union(union) => union.tagging == Tagging::External,
            Node::List { .. } | Node::Map { .. } => false,
        };
        if object.dead || !has_members {
            return;
        }
        let mut edit = |span: Range<usize>, text: Range<usize>| edits.push(Edit { span, text });
        let mut after = object.start;
        let mut something = false;
        let mut tail_is_source = true;
        for member in members.iter().map(|member| &named[*member]) {
            if member.lead > after {
                if after > object.start && !something {
                    edit(after - 1..after, 0..0);
                }
                something = true;
            }
            let comma = member.lead - usize::from(member.lead > object.start);
            tail_is_source = member.stays();
            if member.stays() {
                if !something {
                    edit(comma..member.lead, 0..0);
                }
                something = true;
                let key = member.key.start - 1..member.key.end + 1;
                match &member.fate {
                    Fate::Replace(text) => edit(key.start..member.value.end, text.clone()),
                    Fate::Rename(text) => edit(key, text.clone()),
                    Fate::Set(text) => edit(member.value.clone(), text.clone()),
                    Fate::Keep | Fate::Delete => {}
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
            tail_is_source = true;
        }
        let blank = text[object.start..object.end]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_whitespace)
            .count();
        let at = if something && tail_is_source { object.end - blank } else { object.end };
        for (_, text) in &appended[new] {
            let start = arena.len();
            if something {
                arena.push(',');
            }
            arena.extend_from_within(text.clone());
            something = true;
            edit(at..at, start..arena.len());
        }
    }
}
