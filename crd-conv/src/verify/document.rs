//! A CustomResourceDefinition, as the API server reads it and fills it in.

use std::collections::BTreeMap;

use crate::apiserver::{
    finding::Kind,
    place::Place,
    read::{Object, other_type},
    report::About,
    schema::Schema,
};
use crate::go::time;
use crate::json::Json;

#[derive(Default)]
pub(crate) struct Document<'a> {
    pub(crate) metadata: Metadata,
    pub(crate) group: String,
    pub(crate) names: Names,
    pub(crate) scope: String,
    pub(crate) versions: Vec<Version<'a>>,
    pub(crate) conversion: Option<Conversion>,
    pub(crate) preserve_unknown_fields: bool,
}

#[derive(Default)]
pub(crate) struct Metadata {
    pub(crate) name: String,
    pub(crate) generate_name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) finalizers: Vec<String>,
}

#[derive(Default)]
#[expect(clippy::struct_field_names, reason = "the field's own names")]
pub(crate) struct Names {
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) short_names: Vec<String>,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
    pub(crate) categories: Vec<String>,
    /// Whether the singular and the list's kind are those that the server makes of the kind.
    pub(crate) made: [bool; 2],
}

pub(crate) struct Version<'a> {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) deprecated: bool,
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) schema: Option<VersionSchema<'a>>,
    pub(crate) subresources: Option<Subresources>,
    pub(crate) columns: Vec<Column>,
    pub(crate) selectable_fields: Vec<String>,
}

/// The schema twice: as it is written and as it is read.
pub(crate) struct VersionSchema<'a> {
    pub(crate) json: &'a Json,
    pub(crate) schema: Schema,
}

pub(crate) struct Subresources {
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale>,
}

#[expect(clippy::struct_field_names, reason = "the field's own names")]
pub(crate) struct Scale {
    pub(crate) spec_replicas_path: String,
    pub(crate) status_replicas_path: String,
    pub(crate) label_selector_path: Option<String>,
}

#[derive(PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) format: String,
    pub(crate) json_path: String,
    pub(crate) description: String,
    pub(crate) priority: i64,
}

#[derive(Default)]
pub(crate) struct Conversion {
    pub(crate) strategy: String,
    pub(crate) client_config: Option<ClientConfig>,
    pub(crate) review_versions: Vec<String>,
}

pub(crate) struct ClientConfig {
    pub(crate) url: Option<String>,
    pub(crate) service: Option<Service>,
    pub(crate) ca_bundle: Option<Json>,
}

pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) path: Option<String>,
    pub(crate) port: i64,
}

impl<'a> Document<'a> {
    pub(crate) fn read(json: &'a Json, place: &mut Place) -> Self {
        let mut object = Object::new(json, place);
        let mut document = Self::default();
        let expected =
            [("apiVersion", "apiextensions.k8s.io/v1"), ("kind", "CustomResourceDefinition")];
        for (name, value) in expected {
            let found = object.text(name, place);
            if found != value {
                place.refuse_at(
                    name,
                    if found.is_empty() { Kind::Required } else { Kind::NotSupported },
                    format!("write `{value}` here; only such documents are verified"),
                );
            }
        }
        if let Some(metadata) = object.optional("metadata", place, Metadata::read) {
            document.metadata = metadata;
        }
        object.optional("spec", place, |spec, place| document.read_spec(spec, place));
        object.optional("status", place, read_status);
        object.finish(place);
        document
    }

    /// How objects are converted; `None` if the document doesn't say it.
    pub(crate) fn strategy(&self) -> &str {
        let strategy = self.conversion.as_ref().map(|conversion| &*conversion.strategy);
        strategy.filter(|strategy| !strategy.is_empty()).unwrap_or("None")
    }

    fn read_spec(&mut self, json: &'a Json, place: &mut Place) {
        let mut o = Object::new(json, place);
        self.group = o.text("group", place);
        self.names = o.optional("names", place, Names::read).unwrap_or_default();
        self.names.fill_in();
        self.scope = o.text("scope", place);
        self.versions = o.list("versions", place, Version::read);
        self.conversion = o.optional("conversion", place, Conversion::read);
        self.preserve_unknown_fields = o.flag("preserveUnknownFields", place);
        o.finish(place);
    }
}

/// The server has to be able to read a status, and then drops it: `PrepareForCreate` of
/// `pkg/registry/customresourcedefinition/strategy.go`.
fn read_status(json: &Json, place: &mut Place) {
    let mut o = Object::new(json, place);
    o.optional("acceptedNames", place, Names::read);
    o.texts("storedVersions", place);
    o.list("conditions", place, |json, place| {
        let mut o = Object::new(json, place);
        for name in ["type", "status", "reason", "message"] {
            o.text(name, place);
        }
        time(&mut o, "lastTransitionTime", place);
        o.integer("observedGeneration", place);
        o.finish(place);
    });
    o.integer("observedGeneration", place);
    o.finish(place);
    place.warn(
        About::DroppedField,
        "the API server writes the status itself and drops this one; remove it",
    );
}

/// A point in time as Go reads it. Whether there is one.
fn time(object: &mut Object<'_>, name: &'static str, place: &mut Place) -> bool {
    let Some(text) = object.optional_text(name, place) else { return false };
    if time::in_utc(&text).is_none() {
        let problem = format!("`{text}` isn't a time such as `2026-01-31T12:00:00Z`; remove it");
        place.refuse_at(name, Kind::Malformed, problem);
    }
    true
}

impl Metadata {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let texts = |o: &mut Object<'_>, name, place: &mut Place| {
            o.map(name, place, |value, place| match value {
                Json::Text(text) => text.clone(),
                Json::Null => String::new(),
                other => {
                    other_type(place, other, "a string");
                    String::new()
                }
            })
        };
        let metadata = Self {
            name: o.text("name", place),
            generate_name: o.text("generateName", place),
            labels: texts(&mut o, "labels", place),
            annotations: texts(&mut o, "annotations", place),
            finalizers: o.texts("finalizers", place),
        };
        o.text("namespace", place);
        for name in ["managedFields", "ownerReferences"] {
            if o.get(name).is_some() {
                place.child(name, |place| place.pass_over("its entries"));
            }
        }
        read_system_fields(&mut o, place);
        o.finish(place);
        metadata
    }
}

/// What the server writes into an object's metadata by itself, as a file has it that was exported from a cluster:
/// `WipeObjectMetaSystemFields` of `k8s.io/apiserver/pkg/registry/rest`, and what `PrepareForCreate` sets.
fn read_system_fields(o: &mut Object<'_>, place: &mut Place) {
    let mut dropped = Vec::new();
    for name in ["creationTimestamp", "deletionTimestamp"] {
        dropped.extend(time(o, name, place).then_some(name));
    }
    for name in ["deletionGracePeriodSeconds", "generation"] {
        dropped.extend(o.integer(name, place).map(|_| name));
    }
    for name in ["selfLink", "uid"] {
        dropped.extend((!o.text(name, place).is_empty()).then_some(name));
    }
    for name in dropped {
        let apply = match name {
            "uid" => ", and server-side apply doesn't create a resource with it",
            _ => "",
        };
        place.warn_at(
            name,
            About::DroppedField,
            format!("the API server writes it itself and drops this value{apply}; remove it"),
        );
    }
    if o.get("managedFields").is_some() {
        place.warn_at(
            "managedFields",
            About::DroppedField,
            "the API server writes it itself, and server-side apply refuses a document with it; remove it",
        );
    }
    // What isn't a number counts as none: `ObjectResourceVersion` and `Create` of `k8s.io/apiserver/pkg/storage`.
    if o.text("resourceVersion", place).parse::<u64>().is_ok_and(|version| version > 0) {
        place.refuse_at(
            "resourceVersion",
            Kind::Forbidden,
            "only an object that already exists has a resource version, and the API server creates none with it; remove it",
        );
    }
}

impl Names {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let names = Self {
            plural: o.text("plural", place),
            singular: o.text("singular", place),
            short_names: o.texts("shortNames", place),
            kind: o.text("kind", place),
            list_kind: o.text("listKind", place),
            categories: o.texts("categories", place),
            made: [false; 2],
        };
        o.finish(place);
        names
    }

    fn fill_in(&mut self) {
        self.made = [self.singular.is_empty(), self.list_kind.is_empty()];
        if self.singular.is_empty() {
            self.singular = self.kind.to_lowercase();
        }
        if self.list_kind.is_empty() && !self.kind.is_empty() {
            self.list_kind = format!("{}List", self.kind);
        }
    }
}

impl<'a> Version<'a> {
    pub(crate) fn read(json: &'a Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let schema = o.optional("schema", place, |json, place| {
            let mut o = Object::new(json, place);
            let schema = o.optional("openAPIV3Schema", place, |json, place| VersionSchema {
                json,
                schema: Schema::read(json, place),
            });
            o.finish(place);
            schema
        });
        let version = Self {
            name: o.text("name", place),
            served: o.flag("served", place),
            storage: o.flag("storage", place),
            deprecated: o.flag("deprecated", place),
            deprecation_warning: o.optional_text("deprecationWarning", place),
            schema: schema.flatten(),
            subresources: o.optional("subresources", place, Subresources::read),
            columns: o.list("additionalPrinterColumns", place, Column::read),
            selectable_fields: o.list("selectableFields", place, |json, place| {
                let mut o = Object::new(json, place);
                let path = o.text("jsonPath", place);
                o.finish(place);
                path
            }),
        };
        o.finish(place);
        version
    }

    pub(crate) fn has_status(&self) -> bool {
        self.subresources.as_ref().is_some_and(|subresources| subresources.status)
    }

    pub(crate) fn scale(&self) -> Option<&Scale> {
        self.subresources.as_ref()?.scale.as_ref()
    }

    pub(crate) fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref().map(|schema| &schema.schema)
    }
}

impl Subresources {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let status = o.optional("status", place, Object::new);
        let subresources = Self {
            status: status.is_some(),
            scale: o.optional("scale", place, |json, place| {
                let mut o = Object::new(json, place);
                let scale = Scale {
                    spec_replicas_path: o.text("specReplicasPath", place),
                    status_replicas_path: o.text("statusReplicasPath", place),
                    label_selector_path: o.optional_text("labelSelectorPath", place),
                };
                o.finish(place);
                scale
            }),
        };
        o.finish(place);
        subresources
    }
}

impl Column {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let column = Self {
            name: o.text("name", place),
            ty: o.text("type", place),
            format: o.text("format", place),
            json_path: o.text("jsonPath", place),
            description: o.text("description", place),
            priority: o.integer("priority", place).unwrap_or_default(),
        };
        o.finish(place);
        column
    }
}

impl Conversion {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let strategy = o.text("strategy", place);
        let webhook = o.optional("webhook", place, |json, place| {
            let mut o = Object::new(json, place);
            let config = o.optional("clientConfig", place, ClientConfig::read);
            let versions = o.texts("conversionReviewVersions", place);
            o.finish(place);
            (config, versions)
        });
        o.finish(place);
        let (client_config, review_versions) = webhook.unwrap_or_default();
        Self { strategy, client_config, review_versions }
    }
}

impl ClientConfig {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let config = Self {
            url: o.optional_text("url", place),
            service: o.optional("service", place, |json, place| {
                let mut o = Object::new(json, place);
                let service = Service {
                    name: o.text("name", place),
                    namespace: o.text("namespace", place),
                    path: o.optional_text("path", place),
                    port: o.integer("port", place).unwrap_or(443),
                };
                o.finish(place);
                service
            }),
            ca_bundle: o.get("caBundle").cloned(),
        };
        o.finish(place);
        config
    }
}
