//! Moves without a value: what a version shows anyway, and what entries say about that.

use std::collections::BTreeSet;

use super::together;
use crate::complement::{Entry, UnrestoredReason};
use crate::engine::hop::{Absence, Hop, Presence, Scope, holders_of};
use crate::engine::program::{End, Holder, Move, Slot, Together};
use crate::engine::rules::convert::becomes_nothing;
use crate::json::{Fidelity, equal, find};

/// Finds the holders that are only a default in the source.
pub(super) fn set_unset<'a>(hop: &mut Hop<'a>, scopes: &mut [Scope<'a>]) {
    if hop.inbox.is_empty() {
        return;
    }
    let holders = holders_of(scopes);
    let mut open: BTreeSet<usize> = holders.keys().copied().collect();
    while let Some(instance) = open.pop_first() {
        let of = &holders[&instance];
        let is_there = |(scope, at): &(usize, usize)| {
            matches!(scopes[*scope].presences[*at], Presence::There(_))
        };
        if !of.iter().any(is_there) || !is_unset(hop, scopes, of, instance) {
            continue;
        }
        for (scope, at) in of {
            let scope = &mut scopes[*scope];
            // No value moves from here to another holder, so that one may be only a default, too.
            let from_here = |a_move: &&Move| scope.contains(*at, a_move.from.holder);
            let into = scope.moves.moves.iter().filter(from_here).map(|a_move| &a_move.to);
            let together_from_here =
                |group: &&Together| group.from.iter().any(|from| scope.contains(*at, from.holder));
            let together = scope.moves.groups.iter().filter(together_from_here);
            let into = into.chain(together.flat_map(|group| &group.to));
            let into = into.flat_map(|to| scope.moves.around(to.holder));
            open.extend(into.filter_map(|holder| match scope.presences[holder] {
                Presence::There(instance) => Some(instance),
                _ => None,
            }));
            scope.set(*at, Presence::Unset);
        }
    }
}

fn is_unset<'a>(
    hop: &mut Hop<'a>,
    scopes: &[Scope<'a>],
    of: &[(usize, usize)],
    instance: usize,
) -> bool {
    let (first, at) = (&scopes[of[0].0], of[0].1);
    let slot = &first.moves.holders[at].source;
    let value = hop.source.text_of(instance);
    if slot.default.is_none()
        || !says(hop, first, &first.moves.path(Some(at), None, true), Entry::says_unset)
        || slot.as_guarded(value).is_some()
        || hop.others_need_field(first.instance, &first.moves.path(Some(at), None, false).join("."))
    {
        return false;
    }
    of.iter().all(|(scope, at)| {
        let scope = &scopes[*scope];
        let enters = |group: &&Together| group.to.iter().any(|to| scope.contains(*at, to.holder));
        if scope.moves.groups.iter().filter(enters).any(|group| together::moves(hop, scope, group))
        {
            return false;
        }
        scope.moves.moves.iter().all(|Move { from, to, change }| {
            let enters = scope.contains(*at, to.holder) && !scope.contains(*at, from.holder);
            let value = enters.then(|| scope.value(hop.source, from)).flatten();
            value.is_none_or(|value| {
                value == "null" && !to.nullable && change.is_none()
                    || says_absent(hop, scope, from, to, value)
            })
        })
    })
}

/// Whether a value may be only a default.
pub(super) enum Certainty {
    Value,
    Ambiguous,
    /// It's part of the default of an object around it.
    OfObject,
}

pub(super) fn certainty(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    Move { from, to, .. }: &Move,
    value: &str,
) -> Certainty {
    if from.shows(value) {
        return Certainty::Ambiguous;
    }
    if hop.inbox.is_empty() {
        return Certainty::Value;
    }
    let is_filled_in = is_filled_in(scope, from, value, |holder| &holder.source);
    let says_so = is_filled_in && knows(hop, scope, to) || says_absent(hop, scope, from, to, value);
    let is_whole = from.inside.names.is_empty();
    match says_so {
        false => Certainty::Value,
        true if is_filled_in && is_whole && !from.is_filled_in(value) => Certainty::OfObject,
        true => Certainty::Ambiguous,
    }
}

/// Whether an entry says that the target has no value, though the source may show this one. The
/// entry is used up.
pub(super) fn take_absence(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    Move { from, to, .. }: &Move,
    value: Option<&str>,
) -> bool {
    let path = scope.moves.path(to.holder, Some(to), true);
    let wanted = |entry: &Entry| match value {
        Some(value) => is_absence_for(entry, from, value),
        None => is_absence(entry),
    };
    let is_absent = hop.take_entry_at(scope.instance, &path, wanted).is_some();
    if is_absent {
        hop.need(scope.instance);
    }
    is_absent
}

/// Uses up an entry that says that the target has no value, where the source has none, either.
pub(super) fn use_absence(hop: &mut Hop<'_>, scope: &Scope<'_>, a_move: &Move) {
    let Move { from, to, .. } = a_move;
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    let stays = there || is_made(hop, scope, to.holder) || from.fill.is_none();
    if from.displayed.is_none() || !take_absence(hop, scope, a_move, None) || !stays {
        return;
    }
    super::arrives_as_nothing(hop, scope, to);
    let both_fill = there && to.inside.names.is_empty() && to.fill.is_some();
    if from.fill.is_some() && !both_fill {
        // The source had a value when the entry was written.
        hop.lose(UnrestoredReason::Edited);
    }
}

/// Returns what an entry has to say about a move without a value: what the target shows anyway.
/// Returns `None` if no entry is needed.
pub(super) fn absence(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    Move { from, to, change }: &Move,
) -> Option<Absence> {
    let presence = scope.presence(from.holder);
    if matches!(presence, Presence::Blocked) {
        return None;
    }
    let shown = displayed_of_none(hop, scope, from, to)?;
    if change.as_ref().is_some_and(|group| becomes_nothing(group, &shown)) {
        return None;
    }
    let is_usual = to.displayed.as_ref() == Some(&shown);
    // The field's own rule keeps that it's absent, but doesn't know what the target shows.
    let by_field = from.fill.is_some()
        && from.inside.names.is_empty()
        && matches!(presence, Presence::There(_));
    (!is_usual || !by_field).then(|| Absence { shown: Some(shown).filter(|_| !is_usual) })
}

/// Returns what the target shows at an end where no value arrives.
pub(super) fn displayed_of_none(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    from: &End,
    to: &End,
) -> Option<String> {
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    if !there && !is_made(hop, scope, to.holder) {
        return filled_around(hop, scope, to);
    }
    let place = scope.place(to.holder, Some(to.field.name));
    let (mut known, mut is_there, mut kept) = (false, false, None);
    has_entry(hop, scope, to, |entry| {
        known = true;
        // The API server fills nothing into a null.
        is_there = entry.keep().any(|(_, value)| value != "null");
        kept = entry.keep().find_map(|(_, value)| to.inside.find(value)).map(str::to_owned);
        false
    });
    let mut vacated = hop.moving.vacated.get(&place).into_iter().flatten();
    if vacated.any(|inside| inside.names == to.inside.names) {
        known &= !to.inside.names.is_empty();
        kept = None;
    }
    let arriving = hop.moving.arriving.get(&place);
    if to.inside.names.is_empty() {
        // The API server fills its default into an object of the source, whatever an entry said.
        // Entries restore nothing in a new object.
        let is_absent = there && arriving.is_some_and(Vec::is_empty);
        let displayed = if is_absent { &to.field.default } else { &to.displayed };
        return displayed.clone().filter(|_| !(there && known));
    }
    if is_there || arriving.is_some_and(|parts| !parts.is_empty()) {
        return match kept.as_deref() {
            None => to.displayed.clone(),
            // The API server fills in what may not be null.
            Some("null") if !to.nullable => to.displayed.clone(),
            Some("null") if !from.nullable => None,
            Some(_) => kept,
        };
    }
    let default = to.field.default.as_deref().filter(|_| !known);
    let displayed = default.and_then(|default| to.inside.find(default));
    displayed.filter(|displayed| *displayed != "null").map(str::to_owned)
}

/// Returns the value at an end in the default of a holder that a new object around the holder gets.
fn filled_around(hop: &Hop<'_>, scope: &Scope<'_>, to: &End) -> Option<String> {
    let around = scope.moves.around(to.holder);
    let first = around.iter().position(|at| {
        matches!(scope.presences[*at], Presence::Absent(_)) && !is_made(hop, scope, Some(*at))
    })?;
    let parent = scope.moves.holders[around[first]].parent?;
    if matches!(scope.presences[parent], Presence::There(_)) {
        return None;
    }
    let displayed = in_default(scope, to, &around[first..], |holder| &holder.target);
    displayed.filter(|displayed| *displayed != "null").map(str::to_owned)
}

/// Whether a value is only a default in the source or the target.
pub(super) fn is_default(
    scope: &Scope<'_>,
    end: &End,
    value: &str,
    side: fn(&Holder) -> &Slot,
) -> bool {
    end.shows(value) || is_filled_in(scope, end, value, side)
}

/// Whether a value is part of the default of its field, or of a holder around it.
fn is_filled_in(scope: &Scope<'_>, end: &End, value: &str, side: fn(&Holder) -> &Slot) -> bool {
    let around = scope.moves.around(end.holder);
    let mut filled =
        (0..around.len()).filter_map(|first| in_default(scope, end, &around[first..], side));
    end.is_filled_in(value) || filled.any(|filled| equal(filled, value, Fidelity::AsServed))
}

/// Returns the value at an end in the default of the first of the holders around it.
fn in_default<'s>(
    scope: &'s Scope<'_>,
    end: &End,
    around: &[usize],
    side: fn(&Holder) -> &Slot,
) -> Option<&'s str> {
    let mut slots = around.iter().map(|at| side(&scope.moves.holders[*at]));
    let default = slots.next()?.default.as_deref()?;
    let names = slots.map(|slot| slot.name).chain([end.field.name]);
    end.inside.find(names.into_iter().try_fold(default, find)?)
}

/// Whether a missing holder is made for arriving values.
pub(super) fn is_made(hop: &Hop<'_>, scope: &Scope<'_>, holder: Option<usize>) -> bool {
    holder.is_some() && hop.moving.arriving.contains_key(&scope.place(holder, None))
}

/// Whether an entry of the target's field has a value at this end, which couldn't move on the way
/// here.
pub(super) fn knows(hop: &mut Hop<'_>, scope: &Scope<'_>, to: &End) -> bool {
    has_entry(hop, scope, to, |entry| {
        entry.keep().any(|(_, value)| to.inside.find(value).is_some())
    })
}

/// Whether the target's field has an entry that is wanted. The field's own rule will take it.
pub(super) fn has_entry(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    to: &End,
    wanted: impl FnOnce(&Entry) -> bool,
) -> bool {
    let mut field = scope.moves.path(to.holder, Some(to), true);
    field.truncate(field.len() - to.inside.names.len());
    // An entry of a changed value can have the same key. The move itself takes it.
    says(hop, scope, &field, |entry| !is_of_change(entry) && wanted(entry))
}

/// Whether an entry is that of a value that changed on its way. It has the value, and says what the
/// other version showed. Entries of other moves, and those of removed fields, have only one of the
/// two.
pub(super) fn is_of_change(entry: &Entry) -> bool {
    entry.keep().next().is_some() && entry.guard().is_some()
}

/// Whether an entry says that the target has no value, although the source shows this one.
fn says_absent(hop: &mut Hop<'_>, scope: &Scope<'_>, from: &End, to: &End, value: &str) -> bool {
    let path = scope.moves.path(to.holder, Some(to), true);
    says(hop, scope, &path, |entry| is_absence_for(entry, from, value))
}

/// Whether a field has an entry that says something. The entry isn't used up.
fn says(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    path: &[&'static str],
    what: impl FnOnce(&Entry) -> bool,
) -> bool {
    let mut says = false;
    hop.take_entry_at(scope.instance, path, |entry| {
        says = what(entry);
        false
    });
    says
}

/// Whether an entry says that a moved value was absent. It may also say what the other version
/// showed anyway.
fn is_absence(entry: &Entry) -> bool {
    entry.keep().next().is_none() && entry.guard().is_none_or(|mut guard| guard.next().is_some())
}

/// Whether an entry says that a moved value was absent, and that this value was shown.
fn is_absence_for(entry: &Entry, from: &End, value: &str) -> bool {
    let displayed = || entry.guard().and_then(|mut guard| guard.next());
    is_absence(entry)
        && displayed().map_or_else(
            || from.shows(value),
            |(_, displayed)| equal(value, displayed, Fidelity::AsServed),
        )
}
