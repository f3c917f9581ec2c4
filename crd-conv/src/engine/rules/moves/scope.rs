//! The objects in which values move, and the objects inside them that the values are in.

use std::collections::HashMap;

use crate::engine::hop::{Hop, Scope, Spot};
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
            spots: Vec::new(),
            left: marks.clone(),
            reached: marks,
            made: HashMap::new(),
            none: Vec::new(),
            perhaps: Vec::new(),
        };
        for holder in &moves.holders {
            let spot = match scope.spot(holder.parent) {
                Spot::There(around) => spot(hop, around, holder),
                Spot::Absent(_) => Spot::Absent(None),
                around @ (Spot::Unset | Spot::Blocked) => around,
            };
            scope.spots.push(spot);
        }
        scopes.push(scope);
    }
    scopes
}

fn spot(hop: &Hop<'_>, around: usize, holder: &Holder) -> Spot {
    let Some(named) = hop.source.member_called(around, holder.source.name) else {
        return Spot::Absent(None);
    };
    if hop.source.value(named) == "null" {
        return Spot::Absent(Some(named));
    }
    hop.source.document.inside(named).map_or(Spot::Blocked, Spot::There)
}
