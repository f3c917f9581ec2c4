//! What the API server does to an object between two conversions, by the schema of each version.

use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::schema::Schema;
use crd_conv::testing::server;
use crd_conv::{ResourceType, VersionedResource};
use serde_json::Value;

/// The API server, with a schema for each version.
#[derive(Debug)]
pub struct Server {
    schemas: Vec<Schema>,
}

impl Server {
    /// Makes a server with these schemas.
    pub fn new(schemas: Vec<Schema>) -> Self {
        Self { schemas }
    }

    /// Makes a server with the schemas of the resource's CustomResourceDefinition, in the order of
    /// `versions`.
    pub fn of(resource: &ResourceType, versions: &[&str]) -> Self {
        let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
        let crd = resource.crd(&options).expect("a definition");
        let schema = |name: &&str| {
            let version = crd.spec.versions.iter().find(|version| version.name == *name);
            version.expect("a version").schema.open_api_v3_schema.clone()
        };
        Self::new(versions.iter().map(schema).collect())
    }

    /// Returns the schema of a version.
    pub fn schema(&self, version: usize) -> &Schema {
        &self.schemas[version]
    }

    /// Returns what the server makes of a request's body.
    pub fn decode(&self, object: &str, version: usize) -> String {
        server::decode(object, &self.schemas[version])
            .unwrap_or_else(|why| panic!("{why}: {object}"))
    }

    /// Returns what the server shows and stores for the webhook's answer.
    pub fn converted(&self, object: &str, version: usize) -> String {
        server::converted(object, &self.schemas[version])
            .unwrap_or_else(|why| panic!("{why}: {object}"))
    }

    /// Returns what the webhook gets for its own answer in the next conversion.
    pub fn between(&self, object: &str, version: usize) -> String {
        server::between(object, &self.schemas[version])
            .unwrap_or_else(|why| panic!("{why}: {object}"))
    }
}

/// Returns the schema of a version in the CustomResourceDefinition.
pub fn schema<R: VersionedResource>(version: &str) -> Value {
    let server = Server::of(&ResourceType::of::<R>(), &[version]);
    serde_json::to_value(server.schema(0)).expect("JSON")
}

/// Returns the object as a client can send it: the server can read its `metadata` and all of its
/// numbers.
pub fn sendable(object: &str) -> String {
    let object = object.replace("1e400", "1e40");
    let mut tree = crd_conv::testing::Tree::read(&object);
    if let Some(metadata) =
        tree.at_mut(&["metadata"]).and_then(crd_conv::testing::Tree::members_mut)
    {
        metadata.retain(|name, _| !["labels", "managedFields"].contains(&name.as_str()));
    }
    tree.write()
}

/// Reads the text as Go does, and writes it as Go does.
pub fn reencoded(text: &str) -> String {
    server::reencode(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}
