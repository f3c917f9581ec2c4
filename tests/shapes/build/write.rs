//! A resource as the source of a module.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::mem;

use crate::holds;
use crate::model::{
    Base, Enum, Field, Literal, Mapping, Moved, Origin, ResourceType, Sort, Struct, Variant,
    VariantOrigin, Version, With, Wrap,
};

const ALLOW: &str = r#"#[allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_variables,
    reason = "only the tests read what is drawn for them"
)]"#;

const IMPORTS: &str = "use std::collections::BTreeMap;

use crd_conv::Versioned;
use crd_conv::with::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::converters::{Crossed, Holds, Kilos, Split, is_default};";

const RESOURCE: &str = r#"
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]"#;

const DERIVE: &str = "#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]";

const DERIVE_FOREIGN: &str = "#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq)]";

/// The module of a resource, with its tests.
pub(crate) fn module(seed: u64, resource: &ResourceType) -> String {
    let mut source = Source::default();
    source.lines(ALLOW);
    source.block(&format!("mod shape_{seed}"), "}", |source| {
        source.lines(IMPORTS);
        let (own, shared) = by_owner(resource);
        types(source, &shared, None);
        for (place, version) in own.iter().enumerate() {
            source.lines("\n");
            source.block(&format!("mod {}", version_name(place)), "}", |source| {
                source.lines("use super::*;");
                types(source, version, place.checked_sub(1));
            });
        }
        source.lines(RESOURCE);
        source.block("enum Thing", "}", |source| {
            for place in 0..resource.versions.len() {
                // What holds for one stanza holds for others, and the status has other writers. In some resources the first version
                // has the subresource without a status of its own.
                let is_late = seed.is_multiple_of(6);
                let mut words = Vec::new();
                words.extend((place == resource.storage).then_some("storage"));
                words.extend((is_late && place == 0).then_some("status"));
                if !words.is_empty() {
                    source.attribute("versioned", &words);
                }
                let (variant, module) = (version_name(place).to_uppercase(), version_name(place));
                let status = if !seed.is_multiple_of(3) || is_late && place == 0 {
                    String::new()
                } else {
                    let added = if is_late && place == 1 { "#[versioned(added)] " } else { "" };
                    format!(", {added}status: Option<{module}::Spec>")
                };
                source.lines(&format!("{variant} {{ spec: {module}::Spec{status} }},"));
            }
        });
        source.lines("\ncrd_conv::laws!(Thing);");
    });
    source.lines("\n");
    source.text
}

fn version_name(place: usize) -> String {
    format!("v{}", place + 1)
}

/// The types of each version, and those that all share.
fn by_owner(resource: &ResourceType) -> (Vec<Version>, Version) {
    let mut shared = Version::default();
    let mut own = resource.versions.clone();
    for version in &mut own {
        let structs = mem::take(&mut version.structs).into_iter();
        let (own, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            structs.partition(|(_, value)| value.sort == Sort::Own);
        version.structs = own;
        for (name, value) in others {
            let known = shared.structs.entry(name).or_insert_with(|| value.clone());
            known.made = known.made.take().or(value.made);
        }
        let enums = mem::take(&mut version.enums).into_iter();
        let (own, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            enums.partition(|(_, value)| value.sort == Sort::Own);
        version.enums = own;
        for (name, value) in others {
            let known = shared.enums.entry(name).or_insert_with(|| value.clone());
            known.made = known.made.take().or(value.made);
        }
    }
    (own, shared)
}

fn derive(sort: Sort) -> &'static str {
    if sort == Sort::Foreign { DERIVE_FOREIGN } else { DERIVE }
}

fn types(source: &mut Source, version: &Version, older: Option<usize>) {
    for (name, value) in &version.structs {
        source.lines(&format!("\n{}", derive(value.sort)));
        source.attribute("versioned", &struct_items(name, value, older));
        source.block(&format!("pub struct {name}"), "}", |source| {
            for field in &value.fields {
                write_field(source, "pub ", name, field, value.sort);
            }
        });
        holds::of_struct(source, name, value);
        for field in &value.fields {
            if let Some(default @ Literal::Struct { of, .. }) = &field.default {
                let constant = constant_name(name, &field.name);
                source.lines(&format!("const {constant}: {of} = {default};"));
            }
        }
    }
    for (name, value) in &version.enums {
        source.lines(&format!("\n{}", derive(value.sort)));
        let tag = value.tag.map(|tag| format!("tag = {tag:?}"));
        let content = value.content.map(|content| format!("content = {content:?}"));
        let items: Vec<String> = tag.into_iter().chain(content).collect();
        source.attribute("serde", &items);
        source.attribute("versioned", &enum_items(name, value, older));
        source.block(&format!("pub enum {name}"), "}", |source| {
            for variant in &value.variants {
                write_variant(source, variant, value.sort);
            }
        });
        holds::of_enum(source, name, value);
    }
}

/// The constant that a field's default is.
fn constant_name(owner: &str, field: &str) -> String {
    format!("{owner}_{field}").to_uppercase()
}

fn from(name: &str, older: Option<usize>) -> String {
    let older = older.expect("only what has an older version has a mapping");
    format!("from = super::{}::{name}", version_name(older))
}

fn struct_items(name: &str, value: &Struct, older: Option<usize>) -> Vec<String> {
    let Some(Mapping { removed, moved, maps }) = &value.mapping else { return Vec::new() };
    let (changed, moved): (Vec<&Moved>, Vec<&Moved>) =
        moved.iter().partition(|moved| moved.with.is_some());
    let changed = changed.into_iter().map(|moved| format!("moved({moved})"));
    let moved = moved.into_iter().map(Moved::to_string);
    [from(name, older)]
        .into_iter()
        .chain(listed("removed", removed.iter().cloned()))
        .chain(listed("moved", moved))
        .chain(changed)
        .chain(maps.iter().cloned())
        .collect()
}

fn enum_items(name: &str, value: &Enum, older: Option<usize>) -> Vec<String> {
    let Some(removed) = &value.removed else { return Vec::new() };
    let removed = removed.iter().map(|(variant, shown_as)| format!("{variant} = {shown_as}"));
    [from(name, older)].into_iter().chain(listed("removed", removed)).collect()
}

/// An item with others inside, if there are any.
fn listed(item: &str, inside: impl Iterator<Item = String>) -> Option<String> {
    let inside: Vec<String> = inside.collect();
    (!inside.is_empty()).then(|| format!("{item}({})", inside.join(", ")))
}

fn write_variant(source: &mut Source, variant: &Variant, sort: Sort) {
    let Variant { name, fields, removed, origin } = variant;
    let origin = match origin {
        VariantOrigin::Unsaid => None,
        VariantOrigin::Renamed(older) => Some(format!("renamed_from = {older}")),
        VariantOrigin::Added(shown_as) => Some(format!("added(shown_as = {shown_as})")),
    };
    let items: Vec<String> =
        origin.into_iter().chain(listed("removed", removed.iter().cloned())).collect();
    source.attribute("versioned", &items);
    if fields.is_empty() {
        source.lines(&format!("{name},"));
    } else {
        source.block(name, "},", |source| {
            for field in fields {
                write_field(source, "", name, field, sort);
            }
        });
    }
}

fn write_field(source: &mut Source, visibility: &str, owner: &str, field: &Field, sort: Sort) {
    let Field { name, base, wrap, skipped, filled, .. } = field;
    let ty = match wrap {
        Wrap::Option => format!("Option<{base}>"),
        Wrap::Plain => base.to_string(),
        Wrap::List | Wrap::Keyed => format!("Vec<{base}>"),
        Wrap::Map => format!("BTreeMap<String, {base}>"),
    };
    let (by_serde, is_nothing) = match wrap {
        Wrap::Option => (false, "Option::is_none"),
        Wrap::Plain => (*filled, "is_default"),
        Wrap::List | Wrap::Keyed => (true, "Vec::is_empty"),
        Wrap::Map => (true, "BTreeMap::is_empty"),
    };
    let mut serde = Vec::new();
    serde.extend(by_serde.then(|| "default".to_owned()));
    let can_skip = by_serde || *wrap == Wrap::Option;
    serde.extend((*skipped && can_skip).then(|| format!("skip_serializing_if = {is_nothing:?}")));
    source.attribute("serde", &serde);
    let (versioned, mut schemars) = field_items(owner, field, sort);
    source.attribute("versioned", &versioned);
    schemars.extend(pattern(base).map(|pattern| format!("regex(pattern = {pattern:?})")));
    source.attribute("schemars", &schemars);
    source.lines(&format!("{visibility}{name}: {ty},"));
}

/// What is said of a field to the derive, and to schemars.
fn field_items(owner: &str, field: &Field, sort: Sort) -> (Vec<String>, Vec<String>) {
    let Field { name, wrap, default, refuses_null, origin, .. } = field;
    if sort == Sort::Foreign {
        let default = default.as_ref().map(|value| match value {
            Literal::Variant { name, .. } => format!("extend(\"default\" = {name:?})"),
            value => format!("extend(\"default\" = {value})"),
        });
        return (Vec::new(), default.into_iter().collect());
    }
    let mut items = match origin {
        Origin::Unsaid => Vec::new(),
        Origin::Added => vec!["added".to_owned()],
        Origin::Renamed(older) => vec![format!("renamed_from = {older}")],
        Origin::Converted(With { converter, fallback, renamed }) => {
            let renamed = renamed.as_ref().map(|older| format!("renamed_from = {older}"));
            let with = [format!("with = {converter}")];
            let refused = match fallback {
                Some(fallback) => Some(format!("fallback({fallback})")),
                // An object may lack the number.
                None if converter.contains("Wrapped(") => {
                    let why = "nobody leaves the number out";
                    Some(format!("refuses(upgrade = {why:?}, downgrade = {why:?})"))
                }
                None => None,
            };
            renamed.into_iter().chain(with).chain(refused).collect()
        }
    };
    match default {
        Some(Literal::Struct { .. }) => {
            items.push(format!("default = {}", constant_name(owner, name)));
        }
        Some(value) => items.push(format!("default = {value}")),
        None => {}
    }
    items.extend(refuses_null.then(|| "nullable = false".to_owned()));
    items.extend((*wrap == Wrap::Keyed).then(|| "list_map_keys(key)".to_owned()));
    (items, Vec::new())
}

fn pattern(base: &Base) -> Option<&'static str> {
    match base {
        Base::Digits => Some("^(0|[1-9][0-9]{0,3})$"),
        Base::Json => Some(r#"^(\{"amount": ?[0-9]{1,4}\}|oops)$"#),
        _ => None,
    }
}

impl Display for Moved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} => {}", self.from.join("."), self.to.join("."))?;
        self.with.map_or(Ok(()), |with| write!(f, ", {with}"))
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "i64",
            Self::Text | Self::Digits | Self::Json => "String",
            Self::Bool => "bool",
            Self::Struct(name) | Self::Enum(name) | Self::Union(name) => name,
        })
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(f, "{number}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::EmptyText => f.write_str("String::new()"),
            Self::OwnedText(text) => write!(f, "{text:?}.to_owned()"),
            Self::Amount => f.write_str("amount"),
            Self::Variant { of, name } => write!(f, "{of}::{name}"),
            Self::Struct { of, fields } => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                write!(f, "{of} {{ {} }}", fields.join(", "))
            }
            Self::Nothing => f.write_str("None"),
            Self::Some(value) => write!(f, "Some({value})"),
            Self::EmptyList => f.write_str("Vec::new()"),
            Self::EmptyMap => f.write_str("BTreeMap::new()"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "vec![{}]", items.join(", "))
            }
            Self::Map(value) => write!(f, "BTreeMap::from([(\"a\".to_owned(), {value})])"),
            Self::Either(one, other) => write!(f, "if amount > 1 {{ {one} }} else {{ {other} }}"),
        }
    }
}

/// Text that is indented by its blocks.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    indent: String,
}

impl Source {
    pub(crate) fn lines(&mut self, lines: &str) {
        for line in lines.lines() {
            let indent = if line.is_empty() { "" } else { &self.indent };
            self.text.extend([indent, line, "\n"]);
        }
    }

    pub(crate) fn block(&mut self, head: &str, end: &str, inside: impl FnOnce(&mut Self)) {
        self.lines(&format!("{head} {{"));
        let indent = format!("{}    ", self.indent);
        let outer = mem::replace(&mut self.indent, indent);
        inside(self);
        self.indent = outer;
        self.lines(end);
    }

    /// An attribute, if it has items.
    fn attribute<T: AsRef<str>>(&mut self, name: &str, items: &[T]) {
        if let Some(list) = listed(name, items.iter().map(|item| item.as_ref().to_owned())) {
            self.lines(&format!("#[{list}]"));
        }
    }
}
