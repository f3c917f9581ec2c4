//! Names in JSON with characters that the command line writes between a path and what it says about it.

use std::collections::BTreeMap;

use crd_conv::{
    ResourceType, Versioned,
    cli::{Cli, Streams},
    explanation::{Mapping, Row},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        #[serde(rename = "cpu (max)")]
        cpu: Option<i64>,
        #[serde(rename = "ttl = 3: s")]
        ttl: Option<i64>,
        #[serde(rename = "a.b")]
        dotted: Option<i64>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, removed(ttl))]
    pub(super) struct Spec {
        #[serde(rename = "limit (cpu)")]
        #[versioned(renamed_from = cpu)]
        limit: Option<i64>,
        #[serde(rename = "c.d")]
        #[versioned(renamed_from = dotted)]
        other: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "odd.example.com", plural = "odds", scope = "Namespaced"))]
enum Odd {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

fn prints(args: &[&str], input: &str) -> String {
    let (mut stdin, mut stdout, mut stderr) = (input.as_bytes(), Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr };
    let args = ["odd"].iter().chain(args).copied();
    let code = Cli::new([ResourceType::of::<Odd>()]).run_with(args, &mut streams);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn diff_finds_the_mapping_of_each_field() {
    let crd = prints(&["crd", "--format", "json", "--url", "https://odd.example.com"], "");
    let mut before: Value = serde_json::from_str(&crd).unwrap();
    let versions = before["spec"]["versions"].as_array_mut().unwrap();
    versions.retain(|version| version["name"] == "v1");
    assert_eq!(versions.len(), 1, "the premise");
    versions[0]["storage"] = true.into();
    let report = prints(&["diff", "-"], &before.to_string());
    for (path, how) in [
        (".spec.cpu (max)", "renamed"),
        (".spec.a.b", "renamed"),
        (".spec.ttl = 3: s", "removed, kept in `conversion.odd.example.com/v1.spec.ttl"),
    ] {
        let line = format!(
            "v1 to v2: {path}: the newer version doesn't have this field; the mapping says: {how}"
        );
        assert!(report.contains(&line), "{line}\n{report}");
    }
    assert!(report.starts_with("odds.odd.example.com: 0 breaking, 1 risky,"), "{report}");
}

#[test]
fn an_explanation_has_the_names_as_they_are() {
    let hops = ResourceType::of::<Odd>().explanation();
    let [hop] = &hops[..] else { panic!("{hops:?}") };
    let paths = |row: &Row| {
        [&row.older, &row.newer]
            .map(|values| values.iter().map(|value| value.path.to_string()).collect::<String>())
    };
    let rows: BTreeMap<_, _> =
        hop.rows.iter().map(|row| (paths(row), row.mapping.clone())).collect();
    let row = |older: &str, newer: &str| rows.get(&[older.to_owned(), newer.to_owned()]).cloned();
    assert_eq!(row(".spec.cpu (max)", ".spec.limit (cpu)"), Some(Mapping::Renamed), "{rows:?}");
    assert_eq!(row(".spec.a.b", ".spec.c.d"), Some(Mapping::Renamed), "{rows:?}");
    assert_eq!(row(".spec.ttl = 3: s", ""), Some(Mapping::Removed { value: None }), "{rows:?}");
}
