//! Alerts, as Prometheus reads them.
//!
//! Source: <https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/>

use serde::Serialize;

use super::{buckets, counter, gauge, seconds, written};
use crate::UnrestoredReason;
use crate::server::metrics::{REFUSED, label, names};

/// Whose the series are.
const BY: &str = "sum by (namespace, job)";

const WHO: &str = "{{ $labels.job }} in {{ $labels.namespace }}";

const HOW_TO_START: &str = "Start the webhook, and delete no object: each is complete in etcd, and can be read again when the webhook answers.";

#[derive(Serialize)]
struct File {
    groups: [Group; 1],
}

#[derive(Serialize)]
struct Group {
    name: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct Rule {
    alert: &'static str,
    expr: String,
    #[serde(rename = "for")]
    lasts: &'static str,
    labels: Labels,
    annotations: Annotations,
}

#[derive(Serialize)]
struct Labels {
    severity: &'static str,
}

#[derive(Serialize)]
struct Annotations {
    summary: &'static str,
    description: String,
}

/// Returns alerts for Prometheus as the JSON of a rule file, which is also YAML.
///
/// They are about failing, refused and slow reviews, certificates that expire or can't be used,
/// converters that don't return, kept values that weren't restored, and objects that have little
/// room left for kept values. They apply to all programs with these metrics.
///
/// ```
/// let alerts = crd_conv::server::alerts();
/// assert!(alerts.contains(r#""alert": "CrdConvReviewsFail""#));
/// ```
pub fn alerts() -> String {
    written(&File { groups: [Group { name: "crd-conv", rules: rules() }] })
}

fn rules() -> Vec<Rule> {
    let reviews = counter(names::REVIEWS);
    let duration = buckets(names::DURATION);
    let expiry = seconds(names::CERTIFICATE_EXPIRY);
    let reloads = counter(names::RELOADS);
    let overdue = gauge(names::OVERDUE);
    let entries = counter(names::ENTRIES);
    let nearly_full = counter(names::NEARLY_FULL);
    // The other reasons are nothing to act on: a client has changed or removed what an entry belongs to.
    let wrong = [
        UnrestoredReason::Malformed,
        UnrestoredReason::Mistyped,
        UnrestoredReason::Ignored,
        UnrestoredReason::DuplicateKey,
    ];
    let wrong = wrong.map(label).join("|");
    let oversized = label(UnrestoredReason::Oversized);
    vec![
        rule(
            "CrdConvReviewsFail",
            format!(r#"{BY} (increase({reviews}{{result="failed"}}[5m])) > 0"#),
            ("10m", "critical"),
            "Objects can't be converted",
            "can't convert an object. Every list that contains it fails at that version. The log names the object and the reason.",
        ),
        rule(
            "CrdConvReviewsRefused",
            format!(
                r#"{BY} (increase({reviews}{{result=~"too_large|too_slow|overloaded|timed_out|panicked"}}[5m])) > 0"#
            ),
            ("10m", "warning"),
            "Requests for conversions are refused",
            &format!("doesn't answer all reviews. The label `result` of `{reviews}` says why."),
        ),
        rule(
            "CrdConvReviewsSlow",
            format!(
                "histogram_quantile(0.99, sum by (namespace, job, le) (rate({duration}[5m]))) > 1"
            ),
            ("15m", "warning"),
            "Conversions are slow",
            "takes more than a second for one in a hundred reviews. The API server gives up after 30 seconds, and its clients wait meanwhile.",
        ),
        rule(
            "CrdConvCertificateExpires",
            format!("min by (namespace, job) ({expiry} > 0) - time() < 7 * 24 * 3600"),
            ("10m", "critical"),
            "The certificate of conversions expires",
            &format!(
                "has a certificate that expires in {{{{ $value | humanizeDuration }}}}. Then all conversions fail. {HOW_TO_START}"
            ),
        ),
        rule(
            "CrdConvCertificateRefused",
            format!(r#"{BY} (increase({reloads}{{result="{REFUSED}"}}[30m])) > 0"#),
            ("0m", "warning"),
            "A new certificate can't be used",
            "keeps its previous certificate. The log says what is wrong with the new one.",
        ),
        rule(
            "CrdConvConverterStuck",
            format!("{BY} ({overdue}) > 0"),
            ("5m", "warning"),
            "A converter doesn't return",
            "has conversions that still run after their requests have timed out. Each takes a thread until the process ends.",
        ),
        rule(
            "CrdConvEntriesNotRestored",
            format!(
                r#"sum by (namespace, job, reason) (increase({entries}{{reason=~"{wrong}"}}[1h])) > 0"#
            ),
            ("0m", "warning"),
            "Kept values weren't restored",
            "found annotations of conversions that it can't use ({{ $labels.reason }}). A client may have written them, or a newer release.",
        ),
        rule(
            "CrdConvValuesDidNotFit",
            format!(r#"{BY} (increase({entries}{{reason="{oversized}"}}[1h])) > 0"#),
            ("0m", "warning"),
            "Objects have no room for kept values",
            "showed objects without some of their kept values, because their annotations are full. Such objects can be written only in the version that their label names.",
        ),
        rule(
            "CrdConvAnnotationsNearlyFull",
            format!("{BY} (increase({nearly_full}[1h])) > 0"),
            ("0m", "warning"),
            "Annotations are nearly full",
            "converts objects whose kept values take more than half of the 256 KiB for annotations. When there is no room, writes in that version fail.",
        ),
    ]
}

fn rule(
    alert: &'static str,
    expr: String,
    (lasts, severity): (&'static str, &'static str),
    summary: &'static str,
    what: &str,
) -> Rule {
    let description = format!("{WHO} {what}");
    let (labels, annotations) = (Labels { severity }, Annotations { summary, description });
    Rule { alert, expr, lasts, labels, annotations }
}
