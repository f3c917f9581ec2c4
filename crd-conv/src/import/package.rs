//! A package around the modules.

use std::path::{Path, PathBuf};

use super::{
    Imported, ImportedFile, Note,
    document::{Resource, Version},
    names,
    text::string,
};
use crate::{crd, json::Json, verify::document::ClientConfig};

/// Puts the modules into a package. Adds its manifest, its program, its tests, and what the documents promise to clients.
pub(super) fn package(
    imported: &mut Imported,
    resources: &[Resource],
    name: &str,
    library: Option<&Path>,
) {
    for file in &mut imported.files {
        file.path = Path::new("src").join(&file.path);
    }
    let mut files = vec![
        ImportedFile { path: PathBuf::from("Cargo.toml"), text: manifest(name, library) },
        ImportedFile { path: PathBuf::from("src/main.rs"), text: program(imported, resources) },
    ];
    for (resource, of) in resources.iter().zip(&imported.resources) {
        for version in &resource.versions {
            if let Some(promise) = promise(version) {
                let path = PathBuf::from(released(&of.module, version));
                let text = serde_json::to_string_pretty(&promise).unwrap_or_default() + "\n";
                files.push(ImportedFile { path, text });
            }
        }
    }
    imported.files.splice(0..0, files);
}

fn released(module: &str, version: &Version) -> String {
    format!("released/{module}/{}.json", version.module)
}

fn manifest(name: &str, library: Option<&Path>) -> String {
    let text = |text: &str| Json::Text(text.to_owned()).to_string();
    let from = match library {
        Some(path) => format!("path = {}", text(&path.to_string_lossy())),
        None => format!("version = {}", text(env!("CARGO_PKG_VERSION"))),
    };
    format!(
        r#"[package]
name = {}
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
crd-conv = {{ {from}, features = ["cli"] }}
schemars = {{ version = "1.2", default-features = false, features = ["derive", "std"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = "1"

[dev-dependencies]
crd-conv = {{ {from}, features = ["testing"] }}
"#,
        text(name)
    )
}

fn program(imported: &mut Imported, resources: &[Resource]) -> String {
    let names: Vec<_> =
        resources.iter().map(|resource| super::text::in_comment(&resource.name)).collect();
    let mut modules: Vec<_> =
        imported.resources.iter().map(|resource| resource.module.clone()).collect();
    if imported.files.iter().any(|file| file.path == Path::new("src/common.rs")) {
        modules.push("common".to_owned());
    }
    modules.sort();
    let modules: Vec<_> = modules.iter().map(|name| format!("mod {name};\n")).collect();
    let types: Vec<_> = imported
        .resources
        .iter()
        .map(|resource| format!("ResourceType::of::<{}::{}>()", resource.module, resource.item))
        .collect();
    let types = match &*types {
        [one] => format!("[{one}]"),
        all => format!("[\n        {},\n    ]", all.join(",\n        ")),
    };
    let (webhook, uses) = match webhook(resources, &mut imported.notes) {
        Some(webhook) => (format!("        .webhook({webhook})\n"), "cli::Cli, crd::Webhook"),
        None => (String::new(), "cli::Cli"),
    };
    format!(
        "//! Work with the versions of {}: imported with `crd-conv import`.\n\n{}\nuse crd_conv::{{ResourceType, {uses}}};\n\n\
         fn main() -> std::process::ExitCode {{\n    Cli::new({types})\n{webhook}        .version(env!(\"CARGO_PKG_VERSION\"))\n        .run()\n}}\n\n{}",
        names.join(", "),
        modules.concat(),
        tests(imported, resources)
    )
}

fn tests(imported: &Imported, resources: &[Resource]) -> String {
    let mut tests = String::new();
    for (resource, of) in resources.iter().zip(&imported.resources) {
        let path = format!("crate::{}::{}", of.module, of.item);
        if resource.versions.len() > 1 {
            tests +=
                &format!("    mod {} {{\n        crd_conv::laws!({path});\n    }}\n\n", of.module);
        }
        for version in resource.versions.iter().filter(|version| version.written.is_some()) {
            tests += &format!(
                "    #[test]\n    fn {}_{}_is_released() {{\n        crd_conv::testing::assert_frozen::<{path}>({}, {});\n    }}\n\n",
                of.module,
                version.module,
                string(&version.name),
                string(&released(&of.module, version))
            );
        }
    }
    format!("#[cfg(test)]\nmod tests {{\n{}}}\n", tests.trim_end_matches('\n').to_owned() + "\n")
}

/// The webhook that the documents name.
fn webhook(resources: &[Resource], notes: &mut Vec<Note>) -> Option<String> {
    let mut found: Option<String> = None;
    for resource in resources {
        let Some(conversion) = &resource.conversion else { continue };
        let Some(text) = conversion.client_config.as_ref().and_then(address) else { continue };
        let is_default = conversion.review_versions == ["v1", "v1beta1"];
        let versions: Vec<_> =
            conversion.review_versions.iter().map(|version| string(version)).collect();
        let text = if is_default || versions.is_empty() {
            text
        } else {
            format!("{text}.review_versions([{}])", versions.join(", "))
        };
        match &found {
            Some(other) if *other != text => notes.push(Note {
                resource: resource.name.clone(),
                path: "spec.conversion".to_owned(),
                what: format!("another webhook, `{text}`"),
                why: "a program declares one; `crd` takes another one as options".to_owned(),
            }),
            _ => found = Some(text),
        }
    }
    found
}

fn address(config: &ClientConfig) -> Option<String> {
    if let Some(url) = &config.url {
        return Some(format!("Webhook::url({})", string(url)));
    }
    let service = config.service.as_ref()?;
    let mut text =
        format!("Webhook::service({}, {})", string(&service.namespace), string(&service.name));
    match service.path.as_deref().unwrap_or("/") {
        "/convert" => {}
        path => text += &format!(".path({})", string(path)),
    }
    if let (Ok(port), true) = (u16::try_from(service.port), service.port != 443) {
        text += &format!(".port({port})");
    }
    Some(text)
}

/// What clients rely on, as `assert_frozen` reads it, with the field for kept values.
fn promise(version: &Version) -> Option<Json> {
    let mut schema = version.written.clone()?;
    if version.has_status
        && let Json::Object(root) = &mut schema
    {
        let object = |members: [(&str, Json); 1]| {
            Json::Object(
                members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
            )
        };
        let properties =
            root.entry("properties".to_owned()).or_insert_with(|| Json::Object([].into()));
        if let Json::Object(properties) = properties {
            let status = properties
                .entry("status".to_owned())
                .or_insert_with(|| object([("type", Json::Text("object".to_owned()))]));
            if let Json::Object(status) = status {
                let fields = status
                    .entry("properties".to_owned())
                    .or_insert_with(|| Json::Object([].into()));
                if let Json::Object(fields) = fields {
                    let entries = serde_json::to_value(crd::entries()).ok()?;
                    fields.insert("conversionEntries".to_owned(), Json::from(&entries));
                }
            }
        }
    }
    let mut members = vec![
        ("name", Json::Text(version.name.clone())),
        ("schema", Json::Object([("openAPIV3Schema".to_owned(), schema)].into())),
    ];
    if version.has_status || version.scale.is_some() {
        members.push(("subresources", subresources(version)));
    }
    if !version.selectable_fields.is_empty() {
        let fields = version
            .selectable_fields
            .iter()
            .map(|path| Json::Object([("jsonPath".to_owned(), Json::Text(path.clone()))].into()));
        members.push(("selectableFields", Json::Array(fields.collect())));
    }
    let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
    Some(Json::Object(members.collect()))
}

fn subresources(version: &Version) -> Json {
    let text = |text: &str| Json::Text(text.to_owned());
    let object = |members: Vec<(&str, Json)>| {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let mut members = Vec::new();
    if version.has_status {
        members.push(("status", object(Vec::new())));
    }
    if let Some(scale) = &version.scale {
        let mut paths = vec![
            ("specReplicasPath", text(&scale.spec_replicas_path)),
            ("statusReplicasPath", text(&scale.status_replicas_path)),
        ];
        paths
            .extend(scale.label_selector_path.iter().map(|path| ("labelSelectorPath", text(path))));
        members.push(("scale", object(paths)));
    }
    object(members)
}

/// Whether Cargo takes this name for a package.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|each| each.is_ascii_alphanumeric() || "-_".contains(each))
        && names::raw(name) == *name
}
