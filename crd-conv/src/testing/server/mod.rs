//! What the API server does to an object between two conversions.
//!
//! | function | what the server does |
//! |---|---|
//! | [`decode`] | with the body of a request, and with an object from its storage, before it asks for a conversion |
//! | [`converted`] | with what the conversion webhook answers, before it serves or stores it |
//! | [`between`] | both: what the next conversion gets of what this one made |
//!
//! The steps they are made of can be had one by one, on [`Json`]: [`read`], [`prune`], [`drop_nulls`], [`coerce`],
//! [`default`] and [`write`](write()). All of them give what the server's own packages give, byte for byte.
//!
//! After a conversion the server fills in no defaults. It does so when it decodes, by the version that the object is in.
//! So a client that reads at another version than the stored one sees the defaults of the stored version, converted, and
//! none of its own; they come with its next write.
//!
//! Source: `pkg/apiserver/customresource_handler.go` and `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver` v0.36.

mod metadata;
mod steps;
mod text;

pub use metadata::coerce;
pub(super) use steps::{META_FIELDS, declared, is_embedded};
pub use steps::{default, drop_nulls, prune};
pub use text::{read, reencode, write};

use std::fmt;

use crate::schema::{Json, Schema};

/// Why the server doesn't take an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    fn new(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// What becomes of the body of a request in the schema's version, and of a stored object: unknown fields go, nulls of
/// fields that aren't nullable and have no default go, and defaults are filled in.
///
/// Source: `schemaCoercingDecoder` and `unstructuredDefaulter`, in the decoders that
/// `unstructuredNegotiatedSerializer.DecoderToVersion` and `crdConversionRESTOptionsGetter` make.
///
/// # Errors
///
/// If the text isn't JSON that the server reads, if it isn't an object with a `kind`, and if `apiVersion`, `kind` or `metadata`
/// is of another type, also in an embedded resource.
pub fn decode(object: &str, schema: &Schema) -> Result<String, Refusal> {
    let mut object = coerced(object, schema)?;
    default(&mut object, schema);
    Ok(write(&object))
}

/// What becomes of an object that the conversion webhook made of another one, in the schema's version: unknown fields go,
/// and nulls of fields that aren't nullable and have no default.
///
/// Source: `schemaCoercingConverter`.
///
/// # Errors
///
/// If the text isn't JSON that the server reads, if it isn't an object with a `kind`, and if `apiVersion`, `kind` or `metadata`
/// is of another type, also in an embedded resource.
pub fn converted(object: &str, schema: &Schema) -> Result<String, Refusal> {
    coerced(object, schema).map(|object| write(&object))
}

/// What the conversion webhook gets of an object that it made, when the server needs it in another version: it was stored
/// or served as [`converted`], and read again as [`decode`] says.
///
/// # Errors
///
/// If the text isn't JSON that the server reads, if it isn't an object with a `kind`, and if `apiVersion`, `kind` or `metadata`
/// is of another type, also in an embedded resource.
pub fn between(object: &str, schema: &Schema) -> Result<String, Refusal> {
    decode(&converted(object, schema)?, schema)
}

/// Source: `unstructuredSchemaCoercer.apply`.
fn coerced(object: &str, schema: &Schema) -> Result<Json, Refusal> {
    let mut object = read(object)?;
    let Json::Object(members) = &mut object else {
        return Err(Refusal::new("the text isn't an object"));
    };
    if members.get("kind").is_none_or(|kind| *kind == Json::Text(String::new())) {
        return Err(Refusal::new("the object has no `kind`"));
    }
    for (name, member) in members {
        metadata::coerce_field(name, member)?;
    }
    prune(&mut object, schema);
    drop_nulls(&mut object, schema);
    coerce(&mut object, schema)?;
    Ok(object)
}
