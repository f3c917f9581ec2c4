//! The patches of kustomize, which aren't whole objects.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;
use serde_json::Value;

use crate::{
    ResourceType,
    cli::{choice::resource_of, input},
};

/// What kustomize calls its file.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The directives of a strategic merge patch. Those with a slash are followed by a field.
///
/// Source: `pkg/util/strategicpatch/patch.go` of `k8s.io/apimachinery`.
const DIRECTIVES: [&str; 4] =
    ["$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"];

/// The patches for the objects of the program that aren't written for the new version.
pub(super) struct Patches<'a> {
    resources: &'a [ResourceType],
    /// The version to convert to, without its group.
    version: &'a str,
    /// The patches with their places, for people.
    pub(super) found: Vec<String>,
    /// The files that kustomizations name as patches, also those for other objects.
    pub(super) files: HashSet<PathBuf>,
}

impl<'a> Patches<'a> {
    /// Reads the kustomizations in the folders of the files.
    pub(super) fn find<'f>(
        files: impl Iterator<Item = &'f Path>,
        resources: &'a [ResourceType],
        to: &'a str,
    ) -> Result<Self, String> {
        let version = to.rsplit('/').next().unwrap_or_default();
        let mut patches = Self { resources, version, found: Vec::new(), files: HashSet::new() };
        let folders: BTreeSet<_> =
            files.map(|file| file.parent().unwrap_or(Path::new(""))).collect();
        for folder in folders {
            for file in NAMES.map(|name| folder.join(name)) {
                if file.is_file() {
                    for kustomization in read(&file)? {
                        patches.kustomization(&file, &kustomization)?;
                    }
                }
            }
        }
        Ok(patches)
    }

    fn kustomization(&mut self, file: &Path, kustomization: &Value) -> Result<(), String> {
        for field in ["patches", "patchesStrategicMerge", "patchesJson6902"] {
            for (place, patch) in list(&kustomization[field]).enumerate() {
                let at = format!("{}: the patch `{field}[{place}]`", input::name(file));
                self.patch(file, &at, patch)?;
            }
        }
        for (place, replacement) in list(&kustomization["replacements"]).enumerate() {
            let at = format!("{}: `replacements[{place}]`", input::name(file));
            match replacement["path"].as_str() {
                Some(path) => {
                    let path = beside(file, path);
                    for replacement in read(&path)?.iter().flat_map(documents) {
                        self.replacement(&input::name(&path), replacement);
                    }
                }
                None => self.replacement(&at, replacement),
            }
        }
        Ok(())
    }

    fn patch(&mut self, file: &Path, at: &str, patch: &Value) -> Result<(), String> {
        // In `patchesStrategicMerge`, a text is the patch itself or the name of its file.
        let (inline, named) = match patch.as_str() {
            Some(text) if text.contains('\n') => (Some(text), None),
            Some(named) => (None, Some(named)),
            None => (patch["patch"].as_str(), patch["path"].as_str()),
        };
        let mut at = at.to_owned();
        let written = match (inline, named) {
            (Some(text), _) => values(text.as_bytes()).map_err(|error| format!("{at}: {error}"))?,
            (None, Some(named)) => {
                let named = beside(file, named);
                // A remote patch can't be read, and isn't in a file that is converted.
                if !named.is_file() {
                    return Ok(());
                }
                at = format!("{}: this patch", input::name(&named));
                self.files.insert(fs::canonicalize(&named).unwrap_or_else(|_| named.clone()));
                read(&named)?
            }
            (None, None) => return Ok(()),
        };
        let kind = self.selected(&patch["target"]);
        let kind = kind
            .or_else(|| written.iter().flat_map(documents).find_map(|object| self.older(object)));
        if let Some(kind) = kind {
            self.found.push(format!("{at} for {kind}, which isn't a whole object,"));
        }
        Ok(())
    }

    fn replacement(&mut self, at: &str, replacement: &Value) {
        let targets = list(&replacement["targets"]).map(|target| &target["select"]);
        let mut ends = std::iter::once(&replacement["source"]).chain(targets);
        if let Some(kind) = ends.find_map(|end| self.selected(end)) {
            self.found.push(format!("{at}, which names fields of {kind},"));
        }
    }

    /// The kind of the program that a selector of kustomize names, unless it names the new version.
    fn selected(&self, selector: &Value) -> Option<String> {
        let [group, version, kind] =
            ["group", "version", "kind"].map(|name| selector[name].as_str());
        if group.or(kind).is_none() || version == Some(self.version) {
            return None;
        }
        self.resources.iter().find_map(|resource| {
            let definition = resource.definition();
            (is_match(group, definition.group) && is_match(kind, definition.kind))
                .then(|| definition.kind.to_owned())
        })
    }

    /// The kind of an object of the program, unless it is in the new version.
    fn older(&self, object: &Value) -> Option<String> {
        let (api_version, kind) = (object["apiVersion"].as_str()?, object["kind"].as_str()?);
        resource_of(self.resources, api_version, kind)?;
        (api_version.rsplit('/').next() != Some(self.version)).then(|| kind.to_owned())
    }

    /// Says if a document is a strategic merge patch for an object of the program.
    pub(super) fn directive(&self, json: &str) -> Option<String> {
        if !json.contains('$') {
            return None;
        }
        let value: Value = serde_json::from_str(json).ok()?;
        let object = documents(&value)
            .find(|object| self.older(object).is_some() && has_directive(object))?;
        Some(format!("this patch for {}, which isn't a whole object,", self.older(object)?))
    }
}

/// The items of a list, or none.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The items of a list, or the value itself.
fn documents(value: &Value) -> impl Iterator<Item = &Value> {
    let alone = (!value.is_array()).then_some(value);
    list(value).chain(alone)
}

/// Whether a selector's pattern matches a whole name. Without a pattern, it does.
fn is_match(pattern: Option<&str>, name: &str) -> bool {
    let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) else { return true };
    Regex::new(&format!("^(?:{pattern})$")).map_or(pattern == name, |regex| regex.is_match(name))
}

fn has_directive(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| {
            DIRECTIVES.iter().any(|directive| match directive.strip_suffix('/') {
                Some(_) => name.starts_with(directive),
                None => name == directive,
            }) || has_directive(value)
        }),
        Value::Array(items) => items.iter().any(has_directive),
        _ => false,
    }
}

fn beside(file: &Path, path: &str) -> PathBuf {
    file.with_file_name("").join(path)
}

fn read(file: &Path) -> Result<Vec<Value>, String> {
    let bytes = input::read(Some(file), &mut std::io::empty())?;
    values(&bytes).map_err(|error| format!("{}: {error}", input::name(file)))
}

fn values(bytes: &[u8]) -> Result<Vec<Value>, String> {
    let (documents, _) = input::documents(bytes)?;
    documents
        .iter()
        .map(|document| serde_json::from_str(document).map_err(|error| error.to_string()))
        .collect()
}
