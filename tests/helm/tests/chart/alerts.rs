//! The alerts of the operator's chart, which `crd_conv::server::alerts` makes.

use std::collections::BTreeSet;
use std::fs;

use crd_conv_helm::{documents, promtool, root};

pub(crate) const RULES: &str = "examples/operator/chart/alerts.yaml";
const TESTS: &str = "tests/helm/alerts.yaml";

/// What follows a key in the lines of a file.
pub(crate) fn names(file: &str, key: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).expect("a file");
    let lines = text.lines().filter_map(|line| line.split_once(key));
    lines.map(|(_, name)| name.trim_matches(['"', '}']).to_owned()).collect()
}

#[test]
fn prometheus_reads_them() {
    let file = root().join(RULES);
    promtool(["check", "rules", "--lint=all", "--lint-fatal", file.to_str().expect("UTF-8")])
        .said();
}

/// What is no fault raises none, and the text of one says how long there is to act.
#[test]
fn none_is_raised_without_a_fault() {
    let file = root().join(TESTS);
    promtool(["test", "rules", file.to_str().expect("UTF-8")]).said();
    assert_eq!(documents(&fs::read_to_string(file).expect("a file")).len(), 1);
}
