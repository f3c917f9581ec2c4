//! Our CustomResourceDefinitions in the server.

use std::time::Duration;

use crd_conv::crd::{Crd, CrdOptions};
use crd_conv::schema::Schema;
use crd_conv::testing::{Trial, server};
use crd_conv::{ResourceType, definition::Definition};
use futures_util::{TryStreamExt, pin_mut};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, PostParams, WatchEvent, WatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, ResourceExt};
use serde_json::{Value, json};

use crate::{ApiServer, Objects, Webhook};

/// A resource of ours, installed in the server.
pub struct Installed {
    /// The resource, for conversions without the server.
    pub resource: ResourceType,
    /// The webhook that answers the server.
    pub webhook: Webhook,
    pub(crate) schemas: Vec<Schema>,
    pub(crate) server: &'static ApiServer,
    client: Client,
}

impl Installed {
    /// Installs a resource under a group of its own, so that tests can run at the same time.
    pub async fn new(
        server: &'static ApiServer,
        definition: &'static Definition,
        group: &'static str,
    ) -> Self {
        Self::changed(server, definition, group, |_| {}).await
    }

    /// Like `new`, but changes the CRD first.
    pub async fn changed(
        server: &'static ApiServer,
        definition: &'static Definition,
        group: &'static str,
        change: impl FnOnce(&mut Crd),
    ) -> Self {
        let definition = in_group(definition, group);
        let resource = ResourceType::new(definition);
        let webhook = Webhook::start([ResourceType::new(definition)]);
        let options = CrdOptions::new().webhook(webhook.config());
        let mut crd = resource.crd(&options).unwrap_or_else(|errors| panic!("{errors}"));
        change(&mut crd);
        let schema = |name| {
            let version = crd.spec.versions.iter().find(|version| version.name == name);
            version.expect("a version").schema.open_api_v3_schema.clone()
        };
        let schemas = definition.versions.iter().map(|version| schema(version.name)).collect();
        let client = server.client().await;
        let installed = Self { resource, webhook, schemas, server, client };
        installed.install(&crd).await;
        installed
    }

    /// Like `changed`, but objects are stored in the given version, and another webhook converts
    /// them.
    pub async fn behind(
        server: &'static ApiServer,
        definition: &'static Definition,
        group: &'static str,
        storage: &str,
        webhook: crd_conv::crd::Webhook,
    ) -> Self {
        let resource = ResourceType::new(in_group(definition, group));
        let ours = resource.crd(&CrdOptions::new().webhook(webhook));
        let ours = ours.unwrap_or_else(|errors| panic!("{errors}"));
        Self::changed(server, definition, group, |crd| {
            crd.spec.conversion = ours.spec.conversion;
            for version in &mut crd.spec.versions {
                version.storage = version.name == storage;
            }
        })
        .await
    }

    async fn install(&self, crd: &Crd) {
        let crd = crd.to_json();
        let crd: CustomResourceDefinition = serde_json::from_str(&crd).expect("a CRD");
        let crds = self.crds();
        crds.create(&PostParams::default(), &crd).await.expect("the server takes the CRD");
        let name = crd.name_any();
        let only = WatchParams::default().fields(&format!("metadata.name={name}"));
        let events = crds.watch(&only, "0").await.expect("a watch");
        pin_mut!(events);
        let established = async {
            while let Some(event) = events.try_next().await.expect("a watch") {
                if let WatchEvent::Added(crd) | WatchEvent::Modified(crd) = event
                    && is_established(&crd)
                {
                    return;
                }
            }
            panic!("the watch ended before {name} was established");
        };
        let limit = Duration::from_secs(30);
        tokio::time::timeout(limit, established).await.expect("the CRD is established");
        // The part of the server that serves objects has its own view of the CRD, which is slightly
        // late.
        for version in self.versions() {
            self.until("its versions are served", async || {
                self.objects(version, "default").list().await.is_ok()
            })
            .await;
        }
    }

    /// Waits until something holds that no watch shows.
    ///
    /// # Panics
    ///
    /// Panics if it doesn't hold after a while.
    pub async fn until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        for _ in 0..3000 {
            if holds().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("still not so: {what}");
    }

    fn crds(&self) -> Api<CustomResourceDefinition> {
        Api::all(self.client.clone())
    }

    /// Returns the versions, oldest first.
    pub fn versions(&self) -> Vec<&'static str> {
        self.resource.definition().versions.iter().map(|version| version.name).collect()
    }

    /// Changes the CRD.
    pub async fn change_crd(&self, change: impl Fn(&mut Value)) {
        loop {
            let mut crd = self.crd().await;
            change(&mut crd);
            let crd = serde_json::from_value(crd).expect("a CRD");
            match self.crds().replace(&self.crd_name(), &PostParams::default(), &crd).await {
                // A controller has changed the status in the meantime.
                Err(kube::Error::Api(status)) if status.is_conflict() => {}
                done => return drop(done.expect("the server takes the CRD")),
            }
        }
    }

    /// Points the CRD to another webhook.
    pub async fn set_webhook(&self, webhook: crd_conv::crd::Webhook) {
        let crd = self.resource.crd(&CrdOptions::new().webhook(webhook));
        let crd = crd.unwrap_or_else(|errors| panic!("{errors}")).to_json();
        let crd: Value = serde_json::from_str(&crd).expect("JSON");
        self.change_crd(|now| now["spec"]["conversion"] = crd["spec"]["conversion"].clone()).await;
    }

    /// Returns the CRD as it is now.
    pub async fn crd(&self) -> Value {
        let crd = self.crds().get(&self.crd_name()).await.expect("a CRD");
        serde_json::to_value(crd).expect("JSON")
    }

    /// Returns this number of random objects of a version, as text. They are valid, and every
    /// version can show them.
    ///
    /// All have the same name. [`Objects::named`] gives an object another name.
    pub fn random(&self, version: &str, seed: u64, count: usize) -> Vec<String> {
        let trial = Trial::of(&self.resource).unwrap_or_else(|errors| panic!("{errors}"));
        let fits = |object: &String| self.is_convertible(object) && keeps_rules(object);
        trial.seed(seed).objects(version).filter(fits).take(count).collect()
    }

    fn is_convertible(&self, object: &str) -> bool {
        let converts = |version| self.resource.convert(object.as_bytes(), version).is_ok();
        self.versions().into_iter().all(converts)
    }

    /// Makes another version the storage version, and waits until it is.
    pub async fn store_in(&self, version: &str) {
        self.change_crd(|crd| {
            for each in crd["spec"]["versions"].as_array_mut().expect("versions") {
                each["storage"] = json!(each["name"] == version);
            }
        })
        .await;
        let probe = self.objects(version, "probe");
        let stored = self.resource_path();
        let object = probe.named(&self.random(version, 7, 1)[0], "probe");
        self.until("objects are stored in another version", async || {
            let _ = probe.delete("probe").await;
            probe.create_text(&object).await.is_ok()
                && self
                    .server
                    .stored_object(&stored, "probe", "probe")
                    .value
                    .contains(&format!("/{version}\""))
        })
        .await;
        let _ = probe.delete("probe").await;
    }

    /// Returns the objects of a namespace in a version.
    pub fn objects(&self, version: &str, namespace: &str) -> Objects {
        self.objects_of(&self.client, version, namespace)
    }

    /// Like `objects`, for another client.
    pub fn objects_of(&self, client: &Client, version: &str, namespace: &str) -> Objects {
        let definition = self.resource.definition();
        let kind = GroupVersionKind::gvk(definition.group, version, definition.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, definition.plural);
        Objects::new(client.clone(), resource, namespace)
    }

    /// Returns `<group>/<plural>`.
    pub fn resource_path(&self) -> String {
        let definition = self.resource.definition();
        format!("{}/{}", definition.group, definition.plural)
    }

    fn crd_name(&self) -> String {
        let definition = self.resource.definition();
        format!("{}.{}", definition.plural, definition.group)
    }
}

/// Returns the same resource under another group.
pub fn in_group(definition: &Definition, group: &'static str) -> &'static Definition {
    let mut definition = *definition;
    definition.group = group;
    Box::leak(Box::new(definition))
}

/// Returns a resource in a group of its own, as a release has it: with these versions, of which one
/// is the storage version.
pub fn release(
    of: &'static Definition,
    group: &str,
    names: &[&str],
    storage: &str,
) -> &'static Definition {
    let mut versions = of.versions.to_vec();
    versions.retain(|version| names.contains(&version.name));
    versions[0].plan = None;
    for version in &mut versions {
        version.storage = version.name == storage;
    }
    let mut definition = *of;
    definition.group = group.to_owned().leak();
    definition.versions = versions.leak();
    Box::leak(Box::new(definition))
}

/// Whether an object fulfills the CEL rules of the examples.
fn keeps_rules(object: &str) -> bool {
    let object = server::reencode(object).expect("JSON");
    let object: Value = serde_json::from_str(&object).expect("JSON");
    let spec = &object["spec"];
    let checks = &spec["checks"];
    let ends = match (checks["timeoutSeconds"].as_i64(), checks["periodSeconds"].as_i64()) {
        (Some(timeout), Some(period)) => timeout <= period,
        _ => true,
    };
    ends && (spec["strategy"] != "Canary" || spec["replicas"].as_i64() > Some(1))
}

fn is_established(crd: &CustomResourceDefinition) -> bool {
    let conditions = crd.status.iter().flat_map(|status| status.conditions.iter().flatten());
    conditions.into_iter().any(|each| each.type_ == "Established" && each.status == "True")
}
