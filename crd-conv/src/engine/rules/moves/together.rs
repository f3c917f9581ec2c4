//! Values that move together, because a converter takes and returns them together.
//!
//! A group moves if it is complete, and if at least one of its values isn't only a default.
//! Otherwise nothing leaves and nothing arrives, and the fields' own rules keep what is there. So no
//! entry has to say that a group was absent.

use super::absent::{displayed_of_none, has_entry, is_default, is_made};
use super::{arrive, arrives_as_nothing, leave, take_change};
use crate::complement::UnrestoredReason;
use crate::engine::document::Source;
use crate::engine::hop::{Failure, Hop, Leaving, Presence, Scope, Transfers};
use crate::engine::program::{End, Holder, Slot, Together};
use crate::engine::rules::convert::{Made, back, explain, field_at, is_complete, made};
use crate::json::{Fidelity, equal, find, members_of};
use crate::plan::{Texts, Values};

/// Decides on the groups of an object.
pub(super) fn decide<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>) -> Result<(), Failure> {
    for (at, group) in scope.moves.groups.iter().enumerate() {
        let carried = carried(hop, scope, group)?;
        if let Some(carried) = &carried {
            settle(hop, scope, group, carried);
        }
        scope.groups[at] = carried;
    }
    Ok(())
}

fn carried<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    group @ Together { from, to, change }: &Together,
) -> Result<Option<Transfers<'a>>, Failure> {
    let has_place =
        |to: &End| matches!(scope.presence(to.holder), Presence::There(_) | Presence::Absent(_));
    if !to.iter().all(has_place) {
        return Ok(None);
    }
    let left = values(hop, scope, from);
    let entry = to.first().and_then(|to| take_change(hop, scope, to));
    if left.iter().all(Option::is_none) {
        if entry.is_some() {
            // A client has removed what the entry says was shown.
            hop.lose(UnrestoredReason::Edited);
        }
        return Ok(None);
    }
    let shown: Option<Vec<bool>> = entry.as_ref().map(|entry| {
        let shows =
            |slot: &Slot| entry.guard().into_iter().flatten().any(|(name, _)| name == slot.name);
        change.inputs.iter().map(shows).collect()
    });
    let is_asked = moves_by_itself(scope, group, &left);
    let made = made(hop, change, (&left, is_asked), entry, || "{}").map_err(|refusal| {
        let at = |slot: &Slot| field_at(hop.source, scope.instance, &[slot.name]);
        explain(refusal, change, &left, at)
    })?;
    let (arrives, is_known) = match made {
        Made::OfEntry(arrives) => (arrives, true),
        Made::ByCode(arrives) => (arrives, false),
        Made::Nothing => return Ok(None),
    };
    let is_any = arrives.texts().any(|value| value.is_some());
    let shown = shown.filter(|_| is_known);
    let was_moved = |at: usize| shown.as_ref().is_none_or(|shown| shown[at]);
    let moved =
        left.iter().enumerate().map(|(at, value)| value.filter(|_| was_moved(at))).collect();
    Ok(is_any.then_some(Transfers { left, moved, arrives, is_known }))
}

fn values<'a>(hop: &Hop<'a>, scope: &Scope<'a>, from: &[End]) -> Texts<'a> {
    from.iter().map(|from| scope.value(hop.source, from)).collect()
}

/// Whether a group of the source moves.
pub(super) fn moves<'a>(hop: &Hop<'a>, scope: &Scope<'a>, group: &Together) -> bool {
    moves_by_itself(scope, group, &values(hop, scope, &group.from))
}

fn moves_by_itself(
    scope: &Scope<'_>,
    Together { from, change, .. }: &Together,
    left: &[Option<&str>],
) -> bool {
    is_complete(left, &change.inputs) && is_certain(scope, from, left, |holder| &holder.source)
}

/// Whether at least one of the values is neither null nor only a default.
fn is_certain(
    scope: &Scope<'_>,
    ends: &[End],
    values: &[Option<&str>],
    side: fn(&Holder) -> &Slot,
) -> bool {
    ends.iter().zip(values).any(|(end, value)| {
        value.is_some_and(|value| value != "null" && !is_default(scope, end, value, side))
    })
}

/// Tells the fields at all ends what moves. A field for which nothing arrives has no value but a
/// default, whatever its own entry says. The group's entry may say that it hasn't even that.
fn settle<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    Together { from, to, .. }: &'a Together,
    Transfers { left, arrives, is_known, .. }: &Transfers<'a>,
) {
    for (from, value) in from.iter().zip(left) {
        let Presence::There(owner) = scope.presence(from.holder) else { continue };
        match value {
            Some(value) => leave(hop, owner, from, value),
            // The group's entry has it, if the way back doesn't make it so.
            None if from.inside.names.is_empty() => {
                hop.moving.leaving.insert((owner, from.field.name), Leaving::Absence);
            }
            None => {}
        }
    }
    for (to, value) in to.iter().zip(arrives.texts()) {
        match value {
            Some(value) => arrive(hop, scope, to, value.to_owned().into()),
            None if *is_known && to.inside.names.is_empty() => arrives_as_nothing(hop, scope, to),
            None => {
                let place = scope.place(to.holder, Some(to.field.name));
                hop.moving.vacated.entry(place).or_default().push(&to.inside);
            }
        }
    }
}

/// Keeps the groups that the way back doesn't return.
pub(super) fn keep(hop: &mut Hop<'_>, scope: &Scope<'_>) {
    for (group @ Together { from, change, .. }, carried) in scope.together() {
        let Transfers { left, moved, arrives, .. } = carried;
        // What was filled into an object that is gone comes back with it.
        let values = from.iter().zip(left).zip(moved);
        let left: Texts<'_> = values
            .map(|((from, left), moved)| {
                moved.or(left.filter(|_| is_around(hop.source, scope, from)))
            })
            .collect();
        let Some(first) = from.first().filter(|_| !returns(hop, scope, group, (&left, arrives)))
        else {
            continue;
        };
        let path = scope.moves.path(first.holder, Some(first), false);
        let keep = change.inputs.iter().zip(&left);
        let keep = keep.filter_map(|(slot, value)| Some((slot.name, (*value)?)));
        let guard = change.outputs.iter().zip(arrives.texts());
        let guard: Vec<_> =
            guard.filter_map(|(slot, value)| Some((slot.name, value?.into()))).collect();
        hop.keep_at(scope.instance, &path, keep, Some(&guard), scope.instance);
    }
}

/// Whether the way back returns a group without an entry, also after the API server has filled in
/// defaults.
fn returns(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    group @ Together { to, .. }: &Together,
    (left, arrives): (&[Option<&str>], &Values),
) -> bool {
    let mut filled = Vec::new();
    for (to, value) in to.iter().zip(arrives.texts()) {
        let default = if value.is_none() { displayed_of_none(hop, scope, to, to) } else { None };
        let there = matches!(scope.presence(to.holder), Presence::There(_));
        if default.is_some() && !there && !is_made(hop, scope, to.holder) {
            // It's part of the default of an object, which goes with the object around it.
            return false;
        }
        filled.push(default.map(|default| (default, is_written(hop, scope, to))));
    }
    let shown = |by_server: bool| -> Texts<'_> {
        let filled = filled.iter().map(|filled| match filled {
            Some((default, is_written)) if by_server || *is_written => Some(&**default),
            _ => None,
        });
        arrives.texts().zip(filled).map(|(value, filled)| value.or(filled)).collect()
    };
    let (written, served) = (shown(false), shown(true));
    let comes_back = |shown: &Texts<'_>| comes_back(hop, scope, group, shown, left);
    comes_back(&written) && (served == written || comes_back(&served))
}

/// Whether the default of a field for which nothing arrives is written. Otherwise, only the API
/// server fills it in: the field is known to be absent, or it is in a struct that an entry restores.
fn is_written(hop: &mut Hop<'_>, scope: &Scope<'_>, to: &End) -> bool {
    if to.inside.names.is_empty() {
        let there = matches!(scope.presence(to.holder), Presence::There(_));
        let place = scope.place(to.holder, Some(to.field.name));
        !there || !hop.moving.arriving.contains_key(&place)
    } else {
        !has_entry(hop, scope, to, |entry| entry.keep().next().is_some())
    }
}

fn comes_back(
    hop: &Hop<'_>,
    scope: &Scope<'_>,
    Together { from, to, change }: &Together,
    shown: &[Option<&str>],
    left: &[Option<&str>],
) -> bool {
    let moves = is_complete(shown, &change.outputs)
        && is_certain(scope, to, shown, |holder| &holder.target);
    let Some(back) = moves.then(|| back(change, shown)).flatten() else { return false };
    let ends = from.iter().zip(&change.inputs).zip(back.texts());
    ends.zip(left).all(|(((from, slot), back), left)| {
        let filled = || slot.default.as_deref().filter(|_| is_around(hop.source, scope, from));
        match (back.or_else(filled), left) {
            (Some(back), Some(left)) => equal(back, left, Fidelity::AsWritten),
            (back, left) => back.is_none() && left.is_none(),
        }
    })
}

/// Whether the source has the object that a value is in.
fn is_around(source: Source<'_>, scope: &Scope<'_>, from: &End) -> bool {
    let Presence::There(owner) = scope.presence(from.holder) else { return false };
    let Some((_, around)) = from.inside.names.split_last() else { return true };
    let named = source.member_called(owner, from.field.name);
    let field = named.map(|named| source.value(named));
    let object =
        field.and_then(|field| around.iter().try_fold(field, |object, name| find(object, name)));
    object.is_some_and(|object| members_of(object).is_some())
}
