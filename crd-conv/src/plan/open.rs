//! Stops a walk through a tree at types that contain themselves.

use super::Branch;

/// The branches around a place. Each comes with what a walk records about it.
#[derive(Debug)]
pub(crate) struct Open<T>(Vec<(usize, T)>);

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Open<T> {
    /// Enters a branch.
    ///
    /// Lists and maps aren't types of their own, so a walk needn't enter them.
    ///
    /// # Errors
    ///
    /// Fails if the walk is in the branch already, because the type contains itself. The walk must
    /// not go on there. The error is the note from the first time.
    pub(crate) fn enter(&mut self, branch: Branch, note: T) -> Result<(), &T> {
        if let Some(known) = self.0.iter().rposition(|(known, _)| *known == branch.place()) {
            return Err(&self.0[known].1);
        }
        self.0.push((branch.place(), note));
        Ok(())
    }

    /// Leaves the branch that was entered last.
    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }

    /// Returns whether no branch is open.
    #[cfg(feature = "cli")]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
