//! Collects changes, and reads JSON for the comparison.

use super::change::{Change, DiffReport};

/// The changes so far, and the place that is being compared.
#[derive(Default)]
pub(super) struct Changes {
    found: Vec<Change>,
    version: String,
    path: String,
}

impl Changes {
    /// Adds a change at the place that is being compared.
    pub(super) fn here(&mut self, change: Change) {
        let (version, path) = (self.version.clone(), self.path.clone());
        self.found.push(Change { version, path, ..change });
    }

    /// Compares inside a version.
    pub(super) fn in_version(&mut self, version: &str, compare: impl FnOnce(&mut Self)) {
        version.clone_into(&mut self.version);
        compare(self);
        self.version.clear();
    }

    /// Compares below the current place. `step` is `.name`, `[]` or `.*`.
    pub(super) fn below(&mut self, step: &str, compare: impl FnOnce(&mut Self)) {
        let known = self.path.len();
        self.path += step;
        compare(self);
        self.path.truncate(known);
    }

    /// Adds a change that has its place.
    pub(super) fn add(&mut self, change: Change) {
        self.found.push(change);
    }

    pub(super) fn found(self) -> Vec<Change> {
        self.found
    }

    pub(super) fn into_report(self, name: String) -> DiffReport {
        let mut changes = self.found;
        // The sort is stable, so the document's order stays within a level.
        changes.sort_by_key(|change| std::cmp::Reverse(change.level));
        DiffReport { name, changes }
    }
}

/// Names for a message: `a`, `b` and `c`.
pub(super) fn named<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<_> = all.into_iter().map(|each| format!("`{each}`")).collect();
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The items of one list that the other one lacks.
pub(super) fn only_in<'a, T: PartialEq>(own: &'a [T], other: &[T]) -> Vec<&'a T> {
    own.iter().filter(|item| !other.contains(item)).collect()
}

/// The removed names and the added names, each for one message.
pub(super) fn gone_and_new<T: std::fmt::Display + PartialEq>(
    old: &[T],
    new: &[T],
) -> (String, String) {
    (named(only_in(old, new)), named(only_in(new, old)))
}
