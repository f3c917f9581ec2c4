//! Values that move together, because a converter takes and returns them together.
//!
//! A group moves if it is complete, and if at least one of its values isn't only a default.
//! Otherwise nothing leaves and nothing arrives, and the fields' own rules keep what is there. So no
//! entry has to say that a group was absent.

use super::absent::is_default;
use super::{arrive, arrives_as_nothing, leave, take_change};
use crate::complement::UnrestoredReason;
use crate::engine::hop::{Failure, Hop, Leaving, Presence, Scope, Transfers};
use crate::engine::program::{End, Holder, Slot, Together};
use crate::engine::rules::convert::{explain, field_at, give, is_complete};
use crate::plan::Texts;

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
    let asks = moves_by_itself(scope, group, &left);
    let given = give(hop, change, &left, entry, asks, || "{}").map_err(|refusal| {
        let at = |slot: &Slot| field_at(hop.source, scope.instance, &[slot.name]);
        explain(refusal, change, &left, at)
    })?;
    let arrives = given.outputs;
    if arrives.texts().all(|value| value.is_none()) {
        return Ok(None);
    }
    // Without an entry, the way back doesn't move what is only a default.
    let shown: Texts<'_> = arrives.texts().collect();
    let is_kept = !given.is_lossless || !is_certain(scope, to, &shown, |holder| &holder.target);
    drop(shown);
    Ok(Some(Transfers { left, arrives, is_kept }))
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

/// Tells the fields at all ends what moves. A field for which nothing arrives is absent, whatever
/// its own entry says.
fn settle<'a>(
    hop: &mut Hop<'a>,
    scope: &Scope<'a>,
    Together { from, to, .. }: &'a Together,
    Transfers { left, arrives, .. }: &Transfers<'a>,
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
            None if to.inside.names.is_empty() => arrives_as_nothing(hop, scope, to),
            None => {
                let place = scope.place(to.holder, Some(to.field.name));
                hop.moving.vacated.entry(place).or_default().push(&to.inside);
            }
        }
    }
}

/// Keeps the groups that the way back doesn't return.
pub(super) fn keep(hop: &mut Hop<'_>, scope: &Scope<'_>) {
    for (Together { from, change, .. }, Transfers { left, arrives, is_kept }) in scope.together() {
        let Some(first) = from.first().filter(|_| *is_kept) else { continue };
        let path = scope.moves.path(first.holder, Some(first), false);
        let keep = change.inputs.iter().zip(left);
        let keep = keep.filter_map(|(slot, value)| Some((slot.name, (*value)?)));
        let guard = change.outputs.iter().zip(arrives.texts());
        let guard: Vec<_> =
            guard.filter_map(|(slot, value)| Some((slot.name, value?.into()))).collect();
        hop.keep_at(scope.instance, &path, keep, Some(&guard), scope.instance);
    }
}
