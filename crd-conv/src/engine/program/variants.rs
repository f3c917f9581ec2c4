//! Enums: the variant of a value, and what the other version shows for it.

use super::names::Names;
use crate::json::{Member, Scanner, Str, decode, member, members_of, object_of, quote};
use crate::plan::{Content, JsonType, Tagging, Variant};

/// An enum's value in the source.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) tagging: Tagging,
    /// The source's variants.
    pub(crate) variants: Vec<Known>,
    /// The names of the variants, as names of an object's members. Used if the value is an object
    /// with one of them.
    pub(crate) names: Names,
    pub(crate) target: Target,
}

/// What the target knows about the enum, for the way back.
#[derive(Debug)]
pub(crate) struct Target {
    pub(super) tagging: Tagging,
    pub(super) variants: Vec<Known>,
}

/// A variant that one of the versions knows.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// Whether it holds nothing.
    unit: bool,
    /// The kind of its value, if variants have no names in JSON.
    kind: JsonType,
    /// Its fields for which `null` only means that there is no value.
    options: Vec<&'static str>,
    pub(crate) becomes: Becomes,
}

/// What the other version shows for a variant.
#[derive(Debug)]
pub(crate) enum Becomes {
    /// The other version's variant in its place, and the node of the object, list or map in it in
    /// which something happens.
    Kept { name: &'static str, node: Option<usize> },
    /// This text, always: the other version has no such variant.
    Shown(String),
}

impl Known {
    pub(super) fn new(variant: &Variant, becomes: Becomes) -> Self {
        let fields = variant.fields.unwrap_or_default().iter();
        let options = fields.filter(|facts| facts.option && facts.field.default.is_none());
        let options = options.map(|facts| facts.field.wire).collect();
        let unit = variant.content == Content::Unit;
        Self { name: variant.wire, unit, kind: variant.kind, options, becomes }
    }

    /// Returns a value without these nulls, which serde writes where Rust has no value.
    pub(crate) fn without_nulls(&self, tagging: Tagging, text: &str) -> Option<String> {
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
    /// Returns the variant with this name.
    pub(crate) fn named(&self, name: Str, text: &str) -> Option<usize> {
        named(&self.variants, name, text)
    }

    /// Returns the variant with this kind of value, if variants have no names in JSON.
    pub(crate) fn of_kind(&self, kind: JsonType) -> Option<usize> {
        self.variants.iter().position(|known| known.kind.contains(kind))
    }

    /// Returns the node of a variant in which something happens, and the variant's two names.
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
        // No name contains half a surrogate pair.
        (_, true) => None,
    }
}

impl Target {
    /// Whether a value is of a kind that the enum's type reads.
    pub(crate) fn accepts(&self, value: &str) -> bool {
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

    /// Returns the variant that a text is.
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

    /// Returns what the way back makes of a text, or `None` if that depends on what the variant
    /// holds.
    pub(crate) fn way_back(&self, text: &str) -> Option<String> {
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

pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// Returns the text of a variant that holds nothing, or only the defaults of absent fields.
pub(super) fn shown(tagging: Tagging, variant: &Variant) -> String {
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
