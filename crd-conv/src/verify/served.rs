//! What a CustomResourceDefinition says about objects.

use super::{VerificationReport, check, document::Scale};
use crate::{
    apiserver::{object::ScaleOf, schema::Schema, steps::unknown_fields_taken_out},
    json::Json,
};

/// A resource that the API server serves.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) versions: Vec<ServedVersion>,
}

/// One of its versions.
#[derive(Debug)]
pub(crate) struct ServedVersion {
    pub(crate) name: String,
    pub(crate) schema: Schema,
    pub(crate) scale: Option<ScaleOf>,
    /// Whether only the status subresource changes the status.
    #[cfg(feature = "cli")]
    pub(crate) has_status: bool,
}

/// Reads a document that the server accepts.
///
/// # Errors
///
/// If the server refuses it.
pub(crate) fn served(json: &Json) -> Result<Served, VerificationReport> {
    let (document, report) = check::read(json, &[]);
    if !report.accepts() {
        return Err(report);
    }
    let versions = document.versions.into_iter().filter_map(|version| {
        #[cfg(feature = "cli")]
        let has_status = version.has_status();
        let mut schema = version.schema?.schema;
        prune_defaults(&mut schema);
        let scale = version.subresources.and_then(|subresources| subresources.scale);
        Some(ServedVersion {
            name: version.name,
            schema,
            scale: scale.map(ScaleOf::from),
            #[cfg(feature = "cli")]
            has_status,
        })
    });
    let versions = versions.collect();
    Ok(Served { group: document.group, kind: document.names.kind, versions })
}

impl From<Scale> for ScaleOf {
    fn from(scale: Scale) -> Self {
        Self {
            replicas: [scale.spec_replicas_path, scale.status_replicas_path],
            selector: scale.label_selector_path,
        }
    }
}

/// The server doesn't check the defaults below `additionalProperties`, but it prunes them.
///
/// Source: `PruneDefaults` of `pkg/apiserver/schema/defaulting`.
fn prune_defaults(schema: &mut Schema) {
    if let Some(default) = schema.default.take() {
        schema.default =
            Some(unknown_fields_taken_out(default, schema, schema.extensions.embedded_resource));
    }
    let inside = schema.items.iter_mut().chain(&mut schema.additional_properties);
    let inside = inside.map(|inside| &mut **inside);
    for inside in inside.chain(schema.properties.values_mut()) {
        prune_defaults(inside);
    }
}
