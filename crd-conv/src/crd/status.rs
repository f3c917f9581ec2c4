//! The place in the status for the values kept for status fields.

use crate::definition::{Definition, VersionDefinition};
use crate::engine::{Place, STATUS, STATUS_ENTRIES};
use crate::entries::DESCRIPTION;
use crate::schema::{Schema, SchemaType};

/// Declares the place in a version's schema: in every release from the first one on. After a rollback the objects have entries of versions that
/// the release doesn't know, and the API server prunes what isn't declared.
///
/// # Errors
///
/// One sentence if the status has no room for it, or another field of that name. Then the schema stays as it is.
pub(super) fn hold_entries(root: &mut Schema, version: &VersionDefinition) -> Result<(), String> {
    if !version.status {
        return Ok(());
    }
    if root.preserves() && !root.properties.contains_key(STATUS) {
        return Err(format!(
            "`{}` has the status subresource and keeps unknown fields, so its status may be anything, and has no place for the values that \
             conversions keep: give the type a field `status`",
            version.name
        ));
    }
    let status = root.properties.entry(STATUS.to_owned()).or_insert_with(Schema::object);
    let (entries, version) = (entries(), version.name);
    if let Some(own) = status.properties.get(STATUS_ENTRIES) {
        // With another doc comment, and as an `Option`.
        let description = entries.description.clone();
        return if (Schema { description, nullable: false, ..own.clone() }) == entries {
            Ok(())
        } else {
            Err(format!(
                "`.status.{STATUS_ENTRIES}` of `{version}` is where conversions store kept values of the status: give the field the type \
                 `Option<crd_conv::ConversionEntries>`, or rename it"
            ))
        };
    }
    let has_limit = |schema: &Schema| schema.max_properties.is_some();
    let mut branches = status.one_of.iter().chain(&status.any_of).chain(&status.all_of);
    if status.ty != Some(SchemaType::Object)
        || status.additional_properties.is_some()
        || status.closed
        || has_limit(status)
        || branches.any(has_limit)
    {
        return Err(format!(
            "the status of `{version}` has no place for the field `{STATUS_ENTRIES}`, in which conversions store kept values of the status: \
             write a struct with named fields; if it denies unknown fields, add `conversion_entries: Option<crd_conv::ConversionEntries>`"
        ));
    }
    status.properties.insert(STATUS_ENTRIES.to_owned(), entries);
    Ok(())
}

/// Refuses two statuses with a version between them that has none: an object without a status there has no place for the values of the
/// other one.
pub(super) fn come_again(definition: &Definition, places: &[Place]) -> Option<String> {
    let holds = |place: &Place| *place == Place::Status;
    let first = places.iter().position(holds)?;
    let last = places.iter().rposition(holds)?;
    let between = first + places[first..last].iter().position(|place| !holds(place))?;
    let [first, between, last] =
        [first, between, last].map(|place| definition.versions[place].name);
    Some(format!(
        "the statuses of `{first}` and `{last}` are separate, because `{between}` between them has no status with the subresource: give \
         `{between}` the status, too"
    ))
}

/// The schema of the field for kept values.
pub(crate) fn entries() -> Schema {
    let text = Schema { ty: Some(SchemaType::Text), ..Schema::default() };
    Schema {
        description: Some(DESCRIPTION.to_owned()),
        additional_properties: Some(Box::new(text)),
        ..Schema::object()
    }
}
