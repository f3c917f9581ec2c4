//! The field that stores the values kept for a status.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The description of the field in schemas.
pub(crate) const DESCRIPTION: &str = "Values that conversions keep here for the status of other versions. If you replace the status, \
    send this field back as you read it.";

/// Values that conversions keep in a status for other versions, which have fields that this version
/// lacks.
///
/// The API server lets only writers of the status change it there. The CustomResourceDefinition
/// from [`ResourceType::crd`](crate::ResourceType::crd) declares the field. So a status type doesn't need
/// it, as long as its writers patch only what they change.
///
/// A client that reads a typed status and **replaces the whole of it** drops the fields that the
/// type doesn't have. That drops the kept values, too. To carry them along, add this field to all
/// versions of the type:
///
/// ```
/// mod v1 {
///     # use crd_conv::{ConversionEntries, Versioned};
///     # use {schemars::JsonSchema, serde::{Deserialize, Serialize}};
///     # #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     # pub struct Spec { pub size: i64 }
///     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     #[serde(rename_all = "camelCase")]
///     pub struct Status {
///         pub ready: bool,
///         #[serde(skip_serializing_if = "Option::is_none")]
///         pub conversion_entries: Option<ConversionEntries>,
///     }
/// }
/// mod v2 {
///     # use crd_conv::{ConversionEntries, Versioned};
///     # use {schemars::JsonSchema, serde::{Deserialize, Serialize}};
///     # #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     # #[versioned(from = super::v1::Spec)]
///     # pub struct Spec { pub size: i64 }
///     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     #[versioned(from = super::v1::Status)]
///     #[serde(rename_all = "camelCase")]
///     pub struct Status {
///         pub ready: bool,
///         #[versioned(added)]
///         pub message: Option<String>,
///         #[serde(skip_serializing_if = "Option::is_none")]
///         pub conversion_entries: Option<ConversionEntries>,
///     }
/// }
///
/// #[derive(crd_conv::Versioned)]
/// #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// enum Box {
///     #[versioned(status)]
///     V1 { spec: v1::Spec, status: Option<v1::Status> },
///     #[versioned(storage, status)]
///     V2 { spec: v2::Spec, status: Option<v2::Status> },
/// }
///
/// fn main() -> Result<(), crd_conv::ConversionError> {
///     let boxes = crd_conv::ResourceType::of::<Box>();
///     let new = r#"{"apiVersion":"example.com/v2","kind":"Box","metadata":{},"spec":{"size":3},"status":{"ready":true,"message":"up"}}"#;
///     let old = boxes.convert(new.as_bytes(), "v1")?.json;
///
///     // A controller of `v1` replaces the status.
///     let mut object: serde_json::Value = serde_json::from_str(&old).unwrap();
///     let mut status: v1::Status = serde_json::from_value(object["status"].take()).unwrap();
///     status.ready = false;
///     object["status"] = serde_json::to_value(&status).unwrap();
///
///     let back = boxes.convert(object.to_string().as_bytes(), "v2")?.json;
///     assert!(back.contains(r#""message":"up""#) && back.contains(r#""ready":false"#));
///     Ok(())
/// }
/// ```
///
/// The guide describes [its contents](crate::guide::carrier#status).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversionEntries(BTreeMap<String, String>);

impl schemars::JsonSchema for ConversionEntries {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ConversionEntries".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": DESCRIPTION,
            "additionalProperties": { "type": "string" },
        })
    }
}
