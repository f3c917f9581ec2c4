//! Checks that every object has room in another storage version, before the storage version
//! changes.
//!
//! Afterwards it is too late. Before the API server looks at a write or a delete in any version, it
//! converts the existing object into the storage version.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{Client, Error};
use serde_json::value::RawValue;

use super::pages::Pages;
use super::requests::Requests;
use super::{InstallError, said};
use crate::ResourceType;
use crate::complement::annotation_prefix;
use crate::definition::Definition;
use crate::object::object_name;

/// The most objects that an error names.
const NAMED: usize = 3;

/// Converts all objects, if an installation changes the storage version.
pub(super) async fn refuse_without_room(
    client: &Client,
    found: &CustomResourceDefinition,
    definition: &'static Definition,
) -> Result<(), InstallError> {
    let now = found.spec.versions.iter().find(|version| version.storage);
    let own = definition.versions.iter().find(|version| version.storage);
    let Some((now, own)) = now.zip(own).filter(|(now, own)| now.name != own.name) else {
        return Ok(());
    };
    let (name, from, to) = (definition.crd_name(), now.name.clone(), own.name.to_owned());
    let is_known = |name: &str| definition.versions.iter().any(|version| version.name == name);
    let mut served: Vec<_> = found.spec.versions.iter().filter(|version| version.served).collect();
    // An object that is stored in the listed version needs no conversion, and is complete.
    served.sort_by_key(|version| !version.storage);
    let served = served.into_iter().map(|version| version.name.clone());
    let served = served.filter(|name| is_known(name)).collect();
    let requests = Requests::new(client, definition.group, definition.plural, false);
    let Some(mut pages) = Pages::new(requests, served, false) else {
        let reason = "the cluster serves no version that this program has".to_owned();
        return Err(InstallError::Unchecked { name, from, to, reason });
    };
    // An object that isn't stored in the listed version isn't trusted to be complete, because it
    // may be shown without values that have no room there.
    let resource = ResourceType::new(definition);
    let (mut count, mut objects) = (0, Vec::new());
    loop {
        let page = match pages.next::<Box<RawValue>>().await {
            Ok(Some(page)) => page,
            Ok(None) => break,
            Err(error) => {
                let said = said(&error);
                let Definition { plural, group, .. } = definition;
                let reason = match &error {
                    Error::Api(status) if status.code == 403 => {
                        format!("{said}; allow `list` for {plural} of {group} in all namespaces")
                    }
                    _ => said,
                };
                return Err(InstallError::Unchecked { name, from, to, reason });
            }
        };
        for item in page.items {
            if let Some(reason) = without_room(&resource, own.name, item.get()) {
                count += 1;
                if objects.len() < NAMED {
                    objects.push(reason);
                }
            }
        }
    }
    if count == 0 { Ok(()) } else { Err(InstallError::NoRoom { name, from, to, count, objects }) }
}

/// The reason why an object can't be stored in a version.
fn without_room(resource: &ResourceType, version: &str, json: &str) -> Option<String> {
    if let Err(error) = resource.convert(json.as_bytes(), version) {
        return Some(error.to_string());
    }
    // The object may already be shown in that version, and lack values.
    let object: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    let prefix = annotation_prefix(resource.definition().group);
    let own = |of: &str| {
        let all = object["metadata"][of].as_object().cloned().unwrap_or_default();
        all.into_iter().filter(|(key, _)| key.starts_with(&prefix)).collect::<Vec<_>>()
    };
    let is_tombstone = |(_, value): &(String, serde_json::Value)| {
        value.as_str().is_some_and(|text| text.contains("\"tombstone\":"))
    };
    let is_incomplete = || !own("labels").is_empty() || own("annotations").iter().any(is_tombstone);
    (object["apiVersion"].as_str().is_some_and(|own| own.ends_with(&format!("/{version}")))
        && is_incomplete())
    .then(|| {
        format!(
            "{} lacks kept values that don't fit into its annotations in {version}",
            object_name(json, 0)
        )
    })
}
