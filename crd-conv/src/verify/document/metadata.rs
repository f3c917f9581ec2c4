//! The document's metadata.

use std::collections::BTreeMap;

use crate::apiserver::{
    finding::Kind,
    place::Place,
    read::{Object, other_type},
    report::About,
};
use crate::go::time;
use crate::json::Json;

#[derive(Default)]
pub(crate) struct Metadata {
    pub(crate) name: String,
    pub(crate) generate_name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) finalizers: Vec<String>,
}

/// A point in time as Go reads it. Whether there is one.
pub(super) fn time(object: &mut Object<'_>, name: &'static str, place: &mut Place) -> bool {
    let Some(text) = object.optional_text(name, place) else { return false };
    if time::in_utc(&text).is_none() {
        let problem = format!("`{text}` isn't a time such as `2026-01-31T12:00:00Z`; remove it");
        place.refuse_at(name, Kind::Malformed, problem);
    }
    true
}

impl Metadata {
    pub(super) fn read(json: &Json, place: &mut Place) -> Self {
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
