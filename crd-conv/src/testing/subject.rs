//! A resource on trial: its conversions, its schemas, and objects of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::{
    choices::Choices, draw::Draw, ground::Ground, server, stop::Stop, stray::Stray, tree::Tree,
};
use crate::complement::{annotation_prefix, unpack};
use crate::schema::Schema;
use crate::{ConversionError, Converted, Resource};

/// A resource between two of its versions, while cases of a law are tried on it.
pub(super) struct Subject<'g> {
    pub(super) resource: &'g Resource,
    pub(super) schemas: &'g [Schema],
    /// What the annotations of the carrier start with.
    pub(super) prefix: String,
    ground: &'g Ground<'g>,
    from: usize,
    to: usize,
    seen: Cell<Seen>,
}

/// What was seen in a case.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// A conversion kept something for another version.
    pub(super) kept: bool,
    /// A conversion dropped an entry, or left it alone.
    pub(super) dropped: bool,
}

/// An object of one version that goes to another one.
pub(super) struct Case {
    pub(super) object: String,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'g> Subject<'g> {
    pub(super) fn new(ground: &'g Ground<'g>, from: usize, to: usize) -> Self {
        Self {
            resource: ground.resource,
            schemas: &ground.schemas,
            prefix: annotation_prefix(ground.resource.definition().group),
            ground,
            from,
            to,
            seen: Cell::default(),
        }
    }

    /// What was seen since this was last asked.
    pub(super) fn take_seen(&self) -> Seen {
        self.seen.take()
    }

    pub(super) fn version(&self, version: usize) -> &'static str {
        self.ground.version(version)
    }

    pub(super) fn versions(&self) -> usize {
        self.schemas.len()
    }

    pub(super) fn storage(&self) -> usize {
        let versions = self.resource.definition().versions;
        versions.iter().position(|version| version.storage).unwrap_or(0)
    }

    /// An object, and the version to which it goes.
    pub(super) fn case(&self, stray: Stray, choices: &mut Choices<'_>) -> Case {
        let Self { from, to, .. } = *self;
        Case { object: self.object(from, stray, choices), from, to }
    }

    pub(super) fn object(&self, version: usize, stray: Stray, choices: &mut Choices<'_>) -> String {
        self.ground.object(version, stray, self.ground.learned(), choices)
    }

    /// A value of a schema.
    pub(super) fn value(&self, schema: &Schema, choices: &mut Choices<'_>) -> Tree {
        let Ground { known, .. } = self.ground;
        let mut draw = Draw { choices, stray: Stray::Valid, known, learned: self.ground.learned() };
        Tree::read(&draw.value(schema, 0))
    }

    /// A name that one of the versions knows.
    pub(super) fn name(&self, choices: &mut Choices<'_>) -> &str {
        self.ground.known.name(choices)
    }

    /// Converts an object.
    pub(super) fn converted(&self, object: &str, to: usize) -> Result<Converted, ConversionError> {
        let converted = self.resource.convert(object.as_bytes(), self.version(to))?;
        let Seen { kept, dropped } = self.seen.get();
        self.seen.set(Seen {
            kept: kept || converted.json.contains(&self.prefix),
            dropped: dropped || !converted.losses.is_empty(),
        });
        Ok(converted)
    }

    /// Converts an object; where the author's code refuses a value, no law has anything to say.
    pub(super) fn try_convert(&self, object: &str, to: usize) -> Result<Converted, Stop> {
        self.converted(object, to).map_err(|error| Stop::Refused(error.to_string()))
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
