//! What an edit leaves alone: a part of an object on its way to another version and back, with and without entries.

use std::collections::BTreeSet;

use super::variants;
use crate::plan::{Branch, Field, FieldRule, Fields, Kind, Part, Path, Rule, Tagging, Variants};
use crate::testing::tree::Tree;

/// A part of an object, what it became, that with edits, what came back, what would have come back without entries, what
/// becomes of what came back without entries, and of what would have come back without entries.
#[derive(Clone, Copy)]
pub(super) struct Journey<'t> {
    pub(super) object: &'t Tree,
    pub(super) there: &'t Tree,
    pub(super) edited: &'t Tree,
    pub(super) back: &'t Tree,
    pub(super) bare: &'t Tree,
    pub(super) told: &'t Tree,
    pub(super) echo: &'t Tree,
}

impl<'t> Journey<'t> {
    /// What goes wrong on the way through an object. `upgraded`: the other version is the newer one.
    pub(super) fn wrong(self, plan: Branch, upgraded: bool) -> Vec<String> {
        let mut watch = Watch { upgraded, moved: Vec::new(), surely: true, wrong: Vec::new() };
        self.value(plan, [String::new(), String::new()], &mut watch);
        watch.wrong
    }

    fn all(self) -> [&'t Tree; 7] {
        [self.object, self.there, self.edited, self.back, self.bare, self.told, self.echo]
    }

    fn of([object, there, edited, back, bare, told, echo]: [Option<&'t Tree>; 7]) -> Option<Self> {
        Some(Self {
            object: object?,
            there: there?,
            edited: edited?,
            back: back?,
            bare: bare?,
            told: told?,
            echo: echo?,
        })
    }

    /// What goes wrong with the fields of a struct: what nobody touched must be as it was, and what somebody edited must be
    /// what the edit says.
    fn structure(self, fields: Fields, path: &str, peer_path: &str, watch: &mut Watch) {
        if self.all().iter().any(|tree| !matches!(tree, Tree::Object(_))) {
            return;
        }
        let known = watch.moved.len();
        for FieldRule { rule, .. } in fields.rules() {
            watch.note_move(rule, path, peer_path);
        }
        for FieldRule { rule, inside: mapped, .. } in fields.rules() {
            let [older, newer] = rule.fields();
            let (home, peer) = if watch.upgraded { (older, newer) } else { (newer, older) };
            let at = |path: &str, field: &Field| format!("{path}.{}", field.wire);
            let moves = home.iter().any(|field| watch.moves(&at(path, field)))
                || peer.iter().any(|field| watch.moves(&at(peer_path, field)));
            let differ = |one: &Tree, other: &Tree, fields: &[Field]| {
                fields.iter().any(|field| one.at(&[field.wire]) != other.at(&[field.wire]))
            };
            let names = || home.iter().map(|field| at(path, field)).collect::<Vec<_>>().join(", ");
            let touched = moves || differ(self.there, self.edited, peer);
            if !touched {
                let forgotten = !watch.surely && !differ(self.bare, self.back, home);
                if differ(self.object, self.back, home) && !forgotten {
                    watch.wrong.push(format!("{} changed, although nobody edited it", names()));
                }
            } else if let (Some(mapped), [home], [peer]) = (mapped, home, peer) {
                let inside = Self::of([
                    self.object.at(&[home.wire]),
                    self.there.at(&[peer.wire]),
                    self.edited.at(&[peer.wire]),
                    self.back.at(&[home.wire]),
                    self.bare.at(&[home.wire]),
                    self.told.at(&[peer.wire]),
                    self.echo.at(&[peer.wire]),
                ]);
                if let Some(inside) = inside {
                    let paths = [at(path, home), at(peer_path, peer)];
                    inside.value(mapped, paths, watch);
                }
            } else if rule.converter().is_some()
                && differ(self.back, self.bare, home)
                && peer.iter().any(|field| {
                    let [told, edited, echo] =
                        [self.told, self.edited, self.echo].map(|tree| tree.at(&[field.wire]));
                    strays(told, edited, echo)
                })
            {
                watch.wrong.push(format!("{} doesn't match the edit", names()));
            }
        }
        watch.moved.truncate(known);
        for FieldRule { rule, inside, .. } in fields.rules() {
            let ways = rule.moved();
            if rule.converter().is_none() && inside.is_none() {
                continue;
            }
            match ways {
                [[], []] => {}
                [[older], [newer]] => {
                    self.changed([older, newer], inside, [path, peer_path], watch);
                }
                _ => self.changed_together(ways, fields, path, watch),
            }
        }
    }

    /// What goes wrong with a value that a converter changes on its way to another place. An edit
    /// of what is around it decides whether it has a place at all.
    fn changed(
        self,
        [older, newer]: [&[Part]; 2],
        inside: Option<Branch>,
        [path, peer_path]: [&str; 2],
        watch: &mut Watch,
    ) {
        let names = |way: &[Part]| way.iter().map(|part| part.field.wire).collect::<Vec<&str>>();
        let (home, peer) = (names(older), names(newer));
        let (home, peer) = if watch.upgraded { (home, peer) } else { (peer, home) };
        let [object, back, bare] = [self.object, self.back, self.bare].map(|tree| tree.at(&home));
        let [there, edited, told, echo] =
            [self.there, self.edited, self.told, self.echo].map(|tree| tree.at(&peer));
        let Some(value) = Self::of([object, there, edited, back, bare, told, echo]) else { return };
        if !watch.surely {
            return;
        }
        let name = || format!("{path}.{}", home.join("."));
        if let Some(mapped) = inside {
            value.value(mapped, [name(), format!("{peer_path}.{}", peer.join("."))], watch);
        } else if there == edited {
            if object != back {
                watch.wrong.push(format!("{} changed, although nobody edited it", name()));
            }
        } else if back != bare && strays(told, edited, echo) {
            watch.wrong.push(format!("{} doesn't match the edit", name()));
        }
    }

    /// What goes wrong with values that a converter changes together. An edit that adds or removes
    /// one of them decides whether the group moves at all.
    fn changed_together(self, ways: [&[Path]; 2], fields: Fields, path: &str, watch: &mut Watch) {
        let names = |ways: &[Path]| -> Vec<Vec<&str>> {
            ways.iter().map(|way| way.iter().map(|part| part.field.wire).collect()).collect()
        };
        let (home, peer) = (names(watch.home(ways)), names(watch.peer(ways)));
        let Self { object, there, edited, back, bare, told, echo } = self;
        let same = |ways: &[Vec<&str>], trees: &[&Tree]| {
            ways.iter().all(|way| {
                trees.windows(2).all(|two| two[0].at(way).is_some() == two[1].at(way).is_some())
            })
        };
        let is_there = |way: &Vec<&str>| there.at(way).is_some();
        // What is kept for a field goes with the struct around it.
        let is_gone = |way: &Vec<&str>| {
            let mut rules = fields.rules().map(|entry| entry.rule);
            rules.any(|rule| {
                let [older, newer] = rule.fields();
                let (home, peer) = if watch.upgraded { (older, newer) } else { (newer, older) };
                let ([home], [peer]) = (home, peer) else { return false };
                let is_struct =
                    |tree: &Tree| matches!(tree.at(&[peer.wire]), Some(Tree::Object(_)));
                way.first() == Some(&home.wire) && is_struct(there) && !is_struct(edited)
            })
        };
        if !watch.surely
            || !peer.iter().any(is_there)
            || home.iter().any(is_gone)
            || !same(&home, &[object, back, bare])
            || !same(&peer, &[there, edited, told, echo])
        {
            return;
        }
        let differ = |ways: &[Vec<&str>], one: &Tree, other: &Tree| {
            ways.iter().any(|way| one.at(way) != other.at(way))
        };
        let names = || {
            let names: Vec<_> =
                home.iter().map(|way| format!("{path}.{}", way.join("."))).collect();
            names.join(", ")
        };
        if !differ(&peer, there, edited) {
            if differ(&home, object, back) {
                watch.wrong.push(format!("{} changed, although nobody edited it", names()));
            }
        } else if differ(&home, back, bare)
            && peer.iter().any(|way| strays(told.at(way), edited.at(way), echo.at(way)))
        {
            watch.wrong.push(format!("{} doesn't match the edit", names()));
        }
    }

    fn value(self, mapped: Branch, [path, peer]: [String; 2], watch: &mut Watch) {
        let inside = |name: &str| [format!("{path}.{name}"), format!("{peer}.{name}")];
        match (mapped.kind(), self.object) {
            (Kind::Struct(fields), _) => self.structure(fields, &path, &peer, watch),
            (Kind::Map(values), Tree::Object(members)) => {
                for key in members.keys() {
                    if let Some(value) = Self::of(self.all().map(|tree| tree.at(&[key]))) {
                        value.value(values, inside(key), watch);
                    }
                }
            }
            (Kind::List(item, keys), Tree::List(items)) if !watch.peer(keys).is_empty() => {
                let keys = watch.peer(keys);
                for place in 0..items.len() {
                    if let Some(value) = self.item(place, keys) {
                        value.value(item, inside("[]"), watch);
                    }
                }
            }
            (Kind::List(item, _), Tree::List(items)) => {
                for place in 0..items.len() {
                    if let Some((value, is_same)) = self.item_without_keys(place) {
                        let around = watch.surely;
                        watch.surely &= is_same;
                        value.value(item, inside("[]"), watch);
                        watch.surely = around;
                    }
                }
            }
            (Kind::Enum(variants), _) => self.variant(variants, [path, peer], watch),
            (Kind::List(..) | Kind::Map(_), _) => {}
        }
    }

    fn variant(self, variants: Variants, paths: [String; 2], watch: &mut Watch) {
        let plan = variants.plan;
        if self.there == self.edited {
            return;
        }
        let (home, peer) = if watch.upgraded {
            (plan.older_tagging, plan.newer_tagging)
        } else {
            (plan.newer_tagging, plan.older_tagging)
        };
        let [object, back, bare] =
            [self.object, self.back, self.bare].map(|value| variants::variant(value, home));
        let [there, edited, told, echo] = [self.there, self.edited, self.told, self.echo]
            .map(|value| variants::variant(value, peer));
        // Where serde writes no tag, nobody but the engine knows whether it still is the same variant.
        let is_name = |value: &Tree| matches!(value, Tree::Text(_));
        if home == Tagging::Untagged && !self.all().into_iter().all(is_name) {
            return;
        }
        if let (Some(object), Some(there), Some(edited)) = (object, there, edited)
            && there.0 == edited.0
            && let Some(mapped) = variants::inside(variants, watch.upgraded, object.0, there.0)
        {
            let held = [Some(object), Some(there), Some(edited), back, bare, told, echo];
            if let Some(inside) = Self::of(held.map(|variant| variant?.1)) {
                inside.value(mapped, paths, watch);
            }
        } else if self.back != self.bare {
            watch.wrong.push(format!("{} doesn't match the edit", paths[0]));
        }
    }

    /// The item that stood at a place before somebody edited the list.
    fn item(self, place: usize, keys: &[&str]) -> Option<Self> {
        let (Tree::List(there), Tree::List(edited)) = (self.there, self.edited) else {
            return None;
        };
        let key_of = |item: &Tree| -> Option<Vec<Tree>> {
            keys.iter().map(|key| item.at(&[key]).cloned()).collect()
        };
        let key = key_of(there.get(place)?)?;
        let now = edited.iter().position(|item| key_of(item).as_ref() == Some(&key))?;
        self.items(place, now)
    }

    /// The same of a list without keys, and whether it is as it was: it is told by that. The only item that isn't may be
    /// another one in its place.
    fn item_without_keys(self, place: usize) -> Option<(Self, bool)> {
        let (Tree::List(there), Tree::List(edited)) = (self.there, self.edited) else {
            return None;
        };
        let item = there.get(place)?;
        let equal = |items: &[Tree]| items.iter().filter(|other| *other == item).count();
        if equal(there) == equal(edited) {
            let nth = equal(&there[..place]);
            let mut now = edited.iter().enumerate().filter(|(_, other)| *other == item);
            return Some((self.items(place, now.nth(nth)?.0)?, true));
        }
        let others = |items: &[Tree]| [&items[..place], &items[place + 1..]].concat();
        if there.len() != edited.len() || others(there) != others(edited) {
            return None;
        }
        Some((self.items(place, place)?, false))
    }

    /// What became of the item at a place, which is at another now.
    fn items(self, place: usize, now: usize) -> Option<Self> {
        let [object, there, edited, back, bare, told, echo] = self.all().map(|tree| match tree {
            Tree::List(items) => &items[..],
            _ => &[],
        });
        Self::of([
            object.get(place),
            there.get(place),
            edited.get(now),
            back.get(now),
            bare.get(now),
            told.get(now),
            echo.get(now),
        ])
    }
}

/// Whether anything in what came back says neither what the edit says nor what a converter makes of that by itself: it may
/// write the same in another way. Looks at each part, since a converter that remembers items takes some from before, and
/// makes the others.
fn strays(told: Option<&Tree>, edited: Option<&Tree>, echo: Option<&Tree>) -> bool {
    match (told, edited, echo) {
        (Some(Tree::List(told)), Some(Tree::List(edited)), Some(Tree::List(echo)))
            if told.len() == edited.len() && told.len() == echo.len() =>
        {
            (0..told.len()).any(|place| strays(told.get(place), edited.get(place), echo.get(place)))
        }
        (Some(Tree::Object(told)), Some(Tree::Object(edited)), Some(Tree::Object(echo))) => {
            let names = told.keys().chain(edited.keys()).chain(echo.keys());
            let names: BTreeSet<&String> = names.collect();
            names.into_iter().any(|name| strays(told.get(name), edited.get(name), echo.get(name)))
        }
        _ => told != edited && told != echo,
    }
}

/// What is seen on the way through an object.
struct Watch {
    upgraded: bool,
    /// The paths between which values move, in either version.
    moved: Vec<String>,
    /// Whether what is looked at is surely what it was.
    surely: bool,
    wrong: Vec<String>,
}

impl Watch {
    fn note_move(&mut self, rule: &Rule, path: &str, peer_path: &str) {
        let [older, newer] = rule.moved();
        let (home, peer) = if self.upgraded { (older, newer) } else { (newer, older) };
        let home = home.iter().map(|way| (path, way));
        for (path, way) in home.chain(peer.iter().map(|way| (peer_path, way))) {
            let names = way.iter().map(|part| format!(".{}", part.field.wire));
            self.moved.push(format!("{path}{}", names.collect::<String>()));
        }
    }

    /// Of what the older and the newer version have, what the home version has.
    fn home<T>(&self, [older, newer]: [T; 2]) -> T {
        if self.upgraded { older } else { newer }
    }

    /// Of what the older and the newer version have, what the peer has.
    fn peer<T>(&self, [older, newer]: [T; 2]) -> T {
        if self.upgraded { newer } else { older }
    }

    /// Whether a value moves into a field or out of it, or into what it is in.
    fn moves(&self, path: &str) -> bool {
        let within = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.moved.iter().any(|moved| within(path, moved) || within(moved, path))
    }
}
