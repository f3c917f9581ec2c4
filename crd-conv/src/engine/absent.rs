//! Moved values that aren't there: what is shown of them all the same, and what entries say of that.

use super::defaults::says_unset;
use super::moves::{End, Move};
use super::objects::find;
use super::relocate::{Come, Trace};
use super::scope::{Scope, Spot};
use super::steps::Work;
use crate::complement::{Entry, Loss};
use crate::json::{Fidelity, equal};

impl<'a> Work<'a> {
    /// Whether a holder is only what this version shows of none.
    pub(super) fn is_unset(
        &mut self,
        scopes: &[Scope<'a>],
        of: &[(usize, usize)],
        instance: usize,
    ) -> bool {
        let (first, at) = (&scopes[of[0].0], of[0].1);
        let slot = &first.moves.holders[at].source;
        let value = &self.text[self.found.instances[instance].span()];
        if slot.default.is_none()
            || slot.as_guarded(value).is_some()
            || !self.says(first, &first.moves.path(Some(at), None, true), says_unset)
            || self.is_anchored(first.instance, &first.moves.path(Some(at), None, false).join("."))
        {
            return false;
        }
        for (scope, at) in of {
            let scope = &scopes[*scope];
            let to_here = |Move { from, to }: &&Move| {
                let is_inside = |end: &End| scope.moves.around(end.holder).contains(at);
                is_inside(to) && !is_inside(from)
            };
            for a_move in scope.moves.moves.iter().filter(to_here) {
                let comes_in = self.moved(scope, &a_move.from).is_some_and(|(_, value)| {
                    let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
                    let is_nothing = value == "null" && !a_move.to.nullable;
                    let is_absence = |entry: &Entry| is_absence_for(entry, &a_move.from, value);
                    !is_nothing && !self.says(scope, &path, is_absence)
                });
                if comes_in {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a value may be what this version shows of nothing.
    pub(super) fn may_be_nothing(&mut self, scope: &Scope<'a>, a_move: &Move, value: &str) -> bool {
        a_move.from.shows(value)
            || !self.carried.is_empty() && {
                scope.is_filled_in(&a_move.from, value) && self.knows(scope, &a_move.to)
            }
            || !self.carried.is_empty() && {
                let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
                self.says(scope, &path, |entry| is_absence_for(entry, &a_move.from, value))
            }
    }

    /// Whether entries say of a value that it is only shown in what is filled in for an object around it.
    pub(super) fn is_shown_around(
        &mut self,
        scope: &Scope<'a>,
        Move { from, to }: &Move,
        value: &str,
    ) -> bool {
        from.inside.names.is_empty()
            && !from.shows(value)
            && !from.is_filled_in(value)
            && scope.is_filled_in(from, value)
            && (self.knows(scope, to)
                || self.says(scope, &scope.moves.path(to.holder, Some(to), true), |entry| {
                    is_absence_for(entry, from, value)
                }))
    }

    /// Whether an entry says that the other end has no value, though this one is shown, if any; it is used up.
    pub(super) fn take_absence(
        &mut self,
        scope: &Scope<'a>,
        a_move: &Move,
        value: Option<&str>,
    ) -> bool {
        let path = scope.moves.path(a_move.to.holder, Some(&a_move.to), true);
        let wanted = |entry: &Entry| match value {
            Some(value) => is_absence_for(entry, &a_move.from, value),
            None => is_absence(entry),
        };
        let is_absent = self.take_entry_at(scope.instance, &path, wanted).is_some();
        if is_absent {
            self.relocated.note(self.found, scope.instance, Trace::Restored);
        }
        is_absent
    }

    /// Where there is no value here, either, an entry that says so is used up.
    pub(super) fn forget_absence(&mut self, scope: &mut Scope<'a>, a_move: &'a Move) {
        let Move { from, to } = a_move;
        let there = matches!(scope.spot(to.holder), Spot::There(_));
        let stays = there || self.is_reached(scope, to.holder) || from.fill.is_none();
        if from.shown.is_none() || !self.take_absence(scope, a_move, None) {
            return;
        }
        if stays {
            self.come(scope, a_move, Come::Nothing);
            let both_fill = there && to.inside.names.is_empty() && to.fill.is_some();
            if from.fill.is_some() && !both_fill {
                // It was there when the entry was written.
                self.losses.add(Loss::Edited);
            }
        }
    }

    /// Where there is no value, the other version may show one all the same.
    pub(super) fn note_absence(&mut self, scope: &Scope<'a>, Move { from, to }: &'a Move) {
        if matches!(scope.spot(from.holder), Spot::Blocked) {
            return;
        }
        let Some(shown) = self.shown_of_nothing(scope, from, to) else { return };
        let source = scope.moves.path(from.holder, Some(from), false);
        let guard = [(to.inside.names.last().copied().unwrap_or(to.field.name), shown)];
        let is_usual = to.shown.as_ref() == Some(&guard[0].1);
        // The field's own step does so where it has a fill, but doesn't know what is shown.
        if from.fill.is_some()
            && from.inside.names.is_empty()
            && let Spot::There(holder) = scope.spot(from.holder)
        {
            if is_usual {
                return;
            }
            self.relocated.noted.insert((holder, from.field.name));
        }
        self.keep_at(scope.instance, &source, std::iter::empty(), (!is_usual).then_some(&guard));
        if let (Spot::There(holder), Some(kept)) = (scope.spot(to.holder), self.kept.last_mut()) {
            kept.of = holder;
        }
    }

    /// What the target shows at an end that no value comes to.
    fn shown_of_nothing(&mut self, scope: &Scope<'a>, from: &End, to: &End) -> Option<String> {
        let there = matches!(scope.spot(to.holder), Spot::There(_));
        if !there && !self.is_reached(scope, to.holder) {
            return self.filled_around(scope, to);
        }
        let (mut known, mut is_there, mut kept) = (false, false, None);
        self.has_entry(scope, to, |entry| {
            known = true;
            // In a null nothing is filled in.
            is_there = entry.keep().any(|(_, value)| value != "null");
            kept = entry.keep().find_map(|(_, value)| to.inside.find(value)).map(str::to_owned);
            false
        });
        if to.inside.names.is_empty() {
            // In an object that is made nothing is restored.
            // The API server fills its default in where the object is there, whatever an entry said.
            let shown = if there && self.comes_as_nothing(scope, to) {
                &to.field.default
            } else {
                &to.shown
            };
            return shown.clone().filter(|_| !(there && known));
        }
        if is_there || self.comes(scope, to) {
            return match kept.as_deref() {
                None => to.shown.clone(),
                // The API server fills in what may not be null.
                Some("null") if !to.nullable => to.shown.clone(),
                Some("null") if !from.nullable => None,
                Some(_) => kept,
            };
        }
        let default = to.field.default.as_deref().filter(|_| !known);
        let shown = default.and_then(|default| to.inside.find(default));
        shown.filter(|shown| *shown != "null").map(str::to_owned)
    }

    /// What is in the default of a holder that has come with a new object around it.
    fn filled_around(&self, scope: &Scope<'a>, to: &End) -> Option<String> {
        let holders = &scope.moves.holders;
        let around = scope.moves.around(to.holder);
        let first = around.iter().position(|at| {
            let spot = scope.spots[*at];
            matches!(spot, Spot::Absent(_)) && !self.is_reached(scope, Some(*at))
        })?;
        let parent = holders[around[first]].parent?;
        if matches!(scope.spots[parent], Spot::There(_)) {
            return None;
        }
        let default = holders[around[first]].target.default.as_deref()?;
        let way = around[first + 1..].iter().map(|at| holders[*at].target.name);
        let field = way.chain(std::iter::once(to.field.name)).try_fold(default, find)?;
        to.inside.find(field).filter(|shown| *shown != "null").map(str::to_owned)
    }

    /// Whether an entry of the field has a value on this end, which couldn't move on the way here.
    pub(super) fn knows(&mut self, scope: &Scope<'a>, to: &End) -> bool {
        self.has_entry(scope, to, |entry| {
            entry.keep().any(|(_, value)| to.inside.find(value).is_some())
        })
    }

    /// Whether there is such an entry, which the field itself will take.
    fn has_entry(
        &mut self,
        scope: &Scope<'a>,
        to: &End,
        wanted: impl FnOnce(&Entry) -> bool,
    ) -> bool {
        let mut field = scope.moves.path(to.holder, Some(to), true);
        field.truncate(field.len() - to.inside.names.len());
        self.says(scope, &field, wanted)
    }

    /// Whether there is an entry of a field that says something; it isn't used up.
    fn says(
        &mut self,
        scope: &Scope<'a>,
        path: &[&str],
        what: impl FnOnce(&Entry) -> bool,
    ) -> bool {
        let mut says = false;
        self.take_entry_at(scope.instance, path, |entry| {
            says = what(entry);
            false
        });
        says
    }
}

/// Whether an entry says that a moved value was absent, and perhaps what was shown all the same.
fn is_absence(entry: &Entry) -> bool {
    entry.keep().next().is_none() && entry.guard().is_none_or(|mut guard| guard.next().is_some())
}

/// Whether it says so of this value.
fn is_absence_for(entry: &Entry, from: &End, value: &str) -> bool {
    let shown = || entry.guard().and_then(|mut guard| guard.next());
    is_absence(entry)
        && shown()
            .map_or_else(|| from.shows(value), |(_, shown)| equal(value, shown, Fidelity::AsServed))
}
