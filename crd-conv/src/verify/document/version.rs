//! One version in the document: its schema, its subresources, its columns and its selectable fields.

use crate::apiserver::{place::Place, read::Object, schema::Schema};
use crate::json::Json;

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
