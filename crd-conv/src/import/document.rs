//! A document as an import reads it: complete, whatever is missing in it.

use std::collections::BTreeMap;

use super::{Note, names, repair::repair};
use crate::apiserver::{
    dns::{is_dns_label, is_label},
    place::Place,
    schema::Schema,
};
use crate::json::Json;
use crate::verify::{document, verify};

/// A resource, with its versions from the oldest to the newest.
pub(super) struct Resource {
    /// The document's `metadata.name`.
    pub(super) name: String,
    pub(super) group: String,
    pub(super) names: document::Names,
    pub(super) scope: &'static str,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) annotations: BTreeMap<String, String>,
    pub(super) conversion: Option<document::Conversion>,
    pub(super) versions: Vec<Version>,
}

#[expect(clippy::struct_excessive_bools, reason = "what a document says about a version")]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) module: String,
    pub(super) variant: String,
    pub(super) is_served: bool,
    pub(super) is_stored: bool,
    pub(super) is_deprecated: bool,
    /// The warning, if it isn't the API server's own.
    pub(super) warning: Option<String>,
    pub(super) has_status: bool,
    pub(super) scale: Option<document::Scale>,
    pub(super) columns: Vec<document::Column>,
    pub(super) selectable_fields: Vec<String>,
    pub(super) root: Schema,
    /// The schema as it is written.
    pub(super) written: Option<Json>,
}

/// Labels and annotations that tools write into a document.
const OF_TOOLS: [&str; 4] = [
    "cert-manager.io/inject-ca-from",
    "controller-gen.kubebuilder.io/version",
    "kubectl.kubernetes.io/last-applied-configuration",
    "service.beta.openshift.io/inject-cabundle",
];

/// The notes about one resource.
pub(super) struct Notes<'n> {
    pub(super) resource: String,
    pub(super) all: &'n mut Vec<Note>,
}

impl Notes<'_> {
    pub(super) fn add(&mut self, path: &str, what: impl Into<String>, why: impl Into<String>) {
        let note = Note {
            resource: self.resource.clone(),
            path: path.to_owned(),
            what: what.into(),
            why: why.into(),
        };
        // Types in several places have the same.
        if !self.all.contains(&note) {
            self.all.push(note);
        }
    }
}

/// The document's `metadata.name`.
pub(super) fn name(json: &Json) -> &str {
    let name = json.member("metadata").and_then(|metadata| metadata.member("name"));
    name.and_then(Json::as_str).unwrap_or_default()
}

/// Reads a document.
pub(super) fn read(json: &Json, notes: &mut Notes<'_>) -> Resource {
    let json = &document::as_created(json.clone());
    let report = verify(json);
    for violation in &report.violations {
        notes.add(
            &violation.path,
            "the API server refuses the document",
            violation.problem.clone(),
        );
    }
    let document = document::Document::read(json, &mut Place::default());
    let name = document.metadata.name;
    let (plural, group) = name.split_once('.').unwrap_or((&name, ""));
    let group = part(&document.group, group, notes, ("spec.group", "example.com"), is_group);
    let mut names = document.names;
    names.plural = part(&names.plural, plural, notes, ("spec.names.plural", "resources"), is_label);
    if !is_label(&names.kind.to_ascii_lowercase()) {
        let one = names::singular(&names.plural);
        let kind = names::pascal(one.as_ref().unwrap_or(&names.plural));
        notes.add(
            "spec.names.kind",
            format!("`{}` isn't a kind", names.kind),
            format!("`{kind}` is written"),
        );
        names.kind = kind;
        names.made = [true, true];
    }
    for (list, what) in
        [(&mut names.short_names, "a short name"), (&mut names.categories, "a category")]
    {
        let mut seen = Vec::new();
        list.retain(|name| {
            let is_kept = is_label(name) && !seen.contains(name);
            seen.push(name.clone());
            if !is_kept {
                notes.add("spec.names", format!("`{name}` isn't {what}"), "it is left out");
            }
            is_kept
        });
    }
    names.made[0] |= !is_label(&names.singular);
    let scope = match &*document.scope {
        "Cluster" => "Cluster",
        "Namespaced" => "Namespaced",
        other => {
            notes.add("spec.scope", format!("`{other}` isn't a scope"), "`Namespaced` is written");
            "Namespaced"
        }
    };
    let written = |mut texts: BTreeMap<String, String>| {
        texts.retain(|key, _| !OF_TOOLS.contains(&&**key));
        texts
    };
    Resource {
        name: name.clone(),
        group,
        names,
        scope,
        labels: written(document.metadata.labels),
        annotations: written(document.metadata.annotations),
        conversion: document.conversion,
        versions: versions(document.versions, notes),
    }
}

/// A name, or what can stand for it.
fn part(
    name: &str,
    of_metadata: &str,
    notes: &mut Notes<'_>,
    (path, default): (&str, &str),
    is_valid: fn(&str) -> bool,
) -> String {
    if is_valid(name) {
        return name.to_owned();
    }
    let instead = if is_valid(of_metadata) { of_metadata } else { default };
    notes.add(path, format!("`{name}` can't be used"), format!("`{instead}` is written"));
    instead.to_owned()
}

fn is_group(name: &str) -> bool {
    name.contains('.') && name.len() <= 242 && name.split('.').all(is_dns_label)
}

fn versions(read: Vec<document::Version<'_>>, notes: &mut Notes<'_>) -> Vec<Version> {
    let mut versions = Vec::new();
    for mut version in read {
        if !is_label(&version.name) {
            notes.add(
                "spec.versions",
                format!("`{}` can't be a version", version.name),
                "it is left out",
            );
        } else if versions.iter().any(|before: &document::Version<'_>| before.name == version.name)
        {
            notes.add(
                "spec.versions",
                format!("`{}` is there twice", version.name),
                "the first one is imported",
            );
        } else {
            version.columns.retain(|column| is_column(column, notes));
            versions.push(version);
        }
    }
    versions.sort_by(|a, b| {
        let [a, b] = [a, b].map(|version| crate::Version::new(&*version.name));
        a.age().cmp(&b.age())
    });
    if versions.is_empty() {
        notes.add("spec.versions", "there is no version", "`v1` is written, with any fields");
        versions.push(document::Version {
            name: "v1".to_owned(),
            served: true,
            storage: true,
            deprecated: false,
            deprecation_warning: None,
            schema: None,
            subresources: None,
            columns: Vec::new(),
            selectable_fields: Vec::new(),
        });
    }
    let stored: Vec<_> = (0..versions.len()).filter(|place| versions[*place].storage).collect();
    let newest = versions.len() - 1;
    let stored = stored.last().copied().unwrap_or_else(|| {
        notes.add("spec.versions", "no version is stored", "the newest has `storage`");
        newest
    });
    let modules = names::modules(versions.iter().map(|version| &*version.name));
    let variants = names::versions(versions.iter().map(|version| &*version.name));
    let versions = versions.into_iter().zip(modules).zip(variants).enumerate();
    versions
        .map(|(place, ((version, module), variant))| {
            let has_status = version.has_status();
            let mut root = version.schema().cloned().unwrap_or_else(|| {
                notes.add(&version.name, "there is no schema", "objects have any fields");
                let mut open = Schema::object();
                open.extensions.preserve_unknown_fields = Some(true);
                open
            });
            repair(&mut root, &version.name, notes);
            Version {
                module,
                variant,
                is_served: version.served,
                is_stored: place == stored,
                is_deprecated: version.deprecated,
                warning: version.deprecation_warning.clone().filter(|text| is_warning(text)),
                has_status,
                scale: version.subresources.and_then(|subresources| subresources.scale),
                columns: version.columns,
                selectable_fields: version.selectable_fields,
                root,
                written: version.schema.map(|schema| schema.json.clone()),
                name: version.name,
            }
        })
        .collect()
}

fn is_warning(text: &str) -> bool {
    !text.is_empty() && text.len() <= 256
}

fn is_column(column: &document::Column, notes: &mut Notes<'_>) -> bool {
    let is_known = ["boolean", "date", "integer", "number", "string"].contains(&&*column.ty)
        && column.json_path.starts_with('.')
        && i32::try_from(column.priority).is_ok();
    if !is_known {
        notes.add(
            "additionalPrinterColumns",
            format!("the column `{}` can't be written", column.name),
            "its type or its path isn't one that the API server knows",
        );
    }
    is_known
}
