//! What this project says of schemas, definitions, objects and policies, and what the API server's own code says of them.
//!
//! `PROPTEST_CASES` says how many are compared.

mod definitions;
mod drawn;
mod objects;
mod policies;
mod random;
mod rules;
mod steps;
mod yaml;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crd_conv_verdict::Verdict;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};

const CASES: u32 = 5_000;

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

/// Each test has the program for itself. It is built once.
fn start() -> RefCell<Verdict> {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        Verdict::build(Path::new(env!("CARGO_TARGET_TMPDIR"))).expect("the Go program")
    });
    RefCell::new(Verdict::start(&PROGRAM).expect("it starts"))
}

fn run<S: Strategy>(
    cases: u32,
    max_shrink_iters: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> TestCaseResult,
) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters,
        ..ProptestConfig::default()
    };
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{failure}");
    }
}
