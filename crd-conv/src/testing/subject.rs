//! The subject of a law: a resource with its conversions, its schemas, and objects of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::{
    choices::Choices,
    converters::{self, Meeting},
    draw::Draw,
    ground::Ground,
    server,
    stop::Stop,
    stray::Stray,
    tree::Tree,
};
use crate::complement::{annotation_prefix, unpack};
use crate::engine::{MAX_ANNOTATIONS, Place, STATUS_ENTRIES, is_about_status};
use crate::schema::Schema;
use crate::{ConversionError, Converted, ResourceType};

/// A resource between two of its versions, while cases of a law are tried on it.
pub(super) struct Subject<'g> {
    pub(super) resource: &'g ResourceType,
    pub(super) schemas: &'g [Schema],
    /// The schemas from which objects are drawn: without the fields that only conversions write.
    pub(super) drawn: &'g [Schema],
    /// The prefix of the carrier's annotations.
    pub(super) prefix: String,
    ground: &'g Ground<'g>,
    from: usize,
    to: usize,
    /// The author's own object that the case starts from, until it is used.
    example: Cell<Option<&'g str>>,
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

/// An object of one version that is converted to another one.
pub(super) struct Case {
    pub(super) object: String,
    /// How far it may stray from its schema.
    pub(super) stray: Stray,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'g> Subject<'g> {
    pub(super) fn new(
        ground: &'g Ground<'g>,
        from: usize,
        to: usize,
        example: Option<&'g str>,
    ) -> Self {
        Self {
            resource: ground.resource,
            schemas: &ground.schemas,
            drawn: &ground.drawn,
            prefix: annotation_prefix(ground.resource.definition().group),
            ground,
            from,
            to,
            example: Cell::new(example),
            seen: Cell::default(),
        }
    }

    /// Draws lists with distinct keys also in versions that don't declare the keys.
    pub(super) fn with_keys(self) -> Self {
        Self { drawn: &self.ground.keyed, ..self }
    }

    /// Returns what was seen since the last call.
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

    /// Returns an object, and the version that it is converted to.
    pub(super) fn case(&self, stray: Stray, choices: &mut Choices<'_>) -> Case {
        let Self { from, to, .. } = *self;
        if let Some(example) = self.example.take() {
            return Case { object: example.to_owned(), stray: Stray::Valid, from, to };
        }
        Case { object: self.object(from, stray, choices), stray, from, to }
    }

    pub(super) fn object(&self, version: usize, stray: Stray, choices: &mut Choices<'_>) -> String {
        let schema = &self.drawn[version];
        self.ground.object_of(schema, version, stray, self.ground.learned(), choices)
    }

    /// Draws a value of a schema.
    pub(super) fn value(&self, schema: &Schema, choices: &mut Choices<'_>) -> Tree {
        let Ground { known, .. } = self.ground;
        let mut draw = Draw { choices, stray: Stray::Valid, known, learned: self.ground.learned() };
        Tree::read(&draw.value(schema, 0))
    }

    /// Returns a name that one of the versions knows.
    pub(super) fn name(&self, choices: &mut Choices<'_>) -> &str {
        self.ground.known.name(choices)
    }

    /// Returns how converters treat the values in an object, on the hop to a neighboring version.
    pub(super) fn meetings(&self, object: &str, from: usize, to: usize) -> Vec<Meeting> {
        converters::meetings(self.ground, (from, to), &Tree::read(object))
    }

    /// Converts an object.
    pub(super) fn converted(&self, object: &str, to: usize) -> Result<Converted, ConversionError> {
        self.converted_within(MAX_ANNOTATIONS, object, to)
    }

    /// Converts an object, with another limit than the API server's.
    pub(super) fn converted_within(
        &self,
        max_annotations: usize,
        object: &str,
        to: usize,
    ) -> Result<Converted, ConversionError> {
        let to = self.version(to);
        let converted = self.resource.convert_within(max_annotations, object.as_bytes(), to)?;
        let Seen { kept, dropped } = self.seen.get();
        self.seen.set(Seen {
            kept: kept || converted.json.contains(&self.prefix),
            dropped: dropped || !converted.unrestored.is_empty(),
        });
        Ok(converted)
    }

    /// Converts an object. If the author's code refuses a value, no law has anything to say.
    pub(super) fn try_convert(&self, object: &str, to: usize) -> Result<Converted, Stop> {
        self.converted(object, to).map_err(|error| Stop::Refused(error.to_string()))
    }

    /// Like [`try_convert`](Self::try_convert), but nothing may be lost.
    pub(super) fn convert(&self, object: &str, to: usize) -> Result<String, Stop> {
        let converted = self.try_convert(object, to)?;
        if converted.unrestored.is_empty() {
            return Ok(converted.json);
        }
        let unrestored: Vec<String> = converted
            .unrestored
            .iter()
            .map(|(reason, count)| format!("{count} {reason}"))
            .collect();
        Err(Stop::broken(format!(
            "the conversion to {} drops entries ({}) of\n{object}",
            self.version(to),
            unrestored.join(", "),
        )))
    }

    /// Returns an object as the API server reads it from the body of a request.
    pub(super) fn decoded(&self, object: &str, version: usize) -> Result<String, Stop> {
        server::decode(object, &self.schemas[version])
            .map_err(|error| Stop::Refused(error.to_string()))
    }

    /// Returns what the API server makes of an object that a conversion made.
    pub(super) fn served(&self, object: &str, version: usize) -> Result<String, Stop> {
        server::converted(object, &self.schemas[version])
            .map_err(|error| Stop::Refused(error.to_string()))
    }

    /// Returns an object without entries, and with `metadata`.
    pub(super) fn essence(&self, object: &str) -> Tree {
        let mut tree = Tree::read(object);
        let Some(root) = tree.members_mut() else { return tree };
        root.entry("metadata".to_owned()).or_insert_with(|| Tree::Object(BTreeMap::new()));
        for [around, name] in self.places(&tree) {
            let Some(around) = tree.at_mut(&[around]).and_then(Tree::members_mut) else { continue };
            let Some(Tree::Object(place)) = around.get_mut(name) else { continue };
            place.retain(|key, _| !key.starts_with(&self.prefix));
            if place.is_empty() {
                around.remove(name);
            }
        }
        if self.status_place(&tree) == Place::OwnStatus
            && tree.at(&["status"]).is_some_and(|status| status.write() == "{}")
        {
            tree.members_mut().map(|root| root.remove("status"));
        }
        tree
    }

    /// Returns the places of an object's entries, if it has any: the annotations, and for status
    /// entries, the status.
    fn places(&self, object: &Tree) -> Vec<[&'static str; 2]> {
        let mut places = vec![["metadata", "annotations"]];
        if self.status_place(object) != Place::Annotations {
            places.push(["status", STATUS_ENTRIES]);
        }
        places
    }

    fn status_place(&self, object: &Tree) -> Place {
        let version = match object.at(&["apiVersion"]) {
            Some(Tree::Text(version)) => version.rsplit('/').next().unwrap_or_default(),
            _ => "",
        };
        let versions = self.resource.definition().versions.iter();
        let mut versions = versions.zip(self.resource.status_places());
        let place = versions.find(|(known, _)| known.name == version);
        place.map_or(Place::Annotations, |(_, place)| *place)
    }

    /// Lets a client send back the entries in the status, even if it writes a new status. It
    /// doesn't touch annotations.
    pub(super) fn send_back(&self, read: &str, edited: &mut Tree) {
        let read = Tree::read(read);
        for [around, name] in &self.places(&read)[1..] {
            if let Some(entries) = read.at(&[around, name])
                && let Some(around) = edited.at_mut(&[around]).and_then(Tree::members_mut)
            {
                around.insert((*name).to_owned(), entries.clone());
            }
        }
    }

    /// Reads the entries of an object.
    pub(super) fn carrier(&self, object: &str) -> BTreeMap<String, Tree> {
        let tree = Tree::read(object);
        let mut carrier = BTreeMap::new();
        for place in self.places(&tree) {
            let Some(Tree::Object(place)) = tree.at(&place) else { continue };
            let read = |(key, value): (&String, &Tree)| match value {
                Tree::Text(text) if key.starts_with(&self.prefix) => {
                    Some((key.clone(), unpacked(Tree::read(text))))
                }
                _ => None,
            };
            carrier.extend(place.iter().filter_map(read));
        }
        carrier
    }

    /// Returns an object with other entries.
    pub(super) fn with_carrier(&self, object: &str, carrier: &BTreeMap<String, Tree>) -> String {
        let mut tree = self.essence(object);
        if self.status_place(&tree) == Place::OwnStatus
            && carrier.keys().any(|key| is_about_status(key, &self.prefix))
            && let Some(root) = tree.members_mut()
        {
            root.entry("status".to_owned()).or_insert_with(|| Tree::Object(BTreeMap::new()));
        }
        let has_status = matches!(tree.at(&["status"]), Some(Tree::Object(_)));
        let [annotations, in_status @ ..] = &self.places(&tree)[..] else { return tree.write() };
        for (key, value) in carrier {
            let of_status = has_status && is_about_status(key, &self.prefix);
            let [around, name] = in_status.first().filter(|_| of_status).unwrap_or(annotations);
            let Some(around) = tree.at_mut(&[around]).and_then(Tree::members_mut) else { continue };
            let place = around.entry((*name).to_owned());
            let place = place.or_insert_with(|| Tree::Object(BTreeMap::new()));
            if let Some(place) = place.members_mut() {
                place.insert(key.clone(), Tree::Text(value.write()));
            }
        }
        tree.write()
    }
}

/// Returns an annotation as it was before it was packed.
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
