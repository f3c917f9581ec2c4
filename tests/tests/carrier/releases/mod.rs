//! Objects that another release of the author's operator wrote: its mappings were others, or its versions.

mod again;
mod changed;
mod far;
mod inserted;
mod removed;

use crd_conv::testing::Tree;
use crd_conv::{Converted, ResourceType, UnrestoredReason, VersionedResource};
use crd_conv_tests::served::Server;
use serde_json::{Value, json};

const CARRIER: &str = "conversion.example.com/";

/// One release of the operator.
struct Release {
    resource: ResourceType,
    /// None where there is no schema.
    server: Option<Server>,
    versions: Vec<&'static str>,
}

impl Release {
    fn of<T: VersionedResource>() -> Self {
        let mut release = Self::without_schema::<T>();
        release.server = Some(Server::of(&release.resource, &release.versions));
        release
    }

    fn without_schema<T: VersionedResource>() -> Self {
        let resource = ResourceType::of::<T>();
        let versions = resource.definition().versions.iter().map(|version| version.name).collect();
        Self { resource, server: None, versions }
    }

    #[track_caller]
    fn converted(&self, object: &Value, to: &str) -> Converted {
        self.resource.convert(object.to_string().as_bytes(), to).expect("a conversion")
    }

    /// Without the server.
    #[track_caller]
    fn convert(&self, object: &Value, to: &str) -> Value {
        serde_json::from_str(&self.converted(object, to).json).expect("JSON")
    }

    /// As the server shows and stores it, which had read it before.
    #[track_caller]
    fn serve(&self, server: &Server, object: &Value, to: &str) -> Value {
        let place = |version: &str| {
            self.versions.iter().position(|known| *known == version).expect("a version")
        };
        let version = object["apiVersion"].as_str().expect("a version");
        let version = version.strip_prefix("example.com/").expect("the group");
        let read = server.decode(&object.to_string(), place(version));
        let converted = self.resource.convert(read.as_bytes(), to).expect("a conversion");
        let shown = server.converted(&converted.json, place(to));
        serde_json::from_str(&shown).expect("JSON")
    }

    /// Without the server, and with it.
    fn ways(&self) -> Vec<(&'static str, Way<'_>)> {
        let mut ways: Vec<(_, Way<'_>)> =
            vec![("engine", Box::new(|object, to| self.convert(object, to)))];
        if let Some(server) = &self.server {
            ways.push(("server", Box::new(|object, to| self.serve(server, object, to))));
        }
        ways
    }
}

type Way<'a> = Box<dyn Fn(&Value, &str) -> Value + 'a>;

fn object(version: &str, spec: Value) -> Value {
    let mut object = json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Gate",
        "metadata": { "name": "a" },
    });
    object["spec"] = spec;
    object
}

/// The annotations of the carrier, without what they all start with.
fn carrier(object: &Value) -> Vec<String> {
    let annotations = object["metadata"]["annotations"].as_object();
    let keys = annotations.into_iter().flatten().filter_map(|(key, _)| key.strip_prefix(CARRIER));
    keys.map(str::to_owned).collect()
}

#[track_caller]
fn assert_unrestored(converted: &Converted, expected: &[(UnrestoredReason, u32)]) {
    assert_eq!(converted.unrestored.iter().collect::<Vec<_>>(), expected, "{}", converted.json);
}

/// Equal JSON; key order is free.
#[track_caller]
fn assert_same(left: &Value, right: &Value, why: &str) {
    let [left, right] = [left, right].map(|value| Tree::read(&value.to_string()));
    assert_eq!(left, right, "{why}");
}
