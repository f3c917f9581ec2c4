//! CustomResourceDefinitions of derived resources.

use crd_conv::{
    ResourceType, Versioned,
    crd::{CrdOptions, Webhook},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct FleetSpec {
        size: i32,
        flagship: Boat,
        owner: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Boat {
        name: String,
    }
}

mod v1 {
    use std::collections::BTreeMap;

    use super::*;

    /// What the fleet shall be.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::FleetSpec, removed(owner))]
    pub(crate) struct FleetSpec {
        /// How many boats. One of several lines,
        /// with `code`: and "quotes".
        #[schemars(range(min = 0, max = 100))]
        #[versioned(renamed_from = size)]
        replicas: i32,
        flagship: Boat,
        #[serde(default = "three")]
        #[versioned(added(value = 3))]
        history_limit: i32,
        #[versioned(added)]
        selector: Option<BTreeMap<String, String>>,
        #[versioned(added)]
        policy: Option<Policy>,
        #[serde(default)]
        #[schemars(extend("x-kubernetes-list-type" = "set"), length(max = 8))]
        #[versioned(added)]
        ports: Vec<u16>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Boat)]
    pub(crate) struct Boat {
        #[schemars(length(min = 1), regex(pattern = "^[a-z]+: .*$"))]
        name: String,
        #[serde(rename = "on")]
        #[versioned(added)]
        switched_on: Option<bool>,
    }

    /// When to act.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Policy {
        /// At once.
        Always,
        Never,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct FleetStatus {
        replicas: i32,
        #[versioned(nullable = false)]
        selector: Option<String>,
    }

    fn three() -> i32 {
        3
    }
}

/// Boats that sail together.
#[derive(Versioned)]
#[versioned(resource(
    group = "sea.example.com",
    plural = "fleets",
    short_name = "fl",
    category = "all",
    scope = "Cluster",
    label("app" = "fleet"),
    annotation("note" = "on"),
))]
enum Fleet {
    #[versioned(deprecated = "use sea.example.com/v1")]
    V1alpha1 { spec: v1alpha1::FleetSpec },
    #[versioned(
        storage,
        printer_column(name = "Replicas", type = "integer", json_path = ".spec.replicas"),
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.selector",
        ),
        selectable_field = ".spec.replicas"
    )]
    V1 {
        spec: v1::FleetSpec,
        #[versioned(added)]
        status: Option<v1::FleetStatus>,
    },
}

fn options() -> CrdOptions {
    CrdOptions::new().webhook(Webhook::url("https://example.com/convert"))
}

#[test]
fn everything_that_can_be_declared() {
    let yaml = ResourceType::of::<Fleet>().crd(&options()).unwrap().to_yaml().unwrap();
    // After a change that is meant: `BLESS=1 cargo test -p crd-conv-tests --test schema crd::`.
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/fleet.yaml");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(golden, &yaml).unwrap();
    }
    assert_eq!(yaml, std::fs::read_to_string(golden).unwrap());
}

#[test]
fn yaml_and_json_are_one_document() {
    let crd = ResourceType::of::<Fleet>().crd(&options()).unwrap();
    let from_yaml = crd_conv::yaml::to_json(&crd.to_yaml().unwrap()).unwrap();
    assert_eq!(from_yaml, [serde_json::to_string(&crd).unwrap()]);
}

#[test]
fn the_status_alone_makes_the_versions_differ() {
    let message = ResourceType::of::<Fleet>().crd(&CrdOptions::new()).unwrap_err().to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("fleets.sea.example.com: the versions differ"), "{message}");
}

mod same {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Old {
        name: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Old)]
    pub(crate) struct New {
        name: String,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "sames", scope = "Namespaced"))]
    pub(crate) enum Same {
        V1beta1 {
            spec: Old,
        },
        #[versioned(storage)]
        V1 {
            spec: New,
        },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "singles", scope = "Namespaced"))]
    pub(crate) enum Single {
        #[versioned(storage)]
        V1 { spec: Old },
    }
}

#[test]
fn versions_that_are_the_same_need_no_webhook() {
    for resource in [ResourceType::of::<same::Same>(), ResourceType::of::<same::Single>()] {
        let crd = resource.crd(&CrdOptions::new()).unwrap();
        assert_eq!((crd.spec.conversion.strategy, crd.spec.conversion.webhook), ("None", None));
    }
}

mod wrong {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Old {
        nothing: (),
        limit: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Old)]
    pub(crate) struct New {
        nothing: (),
        limit: i32,
        #[serde(default)]
        #[versioned(added(value = 3))]
        count: i32,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "wrongs", scope = "Namespaced"))]
    pub(crate) enum Wrong {
        V1beta1 {
            spec: Old,
        },
        #[versioned(storage)]
        V1 {
            spec: New,
        },
    }
}

#[test]
fn all_errors_at_once() {
    let errors =
        ResourceType::of::<wrong::Wrong>().crd(&CrdOptions::new()).unwrap_err().to_string();
    let errors: Vec<_> = errors.lines().collect();
    assert_eq!(errors.len(), 4, "{errors:#?}");
    assert!(errors[0].starts_with("wrongs.example.com: version `v1beta1`: `.spec.nothing`"));
    assert!(errors[1].starts_with("wrongs.example.com: version `v1`: `.spec.nothing`"));
    assert!(errors[2].contains("`.spec.count`"), "{}", errors[2]);
    assert!(errors[2].contains("default 0 ") && errors[2].contains("value 3 "), "{}", errors[2]);
    assert!(errors[3].contains("--service-name"));
}

/// Where a status has no place for what other versions have of it.
mod status {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    struct Spec {
        size: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Spec)]
    struct NewerSpec {
        size: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = NewerSpec)]
    struct NewestSpec {
        size: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Status {
        ready: bool,
        conversion_entries: Option<Vec<String>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = Status, removed(conversion_entries))]
    struct NewerStatus {
        ready: bool,
        #[versioned(added)]
        message: Option<String>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum Taken {
        V1 {
            spec: Spec,
            status: Option<Status>,
        },
        #[versioned(storage)]
        V2 {
            spec: NewerSpec,
            status: Option<NewerStatus>,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    enum Phase {
        Old { since: String },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Phase)]
    enum NewerPhase {
        Old {
            since: String,
            #[versioned(added)]
            until: Option<String>,
        },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum Enum {
        V1 {
            spec: Spec,
            status: Option<Phase>,
        },
        #[versioned(storage)]
        V2 {
            spec: NewerSpec,
            status: Option<NewerPhase>,
        },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum Again {
        V1 {
            spec: Spec,
            status: Option<Status>,
        },
        #[versioned(removed(status))]
        V2 {
            spec: NewerSpec,
        },
        #[versioned(storage)]
        V3 {
            spec: NewestSpec,
            #[versioned(added)]
            status: Option<NewerPhase>,
        },
    }

    fn says<R: crd_conv::VersionedResource>() -> Vec<String> {
        let errors = ResourceType::of::<R>().crd(&options()).unwrap_err().errors;
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn has_another_field_of_that_name() {
        let found = says::<Taken>();
        let [of_v1] = &found[..] else { panic!("{found:?}") };
        assert!(
            of_v1.starts_with("`.status.conversionEntries` of `v1` is where conversions store"),
            "{of_v1}"
        );
        assert!(of_v1.ends_with("`Option<crd_conv::ConversionEntries>`, or rename it"), "{of_v1}");
    }

    #[test]
    fn is_no_struct() {
        let found = says::<Enum>();
        assert!(
            found.iter().any(|error| error.starts_with("the status of `v1` has no place")),
            "{found:?}"
        );
    }

    #[test]
    fn comes_again() {
        let found = says::<Again>();
        let again = "the statuses of `v1` and `v3` are separate, because `v2` between them has no status with the subresource: give `v2` the status, too";
        assert!(found.iter().any(|error| error == again), "{found:?}");
    }

    /// In which versions the field is declared.
    fn declared<R: crd_conv::VersionedResource>() -> Vec<String> {
        let crd =
            ResourceType::of::<R>().crd(&options()).unwrap_or_else(|errors| panic!("{errors}"));
        let versions = crd.spec.versions.iter().filter(|version| {
            let status = version.schema.open_api_v3_schema.properties.get("status");
            status.is_some_and(|status| status.properties.contains_key("conversionEntries"))
        });
        versions.map(|version| version.name.clone()).collect()
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    struct Plain {
        ready: bool,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum First {
        #[versioned(storage)]
        V1 { spec: Spec, status: Option<Plain> },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum FirstWithoutOne {
        #[versioned(storage, status)]
        V1 { spec: Spec },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum Alike {
        V1 {
            spec: Spec,
            status: Option<Plain>,
        },
        #[versioned(storage)]
        V2 {
            spec: NewerSpec,
            status: Option<Plain>,
        },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum Bare {
        #[versioned(storage)]
        V1 { spec: Spec },
    }

    /// After a rollback objects have entries that a release without other versions, or without conversions of the status, doesn't know.
    #[test]
    fn is_there_from_the_first_release_on() {
        assert_eq!(declared::<First>(), ["v1"]);
        assert_eq!(declared::<FirstWithoutOne>(), ["v1"]);
        assert_eq!(declared::<Alike>(), ["v2", "v1"]);
        assert_eq!(declared::<Bare>(), [""; 0], "who writes the object writes the status");
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum FirstTaken {
        #[versioned(storage)]
        V1 { spec: Spec, status: Option<Status> },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum FirstEnum {
        #[versioned(storage)]
        V1 { spec: Spec, status: Option<Phase> },
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    enum FirstMap {
        #[versioned(storage)]
        V1 { spec: Spec, status: Option<std::collections::BTreeMap<String, String>> },
    }

    #[test]
    fn is_left_out_without_room_as_long_as_nothing_needs_it() {
        // The author's own field.
        assert_eq!(declared::<FirstTaken>(), ["v1"]);
        assert_eq!(declared::<FirstEnum>(), [""; 0]);
        assert_eq!(declared::<FirstMap>(), [""; 0]);
    }
}
