//! Fields that go into a struct of their own and come out of it, as they are.

use std::borrow::Cow;

use super::route::{Moves, Step};
use super::steps::{Work, push_member};
use super::walk::Fate;
use crate::complement::Loss;
use crate::json::{Fidelity, Scanner, equal};

impl<'a> Work<'a> {
    /// The struct exists if one of the fields does, or if an entry says that it did.
    pub(super) fn gather(&mut self, instance: usize, step: &'a Step, moves: &'a Moves) {
        let places: Vec<Option<usize>> =
            moves.fields.iter().map(|moved| self.found.member(instance, moved.member?)).collect();
        let values: Vec<Option<&str>> = places
            .iter()
            .zip(&moves.fields)
            .map(|(place, moved)| self.present(*place, &moved.outside))
            .collect();
        let none = values.iter().all(Option::is_none);
        let kept = self.take_entry(instance, step.restores()).and_then(|entry| {
            let kept = entry.keep().find(|(name, _)| *name == moves.holder.name);
            match kept {
                Some((_, kept)) if entry.guard().is_none() && moves.holder.accepts(kept) => {
                    if none || kept.starts_with('{') {
                        return Some(kept.to_owned());
                    }
                    // What was no struct can't hold what a client has written since.
                    self.losses.add(Loss::Edited);
                }
                _ => self.losses.add(Loss::Mistyped),
            }
            None
        });

        let rest = kept.as_deref().and_then(members_of);
        let mut members = match &rest {
            Some(rest) => {
                let among = |name: &str| moves.fields.iter().any(|field| field.inside == name);
                rest.iter().filter(|member| !among(&member.name)).map(Member::text).collect()
            }
            None => fills(moves),
        };
        for (moved, value) in moves.fields.iter().zip(&values) {
            members.extend(value.map(|value| member(moved.inside, value)));
        }
        let object = match (&kept, &rest) {
            (Some(kept), None) => Some(kept.clone()),
            (None, _) if none => None,
            _ => Some(object_of(&members)),
        };
        let outputs = object.iter().map(|object| (moves.holder.name, object.as_str()));
        self.put(instance, places.into_iter().flatten(), outputs);
    }

    /// What stays in the struct is kept, unless it is only what the server fills in.
    pub(super) fn scatter(&mut self, instance: usize, step: &'a Step, moves: &'a Moves) {
        let place = moves.member.and_then(|member| self.found.member(instance, member));
        let Some(value) = self.present(place, &moves.holder) else {
            self.delete(place);
            return;
        };
        let mut outputs: Vec<(&str, &str)> = Vec::new();
        let mut rest = Vec::new();
        let inside = members_of(value);
        for member in inside.iter().flatten() {
            let Some(field) = moves.fields.iter().find(|field| field.inside == member.name) else {
                rest.push(member.text());
                continue;
            };
            outputs.retain(|(name, _)| *name != field.outside.name);
            if field.outside.nullable || member.value != "null" {
                outputs.push((field.outside.name, member.value));
            }
        }
        let kept = if inside.is_some() { object_of(&rest) } else { value.to_owned() };
        let filled = object_of(&fills(moves));
        let comes_back = !outputs.is_empty() && equal(&kept, &filled, Fidelity::AsWritten);
        if !comes_back {
            let keep = std::iter::once((moves.holder.name, kept.as_str()));
            self.keep(instance, step.keeps(), keep, None);
        }
        self.put(instance, place.into_iter(), outputs.into_iter());
    }

    /// Puts members in the place of others, or behind all others if there are none.
    pub(super) fn put<'b>(
        &mut self,
        instance: usize,
        mut places: impl Iterator<Item = usize>,
        members: impl Iterator<Item = (&'b str, &'b str)>,
    ) {
        let start = self.arena.len();
        for (name, value) in members {
            if self.arena.len() > start {
                self.arena.push(',');
            }
            push_member(self.arena, name, value);
        }
        let members = start..self.arena.len();
        match places.next() {
            Some(first) if !members.is_empty() => {
                self.found.named[first].fate = Fate::Replace(members);
            }
            Some(first) => self.delete(Some(first)),
            None if !members.is_empty() => self.appended.push((instance, members)),
            None => {}
        }
        for other in places {
            self.delete(Some(other));
        }
    }
}

/// A member of an object.
pub(super) struct Member<'a> {
    pub(super) name: Cow<'a, str>,
    /// The name as it is written, in quotes.
    key: &'a str,
    pub(super) value: &'a str,
}

impl Member<'_> {
    pub(super) fn text(&self) -> String {
        format!("{}:{}", self.key, self.value)
    }
}

/// The members of an object; `None` if it is none.
pub(super) fn members_of(object: &str) -> Option<Vec<Member<'_>>> {
    let mut members = Vec::new();
    let mut scanner = Scanner::new(object);
    scanner.enter_object().ok()?;
    while let Some(key) = scanner.next_member(members.is_empty()).ok()? {
        let start = scanner.pos;
        scanner.skip_value().ok()?;
        members.push(Member {
            name: key.decoded(object),
            key: &object[key.start - 1..=key.end],
            value: &object[start..scanner.pos],
        });
    }
    Some(members)
}

fn fills(moves: &Moves) -> Vec<String> {
    moves.fills.iter().map(|(name, fill)| member(name, fill)).collect()
}

pub(super) fn member(name: &str, value: &str) -> String {
    let mut text = String::new();
    push_member(&mut text, name, value);
    text
}

pub(super) fn object_of(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}
