//! From the fates of members to edits of the text: commas, `apiVersion`, and the carrier's annotations.

use std::ops::Range;

use super::route::{ANNOTATIONS, METADATA, ROOT, Role, Route};
use super::steps::{Failure, Work};
use super::walk::{Fate, Found};
use crate::complement::Loss;
use crate::json::{Edit, quote};

impl Work<'_> {
    /// Sets the version, writes the entries, and makes sure that there is `metadata`.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let version = self.push(|arena, route| arena.push_str(&route.api_version));
        if let Some(named) = self.root_member(Role::ApiVersion) {
            self.found.named[named].fate = Fate::Set(version);
        }
        self.reuse_annotations();
        let entries = std::mem::take(&mut self.kept);
        if let Some(annotations) = self.found.instance(ANNOTATIONS) {
            for (key, entry) in entries {
                let member = self.push_annotation(key, entry);
                self.appended.push((annotations, member));
            }
            self.drop_if_emptied(annotations);
            return Ok(());
        }
        let annotations = (!entries.is_empty()).then(|| {
            let members: Vec<_> =
                entries.into_iter().map(|(key, entry)| self.push_annotation(key, entry)).collect();
            self.push_object(&members)
        });
        self.place_metadata(annotations)
    }

    /// Where the object has the annotation already, its value is replaced.
    fn reuse_annotations(&mut self) {
        for (key, entry) in std::mem::take(&mut self.kept) {
            let Found { named, instances, .. } = &mut *self.found;
            let mut with_key = named.iter_mut().filter(|named| {
                named.member.is_none()
                    && !instances[named.instance].dead
                    && named.key.decoded(self.text) == key
            });
            let Some(first) = with_key.next() else {
                self.kept.push((key, entry));
                continue;
            };
            if first.stays() {
                self.losses.add(Loss::Superseded);
            }
            for other in with_key {
                other.fate = Fate::Delete;
            }
            let at = self.arena.len();
            let text = self.arena[entry].to_owned();
            quote(&text, self.arena);
            first.fate = Fate::Set(at..self.arena.len());
        }
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
        let member =
            self.route.nodes[ROOT].members.iter().position(|member| member.role == role)?;
        self.found.member(0, member)
    }

    fn push(&mut self, write: impl FnOnce(&mut String, &Route)) -> Range<usize> {
        let start = self.arena.len();
        write(self.arena, self.route);
        start..self.arena.len()
    }

    fn push_quoted(&mut self, text: Range<usize>) -> Range<usize> {
        self.push(|arena, _| {
            let text = arena[text].to_owned();
            quote(&text, arena);
        })
    }

    fn push_annotation(&mut self, key: &str, entry: Range<usize>) -> Range<usize> {
        let value = self.push_quoted(entry);
        self.push_holder(key, value)
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

    /// The edits that the fates amount to.
    pub(crate) fn edits(&mut self, edits: &mut Vec<Edit>) {
        for instance in 0..self.found.instances.len() {
            if !self.found.instances[instance].dead {
                self.edit_instance(instance, edits);
            }
        }
    }

    /// Each member, and each run of members that nobody names, owns the comma before it: the comma goes with its
    /// owner, and where nothing is left before the owner.
    fn edit_instance(&mut self, instance: usize, edits: &mut Vec<Edit>) {
        let Self { found, appended, arena, text, .. } = self;
        let Found { instances, named, .. } = &**found;
        let object = &instances[instance];
        let mut edit = |span: Range<usize>, text: Range<usize>| edits.push(Edit { span, text });
        let mut after = object.start;
        let mut something = false;
        let mut tail_is_source = true;
        for member in named.iter().filter(|named| named.instance == instance) {
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
        for (_, text) in appended.iter().filter(|(of, _)| *of == instance) {
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
