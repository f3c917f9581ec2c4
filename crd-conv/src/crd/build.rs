//! From a definition to the document.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{
    Column, Conversion, Crd, CrdError, CrdErrors, CrdOptions, CrdSpec, CrdVersion, Empty, Metadata,
    Names, ScalePaths, SelectableField, Subresources, Validation, fill, kept, rules, status,
};
use crate::{
    Version,
    apiserver::{
        schema::{EMBEDDED, INT_OR_STRING, LIST_TYPE, MAP_KEYS, MAP_TYPE},
        steps::META_FIELDS,
    },
    definition::{Definition, Layout, Scope, VersionDefinition},
    engine::{Place, differ_in_unset},
    schema::{self, Schema, SchemaError, SchemaType},
};

/// `status_places` says for each version where it stores the values kept for status fields.
pub(super) fn build(
    definition: &Definition,
    status_places: &[Place],
    options: &CrdOptions,
) -> Result<Crd, CrdErrors> {
    if !definition.versions.iter().all(|version| version.layout.has_schema()) {
        return Err(CrdErrors {
            resource: definition.crd_name(),
            errors: vec![CrdError::Disabled],
        });
    }
    let mut errors = Vec::new();
    let mut schemas = Vec::with_capacity(definition.versions.len());
    let mut unread = Vec::new();
    for version in definition.versions {
        let mut found = Vec::new();
        let mut schema = root(version, &mut found);
        let held =
            if options.types_only { Ok(()) } else { status::hold_entries(&mut schema, version) };
        // If no conversion keeps values for the status, the schema has the place for entries of other releases only where that is possible.
        let is_needed =
            status_places.get(schemas.len()).is_some_and(|place| *place != Place::Annotations);
        if let Err(error) = held
            && is_needed
        {
            errors.push(CrdError::Declaration(error));
        }
        schema::describe(&mut schema, options.descriptions.unwrap_or(definition.descriptions));
        schemas.push(schema);
        if !found.is_empty() {
            unread.push(version.name);
        }
        errors.extend(
            found
                .into_iter()
                .map(|error| CrdError::Schema { version: version.name.to_owned(), error }),
        );
    }
    if !options.types_only {
        let mut wrong: Vec<_> = status::come_again(definition, status_places).into_iter().collect();
        wrong.extend(fill::differences(definition, &schemas));
        wrong.extend(kept::compare(definition, &schemas).errors);
        errors.extend(wrong.into_iter().map(CrdError::Declaration));
    }
    let conversion = conversion(definition, options, &mut errors);
    let mut versions: Vec<_> = definition
        .versions
        .iter()
        .zip(schemas)
        .map(|(version, schema)| crd_version(version, schema))
        .collect();
    versions.sort_by_cached_key(|version| Reverse(Version::new(version.name.as_str())));

    let map = |pairs: &[(&str, &str)], more: &BTreeMap<String, String>| {
        let declared = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        declared.chain(more.clone()).collect()
    };
    let crd = Crd {
        api_version: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: Metadata {
            name: definition.crd_name(),
            labels: map(definition.labels, &options.labels),
            annotations: map(definition.annotations, &options.annotations),
        },
        spec: CrdSpec {
            group: definition.group.to_owned(),
            names: names(definition),
            scope: match definition.scope {
                Scope::Cluster => "Cluster",
                Scope::Namespaced => "Namespaced",
            },
            versions,
            conversion,
        },
    };
    errors.extend(rules::check(&crd, &unread, definition));
    if errors.is_empty() { Ok(crd) } else { Err(CrdErrors { resource: crd.metadata.name, errors }) }
}

/// The server's own defaults are written out, so that the document is the same before and after it is applied.
fn names(definition: &Definition) -> Names {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Names {
        plural: definition.plural.to_owned(),
        singular: definition
            .singular
            .map_or_else(|| definition.kind.to_ascii_lowercase(), str::to_owned),
        short_names: owned(definition.short_names),
        kind: definition.kind.to_owned(),
        list_kind: definition
            .list_kind
            .map_or_else(|| format!("{}List", definition.kind), str::to_owned),
        categories: owned(definition.categories),
    }
}

fn crd_version(version: &VersionDefinition, schema: Schema) -> CrdVersion {
    let scale = version.scale.map(|scale| ScalePaths {
        spec_replicas_path: scale.spec_replicas_path.to_owned(),
        status_replicas_path: scale.status_replicas_path.to_owned(),
        label_selector_path: scale.label_selector_path.map(str::to_owned),
    });
    CrdVersion {
        name: version.name.to_owned(),
        served: version.served,
        storage: version.storage,
        deprecated: version.deprecated,
        deprecation_warning: version.deprecation_warning.map(str::to_owned),
        schema: Validation { open_api_v3_schema: schema },
        subresources: (version.status || scale.is_some())
            .then(|| Subresources { status: version.status.then_some(Empty {}), scale }),
        additional_printer_columns: version
            .printer_columns
            .iter()
            .map(|column| Column {
                name: column.name.to_owned(),
                ty: column.ty.to_owned(),
                format: column.format.map(str::to_owned),
                description: column.description.map(str::to_owned),
                priority: column.priority,
                json_path: column.json_path.to_owned(),
            })
            .collect(),
        selectable_fields: version
            .selectable_fields
            .iter()
            .map(|path| SelectableField { json_path: (*path).to_owned() })
            .collect(),
    }
}

/// The schema of a whole object. `metadata` and its neighbors aren't in it: the API server knows them.
fn root(version: &VersionDefinition, errors: &mut Vec<SchemaError>) -> Schema {
    let mut schema = match version.layout {
        Layout::Root(ty) => {
            let before = errors.len();
            let schema = schema::read(ty, "", errors);
            if errors.len() == before {
                check_root(&schema, ty.name, errors);
            }
            schema
        }
        Layout::Stanzas(stanzas) => {
            let mut schema = Schema::object();
            for stanza in stanzas {
                let inner = schema::read(stanza.ty, &format!(".{}", stanza.wire), errors);
                schema.properties.insert(stanza.wire.to_owned(), inner);
                if !stanza.optional {
                    schema.required.push(stanza.wire.to_owned());
                }
            }
            schema.required.sort();
            schema
        }
    };
    if let Some(description) = version.description {
        schema.description = Some(description.to_owned());
    }
    schema::add_validations(&mut schema, version.validations);
    schema
}

/// With the status subresource, the API server accepts few keywords at the root. Without it, the others aren't useful there.
fn check_root(schema: &Schema, ty: &str, errors: &mut Vec<SchemaError>) {
    let mut refuse = |problem: String, rule, instead: &str| {
        errors.push(SchemaError {
            path: ".".to_owned(),
            ty: ty.to_owned(),
            problem,
            rule,
            instead: instead.to_owned(),
        });
    };
    let braces = "write a struct with named fields that isn't an `Option`";
    if schema.ty != Some(SchemaType::Object) {
        refuse("isn't a struct".to_owned(), "the root of an object must be an object", braces);
    }
    if schema.nullable {
        refuse("may be null".to_owned(), "the root of an object is never null", braces);
    }
    if schema.additional_properties.is_some() {
        refuse(
            "is a map".to_owned(),
            "the root of an object must have declared properties",
            braces,
        );
    }
    if !(schema.all_of.is_empty() && schema.one_of.is_empty() && schema.any_of.is_empty()) {
        refuse(
            "is an enum with data, or has one flattened into it".to_owned(),
            "the root of an object with a status subresource accepts no `oneOf`, `anyOf` and `allOf`",
            "move the enum below `spec`",
        );
    }
    if schema.min_properties.is_some() || schema.max_properties.is_some() {
        refuse(
            "limits the number of its properties".to_owned(),
            "the root of an object with a status subresource accepts no `minProperties` and no `maxProperties`",
            "remove the bound, or move the fields below `spec`",
        );
    }
    for name in META_FIELDS {
        if schema.properties.contains_key(name) {
            refuse(
                format!("has a field `{name}`"),
                "the API server itself defines that field",
                "leave it out of the versioned type",
            );
        }
    }
    let own = &schema.extensions;
    let known = [
        (EMBEDDED, own.embedded_resource),
        (INT_OR_STRING, own.int_or_string),
        (MAP_KEYS, !own.list_map_keys.is_empty()),
        (LIST_TYPE, own.list_type.is_some()),
        (MAP_TYPE, own.map_type.is_some()),
    ];
    let known = known.into_iter().filter_map(|(name, is_set)| is_set.then_some(name));
    for name in known.chain(own.others.keys().map(String::as_str)) {
        refuse(
            format!("has `{name}`"),
            "the root of an object with a status subresource doesn't accept it",
            "move it below the root",
        );
    }
}

fn conversion(
    definition: &Definition,
    options: &CrdOptions,
    errors: &mut Vec<CrdError>,
) -> Conversion {
    let none = Conversion { strategy: "None", webhook: None };
    let is_needed =
        if options.types_only { options.webhook.is_some() } else { versions_differ(definition) };
    if !is_needed {
        return none;
    }
    let Some(webhook) = &options.webhook else {
        errors.push(CrdError::Webhook(
            "the versions differ, so the API server needs a conversion webhook; give `--service-name` and \
             `--service-namespace` (with `--service-path` and `--service-port` where they aren't `/convert` and 443), or \
             `--url`, or `CrdOptions::webhook` in code"
                .to_owned(),
        ));
        return none;
    };
    match webhook.conversion(errors) {
        None => none,
        webhook => Conversion { strategy: "Webhook", webhook },
    }
}

/// Whether the API server needs a webhook.
pub(super) fn versions_differ(definition: &Definition) -> bool {
    let mut plans = definition.versions.iter().filter_map(VersionDefinition::rules);
    plans.any(|plan| !plan.keeps_all(|_, older, newer| !differ_in_unset(older, newer)))
}
