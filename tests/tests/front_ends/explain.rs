//! Lists, maps, enums and types that hold themselves, as `explain` shows them and as objects go through them.

use std::collections::BTreeMap;

use crd_conv::{
    Resource, Versioned,
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
    let code = Cli::new([Resource::of::<Gadget>()]).run_with(["gadget", "explain"], &mut streams);
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

#[test]
fn there_and_back() {
    let gadgets = Resource::of::<Gadget>();
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
