//! What the API server does to an object between two conversions, by the schema that we generate.

use crd_conv::{
    Resource, VersionedResource,
    crd::{CrdOptions, Webhook},
};
use serde_json::Value;

use crate::tree::Tree;

/// The schema of a version as it stands in the CustomResourceDefinition.
///
/// # Panics
///
/// If there is none.
pub fn schema<R: VersionedResource>(version: &str) -> Value {
    let options = CrdOptions::new().webhook(Webhook::url("https://example.com/convert"));
    let crd = Resource::of::<R>().crd(&options).expect("structural schemas");
    let crd: Value = serde_json::from_str(&crd.to_json().expect("JSON")).expect("JSON");
    let versions = crd["spec"]["versions"].as_array().expect("versions");
    let version = versions.iter().find(|found| found["name"] == version).expect("the version");
    version["schema"]["openAPIV3Schema"].clone()
}

/// The object re-encoded, without what the schema doesn't know, without nulls of what isn't nullable, and with
/// defaults.
pub fn served(object: &str, schema: &Value) -> String {
    let mut tree = Tree::read(object).reencoded().reencoded();
    if let Tree::Object(members) = &mut tree {
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(member) = members.get_mut(name) {
                serve(member, schema);
            }
        }
    }
    tree.write()
}

fn serve(value: &mut Tree, schema: &Value) {
    match value {
        Tree::Object(members) => {
            let properties = schema["properties"].as_object();
            let property = |name: &str| {
                properties
                    .and_then(|properties| properties.get(name))
                    .or(schema.get("additionalProperties"))
            };
            let keeps = schema["x-kubernetes-preserve-unknown-fields"] == true;
            members.retain(|name, value| match property(name) {
                Some(property) => *value != null() || property["nullable"] == true,
                None => keeps,
            });
            for (name, property) in properties.into_iter().flatten() {
                if let Some(default) = property.get("default") {
                    let default = || Tree::read(&default.to_string());
                    members.entry(name.clone()).or_insert_with(default);
                }
            }
            for (name, value) in members {
                if let Some(property) = property(name) {
                    serve(value, property);
                }
            }
        }
        Tree::List(items) => {
            for item in items {
                serve(item, &schema["items"]);
            }
        }
        Tree::Plain(_) | Tree::Text(_) => {}
    }
}

fn null() -> Tree {
    Tree::Plain("null".to_owned())
}
