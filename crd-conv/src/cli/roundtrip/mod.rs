//! The command `roundtrip`.

mod report;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    args::{ReportFormat, RoundtripArgs},
    choice::chosen,
    output::Output,
};
use crate::ResourceType;
use crate::testing::{Broken, ConverterUse, Example, Law, Pair, Trial, Verdict};
use report::Tried;

/// How many cases one thread takes at a time.
const CHUNK: u32 = 200;

pub(super) fn run(
    resources: &[ResourceType],
    args: &RoundtripArgs,
    bar_is_wanted: bool,
) -> Result<Output, String> {
    let mut output = Output::default();
    let mut all = Vec::new();
    for resource in chosen(resources, args.resource.as_deref())? {
        let trial = Trial::of(resource).map_err(|errors| errors.to_string())?;
        let trial = trial.cases(args.cases).seed(args.seed);
        let examples = args.examples.iter().cloned().map(Example::from);
        let trial = trial.examples(examples).map_err(|error| error.to_string())?;
        let cells = match cells(&trial, resource, args) {
            Ok(cells) => cells,
            Err(message) => {
                return Ok(Output {
                    code: 2,
                    stderr: format!("error: {message}\n"),
                    ..Output::default()
                });
            }
        };
        let cases = trial.count();
        let bar = if bar_is_wanted { bar(&cells, cases) } else { ProgressBar::hidden() };
        let outcomes = try_all(&trial, &cells, cases, &bar);
        bar.finish_and_clear();
        let mut converters = trial.converters();
        converters.retain(|converter| cells.iter().any(|cell| cell.pair == converter.pair));
        let kind = resource.definition().kind;
        let of_total = |used: &&ConverterUse| used.breaks_total();
        if cells.iter().any(|cell| cell.law == Law::Total) {
            for used in converters.iter().filter(of_total) {
                // Writing to a string can't fail.
                let _ = writeln!(output.stderr, "error: {kind}: {used}");
            }
        }
        let broken = cells.iter().zip(&outcomes).find_map(|(cell, outcome)| {
            outcome.err().map(|case| trial.smallest(cell.law, cell.pair, case))
        });
        if let Some(Broken { law, pair, .. }) = &broken {
            let _ =
                writeln!(output.stderr, "error: {kind}: the law \"{law}\" is broken from {pair}");
        }
        all.push(Tried { resource, args, cells, outcomes, converters, broken });
    }
    output.code = u8::from(!output.stderr.is_empty());
    output.stdout = match args.format {
        ReportFormat::Text => all.iter().map(Tried::text).collect::<Vec<_>>().join("\n"),
        ReportFormat::Json => {
            let all: Vec<_> = all.iter().map(Tried::for_programs).collect();
            serde_json::to_string_pretty(&all).map_err(|error| error.to_string())? + "\n"
        }
    };
    Ok(output)
}

/// One law for one pair of versions.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    law: Law,
    pair: Pair,
}

/// The outcome of a cell: the verdict, or the number of the first case that breaks the law.
type Outcome = Result<Verdict, u32>;

fn cells(
    trial: &Trial<'_>,
    resource: &ResourceType,
    args: &RoundtripArgs,
) -> Result<Vec<Cell>, String> {
    let versions = resource.definition().versions;
    for wanted in args.from.iter().chain(&args.to) {
        if versions.iter().all(|version| version.name != wanted) {
            let names: Vec<_> = versions.iter().map(|version| version.name).collect();
            let kind = resource.definition().kind;
            return Err(format!("{kind} has no version `{wanted}`; it has {}", names.join(", ")));
        }
    }
    let wants =
        |wanted: &Option<String>, version| wanted.as_ref().is_none_or(|wanted| wanted == version);
    let laws = Law::ALL.into_iter().filter(|law| args.laws.is_empty() || args.laws.contains(law));
    let cells: Vec<Cell> = laws
        .flat_map(|law| trial.pairs(law).into_iter().map(move |pair| Cell { law, pair }))
        .filter(|cell| wants(&args.from, cell.pair.from) && wants(&args.to, cell.pair.to))
        .collect();
    if cells.is_empty() {
        return Err("the law applies only to neighboring versions".to_owned());
    }
    Ok(cells)
}

fn bar(cells: &[Cell], cases: u32) -> ProgressBar {
    let bar = ProgressBar::new(cells.len() as u64 * u64::from(cases));
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3}% {msg} ({eta} left)");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Tries every cell, on all cores. The outcomes don't depend on the number of cores.
fn try_all(trial: &Trial<'_>, cells: &[Cell], cases: u32, bar: &ProgressBar) -> Vec<Outcome> {
    let chunks = cases.div_ceil(CHUNK) as usize;
    let chunk_at = |place: usize| -> Option<(usize, Range<u32>)> {
        let cell = place.checked_div(chunks)?;
        let start = u32::try_from(place % chunks).ok()? * CHUNK;
        (cell < cells.len()).then(|| (cell, start..cases.min(start.saturating_add(CHUNK))))
    };
    let next = AtomicUsize::new(0);
    let broken: Vec<AtomicU32> = cells.iter().map(|_| AtomicU32::new(u32::MAX)).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut outcomes: Vec<Outcome> = cells.iter().map(|_| Ok(Verdict::default())).collect();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, broken) = (sender.clone(), &next, &broken);
            scope.spawn(move || {
                while let Some((cell, cases)) = chunk_at(next.fetch_add(1, Ordering::Relaxed)) {
                    let Cell { law, pair } = cells[cell];
                    // Only a case before the first known failure can change the outcome.
                    let is_behind = broken[cell].load(Ordering::Relaxed) < cases.start;
                    let count = cases.end - cases.start;
                    let outcome = if is_behind {
                        Ok(Verdict::default())
                    } else {
                        trial.run_cases(law, pair, cases)
                    };
                    if let Err(case) = outcome {
                        broken[cell].fetch_min(case, Ordering::Relaxed);
                    }
                    if sender.send((cell, outcome, count)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (cell, outcome, count) in receiver {
            let Cell { law, pair } = cells[cell];
            bar.set_message(format!("{law}, {pair}"));
            bar.inc(count.into());
            let known = &mut outcomes[cell];
            *known = match (*known, outcome) {
                (Ok(mut known), Ok(more)) => {
                    known += more;
                    Ok(known)
                }
                (Err(known), Err(other)) => Err(known.min(other)),
                (Err(case), _) | (_, Err(case)) => Err(case),
            };
        }
    });
    outcomes
}
