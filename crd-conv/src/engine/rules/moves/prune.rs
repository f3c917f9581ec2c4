//! Objects that values have gone from or come into, once all else is known: whether they are still there.

use super::holders::{Before, leave};
use crate::complement::Loss;
use crate::engine::hop::{Hop, Mark, Presence, Scope, holders_of};
use crate::engine::program::{Convert, Holder, Node, Object, Slot, Step};
use crate::json::{Fidelity, equal, members_of};

/// An object goes with the moved values if it has nothing else, unless an entry says that it was there without them.
/// Where that is what the way back would do, an entry says so.
pub(in crate::engine::rules) fn prune(hop: &mut Hop<'_>) {
    let scopes = std::mem::take(&mut hop.moving.scopes);
    if scopes.is_empty() {
        return;
    }
    hop.patch.order();
    hop.others.forget();
    // What is inside comes first: what is left of it decides on what is around.
    for (instance, of) in holders_of(&scopes).into_iter().rev() {
        let (scope, at) = (&scopes[of[0].0], of[0].1);
        let holder = &scope.moves.holders[at];
        let Presence::There(around) = scope.presence(holder.parent) else { continue };
        if !hop.patch.is_done(instance) {
            prune_holder(hop, &scopes, &of, [around, instance]);
        }
    }
    hop.patch.drop_replaced(std::mem::take(&mut hop.moving.left));
    let marks = &hop.moving.marks;
    hop.outbox.forget(|instance| marks.has(instance, Mark::Gone));
}

fn prune_holder<'a>(
    hop: &mut Hop<'a>,
    scopes: &[Scope<'a>],
    of: &[(usize, usize)],
    [around, instance]: [usize; 2],
) {
    let holder = &scopes[of[0].0].moves.holders[of[0].1];
    // What moves in several objects around may come into one.
    let left = of.iter().any(|(scope, at)| scopes[*scope].left[*at]);
    let entry = hop.take_entry_at(around, &[holder.target.name], |_| true);
    let known = entry.as_ref().map(|entry| Before::read(entry, holder));
    let has = |mark| hop.moving.marks.has(instance, mark);
    let stays = has(Mark::ArrivedIn) || has(Mark::Kept) || has(Mark::Restored);
    let goes = left && !stays && holds_nothing(hop, instance, holder) && !hop.others_need(instance);
    if goes {
        hop.moving.marks.add(instance, Mark::Emptied);
    }
    match known.flatten() {
        Some(Before::Null) if goes => leave(hop, around, instance, holder, true),
        Some(Before::Absent) if goes => leave(hop, around, instance, holder, false),
        Some(Before::Null | Before::Absent) => hop.lose(Loss::Edited),
        None if entry.is_some() => hop.lose(Loss::Mistyped),
        // That there was a struct is as true as before.
        Some(Before::There) | None => {}
    }
}

/// Whether an object has what a new one has.
fn holds_nothing(hop: &Hop<'_>, instance: usize, holder: &Holder) -> bool {
    let Node::Object(object) = hop.source.node(instance) else { return false };
    let members = members_of(hop.source.text_of(instance)).unwrap_or_default();
    let has = |name: &str| members.iter().any(|member| member.name == name);
    let complete = |kept: &Slot| kept.default.is_none() || has(kept.name);
    if hop.moving.marks.has(instance, Mark::Converted) || !holder.kept.iter().all(complete) {
        return false;
    }
    members.iter().all(|member| {
        let named = object.names.find(&member.name);
        let named = named.and_then(|named| hop.source.member(instance, named));
        if named.is_some_and(|named| !hop.patch.stays(named)) || converts(object, &member.name) {
            return true;
        }
        if let Some(inside) = named.and_then(|named| hop.source.document.inside(named)) {
            if hop.moving.marks.has(inside, Mark::Emptied) {
                return true;
            }
            // Synthesized for a value it isn't what is filled in where it lacks.
            if hop.moving.marks.has(inside, Mark::LeftFrom) {
                return false;
            }
        }
        let kept = holder.kept.iter().find(|kept| kept.name == member.name);
        kept.is_some_and(|kept| is_nothing(kept, member.value))
    })
}

/// Notes whether a converted group has what it has in a new object: the defaults.
pub(in crate::engine::rules) fn note_converted(
    hop: &mut Hop<'_>,
    instance: usize,
    convert: &Convert,
    places: &[Option<usize>],
) {
    if hop.moving.scopes.is_empty() {
        return;
    }
    let as_new = |(named, (_, slot)): (&Option<usize>, &(usize, Slot))| match (
        hop.source.present(*named, slot),
        &slot.default,
    ) {
        (Some(value), Some(default)) => equal(value, default, Fidelity::AsWritten),
        (Some(_), None) => false,
        (None, Some(_)) => named.is_some(),
        (None, None) => true,
    };
    if !places.iter().zip(&convert.inputs).all(as_new) {
        hop.moving.marks.add(instance, Mark::Converted);
    }
}

/// Whether a converter takes a field.
fn converts(object: &Object, name: &str) -> bool {
    object.steps.iter().any(|step| match step {
        Step::Convert(Convert { inputs, .. }) => inputs.iter().any(|(_, slot)| slot.name == name),
        _ => false,
    })
}

/// Whether a field has what it has in a new object.
fn is_nothing(slot: &Slot, value: &str) -> bool {
    if value == "null" && !slot.nullable {
        return true;
    }
    slot.default.as_ref().is_some_and(|default| equal(value, default, Fidelity::AsWritten))
}
