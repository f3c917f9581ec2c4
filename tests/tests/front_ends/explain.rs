//! Lists, maps, enums and types that hold themselves, as `explain` shows them and as objects go through them.

use std::collections::BTreeMap;

use crd_conv::{
    ResourceType, Versioned,
    cli::{Cli, Streams},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Phase {
        Pending,
        Active,
        Failed,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Container {
        image: String,
        phase: Phase,
        parts: Vec<Container>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        containers: Vec<Container>,
        pools: BTreeMap<String, Pool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        size: i32,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Phase, removed(Failed = Stopped))]
    pub(super) enum Phase {
        Pending,
        #[versioned(renamed_from = Active)]
        Running,
        #[versioned(added(shown_as = Failed))]
        Stopped,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Container)]
    pub(super) struct Container {
        image: String,
        phase: Phase,
        parts: Vec<Container>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        containers: Vec<Container>,
        pools: BTreeMap<String, Pool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Pool, removed(size = 1))]
    pub(super) struct Pool {
        #[versioned(added)]
        limit: Option<i32>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Cluster"))]
enum Gadget {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

#[test]
fn what_is_inside() {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let code =
        Cli::new([ResourceType::of::<Gadget>()]).run_with(["gadget", "explain"], &mut streams);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    assert_eq!(String::from_utf8(stdout).expect("text"), "\
Gadget in example.com: v1beta1, v1

v1beta1 to v1
  v1beta1                                   v1                                        mapping                       what the other version can't say is kept in
  ----------------------------------------  ----------------------------------------  ----------------------------  ----------------------------------------------------
  .spec: v1beta1::Spec                      .spec: v1::Spec                           kept
  .spec.containers: Vec<Container>          .spec.containers: Vec<Container>          kept
  .spec.containers[].image: String          .spec.containers[].image: String          kept
  .spec.containers[].phase: Phase           .spec.containers[].phase: Phase           kept
  .spec.containers[].phase = \"Active\"       .spec.containers[].phase = \"Running\"      renamed
                                            .spec.containers[].phase = \"Stopped\"      added, shown as \"Failed\"      conversion.example.com/v1.spec.containers.phase
  .spec.containers[].phase = \"Failed\"                                                 removed, shown as \"Stopped\"   conversion.example.com/v1beta1.spec.containers.phase
  .spec.containers[].parts: Vec<Container>  .spec.containers[].parts: Vec<Container>  kept, mapped inside as above
  .spec.pools: BTreeMap<String, Pool>       .spec.pools: BTreeMap<String, Pool>       kept
                                            .spec.pools.*.limit: Option<i32>          added                         conversion.example.com/v1.spec.pools.limit
  .spec.pools.*.size: i32                                                             removed, value 1              conversion.example.com/v1beta1.spec.pools.size
");
}

/// Each format has the same rows; as JSON a program can read them.
#[test]
fn other_formats_have_the_same_rows() {
    let explained = explained(&["--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&explained).expect("JSON");
    let [gadgets] = &value.as_array().expect("a list")[..] else { panic!("one resource") };
    assert_eq!(gadgets["versions"], serde_json::json!(["v1beta1", "v1"]));
    let rows = gadgets["hops"][0]["rows"].as_array().expect("rows");
    assert_eq!(
        rows.last(),
        Some(&serde_json::json!({
            "older": [".spec.pools.*.size: i32"],
            "newer": [],
            "mapping": ["removed, value 1"],
            "keptIn": ["conversion.example.com/v1beta1.spec.pools.size"],
        }))
    );

    let markdown = self::explained(&["--format", "markdown"]);
    let lines = markdown.lines().filter(|line| line.starts_with('|'));
    assert_eq!(lines.count(), rows.len() + 2);
    assert!(markdown.contains(
        "| `.spec.pools.*.size: i32` |  | removed, value 1 | `conversion.example.com/v1beta1.spec.pools.size` |"
    ));

    let html = self::explained(&["--format", "html"]);
    assert_eq!(html.matches("<tr class=").count(), rows.len());
    assert!(html.contains("<code>.spec.containers: Vec&lt;Container&gt;</code>"), "{html}");
    assert!(!html.contains("src=") && !html.contains("href="), "it needs nothing else");
}

/// What stays the same isn't drawn, and a field that one version hasn't has an empty circle there.
#[test]
fn a_diagram_has_the_fields_that_change() {
    assert_eq!(
        explained(&["--format", "mermaid"]),
        "\
flowchart LR
  subgraph h0[\"Gadget: v1beta1 to v1\"]
    direction LR
    subgraph h0o[\"v1beta1\"]
      h0o0_0[\".spec.containers[].phase = #quot;Active#quot;\"]
      h0o1_0(( ))
      h0o2_0[\".spec.containers[].phase = #quot;Failed#quot;\"]
      h0o3_0(( ))
      h0o4_0[\".spec.pools.*.size: i32\"]
    end
    subgraph h0n[\"v1\"]
      h0n0_0[\".spec.containers[].phase = #quot;Running#quot;\"]
      h0n1_0[\".spec.containers[].phase = #quot;Stopped#quot;\"]
      h0n2_0(( ))
      h0n3_0[\".spec.pools.*.limit: Option#lt;i32#gt;\"]
      h0n4_0(( ))
    end
    h0o0_0 -- \"renamed\" --> h0n0_0
    h0o1_0 -- \"added, shown as #quot;Failed#quot;\" --> h0n1_0
    h0o2_0 -- \"removed, shown as #quot;Stopped#quot;\" --> h0n2_0
    h0o3_0 -- \"added\" --> h0n3_0
    h0o4_0 -- \"removed, value 1\" --> h0n4_0
  end
"
    );
}

/// What is checked in has the format that its name says, and in each of them the annotations are found that nothing reads any more.
#[test]
fn a_file_has_the_format_of_its_ending() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, begins) in
        [("a.txt", "Gadget in "), ("a.json", "[\n"), ("a.md", "## "), ("a.html", "<!DOCTYPE html>")]
    {
        let file = folder.path().join(name);
        let path = file.to_str().expect("a path");
        assert_eq!(explained(&["--write", path]), "", "{name}");
        let written = std::fs::read_to_string(&file).expect("the file");
        assert!(written.starts_with(begins), "{name}: {written}");
        assert_eq!(explained(&["--check", path]), "", "{name}");

        let former = written.replace("v1beta1.spec.pools.size", "v1beta1.spec.pools.former");
        std::fs::write(&file, former).expect("the file");
        let (code, stdout, stderr) = run(&["--check", path]);
        assert_eq!(code, 1, "{name}");
        assert!(stdout.contains("v1beta1.spec.pools.size"), "{name}: {stdout}");
        assert!(
            stderr.contains(
                "in `conversion.example.com/v1beta1.spec.pools.former`, which this program no longer reads"
            ),
            "{name}: {stderr}"
        );
    }
}

fn run(args: &[&str]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = ["gadgets", "explain"].iter().chain(args).copied();
    let code = Cli::new([ResourceType::of::<Gadget>()]).run_with(args, &mut streams);
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).expect("text"));
    (code, stdout, stderr)
}

fn explained(args: &[&str]) -> String {
    let (code, stdout, stderr) = run(args);
    assert_eq!((code, &*stderr), (0, ""));
    stdout
}

#[test]
fn there_and_back() {
    let gadgets = ResourceType::of::<Gadget>();
    let old = r#"{"apiVersion":"example.com/v1beta1","kind":"Gadget","metadata":{},"spec":{"containers":[{"image":"a","phase":"Failed","parts":[{"image":"b","phase":"Active","parts":[]}]},{"image":"c","phase":"Odd","parts":[]}],"pools":{"x":{"size":4}}}}"#;
    let new = gadgets.convert(old.as_bytes(), "v1").expect("it upgrades").json;
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(
        value(&new)["spec"],
        serde_json::json!({
            "containers": [
                {"image": "a", "phase": "Stopped", "parts": [{"image": "b", "phase": "Running", "parts": []}]},
                {"image": "c", "phase": "Odd", "parts": []},
            ],
            "pools": {"x": {}},
        })
    );
    let back = gadgets.convert(new.as_bytes(), "v1beta1").expect("it downgrades").json;
    assert_eq!(value(&back), value(old));
}
