//! How many instructions a conversion takes, as a share of what the same takes by hand on `serde_json::Value`.
//!
//! Valgrind counts them, so the number doesn't depend on the machine's speed or load, and the share hardly depends
//! on the compiler. The same counts say how the cost grows with what an object has. The run fails if a share or a growth
//! exceeds its limit.

use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};

use crd_conv::{ResourceType, Reviewer};
use crd_conv_bench::chain::{self, Pool};
use crd_conv_bench::growth::{self, Shelf};
use crd_conv_bench::hostile::{ATTACKS, Attack, Attic};
use crd_conv_bench::moved;
use crd_conv_bench::reviews::{CronTab, by_hand, many, many_with_complement, small};
use crd_conv_bench::typed;

struct Case {
    name: &'static str,
    work: Work,
    /// How often it is converted.
    times: u32,
    /// The largest share of the instructions by hand.
    limit: f64,
}

#[derive(Clone, Copy)]
enum Work {
    /// A review.
    Review {
        request: fn() -> String,
        resource: fn() -> ResourceType,
        by_hand: fn(&[u8]) -> Vec<u8>,
    },
    /// A Rust value.
    Typed { ours: fn(), by_hand: fn() },
}

impl Case {
    const fn crontab(name: &'static str, request: fn() -> String, times: u32, limit: f64) -> Self {
        let work = Work::Review { request, resource: ResourceType::of::<CronTab>, by_hand };
        Self { name, work, times, limit }
    }

    const fn pool(name: &'static str, request: fn() -> String, limit: f64) -> Self {
        let by_hand = chain::by_hand;
        let work = Work::Review { request, resource: ResourceType::of::<Pool>, by_hand };
        Self { name, work, times: 2, limit }
    }

    /// The other way isn't by hand: it is the same change without the move.
    const fn moved(name: &'static str, limit: f64) -> Self {
        let work = Work::Review {
            request: moved::machines,
            resource: ResourceType::of::<moved::elsewhere::Machine>,
            by_hand: moved::in_place,
        };
        Self { name, work, times: 20, limit }
    }

    const fn typed(name: &'static str, ours: fn(), by_hand: fn(), limit: f64) -> Self {
        Self { name, work: Work::Typed { ours, by_hand }, times: 400, limit }
    }
}

const CASES: [Case; 9] = [
    Case::crontab("small", small, 400, 0.25),
    Case::crontab("many", many, 4, 0.13),
    Case::crontab("complement", many_with_complement, 4, 0.16),
    Case::pool("large", || chain::large("v2"), 0.3),
    Case::pool("four hops", || chain::large("v5"), 0.3),
    Case::pool("in turn", || chain::large_in_turn("v5"), 1.2),
    Case::moved("moved", 1.5),
    Case::typed("upgrade", typed::upgrade, typed::upgrade_by_hand, 4.5),
    Case::typed("downgrade", typed::downgrade, typed::downgrade_by_hand, 4.0),
];

/// What is made larger, from one size to another.
struct Growth {
    name: &'static str,
    request: fn(usize) -> String,
    sizes: [usize; 2],
}

impl Growth {
    const fn new(name: &'static str, request: fn(usize) -> String, sizes: [usize; 2]) -> Self {
        Self { name, request, sizes }
    }
}

const GROWTHS: [Growth; 6] = [
    Growth::new("objects", growth::objects, [50, 800]),
    Growth::new("items", growth::items, [100, 1_600]),
    Growth::new("depth", growth::depth, [50, 800]),
    Growth::new("rules", growth::rules, [8, 32]),
    Growth::new("entries in a list with keys", growth::keyed_entries, [100, 1_600]),
    Growth::new("entries in a list without", growth::plain_entries, [100, 1_600]),
];

/// The cost of `n` times as much is at most `n` to this power times as high.
const MAX_EXPONENT: f64 = 1.05;

/// The same where somebody wants it to be more. Sorting takes `n` times the logarithm of `n`, which is a little more.
const MAX_HOSTILE_EXPONENT: f64 = 1.1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, run, way, body, times] = &arguments[..]
        && run == "run"
    {
        return measured(way, body, times.parse().unwrap_or(0));
    }
    let mut good = true;
    println!("{:<12} {:>14} {:>14} {:>7} {:>7}", "body", "crd-conv", "by hand", "share", "limit");
    for Case { name, times, limit, .. } in CASES {
        let [ours, by_hand] = both(["crd-conv", "by hand"], |way| instructions(way, name, times));
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let share = ours as f64 / by_hand as f64;
        println!("{name:<12} {ours:>14} {by_hand:>14} {share:>7.3} {limit:>7.3}");
        good &= share <= limit;
    }
    println!("\n{:<32} {:>6} {:>12} {:>6} {:>12} {:>9}", "growth of", "", "", "", "", "exponent");
    let growths = GROWTHS.map(|Growth { name, sizes, .. }| (name, sizes, MAX_EXPONENT));
    let attacks = ATTACKS.map(|Attack { name, sizes, .. }| (name, sizes, MAX_HOSTILE_EXPONENT));
    for (name, sizes, limit) in growths.into_iter().chain(attacks) {
        let [small, large] = both(sizes, |size| instructions(&size.to_string(), name, 2));
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let exponent =
            (large as f64 / small as f64).ln() / (sizes[1] as f64 / sizes[0] as f64).ln();
        println!(
            "{name:<32} {:>6} {small:>12} {:>6} {large:>12} {exponent:>9.3}",
            sizes[0], sizes[1]
        );
        good &= exponent <= limit;
    }
    if good {
        return ExitCode::SUCCESS;
    }
    println!("a share or a growth exceeds its limit: a change made conversions slower");
    ExitCode::FAILURE
}

/// The part that Valgrind watches. The way is "crd-conv", "by hand", or a size.
fn measured(way: &str, body: &str, times: u32) -> ExitCode {
    let growths = GROWTHS.map(|Growth { name, request, .. }| (name, request));
    let attacks = ATTACKS.map(|Attack { name, request, .. }| (name, request));
    let mut large = growths.into_iter().chain(attacks);
    if let Some((_, request)) = large.find(|(name, _)| *name == body) {
        let request = request(way.parse().unwrap_or(0));
        let reviewer = Reviewer::new([ResourceType::of::<Shelf>(), ResourceType::of::<Attic>()]);
        for _ in 0..times {
            let answer = reviewer.review(black_box(request.as_bytes())).expect("an answer");
            assert!(black_box(answer).failure.is_none(), "{body}");
        }
        return ExitCode::SUCCESS;
    }
    let Some(case) = CASES.iter().find(|case| case.name == body) else {
        return ExitCode::FAILURE;
    };
    match case.work {
        Work::Review { request, resource, by_hand } => {
            let request = request();
            // Only for the way that needs it: what else was allocated and freed before decides how far `malloc` has to look.
            let reviewer = (way != "by hand").then(|| Reviewer::new([resource()]));
            for _ in 0..times {
                let request = black_box(request.as_bytes());
                match &reviewer {
                    None => drop(black_box(by_hand(request))),
                    Some(reviewer) => drop(black_box(reviewer.review(request).expect("an answer"))),
                }
            }
        }
        Work::Typed { ours, by_hand } => {
            let work = if way == "by hand" { by_hand } else { ours };
            // Once in any case: a hop is resolved when a process first needs it.
            work();
            (0..times).for_each(|_| black_box(work)());
        }
    }
    ExitCode::SUCCESS
}

/// Counts two runs at the same time: counts don't depend on what else the machine does.
fn both<T: Send>(two: [T; 2], count: impl Fn(T) -> u64 + Sync) -> [u64; 2] {
    let [first, second] = two;
    std::thread::scope(|scope| {
        let second = scope.spawn(|| count(second));
        [count(first), second.join().expect("the other count")]
    })
}

/// Instructions for one conversion: what a run with conversions takes more than one without.
fn instructions(way: &str, body: &str, times: u32) -> u64 {
    let program = std::env::current_exe().expect("this program's path");
    let count = |times: u32| -> u64 {
        let output = Command::new("valgrind")
            .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
            .arg(&program)
            .args(["run", way, body, &times.to_string()])
            .stdout(Stdio::null())
            .output()
            .expect("valgrind runs; it is in the package `valgrind` of most distributions");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{log}");
        let total = log.lines().find_map(|line| line.split_once("refs:")).expect("a total");
        total.1.trim().replace(',', "").parse().expect("a number")
    };
    (count(times) - count(0)) / u64::from(times)
}
