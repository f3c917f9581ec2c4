//! A CustomResourceDefinition, as the API server reads it and fills it in.

mod conversion;
mod metadata;
mod version;

pub(crate) use conversion::{ClientConfig, Conversion, Service};
pub(crate) use metadata::Metadata;
use metadata::time;
pub(crate) use version::{Column, Scale, Version, VersionSchema};

use crate::apiserver::{finding::Kind, place::Place, read::Object, report::About};
use crate::json::Json;

/// Takes from a document that comes from a cluster what the API server has written into it, and
/// refuses when somebody creates the document again.
#[cfg(any(feature = "import", all(feature = "cli", feature = "kube")))]
pub(crate) fn as_created(mut document: Json) -> Json {
    if let Json::Object(members) = &mut document {
        members.remove("status");
        if let Some(Json::Object(metadata)) = members.get_mut("metadata") {
            metadata.retain(|name, _| ["annotations", "labels", "name"].contains(&&**name));
        }
    }
    document
}

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
