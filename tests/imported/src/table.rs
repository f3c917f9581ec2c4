//! The results.

use std::fmt::Write as _;

#[derive(Default)]
pub(crate) struct Row {
    pub(crate) file: String,
    pub(crate) versions: usize,
    /// The first reason why the API server refuses the document.
    pub(crate) refused: Option<String>,
    pub(crate) imports: bool,
    pub(crate) notes: Vec<String>,
    pub(crate) compiles: bool,
    pub(crate) lines: usize,
    /// The changes that `diff` finds from the document to the printed one, and back.
    pub(crate) changes: Option<[Vec<String>; 2]>,
    /// The places with another description.
    pub(crate) descriptions: Vec<String>,
    /// The places at which the two have other JSON, whether or not that is a change.
    pub(crate) others: Vec<String>,
    /// The laws that are broken, if they were tried.
    pub(crate) laws: Option<Vec<String>>,
    pub(crate) problems: Vec<String>,
}

impl Row {
    fn is_equal(&self) -> bool {
        self.changes.as_ref().is_some_and(|both| both.iter().all(Vec::is_empty))
    }

    pub(crate) fn is_good(&self, built: bool) -> bool {
        let holds = self.laws.as_ref().is_none_or(Vec::is_empty);
        let is_same = self.is_equal() || self.refused.is_some();
        self.imports && holds && (!built || self.compiles && is_same)
    }

    fn is_whole(&self) -> bool {
        self.is_equal() && self.descriptions.is_empty() && self.others.is_empty()
    }
}

pub(crate) fn markdown(rows: &[Row], built: bool, laws: bool) -> String {
    let mut out = String::from(
        "| file | versions | lines | imports | compiles | changes there, back | descriptions | other JSON | laws | why |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let yes = |what: bool| if what { "yes" } else { "**no**" };
        let changes = row.changes.as_ref().map_or_else(
            || "–".to_owned(),
            |[there, back]| format!("{}, {}", there.len(), back.len()),
        );
        let tried = row.laws.as_ref();
        let held =
            tried.map_or_else(|| "–".to_owned(), |broken| format!("{} broken", broken.len()));
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut why: Vec<String> =
            row.refused.iter().map(|refused| format!("refused: {refused}")).collect();
        why.extend(row.problems.clone());
        why.extend(row.notes.first().map(|note| format!("{} notes: {note}", row.notes.len())));
        let found = row.changes.iter().flatten().flatten();
        let found = found.chain(&row.descriptions).chain(&row.others);
        why.extend(found.chain(tried.into_iter().flatten()).take(4).cloned());
        let why: String = why.join("; ").chars().take(600).collect();
        // Writing to a string doesn't fail.
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {changes} | {} | {} | {held} | {} |",
            row.file,
            row.versions,
            row.lines,
            yes(row.imports),
            yes(row.compiles),
            row.descriptions.len(),
            row.others.len(),
            cell(&why)
        );
    }
    let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let _ = writeln!(
        out,
        "\n{} documents, {} of which the API server refuses; {} import, {} lines",
        rows.len(),
        count(&|row| row.refused.is_some()),
        count(&|row| row.imports),
        rows.iter().map(|row| row.lines).sum::<usize>(),
    );
    if built {
        let _ = writeln!(
            out,
            "{} compile; {} are equal in both directions, and {} with all descriptions and all other JSON",
            count(&|row| row.compiles),
            count(&Row::is_equal),
            count(&Row::is_whole),
        );
    }
    if laws {
        let _ = writeln!(
            out,
            "{} resources with different versions; all laws hold for {}",
            count(&|row| row.laws.is_some()),
            count(&|row| row.laws.as_ref().is_some_and(Vec::is_empty)),
        );
    }
    out
}
