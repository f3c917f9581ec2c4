//! Writes the Rust types of existing CustomResourceDefinitions.
//!
//! [`import`] takes any documents, including those that another program made. For each version it writes the types and their
//! mapping onto the version before. From these types, `crd` makes the same schemas again.
//!
//! ```
//! use crd_conv::{import::{ImportOptions, import}, schema::Json};
//!
//! let document: serde_json::Value = serde_json::from_str(
//!     r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
//!         "metadata": {"name": "boxes.example.com"},
//!         "spec": {"group": "example.com", "names": {"plural": "boxes", "kind": "Box"}, "scope": "Namespaced",
//!                  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
//!                      {"type": "object", "required": ["spec"], "properties": {"spec":
//!                          {"type": "object", "properties": {"size": {"type": "integer", "format": "int64"}}}}}}}]}}"#,
//! )
//! .unwrap();
//! let imported = import(&[Json::from(&document)], &ImportOptions::new()).unwrap();
//! assert!(imported.notes.is_empty());
//! let paths: Vec<_> = imported.files.iter().map(|file| file.path.to_str().unwrap()).collect();
//! assert_eq!(paths, ["boxes/mod.rs", "boxes/v1.rs"]);
//! assert!(imported.files[1].text.contains("pub size: Option<i64>"));
//! ```
//!
//! # Limitations
//!
//! - Differences between two versions become `removed` and `added` fields, whose values are kept. A document doesn't say that a
//!   field was renamed, moved or converted.
//! - Keywords that no Rust type expresses become comments in the text, and [`Imported::notes`].

#![allow(
    clippy::format_push_string,
    reason = "shorter than to ignore an error that a string doesn't have, and there is little text"
)]

mod copy;
mod default;
mod document;
mod inner;
mod keyword;
mod kind;
mod layout;
mod module;
mod names;
mod naming;
mod next;
mod package;
mod repair;
mod resource;
mod rule;
mod suggest;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod walk;
mod write;

use std::{
    error::Error,
    fmt,
    path::{Path, PathBuf},
};

use crate::json::Json;
use document::{Notes, Resource};
use layout::Layout;
use module::Module;
pub(crate) use next::{Next, next};
pub(crate) use package::is_name;
use types::Types;
use write::{Home, Writer};

/// What to import, and how.
///
/// ```
/// use crd_conv::import::ImportOptions;
///
/// let options = ImportOptions::new().resource("boxes.example.com").package("boxes");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    pub(crate) resource: Option<String>,
    pub(crate) package: Option<String>,
    pub(crate) library: Option<PathBuf>,
}

impl ImportOptions {
    /// Makes options that import every resource, as modules for an existing crate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Imports only the resource with this kind, plural name, or `metadata.name`.
    #[must_use]
    pub fn resource(mut self, name: impl Into<String>) -> Self {
        self.resource = Some(name.into());
        self
    }

    /// Writes a complete package with this name, instead of modules for an existing crate.
    #[must_use]
    pub fn package(mut self, name: impl Into<String>) -> Self {
        self.package = Some(name.into());
        self
    }

    /// Makes the package depend on this library by path.
    #[doc(hidden)]
    #[must_use]
    pub fn library(mut self, path: impl Into<PathBuf>) -> Self {
        self.library = Some(path.into());
        self
    }
}

/// The text of the types.
///
/// ```
/// use crd_conv::import::{ImportError, ImportOptions, import};
///
/// assert_eq!(import(&[], &ImportOptions::new()).unwrap_err(), ImportError::Nothing);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imported {
    /// The files. Each resource has a folder, which is a module.
    pub files: Vec<ImportedFile>,
    /// The resources, in the order of the documents.
    pub resources: Vec<ImportedResource>,
    /// What the text doesn't say, or says in another way.
    pub notes: Vec<Note>,
    text: String,
}

impl Imported {
    /// All modules in one text.
    pub fn to_text(&self) -> &str {
        &self.text
    }
}

/// A file with text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportedFile {
    /// The path in the folder of the modules, or in that of the package.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
}

/// Where the types of a resource are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportedResource {
    /// The document's `metadata.name`.
    pub name: String,
    /// The module with the resource's types.
    pub module: String,
    /// The enum in this module whose variants are the versions.
    pub item: String,
    /// The names of the versions, oldest first.
    pub versions: Vec<String>,
}

/// Something that the text doesn't say, or says in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The document's `metadata.name`.
    pub resource: String,
    /// The place in the document, or in the schema of a version. Empty for the whole document.
    pub path: String,
    /// What was found.
    pub what: String,
    /// Why it isn't written, or what was written instead.
    pub why: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resource, path, what, why } = self;
        write!(f, "{resource}: ")?;
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        write!(f, "{what}: {why}")
    }
}

/// Why nothing was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportError {
    /// There is no CustomResourceDefinition.
    Nothing,
    /// Two documents have this `metadata.name`.
    Twice(String),
    /// There is no resource with this name.
    Missing(String),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is no CustomResourceDefinition"),
            Self::Twice(name) => {
                write!(f, "two documents are called `{name}`: leave one of them out")
            }
            Self::Missing(name) => write!(f, "there is no resource `{name}`"),
        }
    }
}

impl Error for ImportError {}

/// Writes Rust types for every version of these CustomResourceDefinitions.
///
/// # Errors
///
/// There is no document, two documents have the same name, or none is the resource that the options name. Nothing in a schema
/// is an error.
pub fn import(documents: &[Json], options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut notes = Vec::new();
    let resources = read(documents, options, &mut notes)?;
    let modules = names::modules(resources.iter().map(|resource| &*resource.names.plural));
    let mut all = Vec::new();
    let mut imported = Vec::new();
    for (resource, module) in resources.iter().zip(modules) {
        let item = names::of_kind(&resource.names.kind);
        let mut notes = Notes { resource: resource.name.clone(), all: &mut notes };
        all.push(of_resource(resource, &module, &item, &mut notes));
        imported.push(ImportedResource {
            name: resource.name.clone(),
            module,
            item,
            versions: resource.versions.iter().map(|version| version.name.clone()).collect(),
        });
    }
    if has_int_or_string(&all) {
        all.push(common());
    }
    let mut files = Vec::new();
    for module in &all {
        module.files(Path::new(""), &mut files);
    }
    let text = all.iter().map(Module::in_one).collect::<Vec<_>>().join("\n");
    let mut imported = Imported { files, resources: imported, notes, text };
    if let Some(name) = &options.package {
        package::package(&mut imported, &resources, name, options.library.as_deref());
    }
    Ok(imported)
}

fn read(
    documents: &[Json],
    options: &ImportOptions,
    notes: &mut Vec<Note>,
) -> Result<Vec<Resource>, ImportError> {
    if documents.is_empty() {
        return Err(ImportError::Nothing);
    }
    let mut resources: Vec<Resource> = Vec::new();
    for json in documents {
        let name = document::name(json).to_owned();
        let mut own = Vec::new();
        let resource = document::read(json, &mut Notes { resource: name, all: &mut own });
        let names = &resource.names;
        let is_wanted = options
            .resource
            .as_ref()
            .is_none_or(|wanted| [&names.kind, &names.plural, &resource.name].contains(&wanted));
        if is_wanted {
            if resources.iter().any(|before| before.name == resource.name) {
                return Err(ImportError::Twice(resource.name));
            }
            resources.push(resource);
            notes.extend(own);
        }
    }
    match &options.resource {
        Some(wanted) if resources.is_empty() => Err(ImportError::Missing(wanted.clone())),
        _ => Ok(resources),
    }
}

const ALLOWED: &str = "\
#![allow(
    clippy::doc_lazy_continuation,
    clippy::doc_markdown,
    clippy::struct_field_names,
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_codeblock_attributes,
    rustdoc::invalid_html_tags,
    rustdoc::invalid_rust_codeblocks,
    reason = \"the descriptions of the CustomResourceDefinition\"
)]
#![allow(unused_imports, reason = \"the module of a version has all of its types\")]
";

fn of_resource(resource: &Resource, module: &str, item: &str, notes: &mut Notes<'_>) -> Module {
    let mut types = Types::default();
    let layout = Layout::of(&mut types, resource);
    let roots = layout.roots(&names::pascal(&resource.names.kind));
    let order = naming::assign(&mut types, &roots, item);
    let writer = Writer { resource, types: &types, order: &order };
    let homes = (0..resource.versions.len()).map(Home::Version);
    let mut inside = Vec::new();
    for home in [Home::Shared].into_iter().chain(homes) {
        let text = writer.types_of(home, notes);
        if home != Home::Shared || !text.is_empty() {
            let name = writer.module(home).to_owned();
            inside.push(Module { name, head: String::new(), text, inside: Vec::new() });
        }
    }
    Module {
        name: module.to_owned(),
        head: format!("//! The versions of {}.\n{ALLOWED}", text::in_comment(&resource.name)),
        text: resource::declaration(resource, item, &layout, &types, notes),
        inside,
    }
}

fn has_int_or_string(modules: &[Module]) -> bool {
    let imports = |module: &Module| module.text.contains("common::IntOrString;");
    modules.iter().flat_map(|module| &module.inside).any(imports)
}

/// The types of all resources.
fn common() -> Module {
    Module {
        name: "common".to_owned(),
        head: String::new(),
        text: "\
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// An integer or a string. A doc comment would become the description of its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum IntOrString {
    Int(i64),
    String(String),
}
"
        .to_owned(),
        inside: Vec::new(),
    }
}
