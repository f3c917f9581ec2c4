//! The place in the status for what conversions keep about it.

use crate::engine::STATUS_ENTRIES;
use crate::entries::DESCRIPTION;
use crate::schema::{Schema, SchemaType};

/// Declares the place in a version's schema.
///
/// # Errors
///
/// One sentence if the status has no room for it, or another field of that name.
pub(super) fn hold_entries(root: &mut Schema, version: &str) -> Result<(), String> {
    // Objects without a status keep nothing about it.
    let Some(status) = root.properties.get_mut("status") else { return Ok(()) };
    let has_limit = |schema: &Schema| schema.max_properties.is_some();
    let mut branches = status.one_of.iter().chain(&status.any_of).chain(&status.all_of);
    if status.ty != Some(SchemaType::Object)
        || status.additional_properties.is_some()
        || has_limit(status)
        || branches.any(has_limit)
    {
        return Err(format!(
            "the status of `{version}` has no place for the field `{STATUS_ENTRIES}`, in which conversions keep what other versions \
             have of the status: write a struct with named fields"
        ));
    }
    let place = place();
    match status.properties.get(STATUS_ENTRIES) {
        None => {
            status.properties.insert(STATUS_ENTRIES.to_owned(), place);
            Ok(())
        }
        // With another doc comment, and as an `Option`.
        Some(own)
            if Schema {
                description: place.description.clone(),
                nullable: false,
                ..own.clone()
            } == place =>
        {
            Ok(())
        }
        Some(_) => Err(format!(
            "`.status.{STATUS_ENTRIES}` of `{version}` is where conversions keep what other versions have of the status: give the field \
             the type `Option<crd_conv::ConversionEntries>`, or another name"
        )),
    }
}

fn place() -> Schema {
    let text = Schema { ty: Some(SchemaType::Text), ..Schema::default() };
    Schema {
        description: Some(DESCRIPTION.to_owned()),
        additional_properties: Some(Box::new(text)),
        ..Schema::object()
    }
}
