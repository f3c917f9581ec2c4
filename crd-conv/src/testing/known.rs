//! What is known of a resource before its objects are drawn: names, patterns, and the values that conversions make.

use std::collections::{BTreeSet, HashMap};

use regex_syntax::hir::Hir;

use super::{choices::Choices, draw::Stray, server, subject::Ground};
use crate::{
    apiserver::{node::Node, pattern, value::fits},
    json::{Json, Number},
    schema::Schema,
};

/// Names and patterns of all versions.
#[derive(Default)]
pub(super) struct Known {
    names: BTreeSet<String>,
    patterns: HashMap<String, Hir>,
    versions: Vec<Fields>,
}

/// The fields of a version.
#[derive(Default)]
struct Fields {
    /// The number of its schema.
    number: usize,
    /// By name; `None` where two of one name are of different types.
    named: HashMap<String, Option<Schema>>,
}

impl Fields {
    fn collect(&mut self, schema: &Schema) {
        for (name, property) in &schema.properties {
            let known = self.named.entry(name.clone()).or_insert_with(|| Some(property.clone()));
            if known.as_ref().is_some_and(|known| known.ty != property.ty) {
                *known = None;
            }
            self.collect(property);
        }
        for inside in schema.items.iter().chain(&schema.additional_properties) {
            self.collect(inside);
        }
    }
}

impl Known {
    pub(super) fn of(schemas: &[Schema]) -> Self {
        let mut known = Self::default();
        for schema in schemas {
            known.collect(schema);
            let number = number_of(schema).unwrap_or_default();
            let mut fields = Fields { number, named: HashMap::new() };
            fields.collect(schema);
            known.versions.push(fields);
        }
        known
    }

    fn collect(&mut self, schema: &Schema) {
        if let Some(pattern) = &schema.pattern
            && !self.patterns.contains_key(pattern)
        {
            let translated = pattern::parse(pattern).ok().and_then(|pattern| pattern.translated);
            if let Some(translated) = translated
                && let Ok(hir) = regex_syntax::parse(&translated)
            {
                self.patterns.insert(pattern.clone(), hir);
            }
        }
        for (name, property) in &schema.properties {
            self.names.insert(name.clone());
            self.collect(property);
        }
        for inside in schema.items.iter().chain(&schema.additional_properties) {
            self.collect(inside);
        }
        for branch in schema.all_of.iter().chain(&schema.any_of).chain(&schema.one_of) {
            self.collect(branch);
        }
    }

    /// A name that one of the versions knows.
    pub(super) fn name(&self, choices: &mut Choices<'_>) -> &str {
        let place = choices.below(self.names.len().max(1));
        self.names.iter().nth(place).map_or("", String::as_str)
    }

    /// The names that any version knows.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    /// The field of a name in the version of a schema, which is the end of a type that holds itself: rules go on there, and what
    /// the type reads isn't everything that the schema takes.
    pub(super) fn below_end(&self, schema: &Schema, name: &str) -> Below<'_> {
        let number = number_of(schema).filter(|_| schema.properties.is_empty());
        let Some(number) = number else { return Below::Anything };
        let after = self.versions.partition_point(|fields| fields.number <= number);
        match after.checked_sub(1).and_then(|version| self.versions[version].named.get(name)) {
            None => Below::Anything,
            Some(Some(field)) => Below::Field(field),
            Some(None) => Below::Unclear,
        }
    }

    pub(super) fn pattern(&self, pattern: &str) -> Option<&Hir> {
        self.patterns.get(pattern)
    }
}

/// What a member may hold where the schema says nothing.
pub(super) enum Below<'k> {
    Anything,
    Field(&'k Schema),
    /// It is a field's, but of which one nobody knows.
    Unclear,
}

/// How many objects of each version are converted to learn from.
const LESSONS: usize = 10;

/// How many values are learned for one field, and how long they may be.
const MAX_LEARNED: usize = 16;
const MAX_LENGTH: usize = 64;

/// The values that conversions make, for each field: fills, what stands for a variant that isn't there, texts that the author's
/// converters read. Random values would rarely hit on them.
#[derive(Default)]
pub(super) struct Learned(HashMap<String, Vec<String>>);

impl Learned {
    /// Converts objects of every version to every other one, and then objects with what came of that.
    pub(super) fn from(ground: &Ground<'_>) -> Self {
        let mut learned = Self::default();
        let mut random = fastrand::Rng::with_seed(0);
        for _ in 0..2 {
            let mut made = Vec::new();
            for from in 0..ground.schemas.len() {
                for _ in 0..LESSONS {
                    let choices: Vec<u32> = (0..200).map(|_| random.u32(..)).collect();
                    let mut choices = Choices::new(&choices);
                    let object = ground.object(from, Stray::Valid, &learned, &mut choices);
                    made.extend(ground.everywhere(&object, from));
                }
            }
            for (object, version) in made {
                if let Ok(object) = server::read(&object) {
                    learned.collect(&object, &ground.schemas[version]);
                }
            }
        }
        for values in learned.0.values_mut() {
            values.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        }
        learned
    }

    fn collect(&mut self, value: &Json, schema: &Schema) {
        match value {
            Json::Object(members) => {
                for (name, member) in members {
                    if let Some(schema) = schema.declared(name) {
                        self.collect(member, schema);
                    }
                }
            }
            Json::Array(items) => {
                for item in items {
                    if let Some(schema) = &schema.items {
                        self.collect(item, schema);
                    }
                }
            }
            Json::Number(_) | Json::Text(_) if schema.values.is_empty() => {
                for value in std::iter::once(value.clone()).chain(beside(value)) {
                    if fits(&value, schema) {
                        self.add(server::write(&value), schema);
                    }
                }
            }
            Json::Number(_) | Json::Text(_) | Json::Null | Json::Boolean(_) => {}
        }
    }

    fn add(&mut self, text: String, schema: &Schema) {
        let Some(number) = &schema.description else { return };
        let values = self.0.entry(number.clone()).or_default();
        if values.len() < MAX_LEARNED && text.len() <= MAX_LENGTH && !values.contains(&text) {
            values.push(text);
        }
    }

    /// Now and then a value for a field.
    pub(super) fn draw(&self, schema: &Schema, choices: &mut Choices<'_>) -> Option<&str> {
        let values = self.0.get(schema.description.as_ref()?)?;
        choices.once_in(3).then(|| values[choices.below(values.len())].as_str())
    }
}

/// What converters may take for the same value, or only just not.
fn beside(value: &Json) -> Vec<Json> {
    match value {
        Json::Number(Number::Signed(number)) => [number.checked_add(1), number.checked_sub(1)]
            .into_iter()
            .flatten()
            .map(|number| Json::Number(Number::Signed(number)))
            .collect(),
        Json::Text(text) => vec![Json::Text(format!("0{text}"))],
        _ => Vec::new(),
    }
}

/// Numbers the fields of a version, of which some may be equal, from the given number on. The number stands in the place of
/// the description, so that a copy has it, too: what is drawn for one of several forms is drawn from a copy.
pub(super) fn number(schema: &mut Schema, next: &mut usize) {
    schema.description = Some(next.to_string());
    *next += 1;
    let inside = schema.items.iter_mut().chain(&mut schema.additional_properties);
    let inside = inside.map(|inside| &mut **inside);
    for inside in inside.chain(schema.properties.values_mut()) {
        number(inside, next);
    }
}

fn number_of(schema: &Schema) -> Option<usize> {
    schema.description.as_ref()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::crd::fixture::cron_tab;
    use crate::testing::Trial;

    #[test]
    fn converters_get_what_they_read() {
        let resource = cron_tab();
        let trial = Trial::of(&resource).expect("a CRD");
        let has_field = |object: &String| object.contains("hostPort");
        let objects: Vec<String> = trial.objects("v1beta1").filter(has_field).take(200).collect();
        let converts = |object: &&String| resource.convert(object.as_bytes(), "v1").is_ok();
        let count = objects.iter().filter(converts).count();
        assert!(count > 80, "only {count} of 200 convert");
    }
}
