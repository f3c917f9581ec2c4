//! Values that move to other places.
//!
//! [`decide`] looks at each move of an object once, before all other rules, and settles what
//! becomes of it. That depends only on the source and on the entries. The other rules then read
//! what arrives in their fields and what leaves them.

mod absent;
mod holders;
mod made;
mod together;

use std::borrow::Cow;

use crate::complement::{Entry, UnrestoredReason};
use crate::engine::document::Source;
use crate::engine::hop::{
    Absence, Failure, Hop, Leaving, Made, MemberEdit, Others, Outcome, Part, Patch, Presence,
    Scope, Transfer,
};
use crate::engine::program::{Code, End, Group, Move, Slot};
use crate::json::{Fidelity, equal, members_of};

use super::convert::{explain, field_at, give};
use absent::{
    Certainty, absence, certainty, is_of_change, knows, set_unset, take_absence, use_absence,
};
use holders::take_made;
use made::{make, put_together};

pub(super) use holders::prune;

/// Decides on all moves.
///
/// An ambiguous value may be only a default. It moves if nothing says otherwise. That depends on
/// the objects that other values make, so those values come first. A default of an object moves
/// only if the object stays, so it comes last.
pub(super) fn decide(hop: &mut Hop<'_>) -> Result<(), Failure> {
    let mut scopes = scopes(hop);
    if scopes.is_empty() {
        return Ok(());
    }
    set_unset(hop, &mut scopes);
    let (mut ambiguous, mut of_objects, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    for (index, scope) in scopes.iter_mut().enumerate() {
        together::decide(hop, scope)?;
        for (at, a_move) in scope.moves.moves.iter().enumerate() {
            let is_unset = matches!(scope.presence(a_move.from.holder), Presence::Unset);
            if is_unset && take_absence(hop, scope, a_move, None) {
                settle(hop, scope, at, Outcome::Default { absent: true });
                continue;
            }
            let Some(value) = scope.value(hop.source, &a_move.from) else {
                if a_move.change.is_some() && take_change(hop, scope, &a_move.to).is_some() {
                    // A client has removed what the entry says was shown.
                    hop.lose(UnrestoredReason::Edited);
                }
                absent.push((index, at));
                continue;
            };
            match certainty(hop, scope, a_move, value) {
                Certainty::Value => {
                    let outcome = moved(hop, scope, a_move, value)?;
                    settle(hop, scope, at, outcome);
                }
                Certainty::Ambiguous => ambiguous.push((index, at, value)),
                Certainty::OfObject => {
                    let is_absent = take_absence(hop, scope, a_move, Some(value));
                    of_objects.push((index, at, value, is_absent));
                }
            }
        }
    }
    for (index, at, value) in ambiguous {
        let scope = &mut scopes[index];
        let outcome = ambiguous_value(hop, scope, &scope.moves.moves[at], value)?;
        settle(hop, scope, at, outcome);
    }
    for (index, at) in &absent {
        use_absence(hop, &scopes[*index], &scopes[*index].moves.moves[*at]);
    }
    take_made(hop, &mut scopes);
    for (index, at, value, is_absent) in of_objects {
        let scope = &mut scopes[index];
        let outcome = value_of_object(hop, scope, &scope.moves.moves[at], value, is_absent)?;
        settle(hop, scope, at, outcome);
    }
    for (index, at) in absent {
        let absence = absence(hop, &scopes[index], &scopes[index].moves.moves[at]);
        settle(hop, &mut scopes[index], at, Outcome::Absent(absence));
    }
    make(hop, &scopes);
    // Not earlier: an object that's removed may contain defaults that move inside it.
    for scope in &scopes {
        for to in scope.entered() {
            hop.moving.needed.add(hop.source.document, scope.place(to.holder, None).0);
        }
    }
    hop.moving.scopes = Some(scopes.into());
    Ok(())
}

/// Returns the objects in which values move.
fn scopes<'a>(hop: &Hop<'a>) -> Vec<Scope<'a>> {
    if !hop.source.route.has_moves {
        return Vec::new();
    }
    let instances = 0..hop.source.document.instances.len();
    let scopes =
        instances.filter(|instance| !hop.patch.is_done(*instance)).filter_map(|instance| {
            Some(Scope::new(hop.source, instance, hop.source.node(instance).moves()?))
        });
    scopes.collect()
}

/// Returns the outcome for a value, which moves if the target has a place for it. It stays if the
/// converter returns nothing for it.
fn moved<'a>(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    Move { from, to, change }: &Move,
    value: &'a str,
) -> Result<Outcome<'a>, Failure> {
    let presence = scope.presence(to.holder);
    if !matches!(presence, Presence::There(_) | Presence::Absent(_)) {
        return Ok(Outcome::Blocked);
    }
    // The author's code may say something about a null.
    let is_asked = |group: &&Group| value != "null" || matches!(group.forth, Code::Author(_));
    let Some(group) = change.as_ref().filter(is_asked) else {
        return Ok(if value != "null" || to.nullable {
            Outcome::Value(Transfer { left: value, arrives: value.into(), is_kept: false })
        } else {
            Outcome::Blocked
        });
    };
    let entry = take_change(hop, scope, to);
    let inputs = [Some(value)];
    let given = match give(hop, group, &inputs, entry, || "{}") {
        Ok(given) => given,
        // A null says no more than that there is no value. It stays, as in any other move.
        Err(_) if value == "null" => return Ok(Outcome::Blocked),
        Err(refusal) => {
            let path = scope.moves.path(from.holder, Some(from), false);
            let at = |_: &Slot| field_at(hop.source, scope.instance, &path);
            return Err(explain(refusal, group, &inputs, at));
        }
    };
    Ok(given.outputs.get(0).map_or(Outcome::Blocked, |arrives| {
        let arrives = arrives.to_owned().into();
        Outcome::Value(Transfer { left: value, arrives, is_kept: !given.is_lossless })
    }))
}

/// Takes the entry of a value that a converter changed on the way here.
fn take_change(hop: &mut Hop<'_>, scope: &Scope<'_>, to: &End) -> Option<Entry> {
    if hop.inbox.is_empty() {
        return None;
    }
    let path = scope.moves.path(to.holder, Some(to), true);
    let entry = hop.take_entry_at(scope.instance, &path, is_of_change);
    if entry.is_some() {
        hop.need(scope.instance);
    }
    entry
}

/// Decides on an ambiguous value. An object that's made for other values shows the value, too, so
/// it can't be absent there.
fn ambiguous_value<'a>(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    a_move: &Move,
    value: &'a str,
) -> Result<Outcome<'a>, Failure> {
    let to = &a_move.to;
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    let place = scope.place(to.holder, there.then_some(to.field.name));
    let arriving = hop.moving.arriving.get(&place);
    let is_shown = arriving.is_some_and(|parts| !there || !parts.is_empty());
    let may_be_absent = !is_shown || to.displayed.is_none();
    if may_be_absent && take_absence(hop, scope, a_move, Some(value)) {
        Ok(Outcome::Default { absent: true })
    } else if there && knows(hop, scope, to) {
        Ok(Outcome::Default { absent: false })
    } else {
        moved(hop, scope, a_move, value)
    }
}

/// Decides on a default of an object, which moves if the object stays. `is_absent` means that an
/// entry says that the target has no value.
fn value_of_object<'a>(
    hop: &mut Hop<'_>,
    scope: &Scope<'_>,
    a_move: &Move,
    value: &'a str,
    is_absent: bool,
) -> Result<Outcome<'a>, Failure> {
    if matches!(scope.presence(a_move.from.holder), Presence::There(_)) {
        if is_absent {
            hop.lose(UnrestoredReason::Edited);
        }
        moved(hop, scope, a_move, value)
    } else {
        Ok(Outcome::Default { absent: is_absent })
    }
}

/// Sets a move's outcome, and tells the fields at both ends.
fn settle<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>, at: usize, outcome: Outcome<'a>) {
    let Move { from, to, .. } = &scope.moves.moves[at];
    let owner = match scope.presence(from.holder) {
        Presence::There(owner) => Some(owner),
        _ => None,
    };
    match (&outcome, owner) {
        (Outcome::Value(Transfer { left, arrives, .. }), Some(owner)) => {
            leave(hop, owner, from, left);
            arrive(hop, scope, to, arrives.clone());
        }
        (Outcome::Default { absent }, _) => {
            if let Some(owner) = owner.filter(|_| from.inside.names.is_empty()) {
                let leaving = hop.moving.leaving.entry((owner, from.field.name));
                leaving.or_insert(Leaving::Parts(Vec::new()));
            }
            if *absent {
                arrives_as_nothing(hop, scope, to);
            }
        }
        // Otherwise, the field's own rule keeps that it's absent.
        (Outcome::Absent(Some(Absence { shown: Some(_) })), Some(owner))
            if from.fill.is_some() && from.inside.names.is_empty() =>
        {
            hop.moving.leaving.insert((owner, from.field.name), Leaving::Absence);
        }
        _ => {}
    }
    scope.outcomes[at] = outcome;
}

/// Tells a field that a value leaves it.
fn leave<'a>(hop: &mut Hop<'a>, owner: usize, from: &'a End, value: &'a str) {
    let leaving = hop.moving.leaving.entry((owner, from.field.name));
    if let Leaving::Parts(parts) = leaving.or_insert(Leaving::Parts(Vec::new())) {
        parts.push((&from.inside, value.into()));
    }
}

/// Tells a field, and the holders around it, that a value arrives.
fn arrive<'a>(hop: &mut Hop<'a>, scope: &Scope<'a>, to: &'a End, value: Cow<'a, str>) {
    let arriving = &mut hop.moving.arriving;
    for holder in scope.moves.around(to.holder) {
        arriving.entry(scope.place(Some(holder), None)).or_default();
    }
    let place = scope.place(to.holder, Some(to.field.name));
    arriving.entry(place).or_default().push((&to.inside, value));
}

/// Records that a field is absent, unless the field is a struct that only the target has, or is in
/// a new object. The struct's own entry says more, and a new object has what any new object has.
fn arrives_as_nothing(hop: &mut Hop<'_>, scope: &Scope<'_>, to: &End) {
    if let Presence::There(instance) = scope.presence(to.holder)
        && to.inside.names.is_empty()
    {
        let place = (instance, Vec::new(), Some(to.field.name));
        hop.moving.arriving.entry(place).or_default();
    }
}

/// Keeps what the moves of an object don't show, and makes the new objects in it.
pub(super) fn apply(hop: &mut Hop<'_>, instance: usize) {
    let Some(scopes) = hop.moving.scopes.clone() else { return };
    if let Ok(at) = scopes.binary_search_by_key(&instance, |scope| scope.instance) {
        keep_absences(hop, &scopes[at]);
        keep_changed(hop, &scopes[at]);
        together::keep(hop, &scopes[at]);
    }
    let first = hop.moving.made.partition_point(|made| made.around < instance);
    for at in first..hop.moving.made.len() {
        let Made { around, holder, null, ref text } = hop.moving.made[at];
        if around != instance {
            break;
        }
        let member = hop.patch.push_member(holder.target.name, text);
        match null {
            Some(named) => hop.patch.set(named, MemberEdit::Replace(member)),
            None => hop.patch.appended.push((around, member)),
        }
        let name = holder.source.name;
        let null = null.filter(|_| holder.source.nullable).map(|_| (name, "null"));
        hop.others.add_new(around, name);
        hop.keep(around, Some(name), null.into_iter(), None);
    }
}

fn keep_absences(hop: &mut Hop<'_>, scope: &Scope<'_>) {
    for (Move { from, to, .. }, outcome) in scope.moves.moves.iter().zip(&scope.outcomes) {
        let Outcome::Absent(Some(Absence { shown })) = outcome else { continue };
        let path = scope.moves.path(from.holder, Some(from), false);
        let field = to.inside.names.last().copied().unwrap_or(to.field.name);
        let guard = shown.as_deref().map(|shown| [(field, shown.into())]);
        let of = match scope.presence(to.holder) {
            Presence::There(holder) => holder,
            _ => scope.instance,
        };
        let guard = guard.as_ref().map(|guard| &guard[..]);
        hop.keep_at(scope.instance, &path, std::iter::empty(), guard, of);
    }
}

/// Keeps the values that the way back doesn't return. The entry is that of a converter, with a
/// path.
fn keep_changed(hop: &mut Hop<'_>, scope: &Scope<'_>) {
    for (Move { from, change, .. }, Transfer { left, arrives, is_kept }) in scope.carried() {
        let group = change.as_ref().filter(|_| *is_kept);
        let Some(([input], [output])) = group.map(|group| (&*group.inputs, &*group.outputs)) else {
            continue;
        };
        let path = scope.moves.path(from.holder, Some(from), false);
        // Also if it's a default: when the object around it is gone, that is an edit.
        let guard = [(output.name, arrives.as_ref().into())];
        let keep = std::iter::once((input.name, *left));
        hop.keep_at(scope.instance, &path, keep, Some(&guard), scope.instance);
    }
}

/// Returns the value of a field in which these parts arrive, with the rest of the value that its
/// entry keeps. Also returns whether the entry, if there is one, has something else in place of the
/// parts.
pub(in crate::engine::rules) fn arrived(
    parts: &[Part<'_>],
    has_entry: bool,
    kept: Option<&str>,
) -> (String, bool) {
    let whole = parts.iter().any(|(inside, _)| inside.names.is_empty());
    let base = kept.filter(|kept| !whole && members_of(kept).is_some());
    let replaces = |base: &str| parts.iter().any(|(inside, _)| inside.replaces(base));
    (put_together(base, parts), has_entry && base.is_none_or(replaces))
}

/// Returns what's left of a member's value without the parts that leave it. Nothing is left to keep
/// if the parts are all of it, or if the way back makes the same value from them.
pub(in crate::engine::rules) fn rest(
    source: Source<'_>,
    patch: &Patch,
    others: &mut Others,
    named: usize,
    parts: &[Part<'_>],
) -> Option<String> {
    if parts.iter().all(|(inside, _)| !inside.names.is_empty()) && !parts.is_empty() {
        let all = source.value(named);
        let is_made = equal(&put_together(None, parts), all, Fidelity::AsWritten);
        if !is_made || others.anchors_in_member(source, patch, named) {
            return Some(parts.iter().fold(all.to_owned(), |rest, (inside, _)| inside.take(&rest)));
        }
    }
    None
}
