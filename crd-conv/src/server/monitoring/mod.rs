//! Alerts and a dashboard for the metrics, made from their names.

mod alerts;
mod dashboard;
#[cfg(all(test, feature = "schema"))]
mod tests;

use super::metrics::PREFIX;

pub use alerts::alerts;
pub use dashboard::dashboard;

fn counter(name: &str) -> String {
    format!("{PREFIX}_{name}_total")
}

fn gauge(name: &str) -> String {
    format!("{PREFIX}_{name}")
}

fn seconds(name: &str) -> String {
    format!("{PREFIX}_{name}_seconds")
}

fn buckets(name: &str) -> String {
    seconds(name) + "_bucket"
}

/// Structs and lists of texts and numbers can always be written.
fn written<T: serde::Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value);
    text.unwrap_or_else(|error| unreachable!("it can always be written: {error}")) + "\n"
}
