//! Values on their way: taken from where they are, and told to the field where they go.

use std::collections::BTreeMap;

use crate::complement::Loss;
use crate::engine::hop::{Come, Hop, Mark, Moved, Presence, Scope};
use crate::engine::program::{End, Inside, Move, Slot};
use crate::json::{Fidelity, equal, members_of};

/// By member, the values that go from it.
pub(super) type Taken<'a> = BTreeMap<usize, Vec<(&'a Inside, &'a str)>>;

/// The value to move, and the member that it is in.
pub(super) fn moved<'a>(hop: &Hop<'a>, scope: &Scope<'a>, from: &End) -> Option<(usize, &'a str)> {
    let Presence::There(owner) = scope.presence(from.holder) else { return None };
    let named = hop.source.member_called(owner, from.field.name)?;
    let value = from.inside.find(hop.source.present(Some(named), &from.field)?)?;
    (from.nullable || value != "null").then_some((named, value))
}

/// Takes a value to its place, if there is one.
pub(super) fn carry<'a>(
    hop: &mut Hop<'a>,
    scope: &mut Scope<'a>,
    taken: &mut Taken<'a>,
    (a_move, named, value): Moved<'a>,
) {
    let Move { from, to } = a_move;
    let presence = scope.presence(to.holder);
    if value == "null" && !to.nullable || matches!(presence, Presence::Blocked | Presence::Unset) {
        return;
    }
    for (holder, marks) in [(from.holder, &mut scope.left), (to.holder, &mut scope.reached)] {
        scope.moves.around(holder).into_iter().for_each(|holder| marks[holder] = true);
    }
    let lands_in = scope.last_there(to.holder);
    let left_from = scope.last_there(from.holder);
    hop.moving.marks.add_around(hop.source, left_from, Mark::LeftFrom);
    hop.moving.marks.add_around(hop.source, lands_in, Mark::ArrivedIn);
    let around = std::iter::successors(Some(lands_in), |at| Some(hop.source.instance(*at).parent));
    for entered in around.take_while(|at| *at != scope.instance) {
        hop.moving.marks.add(entered, Mark::Entered);
    }
    if matches!(presence, Presence::Absent(_)) {
        let absent = scope.moves.around(to.holder).into_iter();
        let absent = absent.filter(|at| matches!(scope.presences[*at], Presence::Absent(_)));
        hop.moving.reached.extend(absent.map(|at| scope.place(Some(at), None)));
        hop.moving.reached.insert(scope.place(to.holder, Some(to.field.name)));
    }
    taken.entry(named).or_default().push((&from.inside, value));
    come(hop, scope, a_move, Come::Values(vec![(&to.inside, value)]));
}

/// Tells the field on the other end.
pub(super) fn come<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>, a_move: &'a Move, come: Come<'a>) {
    let name = a_move.to.field.name;
    let there = matches!(scope.presence(a_move.to.holder), Presence::There(_));
    let (coming, place) = match (scope.presence(a_move.to.holder), a_move.to.holder) {
        (Presence::There(instance), _) => (&mut hop.moving.come, instance),
        (_, Some(holder)) => (&mut scope.synthesized, holder),
        (_, None) => return,
    };
    match (coming.get_mut(&(place, name)), come) {
        (Some(Come::Values(values)), Come::Values(more)) => values.extend(more),
        // Of a struct that only this version has the entry says more, and one that is made has what any new one has.
        (None, Come::Nothing) if !there || !a_move.to.inside.names.is_empty() => {}
        (Some(_), Come::Nothing) => {}
        (_, come) => drop(coming.insert((place, name), come)),
    }
}

/// Values go from the members that they are in.
pub(super) fn take_away<'a>(hop: &mut Hop<'a>, taken: Taken<'a>) {
    for (named, values) in taken {
        let rest = rest(hop, named, &values);
        hop.moving.gone.insert(named, rest);
    }
}

/// What is left of a member's value and doesn't come back by itself.
fn rest(hop: &mut Hop<'_>, named: usize, values: &[(&Inside, &str)]) -> Option<String> {
    if values.iter().any(|(inside, _)| inside.names.is_empty()) {
        return None;
    }
    let all = hop.source.value(named);
    let alone = values.iter().fold(None, |object: Option<String>, (inside, value)| {
        Some(inside.insert(object.as_deref(), value))
    });
    if alone.is_some_and(|alone| equal(&alone, all, Fidelity::AsWritten))
        && !hop.others.anchors_in_member(hop.source, hop.patch, named)
    {
        return None;
    }
    Some(values.iter().fold(all.to_owned(), |rest, (inside, _)| inside.take(&rest)))
}

/// Whether something has come into a holder that isn't there.
pub(super) fn is_reached<'a>(hop: &Hop<'a>, scope: &Scope<'a>, holder: Option<usize>) -> bool {
    holder.is_some() && hop.moving.reached.contains(&scope.place(holder, None))
}

/// Whether a value has come into the field that another would go to.
pub(super) fn comes<'a>(hop: &Hop<'a>, scope: &Scope<'a>, to: &End) -> bool {
    let name = to.field.name;
    match scope.presence(to.holder) {
        Presence::There(instance) => {
            matches!(hop.moving.come.get(&(instance, name)), Some(Come::Values(_)))
        }
        _ => hop.moving.reached.contains(&scope.place(to.holder, Some(name))),
    }
}

/// Whether a field is to have nothing.
pub(super) fn comes_as_nothing<'a>(hop: &Hop<'a>, scope: &Scope<'a>, to: &End) -> bool {
    let come = match (scope.presence(to.holder), to.holder) {
        (Presence::There(instance), _) => hop.moving.come.get(&(instance, to.field.name)),
        (_, Some(holder)) => scope.synthesized.get(&(holder, to.field.name)),
        (_, None) => None,
    };
    matches!(come, Some(Come::Nothing))
}

/// What a field gets from another place, if its entry says this of it.
pub(in crate::engine::rules) fn arrived(
    hop: &mut Hop<'_>,
    instance: usize,
    to: &Slot,
    has_entry: bool,
    kept: Option<&str>,
) -> Arrived {
    if hop.moving.come.is_empty() {
        return Arrived::Unknown;
    }
    match hop.moving.come.remove(&(instance, to.name)) {
        None => Arrived::Unknown,
        Some(Come::Nothing) => Arrived::Nothing,
        Some(Come::Values(values)) => {
            let whole = values.iter().any(|(inside, _)| inside.names.is_empty());
            let base = kept.filter(|kept| !whole && members_of(kept).is_some());
            let replaces = |base: &str| values.iter().any(|(inside, _)| inside.replaces(base));
            if has_entry && base.is_none_or(replaces) {
                hop.lose(Loss::Edited);
            }
            let value = put_together(base, &values);
            if !equal(&value, &put_together(None, &values), Fidelity::AsWritten) {
                // The way back keeps the rest again.
                hop.moving.note(hop.source, instance, Mark::Kept);
            }
            Arrived::Value(value)
        }
    }
}

/// What has come into a field.
pub(in crate::engine::rules) enum Arrived {
    /// Nothing moves into it.
    Unknown,
    Nothing,
    Value(String),
}

pub(super) fn put_together(base: Option<&str>, values: &[(&Inside, &str)]) -> String {
    let mut object = base.map(str::to_owned);
    for (inside, value) in values {
        object = Some(inside.insert(object.as_deref(), value));
    }
    object.unwrap_or_default()
}
