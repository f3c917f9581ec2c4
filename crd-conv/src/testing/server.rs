//! What the API server does to an object between two conversions.
//!
//! | function | what the server does |
//! |---|---|
//! | [`decode`] | before it asks for a conversion: to the body of a request, and to a stored object |
//! | [`converted`] | before it serves or stores an object: to the answer of the conversion webhook |
//! | [`between`] | both: turns the result of one conversion into the input of the next one |
//! | [`create`], [`update`], [`update_status`] | before a decoded body is converted for storage, in a version with the status subresource |
//!
//! Their steps are available one by one, on [`Json`]: [`read`], [`prune`], [`drop_nulls`],
//! [`coerce`], [`default`] and [`write`](write()). All of them return what the server's own
//! packages return, byte for byte. [`validate`] returns why the server refuses an object.
//!
//! After a conversion, the server fills in no defaults. It fills them in when it decodes an object,
//! for the version that the object has. So a client that reads at another version than the stored
//! one sees the defaults of the stored version, converted, and none of its own version. Those are
//! filled in with its next write.
//!
//! Source: `pkg/apiserver/customresource_handler.go` and `pkg/apiserver/schema` of
//! `k8s.io/apiextensions-apiserver` v0.37.

use crate::{
    apiserver::{
        cause::{Cause, Findings},
        coerce, decoding,
        finding::Unchecked,
        object,
        path::Path,
        steps, text,
    },
    go::{self, refusal::Refusal},
    json::Json,
    schema::Schema,
};

/// Decodes the body of a request in the schema's version, or a stored object.
///
/// This drops unknown fields, and nulls of fields that aren't nullable and have no default. Then it
/// fills in defaults.
///
/// Source: `schemaCoercingDecoder` and `unstructuredDefaulter`, in the decoders that
/// `unstructuredNegotiatedSerializer.DecoderToVersion` and `crdConversionRESTOptionsGetter` make.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::validation::Refusal> {
/// use crd_conv::{ResourceType, crd::{CrdOptions, Webhook}, testing::server};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = ResourceType::of::<Box>().crd(&options).unwrap();
/// let v2 = &crd.spec.versions[0].schema.open_api_v3_schema;
///
/// let object = r#"{"kind":"Box","apiVersion":"example.com/v2","metadata":{"name":"b"},"spec":{"replicas":3.0,"unknown":1}}"#;
/// assert_eq!(
///     server::decode(object, v2)?,
///     r#"{"apiVersion":"example.com/v2","kind":"Box","metadata":{"name":"b"},"spec":{"replicas":3}}"#
/// );
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if the text isn't JSON that the server reads, or isn't an object with a `kind`. Also fails
/// if `apiVersion`, `kind` or `metadata` has another type, in the object or in an embedded
/// resource.
pub fn decode(object: &str, schema: &Schema) -> Result<String, Refusal> {
    decoding::decode(object, schema).map(|decoded| write(&decoded.object))
}

/// Processes an object that the conversion webhook made from another one, in the schema's version.
///
/// This drops unknown fields, and nulls of fields that aren't nullable and have no default.
///
/// Source: `schemaCoercingConverter`.
///
/// # Errors
///
/// Fails if the text isn't JSON that the server reads, or isn't an object with a `kind`. Also fails
/// if `apiVersion`, `kind` or `metadata` has another type, in the object or in an embedded
/// resource.
pub fn converted(object: &str, schema: &Schema) -> Result<String, Refusal> {
    decoding::coerce(object, schema).map(|decoded| write(&decoded.object))
}

/// Turns an object that the conversion webhook made into the input of the next conversion, for when
/// the server needs it in another version.
///
/// The object was stored or served as [`converted`] describes, and read again as [`decode`]
/// describes.
///
/// # Errors
///
/// Fails if the text isn't JSON that the server reads, or isn't an object with a `kind`. Also fails
/// if `apiVersion`, `kind` or `metadata` has another type, in the object or in an embedded
/// resource.
pub fn between(object: &str, schema: &Schema) -> Result<String, Refusal> {
    decode(&converted(object, schema)?, schema)
}

/// Creates an object in a version with the status subresource: keeps everything but the status.
///
/// Source: `PrepareForCreate` in `pkg/registry/customresource/strategy.go`.
///
/// # Errors
///
/// Fails if the text can't be read.
pub fn create(object: &str) -> Result<String, Refusal> {
    Ok(with_member(read(object)?, STATUS, None))
}

/// Replaces an object in a version with the status subresource: returns the new object with the old
/// status.
///
/// The server counts `metadata.generation`; here it stays as it is.
///
/// ```
/// use crd_conv::testing::server;
///
/// let (old, new) = (r#"{"spec":1,"status":2}"#, r#"{"spec":3,"status":4}"#);
/// assert_eq!(server::update(old, new).unwrap(), r#"{"spec":3,"status":2}"#);
/// assert_eq!(server::update_status(old, new).unwrap(), r#"{"spec":1,"status":4}"#);
/// ```
///
/// Source: `PrepareForUpdate` in `pkg/registry/customresource/strategy.go`.
///
/// # Errors
///
/// Fails if one of the texts can't be read.
pub fn update(old: &str, new: &str) -> Result<String, Refusal> {
    Ok(with_member(read(new)?, STATUS, member_of(read(old)?, STATUS)))
}

/// Replaces the status of an object in a version with the status subresource: returns the old
/// object with the new status.
///
/// Source: `PrepareForUpdate` in `pkg/registry/customresource/status_strategy.go`.
///
/// # Errors
///
/// Fails if one of the texts can't be read.
pub fn update_status(old: &str, new: &str) -> Result<String, Refusal> {
    Ok(with_member(read(old)?, STATUS, member_of(read(new)?, STATUS)))
}

const STATUS: &str = "status";

fn member_of(object: Json, name: &str) -> Option<Json> {
    match object {
        Json::Object(mut members) => members.remove(name),
        _ => None,
    }
}

fn with_member(mut object: Json, name: &str, value: Option<Json>) -> String {
    if let Json::Object(members) = &mut object {
        match value {
            Some(value) => drop(members.insert(name.to_owned(), value)),
            None => drop(members.remove(name)),
        }
    }
    write(&object)
}

/// Validates an object that a client creates, by its schema alone, and returns why the server
/// refuses it. Call [`decode`] first.
///
/// [`Validator`](crate::validation::Validator) does the same with everything that a
/// CustomResourceDefinition says about objects.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::validation::Refusal> {
/// use crd_conv::{ResourceType, crd::{CrdOptions, Webhook}, testing::server};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = ResourceType::of::<Box>().crd(&options).unwrap();
/// let v2 = &crd.spec.versions[0].schema.open_api_v3_schema;
///
/// let object = r#"{"apiVersion":"example.com/v2","kind":"Box","metadata":{"name":"b"},"spec":{}}"#;
/// let invalid = server::validate(object, v2)?;
/// assert_eq!(invalid.causes[0].to_string(), "spec.replicas: Required value");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if the server can't decode the object.
pub fn validate(object: &str, schema: &Schema) -> Result<Invalid, Refusal> {
    let decoded = decoding::decode(object, schema)?;
    let Findings { causes, unchecked, .. } = object::find(&decoded.object, schema, None);
    Ok(Invalid { causes, unchecked })
}

/// Validates an object that replaces another one, by its schema alone, and returns why the server
/// refuses it. Call [`decode`] first for both.
///
/// The metadata of both must differ, as it does in every update.
///
/// # Errors
///
/// Fails if the server can't decode one of the objects.
pub fn validate_update(old: &str, new: &str, schema: &Schema) -> Result<Invalid, Refusal> {
    let [old, new] = [decoding::decode(old, schema)?, decoding::decode(new, schema)?];
    let found = object::find_in_update(&old.object, &new.object, schema, None);
    let Findings { causes, unchecked, .. } = found;
    Ok(Invalid { causes, unchecked })
}

/// The reasons why an object is invalid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invalid {
    /// The reasons why the server refuses it. If there are none, it accepts the object, as far as
    /// that was checked.
    pub causes: Vec<Cause>,
    /// Parts that the server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

/// Reads a text as the server does.
///
/// An integer that fits 64 bits with a sign becomes an integer, and every other number a float. Of
/// equal keys, the last one counts. Half a surrogate pair becomes U+FFFD.
///
/// Source: `Unmarshal` of `k8s.io/apimachinery/pkg/util/json`.
///
/// # Errors
///
/// Fails if the text isn't JSON, if a number is too large for a float, or if the value nests deeper
/// than 500 levels.
pub fn read(text: &str) -> Result<Json, Refusal> {
    go::text::read(text)
}

/// Writes a value as the server does: keys sorted, numbers and escapes as in Go.
///
/// Source: `encoding/json`.
pub fn write(value: &Json) -> String {
    text::write(value)
}

/// Reads a text with [`read`], and writes the result with [`write`](write()).
///
/// # Errors
///
/// Fails if the text can't be read.
pub fn reencode(text: &str) -> Result<String, Refusal> {
    read(text).map(|value| write(&value))
}

/// Removes all fields that the schema doesn't declare, from an object and everything in it, and
/// returns their paths.
///
/// `apiVersion`, `kind` and `metadata` stay at the root and in embedded resources.
///
/// Source: `pkg/apiserver/schema/pruning`.
pub fn prune(object: &mut Json, schema: &Schema) -> Vec<String> {
    steps::prune(object, schema, true)
}

/// Removes null members from objects if they aren't nullable and have no default. Nulls in lists
/// stay.
///
/// Source: `PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting`.
pub fn drop_nulls(value: &mut Json, schema: &Schema) {
    steps::drop_nulls(value, schema);
}

/// Fills in the schema's defaults where a value is absent, or null without being nullable. A
/// default for the value itself has no effect.
///
/// Source: `Default` of `pkg/apiserver/schema/defaulting`.
pub fn default(value: &mut Json, schema: &Schema) {
    steps::default(value, schema);
}

/// Changes the `metadata` of all embedded resources as the server does. Their `apiVersion` and
/// `kind` must be strings.
///
/// Source: `Coerce` of `pkg/apiserver/schema/objectmeta`.
///
/// # Errors
///
/// Fails if one of the three has another type.
pub fn coerce(value: &mut Json, schema: &Schema) -> Result<(), Refusal> {
    coerce::coerce(value, schema, &Path::Root, &mut Vec::new())
}
