//! What `crd --helm` prints, in a chart that has nothing else.

use std::fs;
use std::path::Path;

use crd_conv::cli::{Cli, Streams};
use crd_conv::crd::Webhook;
use crd_conv::{ResourceType, Versioned};
use crd_conv_helm::{Ran, documents, helm};
use serde_json::{Value, json};
use tempfile::TempDir;

mod v1 {
    #[derive(crd_conv::Versioned, schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
    pub(crate) struct Spec {
        /// Text with `{{ x }}`, `{{- "y" -}}`, {{{ and }}}, as in `{{"{{"}}`.
        #[serde(default)]
        pub(crate) owner: String,
    }
}

mod v2 {
    #[derive(crd_conv::Versioned, schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
    #[versioned(from = super::v1::Spec, removed(owner))]
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "self.size.matches('{{1,2}}`')", "message": "{{ .Values }}"}]))]
    pub(crate) struct Spec {
        #[versioned(added)]
        #[serde(default)]
        pub(crate) size: String,
    }
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "boxes",
    scope = "Namespaced",
    annotation("declared" = "{{ of the program }}"),
))]
enum Box {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

const ANNOTATIONS: &str = "/metadata/annotations";
const CONFIG: &str = "/spec/conversion/webhook/clientConfig";

fn prints(args: &[&str]) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let cli =
        Cli::new([ResourceType::of::<Box>()]).webhook(Webhook::service("there", "conversion"));
    let code = cli.run_with(["operator"].iter().chain(args), &mut streams);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// A chart with the template.
fn chart(options: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let chart = "apiVersion: v2\nname: boxes\nversion: 1.0.0\n";
    fs::write(folder.path().join("Chart.yaml"), chart).expect("a file");
    fs::create_dir(folder.path().join("templates")).expect("a folder");
    let template = folder.path().join("templates/crd.yaml");
    prints(&[&["crd", "--helm", "--write", template.to_str().expect("UTF-8")], options].concat());
    folder
}

fn render(chart: &Path, options: &[&str]) -> Ran {
    let chart = chart.to_str().expect("UTF-8");
    helm([&["template", "release", chart, "--namespace", "space"], options].concat())
}

#[track_caller]
fn rendered(chart: &Path, options: &[&str]) -> Value {
    let mut found = render(chart, options).documents();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The document as the program prints it, with the values of the template.
fn expected(annotations: &Value, config: &Value) -> Value {
    let mut document = documents(&prints(&["crd"])).remove(0);
    *document.pointer_mut(ANNOTATIONS).expect("annotations") = annotations.clone();
    *document.pointer_mut(CONFIG).expect("a webhook") = config.clone();
    document
}

#[test]
fn without_values_the_service_is_the_releases() {
    let chart = chart(&[]);
    let document = rendered(chart.path(), &[]);
    let annotations =
        json!({ "declared": "{{ of the program }}", "helm.sh/resource-policy": "keep" });
    let service =
        json!({ "name": "release", "namespace": "space", "path": "/convert", "port": 443 });
    assert_eq!(document, expected(&annotations, &json!({ "service": service })));
    let description =
        "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/owner/description";
    let description = document.pointer(description).and_then(Value::as_str).expect("a description");
    assert_eq!(
        description,
        r#"Text with `{{ x }}`, `{{- "y" -}}`, {{{ and }}}, as in `{{"{{"}}`."#
    );
}

#[test]
fn values_win_and_may_be_templates() {
    let chart = chart(&["--service-port", "8443"]);
    let values = json!({ "crd": {
        "keep": false,
        "labels": { "app": "boxes" },
        "annotations": { "declared": "otherwise", "more": "{{ not a template }}" },
        "webhook": {
            "name": "{{ .Chart.Name }}-webhook",
            "namespace": "elsewhere",
            "path": "/{",
            "caBundle": "certificates",
            "injectFrom": "{{ .Release.Namespace }}/{{ .Chart.Name }}",
        },
    } });
    let file = chart.path().join("given.json");
    fs::write(&file, values.to_string()).expect("a file");
    let document = rendered(chart.path(), &["--values", file.to_str().expect("UTF-8")]);
    let annotations = json!({
        "declared": "otherwise",
        "more": "{{ not a template }}",
        "cert-manager.io/inject-ca-from": "space/boxes",
    });
    let service =
        json!({ "name": "boxes-webhook", "namespace": "elsewhere", "path": "/{", "port": 8443 });
    let config = json!({ "caBundle": "Y2VydGlmaWNhdGVz", "service": service });
    let mut expected = expected(&annotations, &config);
    expected["metadata"]["labels"] = json!({ "app": "boxes" });
    assert_eq!(document, expected);
}

#[test]
fn a_url_is_in_place_of_the_service() {
    let declared = chart(&["--url", "https://example.com/convert"]);
    let plain = chart(&[]);
    let by_value = ["--set", "crd.webhook.url=https://{{ .Release.Name }}.example.com/convert"];
    for (chart, options, url) in [
        (&declared, &[][..], "https://example.com/convert"),
        (&plain, &by_value[..], "https://release.example.com/convert"),
    ] {
        let document = rendered(chart.path(), options);
        assert_eq!(document.pointer(CONFIG), Some(&json!({ "url": url })));
    }
}

#[test]
fn a_release_can_leave_it_to_another() {
    let chart = chart(&[]);
    let ran = render(chart.path(), &["--set", "crd.create=false"]);
    assert_eq!(ran.documents(), Vec::<Value>::new());
}

#[test]
fn null_values_are_none() {
    let chart = chart(&[]);
    let plain = rendered(chart.path(), &[]);
    for none in ["crd=null", "crd.webhook=null", "crd.keep=null", "crd.webhook.name="] {
        assert_eq!(rendered(chart.path(), &["--set", none]), plain, "{none}");
    }
}
