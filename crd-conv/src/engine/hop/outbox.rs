//! Entries for the source version: the values that the target has no room for.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;

use super::patch::Patch;
use crate::complement::{Locator, write_body, write_entries, write_lists};
use crate::engine::document::{Edits, Items, Source, View};
use crate::json::{Edit, quote};

/// The values that the rules keep.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    kept: SmallVec<[Kept; 2]>,
}

/// The values that a rule keeps for an instance.
#[derive(Debug)]
pub(crate) struct Kept {
    instance: usize,
    /// If this instance is removed, nothing is kept.
    pub(crate) of: usize,
    /// The annotation's name.
    key: Rc<str>,
    body: Range<usize>,
    /// The items that it belongs to, once the target is known.
    at: Rc<[Locator]>,
}

/// The names of annotations, with their texts. Sorted. Few objects have many.
pub(crate) type Annotations = SmallVec<[(Rc<str>, Range<usize>); 2]>;

/// Most annotations are shorter.
const USUAL_TEXT: usize = 256;

impl Outbox {
    /// Keeps the values of a field at any depth in an instance, or of the instance itself.
    pub(crate) fn keep<'b>(
        &mut self,
        source: Source<'_>,
        patch: &mut Patch,
        (instance, fields): (usize, &[&'static str]),
        keep: impl Iterator<Item = (&'b str, &'b str)>,
        guard: Option<&'b [(&'b str, Cow<'b, str>)]>,
    ) -> &mut Kept {
        let guard = guard.map(|guard| guard.iter().map(|(name, value)| (*name, &**value)));
        let body = patch.push(|arena| write_body(keep, guard, arena));
        let key = patch.keys.of(source, false, instance, fields);
        let at = Rc::clone(&patch.nowhere);
        self.kept.push(Kept { instance, of: instance, key, body, at });
        let last = self.kept.len() - 1;
        &mut self.kept[last]
    }

    /// Drops what is kept for some instances.
    pub(crate) fn forget(&mut self, gone: impl Fn(usize) -> bool) {
        self.kept.retain(|kept| !gone(kept.of));
    }

    /// Returns the annotations for what is kept, with their texts. `edits` are those of everything
    /// outside `metadata`.
    pub(crate) fn annotations(
        &mut self,
        source: Source<'_>,
        patch: &mut Patch,
        edits: &[Edit],
    ) -> Annotations {
        let mut annotations = Annotations::new();
        if self.kept.is_empty() {
            return annotations;
        }
        let edits = Edits::new(edits, &patch.arena);
        let mut items = Items::new(&patch.nowhere);
        // Annotations are in the API server's order. The entries of one annotation are in the order
        // of the text.
        self.kept.sort_by(|one, other| one.key.cmp(&other.key));
        for kept in &mut self.kept {
            kept.at = items.around(kept.instance, source, View::Target(&edits));
        }
        let (mut lists, mut text) = (String::new(), String::with_capacity(USUAL_TEXT));
        for kept in self.kept.chunk_by(|one, other| one.key == other.key) {
            lists.clear();
            text.clear();
            let digest = items.digest(kept.iter().map(|kept| kept.instance), source);
            write_lists(digest.iter().map(|(at, digest)| (&at[..], digest)), &mut lists);
            let entries = order(kept).into_iter().map(|place| &kept[place]);
            let entries = entries.map(|kept| (&kept.at[..], &patch.arena[kept.body.clone()]));
            write_entries(source.route.to, &lists, entries, &mut text);
            annotations.push((kept[0].key.clone(), patch.push(|arena| quote(&text, arena))));
        }
        annotations
    }
}

/// Returns the order of an annotation's entries. In a map, they are sorted by key, as the API
/// server does, whatever their order in the text. In a list, they are in the order of the text.
/// Folded ones come last, since their position isn't known.
fn order(entries: &[Kept]) -> SmallVec<[usize; 2]> {
    let mut order: SmallVec<_> = (0..entries.len()).collect();
    let moves = |at: &Locator| matches!(at, Locator::Key(_) | Locator::Folded(_));
    let may_move = entries.iter().any(|kept| kept.at.iter().any(moves));
    if entries.len() < 2 || !may_move {
        return order;
    }
    let mut firsts: HashMap<&[Locator], usize> = HashMap::new();
    for (place, Kept { at, .. }) in entries.iter().enumerate() {
        for depth in 1..=at.len() {
            firsts.entry(&at[..depth]).or_insert(place);
        }
    }
    order.sort_by(|a, b| {
        let [a, b] = [*a, *b].map(|place| &entries[place].at[..]);
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        match (a.get(same), b.get(same)) {
            (Some(Locator::Key(a)), Some(Locator::Key(b)))
            | (Some(Locator::Folded(a)), Some(Locator::Folded(b))) => a.cmp(b),
            (Some(Locator::Folded(_)), Some(_)) => Ordering::Greater,
            (Some(_), Some(Locator::Folded(_))) => Ordering::Less,
            (Some(_), Some(_)) => firsts[&a[..=same]].cmp(&firsts[&b[..=same]]),
            _ => a.len().cmp(&b.len()),
        }
    });
    order
}
