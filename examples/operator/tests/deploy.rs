//! The manifests in `deploy` fit each other and the program.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::Parser;
use crd_conv::yaml;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Secret, Service, ServiceAccount};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use operator::Run;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

const NAME: &str = "maintenance-operator";
const NAMESPACE: &str = "maintenance-system";

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy")
}

fn documents(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(deploy().join(file)).expect("a file");
    let all = yaml::to_json(&text).expect("YAML");
    all.iter().map(|json| serde_json::from_str(json).expect("JSON")).collect()
}

fn document(file: &str, kind: &str) -> Value {
    let found = documents(file).into_iter().find(|document| document["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {file}"))
}

/// Every field is one that the kind has.
#[track_caller]
fn fits<T: Serialize + DeserializeOwned + Debug>(document: &Value) {
    let object: T = serde_json::from_value(document.clone()).expect("an object of its kind");
    assert_eq!(&serde_json::to_value(&object).expect("JSON"), document);
}

#[test]
fn no_field_is_misspelt() {
    let mut kinds = Vec::new();
    for folder in ["base", "cert-manager", "own-certificate"] {
        for file in std::fs::read_dir(deploy().join(folder)).expect("a folder") {
            let file = file.expect("a file").path();
            let file =
                file.strip_prefix(deploy()).expect("in it").to_str().expect("UTF-8").to_owned();
            for document in documents(&file) {
                let kind = document["kind"].as_str().unwrap_or("Kustomization").to_owned();
                match kind.as_str() {
                    // A patch has no selector, which the type wants.
                    "Deployment" if !file.starts_with("base/") => {
                        let mut whole = document.clone();
                        whole["spec"]["selector"] = json!({});
                        fits::<Deployment>(&whole);
                    }
                    "Deployment" => fits::<Deployment>(&document),
                    "Namespace" => fits::<Namespace>(&document),
                    "Service" => fits::<Service>(&document),
                    "ServiceAccount" => fits::<ServiceAccount>(&document),
                    "Secret" => fits::<Secret>(&document),
                    "NetworkPolicy" => fits::<NetworkPolicy>(&document),
                    "PodDisruptionBudget" => fits::<PodDisruptionBudget>(&document),
                    "ClusterRole" => fits::<ClusterRole>(&document),
                    "ClusterRoleBinding" => fits::<ClusterRoleBinding>(&document),
                    "Role" => fits::<Role>(&document),
                    "RoleBinding" => fits::<RoleBinding>(&document),
                    // The types of others, and what the program itself prints.
                    "Issuer" | "Certificate" | "Kustomization" | "CustomResourceDefinition" => {}
                    other => panic!("{file}: an unknown kind {other}"),
                }
                kinds.push(kind);
            }
        }
    }
    assert!(kinds.len() >= 20, "invalid test case: {kinds:?}");
}

#[test]
fn the_service_is_the_one_that_the_crd_names_and_leads_to_the_pods() {
    let deployment = document("base/deployment.yaml", "Deployment");
    let pod = &deployment["spec"]["template"];
    let service = document("base/service.yaml", "Service");
    for folder in ["cert-manager", "own-certificate"] {
        let crd = document(&format!("{folder}/crd.yaml"), "CustomResourceDefinition");
        let config = &crd["spec"]["conversion"]["webhook"]["clientConfig"]["service"];
        assert_eq!(config["name"], service["metadata"]["name"]);
        assert_eq!(config["namespace"], service["metadata"]["namespace"]);
        assert_eq!(config["path"], "/convert");
        assert!(config["port"].is_null(), "it is 443");
    }
    assert_eq!(service["spec"]["ports"][0]["port"], 443);
    let labels = &pod["metadata"]["labels"];
    let budget = document("base/disruption.yaml", "PodDisruptionBudget");
    let policy = document("base/network.yaml", "NetworkPolicy");
    for selector in [
        &service["spec"]["selector"],
        &deployment["spec"]["selector"]["matchLabels"],
        &budget["spec"]["selector"]["matchLabels"],
        &policy["spec"]["podSelector"]["matchLabels"],
    ] {
        assert_eq!(selector, labels);
    }
    let container = &pod["spec"]["containers"][0];
    let ports = container["ports"].as_array().expect("ports");
    let number = |name: &Value| {
        ports.iter().find(|port| port["name"] == *name).expect("a port")["containerPort"].clone()
    };
    let options = args("own-certificate");
    assert_eq!(number(&service["spec"]["ports"][0]["targetPort"]), json!(options.address.port()));
    for probe in ["livenessProbe", "readinessProbe"] {
        let port = number(&container[probe]["httpGet"]["port"]);
        assert_eq!(port, json!(options.probe_address.port()));
    }
    let ingress = policy["spec"]["ingress"].as_array().expect("rules");
    let open: Vec<_> = ingress.iter().map(|rule| rule["ports"][0]["port"].clone()).collect();
    assert_eq!(open, [json!(options.address.port()), json!(options.probe_address.port())]);
    // Ten seconds until no new requests come, fifteen until all are answered.
    assert!(pod["spec"]["terminationGracePeriodSeconds"].as_i64() > Some(25));
}

/// The options that a folder starts the program with.
fn args(folder: &str) -> Run {
    let patch = document(&format!("{folder}/deployment.yaml"), "Deployment");
    let container = &patch["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["name"], "operator");
    let args = container["args"].as_array().expect("arguments");
    let args = args.iter().map(|arg| arg.as_str().expect("a text"));
    Run::try_parse_from(args).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn cert_manager_writes_what_the_program_reads() {
    let certificates = documents("cert-manager/certificate.yaml");
    let certificate = certificates
        .iter()
        .find(|one| one["kind"] == "Certificate" && one["metadata"]["name"] == NAME)
        .expect("a certificate");
    assert_eq!(certificate["metadata"]["namespace"], NAMESPACE);
    assert_eq!(certificate["spec"]["dnsNames"], json!([format!("{NAME}.{NAMESPACE}.svc")]));
    let crd = document("cert-manager/crd.yaml", "CustomResourceDefinition");
    let inject = &crd["metadata"]["annotations"]["cert-manager.io/inject-ca-from"];
    assert_eq!(*inject, format!("{NAMESPACE}/{NAME}"));

    let patch = document("cert-manager/deployment.yaml", "Deployment");
    let pod = &patch["spec"]["template"]["spec"];
    assert_eq!(pod["volumes"][0]["secret"]["secretName"], certificate["spec"]["secretName"]);
    let mount = &pod["containers"][0]["volumeMounts"][0];
    assert_eq!(mount["name"], pod["volumes"][0]["name"]);
    let Run { cert, key, .. } = args("cert-manager");
    for (file, name) in [(cert, "tls.crt"), (key, "tls.key")] {
        let path = Path::new(mount["mountPath"].as_str().expect("a path")).join(name);
        assert_eq!(file, Some(path));
    }
}

#[test]
fn the_secret_is_the_one_that_may_be_changed() {
    let secret = document("own-certificate/secret.yaml", "Secret");
    let Run { secret: name, .. } = args("own-certificate");
    assert_eq!(secret["metadata"]["name"], json!(name));
    assert_eq!(secret["metadata"]["namespace"], NAMESPACE);
    // `kubectl apply` would put it back.
    assert!(secret["data"].is_null());
    let role = document("own-certificate/rbac.yaml", "Role");
    assert_eq!(role["rules"][0]["resourceNames"], json!([name]));
}

/// The features with which the Dockerfile builds `crd-conv`. In a build of the whole workspace other packages turn on more of them.
fn features_of_the_image() -> Vec<String> {
    let dockerfile = concat!(env!("CARGO_MANIFEST_DIR"), "/Dockerfile");
    let dockerfile = std::fs::read_to_string(dockerfile).expect("a Dockerfile");
    let build = dockerfile.lines().find_map(|line| line.strip_prefix("RUN cargo build --release "));
    let Output { status, stdout, stderr } = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--depth", "1", "--prefix", "none"])
        .args(["--format", "{lib}: {f}"])
        .args(build.expect("one build").split_whitespace())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo runs");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let tree = String::from_utf8(stdout).expect("UTF-8");
    let features = tree.lines().find_map(|line| line.strip_prefix("crd_conv: "));
    features.expect("it is a dependency").split(',').map(str::to_owned).collect()
}

#[test]
fn the_image_has_the_commands_that_its_messages_name() {
    let features = features_of_the_image();
    for feature in ["kube", "migrate", "serve"] {
        assert!(features.iter().any(|own| own == feature), "{feature}: {features:?}");
    }
    // With these features the program has the commands.
    for (args, said) in [
        (["migrate", "--help"], "--remove"),
        (["check", "--help"], "--cluster"),
        (["install", "--help"], "--take-away"),
    ] {
        let ran = Command::new(env!("CARGO_BIN_EXE_operator")).args(args).output();
        let help = String::from_utf8(ran.expect("it runs").stdout).expect("UTF-8");
        assert!(help.contains(said), "{args:?}: {help}");
    }
}
