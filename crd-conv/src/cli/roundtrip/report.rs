//! The results of the laws, for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::json;

use super::{Cell, Outcome};
use crate::ResourceType;
use crate::cli::args::{RoundtripArgs, word};
use crate::table::Table;
use crate::testing::{Broken, ConverterUse, Law, Pair, Verdict, table};

/// The outcomes of the laws for a resource.
pub(super) struct Tried<'a> {
    pub(super) resource: &'a ResourceType,
    pub(super) args: &'a RoundtripArgs,
    pub(super) cells: Vec<Cell>,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) converters: Vec<ConverterUse>,
    /// The smallest objects that break the first broken law.
    pub(super) broken: Option<Broken>,
}

impl Tried<'_> {
    pub(super) fn text(&self) -> String {
        let broken = self.broken.as_ref();
        let broken = broken.map(|broken| counterexample(self.resource, self.args, broken));
        let converters = match table(&self.converters) {
            table if table.is_empty() => table,
            table => format!("\n{table}"),
        };
        summary(self) + &converters + &broken.unwrap_or_default()
    }

    pub(super) fn for_programs(&self) -> impl Serialize {
        let definition = self.resource.definition();
        let by_pair = |pair: Pair| {
            let Verdict { cases, refused, kept, dropped } = self.total(pair);
            json!({
                "from": pair.from, "to": pair.to,
                "objects": cases, "refused": refused, "kept": kept, "dropped": dropped,
            })
        };
        let by_law = |(cell, outcome): (&Cell, &Outcome)| {
            let Cell { law, pair } = cell;
            json!({"law": word(*law), "from": pair.from, "to": pair.to, "holds": outcome.is_ok()})
        };
        let by_converter = |used: &ConverterUse| {
            let ConverterUse { pair, field, converter, taken, refused, panicked, .. } = used;
            json!({
                "converter": converter, "field": field, "from": pair.from, "to": pair.to,
                "values": taken + refused, "refused": refused, "panicked": panicked,
                "value": used.refused_value, "refusal": used.refusal,
                "fallback": used.fallback, "refuses": used.refuses,
            })
        };
        let broken = |Broken { law, pair, seed, case, how }: &Broken| {
            json!({
                "law": word(*law), "from": pair.from, "to": pair.to,
                "seed": seed, "case": case, "how": how, "says": law.in_words(), "remedy": law.remedy(),
            })
        };
        json!({
            "kind": definition.kind,
            "group": definition.group,
            "cases": self.args.cases,
            "seed": self.args.seed,
            "versions": self.pairs().into_iter().map(by_pair).collect::<Vec<_>>(),
            "laws": self.cells.iter().zip(&self.outcomes).map(by_law).collect::<Vec<_>>(),
            "converters": self.converters.iter().map(by_converter).collect::<Vec<_>>(),
            "broken": self.broken.as_ref().map(broken),
        })
    }

    fn pairs(&self) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        for cell in &self.cells {
            if !pairs.contains(&cell.pair) {
                pairs.push(cell.pair);
            }
        }
        pairs
    }

    /// The sum of the verdicts of all laws.
    fn total(&self, pair: Pair) -> Verdict {
        let mut total = Verdict::default();
        for (cell, outcome) in self.cells.iter().zip(&self.outcomes) {
            if cell.pair == pair {
                total += outcome.unwrap_or_default();
            }
        }
        total
    }
}

fn summary(tried: &Tried<'_>) -> String {
    let Tried { resource, args, cells, outcomes, .. } = tried;
    let pairs = tried.pairs();
    let mut laws: Vec<Law> = Vec::new();
    for cell in cells {
        if !laws.contains(&cell.law) {
            laws.push(cell.law);
        }
    }
    let mut seen = Table::default();
    seen.push(["", "versions", "objects", "refused", "kept something", "dropped something"]);
    for (place, pair) in (1..).zip(&pairs) {
        let Verdict { cases, refused, kept, dropped } = tried.total(*pair);
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

fn counterexample(resource: &ResourceType, args: &RoundtripArgs, broken: &Broken) -> String {
    let mut text = format!("\n{broken}\n\nTo see it again:\n  roundtrip");
    if args.resource.is_some() {
        let _ = write!(text, " --resource {}", resource.definition().plural);
    }
    let Broken { law, pair, seed, case, .. } = broken;
    let _ = writeln!(
        text,
        " --law {} --from {} --to {} --seed {seed} --cases {}",
        word(*law),
        pair.from,
        pair.to,
        case + 1
    );
    text
}
