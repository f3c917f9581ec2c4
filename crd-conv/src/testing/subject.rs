//! A resource on trial: its conversions, its schemas, and objects of it.

use std::collections::{BTreeMap, BTreeSet};

use super::choices::Choices;
use super::draw::{Draw, Stray};
use super::laws::Stop;
use super::server;
use super::tree::Tree;
use crate::complement::{annotation_prefix, unpack};
use crate::crd::{CrdErrors, CrdOptions, Webhook};
use crate::schema::Schema;
use crate::{Converted, Resource};

/// A resource with the schemas of its versions, oldest first.
pub(super) struct Subject<'r> {
    pub(super) resource: &'r Resource,
    pub(super) schemas: Vec<Schema>,
    /// The names that any version knows.
    names: Vec<String>,
    /// What the annotations of the carrier start with.
    pub(super) prefix: String,
}

/// An object of one version that goes to another one.
pub(super) struct Case {
    pub(super) object: String,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'r> Subject<'r> {
    pub(super) fn new(resource: &'r Resource) -> Result<Self, CrdErrors> {
        let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
        let mut by_name: BTreeMap<String, Schema> = resource
            .crd(&options)?
            .spec
            .versions
            .into_iter()
            .map(|version| (version.name, version.schema.open_api_v3_schema))
            .collect();
        let versions = resource.definition().versions;
        let schemas: Vec<Schema> =
            versions.iter().filter_map(|version| by_name.remove(version.name)).collect();
        let mut names = BTreeSet::new();
        for schema in &schemas {
            collect_names(schema, &mut names);
        }
        let prefix = annotation_prefix(resource.definition().group);
        Ok(Self { resource, schemas, names: names.into_iter().collect(), prefix })
    }

    pub(super) fn version(&self, version: usize) -> &'static str {
        self.resource.definition().versions[version].name
    }

    pub(super) fn versions(&self) -> usize {
        self.schemas.len()
    }

    pub(super) fn storage(&self) -> usize {
        let versions = self.resource.definition().versions;
        versions.iter().position(|version| version.storage).unwrap_or(0)
    }

    /// An object, and another version to which it goes.
    pub(super) fn case(&self, stray: Stray, choices: &mut Choices<'_>) -> Case {
        let count = self.versions();
        let from = choices.below(count);
        let to = if count > 1 { (from + 1 + choices.below(count - 1)) % count } else { from };
        Case { object: self.object(from, stray, choices), from, to }
    }

    /// An object, and a neighbour of its version.
    pub(super) fn hop(&self, stray: Stray, choices: &mut Choices<'_>) -> Case {
        let older = choices.below(self.versions().saturating_sub(1).max(1));
        let newer = (older + 1).min(self.versions() - 1);
        let (from, to) = if choices.below(2) == 0 { (older, newer) } else { (newer, older) };
        Case { object: self.object(from, stray, choices), from, to }
    }

    pub(super) fn object(&self, version: usize, stray: Stray, choices: &mut Choices<'_>) -> String {
        let definition = self.resource.definition();
        let api_version = format!("{}/{}", definition.group, self.version(version));
        let schema = &self.schemas[version];
        let mut draw = Draw { choices, stray, names: &self.names };
        draw.object(definition.kind, &api_version, schema)
    }

    /// A value of a schema.
    pub(super) fn value(&self, schema: &Schema, choices: &mut Choices<'_>) -> Tree {
        let mut draw = Draw { choices, stray: Stray::Valid, names: &self.names };
        Tree::read(&draw.value(schema, 0))
    }

    /// A name that one of the versions knows.
    pub(super) fn name(&self, choices: &mut Choices<'_>) -> &str {
        self.names.get(choices.below(self.names.len().max(1))).map_or("", String::as_str)
    }

    /// Converts an object; where the author's code refuses a value, no law has anything to say.
    pub(super) fn try_convert(&self, object: &str, to: usize) -> Result<Converted, Stop> {
        self.resource
            .convert(object.as_bytes(), self.version(to))
            .map_err(|error| Stop::Refused(error.to_string()))
    }

    /// As [`try_convert`](Self::try_convert), and nothing may be lost.
    pub(super) fn convert(&self, object: &str, to: usize) -> Result<String, Stop> {
        let converted = self.try_convert(object, to)?;
        if converted.losses.is_empty() {
            return Ok(converted.json);
        }
        let losses: Vec<String> =
            converted.losses.iter().map(|(loss, count)| format!("{count} {loss}")).collect();
        Err(Stop::broken(format!(
            "on the way to {} entries were dropped ({}) of\n{object}",
            self.version(to),
            losses.join(", "),
        )))
    }

    /// What the API server has of an object in the body of a request.
    pub(super) fn decoded(&self, object: &str, version: usize) -> Result<String, Stop> {
        server::decode(object, &self.schemas[version])
            .map_err(|error| Stop::Refused(error.to_string()))
    }

    /// What the API server makes of an object that a conversion made.
    pub(super) fn served(&self, object: &str, version: usize) -> Result<String, Stop> {
        server::converted(object, &self.schemas[version])
            .map_err(|error| Stop::Refused(error.to_string()))
    }

    /// An object without the carrier, and with `metadata`.
    pub(super) fn essence(&self, object: &str) -> Tree {
        let mut tree = Tree::read(object);
        let Some(root) = tree.members_mut() else { return tree };
        let metadata =
            root.entry("metadata".to_owned()).or_insert_with(|| Tree::Object(BTreeMap::new()));
        if let Some(metadata) = metadata.members_mut()
            && let Some(Tree::Object(annotations)) = metadata.get_mut("annotations")
        {
            annotations.retain(|key, _| !key.starts_with(&self.prefix));
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
        tree
    }

    /// The annotations of the carrier, read.
    pub(super) fn carrier(&self, object: &str) -> BTreeMap<String, Tree> {
        let tree = Tree::read(object);
        let Some(Tree::Object(annotations)) = tree.at(&["metadata", "annotations"]) else {
            return BTreeMap::new();
        };
        let read = |(key, value): (&String, &Tree)| match value {
            Tree::Text(text) if key.starts_with(&self.prefix) => {
                Some((key.clone(), unpacked(Tree::read(text))))
            }
            _ => None,
        };
        annotations.iter().filter_map(read).collect()
    }

    /// An object with another carrier.
    pub(super) fn with_carrier(&self, object: &str, carrier: &BTreeMap<String, Tree>) -> String {
        let carrier = carrier.iter().map(|(key, value)| (key.clone(), Tree::Text(value.write())));
        let mut tree = self.essence(object);
        let metadata = tree.at_mut(&["metadata"]).and_then(Tree::members_mut);
        if let Some(metadata) = metadata {
            let annotations = metadata.entry("annotations".to_owned());
            let annotations = annotations.or_insert_with(|| Tree::Object(BTreeMap::new()));
            if let Some(annotations) = annotations.members_mut() {
                annotations.extend(carrier);
            }
        }
        tree.write()
    }
}

/// An annotation as it is before it is packed.
fn unpacked(mut annotation: Tree) -> Tree {
    let inside = match annotation.at(&["packed"]) {
        Some(Tree::Text(packed)) => unpack(packed).map(|inside| Tree::read(&inside)),
        _ => None,
    };
    if let (Some(Tree::Object(inside)), Some(members)) = (inside, annotation.members_mut()) {
        members.remove("packed");
        members.extend(inside);
    }
    annotation
}

fn collect_names(schema: &Schema, names: &mut BTreeSet<String>) {
    for (name, property) in &schema.properties {
        names.insert(name.clone());
        collect_names(property, names);
    }
    for inside in schema.items.iter().chain(&schema.additional_properties) {
        collect_names(inside, names);
    }
}
