//! The alerts of the operator's chart, which `crd_conv::server::alerts` makes.

use std::collections::BTreeSet;
use std::fs;

use crd_conv_helm::{documents, promtool, root};

const RULES: &str = "examples/operator/chart/alerts.yaml";
const TESTS: &str = "tests/helm/alerts.yaml";

#[test]
fn prometheus_reads_them() {
    let file = root().join(RULES);
    promtool(["check", "rules", "--lint=all", "--lint-fatal", file.to_str().expect("UTF-8")])
        .said();
}

/// Each alert is raised by what it is about, and nothing else is.
#[test]
fn each_is_raised_when_it_should_be() {
    let names = |file: &str, key: &str| {
        let text = fs::read_to_string(root().join(file)).expect("a file");
        let lines = text.lines().filter_map(|line| line.split_once(key));
        lines.map(|(_, name)| name.trim_matches(['"', '}']).to_owned()).collect::<BTreeSet<_>>()
    };
    let alerts = names(RULES, "- alert: ");
    assert!(alerts.len() > 5, "invalid test case: {alerts:?}");
    assert_eq!(names(TESTS, "- name: ").intersection(&alerts).count(), alerts.len());
    let file = root().join(TESTS);
    promtool(["test", "rules", file.to_str().expect("UTF-8")]).said();
    assert_eq!(documents(&fs::read_to_string(file).expect("a file")).len(), 1);
}
