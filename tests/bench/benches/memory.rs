//! What a review allocates, and how much memory it takes at most. The run fails if that exceeds a limit: the numbers are the
//! same on every machine.

use std::process::ExitCode;

use crd_conv::{ResourceType, Reviewer};
use crd_conv_bench::chain::{self, Pool};
use crd_conv_bench::growth::{self, Shelf};
use crd_conv_bench::reviews::{CronTab, many, many_with_complement, small};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

struct Case {
    name: &'static str,
    request: String,
    resource: ResourceType,
    /// How many objects the request has.
    objects: u32,
    /// How many allocations each of them may take.
    allocations: f64,
    /// How many bytes may be allocated at a time, beside the request: so many times its length.
    peak: f64,
}

impl Case {
    fn new(
        (name, request, objects): (&'static str, String, u32),
        resource: fn() -> ResourceType,
        [allocations, peak]: [f64; 2],
    ) -> Self {
        Self { name, request, resource: resource(), objects, allocations, peak }
    }
}

fn main() -> ExitCode {
    let crontab = ResourceType::of::<CronTab>;
    let pool = ResourceType::of::<Pool>;
    let shelf = ResourceType::of::<Shelf>;
    let cases = [
        // Its converter and the check of the way back take 8 of them.
        Case::new(("small", small(), 1), crontab, [12.0, 1.4]),
        Case::new(("small, renamed", chain::small("v2"), 1), pool, [3.0, 1.1]),
        Case::new(("many", many(), 500), crontab, [11.0, 1.1]),
        Case::new(("complement", many_with_complement(), 500), crontab, [22.0, 1.1]),
        Case::new(("large", chain::large("v2"), 100), pool, [4.0, 1.1]),
        Case::new(("four hops", chain::large("v5"), 100), pool, [4.0, 1.1]),
        Case::new(("in turn", chain::large_in_turn("v5"), 100), pool, [12.0, 1.1]),
        // One object, of which a value of each of 1,000 items is kept.
        Case::new(("entries", growth::keyed_entries(1_000), 1), shelf, [10_000.0, 26.0]),
    ];
    let mut good = true;
    println!("{:<16} {:>12} {:>9} {:>9}", "body", "allocations", "each", "peak");
    for Case { name, request, resource, objects, allocations, peak } in cases {
        let reviewer = Reviewer::new([resource]);
        let review = || reviewer.review(request.as_bytes()).expect("an answer");
        // What a thread keeps for the next request is allocated once.
        assert!(review().failure.is_none(), "{name}");
        let profiler = dhat::Profiler::builder().testing().build();
        let answer = review();
        let stats = dhat::HeapStats::get();
        drop(profiler);
        drop(answer);
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let [each, most] = [
            stats.total_blocks as f64 / f64::from(objects),
            stats.max_bytes as f64 / request.len() as f64,
        ];
        println!("{name:<16} {:>12} {each:>9.2} {most:>9.3}", stats.total_blocks);
        good &= each <= allocations && most <= peak;
    }
    if good {
        return ExitCode::SUCCESS;
    }
    println!("a number exceeds its limit: a change made conversions take more memory");
    ExitCode::FAILURE
}
