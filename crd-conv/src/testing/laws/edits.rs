//! What an edit changes, and what it leaves alone.

use std::collections::{BTreeMap, BTreeSet};

use super::returns::same;
use super::{Stop, ensure, variants};
use crate::plan::{EnumPlan, Field, Nested, Rule, StructPlan, Tagging};
use crate::schema::Schema;
use crate::testing::branches::is_open;
use crate::testing::choices::Choices;
use crate::testing::draw::{Stray, is_new, key_of};
use crate::testing::server;
use crate::testing::subject::{Case, Subject};
use crate::testing::tree::Tree;
use crate::validation::fits;

pub(super) fn edits_win(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to } = subject.case(Stray::Valid, choices);
    let there = subject.convert(&object, to)?;
    let mut edited = Tree::read(&there);
    let guarded = guarded(subject, &there);
    for _ in 0..=choices.below(4) {
        let reach = if choices.once_in(2) { Reach::Towards(&guarded) } else { Reach::Everywhere };
        edit(subject, &mut edited, &subject.schemas[to], choices, reach);
    }
    // The server writes a float's -0 as an integer's, which it reads as 0.
    let edited = subject.decoded(&subject.decoded(&edited.write(), to)?, to)?;
    let back = subject.try_convert(&edited, from)?.json;
    // A default that only this version has is filled in again.
    let again = subject.decoded(&subject.try_convert(&back, to)?.json, to)?;
    same(subject, &edited, &again, || format!("by way of\n{back}"))?;

    let newer = from.max(to);
    if from.abs_diff(to) > 1 {
        return Ok(());
    }
    let Some(plan) = subject.resource.definition().versions[newer].rules() else { return Ok(()) };
    let bare = subject.with_carrier(&edited, &BTreeMap::new());
    let bare = subject.try_convert(&bare, from)?.json;
    let echo = subject.with_carrier(&bare, &BTreeMap::new());
    let echo = subject.try_convert(&echo, to)?.json;
    let told = subject.with_carrier(&back, &BTreeMap::new());
    let told = subject.try_convert(&told, to)?.json;
    // What the server fills in is no edit.
    let seen = |text: &str, version: usize| {
        subject.decoded(text, version).map(|text| subject.essence(&text))
    };
    let journey = Journey {
        object: &seen(&object, from)?,
        there: &seen(&there, to)?,
        edited: &subject.essence(&edited),
        back: &seen(&back, from)?,
        bare: &seen(&bare, from)?,
        told: &seen(&told, to)?,
        echo: &seen(&echo, to)?,
    };
    let mut watch = Watch { upgraded: to == newer, moved: Vec::new(), wrong: Vec::new() };
    journey.structure(plan, "", "", &mut watch);
    ensure(watch.wrong.is_empty(), || {
        let wrong = watch.wrong.join(", ");
        format!(
            "{wrong}:\n{object}\nbecame\n{there}\nwas edited to\n{edited}\nand came back as\n{back}"
        )
    })
}

pub(super) fn own_entry(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to } = subject.case(Stray::Valid, choices);
    // As the API server writes it: entries stand in the order of the text.
    let mut edited = Tree::read(&object);
    let object = edited.write();
    edit(subject, &mut edited, &subject.schemas[from], choices, Reach::Leaves);
    let edited = edited.write();
    // Whether a struct or a value was there at all is said of others too, if what moves takes a struct along.
    let says_more = |entry: &Tree| match entry.at(&["keep"]) {
        Some(Tree::Object(keep)) => {
            keep.values().any(|kept| !["{}", "null"].contains(&kept.write().as_str()))
        }
        _ => true,
    };
    let kept = |object: &str| -> Result<_, Stop> {
        let there = subject.convert(object, to)?;
        let mut carrier = subject.carrier(&there);
        carrier.retain(|_, entry| says_more(entry));
        Ok((carrier, structs(&subject.essence(&there))))
    };
    let ((before, structs_before), (after, structs_after)) = (kept(&object)?, kept(&edited)?);
    // What is said of the inside of such a struct comes and goes with it.
    let same_structs = structs_before == structs_after;
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = |key: &&String| match (before.get(*key), after.get(*key)) {
        (Some(before), Some(after)) => before != after,
        _ => same_structs,
    };
    let changed: Vec<_> = keys.into_iter().filter(differs).collect();
    ensure(changed.len() <= 1, || {
        format!("{changed:?} all change, but only one field does between\n{object}\nand\n{edited}")
    })
}

/// The places of all objects in a tree.
fn structs(tree: &Tree) -> BTreeSet<Vec<String>> {
    fn collect(tree: &Tree, path: &mut Vec<String>, places: &mut BTreeSet<Vec<String>>) {
        let inside: Vec<(String, &Tree)> = match tree {
            Tree::Object(members) => {
                places.insert(path.clone());
                members.iter().map(|(name, member)| (name.clone(), member)).collect()
            }
            Tree::List(items) => {
                items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
            }
            _ => return,
        };
        for (name, member) in inside {
            path.push(name);
            collect(member, path, places);
            path.pop();
        }
    }
    let mut places = BTreeSet::new();
    collect(tree, &mut Vec::new(), &mut places);
    places
}

/// Where an edit may be made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach<'n> {
    Everywhere,
    /// Rather in fields with these names.
    Towards(&'n BTreeSet<String>),
    /// In one field with nothing inside, and not in an item of a list, of which entries may be told by all that is in it.
    Leaves,
}

/// Changes, adds or deletes one field.
fn edit(
    subject: &Subject<'_>,
    tree: &mut Tree,
    schema: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) {
    if is_open(schema) {
        if reach == Reach::Everywhere {
            edit_open(subject, tree, schema, choices);
        }
        return;
    }
    match tree {
        Tree::Object(members) => {
            if let Some(values) = &schema.additional_properties {
                edit_map(subject, members, values, choices, reach);
            } else if let Some((name, property)) = chosen(schema, choices, reach) {
                edit_field(subject, members, schema, (name, property), choices, reach);
            }
        }
        Tree::List(items) if reach != Reach::Leaves => {
            let Some(inside) = &schema.items else { return };
            let place = choices.below(items.len().max(1));
            match (choices.below(4), items.get_mut(place)) {
                (0, Some(item)) => {
                    let before = item.clone();
                    edit(subject, item, inside, choices, reach);
                    // The API server takes no two items with the same keys.
                    let mut seen = Vec::new();
                    let mut keys =
                        items.iter().filter_map(|item| key_of(&item.write(), schema, inside));
                    if !keys.all(|key| is_new(key, &mut seen)) {
                        items[place] = before;
                    }
                }
                (1, Some(_)) => drop(items.remove(place)),
                (2, Some(_)) => items.swap(0, place),
                _ if schema.extensions.is_empty() => {
                    items.push(subject.value(inside, choices));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Edits what is of one of several forms, or writes another value where the edit fits none of them.
fn edit_open(subject: &Subject<'_>, tree: &mut Tree, schema: &Schema, choices: &mut Choices<'_>) {
    let mut edited = tree.clone();
    let one = Schema {
        all_of: Vec::new(),
        one_of: Vec::new(),
        any_of: Vec::new(),
        not: None,
        ..schema.clone()
    };
    edit(subject, &mut edited, &one, choices, Reach::Everywhere);
    *tree = match server::read(&edited.write()) {
        Ok(value) if choices.below(2) == 0 && fits(&value, schema) => edited,
        _ => subject.value(schema, choices),
    };
}

fn edit_map(
    subject: &Subject<'_>,
    members: &mut BTreeMap<String, Tree>,
    values: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) {
    let key = members.keys().nth(choices.below(members.len().max(1))).cloned();
    match (key, choices.below(3)) {
        (Some(key), 0) => {
            if let Some(value) = members.get_mut(&key) {
                edit(subject, value, values, choices, reach);
            }
        }
        (Some(key), 1) if reach != Reach::Leaves => drop(members.remove(&key)),
        _ if reach != Reach::Leaves => {
            members.insert("new".to_owned(), subject.value(values, choices));
        }
        _ => {}
    }
}

fn edit_field(
    subject: &Subject<'_>,
    members: &mut BTreeMap<String, Tree>,
    schema: &Schema,
    (name, property): (&String, &Schema),
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) {
    let leaf = !is_open(property)
        && property.properties.is_empty()
        && property.items.is_none()
        && property.additional_properties.is_none();
    match members.get_mut(name) {
        Some(value) if !leaf && !choices.once_in(4) => {
            edit(subject, value, property, choices, reach);
        }
        _ if !leaf && reach == Reach::Leaves => {}
        Some(_) if choices.once_in(3) && !schema.required.contains(name) => {
            members.remove(name);
        }
        before => {
            let before = before.map(|before| before.write());
            let mut drawn = subject.value(property, choices);
            // An edit that changes nothing is none.
            if before.is_some_and(|before| before == drawn.write()) {
                drawn = subject.value(property, choices);
            }
            members.insert(name.clone(), drawn);
        }
    }
}

/// The names of the fields that must stay as they are for an entry to be restored.
fn guarded(subject: &Subject<'_>, object: &str) -> BTreeSet<String> {
    fn collect(annotation: &Tree, names: &mut BTreeSet<String>) {
        if let Some(Tree::Object(guard)) = annotation.at(&["guard"]) {
            names.extend(guard.keys().cloned());
        }
        if let Some(Tree::List(entries)) = annotation.at(&["entries"]) {
            for entry in entries {
                collect(entry, names);
            }
        }
    }
    let mut names = BTreeSet::new();
    for annotation in subject.carrier(object).values() {
        collect(annotation, &mut names);
    }
    names
}

/// A property to edit.
fn chosen<'s>(
    schema: &'s Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) -> Option<(&'s String, &'s Schema)> {
    if let Reach::Towards(names) = reach {
        let leads = |(name, property): &(&String, &Schema)| {
            names.contains(*name) || leads_to(property, names)
        };
        let count = schema.properties.iter().filter(leads).count();
        if count > 0 {
            return schema.properties.iter().filter(leads).nth(choices.below(count));
        }
    }
    schema.properties.iter().nth(choices.below(schema.properties.len().max(1)))
}

fn leads_to(schema: &Schema, names: &BTreeSet<String>) -> bool {
    let inside = schema.items.iter().chain(&schema.additional_properties);
    schema.properties.iter().any(|(name, inside)| names.contains(name) || leads_to(inside, names))
        || inside.into_iter().any(|inside| leads_to(inside, names))
}

/// A part of an object, what it became, that with edits, what came back, what would have come back without entries, what
/// becomes of what came back without entries, and of what would have come back without entries.
#[derive(Clone, Copy)]
struct Journey<'t> {
    object: &'t Tree,
    there: &'t Tree,
    edited: &'t Tree,
    back: &'t Tree,
    bare: &'t Tree,
    told: &'t Tree,
    echo: &'t Tree,
}

impl<'t> Journey<'t> {
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
    fn structure(self, plan: &StructPlan, path: &str, peer_path: &str, watch: &mut Watch) {
        if self.all().iter().any(|tree| !matches!(tree, Tree::Object(_))) {
            return;
        }
        let rules = plan.rules_in_json();
        let known = watch.moved.len();
        for rule in &rules {
            watch.note_move(rule, path, peer_path);
        }
        for rule in rules {
            let Sides { older, newer, nested } = sides(&rule);
            let (home, peer) = if watch.upgraded { (older, newer) } else { (newer, older) };
            let at = |path: &str, field: &Field| format!("{path}.{}", field.wire);
            let moves = home.iter().any(|field| watch.moves(&at(path, field)))
                || peer.iter().any(|field| watch.moves(&at(peer_path, field)));
            let differ = |one: &Tree, other: &Tree, fields: &[Field]| {
                fields.iter().any(|field| one.at(&[field.wire]) != other.at(&[field.wire]))
            };
            let names = || home.iter().map(|field| at(path, field)).collect::<Vec<_>>().join(", ");
            let touched = moves || differ(self.there, self.edited, &peer);
            if !touched {
                if differ(self.object, self.back, &home) {
                    watch
                        .wrong
                        .push(format!("{} isn't as it was, though nobody touched it", names()));
                }
            } else if let (Some(nested), [home], [peer]) = (nested, &home[..], &peer[..]) {
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
                    inside.value(nested, peer.list_keys, paths, watch);
                }
            } else if matches!(rule, Rule::Converted { .. })
                && differ(self.back, self.bare, &home)
                && differ(self.told, self.edited, &peer)
                // A converter may write the same in another way.
                && differ(self.told, self.echo, &peer)
            {
                watch.wrong.push(format!("{} isn't what the edit says", names()));
            }
        }
        watch.moved.truncate(known);
    }

    fn value(self, nested: Nested, keys: &[&str], [path, peer]: [String; 2], watch: &mut Watch) {
        let inside = |name: &str| [format!("{path}.{name}"), format!("{peer}.{name}")];
        match (nested, self.object) {
            (Nested::Struct(plan), _) => self.structure(plan, &path, &peer, watch),
            (Nested::Map(values), Tree::Object(members)) => {
                for key in members.keys() {
                    if let Some(value) = Self::of(self.all().map(|tree| tree.at(&[key]))) {
                        value.value(values(), &[], inside(key), watch);
                    }
                }
            }
            (Nested::List(item), Tree::List(items)) if !keys.is_empty() => {
                for place in 0..items.len() {
                    if let Some(value) = self.item(place, keys) {
                        value.value(item(), &[], inside("[]"), watch);
                    }
                }
            }
            (Nested::Enum(plan), _) => self.variant(plan, [path, peer], watch),
            _ => {}
        }
    }

    fn variant(self, plan: &EnumPlan, paths: [String; 2], watch: &mut Watch) {
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
            && let Some(nested) = variants::inside(plan, watch.upgraded, object.0, there.0)
        {
            let held = [Some(object), Some(there), Some(edited), back, bare, told, echo];
            if let Some(inside) = Self::of(held.map(|variant| variant?.1)) {
                inside.value(nested, &[], paths, watch);
            }
        } else if self.back != self.bare {
            watch.wrong.push(format!("{} isn't what the edit says", paths[0]));
        }
    }

    /// The item that stood at a place before somebody edited the list.
    fn item(self, place: usize, keys: &[&str]) -> Option<Self> {
        let [
            Tree::List(object),
            Tree::List(there),
            Tree::List(edited),
            Tree::List(back),
            Tree::List(bare),
            Tree::List(told),
            Tree::List(echo),
        ] = self.all()
        else {
            return None;
        };
        let key_of = |item: &Tree| -> Option<Vec<Tree>> {
            keys.iter().map(|key| item.at(&[key]).cloned()).collect()
        };
        let key = key_of(there.get(place)?)?;
        let now = edited.iter().position(|item| key_of(item).as_ref() == Some(&key))?;
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

/// What is seen on the way through an object.
struct Watch {
    upgraded: bool,
    /// The paths between which values move, in either version.
    moved: Vec<String>,
    wrong: Vec<String>,
}

impl Watch {
    fn note_move(&mut self, rule: &Rule, path: &str, peer_path: &str) {
        let Rule::Moved { older, newer } = rule else { return };
        let (home, peer) = if self.upgraded { (older, newer) } else { (newer, older) };
        for (path, way) in [(path, home), (peer_path, peer)] {
            let names = way.iter().map(|part| format!(".{}", part.field.wire));
            self.moved.push(format!("{path}{}", names.collect::<String>()));
        }
    }

    /// Whether a value moves into a field or out of it, or into what it is in.
    fn moves(&self, path: &str) -> bool {
        let within = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.moved.iter().any(|moved| within(path, moved) || within(moved, path))
    }
}

/// The fields of a rule in the older and the newer version, and what is inside if it is one.
struct Sides {
    older: Vec<Field>,
    newer: Vec<Field>,
    nested: Option<Nested>,
}

fn sides(rule: &Rule) -> Sides {
    let none = Sides { older: Vec::new(), newer: Vec::new(), nested: None };
    match rule {
        Rule::Kept { older, newer, nested } => {
            Sides { older: vec![*older], newer: vec![*newer], nested: nested() }
        }
        Rule::Added { newer, .. } => Sides { newer: vec![*newer], ..none },
        Rule::Removed { older, .. } => Sides { older: vec![*older], ..none },
        // The fields at both ends have rules of their own.
        Rule::Moved { .. } => none,
        Rule::Converted { older, newer, .. } => {
            Sides { older: older.to_vec(), newer: newer.to_vec(), nested: None }
        }
    }
}
