//! Bytes of a review to bytes of its answer, beside `serde_json::Value`.

use std::hint::black_box;

use crd_conv::{Resource, Reviewer};
use crd_conv_tests::reviews::{CronTab, by_hand, many, many_with_complement, small};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;

fn reviews(criterion: &mut Criterion) {
    let reviewer = Reviewer::new([Resource::of::<CronTab>()]);
    for (name, request) in [("one small object", small()), ("500 objects of 3 KB", many())] {
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
    let mut group = criterion.benchmark_group("500 objects of 3 KB with a complement");
    let request = many_with_complement();
    group.throughput(Throughput::Bytes(request.len() as u64));
    group.bench_function("crd-conv", |bencher| {
        bencher.iter(|| reviewer.review(black_box(request.as_bytes())).expect("an answer"));
    });
}

criterion_group!(benches, reviews);
criterion_main!(benches);
