//! Objects that values move out of: whether they are removed with the values.

use std::collections::HashSet;
use std::ops::Range;

use super::made::is_as_made;
use crate::complement::{Entry, UnrestoredReason};
use crate::engine::hop::{Hop, MemberEdit, Presence, Scope, holders_of};
use crate::engine::program::{Convert, Holder, Node, Object, Slot, Step};
use crate::json::{Fidelity, equal, members_of};

/// What a holder was in the target before values moved out of it. Without an entry, it was an
/// object.
enum Before {
    Object,
    Null,
    Absent,
}

impl Before {
    /// Returns what an entry says, or `None` if the entry isn't from this rule.
    fn read(entry: &Entry, holder: &Holder) -> Option<Self> {
        match entry.keep().next() {
            None => Some(Self::Absent),
            Some((_, kept)) if entry.guard().is_none() && holder.target.accepts(kept) => {
                Some(if kept == "null" { Self::Null } else { Self::Object })
            }
            Some(_) => None,
        }
    }
}

/// Removes the objects that were made only for the values that leave them. Entries say so, and
/// nothing else in them has changed. So their other values are defaults, which don't move.
pub(super) fn take_made<'a>(hop: &mut Hop<'a>, scopes: &mut [Scope<'a>]) {
    for (instance, of) in holders_of(scopes) {
        let (first, at) = (&scopes[of[0].0], of[0].1);
        let holder = &first.moves.holders[at];
        let Presence::There(around) = first.presence(holder.parent) else { continue };
        if hop.patch.is_done(instance)
            || !leaves(scopes, &of)
            || hop.moving.enters(instance)
            || !is_as_made(hop, scopes, &of, instance)
            || hop.others_need(instance)
            || hop.moving.needed.has(instance)
            || hop.awaits(instance)
        {
            continue;
        }
        let mut before = Before::Object;
        hop.take_entry_at(around, &[holder.target.name], |entry| {
            before = Before::read(entry, holder).unwrap_or(Before::Object);
            !matches!(before, Before::Object)
        });
        if let Before::Object = before {
            continue;
        }
        take_away(hop, [around, instance], holder, matches!(before, Before::Null));
        for (scope, at) in of {
            scopes[scope].set(at, Presence::Absent(None));
        }
    }
}

/// Whether values leave a holder in one of the scopes that have it.
fn leaves(scopes: &[Scope<'_>], of: &[(usize, usize)]) -> bool {
    of.iter().any(|(scope, at)| scopes[*scope].leaves(*at))
}

/// Removes an object with all its contents. If `null` is set, it becomes `null`.
fn take_away(hop: &mut Hop<'_>, [around, instance]: [usize; 2], holder: &Holder, null: bool) {
    let contents = hop.source.document.within(&hop.source.instance(instance).span());
    hop.patch.end_all(contents.clone());
    hop.moving.gone.push(contents);
    let Some(named) = hop.source.member_called(around, holder.source.name) else { return };
    if null {
        let member = hop.patch.push_member(holder.target.name, "null");
        hop.patch.set(named, MemberEdit::Replace(member));
    } else {
        hop.patch.delete(Some(named));
    }
}

/// Removes the objects in which nothing is left, after all other rules. An entry has to say that
/// the object wasn't there before.
pub(in crate::engine::rules) fn prune(hop: &mut Hop<'_>) {
    let Some(scopes) = hop.moving.scopes.clone() else { return };
    hop.patch.order();
    hop.others.forget();
    let holders = holders_of(&scopes);
    let mut emptied = HashSet::new();
    // Inner objects come first: whether an object holds something depends on what's left inside.
    for (instance, of) in holders.iter().rev() {
        let (instance, (scope, at)) = (*instance, (&scopes[of[0].0], of[0].1));
        let holder = &scope.moves.holders[at];
        let Presence::There(around) = scope.presence(holder.parent) else { continue };
        if hop.patch.is_done(instance) {
            continue;
        }
        let holds = |inside| {
            // An object that was made for values that leave isn't a default.
            let is_made = || holders.get(&inside).is_some_and(|of| leaves(&scopes, of));
            if emptied.contains(&inside) { Some(false) } else { is_made().then_some(true) }
        };
        let entry = hop.take_entry_at(around, &[holder.target.name], |_| true);
        let before = entry.as_ref().map(|entry| Before::read(entry, holder));
        let goes = leaves(&scopes, of)
            && !hop.moving.needed.has(instance)
            && holds_nothing(hop, instance, holder, holds)
            && !hop.others_need(instance);
        if goes {
            emptied.insert(instance);
        }
        match before {
            Some(Some(before @ (Before::Null | Before::Absent))) if goes => {
                take_away(hop, [around, instance], holder, matches!(before, Before::Null));
            }
            Some(Some(Before::Null | Before::Absent)) => hop.lose(UnrestoredReason::Edited),
            Some(None) => hop.lose(UnrestoredReason::Mistyped),
            // It's an object, as before.
            Some(Some(Before::Object)) | None => {}
        }
    }
    let gone = outermost(std::mem::take(&mut hop.moving.gone));
    let spans = gone.iter().map(|gone| hop.source.instance(gone.start).span()).collect();
    hop.patch.drop_replaced(spans);
    hop.outbox.forget(|instance| {
        let at = gone.partition_point(|gone| gone.end <= instance);
        gone.get(at).is_some_and(|gone| gone.start <= instance)
    });
}

/// Returns the ranges that aren't part of others, in order.
fn outermost(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|inner, outer| inner.start < outer.end);
    ranges
}

/// Whether an object has only what a new one has. `holds` returns whether an object inside has
/// something, if that's known.
fn holds_nothing(
    hop: &Hop<'_>,
    instance: usize,
    holder: &Holder,
    holds: impl Fn(usize) -> Option<bool>,
) -> bool {
    let Node::Object(object) = hop.source.node(instance) else { return false };
    let members = members_of(hop.source.text_of(instance)).unwrap_or_default();
    let has = |name: &str| members.iter().any(|member| member.name == name);
    let complete = |kept: &Slot| kept.default.is_none() || has(kept.name);
    if !converters(object).all(|convert| has_defaults(hop, instance, convert))
        || !holder.kept.iter().all(complete)
    {
        return false;
    }
    members.iter().all(|member| {
        let named = object.names.find(&member.name);
        let named = named.and_then(|named| hop.source.member(instance, named));
        if named.is_some_and(|named| !hop.patch.stays(named)) || converts(object, &member.name) {
            return true;
        }
        let inside = named.and_then(|named| hop.source.document.inside(named));
        if let Some(something) = inside.and_then(&holds) {
            return !something;
        }
        let kept = holder.kept.iter().find(|kept| kept.name == member.name);
        kept.is_some_and(|kept| is_nothing(kept, member.value))
    })
}

fn converters(object: &Object) -> impl Iterator<Item = &Convert> {
    object.steps.iter().filter_map(|step| match step {
        Step::Convert(convert) => Some(convert),
        _ => None,
    })
}

/// Whether a converter takes a field.
fn converts(object: &Object, name: &str) -> bool {
    converters(object)
        .any(|Convert { group, .. }| group.inputs.iter().any(|slot| slot.name == name))
}

/// Whether a converted group has the defaults, as in a new object.
fn has_defaults(hop: &Hop<'_>, instance: usize, convert: &Convert) -> bool {
    convert.inputs().all(|(member, slot)| {
        let named = hop.source.member(instance, member);
        match (hop.source.present(named, slot), &slot.default) {
            (Some(value), Some(default)) => equal(value, default, Fidelity::AsWritten),
            (Some(_), None) => false,
            (None, Some(_)) => named.is_some(),
            (None, None) => true,
        }
    })
}

/// Whether a field has what it has in a new object.
fn is_nothing(slot: &Slot, value: &str) -> bool {
    if value == "null" && !slot.nullable {
        return true;
    }
    slot.default.as_ref().is_some_and(|default| equal(value, default, Fidelity::AsWritten))
}
