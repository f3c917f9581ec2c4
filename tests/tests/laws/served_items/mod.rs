//! What belongs to the items of a list finds them again after the API server has filled in defaults, dropped nulls and pruned.

mod objects;

use std::sync::LazyLock;

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use crd_conv_tests::served::{Server, reencoded};
use proptest::prelude::*;

mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct RackSpec {
        shelves: Vec<Shelf>,
        #[versioned(list_map_keys(name, protocol))]
        ports: Vec<Port>,
        rows: Vec<Vec<Shelf>>,
        named: BTreeMap<String, Vec<Shelf>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Shelf {
        label: String,
        owner: Option<String>,
        note: Option<String>,
        address: String,
        timeout: Option<i64>,
        weight: f64,
        boxes: Vec<Box>,
        lid: Lid,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Box {
        size: i64,
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Lid {
        hinge: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Port {
        name: String,
        #[serde(default = "tcp")]
        protocol: String,
        remark: Option<String>,
    }

    pub(crate) fn tcp() -> String {
        "TCP".to_owned()
    }
}

mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use crd_conv_tests::gadget::converters::Forgetful;
    use crd_conv_tests::nest::converters::Split;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1alpha1::tcp;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::RackSpec)]
    pub(crate) struct RackSpec {
        shelves: Vec<Shelf>,
        #[versioned(list_map_keys(name, protocol))]
        ports: Vec<Port>,
        rows: Vec<Vec<Shelf>>,
        named: BTreeMap<String, Vec<Shelf>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::Shelf,
        removed(owner),
        map(address <=> (host, port), with = Split),
        moved(timeout => checks.timeout),
    )]
    pub(crate) struct Shelf {
        label: String,
        /// The converter says nothing, and so the server fills it in.
        #[versioned(with = Forgetful)]
        #[serde(default = "none")]
        note: Option<String>,
        host: String,
        port: String,
        checks: Option<Checks>,
        weight: f64,
        boxes: Vec<Box>,
        lid: Lid,
        #[versioned(added)]
        #[serde(default = "five")]
        level: i64,
        /// With defaults of its own inside.
        #[versioned(added)]
        #[serde(default)]
        rail: Rail,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Checks {
        timeout: Option<i64>,
        #[serde(default = "five")]
        interval: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Box, removed(color))]
    pub(crate) struct Box {
        #[versioned(renamed_from = size)]
        volume: i64,
        #[versioned(added)]
        #[serde(default)]
        sealed: bool,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Lid)]
    pub(crate) struct Lid {
        hinge: Option<String>,
        #[versioned(added)]
        #[serde(default = "five")]
        angle: i64,
    }

    #[derive(Serialize, Deserialize, JsonSchema, Default)]
    pub(crate) struct Rail {
        #[serde(default)]
        length: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Port, removed(remark))]
    pub(crate) struct Port {
        name: String,
        #[serde(default = "tcp")]
        protocol: String,
        #[versioned(added)]
        #[serde(default = "five")]
        number: i64,
    }

    fn five() -> i64 {
        5
    }

    #[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
    fn none() -> Option<String> {
        Some("none".to_owned())
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "racks", scope = "Namespaced"))]
#[allow(dead_code, reason = "a declaration")]
enum Rack {
    V1alpha1 {
        spec: v1alpha1::RackSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::RackSpec,
    },
}

const VERSIONS: [&str; 2] = ["v1alpha1", "v1"];

static RACKS: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Rack>);
static SERVER: LazyLock<Server> = LazyLock::new(|| Server::of(&RACKS, &VERSIONS));

fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = RACKS.convert(object.as_bytes(), VERSIONS[to]);
    let converted = converted.map_err(|error| TestCaseError::fail(format!("{error}: {object}")))?;
    prop_assert!(converted.unrestored.is_empty(), "{:?}: {}", converted.unrestored, object);
    Ok(converted.json)
}

/// Without the carrier.
fn essence(object: &str) -> Tree {
    let object = RACKS.export(object.as_bytes()).expect("an object");
    Tree::read(&reencoded(&object))
}

fn case() -> impl Strategy<Value = (String, usize)> {
    (0..2_usize).prop_flat_map(|version| {
        let spec = objects::value(&SERVER.schema(version).properties["spec"]);
        let object = spec.prop_map(move |spec| {
            let version = VERSIONS[version];
            format!(r#"{{"apiVersion":"example.com/{version}","kind":"Rack","metadata":{{"name":"a"}},"spec":{spec}}}"#)
        });
        (object, Just(version))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exact return, with the API server between the hops.
    #[test]
    fn exact_return_through_the_server((object, from) in case()) {
        let object = SERVER.decode(&object, from);
        let there = SERVER.between(&convert(&object, 1 - from)?, 1 - from);
        let back = SERVER.converted(&convert(&there, from)?, from);
        prop_assert_eq!(essence(&back), essence(&object), "via {}", there);
    }

    /// What server-side apply converts was never decoded by a schema. The server still may do so before the way back, and then no
    /// entry misses its item.
    #[test]
    fn no_entry_misses_its_item((object, from) in case()) {
        let there = SERVER.between(&convert(&object, 1 - from)?, 1 - from);
        convert(&there, from)?;
    }
}
