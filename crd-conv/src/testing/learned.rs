//! The values that conversions make. They are drawn again.

use std::collections::HashMap;

use super::{choices::Choices, server};
use crate::{
    apiserver::value::fits,
    json::{Json, Number},
    schema::Schema,
};

/// How many values are learned for one field, and how long they may be.
const MAX_LEARNED: usize = 16;
const MAX_LENGTH: usize = 64;

/// The values that conversions make, for each field: those that rules write, those that a version
/// shows in place of a variant, and strings that the author's converters read. Random values would
/// rarely be among them.
#[derive(Default)]
pub(super) struct Learned(HashMap<String, Vec<String>>);

impl Learned {
    /// Sorts the values, shortest first.
    pub(super) fn sort(&mut self) {
        for values in self.0.values_mut() {
            values.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        }
    }

    pub(super) fn collect(&mut self, value: &Json, schema: &Schema) {
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

    /// Now and then, returns a value for a field.
    pub(super) fn draw(&self, schema: &Schema, choices: &mut Choices<'_>) -> Option<&str> {
        let values = self.0.get(schema.description.as_ref()?)?;
        choices.once_in(3).then(|| values[choices.below(values.len())].as_str())
    }
}

/// Returns similar values, which converters may accept, too, or only just refuse.
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
