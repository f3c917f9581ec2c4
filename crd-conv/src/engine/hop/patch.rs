//! The decisions about the source: what becomes of each member and of whole values, and what is
//! added.

use std::ops::Range;
use std::rc::Rc;

use super::annotations::Keys;
use crate::complement::Locator;
use crate::engine::document::{Document, Source};
use crate::json::{Edit, push_member, quote, sort};

/// The rules' decisions, which `emit` turns into edits of the text. Reused from object to object.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    /// The names of the annotations.
    pub(super) keys: Keys,
    /// An empty list of locators.
    pub(super) nowhere: Rc<[Locator]>,
    /// New text, to which everything else refers by position.
    pub(crate) arena: String,
    /// What becomes of each member.
    members: Vec<MemberEdit>,
    /// By instance: whether it is done, so that nothing more happens in it.
    done: Vec<bool>,
    /// Members to append to an instance.
    pub(crate) appended: Vec<(usize, Range<usize>)>,
    /// Edits that replace values.
    pub(crate) replaced: Vec<Edit>,
}

/// What becomes of a member. Texts are spans of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MemberEdit {
    Keep,
    Delete,
    /// Other members replace it.
    Replace(Range<usize>),
    /// It gets another key.
    Rename(Range<usize>),
    /// It gets another value.
    Set(Range<usize>),
}

impl Patch {
    /// About how many bytes are allocated.
    pub(crate) fn capacity(&self) -> usize {
        self.keys.capacity()
            + self.arena.capacity()
            + self.members.capacity() * size_of::<MemberEdit>()
            + self.done.capacity()
            + self.appended.capacity() * size_of::<(usize, Range<usize>)>()
            + self.replaced.capacity() * size_of::<Edit>()
    }

    /// Starts with a source as it is. If a key comes several times, only the last member stays.
    pub(crate) fn begin(&mut self, document: &Document) {
        self.keys.begin(document);
        self.arena.clear();
        self.appended.clear();
        self.replaced.clear();
        self.members.clear();
        self.members.extend(
            document
                .named
                .iter()
                .map(|named| if named.repeated { MemberEdit::Delete } else { MemberEdit::Keep }),
        );
        self.done.clear();
        self.done.extend(document.instances.iter().map(|instance| instance.repeated));
    }

    pub(crate) fn member(&self, named: usize) -> &MemberEdit {
        &self.members[named]
    }

    /// Returns the value of a member, or the value that was set in its place.
    pub(crate) fn value<'s>(&'s self, source: Source<'s>, named: usize) -> &'s str {
        match &self.members[named] {
            MemberEdit::Set(text) => &self.arena[text.clone()],
            _ => source.value(named),
        }
    }

    pub(crate) fn set(&mut self, named: usize, edit: MemberEdit) {
        self.members[named] = edit;
    }

    /// Whether a member, or something in its place, stays.
    pub(crate) fn stays(&self, named: usize) -> bool {
        self.members[named] != MemberEdit::Delete
    }

    pub(crate) fn delete(&mut self, named: Option<usize>) {
        if let Some(named) = named {
            self.members[named] = MemberEdit::Delete;
        }
    }

    /// Appends to the arena, and returns the position.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut String)) -> Range<usize> {
        let start = self.arena.len();
        write(&mut self.arena);
        start..self.arena.len()
    }

    pub(crate) fn push_quoted(&mut self, text: &str) -> Range<usize> {
        self.push(|arena| quote(text, arena))
    }

    pub(crate) fn push_member(&mut self, name: &str, value: &str) -> Range<usize> {
        self.push(|arena| push_member(arena, name, value))
    }

    /// Puts members in the place of others, or after all others if there are no places.
    pub(crate) fn put<'b>(
        &mut self,
        instance: usize,
        mut places: impl Iterator<Item = usize>,
        members: impl Iterator<Item = (&'b str, &'b str)>,
    ) {
        let members = self.push(|arena| {
            let start = arena.len();
            for (name, value) in members {
                if arena.len() > start {
                    arena.push(',');
                }
                push_member(arena, name, value);
            }
        });
        match places.next() {
            Some(first) if !members.is_empty() => self.set(first, MemberEdit::Replace(members)),
            Some(first) => self.delete(Some(first)),
            None if !members.is_empty() => self.appended.push((instance, members)),
            None => {}
        }
        for other in places {
            self.delete(Some(other));
        }
    }

    pub(crate) fn append(&mut self, instance: usize, name: &str, value: &str) {
        let member = self.push_member(name, value);
        self.appended.push((instance, member));
    }

    /// Replaces a value.
    pub(crate) fn replace(&mut self, span: Range<usize>, value: &str) {
        let text = self.push(|arena| arena.push_str(value));
        self.replaced.push(Edit { span, text });
    }

    /// Sorts what is appended and replaced by its position in the text.
    pub(crate) fn order(&mut self) {
        self.appended.sort_by_key(|(instance, _)| *instance);
        sort(&mut self.replaced);
    }

    /// Whether an instance is done, so that nothing more happens in it.
    #[inline]
    pub(crate) fn is_done(&self, instance: usize) -> bool {
        self.done[instance]
    }

    /// Marks an instance itself as done: nothing more happens in it.
    pub(crate) fn end(&mut self, instance: usize) {
        self.done[instance] = true;
    }

    /// Marks instances as done: they stay as they are from now on.
    pub(crate) fn end_all(&mut self, instances: Range<usize>) {
        self.done[instances].fill(true);
    }

    /// Marks an instance, and what is inside it, as done: they stay as they are from now on.
    pub(crate) fn end_inside(&mut self, document: &Document, instance: usize) {
        let end = document.instances[instance].end;
        let inside = document.instances[instance + 1..].iter();
        let inside = inside.take_while(|inner| inner.start <= end).count();
        self.end_all(instance..instance + 1 + inside);
    }

    /// Drops the replacements of values in these spans, which are removed as a whole. Relies on
    /// their [order](Self::order).
    pub(crate) fn drop_replaced(&mut self, mut gone: Vec<Range<usize>>) {
        if gone.is_empty() {
            return;
        }
        gone.sort_unstable_by_key(|span| span.start);
        let (mut gone, mut end) = (gone.into_iter().peekable(), 0);
        self.replaced.retain(|edit| {
            while let Some(span) = gone.next_if(|span| span.start <= edit.span.start) {
                end = end.max(span.end);
            }
            edit.span.start >= end
        });
    }
}
