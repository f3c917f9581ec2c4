//! The metrics for Prometheus.
//!
//! The values of all labels come from the author's definitions and from lists in this crate, so a
//! client can't add new ones.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::outcome::Outcome;
use crate::{ConversionError, Refusal, Reviewed, Share, UnrestoredReason};

/// The label for an object of an unknown kind or version.
const OTHER: &str = "other";

/// What all names start with.
pub(super) const PREFIX: &str = "crd_conv";

/// Names without the prefix, and without the unit and the `_total` that the text format appends.
pub(super) mod names {
    pub(in crate::server) const REVIEWS: &str = "reviews";
    pub(in crate::server) const OBJECTS: &str = "objects";
    pub(in crate::server) const DURATION: &str = "review_duration";
    pub(in crate::server) const KEPT_BYTES: &str = "kept_bytes";
    pub(in crate::server) const NEARLY_FULL: &str = "nearly_full_objects";
    pub(in crate::server) const ENTRIES: &str = "entries_not_restored";
    pub(in crate::server) const FALLBACKS: &str = "fallbacks";
    pub(in crate::server) const UNDER_WAY: &str = "requests_under_way";
    pub(in crate::server) const OVERDUE: &str = "overdue_conversions";
    pub(in crate::server) const CONNECTIONS: &str = "connections";
    pub(in crate::server) const DROPPED: &str = "dropped_connections";
    pub(in crate::server) const CERTIFICATE_EXPIRY: &str = "certificate_expiry_timestamp";
    pub(in crate::server) const RELOADS: &str = "certificate_reloads";
}

/// The values of the label `result` of changes of the certificate.
pub(super) const LOADED: &str = "loaded";
pub(super) const REFUSED: &str = "refused";

/// The bounds of the buckets, in seconds. The API server expects a review to take 50 ms, and 8 ms
/// more for each object.
const BUCKETS: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 25.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByResult {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByReason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfObjects {
    group: &'static str,
    kind: &'static str,
    from: &'static str,
    to: &'static str,
    result: &'static str,
}

#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    reviews: Family<ByResult, Counter>,
    objects: Family<OfObjects, Counter>,
    duration: Histogram,
    kept_bytes: Counter,
    nearly_full: Counter,
    entries: Family<ByReason, Counter>,
    fallbacks: Counter,
    pub(super) under_way: Gauge,
    pub(super) overdue: Gauge,
    pub(super) connections: Gauge,
    dropped: Family<ByReason, Counter>,
    certificate_expiry: Gauge<f64, AtomicU64>,
    reloads: Family<ByResult, Counter>,
}

/// The reason why a connection was dropped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dropped {
    /// The TLS handshake failed, or took too long.
    Handshake,
    /// The head of a request took too long.
    Head,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        let this = Self {
            reviews: Family::default(),
            objects: Family::default(),
            duration: Histogram::new(BUCKETS),
            kept_bytes: Counter::default(),
            nearly_full: Counter::default(),
            entries: Family::default(),
            fallbacks: Counter::default(),
            under_way: Gauge::default(),
            overdue: Gauge::default(),
            connections: Gauge::default(),
            dropped: Family::default(),
            certificate_expiry: Gauge::default(),
            reloads: Family::default(),
            registry: Registry::default(),
        };
        for result in Outcome::RESULTS {
            let _ = this.reviews.get_or_create(&ByResult { result });
        }
        for reason in UnrestoredReason::ALL {
            let _ = this.entries.get_or_create(&ByReason { reason: label(reason) });
        }
        // Prometheus doesn't see that a series appears, only that it grows.
        for result in [LOADED, REFUSED] {
            let _ = this.reloads.get_or_create(&ByResult { result });
        }
        let mut add = |name: &str, help: &str, metric: &dyn Registered| {
            metric.register(&mut registry, name, help);
        };
        add(names::REVIEWS, "Requests for conversions, by result", &this.reviews);
        add(
            names::OBJECTS,
            "Objects, by versions and result; for a failed review, only the object that made it fail",
            &this.objects,
        );
        add(names::KEPT_BYTES, "Bytes of annotations written for kept values", &this.kept_bytes);
        add(
            names::NEARLY_FULL,
            "Objects whose kept values take more than half of the room for annotations",
            &this.nearly_full,
        );
        add(
            names::ENTRIES,
            "Entries that were dropped or ignored, or didn't fit, by reason",
            &this.entries,
        );
        add(
            names::FALLBACKS,
            "Values shown in place of values that a converter refused",
            &this.fallbacks,
        );
        add(names::UNDER_WAY, "Requests that aren't answered yet", &this.under_way);
        add(
            names::OVERDUE,
            "Conversions that still run after their request timed out",
            &this.overdue,
        );
        add(names::CONNECTIONS, "Open connections", &this.connections);
        add(names::DROPPED, "Connections dropped because of the client", &this.dropped);
        add(names::RELOADS, "Changes of the certificate, by result", &this.reloads);
        registry.register_with_unit(
            names::DURATION,
            "Time from the head of a request to the answer",
            Unit::Seconds,
            this.duration.clone(),
        );
        registry.register_with_unit(
            names::CERTIFICATE_EXPIRY,
            "Time when the certificate expires, since 1970",
            Unit::Seconds,
            this.certificate_expiry.clone(),
        );
        Self { registry, ..this }
    }

    /// Writes the metrics in the text format, without the mark at the end.
    pub(super) fn encode(&self, out: &mut impl fmt::Write) -> fmt::Result {
        text::encode_registry(out, &self.registry)
    }

    pub(super) fn count(&self, outcome: &Outcome, duration: Duration) {
        self.reviews.get_or_create(&ByResult { result: outcome.result() }).inc();
        self.duration.observe(duration.as_secs_f64());
        let Outcome::Reviewed(reviewed) = outcome else { return };
        let Reviewed { refusal, unrestored, kept_bytes, nearly_full, fallbacks, .. } = reviewed;
        for Share { definition, from, to, count } in
            reviewed.objects().filter(|_| reviewed.failure.is_none())
        {
            let (group, kind) = (definition.group, definition.kind);
            let labels = OfObjects { group, kind, from, to, result: "converted" };
            self.objects.get_or_create(&labels).inc_by(count);
        }
        if let Some(refusal) = refusal {
            self.objects.get_or_create(&of_refused(refusal)).inc();
        }
        if *kept_bytes > 0 {
            self.kept_bytes.inc_by(*kept_bytes);
        }
        if *nearly_full > 0 {
            self.nearly_full.inc_by(*nearly_full);
        }
        if *fallbacks > 0 {
            self.fallbacks.inc_by(u64::from(*fallbacks));
        }
        for (reason, count) in unrestored.iter() {
            self.entries
                .get_or_create(&ByReason { reason: label(reason) })
                .inc_by(u64::from(count));
        }
    }

    pub(super) fn count_dropped(&self, why: Dropped) {
        let reason = match why {
            Dropped::Handshake => "handshake",
            Dropped::Head => "head",
        };
        self.dropped.get_or_create(&ByReason { reason }).inc();
    }

    /// Counts a new certificate. `expiry` is `None` if it can't be used.
    pub(super) fn count_reload(&self, expiry: Option<SystemTime>) {
        let result = if expiry.is_some() { LOADED } else { REFUSED };
        self.reloads.get_or_create(&ByResult { result }).inc();
        if let Some(expiry) = expiry {
            self.expires(expiry);
        }
    }

    pub(super) fn expires(&self, expiry: SystemTime) {
        let since = expiry.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        self.certificate_expiry.set(since.as_secs_f64());
    }
}

/// Counts one more until it is dropped, even if the client disconnects before the end.
pub(super) struct Counted<'a>(&'a Gauge);

impl<'a> Counted<'a> {
    pub(super) fn new(gauge: &'a Gauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn of_refused(Refusal { definition, error, .. }: &Refusal) -> OfObjects {
    let (from, to) = match error {
        ConversionError::Field(error) => (error.from, error.to),
        ConversionError::Oversized(error) => (error.from, error.to),
        _ => (OTHER, OTHER),
    };
    let (group, kind) = definition.map_or((OTHER, OTHER), |known| (known.group, known.kind));
    OfObjects { group, kind, from, to, result: "failed" }
}

pub(super) fn label(reason: UnrestoredReason) -> &'static str {
    match reason {
        UnrestoredReason::Edited => "edited",
        UnrestoredReason::AnchorGone => "anchor_gone",
        UnrestoredReason::AtHome => "at_home",
        UnrestoredReason::Malformed => "malformed",
        UnrestoredReason::Mistyped => "mistyped",
        UnrestoredReason::Superseded => "superseded",
        UnrestoredReason::Ignored => "ignored",
        UnrestoredReason::DuplicateKey => "duplicate_key",
        UnrestoredReason::Oversized => "oversized",
    }
}

/// A metric. Its clones share its value.
trait Registered {
    fn register(&self, registry: &mut Registry, name: &str, help: &str);
}

impl<M: prometheus_client::registry::Metric + Clone> Registered for M {
    fn register(&self, registry: &mut Registry, name: &str, help: &str) {
        registry.register(name, help, self.clone());
    }
}
