//! Objects that both versions have around moved values: what they were, and taking them away.

use crate::complement::Entry;
use crate::engine::hop::{Hop, Mark, MemberEdit};
use crate::engine::program::Holder;

/// Takes an object away with all that is in it.
pub(super) fn leave(
    hop: &mut Hop<'_>,
    around: usize,
    instance: usize,
    holder: &Holder,
    null: bool,
) {
    let span = hop.source.instance(instance).span();
    let within = hop.source.document.within(&span);
    let mut at = within.start;
    while at < within.end {
        if hop.moving.marks.has(at, Mark::Gone) {
            // It went with all that is in it.
            let gone = hop.source.instance(at).span();
            at = hop.source.document.within(&gone).end;
        } else {
            hop.patch.end(at);
            hop.moving.marks.add(at, Mark::Gone);
            at += 1;
        }
    }
    hop.moving.left.push(span);
    let Some(named) = hop.source.member_called(around, holder.source.name) else { return };
    if null {
        let member = hop.patch.push_member(holder.target.name, "null");
        hop.patch.set(named, MemberEdit::Replace(member));
    } else {
        hop.patch.delete(Some(named));
    }
}

/// What a holder was before values moved into it. If the version fills it in, it isn't absent without an entry.
pub(super) enum Before {
    There,
    Null,
    Absent,
}

impl Before {
    pub(super) fn read(entry: &Entry, holder: &Holder) -> Option<Self> {
        match entry.keep().next() {
            None => Some(Self::Absent),
            Some((_, kept)) if entry.guard().is_none() && holder.target.accepts(kept) => {
                Some(if kept == "null" { Self::Null } else { Self::There })
            }
            Some(_) => None,
        }
    }
}
