//! What is known about a resource before its objects are drawn: names and patterns.

use std::collections::{BTreeSet, HashMap};

use regex_syntax::hir::Hir;

use super::choices::Choices;
use crate::{apiserver::pattern, schema::Schema};

/// The names and patterns of all versions.
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
    /// By name. `None` if fields of this name have different types.
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

    /// Returns a name that one of the versions knows.
    pub(super) fn name(&self, choices: &mut Choices<'_>) -> &str {
        let place = choices.below(self.names.len().max(1));
        self.names.iter().nth(place).map_or("", String::as_str)
    }

    /// Returns the names that any version knows.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    /// Returns the field with this name in a schema's version. The schema is the end of a type that
    /// contains itself: rules go on there, and the type doesn't read everything that the schema
    /// accepts.
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

/// What a member may contain if the schema says nothing.
pub(super) enum Below<'k> {
    Anything,
    Field(&'k Schema),
    /// It belongs to a field, but it isn't known to which one.
    Unclear,
}

/// Numbers the fields of a version from the given number on. Some fields may be equal. The number
/// replaces the description, so a copy has it, too: for one of several forms, values are drawn from
/// a copy.
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
