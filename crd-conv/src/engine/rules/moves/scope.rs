//! The objects in which values move, and the objects inside them that the values are in.

use std::collections::HashMap;

use crate::engine::hop::{Hop, Presence, Scope};
use crate::engine::program::Holder;

/// The objects in which values move.
pub(super) fn scopes<'a>(hop: &Hop<'a>) -> Vec<Scope<'a>> {
    if !hop.source.route.has_moves {
        return Vec::new();
    }
    let mut scopes = Vec::new();
    for instance in 0..hop.source.document.instances.len() {
        let moves = hop.source.node(instance).moves();
        let Some(moves) = moves.filter(|_| !hop.patch.is_done(instance)) else { continue };
        let marks = vec![false; moves.holders.len()];
        let mut scope = Scope {
            instance,
            moves,
            presences: Vec::new(),
            left: marks.clone(),
            reached: marks,
            synthesized: HashMap::new(),
            none: Vec::new(),
            ambiguous: Vec::new(),
        };
        for holder in &moves.holders {
            let presence = match scope.presence(holder.parent) {
                Presence::There(around) => presence(hop, around, holder),
                Presence::Absent(_) => Presence::Absent(None),
                around @ (Presence::Unset | Presence::Blocked) => around,
            };
            scope.presences.push(presence);
        }
        scopes.push(scope);
    }
    scopes
}

fn presence(hop: &Hop<'_>, around: usize, holder: &Holder) -> Presence {
    let Some(named) = hop.source.member_called(around, holder.source.name) else {
        return Presence::Absent(None);
    };
    if hop.source.value(named) == "null" {
        return Presence::Absent(Some(named));
    }
    hop.source.document.inside(named).map_or(Presence::Blocked, Presence::There)
}
