//! How much the schemas say to people.

use super::Schema;
use crate::definition::Descriptions;

/// Shortens the descriptions in a schema, or takes them out.
pub(crate) fn describe(schema: &mut Schema, much: Descriptions) {
    schema.description = match much {
        Descriptions::Full => return,
        Descriptions::Summary => schema.description.take().map(|text| summary(&text)),
        Descriptions::None => None,
    };
    let inside = schema.items.as_deref_mut().into_iter();
    let values = schema.additional_properties.as_deref_mut();
    for schema in inside.chain(values).chain(schema.properties.values_mut()) {
        describe(schema, much);
    }
}

/// The first paragraph.
fn summary(text: &str) -> String {
    text.split("\n\n").next().unwrap_or_default().to_owned()
}
