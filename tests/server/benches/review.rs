//! Bytes of a review to bytes of its answer, beside `serde_json::Value`.

use std::hint::black_box;

use crd_conv::{ResourceType, Reviewer};
use crd_conv_bench::chain::{self, Pool};
use crd_conv_bench::reviews::{CronTab, by_hand, many, many_with_complement, small};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;

/// Converts a request, in turn with the same by hand, and with parsing alone.
fn beside(
    criterion: &mut Criterion,
    (name, request): (&str, String),
    resource: ResourceType,
    by_hand: fn(&[u8]) -> Vec<u8>,
) {
    let reviewer = Reviewer::new([resource]);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(request.len() as u64));
    group.bench_function("crd-conv", |bencher| {
        bencher.iter(|| reviewer.review(black_box(request.as_bytes())).expect("an answer"));
    });
    group.bench_function("serde_json::Value", |bencher| {
        bencher.iter(|| by_hand(black_box(request.as_bytes())));
    });
    group.bench_function("parse only (IgnoredAny)", |bencher| {
        bencher.iter(|| {
            serde_json::from_slice::<IgnoredAny>(black_box(request.as_bytes())).expect("JSON")
        });
    });
}

fn reviews(criterion: &mut Criterion) {
    let crontab = ResourceType::of::<CronTab>;
    beside(criterion, ("S: one object of 0.8 KB", small()), crontab(), by_hand);
    beside(criterion, ("M: 500 objects of 3 KB", many()), crontab(), by_hand);
    let complement = ("M with a complement", many_with_complement());
    beside(criterion, complement, crontab(), by_hand);
    let pool = ResourceType::of::<Pool>;
    let hop = ("L: 100 objects of 56 KB, one hop", chain::large("v2"));
    beside(criterion, hop, pool(), chain::by_hand);
    beside(criterion, ("L, four hops", chain::large("v5")), pool(), chain::by_hand);
}

criterion_group!(benches, reviews);
criterion_main!(benches);
