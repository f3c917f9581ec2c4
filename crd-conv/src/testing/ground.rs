//! What the laws are tried on: a resource, the schemas of its versions, and objects drawn from
//! them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{
    choices::Choices,
    draw::Draw,
    keyed::share_keys,
    known::{Known, number},
    learned::Learned,
    server,
    stray::Stray,
};
use crate::ResourceType;
use crate::crd::{CrdErrors, CrdOptions, Webhook};
use crate::engine::{Place, STATUS_ENTRIES};
use crate::schema::Schema;

/// How many objects of each version are converted to learn from.
const LESSONS: usize = 10;

/// A resource with the schemas of its versions, oldest first.
pub(super) struct Ground<'r> {
    pub(super) resource: &'r ResourceType,
    pub(super) schemas: Vec<Schema>,
    /// The schemas without the fields that only conversions write.
    pub(super) drawn: Vec<Schema>,
    /// The same, with the list keys of other versions.
    pub(super) keyed: Vec<Schema>,
    pub(super) known: Known,
    /// The author's own objects of each version.
    pub(super) examples: Vec<Vec<String>>,
    learned: OnceLock<Learned>,
}

impl<'r> Ground<'r> {
    pub(super) fn new(resource: &'r ResourceType) -> Result<Self, CrdErrors> {
        let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
        let mut by_name: BTreeMap<String, Schema> = resource
            .crd(&options)?
            .spec
            .versions
            .into_iter()
            .map(|version| (version.name, version.schema.open_api_v3_schema))
            .collect();
        let versions = resource.definition().versions;
        let mut schemas: Vec<Schema> =
            versions.iter().filter_map(|version| by_name.remove(version.name)).collect();
        let mut next = 0;
        for schema in &mut schemas {
            number(schema, &mut next);
        }
        let mut drawn = schemas.clone();
        for (schema, place) in drawn.iter_mut().zip(resource.status_places()) {
            match (place, schema.properties.get_mut("status")) {
                (Place::Status, Some(status)) => drop(status.properties.remove(STATUS_ENTRIES)),
                (Place::OwnStatus, Some(_)) => drop(schema.properties.remove("status")),
                _ => {}
            }
        }
        let mut keyed = drawn.clone();
        share_keys(&mut keyed);
        let known = Known::of(&drawn);
        let examples = vec![Vec::new(); schemas.len()];
        Ok(Self { resource, schemas, drawn, keyed, known, examples, learned: OnceLock::new() })
    }

    /// Returns the values that conversions make for fields. They are learned once.
    pub(super) fn learned(&self) -> &Learned {
        self.learned.get_or_init(|| self.learn())
    }

    pub(super) fn version(&self, version: usize) -> &'static str {
        self.resource.definition().versions[version].name
    }

    pub(super) fn object(
        &self,
        version: usize,
        stray: Stray,
        learned: &Learned,
        choices: &mut Choices<'_>,
    ) -> String {
        self.object_of(&self.drawn[version], version, stray, learned, choices)
    }

    /// Returns an object with another schema than its version's.
    pub(super) fn object_of(
        &self,
        schema: &Schema,
        version: usize,
        stray: Stray,
        learned: &Learned,
        choices: &mut Choices<'_>,
    ) -> String {
        let definition = self.resource.definition();
        let api_version = format!("{}/{}", definition.group, self.version(version));
        let mut draw = Draw { choices, stray, known: &self.known, learned };
        draw.object(definition.kind, &api_version, schema)
    }

    /// Returns an object in all other versions that it can be converted to, with their positions.
    fn everywhere(&self, object: &str, from: usize) -> Vec<(String, usize)> {
        let others = (0..self.schemas.len()).filter(|to| *to != from);
        let converted = |to| {
            let converted = self.resource.convert(object.as_bytes(), self.version(to)).ok()?;
            Some((converted.json, to))
        };
        others.filter_map(converted).collect()
    }

    /// Converts objects of every version to every other one, and then objects with the values that
    /// resulted from that. The author's own objects come first.
    fn learn(&self) -> Learned {
        let mut learned = Learned::default();
        let mut random = fastrand::Rng::with_seed(0);
        for (version, examples) in self.examples.iter().enumerate() {
            for example in examples {
                let mut all = self.everywhere(example, version);
                all.push((example.clone(), version));
                self.collect(all, &mut learned);
            }
        }
        for _ in 0..2 {
            let mut made = Vec::new();
            for from in 0..self.schemas.len() {
                for _ in 0..LESSONS {
                    let choices: Vec<u32> = (0..200).map(|_| random.u32(..)).collect();
                    let mut choices = Choices::new(&choices);
                    let object = self.object(from, Stray::Valid, &learned, &mut choices);
                    made.extend(self.everywhere(&object, from));
                }
            }
            self.collect(made, &mut learned);
        }
        learned.sort();
        learned
    }

    fn collect(&self, objects: Vec<(String, usize)>, learned: &mut Learned) {
        for (object, version) in objects {
            if let Ok(object) = server::read(&object) {
                learned.collect(&object, &self.drawn[version]);
            }
        }
    }
}
