//! What an enum's branches say about its variants: the variants that are only a name, and doc comments.

use serde_json::{Map, Value};

use super::{Schema, SchemaType};
use crate::{outline::keywords::is_names, plan::Declared};

/// A branch as it was read.
pub(super) struct Read {
    pub(super) schema: Schema,
    /// From the doc comment of the variant.
    pub(super) text: Option<String>,
    pub(super) declared: Option<Declared>,
}

/// The variants that are only a name.
#[derive(Default)]
pub(super) struct Names {
    values: Vec<Value>,
    lines: Vec<String>,
}

impl Names {
    /// Whether a branch is nothing but names, which are then taken.
    pub(super) fn take(&mut self, branch: &Map<String, Value>) -> bool {
        if !is_names(branch) {
            return false;
        }
        if let Some(value) = branch.get("const") {
            if let (Some(name), Some(text)) =
                (value.as_str(), branch.get("description").and_then(Value::as_str))
            {
                self.lines.push(line(name, text));
            }
            self.values.push(value.clone());
        } else if let Some(Value::Array(more)) = branch.get("enum") {
            self.values.extend(more.iter().cloned());
        }
        true
    }

    pub(super) fn text(&self) -> Option<String> {
        (!self.lines.is_empty()).then(|| self.lines.join("\n"))
    }

    pub(super) fn branch(self) -> Option<Read> {
        if self.values.is_empty() {
            return None;
        }
        let schema = Schema {
            ty: Some(SchemaType::Text),
            values: self.values.iter().map(Into::into).collect(),
            ..Schema::default()
        };
        Some(Read { schema, text: None, declared: None })
    }
}

fn line(name: &str, text: &str) -> String {
    format!("- `{name}`: {text}")
}

/// Writes the doc comments of variants where a structural schema can have them: at the field of the variant, or at the tag.
pub(super) fn document(branches: &mut [Read], exclusive: bool) {
    let tag = tag_of(branches);
    let mut lines = Vec::new();
    for Read { schema, text, .. } in branches.iter_mut() {
        let Some(text) = text.take() else { continue };
        let Schema { properties, required, .. } = schema;
        if let Some(tag) = &tag {
            let name = properties.get(tag).and_then(|tag| tag.values.first()?.as_str());
            lines.extend(name.map(|name| line(name, &text)));
        } else if let ([name], 1, true) = (&required[..], properties.len(), exclusive)
            && let Some(property) = properties.get_mut(name)
        {
            property.description = Some(text);
        } else {
            schema.description = Some(text);
        }
    }
    if let Some(tag) = tag.filter(|_| !lines.is_empty()) {
        let lines = lines.join("\n");
        for Read { schema, .. } in branches {
            if let Some(property) = schema.properties.get_mut(&tag) {
                property.description = Some(lines.clone());
            }
        }
    }
}

/// The field that says which of the branches it is.
fn tag_of(branches: &[Read]) -> Option<String> {
    let value = |read: &Read, name: &str| {
        let schema = &read.schema;
        let value = match &schema.properties.get(name)?.values[..] {
            [value] => value.as_str()?.to_owned(),
            _ => return None,
        };
        schema.required.iter().any(|required| required == name).then_some(value)
    };
    let first = branches.first().filter(|_| branches.len() > 1)?;
    first.schema.properties.keys().find_map(|name| {
        let mut values: Vec<String> =
            branches.iter().map(|read| value(read, name)).collect::<Option<_>>()?;
        values.sort_unstable();
        values.dedup();
        (values.len() == branches.len()).then(|| name.clone())
    })
}
