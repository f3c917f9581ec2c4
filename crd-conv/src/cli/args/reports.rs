//! The arguments of the commands that describe versions and their differences.

use std::path::{Path, PathBuf};

use clap::{ValueEnum, builder::PossibleValuesParser};

use super::SourceArgs;
use crate::diff::{Level, page};

#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct ExplainArgs {
    /// The output's format [default: that of the file's extension, else text for a terminal].
    #[arg(long, value_enum)]
    pub(in crate::cli) format: Option<ExplainFormat>,
    /// Print only the differences from FILE, and exit with 1 if there are any.
    ///
    /// Also names the annotations that are in FILE and that this program no longer reads: objects may still have them.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(in crate::cli) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) write: Option<PathBuf>,
    /// The version to start from [default: the oldest].
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) from: Option<String>,
    /// The version to end at [default: the newest].
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) to: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExplainFormat {
    #[default]
    Text,
    Json,
    Markdown,
    /// A diagram of the fields that change, in a format that GitHub draws.
    Mermaid,
    Html,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct VerifyArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    pub(in crate::cli) format: VerifyFormat,
    /// Name every place where something wasn't checked, as JSON does, and not only the first for each reason.
    #[arg(long, short)]
    pub(in crate::cli) verbose: bool,
    /// Exit with 1 also if there is a warning, or if something wasn't checked.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Files with one or several YAML or JSON documents each, folders with such files, `-` for standard input, `git:REF:PATH` for a file or a
    /// folder in a commit, or `kube:NAME` for a CustomResourceDefinition in a cluster. Documents of other kinds are skipped. Folders in a folder
    /// are skipped, too, and a note names them.
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    // This comes last, because its heading applies to all options after it.
    #[command(flatten)]
    pub(in crate::cli) sources: SourceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    Text,
    Json,
    /// Tables, for the summary of a job or a comment on a pull request.
    Markdown,
    /// XML, for the test reports of a CI system.
    Junit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum VerifyFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// XML, for the test reports of a CI system.
    Junit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DiffArgs {
    #[command(flatten)]
    pub(in crate::cli) common: DiffCommon,
    /// The CustomResourceDefinitions of this release [default: what the program generates].
    #[arg(value_name = "NEW")]
    pub(in crate::cli) newer: Option<PathBuf>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
    /// Compare OLD with what `crd --types-only` prints, as after an import.
    #[arg(long, conflicts_with = "newer")]
    pub(in crate::cli) types_only: bool,
    // This comes last, because its heading applies to all options after it.
    #[command(flatten)]
    pub(in crate::cli) sources: SourceArgs,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PlainDiffArgs {
    #[command(flatten)]
    pub(in crate::cli) common: DiffCommon,
    /// The CustomResourceDefinitions of this release.
    #[arg(value_name = "NEW", required = true)]
    pub(in crate::cli) newer: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) sources: SourceArgs,
}

impl PlainDiffArgs {
    pub(in crate::cli) fn newer(&self) -> &Path {
        given(self.newer.as_deref())
    }
}

impl DiffCommon {
    pub(in crate::cli) fn older(&self) -> &Path {
        given(self.older.as_deref())
    }
}

/// The command line requires these files, unless nothing is compared.
fn given(file: Option<&Path>) -> &Path {
    file.unwrap_or(Path::new("-"))
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DiffCommon {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(in crate::cli) format: DiffFormat,
    /// Exit with 1 if a change is of this level or worse: `breaking` or `risky`.
    #[arg(long, value_name = "LEVEL", default_value = "breaking", value_parser = level)]
    pub(in crate::cli) deny: Level,
    /// Accept the changes that a YAML file lists, each with a reason and the last day of its acceptance. They don't make the command fail.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) accept: Option<PathBuf>,
    /// Print what a kind of change means and what to do, such as `field-removed`, and compare nothing.
    #[arg(long, value_name = "KIND", exclusive = true, hide_possible_values = true, value_parser = kinds())]
    pub(in crate::cli) explain: Option<String>,
    /// The CustomResourceDefinitions of the earlier release, as YAML or JSON: a file, a folder, `-` for standard input, `git:REF:PATH` for a
    /// file or a folder in a commit, or `kube:NAME` for one in a cluster.
    #[arg(value_name = "OLD", required = true)]
    pub(in crate::cli) older: Option<PathBuf>,
}

fn kinds() -> PossibleValuesParser {
    page::kinds().map(|kind| kind.id).collect::<Vec<_>>().into()
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "breaking" => Ok(Level::Breaking),
        "risky" => Ok(Level::Risky),
        _ => Err("write `breaking` or `risky`".to_owned()),
    }
}
