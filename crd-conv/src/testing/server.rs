//! What the API server does to an object between two conversions.
//!
//! | function | what the server does |
//! |---|---|
//! | [`decode`] | with the body of a request, and with an object from its storage, before it asks for a conversion |
//! | [`converted`] | with what the conversion webhook answers, before it serves or stores it |
//! | [`between`] | both: what the next conversion gets of what this one made |
//! | [`create`], [`update`], [`update_status`] | with a decoded body in a version with the status subresource, before it is converted for storage |
//!
//! The steps they are made of can be had one by one, on [`Json`]: [`read`], [`prune`], [`drop_nulls`], [`coerce`],
//! [`default`] and [`write`](write()). All of them give what the server's own packages give, byte for byte. [`validate`] says what
//! it refuses.
//!
//! After a conversion the server fills in no defaults. It does so when it decodes, by the version that the object is in.
//! So a client that reads at another version than the stored one sees the defaults of the stored version, converted, and
//! none of its own; they come with its next write.
//!
//! Source: `pkg/apiserver/customresource_handler.go` and `pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver` v0.37.

use crate::{
    apiserver::{
        cause::{Cause, Findings},
        decoding,
        finding::Unchecked,
        metadata, object,
        path::Path,
        refusal::Refusal,
        steps, text,
    },
    json::Json,
    schema::Schema,
};

/// What becomes of the body of a request in the schema's version, and of a stored object: unknown fields go, nulls of
/// fields that aren't nullable and have no default go, and defaults are filled in.
///
/// Source: `schemaCoercingDecoder` and `unstructuredDefaulter`, in the decoders that
/// `unstructuredNegotiatedSerializer.DecoderToVersion` and `crdConversionRESTOptionsGetter` make.
///
/// ```
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub size: i64, pub owner: Option<String> }
/// # }
/// # mod v2 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     #[versioned(from = super::v1::Spec, removed(owner))]
/// #     pub struct Spec { #[versioned(renamed_from = size)] pub replicas: i64 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { V1 { spec: v1::Spec }, #[versioned(storage)] V2 { spec: v2::Spec } }
/// # fn main() -> Result<(), crd_conv::validation::Refusal> {
/// use crd_conv::{Resource, crd::{CrdOptions, Webhook}, testing::server};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = Resource::of::<Box>().crd(&options).unwrap();
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
/// If the text isn't JSON that the server reads, if it isn't an object with a `kind`, and if `apiVersion`, `kind` or `metadata`
/// is of another type, also in an embedded resource.
pub fn decode(object: &str, schema: &Schema) -> Result<String, Refusal> {
    decoding::decode(object, schema).map(|decoded| write(&decoded.object))
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
    decoding::coerce(object, schema).map(|decoded| write(&decoded.object))
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

/// What the server takes of an object that a client creates, in a version with the status subresource: all but the status.
///
/// Source: `PrepareForCreate` in `pkg/registry/customresource/strategy.go`.
///
/// # Errors
///
/// If the text can't be read.
pub fn create(object: &str) -> Result<String, Refusal> {
    Ok(with_member(read(object)?, STATUS, None))
}

/// What the server makes of an object and what a client puts in its place, in a version with the status subresource: the new one with
/// the old status.
///
/// `metadata.generation`, which the server counts, stays as it is.
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
/// If one of the texts can't be read.
pub fn update(old: &str, new: &str) -> Result<String, Refusal> {
    Ok(with_member(read(new)?, STATUS, member_of(read(old)?, STATUS)))
}

/// What the server makes of an object and what a client puts in place of its status, in a version with the status subresource: the old
/// one with the new status.
///
/// Source: `PrepareForUpdate` in `pkg/registry/customresource/status_strategy.go`.
///
/// # Errors
///
/// If one of the texts can't be read.
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

/// Says what the server refuses of an object that a client creates, by its schema alone. [`decode`] comes first.
///
/// [`Validator`](crate::validation::Validator) does the same with what a whole CustomResourceDefinition says of objects.
///
/// ```
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub size: i64, pub owner: Option<String> }
/// # }
/// # mod v2 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     #[versioned(from = super::v1::Spec, removed(owner))]
/// #     pub struct Spec { #[versioned(renamed_from = size)] pub replicas: i64 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { V1 { spec: v1::Spec }, #[versioned(storage)] V2 { spec: v2::Spec } }
/// # fn main() -> Result<(), crd_conv::validation::Refusal> {
/// use crd_conv::{Resource, crd::{CrdOptions, Webhook}, testing::server};
///
/// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
/// let crd = Resource::of::<Box>().crd(&options).unwrap();
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
/// If the server can't decode the object.
pub fn validate(object: &str, schema: &Schema) -> Result<Invalid, Refusal> {
    let decoded = decoding::decode(object, schema)?;
    let Findings { causes, unchecked, .. } = object::find(&decoded.object, schema, None);
    Ok(Invalid { causes, unchecked })
}

/// What is wrong with an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invalid {
    /// Why the server refuses it. Without any it takes it, as far as it was checked.
    pub causes: Vec<Cause>,
    /// What the server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

/// Reads a text as the server does: an integer that fits 64 bits with a sign is one, every other number is a float; the last
/// of equal keys counts; half a surrogate pair is U+FFFD.
///
/// Source: `Unmarshal` of `k8s.io/apimachinery/pkg/util/json`.
///
/// # Errors
///
/// If the text isn't JSON, if a number is too large for a float, and if the value nests deeper than 500 levels.
pub fn read(text: &str) -> Result<Json, Refusal> {
    text::read(text)
}

/// Writes a value as the server does: keys sorted, numbers and escapes in Go's way.
///
/// Source: `encoding/json`.
pub fn write(value: &Json) -> String {
    text::write(value)
}

/// What [`write`](write()) makes of what [`read`] finds.
///
/// # Errors
///
/// If the text can't be read.
pub fn reencode(text: &str) -> Result<String, Refusal> {
    read(text).map(|value| write(&value))
}

/// Takes out the fields of an object, and of all in it, that the schema doesn't declare, and gives their paths. `apiVersion`,
/// `kind` and `metadata` stay at the root and in embedded resources.
///
/// Source: `pkg/apiserver/schema/pruning`.
pub fn prune(object: &mut Json, schema: &Schema) -> Vec<String> {
    steps::prune(object, schema, true)
}

/// Takes out the null members of objects that aren't nullable and have no default. Nulls in lists stay.
///
/// Source: `PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting`.
pub fn drop_nulls(value: &mut Json, schema: &Schema) {
    steps::drop_nulls(value, schema);
}

/// Fills in the schema's defaults where a value is absent, or null without being nullable. A default for the value itself is
/// of no effect.
///
/// Source: `Default` of `pkg/apiserver/schema/defaulting`.
pub fn default(value: &mut Json, schema: &Schema) {
    steps::default(value, schema);
}

/// Makes of the `metadata` of all embedded resources what the server makes of it. Their `apiVersion` and `kind` have to be
/// strings.
///
/// Source: `Coerce` of `pkg/apiserver/schema/objectmeta`.
///
/// # Errors
///
/// If one of the three is of another type.
pub fn coerce(value: &mut Json, schema: &Schema) -> Result<(), Refusal> {
    metadata::coerce(value, schema, &Path::Root, &mut Vec::new())
}
