//! Objects that are made for moved values, and those that look as if they had been.

use super::moves::{Gained, Holder, Move};
use super::objects::{member, members_of, object_of};
use super::relocate::{Come, Coming, Trace, put_together};
use super::scope::{Scope, Spot, holders_of};
use super::settle::Before;
use super::steps::{Work, push_member};
use super::walk::Fate;
use crate::json::{Fidelity, equal};

/// Where something is made.
#[derive(Debug)]
pub(super) enum Made {
    /// By its place among what is appended.
    Appended(usize),
    /// In place of a null.
    InPlace,
}

impl<'a> Work<'a> {
    /// Makes the holders that aren't there and that a value has come into.
    pub(super) fn make(&mut self, scope: &mut Scope<'a>) {
        let mut made = std::mem::take(&mut scope.made);
        let moves = scope.moves;
        for (at, holder) in moves.holders.iter().enumerate() {
            let (Spot::There(around), Spot::Absent(named)) =
                (scope.spot(holder.parent), scope.spots[at])
            else {
                continue;
            };
            if !scope.reached[at] {
                continue;
            }
            let place = (around, holder.source.name);
            let known = self.relocated.made.remove(&place);
            let base = known.as_ref().map(|(_, text)| &text[..]);
            let way = (at, &scope.reached[..]);
            let text = made_holder(&moves.holders, way, Side::Target, &mut made, base);
            let start = self.arena.len();
            push_member(self.arena, holder.target.name, &text);
            let member = start..self.arena.len();
            let first = known.is_none();
            let place_of = known.map(|(place, _)| place);
            let made_at = match (place_of, named) {
                (Some(Made::Appended(at)), _) => {
                    self.appended[at].1 = member;
                    Made::Appended(at)
                }
                (_, Some(named)) => {
                    self.found.named[named].fate = Fate::Replace(member);
                    Made::InPlace
                }
                (_, None) => {
                    self.appended.push((around, member));
                    Made::Appended(self.appended.len() - 1)
                }
            };
            self.relocated.made.insert(place, (made_at, text));
            if first {
                self.relocated.new.push(place);
            }
            let field = Some(holder.source.name);
            if first && named.is_some() && holder.source.nullable {
                self.keep(around, field, std::iter::once((holder.source.name, "null")), None);
            } else if first {
                self.keep(around, field, std::iter::empty(), None);
            }
        }
    }

    /// Whether an instance's field is an object that is made for moved values.
    pub(super) fn is_made(&self, instance: usize, name: &'static str) -> bool {
        self.relocated.made.contains_key(&(instance, name))
    }

    /// An object of which an entry says that it was absent or null, and that is as it was made for the values that go from it, goes
    /// with all that is in it before anything is read there: else what is only shown inside would move.
    pub(super) fn leave_made(&mut self, scopes: &mut [Scope<'a>]) {
        for (instance, of) in holders_of(scopes) {
            let (first, at) = (&scopes[of[0].0], of[0].1);
            let holder = &first.moves.holders[at];
            let Spot::There(around) = first.spot(holder.parent) else { continue };
            if self.found.instances[instance].dead
                || !of.iter().any(|(scope, at)| scopes[*scope].left[*at])
                || self.relocated.entered.contains(&instance)
                || !self.looks_made(scopes, &of, instance)
                || self.is_spoken_of(instance)
            {
                continue;
            }
            let mut before = Before::There;
            self.take_entry_at(around, &[holder.target.name], |entry| {
                before = Before::read(entry, holder).unwrap_or(Before::There);
                !matches!(before, Before::There)
            });
            let null = match before {
                Before::There => continue,
                Before::Null => true,
                Before::Absent => false,
            };
            self.leave(around, instance, holder, null);
            for (scope, at) in of {
                scopes[scope].set(at, Spot::Absent(None));
            }
        }
    }

    /// Whether an object is the one that would be made of the values that go from it.
    fn looks_made(&self, scopes: &[Scope<'a>], of: &[(usize, usize)], instance: usize) -> bool {
        let mut made: Option<String> = None;
        for (scope, at) in of {
            let (scope, at) = (&scopes[*scope], *at);
            let mut coming = Coming::new();
            for Move { from, to } in &scope.moves.moves {
                let Some(holder) = from.holder else { continue };
                if !scope.moves.around(from.holder).contains(&at) {
                    continue;
                }
                let moved = self.moved(scope, from);
                let gone = moved.filter(|(named, _)| self.relocated.gone.contains_key(named));
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
            made = Some(made_holder(holders, way, Side::Source, &mut coming, made.as_deref()));
        }
        let value = &self.text[self.found.instances[instance].span()];
        made.is_some_and(|made| equal(value, &made, Fidelity::AsWritten))
    }

    /// Whether entries belong to something inside an object.
    fn is_spoken_of(&mut self, instance: usize) -> bool {
        let anchors = self.anchors(instance);
        let way = self.found.way(instance);
        anchors
            || self.relocated.has(instance, Trace::Restored)
            || self.is_awaited(instance, &format!("{way}."))
    }
}

/// The version that an object is made in.
#[derive(Clone, Copy)]
enum Side {
    Source,
    Target,
}

/// An object as it is made for moved values, with those inside it that values have come into; or one that was made before,
/// for values that move in another object around it.
fn made_holder(
    holders: &[Holder],
    (at, reached): (usize, &[bool]),
    side: Side,
    made: &mut Coming<'_>,
    base: Option<&str>,
) -> String {
    let of = |holder: &Holder| match side {
        Side::Source => (holder.made.clone(), holder.source.name),
        Side::Target => (holder.gains.clone(), holder.target.name),
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
    for Gained { name, fill, .. } in of(&holders[at]).0 {
        let come = made.remove(&(at, name));
        put(name, &mut |known| match &come {
            Some(Come::Values(values)) => Some(put_together(known, values)),
            None | Some(Come::Nothing) => fill.clone().filter(|_| is_new),
        });
    }
    for (inner, holder) in holders.iter().enumerate() {
        if holder.parent == Some(at) && reached[inner] {
            put(of(holder).1, &mut |known| {
                let base = known.filter(|_| !is_new);
                Some(made_holder(holders, (inner, reached), side, made, base))
            });
        }
    }
    let members: Vec<_> = members.iter().map(|(name, value)| member(name, value)).collect();
    object_of(&members)
}
