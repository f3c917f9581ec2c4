//! Objects that are made around moved values.

use std::collections::HashMap;

use crate::engine::hop::{Hop, Made, Part, Place, Presence, Scope};
use crate::engine::program::{Added, End, Holder, Move};
use crate::json::{Fidelity, equal, member, object_of};

/// A version's side of a holder: the fields of a new object, and the holder's name.
type Side = fn(&Holder) -> (&[Added], &'static str);

const SOURCE: Side = |holder| (&holder.synthesized, holder.source.name);
const TARGET: Side = |holder| (&holder.additions, holder.target.name);

/// A holder to make.
struct New<'a> {
    place: Place,
    holder: &'a Holder,
    /// The member that is `null` in the source.
    null: Option<usize>,
}

/// Makes the missing holders that values enter, from all scopes.
pub(super) fn make<'a>(hop: &mut Hop<'a>, scopes: &[Scope<'a>]) {
    let mut new = Vec::new();
    for scope in scopes {
        for (at, holder) in scope.moves.holders.iter().enumerate() {
            if let Presence::Absent(null) = scope.presences[at] {
                let place = scope.place(Some(at), None);
                if hop.moving.arriving.contains_key(&place) {
                    new.push(New { place, holder, null });
                }
            }
        }
    }
    new.sort_by_key(|new| new.place.0);
    for new in new.chunk_by(|one, other| one.place.0 == other.place.0) {
        for (at, outer @ New { place, holder, null }) in new.iter().enumerate() {
            // Several scopes may have the same holder.
            let is_first = new[..at].iter().all(|other| other.place != *place);
            if is_first && place.1.len() == 1 {
                let text = made(new, outer, TARGET, &hop.moving.arriving);
                hop.moving.made.push(Made { around: place.0, holder, null: *null, text });
            }
        }
    }
}

/// Whether an object has exactly what it would have if it were made of the values that leave it.
pub(super) fn is_as_made<'a>(
    hop: &Hop<'a>,
    scopes: &[Scope<'a>],
    of: &[(usize, usize)],
    instance: usize,
) -> bool {
    let (mut new, mut values) = (Vec::new(), HashMap::<Place, Vec<Part<'_>>>::new());
    for (scope, at) in of {
        let (scope, at) = (&scopes[*scope], *at);
        let depth = scope.moves.around(Some(at)).len();
        let place = |holder, field| {
            let names = scope.moves.path(holder, None, false);
            (instance, names[depth..].to_vec(), field)
        };
        for (inner, holder) in scope.moves.holders.iter().enumerate() {
            if inner == at || scope.contains(at, Some(inner)) && scope.leaves(inner) {
                new.push(New { place: place(Some(inner), None), holder, null: None });
            }
        }
        let mut leaves = |from: &'a End, value: &'a str| {
            if scope.contains(at, from.holder) {
                let place = place(from.holder, Some(from.field.name));
                values.entry(place).or_default().push((&from.inside, value.into()));
            }
        };
        for Move { from, to, change } in &scope.moves.moves {
            let Presence::There(owner) = scope.presence(from.holder) else { continue };
            if hop.moving.leaving.contains_key(&(owner, from.field.name))
                && let Some(value) = scope.value(hop.source, from)
                && (value != "null" || to.nullable || change.is_some())
            {
                leaves(from, value);
            }
        }
        for (group, carried) in scope.together() {
            for (from, value) in group.from.iter().zip(&carried.moved) {
                if let Some(value) = value {
                    leaves(from, value);
                }
            }
        }
    }
    let made = made(&new, &new[0], SOURCE, &values);
    equal(hop.source.text_of(instance), &made, Fidelity::AsWritten)
}

/// Returns the text of a new object, with the new objects inside it.
fn made(
    new: &[New<'_>],
    New { place: (instance, names, _), holder, .. }: &New<'_>,
    side: Side,
    values: &HashMap<Place, Vec<Part<'_>>>,
) -> String {
    let mut inner: Vec<&New<'_>> = Vec::new();
    for other in new {
        let is_inner = other.place.1.len() == names.len() + 1 && other.place.1.starts_with(names);
        if is_inner && inner.iter().all(|known| known.place != other.place) {
            inner.push(other);
        }
    }
    let mut members = Vec::new();
    for Added { name, fill } in side(holder).0 {
        if inner.iter().any(|inner| side(inner.holder).1 == *name) {
            continue;
        }
        let parts = values.get(&(*instance, names.clone(), Some(name)));
        let value = match parts.filter(|parts| !parts.is_empty()) {
            Some(parts) => Some(put_together(None, parts)),
            None => fill.clone(),
        };
        members.extend(value.map(|value| member(name, &value)));
    }
    for inner in inner {
        members.push(member(side(inner.holder).1, &made(new, inner, side, values)));
    }
    object_of(&members)
}

/// Returns a value that has these parts, and the rest of another value.
pub(super) fn put_together(base: Option<&str>, parts: &[Part<'_>]) -> String {
    let mut object = base.map(str::to_owned);
    for (inside, value) in parts {
        object = Some(inside.insert(object.as_deref(), value));
    }
    object.unwrap_or_default()
}
