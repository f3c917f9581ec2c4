//! Removes an object's references to versions that are or will be removed.

use serde_json::{Map, Value, json};

use super::fields::{self, Fields, Items};
use crate::ResourceType;
use crate::cluster::requests::Metadata;
use crate::complement::annotation_prefix;

/// The references to remove.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleaning {
    /// The versions that the CustomResourceDefinition has.
    pub(super) known: Vec<String>,
    /// The version that is being removed.
    pub(super) removed: Option<String>,
    /// Whether to remove the annotations with values that only the removed version has, too.
    pub(super) entries: bool,
}

/// The changes that clean an object.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Cleaned {
    /// The new `metadata.managedFields`, if they change.
    pub(super) managed: Option<Value>,
    /// The annotations to remove.
    pub(super) annotations: Vec<String>,
}

impl Cleaned {
    /// Whether the object's fields have any owners afterwards.
    pub(super) fn keeps_owners(&self, before: &Metadata) -> bool {
        match &self.managed {
            Some(managed) => managed.as_array().is_some_and(|all| *all != [json!({})]),
            None => !before.managed_fields.is_empty(),
        }
    }
}

impl Cleaning {
    /// Whether an object has references to remove. Of `metadata.annotations`, only the keys matter.
    pub(super) fn is_needed(&self, group: &str, metadata: &Value) -> bool {
        self.any_stale(group, entries(metadata))
            || self.annotations(group, metadata).next().is_some()
    }

    /// Whether one of these entries of `metadata.managedFields` names a version that is or will be
    /// removed.
    pub(super) fn any_stale<'a>(
        &self,
        group: &str,
        entries: impl IntoIterator<Item = &'a Value>,
    ) -> bool {
        entries.into_iter().any(|entry| self.is_stale(group, entry))
    }

    /// Whether an entry of `metadata.managedFields` names a version that is or will be removed. If
    /// the CustomResourceDefinition no longer has that version, server-side apply to the object
    /// fails. At any other write, the owners stay as they were. Before Kubernetes 1.37, such a
    /// write removed them.
    ///
    /// Source: <https://github.com/kubernetes/kubernetes/issues/111937>
    fn is_stale(&self, group: &str, entry: &Value) -> bool {
        version(group, entry).is_some_and(|version| {
            self.removed.as_deref() == Some(version)
                || self.known.iter().all(|known| known != version)
        })
    }

    fn annotations<'a>(
        &self,
        group: &str,
        metadata: &'a Value,
    ) -> impl Iterator<Item = &'a String> {
        let removed = self.removed.as_deref().filter(|_| self.entries);
        let prefix = removed.map(|version| format!("{}{version}.", annotation_prefix(group)));
        let annotations = metadata.get("annotations").and_then(Value::as_object);
        annotations
            .into_iter()
            .flat_map(Map::keys)
            .filter(move |key| prefix.as_ref().is_some_and(|prefix| key.starts_with(prefix)))
    }

    /// Cleans an object. `json` is the object in a version that stays, and `schema` is that
    /// version's schema.
    ///
    /// An owner of fields in a removed version then owns the corresponding fields in this version.
    pub(super) fn clean(&self, resource: &ResourceType, schema: &Value, json: &str) -> Cleaned {
        let object: Value = serde_json::from_str(json).unwrap_or_default();
        let group = resource.definition().group;
        let metadata = &object["metadata"];
        let annotations = self.annotations(group, metadata).cloned().collect();
        if !self.any_stale(group, entries(metadata)) {
            return Cleaned { managed: None, annotations };
        }
        let api_version = object["apiVersion"].as_str().unwrap_or_default();
        let shown = Shown { resource, schema, json, object: &object };
        let mut managed: Vec<Value> = Vec::new();
        for entry in entries(metadata) {
            let mut entry = entry.clone();
            if self.is_stale(group, &entry) {
                let old = version(group, &entry).unwrap_or_default();
                let set = entry.get("fieldsV1").and_then(Value::as_object);
                let set = set.cloned().unwrap_or_default();
                let set = shown.translated(old, &set);
                if set.is_empty() {
                    continue;
                }
                entry["apiVersion"] = json!(api_version);
                entry["fieldsV1"] = Value::Object(set);
            }
            put(&mut managed, entry);
        }
        if managed.is_empty() {
            // With an empty list, as with no list, the API server would keep the present owners.
            managed.push(json!({}));
        }
        Cleaned { managed: Some(Value::Array(managed)), annotations }
    }
}

fn entries(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata.get("managedFields").and_then(Value::as_array).into_iter().flatten()
}

/// The version of this group that an entry names.
fn version<'a>(group: &str, entry: &'a Value) -> Option<&'a str> {
    let (own, version) = entry.get("apiVersion")?.as_str()?.split_once('/')?;
    (own == group).then_some(version)
}

/// Adds an entry. Entries that the API server attributes to the same manager are merged into one.
///
/// Source: `BuildManagerIdentifier` in `k8s.io/apimachinery/pkg/util/managedfields`.
fn put(managed: &mut Vec<Value>, entry: Value) {
    let is_same = |known: &Value| {
        let same = |name| known.get(name) == entry.get(name);
        ["manager", "operation", "subresource", "apiVersion"].into_iter().all(same)
    };
    let known = managed.iter_mut().find(|known| is_same(known));
    match known.and_then(|known| known.get_mut("fieldsV1")).and_then(Value::as_object_mut) {
        Some(known) => {
            if let Some(set) = entry.get("fieldsV1").and_then(Value::as_object) {
                fields::union(known, set);
            }
        }
        None => managed.push(entry),
    }
}

/// An object in a version that stays.
struct Shown<'a> {
    resource: &'a ResourceType,
    /// The schema of that version.
    schema: &'a Value,
    json: &'a str,
    /// The same object, parsed.
    object: &'a Value,
}

impl Shown<'_> {
    /// Translates a set of fields from another version into the object's version.
    fn translated(&self, old: &str, set: &Fields) -> Fields {
        let mut own =
            self.by_conversion(old, set).or_else(|| self.by_name(set)).unwrap_or_default();
        // Metadata is the same in every version.
        own.remove("f:metadata");
        if let Some(metadata) = set.get("f:metadata") {
            own.insert("f:metadata".to_owned(), metadata.clone());
        }
        own
    }

    /// The fields that are lost if the object is converted from the old version without this set.
    /// The API server uses the same method to find fields that an owner no longer applies. Returns
    /// `None` if this program doesn't know the version, or if a converter needs more fields.
    fn by_conversion(&self, old: &str, set: &Fields) -> Option<Fields> {
        let own = self.object["apiVersion"].as_str()?;
        let before = self.resource.convert(self.json.as_bytes(), old).ok()?.json;
        let before_without = |items| {
            let mut rest: Value = serde_json::from_str(&before).ok()?;
            let mut set = set.clone();
            // Without its name and its annotations, it would be a different object.
            set.remove("f:metadata");
            fields::remove(&mut rest, &set, items);
            Some(rest.to_string())
        };
        let value = |json: &str| {
            let converted = self.resource.convert(json.as_bytes(), own).ok()?.json;
            let value: Map<String, Value> = serde_json::from_str(&converted).ok()?;
            Some(Value::Object(value.into_iter().filter(|(name, _)| name != "metadata").collect()))
        };
        let whole = value(&before)?;
        let lost = |items| {
            let rest = value(&before_without(items)?)?;
            Some(fields::lost(self.schema, &whole, Some(&rest)).unwrap_or_default())
        };
        let mut own = lost(Items::OwnFields)?;
        // An item may contain fields of other owners, who don't own the item.
        let items = fields::items(&lost(Items::Whole)?);
        // In a union, an empty set would mean the object itself.
        if own.is_empty() {
            return Some(items);
        }
        if !items.is_empty() {
            fields::union(&mut own, &items);
        }
        Some(own)
    }

    /// The fields of the set that have the same names in the object.
    fn by_name(&self, set: &Fields) -> Option<Fields> {
        let all = fields::lost(self.schema, self.object, None)?;
        fields::intersection(set, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crd::fixture::cron_tab;

    fn object(entries: &Value) -> String {
        json!({
            "apiVersion": "example.com/v1", "kind": "CronTab",
            "metadata": { "name": "a", "managedFields": entries },
            "spec": { "image": "i" },
        })
        .to_string()
    }

    fn entry(manager: &str, version: &str, set: &Value) -> Value {
        json!({
            "manager": manager, "operation": "Update", "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": set,
        })
    }

    fn cleaned(entries: &Value) -> Option<Value> {
        let cleaning = Cleaning { known: vec!["v1".to_owned()], ..Cleaning::default() };
        let schema = json!({ "properties": { "spec": { "properties": { "image": {} } } } });
        cleaning.clean(&cron_tab(), &schema, &object(entries)).managed
    }

    #[test]
    fn a_manager_is_there_once() {
        let image = json!({ "f:spec": { "f:image": {}, "f:unknown": {} } });
        let label = json!({ "f:metadata": { "f:labels": { "f:a": {} } } });
        let own = entry("m", "example.com/v1", &label);
        let entries = json!([own, entry("m", "example.com/v0", &image)]);
        let both =
            json!({ "f:spec": { "f:image": {} }, "f:metadata": { "f:labels": { "f:a": {} } } });
        assert_eq!(cleaned(&entries), Some(json!([entry("m", "example.com/v1", &both)])));
    }

    #[test]
    fn who_owns_nothing_any_more_goes_and_other_groups_stay() {
        let gone = json!({ "f:spec": { "f:gone": {} } });
        let other = entry("other", "other.com/v0", &gone);
        let entries = json!([entry("m", "example.com/v0", &gone), other]);
        assert_eq!(cleaned(&entries), Some(json!([other])));
        let entries = json!([entry("m", "example.com/v0", &gone)]);
        assert_eq!(cleaned(&entries), Some(json!([{}])), "that resets the list");
        assert_eq!(cleaned(&json!([other])), None);
    }
}
