//! Moved values that aren't there: what is shown of them all the same, and what entries say of that.

use std::collections::{BTreeSet, HashSet};

use super::values::{come, comes, comes_as_nothing, is_reached, moved};
use crate::complement::{Entry, Loss};
use crate::engine::hop::{Come, Hop, Mark, Presence, Scope, holders_of};
use crate::engine::program::{End, Move};
use crate::json::{Fidelity, equal, find};

/// Finds what is only what this version shows of none.
pub(super) fn set_unset<'a>(hop: &mut Hop<'a>, scopes: &mut [Scope<'a>]) {
    if hop.inbox.is_empty() {
        return;
    }
    let holders = holders_of(scopes);
    let mut open: BTreeSet<usize> = holders.keys().copied().collect();
    let mut known = HashSet::new();
    while let Some(instance) = open.pop_first() {
        let of = &holders[&instance];
        if known.contains(&instance) || !is_unset(hop, scopes, of, instance) {
            continue;
        }
        known.insert(instance);
        for (scope, at) in of {
            let scope = &mut scopes[*scope];
            // What is in this one comes into no other one, so that may be only shown, too.
            let from_here = |a_move: &&Move| scope.moves.around(a_move.from.holder).contains(at);
            let into = scope.moves.moves.iter().filter(from_here);
            let into = into.flat_map(|a_move| scope.moves.around(a_move.to.holder));
            open.extend(into.filter_map(|holder| match scope.presences[holder] {
                Presence::There(instance) => Some(instance),
                _ => None,
            }));
            scope.set(*at, Presence::Unset);
        }
    }
}

/// Whether a holder is only what this version shows of none.
pub(super) fn is_unset<'a>(
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
    for (scope, at) in of {
        let scope = &scopes[*scope];
        let to_here = |Move { from, to }: &&Move| {
            let is_inside = |end: &End| scope.moves.around(end.holder).contains(at);
            is_inside(to) && !is_inside(from)
        };
        for a_move in scope.moves.moves.iter().filter(to_here) {
            let comes_in = moved(hop, scope, &a_move.from).is_some_and(|(_, value)| {
                let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
                let is_nothing = value == "null" && !a_move.to.nullable;
                let is_absence = |entry: &Entry| is_absence_for(entry, &a_move.from, value);
                !is_nothing && !says(hop, scope, &path, is_absence)
            });
            if comes_in {
                return false;
            }
        }
    }
    true
}

/// Whether a value may be what this version shows of nothing.
pub(super) fn may_be_nothing<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    a_move: &Move,
    value: &str,
) -> bool {
    a_move.from.shows(value)
        || !hop.inbox.is_empty() && {
            scope.is_filled_in(&a_move.from, value) && knows(hop, scope, &a_move.to)
        }
        || !hop.inbox.is_empty() && {
            let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
            says(hop, scope, &path, |entry| is_absence_for(entry, &a_move.from, value))
        }
}

/// Whether entries say of a value that it is only shown in what is filled in for an object around it.
pub(super) fn is_shown_around<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    Move { from, to }: &Move,
    value: &str,
) -> bool {
    from.inside.names.is_empty()
        && !from.shows(value)
        && !from.is_filled_in(value)
        && scope.is_filled_in(from, value)
        && (knows(hop, scope, to)
            || says(hop, scope, &scope.moves.path(to.holder, Some(to), true), |entry| {
                is_absence_for(entry, from, value)
            }))
}

/// Whether an entry says that the other end has no value, though this one is shown, if any; it is used up.
pub(super) fn take_absence<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    a_move: &Move,
    value: Option<&str>,
) -> bool {
    let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
    let wanted = |entry: &Entry| match value {
        Some(value) => is_absence_for(entry, &a_move.from, value),
        None => is_absence(entry),
    };
    let is_absent = hop.take_entry_at(scope.instance, &path, wanted).is_some();
    if is_absent {
        hop.moving.note(hop.source, scope.instance, Mark::Restored);
    }
    is_absent
}

/// Where there is no value here, either, an entry that says so is used up.
pub(super) fn forget_absence<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>, a_move: &'a Move) {
    let Move { from, to } = a_move;
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    let stays = there || is_reached(hop, scope, to.holder) || from.fill.is_none();
    if from.displayed.is_none() || !take_absence(hop, scope, a_move, None) {
        return;
    }
    if stays {
        come(hop, scope, a_move, Come::Nothing);
        let both_fill = there && to.inside.names.is_empty() && to.fill.is_some();
        if from.fill.is_some() && !both_fill {
            // It was there when the entry was written.
            hop.lose(Loss::Edited);
        }
    }
}

/// Where there is no value, the other version may show one all the same.
pub(super) fn note_absence<'a>(hop: &mut Hop<'a>, scope: &Scope<'a>, Move { from, to }: &'a Move) {
    if matches!(scope.presence(from.holder), Presence::Blocked) {
        return;
    }
    let Some(displayed) = displayed_of_nothing(hop, scope, from, to) else { return };
    let source = scope.moves.path(from.holder, Some(from), false);
    let is_usual = to.displayed.as_ref() == Some(&displayed);
    let guard = [(to.inside.names.last().copied().unwrap_or(to.field.name), displayed.into())];
    // The field's own step does so where it has a fill, but doesn't know what is shown.
    if from.fill.is_some()
        && from.inside.names.is_empty()
        && let Presence::There(holder) = scope.presence(from.holder)
    {
        if is_usual {
            return;
        }
        hop.moving.noted.insert((holder, from.field.name));
    }
    let of = match scope.presence(to.holder) {
        Presence::There(holder) => holder,
        _ => scope.instance,
    };
    let guard = (!is_usual).then_some(&guard[..]);
    hop.keep_at(scope.instance, &source, std::iter::empty(), guard, of);
}

/// What the target shows at an end that no value comes to.
fn displayed_of_nothing<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    from: &End,
    to: &End,
) -> Option<String> {
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    if !there && !is_reached(hop, scope, to.holder) {
        return filled_around(hop, scope, to);
    }
    let (mut known, mut is_there, mut kept) = (false, false, None);
    has_entry(hop, scope, to, |entry| {
        known = true;
        // In a null nothing is filled in.
        is_there = entry.keep().any(|(_, value)| value != "null");
        kept = entry.keep().find_map(|(_, value)| to.inside.find(value)).map(str::to_owned);
        false
    });
    if to.inside.names.is_empty() {
        // In an object that is made nothing is restored.
        // The API server fills its default in where the object is there, whatever an entry said.
        let displayed = if there && comes_as_nothing(hop, scope, to) {
            &to.field.default
        } else {
            &to.displayed
        };
        return displayed.clone().filter(|_| !(there && known));
    }
    if is_there || comes(hop, scope, to) {
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

/// What is in the default of a holder that has come with a new object around it.
fn filled_around<'a>(hop: &Hop<'a>, scope: &Scope<'a>, to: &End) -> Option<String> {
    let holders = &scope.moves.holders;
    let around = scope.moves.around(to.holder);
    let first = around.iter().position(|at| {
        let presence = scope.presences[*at];
        matches!(presence, Presence::Absent(_)) && !is_reached(hop, scope, Some(*at))
    })?;
    let parent = holders[around[first]].parent?;
    if matches!(scope.presences[parent], Presence::There(_)) {
        return None;
    }
    let default = holders[around[first]].target.default.as_deref()?;
    let way = around[first + 1..].iter().map(|at| holders[*at].target.name);
    let field = way.chain(std::iter::once(to.field.name)).try_fold(default, find)?;
    to.inside.find(field).filter(|displayed| *displayed != "null").map(str::to_owned)
}

/// Whether an entry of the field has a value on this end, which couldn't move on the way here.
pub(super) fn knows<'a>(hop: &mut Hop<'a>, scope: &Scope<'a>, to: &End) -> bool {
    has_entry(hop, scope, to, |entry| {
        entry.keep().any(|(_, value)| to.inside.find(value).is_some())
    })
}

/// Whether there is such an entry, which the field itself will take.
fn has_entry<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    to: &End,
    wanted: impl FnOnce(&Entry) -> bool,
) -> bool {
    let mut field = scope.moves.path(to.holder, Some(to), true);
    field.truncate(field.len() - to.inside.names.len());
    says(hop, scope, &field, wanted)
}

/// Whether there is an entry of a field that says something; it isn't used up.
fn says<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
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

/// Whether an entry says that a moved value was absent, and perhaps what was shown all the same.
fn is_absence(entry: &Entry) -> bool {
    entry.keep().next().is_none() && entry.guard().is_none_or(|mut guard| guard.next().is_some())
}

/// Whether it says so of this value.
fn is_absence_for(entry: &Entry, from: &End, value: &str) -> bool {
    let displayed = || entry.guard().and_then(|mut guard| guard.next());
    is_absence(entry)
        && displayed().map_or_else(
            || from.shows(value),
            |(_, displayed)| equal(value, displayed, Fidelity::AsServed),
        )
}
