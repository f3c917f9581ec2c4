//! The entries in an annotation: one for the rule, or one for each list item and map value.

use std::ops::Range;
use std::rc::Rc;

use super::locator::Locator;
use super::members::Part;
use super::write::write_body;

/// One entry: the values that a rule keeps for its home version.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(super) text: Rc<str>,
    /// The items that contain the fields of the entry, outermost first.
    pub(crate) at: Vec<Locator>,
    pub(super) keep: Vec<Part>,
    pub(super) guard: Option<Vec<Part>>,
    /// The part of the annotation about the lists that contain its entries.
    pub(super) lists: Option<Range<usize>>,
}

impl Entry {
    /// The kept fields with their JSON.
    pub(crate) fn keep(&self) -> impl Iterator<Item = (&str, &str)> {
        parts(&self.text, &self.keep)
    }

    /// The fields of the peer that must still have these values, or `None` if only the anchor
    /// counts.
    pub(crate) fn guard(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        self.guard.as_ref().map(|guard| parts(&self.text, guard))
    }

    /// The text of the kept values and of the guard.
    pub(crate) fn body(&self) -> String {
        let mut out = String::new();
        write_body(self.keep(), self.guard(), &mut out);
        out
    }

    /// Whether the entry records that a field was unset.
    pub(crate) fn says_unset(&self) -> bool {
        self.guard().is_some_and(|mut guard| guard.next().is_none())
    }

    /// Whether the entry records that a field was null, because a version in between doesn't accept
    /// null.
    pub(crate) fn says_null(&self) -> bool {
        let mut keep = self.keep().peekable();
        self.says_unset() && keep.peek().is_some() && keep.all(|(_, value)| value == "null")
    }

    /// The text of the annotation.
    pub(crate) fn annotation(&self) -> &Rc<str> {
        &self.text
    }

    /// The part of the annotation about the lists that contain its entries.
    pub(crate) fn lists(&self) -> Option<&str> {
        self.lists.clone().map(|lists| &self.text[lists])
    }
}

impl Entry {
    /// Takes the kept values and the guard. Leaves the locators.
    pub(crate) fn take(&mut self) -> Self {
        Self {
            text: Rc::clone(&self.text),
            at: Vec::new(),
            keep: std::mem::take(&mut self.keep),
            guard: self.guard.take(),
            lists: self.lists.clone(),
        }
    }

    /// Renames fields. Each pair is the old and the new name.
    pub(crate) fn rename(
        &mut self,
        keep: &[(&'static str, &'static str)],
        guard: &[(&'static str, &'static str)],
    ) {
        let rename = |parts: &mut Vec<Part>, names: &[(&'static str, &'static str)]| {
            for (name, _) in parts {
                if let Some((_, new)) = names.iter().find(|(old, _)| old == name) {
                    (*new).clone_into(name);
                }
            }
        };
        rename(&mut self.keep, keep);
        if let Some(parts) = &mut self.guard {
            rename(parts, guard);
        }
    }
}

fn parts<'a>(text: &'a str, parts: &'a [Part]) -> impl Iterator<Item = (&'a str, &'a str)> {
    parts.iter().map(|(name, span)| (name.as_str(), &text[span.clone()]))
}
