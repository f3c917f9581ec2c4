//! `metadata`, and the resources inside a resource.
//!
//! Source: `pkg/api/validation/objectmeta.go` of `k8s.io/apimachinery` and `pkg/apiserver/schema/objectmeta`.

use std::collections::BTreeMap;

use super::{
    cause::{Findings, quoted},
    coerce,
    dns::{is_dns_label, is_label, is_label_value, is_qualified_name, is_subdomain},
    finding::Kind,
    path::Path,
    schema::Schema,
};
use crate::json::Json;

type Members = BTreeMap<String, Json>;

/// All annotations of an object together.
const MAX_ANNOTATIONS: usize = 256 * 1024;
/// Of a generated name.
const MAX_PREFIX: usize = 58;
const MAX_MANAGER: usize = 128;
const MAX_SUBRESOURCE: usize = 256;

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const QUALIFIED: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/// What is wrong with the resources in a value.
pub(crate) fn resources(value: &Json, schema: &Schema, is_root: bool) -> Findings {
    let mut found = Findings::default();
    let mut read = value.clone();
    if let Err(refusal) = coerce::coerce(&mut read, schema, &Path::Root, &mut Vec::new()) {
        found.invalid(&Path::Root, value, refusal.to_string());
        return found;
    }
    if let (true, Json::Object(members)) = (is_root && !schema.extensions.embedded_resource, &read)
    {
        resource(&Path::Root, members, &mut found);
    }
    embedded(&Path::Root, &read, schema, &mut found);
    found
}

/// What is wrong with the `apiVersion` or the `kind` of a resource.
pub(crate) fn resource_field(name: &str, value: &Json) -> Findings {
    let mut found = Findings::default();
    check_resource_field(&Path::Root, name, value, &mut found);
    found
}

/// Checks the metadata of an object that a client creates.
pub(super) fn of_object(members: &Members, found: &mut Findings) {
    let nothing = Members::new();
    let metadata = match members.get("metadata") {
        Some(Json::Object(metadata)) => metadata,
        _ => &nothing,
    };
    let path = Path::Field(&Path::Root, "metadata");
    let name = text(metadata, "name");
    let generate_name = text(metadata, "generateName");
    if !generate_name.is_empty() {
        check_name(&path.field("generateName"), &masked(generate_name), generate_name, found);
    }
    if !name.is_empty() {
        check_name(&path.field("name"), name, name, found);
    } else if !generate_name.is_empty() {
        let name = generated(generate_name);
        check_name(&path.field("name"), &name, &name, found);
    } else {
        let detail = "name or generateName is required".to_owned();
        found.refuse(&path.field("name"), Kind::Required, None, detail);
    }
    common(&path, metadata, found);
}

/// Checks the metadata of an object that a client updates.
#[cfg(any(feature = "cli", feature = "testing"))]
pub(super) fn of_update(members: &Members, found: &mut Findings) {
    if let Some(Json::Object(metadata)) = members.get("metadata") {
        let path = Path::Field(&Path::Root, "metadata");
        plain(&path, metadata, found);
        managers(&path.field("managedFields"), metadata, found);
    }
}

/// A name such as the server makes, whose end is random.
fn generated(prefix: &str) -> String {
    let mut end = prefix.len().min(MAX_PREFIX);
    while !prefix.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}xxxxx", &prefix[..end])
}

/// Something stands behind a generated name. The server masks the last two characters where it means one.
fn masked(name: &str) -> String {
    let start = name.len().checked_sub(2).filter(|_| name.ends_with('-'));
    start.and_then(|end| name.get(..end)).map_or(name.to_owned(), |start| format!("{start}a"))
}

fn check_name(path: &Path<'_>, name: &str, shown: &str, found: &mut Findings) {
    if !is_subdomain(name) {
        found.invalid(path, &Json::Text(shown.to_owned()), SUBDOMAIN.to_owned());
    }
}

/// Checks the resources inside a value.
pub(super) fn embedded(path: &Path<'_>, value: &Json, schema: &Schema, found: &mut Findings) {
    match value {
        Json::Object(members) => {
            if schema.extensions.embedded_resource {
                resource(path, members, found);
            }
            for (name, member) in members {
                match (schema.properties.get(name), schema.declared(name)) {
                    (Some(property), _) => embedded(&path.field(name), member, property, found),
                    (None, Some(other)) => embedded(&path.key(name), member, other, found),
                    (None, None) => {}
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for (i, item) in items.iter().enumerate() {
                    embedded(&path.index(i), item, schema, found);
                }
            }
        }
        _ => {}
    }
}

/// Checks what makes a value a resource.
fn resource(path: &Path<'_>, members: &Members, found: &mut Findings) {
    for name in ["apiVersion", "kind"] {
        let path = path.field(name);
        match members.get(name) {
            None => found.refuse(&path, Kind::Required, None, String::new()),
            Some(value) => check_resource_field(&path, name, value, found),
        }
    }
    match members.get("metadata") {
        Some(Json::Object(metadata)) => {
            let path = path.field("metadata");
            for name in ["generateName", "name"] {
                let value = text(metadata, name);
                let is_dots = name == "name" && matches!(value, "." | "..");
                if is_dots || value.contains(['/', '%']) {
                    let detail = "may not be '.' or '..', or contain '/' or '%'".to_owned();
                    found.invalid(&path.field(name), &Json::Text(value.to_owned()), detail);
                }
            }
            common(&path, metadata, found);
        }
        Some(Json::Null) | None => {}
        Some(other) => {
            found.invalid(&path.field("metadata"), other, "must be an object".to_owned());
        }
    }
}

/// `apiVersion` or `kind`.
fn check_resource_field(path: &Path<'_>, name: &str, value: &Json, found: &mut Findings) {
    let problem = match value {
        Json::Text(text) if text.is_empty() => "must not be empty".to_owned(),
        Json::Text(text) if name == "apiVersion" => {
            if text.matches('/').count() < 2 {
                return;
            }
            format!("unexpected GroupVersion string: {text}")
        }
        Json::Text(text) => {
            if is_label(&text.to_lowercase()) {
                return;
            }
            "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character".to_owned()
        }
        _ => "must be a string".to_owned(),
    };
    found.invalid(path, value, problem);
}

fn common(path: &Path<'_>, metadata: &Members, found: &mut Findings) {
    let namespace = text(metadata, "namespace");
    if !namespace.is_empty() && !is_dns_label(namespace) {
        invalid(&path.field("namespace"), namespace, LABEL, found);
    }
    plain(path, metadata, found);
    finalizers(&path.field("finalizers"), metadata, found);
    managers(&path.field("managedFields"), metadata, found);
}

fn invalid(path: &Path<'_>, text: &str, problem: &str, found: &mut Findings) {
    found.invalid(path, &Json::Text(text.to_owned()), problem.to_owned());
}

/// The generation, the labels, the annotations and the owners.
fn plain(path: &Path<'_>, metadata: &Members, found: &mut Findings) {
    if let Some(Json::Number(generation)) = metadata.get("generation")
        && generation.as_f64() < 0.0
    {
        let generation = Json::Number(*generation);
        let detail = "must be greater than or equal to 0".to_owned();
        found.invalid(&path.field("generation"), &generation, detail);
    }
    let labels = path.field("labels");
    for (key, value) in texts(metadata, "labels") {
        if !is_qualified_name(key) {
            invalid(&labels, key, QUALIFIED, found);
        }
        if !is_label_value(value) {
            invalid(&labels, value, LABEL_VALUE, found);
        }
    }
    let annotations = path.field("annotations");
    let mut size = 0;
    for (key, value) in texts(metadata, "annotations") {
        size += key.len() + value.len();
        if !is_qualified_name(&key.to_lowercase()) {
            invalid(&annotations, key, QUALIFIED, found);
        }
    }
    if size > MAX_ANNOTATIONS {
        let detail = format!("may not be more than {MAX_ANNOTATIONS} bytes");
        found.refuse(&annotations, Kind::TooLong, None, detail);
    }
    owners(&path.field("ownerReferences"), metadata, found);
}

fn finalizers(path: &Path<'_>, metadata: &Members, found: &mut Findings) {
    let names: Vec<&str> = items(metadata, "finalizers").filter_map(Json::as_str).collect();
    for name in &names {
        if !is_qualified_name(name) {
            invalid(path, name, QUALIFIED, found);
        }
    }
    if ["orphan", "foregroundDeletion"].iter().all(|name| names.contains(name)) {
        let value = metadata.get("finalizers").unwrap_or(&Json::Null);
        let detail = "finalizer orphan and foregroundDeletion cannot be both set".to_owned();
        found.invalid(path, value, detail);
    }
}

fn owners(path: &Path<'_>, metadata: &Members, found: &mut Findings) {
    let mut controller = false;
    for (i, owner) in items(metadata, "ownerReferences").enumerate() {
        let Json::Object(members) = owner else { continue };
        let list = path;
        let path = &list.index(i);
        let api_version = text(members, "apiVersion");
        let version = match api_version.split_once('/') {
            // What can't be read has neither group nor version.
            Some((_, version)) if !version.contains('/') => version,
            Some(_) => "",
            None => api_version,
        };
        if version.is_empty() && !api_version.is_empty() {
            let value = Json::Text(api_version.to_owned());
            let detail = "must be <group>/<version> or <version>".to_owned();
            found.invalid(&path.field("apiVersion"), &value, detail);
        }
        for name in ["apiVersion", "kind", "name", "uid"] {
            if text(members, name).is_empty() {
                let detail = "must not be empty".to_owned();
                found.refuse(&path.field(name), Kind::Required, None, detail);
            }
        }
        if api_version == "v1" && text(members, "kind") == "Event" {
            let detail = "/v1, Kind=Event is disallowed from being an owner".to_owned();
            found.invalid(path, owner, detail);
        }
        if members.get("controller") == Some(&Json::Boolean(true)) {
            if controller {
                let detail = "Only one reference can have Controller set to true.".to_owned();
                let value = metadata.get("ownerReferences").unwrap_or(owner);
                found.invalid(list, value, detail);
            }
            controller = true;
        }
    }
}

fn managers(path: &Path<'_>, metadata: &Members, found: &mut Findings) {
    for (i, entry) in items(metadata, "managedFields").enumerate() {
        let Json::Object(members) = entry else { continue };
        let path = path.index(i);
        let operation = path.field("operation");
        match text(members, "operation") {
            "Apply" | "Update" => {}
            "" => found.refuse(&operation, Kind::Required, None, "must not be empty".to_owned()),
            other => {
                let detail = "supported values: \"Apply\", \"Update\"".to_owned();
                found.refuse(&operation, Kind::NotSupported, Some(quoted(other)), detail);
            }
        }
        let mut invalid = |name: &str, problem: &str| {
            let value = Json::Text(text(members, name).to_owned());
            found.invalid(&path.field(name), &value, problem.to_owned());
        };
        if !["", "FieldsV1"].contains(&text(members, "fieldsType")) {
            invalid("fieldsType", "must be `FieldsV1`");
        }
        if text(members, "manager").chars().any(char::is_control) {
            invalid("manager", "invalid character");
        }
        for (name, max) in [("manager", MAX_MANAGER), ("subresource", MAX_SUBRESOURCE)] {
            if text(members, name).len() > max {
                let detail = format!("may not be more than {max} bytes");
                found.refuse(&path.field(name), Kind::TooLong, None, detail);
            }
        }
    }
}

fn text<'m>(members: &'m Members, name: &str) -> &'m str {
    members.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn texts<'m>(members: &'m Members, name: &str) -> impl Iterator<Item = (&'m str, &'m str)> {
    let texts = match members.get(name) {
        Some(Json::Object(texts)) => Some(texts),
        _ => None,
    };
    texts.into_iter().flatten().map(|(key, text)| (&**key, text.as_str().unwrap_or_default()))
}

fn items<'m>(members: &'m Members, name: &str) -> impl Iterator<Item = &'m Json> {
    let items = match members.get(name) {
        Some(Json::Array(items)) => Some(items),
        _ => None,
    };
    items.into_iter().flatten()
}
