//! The certificate in a Secret, with an API server that stores objects.

mod content;

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use tokio::time::{Instant, advance};

use super::content::{Content, Found, Wanted};
use super::{CertificateSecret, Rotation, SecretError};
use crate::certificate::Pair;
use crate::cluster::mock::{Store, failure};
use crate::crd::Webhook;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.example.com";
const SECRET: &str = "/api/v1/namespaces/operators/secrets/tls";

fn wanted(days: u32) -> Wanted {
    Wanted { names: vec!["box.operators.svc".to_owned()], validity: DAY * days }
}

fn first(days: u32) -> Content {
    Content::first(&wanted(days), std::iter::empty(), SystemTime::now()).unwrap()
}

fn settings(store: &Store) -> CertificateSecret {
    let webhook = Webhook::service("operators", "box");
    CertificateSecret::new(store.client(), "operators", "tls").webhook(&webhook)
}

fn replica(store: &Store) -> Rotation {
    Rotation::new(settings(store), vec!["boxes.example.com".to_owned()])
}

fn crd() -> Value {
    let service = json!({ "namespace": "operators", "name": "box" });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "boxes.example.com" },
        "spec": {
            "group": "example.com",
            "names": { "kind": "Box", "plural": "boxes" },
            "scope": "Namespaced",
            "versions": [],
            "conversion": {
                "strategy": "Webhook",
                "webhook": { "clientConfig": { "service": service }, "conversionReviewVersions": ["v1"] },
            },
        },
    })
}

fn installed() -> Store {
    let store = Store::default();
    store.put(CRD, crd());
    store
}

fn text(value: &Value) -> String {
    let bytes = BASE64_STANDARD.decode(value.as_str().unwrap_or_default()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn bundle(store: &Store) -> String {
    let state = store.state();
    text(&state.objects[CRD]["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"])
}

/// A Secret as another replica writes it.
fn secret_of(content: &Content) -> Value {
    let mut data = BTreeMap::new();
    content.write(&mut data);
    json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "tls", "labels": { "a": "b" } }, "data": data,
    })
}

fn put(store: &Store, content: &Content) {
    store.put(SECRET, secret_of(content));
}

fn crd_with(bundle: &str) -> Value {
    let mut crd = crd();
    crd["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"] =
        json!(BASE64_STANDARD.encode(bundle));
    crd
}

/// Whether a client that trusts a bundle accepts the pair.
fn is_trusted(pair: &Pair, bundle: &str) -> bool {
    let mut data = BTreeMap::new();
    let content = Content { authorities: vec![bundle.to_owned()], pair: pair.clone(), next: None };
    content.write(&mut data);
    matches!(Content::read(&data, SystemTime::now()), Found::Content(read) if verifies(&read))
}

/// All our authorities have the same name, so the signature must be checked.
fn verifies(content: &Content) -> bool {
    use tokio_rustls::rustls::RootCertStore;
    use tokio_rustls::rustls::client::WebPkiServerVerifier;
    use tokio_rustls::rustls::client::danger::ServerCertVerifier;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};

    let mut roots = RootCertStore::empty();
    for authority in &content.authorities {
        roots.add(CertificateDer::from_pem_slice(authority.as_bytes()).unwrap()).unwrap();
    }
    let provider = std::sync::Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider);
    let certificate = CertificateDer::from_pem_slice(&content.pair.certificate).unwrap();
    let name = ServerName::try_from("box.operators.svc").unwrap();
    let verifier = verifier.build().unwrap();
    verifier.verify_server_cert(&certificate, &[], &name, &[], UnixTime::now()).is_ok()
}

#[tokio::test(start_paused = true)]
async fn the_first_replica_makes_it_and_all_serve_it() {
    let store = installed();
    let pair = replica(&store).first().await.unwrap();
    assert!(is_trusted(&pair, &bundle(&store)));
    assert!(!is_trusted(&first(90).pair, &bundle(&store)), "invalid test case");
    let secret = store.state().objects[SECRET].clone();
    assert_eq!(secret["type"], "kubernetes.io/tls");
    assert!(replica(&store).first().await.unwrap() == pair);
    assert_eq!(store.state().objects[SECRET], secret, "nothing more was written");
}

#[tokio::test(start_paused = true)]
async fn a_resource_that_comes_later_gets_the_bundle() {
    let store = Store::default();
    let mut replica = replica(&store);
    let pair = replica.first().await.unwrap();
    store.put(CRD, crd());
    assert!(replica.look().await.unwrap() == pair);
    assert!(is_trusted(&pair, &bundle(&store)));
    // It gets the bundle again if another client removes it.
    store.put(CRD, crd());
    replica.look().await.unwrap();
    assert!(is_trusted(&pair, &bundle(&store)));
}

#[tokio::test(start_paused = true)]
async fn a_resource_without_a_webhook_is_left_alone() {
    let store = Store::default();
    let mut none = crd();
    none["spec"]["conversion"] = json!({ "strategy": "None" });
    store.put(CRD, none);
    let before = store.state().objects[CRD].clone();
    replica(&store).first().await.unwrap();
    assert_eq!(store.state().objects[CRD], before);
}

/// Several installations can share it.
#[tokio::test(start_paused = true)]
async fn a_resource_with_another_webhook_is_left_alone() {
    let store = Store::default();
    let config = "/spec/conversion/webhook/clientConfig";
    for (others, is_ours) in [
        (json!({ "service": { "namespace": "operators", "name": "other" } }), false),
        (json!({ "service": { "namespace": "elsewhere", "name": "box" } }), false),
        (json!({ "url": "https://box.example.com/convert" }), false),
        (json!({ "url": "https://BOX.operators.svc:8443/convert" }), true),
        (json!({ "url": "https://a.wild.example.com/convert" }), true),
        (json!({ "url": "https://[::1]:8443/convert" }), true),
    ] {
        let mut other = crd();
        // Another webhook's certificate may come from somewhere else.
        other["metadata"]["annotations"] = json!(if is_ours {
            json!({})
        } else {
            json!({ "cert-manager.io/inject-ca-from": "a/b" })
        });
        *other.pointer_mut(config).unwrap() = others;
        store.put(CRD, other);
        let before = store.state().objects[CRD].clone();
        let settings = settings(&store).names(["*.wild.example.com", "::1"]);
        let mut replica = Rotation::new(settings, vec!["boxes.example.com".to_owned()]);
        replica.first().await.unwrap();
        assert_eq!(store.state().objects[CRD] != before, is_ours, "{before}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_pair_is_served_only_when_all_have_heard_of_its_authority() {
    let store = installed();
    let old = first(10);
    put(&store, &old);
    let (mut one, mut other) = (replica(&store), replica(&store));
    for replica in [&mut one, &mut other] {
        assert!(replica.look().await.unwrap() == old.pair);
    }
    let both = bundle(&store);
    assert_eq!(both.matches("BEGIN").count(), 2);
    advance(Duration::from_secs(59)).await;
    assert!(one.look().await.unwrap() == old.pair);
    // Another client has removed the bundle, so the overlap starts again.
    store.put(CRD, crd());
    assert!(one.look().await.unwrap() == old.pair);
    advance(Duration::from_secs(2)).await;
    assert!(one.look().await.unwrap() == old.pair);
    advance(Duration::from_secs(59)).await;
    let new = one.look().await.unwrap();
    assert!(new != old.pair);
    assert!(other.look().await.unwrap() == new);
    assert_eq!(bundle(&store), both);
    assert!(is_trusted(&old.pair, &both) && is_trusted(&new, &both));
    // Other parts of the Secret stay.
    let secret = store.state().objects[SECRET].clone();
    assert_eq!(secret["metadata"]["labels"], json!({ "a": "b" }));
    assert!(secret["data"].get("next-tls.key").is_none());
}

/// Another replica writes the newer Secret and its bundle at some point. The older state that this
/// replica has read never overwrites them.
#[tokio::test(start_paused = true)]
async fn an_older_bundle_never_replaces_a_newer_one() {
    let (old, now) = (first(90), SystemTime::now());
    let new = old.again(&wanted(90), std::iter::empty(), now).unwrap();
    for count in 0..4 {
        let store = installed();
        put(&store, &old);
        let written = vec![(SECRET, secret_of(&new)), (CRD, crd_with(&new.bundle()))];
        store.state().meanwhile = Some((count, written));
        let pair = replica(&store).look().await.unwrap();
        assert!(pair == old.pair);
        let had_happened = store.state().meanwhile.is_none();
        assert_eq!(had_happened, count < 3, "invalid test case");
        let expected = if had_happened { &new } else { &old };
        assert_eq!(bundle(&store), expected.bundle(), "after {count} requests");
    }
}

/// The API servers notice a change after up to ten seconds.
const BEHIND: Duration = Duration::from_secs(10);

/// Replicas check in any order and at the same time, some restart, a client deletes the Secret, and
/// the certificate expires. All API servers always trust the served pair.
#[tokio::test(start_paused = true)]
async fn replicas_agree_in_whatever_order_they_look() {
    for seed in 0..6 {
        let mut random = fastrand_of(seed);
        let store = installed();
        put(&store, &first(10));
        let mut replicas = [replica(&store), replica(&store), replica(&store)];
        let mut served = Vec::new();
        for replica in &mut replicas {
            served.push(replica.first().await.unwrap());
        }
        let mut history = vec![(Instant::now(), bundle(&store))];
        let mut changes = 0;
        for round in 0..60 {
            match random() % 20 {
                0 => drop(store.state().objects.remove(SECRET)),
                1 if store.state().objects.contains_key(SECRET) => {
                    let place = random() % 3;
                    replicas[place] = replica(&store);
                    served[place] = replicas[place].first().await.unwrap();
                }
                2 => store.state().failures.push((503, failure(503, "ServiceUnavailable", "no"))),
                _ => {}
            }
            let [one, two, three] = &mut replicas;
            let outcomes: Vec<_> = match random() % 3 {
                0 => vec![(0, one.look().await), (2, three.look().await)],
                1 => {
                    let (one, two) = tokio::join!(one.look(), two.look());
                    vec![(0, one), (1, two)]
                }
                _ => {
                    let (two, three, one) = tokio::join!(two.look(), three.look(), one.look());
                    vec![(0, one), (1, two), (2, three)]
                }
            };
            let now = Instant::now();
            history.push((now, bundle(&store)));
            for (place, outcome) in outcomes {
                match outcome {
                    Ok(pair) => {
                        changes += usize::from(served[place] != pair);
                        served[place] = pair;
                    }
                    Err(error) => assert!(error.may_pass(), "{error}"),
                }
            }
            // The newest bundle that is old enough, and all later ones.
            let settled = history.iter().rposition(|(since, _)| now - *since >= BEHIND);
            for (_, bundle) in &history[settled.unwrap_or(0)..] {
                for pair in &served {
                    assert!(is_trusted(pair, bundle), "seed {seed}, round {round}");
                }
            }
            advance(Duration::from_secs((random() % 20) as u64)).await;
        }
        assert!(changes >= 3, "invalid test case: {changes} changes");
    }
}

/// Pseudorandom numbers, the same ones for each seed.
fn fastrand_of(seed: u64) -> impl FnMut() -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_secret_is_taken_and_one_of_others_is_not() {
    let store = installed();
    let secret = |data: Value| json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "tls" }, "type": "Opaque", "data": data });
    store.put(SECRET, secret(json!({ "tls.crt": "", "tls.key": "" })));
    let pair = replica(&store).first().await.unwrap();
    assert_eq!(store.state().objects[SECRET]["type"], "Opaque");
    assert!(is_trusted(&pair, &bundle(&store)));

    store.put(SECRET, secret(json!({ "tls.crt": "UEVN", "tls.key": "UEVN" })));
    let before = store.state().objects.clone();
    let error = replica(&store).first().await.err().unwrap();
    assert!(
        matches!(&error, SecretError::Foreign { secret } if secret == "operators/tls"),
        "{error}"
    );
    assert_eq!(store.state().objects, before);
}

#[tokio::test(start_paused = true)]
async fn what_others_inject_is_left_to_them() {
    let store = Store::default();
    let mut injected = crd();
    injected["metadata"]["annotations"] = json!({ "cert-manager.io/inject-ca-from": "a/b" });
    store.put(CRD, injected);
    let error = replica(&store).first().await.err().unwrap();
    assert!(
        error.to_string().contains("`cert-manager.io/inject-ca-from` of boxes.example.com"),
        "{error}"
    );
    assert_eq!(store.state().objects.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_clients_trust_stays_trusted_where_the_secret_is_new() {
    let store = Store::default();
    let old = first(90);
    store.put(CRD, crd_with(&old.bundle()));
    let started = Instant::now();
    let pair = replica(&store).first().await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(5), "the API servers have heard of it");
    for pair in [&pair, &old.pair] {
        assert!(is_trusted(pair, &bundle(&store)));
    }
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_starts_is_waited_for_and_a_refusal_is_said() {
    let store = installed();
    store.state().failures = vec![(503, failure(503, "ServiceUnavailable", "starting")); 3];
    replica(&store).first().await.unwrap();

    let message = "customresourcedefinitions \"boxes.example.com\" is forbidden";
    store.state().failures = vec![(403, failure(403, "Forbidden", message))];
    let error = replica(&store).first().await.err().unwrap().to_string();
    assert!(
        error.starts_with("can't read the CustomResourceDefinition boxes.example.com: "),
        "{error}"
    );
    assert!(error.ends_with("with a ClusterRole and a binding"), "{error}");

    // This API server takes the request and never answers.
    let (service, handle) = tower_test::mock::pair::<
        http::Request<kube::client::Body>,
        http::Response<kube::client::Body>,
    >();
    let silent = CertificateSecret::new(kube::Client::new(service, "default"), "operators", "tls");
    let mut silent = Rotation::new(silent.names(["a"]), vec!["boxes.example.com".to_owned()]);
    let error = silent.look().await.err().unwrap();
    assert!(matches!(error, SecretError::NoAnswer), "{error}");
    drop(handle);

    let nameless = CertificateSecret::new(store.client(), "operators", "tls");
    let error = Rotation::new(nameless, Vec::new()).first().await.err().unwrap();
    assert!(matches!(error, SecretError::NoNames));
}
