//! Predicts what the server shows and stores, from our conversions and our model of the server's
//! steps.

use crd_conv::schema::{Json, Schema};
use crd_conv::testing::server;
use serde_json::Value;

use crate::{Installed, Stored};

impl Installed {
    /// Asserts that the server shows in each version, byte for byte, what we make of the stored
    /// object. Also asserts that we make the same of what the server shows in each other version,
    /// once the defaults are filled in. Returns what the server shows, oldest version first.
    pub async fn agree(&self, namespace: &str, name: &str) -> Vec<Value> {
        let stored = self.server.stored_object(&self.resource_path(), namespace, name);
        let mut shown = Vec::new();
        for version in self.versions() {
            let read = self.objects(version, namespace).get_text(name).await;
            let read = read.unwrap_or_else(|error| panic!("{name} at {version}: {error}"));
            let expected = self.shown(&stored, version);
            assert_eq!(read, expected, "the server's {version}, then ours, of {}", stored.value);
            shown.push(read);
        }
        let decode =
            |(version, object): (&'static str, &String)| (version, self.decoded(object, version));
        let decoded: Vec<_> = self.versions().into_iter().zip(&shown).map(decode).collect();
        for (from, object) in &decoded {
            for (to, expected) in decoded.iter().filter(|(to, _)| to != from) {
                let converted = self.decoded(&self.converted(object, to), to);
                assert_eq!(&converted, expected, "{from} to {to}, then the server's, of {object}");
            }
        }
        shown.iter().map(|object| serde_json::from_str(object).expect("JSON")).collect()
    }

    /// Returns what the server shows in a version for a stored object.
    pub fn shown(&self, stored: &Stored, version: &str) -> String {
        let decoded = self.decoded(&stored.value, &version_of(&stored.value));
        edited(&self.converted(&decoded, version), |object| {
            let revision = Json::Text(stored.mod_revision.to_string());
            member(object, "metadata", |metadata| {
                metadata.insert("resourceVersion".to_owned(), revision);
            });
        })
    }

    /// Returns what the server stores for a created object. Of the metadata, only the annotations
    /// are predicted. The rest is taken from the stored object.
    pub fn stored(&self, created: &str, stored: &Stored) -> String {
        let from = version_of(created);
        let definition = self.resource.definition();
        let has_status = definition.versions.iter().any(|each| each.name == from && each.status);
        let Json::Object(mut given) = json(&stored.value) else { panic!("not an object") };
        let given = given.remove("metadata").expect("metadata");
        let received = edited(&self.decoded(created, &from), |object| {
            if has_status {
                object.remove("status");
            }
            let sent = object.insert("metadata".to_owned(), given);
            let Some(Json::Object(sent)) = sent else { panic!("no metadata") };
            member(object, "metadata", |metadata| {
                match sent.get("annotations") {
                    Some(sent) => metadata.insert("annotations".to_owned(), sent.clone()),
                    None => metadata.remove("annotations"),
                };
            });
        });
        self.converted(&received, &version_of(&stored.value))
    }

    fn decoded(&self, object: &str, version: &str) -> String {
        server::decode(object, self.schema(version)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The server doesn't ask for a conversion to the version that an object already has.
    fn converted(&self, object: &str, version: &str) -> String {
        if version_of(object) == version {
            return object.to_owned();
        }
        let converted = self.resource.convert(object.as_bytes(), version);
        let converted = converted.unwrap_or_else(|error| panic!("{error} in {object}")).json;
        server::converted(&converted, self.schema(version))
            .unwrap_or_else(|error| panic!("{error} in {converted}"))
    }

    fn schema(&self, version: &str) -> &Schema {
        let found = self.versions().into_iter().position(|each| each == version);
        &self.schemas[found.expect("a version")]
    }
}

type Members = std::collections::BTreeMap<String, Json>;

fn json(text: &str) -> Json {
    server::read(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn edited(text: &str, edit: impl FnOnce(&mut Members)) -> String {
    let mut value = json(text);
    let Json::Object(members) = &mut value else { panic!("not an object: {text}") };
    edit(members);
    server::write(&value)
}

fn member(members: &mut Members, name: &str, edit: impl FnOnce(&mut Members)) {
    let Some(Json::Object(member)) = members.get_mut(name) else { panic!("no `{name}`") };
    edit(member);
}

fn version_of(object: &str) -> String {
    let Json::Object(members) = json(object) else { panic!("not an object: {object}") };
    let api_version = members.get("apiVersion").and_then(Json::as_str).expect("a version");
    api_version.rsplit('/').next().unwrap_or_default().to_owned()
}
