//! Enums: which variant a value is, and what the other version shows for it.

use std::ops::Range;

use super::build::{Builder, names};
use super::objects::{Member, member, members_of, object_of};
use super::route::{ListKeys, Node, Object, Role, Step};
use super::steps::{Work, push_member};
use super::walk::{Fate, NONE};
use crate::complement::Loss;
use crate::json::{Edit, Fidelity, Scanner, Str, decode, equal, quote};
use crate::plan::{Content, EnumPlan, JsonType, Nested, Tagging, Variant, VariantRule};

/// An enum's value in the source.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) tagging: Tagging,
    /// The source's variants.
    pub(crate) variants: Vec<Known>,
    /// The names of the variants, as those of an object's members, where the value is an object with one of them.
    pub(crate) names: Object,
    target: Target,
}

/// What the target knows of the enum: for the way back.
#[derive(Debug)]
struct Target {
    tagging: Tagging,
    variants: Vec<Known>,
}

/// A variant that one of the versions knows.
#[derive(Debug)]
pub(crate) struct Known {
    name: &'static str,
    /// Whether it holds nothing.
    unit: bool,
    /// How it is written if there is no name in JSON.
    kind: JsonType,
    /// Its fields for which `null` means no more than that there is nothing.
    options: Vec<&'static str>,
    pub(crate) becomes: Becomes,
}

/// What the other version shows for a variant.
#[derive(Debug)]
pub(crate) enum Becomes {
    /// The variant that it has in its place, and in which object, list or map something happens.
    Kept { name: &'static str, node: Option<usize> },
    /// Always this text, since it has no such variant.
    Shown(String),
}

impl Known {
    fn new(variant: &Variant, becomes: Becomes) -> Self {
        let fields = variant.fields.unwrap_or_default().iter();
        let options = fields.filter(|facts| facts.option && facts.field.default.is_none());
        let options = options.map(|facts| facts.field.wire).collect();
        let unit = variant.content == Content::Unit;
        Self { name: variant.wire, unit, kind: variant.kind, options, becomes }
    }

    /// A value without such a `null`, which serde writes where Rust's value has nothing.
    fn without_nulls(&self, tagging: Tagging, text: &str) -> Option<String> {
        let fields = |text: &str| {
            let members = members_of(text)?;
            let stays = members
                .iter()
                .filter(|member| member.value != "null" || !self.options.contains(&&*member.name));
            Some(object_of(&stays.map(Member::text).collect::<Vec<_>>()))
        };
        if self.options.is_empty() {
            return None;
        }
        let holder = match tagging {
            Tagging::Internal { .. } | Tagging::Untagged => return fields(text),
            Tagging::External => self.name,
            Tagging::Adjacent { content, .. } => content,
        };
        let members = members_of(text)?.into_iter().map(|found| {
            let inside = if found.name == holder { fields(found.value) } else { None };
            inside.map_or_else(|| found.text(), |inside| member(holder, &inside))
        });
        Some(object_of(&members.collect::<Vec<_>>()))
    }
}

impl Union {
    /// The variant with this name.
    pub(crate) fn named(&self, name: Str, text: &str) -> Option<usize> {
        named(&self.variants, name, text)
    }

    /// The variant that is written as such a kind of value, if values have no names.
    pub(crate) fn of_kind(&self, kind: JsonType) -> Option<usize> {
        self.variants.iter().position(|known| known.kind.contains(kind))
    }

    /// The node and the two names of a variant in which something happens.
    pub(crate) fn inside(&self, variant: usize) -> Option<(usize, [&'static str; 2])> {
        let Known { name, becomes, .. } = &self.variants[variant];
        match becomes {
            Becomes::Kept { name: target, node: Some(node) } => Some((*node, [name, target])),
            _ => None,
        }
    }
}

fn named(variants: &[Known], name: Str, text: &str) -> Option<usize> {
    match decode(name.raw(text)) {
        (name, false) => variants.iter().position(|known| known.name == name),
        // Half a surrogate pair is in no name.
        (_, true) => None,
    }
}

impl Target {
    /// Whether a value is of a kind that the enum's type reads.
    fn accepts(&self, value: &str) -> bool {
        let kinds = match self.tagging {
            Tagging::External => {
                let unit = value.starts_with('"');
                let is_kind = unit || value.starts_with('{');
                return is_kind && self.variants.iter().any(|known| known.unit == unit);
            }
            Tagging::Internal { .. } | Tagging::Adjacent { .. } => JsonType::OBJECT,
            Tagging::Untagged => {
                let kind = JsonType::of(value);
                return self.variants.iter().any(|known| known.kind.contains(kind));
            }
        };
        kinds.contains(JsonType::of(value))
    }

    /// Which of the variants a text is.
    fn find(&self, text: &str) -> Option<&Known> {
        let mut scanner = Scanner::new(text);
        let variant = match (self.tagging, scanner.peek()) {
            (Tagging::External, b'"') => named(&self.variants, scanner.string().ok()?, text),
            (Tagging::External, b'{') => {
                let mut found = None;
                scanner.enter_object().ok()?;
                let mut first = true;
                while let Some(key) = scanner.next_member(first).ok()? {
                    scanner.skip_value().ok()?;
                    let variant = named(&self.variants, key, text)?;
                    if *found.get_or_insert(variant) != variant {
                        return None;
                    }
                    first = false;
                }
                found
            }
            (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, b'{') => {
                let mut found = None;
                scanner.enter_object().ok()?;
                let mut first = true;
                while let Some(key) = scanner.next_member(first).ok()? {
                    let is_tag = key.decoded(text) == tag;
                    let name = if is_tag && scanner.peek() == b'"' {
                        Some(scanner.string().ok()?)
                    } else {
                        scanner.skip_value().ok()?;
                        None
                    };
                    if is_tag {
                        found = name.and_then(|name| named(&self.variants, name, text));
                    }
                    first = false;
                }
                found
            }
            (Tagging::Untagged, _) => {
                let kind = JsonType::of(text);
                self.variants.iter().position(|known| known.kind.contains(kind))
            }
            _ => None,
        };
        variant.map(|variant| &self.variants[variant])
    }

    /// What the way back makes of a text; `None` if that depends on what the variant holds.
    fn way_back(&self, text: &str) -> Option<String> {
        match self.find(text).map(|known| (known.name, &known.becomes)) {
            None => Some(text.to_owned()),
            Some((_, Becomes::Shown(shown))) => Some(shown.clone()),
            Some((own, Becomes::Kept { name, .. })) if text.starts_with('"') => {
                Some(if own == *name { text.to_owned() } else { quoted(name) })
            }
            Some((_, Becomes::Kept { .. })) => None,
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// A variant that holds nothing, or only what an absent field is.
fn shown(tagging: Tagging, variant: &Variant) -> String {
    let mut fields = Vec::new();
    for facts in variant.fields.unwrap_or_default() {
        let default = facts.field.default.and_then(|default| facts.field.served(default));
        fields.extend(default.map(|default| member(facts.field.wire, &default)));
    }
    let holds = variant.content != Content::Unit;
    let name = quoted(variant.wire);
    match tagging {
        Tagging::External if holds => object_of(&[member(variant.wire, &object_of(&fields))]),
        Tagging::External => name,
        Tagging::Internal { tag } => {
            fields.push(member(tag, &name));
            object_of(&fields)
        }
        Tagging::Adjacent { tag, content } => {
            let content = holds.then(|| member(content, &object_of(&fields)));
            let members: Vec<_> = content.into_iter().chain([member(tag, &name)]).collect();
            object_of(&members)
        }
        Tagging::Untagged => object_of(&fields),
    }
}

/// The older and the newer as source and target, and the other way round.
fn in_order<T>(upgrade: bool, older: T, newer: T) -> [T; 2] {
    if upgrade { [older, newer] } else { [newer, older] }
}

impl Builder {
    pub(super) fn union(&mut self, plan: &'static EnumPlan) -> Union {
        let upgrade = self.upgrade;
        let [tagging, target_tagging] = in_order(upgrade, plan.older_tagging, plan.newer_tagging);
        let mut union = Union {
            tagging,
            variants: Vec::new(),
            names: Object::default(),
            target: Target { tagging: target_tagging, variants: Vec::new() },
        };
        if let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = tagging
            && !self.tags.contains(&tag)
        {
            self.tags.push(tag);
        }
        for rule in plan.rules {
            let (variant, shown_as, lost) = match rule {
                VariantRule::Kept { older, newer, nested } => {
                    let [source, target] = in_order(upgrade, older, newer);
                    let node = self.variant([tagging, target_tagging], [source, target], nested());
                    let becomes = |name, node| Becomes::Kept { name, node };
                    union.variants.push(Known::new(source, becomes(target.wire, node)));
                    let back = Known::new(target, becomes(source.wire, None));
                    union.target.variants.push(back);
                    continue;
                }
                VariantRule::Removed { older, shown_as } => (older, shown_as, upgrade),
                VariantRule::Added { newer, shown_as } => (newer, shown_as, !upgrade),
            };
            if lost {
                let becomes = Becomes::Shown(shown(target_tagging, shown_as));
                union.variants.push(Known::new(variant, becomes));
            } else {
                let becomes = Becomes::Shown(shown(tagging, shown_as));
                union.target.variants.push(Known::new(variant, becomes));
            }
        }
        if tagging == Tagging::External {
            for Known { name, becomes, .. } in &union.variants {
                let (target, role) = match becomes {
                    Becomes::Kept { name, node: Some(node) } => (*name, Role::Child(*node)),
                    Becomes::Kept { name, node: None } => (*name, Role::Input),
                    Becomes::Shown(_) => (*name, Role::Input),
                };
                union.names.add(name, target, role);
            }
        }
        union
    }

    /// The node of what happens in a variant that both versions have, besides its name where that isn't in an object
    /// with other fields.
    fn variant(
        &mut self,
        tagging: [Tagging; 2],
        [source, target]: [&Variant; 2],
        nested: Option<Nested>,
    ) -> Option<usize> {
        let keyless = ListKeys { source: &[], target: &[] };
        let mut object = Object::default();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        match tagging {
            [Tagging::Internal { tag }, Tagging::Internal { tag: to }] => {
                tag_of(&mut object, [tag, to], [source.wire, target.wire]);
                own.push(tag);
                other.push(to);
                if let Some(Nested::Struct(plan)) = nested {
                    let rules = plan.rules_in_json();
                    self.fields(&mut object, plan, &rules);
                    let (older, newer) = names(&rules);
                    let [inside, outside] = in_order(self.upgrade, older, newer);
                    own.extend(inside);
                    other.extend(outside);
                }
            }
            [
                Tagging::Adjacent { tag, content },
                Tagging::Adjacent { tag: to, content: content_to },
            ] => {
                tag_of(&mut object, [tag, to], [source.wire, target.wire]);
                let child = nested.map(|nested| self.nested(nested, keyless));
                if child.is_some() || content != content_to {
                    let role = child.map_or(Role::Input, Role::Child);
                    let member = object.add(content, content_to, role);
                    if content != content_to {
                        object.steps.push(Step::Rename { member, to: content_to });
                    }
                }
                own.extend([tag, content]);
                other.extend([to, content_to]);
            }
            _ => return nested.map(|nested| self.nested(nested, keyless)),
        }
        let [older, newer] = in_order(self.upgrade, own, other);
        self.set_aside(&mut object, (older, newer));
        if object.members.is_empty() && object.steps.is_empty() {
            return None;
        }
        self.nodes.push(Node::Object(object));
        Some(self.nodes.len() - 1)
    }
}

/// The field that says which variant it is.
fn tag_of(object: &mut Object, [tag, to]: [&'static str; 2], [name, name_to]: [&'static str; 2]) {
    if name == name_to && tag == to {
        return;
    }
    let member = object.add(tag, to, Role::Input);
    object.steps.push(if name == name_to {
        Step::Rename { member, to }
    } else {
        Step::Retag { member, key: (tag != to).then_some(to), to: name_to }
    });
}

impl<'a> Work<'a> {
    /// An enum's value becomes the other version's. One that no rule knows stays as it is, and what a variant holds
    /// that both versions have is dealt with by itself.
    pub(super) fn choose(&mut self, instance: usize, union: &'a Union) {
        let span = self.found.instances[instance].span();
        let input = &self.text[span.clone()];
        let known = union.variants.get(self.found.instances[instance].variant);
        let output =
            match (self.restored(instance, union, input), known.map(|known| &known.becomes)) {
                (Some(restored), _) => restored,
                (None, Some(Becomes::Kept { name, .. })) => {
                    return self.rename_variant(instance, union, name, span);
                }
                (None, Some(Becomes::Shown(shown))) => shown.clone(),
                (None, None) => input.to_owned(),
            };
        let comes_back = union.target.way_back(&output);
        if !comes_back.is_some_and(|back| equal(&back, input, Fidelity::AsWritten)) {
            let place = self.found.instances[instance].place;
            let name = |target| self.found.path(place, target).pop().unwrap_or_default();
            let (source, target) = (name(false), name(true));
            let guard = [(target, output.clone())];
            self.keep_of_any(instance, None, std::iter::once((source, input)), Some(&guard));
        }
        self.found.kill_inside(instance);
        if output != input {
            self.replace(span, &output);
        }
    }

    /// What an entry says that the value was, if it is still what the source version shows for that.
    fn restored(&mut self, instance: usize, union: &Union, input: &str) -> Option<String> {
        let entry = self.take_entry(instance, None)?;
        let guard = entry.guard().and_then(|mut guard| guard.next());
        let holds = |guard: &str| {
            let known = union.variants.get(self.found.instances[instance].variant);
            equal(guard, input, Fidelity::AsServed)
                || known
                    .and_then(|known| known.without_nulls(union.tagging, input))
                    .is_some_and(|bare| equal(guard, &bare, Fidelity::AsServed))
        };
        let loss = match (guard, entry.keep().next()) {
            (Some((_, guard)), Some((_, kept))) if union.target.accepts(kept) => {
                if holds(guard) {
                    return Some(kept.to_owned());
                }
                Loss::Edited
            }
            _ => Loss::Mistyped,
        };
        self.losses.add(loss);
        None
    }

    /// Where only the value itself says which variant it is.
    fn rename_variant(
        &mut self,
        instance: usize,
        union: &Union,
        name: &'static str,
        span: Range<usize>,
    ) {
        let variant = self.found.instances[instance].variant;
        if union.tagging != Tagging::External || union.variants[variant].name == name {
            return;
        }
        if self.text.as_bytes()[span.start] == b'"' {
            return self.replace(span, &quoted(name));
        }
        let text = self.arena.len();
        quote(name, self.arena);
        if let Some(named) = self.found.member(instance, variant) {
            self.found.named[named].fate = Fate::Rename(text..self.arena.len());
        }
    }

    /// The variant's name where it is in a field.
    pub(super) fn retag(
        &mut self,
        instance: usize,
        member: usize,
        key: Option<&'static str>,
        to: &str,
    ) {
        let Some(named) = self.found.member(instance, member) else { return };
        let start = self.arena.len();
        let fate = if let Some(key) = key {
            push_member(self.arena, key, &quoted(to));
            Fate::Replace(start..self.arena.len())
        } else {
            quote(to, self.arena);
            Fate::Set(start..self.arena.len())
        };
        self.found.named[named].fate = fate;
    }

    fn replace(&mut self, span: Range<usize>, output: &str) {
        let start = self.arena.len();
        self.arena.push_str(output);
        self.replaced.push(Edit { span, text: start..self.arena.len() });
    }
}

/// The variant of a value of which nothing is known.
pub(super) const UNKNOWN: usize = NONE;
