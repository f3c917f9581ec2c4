//! Where a verifier is in the document, and what it found so far.

use super::{
    finding::{Kind, Unchecked},
    report::{About, VerificationReport, Violation, Warning},
};

/// Collects findings at a place. The place is a path in the API server's notation.
#[derive(Default)]
pub(crate) struct Place {
    path: String,
    pub(crate) report: VerificationReport,
}

impl Place {
    /// Goes to a field.
    pub(crate) fn child<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.path.len();
        if len > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let value = work(self);
        self.path.truncate(len);
        value
    }

    /// Goes to a path below this one.
    pub(crate) fn below<T>(&mut self, path: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        if path.is_empty() {
            return work(self);
        }
        let len = self.path.len();
        if !path.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(path);
        let value = work(self);
        self.path.truncate(len);
        value
    }

    /// Goes to an entry of a map.
    pub(crate) fn key<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.path.len();
        self.path.push('[');
        self.path.push_str(name);
        self.path.push(']');
        let value = work(self);
        self.path.truncate(len);
        value
    }

    /// Goes to an item of a list.
    pub(crate) fn index<T>(&mut self, index: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        self.key(&index.to_string(), work)
    }

    /// Goes to an item of a list in a field.
    pub(crate) fn item<T>(
        &mut self,
        name: &str,
        index: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.child(name, |place| place.index(index, work))
    }

    /// Goes to an entry of a map in a field.
    pub(crate) fn entry<T>(
        &mut self,
        name: &str,
        key: &str,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.child(name, |place| place.key(key, work))
    }

    pub(crate) fn refuse(&mut self, kind: Kind, problem: impl Into<String>) {
        let path = self.path.clone();
        self.report.violations.push(Violation { path, kind, problem: problem.into() });
    }

    /// Refuses the value of a field.
    pub(crate) fn refuse_at(&mut self, name: &str, kind: Kind, problem: impl Into<String>) {
        self.child(name, |place| place.refuse(kind, problem));
    }

    pub(crate) fn warn(&mut self, about: About, problem: impl Into<String>) {
        let path = self.path.clone();
        self.report.warnings.push(Warning { path, about, problem: problem.into() });
    }

    pub(crate) fn warn_at(&mut self, name: &str, about: About, problem: impl Into<String>) {
        self.child(name, |place| place.warn(about, problem));
    }

    pub(crate) fn pass_over(&mut self, what: impl Into<String>) {
        let path = self.path.clone();
        self.report.unchecked.push(Unchecked { path, what: what.into() });
    }

    /// The place itself.
    #[cfg(feature = "cel")]
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// How many violations there are, to see later whether there are more.
    pub(crate) fn count(&self) -> usize {
        self.report.violations.len()
    }
}
