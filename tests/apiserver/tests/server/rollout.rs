//! Replicas restart and certificates change, while clients work at another version than the stored one.

use std::collections::BTreeMap;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crd_conv::server::{SelfSigned, Server};
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{ApiServer, HOST, Installed, Objects, Replica, Service, in_group};
use crd_conv_server_tests::publish;
use fleet::Fleet;
use futures_util::{StreamExt, TryStreamExt, stream};
use kube::ResourceExt;
use kube::api::{DynamicObject, WatchEvent, WatchParams};
use serde_json::{Value, json};

const GROUP: &str = "rollout.example.com";
const NAMESPACE: &str = "rollout";

/// As many as `CRD_CONV_OBJECTS` says.
fn size() -> usize {
    std::env::var("CRD_CONV_OBJECTS").map_or(200, |size| size.parse().expect("a number"))
}

/// A server with these files. [`Service`] finds out sooner than a cluster that it is about to stop.
fn replica(files: &Path) -> Replica {
    let server = Server::new([ResourceType::new(in_group(Fleet::DEFINITION, GROUP))])
        .certificate_files(files.join("tls.crt"), files.join("tls.key"))
        .reload_every(Duration::from_millis(50));
    Replica::start(server.withdrawal(Duration::from_secs(1)))
}

fn name(number: usize) -> String {
    format!("f-{number:04}")
}

async fn fill(objects: &Objects) {
    let create = |number| async move {
        // The newest version has no place for `retries`.
        let fields = json!({
            "spec": { "image": "i-0", "size": number, "endpoint": format!("a-{number}:1"), "retries": 5 },
        });
        objects.create(&objects.object(&name(number), &fields)).await.expect("created");
    };
    stream::iter(0..size()).map(create).buffer_unordered(8).collect::<()>().await;
}

/// What clients at the newest version do and see.
#[derive(Default)]
struct Clients {
    ends: AtomicBool,
    requests: AtomicUsize,
    lists: AtomicUsize,
    events: AtomicUsize,
    failures: Mutex<Vec<String>>,
    /// The last image that was written of each object, and that the watch has shown.
    written: Mutex<BTreeMap<String, String>>,
    watched: Mutex<BTreeMap<String, String>>,
    /// Whether the last write has been answered.
    all_written: AtomicBool,
}

impl Clients {
    fn note<T>(&self, what: &str, result: kube::Result<T>) -> Option<T> {
        self.requests.fetch_add(1, Ordering::SeqCst);
        result
            .map_err(|error| self.failures.lock().expect("a list").push(format!("{what}: {error}")))
            .ok()
    }

    fn goes_on(&self) -> bool {
        !self.ends.load(Ordering::SeqCst)
    }

    /// Each of these converts all objects, one after the other.
    async fn list(self: Arc<Self>, objects: Objects) {
        while self.goes_on() {
            let list = self.note("list", objects.list_stored().await);
            if let Some(list) = list {
                assert_eq!(list.len(), size());
                self.lists.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    async fn read(self: Arc<Self>, objects: Objects) {
        for number in (0..size()).cycle().take_while(|_| self.goes_on()) {
            self.note("read", objects.get(&name(number)).await);
        }
    }

    /// Writes to every third object, as one of so many writers.
    async fn write(self: Arc<Self>, objects: Objects) {
        for round in 0.. {
            if !self.goes_on() {
                self.all_written.store(true, Ordering::SeqCst);
                return;
            }
            let name = name(round * 3 % size());
            let image = format!("i-{}", round + 1);
            let patch = json!({ "spec": { "image": image } });
            if self.note("write", objects.merge_patch(&name, &patch).await).is_some() {
                self.written.lock().expect("a map").insert(name, image);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Whether the watch has told of the last write to each object.
    fn has_seen_all(&self) -> bool {
        self.all_written.load(Ordering::SeqCst)
            && *self.watched.lock().expect("a map") == *self.written.lock().expect("a map")
    }

    async fn watch(self: Arc<Self>, objects: Objects, revision: String) {
        // Longer than the test, so that whatever ends it is a failure.
        let all = WatchParams::default().timeout(290);
        let Some(events) = self.note("watch", objects.api().watch(&all, &revision).await) else {
            return;
        };
        let mut events = pin!(events);
        while !self.has_seen_all() {
            let next = tokio::time::timeout(Duration::from_millis(200), events.try_next()).await;
            let event = match next {
                Err(_) => continue,
                Ok(Err(error)) => {
                    self.note::<()>("watch", Err(error));
                    return;
                }
                Ok(Ok(None)) => {
                    return self.failures.lock().expect("a list").push("the watch ends".to_owned());
                }
                Ok(Ok(Some(event))) => event,
            };
            self.events.fetch_add(1, Ordering::SeqCst);
            let WatchEvent::Modified(object) = event else { panic!("{event:?}") };
            let mut watched = self.watched.lock().expect("a map");
            watched.insert(object.name_any(), image(&object));
        }
    }

    /// Starts all of them.
    async fn start(self: &Arc<Self>, objects: &Objects) -> tokio::task::JoinSet<()> {
        let revision = objects.api().list(&kube::api::ListParams::default()).await.expect("a list");
        let revision = revision.metadata.resource_version.expect("a revision");
        let mut running = tokio::task::JoinSet::new();
        running.spawn(Arc::clone(self).list(objects.clone()));
        running.spawn(Arc::clone(self).watch(objects.clone(), revision));
        running.spawn(Arc::clone(self).write(objects.clone()));
        for _ in 0..4 {
            running.spawn(Arc::clone(self).read(objects.clone()));
        }
        running
    }

    /// Waits until clients have listed all objects once more.
    async fn list_again(&self) {
        let before = self.lists.load(Ordering::SeqCst);
        while self.lists.load(Ordering::SeqCst) < before + 2 && !self.has_failed() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn has_failed(&self) -> bool {
        !self.failures.lock().expect("a list").is_empty()
    }
}

fn image(object: &DynamicObject) -> String {
    object.data["spec"]["image"].as_str().expect("an image").to_owned()
}

/// Puts a new replica in the place of each, one after the other, as a Deployment does.
async fn restart(replicas: &mut [Replica], service: &Service, start: impl Fn() -> Replica) {
    for replica in &mut *replicas {
        let new = start();
        service.add(&new);
        service.has_ready(3).await;
        let old = std::mem::replace(replica, new);
        old.stop();
        old.has_stopped().await;
        service.has_ready(2).await;
    }
}

/// Everything that was there or was written is there still.
async fn assert_all_there(installed: &Installed, clients: &Clients) {
    let written = clients.written.lock().expect("a map").clone();
    assert!(written.len() > 10, "the premise");
    let [oldest, newest] = ["v1alpha1", "v1"].map(|version| installed.objects(version, NAMESPACE));
    let (old, new) = (oldest.list().await.expect("a list"), newest.list().await.expect("a list"));
    assert_eq!((old.len(), new.len()), (size(), size()));
    for (number, (old, new)) in old.iter().zip(&new).enumerate() {
        let name = name(number);
        let image = written.get(&name).map_or("i-0", String::as_str);
        for (object, replicas) in [(old, "size"), (new, "replicas")] {
            assert_eq!(object["metadata"]["name"], name.as_str());
            assert_eq!(object["spec"]["image"], image, "{object}");
            assert_eq!(object["spec"][replicas], json!(number), "{object}");
        }
        assert_eq!(old["spec"]["retries"], 5, "{old}");
        assert_eq!(old["spec"]["endpoint"], Value::from(format!("a-{number}:1")));
        assert_eq!(new["spec"]["host"], Value::from(format!("a-{number}")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_notices_new_replicas_and_certificates() {
    // With the caches of this gate, lists would need no conversions.
    let server = Box::leak(Box::new(ApiServer::start("ListFromCacheSnapshot=false")));
    let directory = tempfile::tempdir().expect("a directory");
    let files = directory.path();
    let pairs = [(); 2].map(|()| SelfSigned::new([HOST]).expect("a certificate"));
    publish(files, "first", (pairs[0].certificate(), pairs[0].key()));
    let start = || replica(files);
    let mut replicas = [start(), start()];
    let service = Service::start();
    for replica in &replicas {
        service.add(replica);
    }
    let both = pairs[0].authority().to_owned() + pairs[1].authority();
    let webhook = service.config(&both);
    let installed = Installed::behind(server, Fleet::DEFINITION, GROUP, "v1alpha1", webhook).await;
    fill(&installed.objects("v1alpha1", NAMESPACE)).await;

    let clients = Arc::new(Clients::default());
    let mut running = clients.start(&installed.objects("v1", NAMESPACE)).await;
    clients.list_again().await;
    restart(&mut replicas, &service, start).await;
    clients.list_again().await;
    publish(files, "second", (pairs[1].certificate(), pairs[1].key()));
    for replica in &replicas {
        let loaded = r#"certificate_reloads_total{result="loaded"}"#;
        installed.until("it is taken", async || replica.count(loaded) == Some(1.0)).await;
    }
    clients.list_again().await;
    restart(&mut replicas, &service, start).await;
    clients.list_again().await;
    clients.ends.store(true, Ordering::SeqCst);
    while let Some(ended) = running.join_next().await {
        ended.expect("no client panics");
    }

    let [requests, lists, events] = [&clients.requests, &clients.lists, &clients.events]
        .map(|count| count.load(Ordering::SeqCst));
    let size = size();
    println!("{requests} requests, {lists} of them lists of {size} objects, {events} events");
    assert_eq!(*clients.failures.lock().expect("a list"), [""; 0]);
    assert_eq!(service.refused(), 0, "the withdrawal is long enough");
    assert_eq!(*clients.watched.lock().expect("a map"), *clients.written.lock().expect("a map"));
    assert_all_there(&installed, &clients).await;
}
