//! A resource as the source of a module.

use std::fmt::{self, Display, Formatter};
use std::mem;

use crate::model::{
    Base, Enum, Field, Literal, Mapping, Moved, Origin, Resource, Struct, Variant, VariantOrigin,
    Version, Wrap,
};

const ALLOW: &str = r#"#[allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "only the tests read what is drawn for them"
)]"#;

const IMPORTS: &str = "use std::collections::BTreeMap;

use crd_conv::Versioned;
use crd_conv::with::{IntText, Inverse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};";

const RESOURCE: &str = r#"
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]"#;

const DERIVE: &str = "#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]";

/// The module of a resource, with its tests.
pub(crate) fn module(seed: u64, resource: &Resource) -> String {
    let mut source = Source::default();
    source.lines(ALLOW);
    source.block(&format!("mod shape_{seed}"), "}", |source| {
        source.lines(IMPORTS);
        for (place, version) in resource.versions.iter().enumerate() {
            source.lines("\n");
            source.block(&format!("mod {}", version_name(place)), "}", |source| {
                source.lines("use super::*;");
                version_types(source, version, place.checked_sub(1));
            });
        }
        source.lines(RESOURCE);
        source.block("enum Thing", "}", |source| {
            for place in 0..resource.versions.len() {
                if place == resource.storage {
                    source.attribute("versioned", &["storage"]);
                }
                let (variant, module) = (version_name(place).to_uppercase(), version_name(place));
                source.lines(&format!("{variant} {{ spec: {module}::Spec }},"));
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

fn version_types(source: &mut Source, version: &Version, older: Option<usize>) {
    for (name, value) in &version.structs {
        source.lines(&format!("\n{DERIVE}"));
        source.attribute("versioned", &struct_items(name, value, older));
        source.block(&format!("pub struct {name}"), "}", |source| {
            for field in &value.fields {
                write_field(source, "pub ", name, field);
            }
        });
        for field in &value.fields {
            if let Some(default @ Literal::Struct { of, .. }) = &field.default {
                let constant = constant_name(name, &field.name);
                source.lines(&format!("const {constant}: {of} = {default};"));
            }
        }
    }
    for (name, value) in &version.enums {
        source.lines(&format!("\n{DERIVE}"));
        let tag = value.tag.map(|tag| format!("tag = {tag:?}"));
        source.attribute("serde", tag.as_slice());
        source.attribute("versioned", &enum_items(name, value, older));
        source.block(&format!("pub enum {name}"), "}", |source| {
            for variant in &value.variants {
                write_variant(source, variant);
            }
        });
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
    let Some(Mapping { removed, moved }) = &value.mapping else { return Vec::new() };
    let moved = moved.iter().map(Moved::to_string);
    [from(name, older)]
        .into_iter()
        .chain(listed("removed", removed.iter().cloned()))
        .chain(listed("moved", moved))
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

fn write_variant(source: &mut Source, variant: &Variant) {
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
                write_field(source, "", name, field);
            }
        });
    }
}

fn write_field(source: &mut Source, visibility: &str, owner: &str, field: &Field) {
    let Field { name, base, wrap, default, refuses_null, skipped, origin } = field;
    let mut items = match origin {
        Origin::Unsaid => Vec::new(),
        Origin::Added => vec!["added".to_owned()],
        Origin::Renamed(older) => vec![format!("renamed_from = {older}")],
        Origin::IntToText => vec!["with = IntText".to_owned()],
        Origin::TextToInt => {
            vec!["with = Inverse(IntText)".to_owned(), "fallback(upgrade = _)".to_owned()]
        }
    };
    match default {
        Some(Literal::Struct { .. }) => {
            items.push(format!("default = {}", constant_name(owner, name)));
        }
        Some(value) => items.push(format!("default = {value}")),
        None => {}
    }
    if *refuses_null {
        items.push("nullable = false".to_owned());
    }
    let ty = match wrap {
        Wrap::Option => format!("Option<{base}>"),
        Wrap::Plain => base.to_string(),
        Wrap::List | Wrap::Keyed => format!("Vec<{base}>"),
        Wrap::Map => format!("BTreeMap<String, {base}>"),
    };
    match wrap {
        Wrap::Option if *skipped => {
            source.attribute("serde", &[r#"skip_serializing_if = "Option::is_none""#]);
        }
        Wrap::Option | Wrap::Plain => {}
        Wrap::List | Wrap::Map => source.attribute("serde", &["default"]),
        Wrap::Keyed => {
            source.attribute("serde", &["default"]);
            items.push("list_map_keys(key)".to_owned());
        }
    }
    source.attribute("versioned", &items);
    if *base == Base::Digits {
        source.attribute("schemars", &[r#"regex(pattern = "^(0|[1-9][0-9]{0,3})$")"#]);
    }
    source.lines(&format!("{visibility}{name}: {ty},"));
}

impl Display for Moved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} => {}", self.from.join("."), self.to.join("."))
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "i64",
            Self::Text | Self::Digits => "String",
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
        }
    }
}

/// Text that is indented by its blocks.
#[derive(Default)]
struct Source {
    text: String,
    indent: String,
}

impl Source {
    fn lines(&mut self, lines: &str) {
        for line in lines.lines() {
            let indent = if line.is_empty() { "" } else { &self.indent };
            self.text.extend([indent, line, "\n"]);
        }
    }

    fn block(&mut self, head: &str, end: &str, inside: impl FnOnce(&mut Self)) {
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
