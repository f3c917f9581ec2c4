//! A dashboard, as Grafana imports it.
//!
//! Source: <https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/>

use serde::Serialize;

use super::{buckets, counter, gauge, seconds, written};
use crate::server::metrics::names;

/// The datasource, which is a variable.
const DATASOURCE: Datasource = Datasource { ty: "prometheus", uid: "${datasource}" };

/// The programs that are shown, which are another variable.
const JOBS: &str = r#"job=~"$job""#;

/// The size of a panel: two are next to each other.
const WIDTH: usize = 12;
const HEIGHT: usize = 8;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dashboard {
    title: &'static str,
    uid: &'static str,
    description: &'static str,
    tags: [&'static str; 1],
    schema_version: u32,
    editable: bool,
    refresh: &'static str,
    time: Time,
    templating: Templating,
    panels: Vec<Panel>,
}

#[derive(Serialize)]
struct Time {
    from: &'static str,
    to: &'static str,
}

#[derive(Serialize)]
struct Templating {
    list: [Variable; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Variable {
    name: &'static str,
    #[serde(rename = "type")]
    ty: &'static str,
    query: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    datasource: Option<Datasource>,
    multi: bool,
    include_all: bool,
    /// When it is read again: 1 when the dashboard is loaded, 2 when the time changes.
    refresh: u8,
}

#[derive(Serialize)]
struct Datasource {
    #[serde(rename = "type")]
    ty: &'static str,
    uid: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Panel {
    id: usize,
    #[serde(rename = "type")]
    ty: &'static str,
    title: &'static str,
    description: &'static str,
    datasource: Datasource,
    grid_pos: Position,
    field_config: FieldConfig,
    targets: Vec<Target>,
}

#[derive(Serialize)]
struct Position {
    h: usize,
    w: usize,
    x: usize,
    y: usize,
}

#[derive(Serialize)]
struct FieldConfig {
    defaults: Defaults,
    overrides: [(); 0],
}

#[derive(Serialize)]
struct Defaults {
    unit: &'static str,
    min: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    ref_id: String,
    expr: String,
    legend_format: &'static str,
}

/// Returns a dashboard for Grafana with all metrics, as JSON.
///
/// ```
/// let dashboard = crd_conv::server::dashboard();
/// assert!(dashboard.contains(r#""title": "Reviews""#));
/// ```
pub fn dashboard() -> String {
    let jobs = format!("label_values({}, job)", counter(names::REVIEWS));
    let variable = |name, ty, query: &str, is_job: bool| Variable {
        name,
        ty,
        query: query.to_owned(),
        datasource: is_job.then_some(DATASOURCE),
        multi: is_job,
        include_all: is_job,
        refresh: if is_job { 2 } else { 1 },
    };
    written(&Dashboard {
        title: "CustomResourceDefinition conversions",
        uid: "crd-conv",
        description: "The conversion webhooks of operators that use crd-conv",
        tags: ["kubernetes"],
        schema_version: 39,
        editable: true,
        refresh: "1m",
        time: Time { from: "now-6h", to: "now" },
        templating: Templating {
            list: [
                variable("datasource", "datasource", "prometheus", false),
                variable("job", "query", &jobs, true),
            ],
        },
        panels: panels(),
    })
}

/// What a panel shows: its title, its description, its unit, and expressions with their legends.
type Shown = (&'static str, &'static str, &'static str, Vec<(String, &'static str)>);

fn panels() -> Vec<Panel> {
    let all = requests().into_iter().chain(values()).chain(certificates()).enumerate();
    all.map(|(i, (title, description, unit, targets))| Panel {
        id: i + 1,
        ty: "timeseries",
        title,
        description,
        datasource: DATASOURCE,
        grid_pos: Position { h: HEIGHT, w: WIDTH, x: i % 2 * WIDTH, y: i / 2 * HEIGHT },
        field_config: FieldConfig { defaults: Defaults { unit, min: 0 }, overrides: [] },
        targets: targets
            .into_iter()
            .zip('A'..)
            .map(|((expr, legend_format), id)| Target {
                ref_id: id.to_string(),
                expr,
                legend_format,
            })
            .collect(),
    })
    .collect()
}

fn rate(by: &str, name: &str) -> String {
    format!("sum by ({by}) (rate({}{{{JOBS}}}[$__rate_interval]))", counter(name))
}

fn now(name: &str) -> String {
    format!("sum by (job) ({}{{{JOBS}}})", gauge(name))
}

fn quantile(part: &str) -> String {
    let duration = buckets(names::DURATION);
    format!(
        "histogram_quantile({part}, sum by (le) (rate({duration}{{{JOBS}}}[$__rate_interval])))"
    )
}

fn requests() -> [Shown; 6] {
    [
        (
            "Reviews",
            "Requests for conversions, by result",
            "reqps",
            vec![(rate("result", names::REVIEWS), "{{result}}")],
        ),
        (
            "Time for a review",
            "The API server gives up after 30 seconds",
            "s",
            vec![(quantile("0.5"), "half are faster"), (quantile("0.99"), "99 of 100 are faster")],
        ),
        (
            "Objects",
            "Converted and failed objects, by versions",
            "ops",
            vec![(
                rate("kind, from, to, result", names::OBJECTS),
                "{{kind}} {{from}} to {{to}}, {{result}}",
            )],
        ),
        (
            "Requests and connections",
            "Requests in progress, and open connections",
            "short",
            vec![
                (now(names::UNDER_WAY), "requests of {{job}}"),
                (now(names::CONNECTIONS), "connections of {{job}}"),
            ],
        ),
        (
            "Dropped connections",
            "Connections of clients that took too long, or failed to agree on TLS",
            "ops",
            vec![(rate("reason", names::DROPPED), "{{reason}}")],
        ),
        (
            "Converters that don't return",
            "Conversions that still run although their request has timed out",
            "short",
            vec![(now(names::OVERDUE), "{{job}}")],
        ),
    ]
}

fn values() -> [Shown; 4] {
    [
        (
            "Kept values",
            "Bytes of annotations written for values that a version can't express",
            "Bps",
            vec![(rate("job", names::KEPT_BYTES), "{{job}}")],
        ),
        (
            "Nearly full objects",
            "Objects whose kept values take more than half of the room for annotations",
            "ops",
            vec![(rate("job", names::NEARLY_FULL), "{{job}}")],
        ),
        (
            "Entries that weren't restored",
            "Entries in annotations that were dropped or ignored, by reason",
            "ops",
            vec![(rate("reason", names::ENTRIES), "{{reason}}")],
        ),
        (
            "Fallbacks",
            "Values shown in place of values that a converter refused",
            "ops",
            vec![(rate("job", names::FALLBACKS), "{{job}}")],
        ),
    ]
}

fn certificates() -> [Shown; 2] {
    let expiry = seconds(names::CERTIFICATE_EXPIRY);
    let left = format!("min by (job) ({expiry}{{{JOBS}}} > 0) - time()");
    [
        (
            "Time until the certificate expires",
            "Of the replica whose certificate expires first",
            "s",
            vec![(left, "{{job}}")],
        ),
        (
            "Changes of the certificate",
            "New certificates, by result",
            "ops",
            vec![(rate("result", names::RELOADS), "{{result}}")],
        ),
    ]
}
