//! Every rule, in stanzas, over three versions.
#![deny(warnings)]

use crd_conv::{
    __private::{Nested, Rule},
    ConvertError, Converter, Versioned, VersionedResource,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTabSpec {
        pub host_port: String,
        pub cron_spec: String,
        pub owner: Option<String>,
        pub region: String,
        pub container: Container,
        pub sidecar: Option<Container>,
        pub seconds: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    pub struct Container {
        pub image: String,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta1::CronTabSpec,
        removed(owner, region = "eu"),
        map((host_port) <=> (host, port), with = HostPort),
    )]
    pub struct CronTabSpec {
        pub host: String,
        pub port: u16,
        #[versioned(renamed_from = cron_spec)]
        pub schedule: String,
        pub container: Container,
        pub sidecar: Option<Container>,
        #[versioned(added(value = 3))]
        pub history_limit: i32,
        #[versioned(added)]
        pub suspend: Option<bool>,
        #[versioned(renamed_from = seconds, with(upgrade = minutes, downgrade = seconds))]
        pub minutes: i64,
        #[serde(default)]
        #[versioned(added)]
        pub labels: Vec<String>,
    }

    fn minutes(seconds: i64) -> Result<i64, &'static str> {
        if seconds < 0 { Err("negative") } else { Ok(seconds / 60) }
    }

    fn seconds(minutes: i64) -> i64 {
        minutes * 60
    }

    pub struct HostPort;

    impl Converter<String, (String, u16)> for HostPort {
        fn upgrade(&self, older: String) -> Result<(String, u16), ConvertError> {
            let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
            Ok((host.to_owned(), port.parse()?))
        }
        fn downgrade(&self, (host, port): (String, u16)) -> Result<String, ConvertError> {
            Ok(format!("{host}:{port}"))
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    #[versioned(from = super::v1beta1::Container)]
    pub struct Container {
        pub image: String,
        #[versioned(added)]
        pub tag: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    pub struct CronTabStatus {
        pub ready: bool,
    }
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "crontabs",
    short_name = "ct",
    scope = "Namespaced",
    label("a" = "b"),
))]
enum CronTab {
    #[versioned(deprecated = "use example.com/v1")]
    V1beta1 { spec: v1beta1::CronTabSpec },
    #[versioned(
        storage,
        printer_column(name = "Schedule", type = "string", json_path = ".spec.schedule")
    )]
    V1 {
        spec: v1::CronTabSpec,
        #[versioned(added)]
        status: Option<v1::CronTabStatus>,
    },
}

#[test]
fn its_definition_and_its_rules() {
    let definition = CronTab::DEFINITION;
    assert_eq!(definition.kind, "CronTab");
    let [v1beta1, v1] = definition.versions else { panic!("two versions") };
    assert!(v1beta1.plan.is_none() && v1beta1.deprecated && !v1beta1.status);
    assert!(v1.status && v1.storage);
    let Some(Nested::Struct(plan)) = v1.plan.expect("a hop")() else {
        panic!("the versions differ")
    };
    let [Rule::Kept { older, newer, nested }, Rule::Added { .. }] = plan.rules else {
        panic!("{plan:?}")
    };
    assert_eq!((older.wire, newer.wire), ("spec", "spec"));
    let Some(Nested::Struct(plan)) = nested.get() else { panic!("the specs differ") };
    assert_eq!(plan.older, "v1beta1::CronTabSpec");
    assert_eq!(plan.newer, "v1::CronTabSpec");
    assert_eq!(plan.rules.len(), 10);
    let mut fills = Vec::new();
    for rule in plan.rules {
        match rule {
            Rule::Kept { older, newer, nested } => {
                let changes = ["container", "sidecar"].contains(&older.rust);
                assert_eq!(nested.get().is_some(), changes, "{}", newer.rust);
            }
            Rule::Added { newer, fill } => fills.push((newer.wire, fill.is_some())),
            Rule::Removed { older, fill } => fills.push((older.wire, fill.is_some())),
            Rule::Converted { older, newer, by, .. } => {
                fills.push((older[0].wire, newer.len() == 2));
                fills.push((by.by, true));
            }
            _ => panic!("{rule:?}"),
        }
    }
    fills.sort_unstable();
    assert_eq!(
        fills,
        [
            ("HostPort", true),
            ("historyLimit", true),
            ("hostPort", true),
            ("labels", true),
            ("minutes / seconds", true),
            ("owner", false),
            ("region", true),
            ("seconds", false),
            ("suspend", false),
        ]
    );
}
