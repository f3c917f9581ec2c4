//! `roundtrip`.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use super::{args::RoundtripArgs, choice::chosen, output::Output, table::Table};
use crate::Resource;
use crate::testing::{Broken, ConverterUse, Law, Pair, REMEDY, Trial, Verdict};

/// How many cases one thread takes at a time.
const CHUNK: u32 = 200;

pub(super) fn run(
    resources: &[Resource],
    args: &RoundtripArgs,
    bar_is_wanted: bool,
) -> Result<Output, String> {
    let mut output = Output::default();
    for resource in chosen(resources, args.resource.as_deref())? {
        let trial = Trial::of(resource).map_err(|errors| errors.to_string())?;
        let trial = trial.cases(args.cases).seed(args.seed);
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
        let bar = if bar_is_wanted { bar(&cells, args.cases) } else { ProgressBar::hidden() };
        let outcomes = try_all(&trial, &cells, args.cases, &bar);
        bar.finish_and_clear();
        if !output.stdout.is_empty() {
            output.stdout.push('\n');
        }
        let mut converters = trial.converters();
        converters.retain(|converter| cells.iter().any(|cell| cell.pair == converter.pair));
        output.stdout += &summary(resource, args, &cells, &outcomes);
        output.stdout += &taken(&converters);
        for idle in converters.iter().filter(|converter| converter.refuses_all()) {
            output.code = 1;
            let kind = resource.definition().kind;
            // Writing to a string can't fail.
            let _ = writeln!(output.stderr, "error: {kind}: {idle}; {REMEDY}");
        }
        let first = cells.iter().zip(&outcomes).find_map(|(cell, outcome)| {
            outcome.err().map(|case| trial.smallest(cell.law, cell.pair, case))
        });
        if let Some(broken) = first {
            output.code = 1;
            output.stdout += &counterexample(resource, args, &broken);
            let kind = resource.definition().kind;
            let Broken { law, pair, .. } = broken;
            // Writing to a string can't fail.
            let _ =
                writeln!(output.stderr, "error: {kind}: the law \"{law}\" is broken from {pair}");
        }
    }
    Ok(output)
}

/// One law for one pair of versions.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    law: Law,
    pair: Pair,
}

/// What came of a cell: what was seen, or the place of the first case that breaks the law.
type Outcome = Result<Verdict, u32>;

fn cells(
    trial: &Trial<'_>,
    resource: &Resource,
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
        return Err("the law says something of neighbouring versions alone".to_owned());
    }
    Ok(cells)
}

fn bar(cells: &[Cell], cases: u32) -> ProgressBar {
    let bar = ProgressBar::new(cells.len() as u64 * u64::from(cases));
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3}% {msg} ({eta} left)");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Tries every cell, on all cores. The outcomes don't depend on how many there are.
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
                    // Only a case before the one that is known to break the law matters.
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

fn summary(
    resource: &Resource,
    args: &RoundtripArgs,
    cells: &[Cell],
    outcomes: &[Outcome],
) -> String {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut laws: Vec<Law> = Vec::new();
    for cell in cells {
        if !pairs.contains(&cell.pair) {
            pairs.push(cell.pair);
        }
        if !laws.contains(&cell.law) {
            laws.push(cell.law);
        }
    }
    let mut seen = Table::default();
    seen.push(["", "versions", "objects", "refused", "kept something", "dropped something"]);
    for (place, pair) in (1..).zip(&pairs) {
        let mut total = Verdict::default();
        for (cell, outcome) in cells.iter().zip(outcomes) {
            if cell.pair == *pair {
                total += outcome.unwrap_or_default();
            }
        }
        let Verdict { cases, refused, kept, dropped } = total;
        let counts = [cases, refused, kept, dropped].map(|count| count.to_string());
        seen.push([place.to_string(), pair.to_string()].into_iter().chain(counts));
    }
    let mut verdicts = Table::default();
    let titles = (1..=pairs.len()).map(|place| place.to_string());
    verdicts.push(std::iter::once("law".to_owned()).chain(titles));
    for law in laws {
        let verdict = |pair: &Pair| {
            let cell = Cell { law, pair: *pair };
            match cells.iter().position(|known| *known == cell).map(|place| outcomes[place]) {
                Some(Ok(_)) => "holds",
                Some(Err(_)) => "BROKEN",
                None => "",
            }
        };
        verdicts.push(std::iter::once(law.name()).chain(pairs.iter().map(verdict)));
    }
    let definition = resource.definition();
    let mut text = format!(
        "{} in {}: {} objects for each law and pair of versions, seed {}\n\n",
        definition.kind, definition.group, args.cases, args.seed
    );
    let lines = seen.lines().into_iter().chain([String::new()]).chain(verdicts.lines());
    for line in lines {
        text += &line;
        text.push('\n');
    }
    text
}

/// How many of the values that were drawn for it each converter takes.
fn taken(converters: &[ConverterUse]) -> String {
    if converters.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    table.push(["converter", "field", "versions", "values", "refused"]);
    for ConverterUse { pair, field, converter, taken, refused, .. } in converters {
        let counts = [taken + refused, *refused].map(|count| count.to_string());
        let texts = [(*converter).to_owned(), field.clone(), pair.to_string()];
        table.push(texts.into_iter().chain(counts));
    }
    table.lines().into_iter().fold("\n".to_owned(), |text, line| text + &line + "\n")
}

fn counterexample(resource: &Resource, args: &RoundtripArgs, broken: &Broken) -> String {
    let mut text = format!("\n{broken}\n\nTo see it again:\n  roundtrip");
    if args.resource.is_some() {
        let _ = write!(text, " --resource {}", resource.definition().plural);
    }
    let Broken { law, pair, seed, case, .. } = broken;
    let _ = writeln!(
        text,
        " --law {} --from {} --to {} --seed {seed} --cases {}",
        law.name().replace(' ', "-"),
        pair.from,
        pair.to,
        case + 1
    );
    text
}
