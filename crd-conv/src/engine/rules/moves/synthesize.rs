//! Objects that are made for moved values, and those that look as if they had been.

use super::holders::{Before, leave};
use super::values::{moved, put_together};
use crate::engine::hop::{
    Come, Coming, Hop, Mark, MemberEdit, Presence, Scope, Synthesized, holders_of,
};
use crate::engine::program::{Added, Holder, Move};
use crate::json::{Fidelity, equal, member, members_of, object_of};

/// Makes the holders that aren't there and that a value has come into.
pub(super) fn synthesize<'a>(hop: &mut Hop<'a>, scope: &mut Scope<'a>) {
    let mut synthesized = std::mem::take(&mut scope.synthesized);
    let moves = scope.moves;
    for (at, holder) in moves.holders.iter().enumerate() {
        let (Presence::There(around), Presence::Absent(named)) =
            (scope.presence(holder.parent), scope.presences[at])
        else {
            continue;
        };
        if !scope.reached[at] {
            continue;
        }
        let place = (around, holder.source.name);
        let known = hop.moving.synthesized.remove(&place);
        let base = known.as_ref().map(|(_, text)| &text[..]);
        let way = (at, &scope.reached[..]);
        let text = synthesized_holder(&moves.holders, way, Side::Target, &mut synthesized, base);
        let member = hop.patch.push_member(holder.target.name, &text);
        let first = known.is_none();
        let place_of = known.map(|(place, _)| place);
        let synthesized_at = match (place_of, named) {
            (Some(Synthesized::Appended(at)), _) => {
                hop.patch.appended[at].1 = member;
                Synthesized::Appended(at)
            }
            (_, Some(named)) => {
                hop.patch.set(named, MemberEdit::Replace(member));
                Synthesized::InPlace
            }
            (_, None) => {
                hop.patch.appended.push((around, member));
                Synthesized::Appended(hop.patch.appended.len() - 1)
            }
        };
        hop.moving.synthesized.insert(place, (synthesized_at, text));
        if first {
            hop.moving.new.push(place);
        }
        let field = Some(holder.source.name);
        if first && named.is_some() && holder.source.nullable {
            hop.keep(around, field, std::iter::once((holder.source.name, "null")), None);
        } else if first {
            hop.keep(around, field, std::iter::empty(), None);
        }
    }
}

/// Whether an instance's field is an object that is made for moved values.
pub(in crate::engine::rules) fn is_synthesized(
    hop: &Hop<'_>,
    instance: usize,
    name: &'static str,
) -> bool {
    hop.moving.synthesized.contains_key(&(instance, name))
}

/// An object of which an entry says that it was absent or null, and that is as it was made for the values that go from it, goes
/// with all that is in it before anything is read there: else what is only shown inside would move.
pub(super) fn leave_synthesized<'a>(hop: &mut Hop<'a>, scopes: &mut [Scope<'a>]) {
    for (instance, of) in holders_of(scopes) {
        let (first, at) = (&scopes[of[0].0], of[0].1);
        let holder = &first.moves.holders[at];
        let Presence::There(around) = first.presence(holder.parent) else { continue };
        if hop.patch.is_done(instance)
            || !of.iter().any(|(scope, at)| scopes[*scope].left[*at])
            || hop.moving.marks.has(instance, Mark::Entered)
            || !looks_made(hop, scopes, &of, instance)
            || is_spoken_of(hop, instance)
        {
            continue;
        }
        let mut before = Before::There;
        hop.take_entry_at(around, &[holder.target.name], |entry| {
            before = Before::read(entry, holder).unwrap_or(Before::There);
            !matches!(before, Before::There)
        });
        let null = match before {
            Before::There => continue,
            Before::Null => true,
            Before::Absent => false,
        };
        leave(hop, around, instance, holder, null);
        for (scope, at) in of {
            scopes[scope].set(at, Presence::Absent(None));
        }
    }
}

/// Whether an object is the one that would be made of the values that go from it.
fn looks_made<'a>(
    hop: &Hop<'a>,
    scopes: &[Scope<'a>],
    of: &[(usize, usize)],
    instance: usize,
) -> bool {
    let mut synthesized: Option<String> = None;
    for (scope, at) in of {
        let (scope, at) = (&scopes[*scope], *at);
        let mut coming = Coming::new();
        for Move { from, to } in &scope.moves.moves {
            let Some(holder) = from.holder else { continue };
            if !scope.moves.around(from.holder).contains(&at) {
                continue;
            }
            let moved = moved(hop, scope, from);
            let gone = moved.filter(|(named, _)| hop.moving.gone.contains_key(named));
            if let Some((_, value)) = gone
                && (value != "null" || to.nullable)
            {
                let come = coming.entry((holder, from.field.name));
                match come.or_insert_with(|| Come::Values(Vec::new())) {
                    Come::Values(values) => values.push((&from.inside, value)),
                    Come::Nothing => {}
                }
            }
        }
        let (holders, way) = (&scope.moves.holders, (at, &scope.left[..]));
        synthesized = Some(synthesized_holder(
            holders,
            way,
            Side::Source,
            &mut coming,
            synthesized.as_deref(),
        ));
    }
    let value = hop.source.text_of(instance);
    synthesized.is_some_and(|synthesized| equal(value, &synthesized, Fidelity::AsWritten))
}

/// Whether entries belong to something inside an object.
fn is_spoken_of(hop: &mut Hop<'_>, instance: usize) -> bool {
    hop.others_need(instance)
        || hop.moving.marks.has(instance, Mark::Restored)
        || hop.awaits(instance)
}

/// The version that an object is made in.
#[derive(Clone, Copy)]
enum Side {
    Source,
    Target,
}

/// An object as it is made for moved values, with those inside it that values have come into; or one that was made before,
/// for values that move in another object around it.
fn synthesized_holder(
    holders: &[Holder],
    (at, reached): (usize, &[bool]),
    side: Side,
    synthesized: &mut Coming<'_>,
    base: Option<&str>,
) -> String {
    let of = |holder: &Holder| match side {
        Side::Source => (holder.synthesized.clone(), holder.source.name),
        Side::Target => (holder.additions.clone(), holder.target.name),
    };
    let known = base.and_then(members_of);
    let is_new = known.is_none();
    let mut members: Vec<(String, String)> = known
        .into_iter()
        .flatten()
        .map(|known| (known.name.into_owned(), known.value.to_owned()))
        .collect();
    let mut put = |name: &str, value: &mut dyn FnMut(Option<&str>) -> Option<String>| {
        let place = members.iter().position(|(other, _)| other == name);
        let known = place.map(|place| members.remove(place).1);
        members.extend(value(known.as_deref()).or(known).map(|value| (name.to_owned(), value)));
    };
    for Added { name, fill, .. } in of(&holders[at]).0 {
        let come = synthesized.remove(&(at, name));
        put(name, &mut |known| match &come {
            Some(Come::Values(values)) => Some(put_together(known, values)),
            None | Some(Come::Nothing) => fill.clone().filter(|_| is_new),
        });
    }
    for (inner, holder) in holders.iter().enumerate() {
        if holder.parent == Some(at) && reached[inner] {
            put(of(holder).1, &mut |known| {
                let base = known.filter(|_| !is_new);
                Some(synthesized_holder(holders, (inner, reached), side, synthesized, base))
            });
        }
    }
    let members: Vec<_> = members.iter().map(|(name, value)| member(name, value)).collect();
    object_of(&members)
}
