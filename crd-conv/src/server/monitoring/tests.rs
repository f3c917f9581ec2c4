//! Every series that an alert or a panel names exists.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{alerts, dashboard};
use crate::server::metrics::{Dropped, Metrics, PREFIX};
use crate::server::outcome::Outcome;
use crate::{ResourceType, Reviewer, crd::fixture::cron_tab};

/// What a server shows that has converted an object, and had a broken connection.
fn shown() -> String {
    let metrics = Metrics::new();
    let review = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"7","desiredAPIVersion":"example.com/v1",
        "objects":[{"apiVersion":"example.com/v1beta1","kind":"CronTab","hostPort":"h:1"}]}}"#;
    let resources: [ResourceType; 1] = [cron_tab()];
    let reviewed = Reviewer::new(resources).review(review.as_bytes()).expect("a review");
    assert_eq!(reviewed.failure, None, "invalid test case");
    metrics.count(&Outcome::Reviewed(reviewed), Duration::from_millis(1));
    metrics.count_dropped(Dropped::Head);
    metrics.expires(SystemTime::now());
    let mut text = String::new();
    metrics.encode(&mut text).expect("text");
    text
}

/// All expressions in a document.
fn expressions(document: &Value, found: &mut Vec<String>) {
    match document {
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_str() {
                    Some(text) if key == "expr" || key == "query" => found.push(text.to_owned()),
                    _ => expressions(value, found),
                }
            }
        }
        _ => {}
    }
}

/// The series in an expression: their names, and what is in braces after them.
fn series(expression: &str) -> Vec<(&str, &str)> {
    let starts = expression.match_indices(PREFIX).map(|(start, _)| &expression[start..]);
    starts
        .map(|text| {
            let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (name, rest) = text.split_at(end.unwrap_or(text.len()));
            let labels = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            (name, labels.map_or("", |(labels, _)| labels))
        })
        .collect()
}

/// Fails unless the server shows each series, with each value that a label must have.
#[track_caller]
fn all_exist(expressions: &[String], shown: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (name, labels) in expressions.iter().flat_map(|expression| series(expression)) {
        let of_name =
            |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
        let lines: Vec<_> = shown.lines().filter(of_name).collect();
        assert!(!lines.is_empty(), "there is no {name}");
        for label in labels.split(',').filter(|label| !label.is_empty() && !label.contains('$')) {
            let (key, values) = label.split_once('=').expect("a label");
            for value in values.trim_matches(['~', '"']).split('|') {
                let wanted = format!("{key}=\"{value}\"");
                assert!(lines.iter().any(|line| line.contains(&wanted)), "{name} has no {wanted}");
            }
        }
        names.insert(name.to_owned());
    }
    names
}

#[test]
fn every_series_of_an_alert_exists() {
    let mut found = Vec::new();
    expressions(&serde_json::from_str(&alerts()).expect("JSON"), &mut found);
    let names = all_exist(&found, &shown());
    assert!(found.len() > 5 && names.len() > 5, "invalid test case: {names:?}");
}

#[test]
fn the_dashboard_shows_every_metric() {
    let (shown, mut found) = (shown(), Vec::new());
    expressions(&serde_json::from_str(&dashboard()).expect("JSON"), &mut found);
    let mut names = all_exist(&found, &shown);
    let metrics: Vec<_> =
        shown.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    for metric in &metrics {
        names.retain(|name| {
            !["", "_total", "_bucket"].iter().any(|end| *name == format!("{metric}{end}"))
        });
    }
    assert_eq!(names, BTreeSet::new());
    let is_missing = |metric: &&&str| !found.iter().any(|expression| expression.contains(**metric));
    assert_eq!(metrics.iter().find(is_missing), None);
    assert!(metrics.len() > 10, "invalid test case: {metrics:?}");
}
