//! How many objects of a review went from which version to which.

use crate::definition::Definition;
use crate::resource::Path;

/// Objects of a review that went the same way.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Share {
    /// Their resource.
    pub definition: &'static Definition,
    /// The version they had.
    pub from: &'static str,
    /// The version they have now.
    pub to: &'static str,
    /// How many.
    pub count: u64,
}

/// All objects of a review. Nearly always they go one way, and that takes no allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    first: Option<(Way, u64)>,
    more: Vec<(Way, u64)>,
}

type Way = (&'static Definition, Path);

impl Shares {
    #[inline]
    pub(super) fn add(&mut self, definition: &'static Definition, path: Path) {
        match &mut self.first {
            Some((way, count)) if is_same(*way, (definition, path)) => *count += 1,
            None => self.first = Some(((definition, path), 1)),
            Some(_) => self.add_more((definition, path)),
        }
    }

    #[cold]
    fn add_more(&mut self, new: Way) {
        match self.more.iter_mut().find(|(way, _)| is_same(*way, new)) {
            Some((_, count)) => *count += 1,
            None => self.more.push((new, 1)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Share> {
        self.first.iter().chain(&self.more).map(|((definition, path), count)| Share {
            definition,
            from: definition.versions[path.from].name,
            to: definition.versions[path.to].name,
            count: *count,
        })
    }
}

fn is_same((definition, path): Way, other: Way) -> bool {
    path == other.1 && std::ptr::eq(definition, other.0)
}
