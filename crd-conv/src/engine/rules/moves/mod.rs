//! Values that go to other places: what is read where they are, and what is told to the steps where they go.

mod absent;
mod holders;
mod prune;
mod scope;
mod synthesize;
mod values;

use crate::complement::Loss;
use crate::engine::hop::{Come, Hop, Moved, Presence, Scope};
use crate::engine::program::Move;

use absent::{
    forget_absence, is_shown_around, knows, may_be_nothing, note_absence, set_unset, take_absence,
};
use scope::scopes;
use synthesize::{leave_synthesized, synthesize};
use values::{Taken, come, comes, is_reached, moved, take_away};

pub(super) use prune::{note_converted, prune};
pub(super) use synthesize::is_synthesized;
pub(super) use values::{Arrived, arrived};

/// Finds the values and where they go; the steps of the fields on both ends do the rest. Before all steps, since what
/// moves in one object may come into what is made for another's.
pub(super) fn carry(hop: &mut Hop<'_>) {
    let mut scopes = scopes(hop);
    if scopes.is_empty() {
        return;
    }
    set_unset(hop, &mut scopes);
    let (mut taken, mut displayed) = (Taken::new(), Vec::new());
    for scope in &mut scopes {
        carry_known(hop, scope, &mut taken);
    }
    for (at, scope) in scopes.iter_mut().enumerate() {
        for moved in std::mem::take(&mut scope.ambiguous) {
            if is_shown_around(hop, scope, moved.0, moved.2) {
                let absent = take_absence(hop, scope, moved.0, Some(moved.2));
                displayed.push((at, moved, absent));
            } else {
                carry_something(hop, scope, &mut taken, moved);
            }
        }
    }
    take_away(hop, taken);
    for scope in &mut scopes {
        for a_move in scope.none.clone() {
            forget_absence(hop, scope, a_move);
        }
    }
    leave_synthesized(hop, &mut scopes);
    let mut taken = Taken::new();
    for (at, moved, absent) in displayed {
        carry_shown(hop, &mut scopes[at], &mut taken, moved, absent);
    }
    take_away(hop, taken);
    hop.moving.scopes = scopes;
}

/// Takes the values to their places that are no less than values, and sorts out the other moves.
fn carry_known<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>, taken: &mut Taken<'a>) {
    for a_move in &scope.moves.moves {
        let unset = matches!(scope.presence(a_move.from.holder), Presence::Unset);
        match moved(hop, scope, &a_move.from) {
            _ if unset && take_absence(hop, scope, a_move, None) => {
                come(hop, scope, a_move, Come::Nothing);
            }
            None => scope.none.push(a_move),
            Some((named, value)) if may_be_nothing(hop, scope, a_move, value) => {
                scope.ambiguous.push((a_move, named, value));
            }
            Some((named, value)) => values::carry(hop, scope, taken, (a_move, named, value)),
        }
    }
}

/// What is shown with an object is true once something else makes the object true.
fn carry_shown<'a>(
    hop: &mut Hop<'a>,
    scope: &mut Scope<'a>,
    taken: &mut Taken<'a>,
    moved: Moved<'a>,
    absent: bool,
) {
    if matches!(scope.presence(moved.0.from.holder), Presence::There(_)) {
        if absent {
            hop.lose(Loss::Edited);
        }
        values::carry(hop, scope, taken, moved);
    } else if absent {
        come(hop, scope, moved.0, Come::Nothing);
    }
}

/// Makes what values come into in an object, and notes where they are missing.
pub(super) fn apply(hop: &mut Hop<'_>, instance: usize) {
    let mut scopes = std::mem::take(&mut hop.moving.scopes);
    if let Ok(at) = scopes.binary_search_by_key(&instance, |scope| scope.instance) {
        let scope = &mut scopes[at];
        for a_move in std::mem::take(&mut scope.none) {
            note_absence(hop, scope, a_move);
        }
        synthesize(hop, scope);
    }
    hop.moving.scopes = scopes;
}

/// Takes a value to its place that may be no more than what this version shows of nothing; not if a new object is to
/// have a value.
fn carry_something<'a>(
    hop: &mut Hop<'a>,
    scope: &mut Scope<'a>,
    taken: &mut Taken<'a>,
    (a_move, named, value): Moved<'a>,
) {
    let Move { from, to } = a_move;
    let there = matches!(scope.presence(to.holder), Presence::There(_));
    let is_synthesized =
        if there { comes(hop, scope, to) } else { is_reached(hop, scope, to.holder) };
    let may_lack = !is_synthesized || to.displayed.is_none();
    let nothing = may_lack && take_absence(hop, scope, a_move, Some(value));
    if nothing {
        come(hop, scope, a_move, Come::Nothing);
    }
    if nothing || there && knows(hop, scope, to) {
        if from.inside.names.is_empty() {
            hop.moving.gone.insert(named, None);
        }
    } else {
        values::carry(hop, scope, taken, (a_move, named, value));
    }
}
