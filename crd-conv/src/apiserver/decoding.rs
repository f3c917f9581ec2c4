//! What the API server does with an object before it converts, validates or stores it.

use super::{coerce, path::Path, schema::Schema, steps};
use crate::go::{refusal::Refusal, text};
use crate::json::Json;

/// An object as the server has it in memory.
pub(crate) struct Decoded {
    pub(crate) object: Json,
    /// The paths of the fields that nobody declares.
    pub(crate) pruned: Vec<String>,
}

/// Source: `schemaCoercingDecoder` and `unstructuredDefaulter`.
pub(crate) fn decode(object: &str, schema: &Schema) -> Result<Decoded, Refusal> {
    let mut decoded = coerce(object, schema)?;
    steps::default(&mut decoded.object, schema);
    Ok(decoded)
}

/// Source: `unstructuredSchemaCoercer.apply`.
pub(crate) fn coerce(object: &str, schema: &Schema) -> Result<Decoded, Refusal> {
    let mut object = text::read(object)?;
    let Json::Object(members) = &mut object else {
        return Err(Refusal::new("the text isn't an object"));
    };
    if members.get("kind").is_none_or(|kind| *kind == Json::Text(String::new())) {
        return Err(Refusal::new("the object has no `kind`"));
    }
    let mut pruned = Vec::new();
    for (name, member) in members {
        coerce::coerce_field(name, member, &Path::Root.field(name), &mut pruned)?;
    }
    pruned.extend(steps::prune(&mut object, schema, true));
    steps::drop_nulls(&mut object, schema);
    coerce::coerce(&mut object, schema, &Path::Root, &mut pruned)?;
    Ok(Decoded { object, pruned })
}
