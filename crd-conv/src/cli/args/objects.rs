//! The arguments of the commands that convert objects.

use std::path::PathBuf;

use super::{Format, ReportFormat};

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(in crate::cli) struct ConvertArgs {
    /// The version to convert to, such as v1 or example.com/v1.
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) to: String,
    /// Remove the annotations with kept values, for objects that leave the cluster.
    #[arg(long)]
    pub(in crate::cli) export: bool,
    /// Print what a client reads in the other version after it has written the objects to an API server.
    ///
    /// The server prunes, fills in defaults, validates, converts to the storage version, stores, reads and converts again.
    /// Standard error says what it prunes and what wasn't checked. If it refuses an object, standard error has all reasons, and nothing is
    /// printed.
    #[arg(long)]
    pub(in crate::cli) as_server: bool,
    /// The output's format [default: the input's].
    #[arg(long, value_enum)]
    pub(in crate::cli) format: Option<Format>,
    /// Rewrite the files instead of printing the objects, and keep comments and formatting.
    ///
    /// Only the lines change that have to. Files without an object to convert aren't touched. Nothing is written, in no file, and the exit code
    /// is 1, if a comment, an anchor or an alias would be lost, or if a patch of kustomize is for an object of this program. Patches can't be
    /// converted, because they aren't whole objects. Kustomizations are found in the folders of the files. Standard error says which objects
    /// have values that are kept in annotations.
    #[arg(long, requires = "files", conflicts_with_all = ["as_server", "format"])]
    pub(in crate::cli) in_place: bool,
    /// Write the files in any case. Documents that can't be changed in place are rewritten as a whole, without their comments, and patches stay
    /// as they are.
    #[arg(long, requires = "in_place")]
    pub(in crate::cli) force: bool,
    /// Print what would change in the files, and write nothing.
    #[arg(long, requires = "in_place")]
    pub(in crate::cli) dry_run: bool,
    /// Files with objects, folders with such files, or `-` for standard input [default: standard input].
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CheckArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(in crate::cli) format: ReportFormat,
    /// Exit with 1 as well if the API server would refuse an object in a served version.
    ///
    /// A value that every version refuses and that passes while it is unchanged doesn't count.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Check the objects of a cluster, page by page.
    #[cfg(feature = "migrate")]
    #[arg(long, conflicts_with = "files")]
    pub(in crate::cli) cluster: bool,
    /// The kubeconfig [default: what KUBECONFIG names, else ~/.kube/config, else that of the Pod].
    #[cfg(feature = "migrate")]
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub(in crate::cli) kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: its current one]. Can be repeated for several clusters; one that can't be read hides no other.
    #[cfg(feature = "migrate")]
    #[arg(long, value_name = "NAME", requires = "cluster")]
    pub(in crate::cli) context: Vec<String>,
    /// Files with objects as YAML or JSON, including lists, or `-` for standard input [default: standard input]. Objects of other kinds are
    /// skipped.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReviewArgs {
    /// A file with the review as JSON [default: standard input].
    pub(in crate::cli) file: Option<PathBuf>,
}

#[cfg(feature = "roundtrip")]
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RoundtripArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(in crate::cli) format: ReportFormat,
    /// How many objects to try for each law and each pair of versions.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) cases: u32,
    /// The seed of the random objects. The same seed gives the same objects, and another seed gives others.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(in crate::cli) seed: u64,
    /// A file of your own objects to start from, or a folder of such files; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) examples: Vec<PathBuf>,
    /// Only this law, such as edits-win; can be repeated.
    #[arg(long = "law", value_name = "NAME", value_parser = law)]
    pub(in crate::cli) laws: Vec<crate::testing::Law>,
    /// Only objects of this version.
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) from: Option<String>,
    /// Only conversions to this version.
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) to: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
}

#[cfg(feature = "roundtrip")]
fn law(text: &str) -> Result<crate::testing::Law, String> {
    use crate::testing::Law;

    let wanted = Law::ALL.into_iter().find(|law| word(*law) == text);
    wanted.ok_or_else(|| format!("the laws are {}", Law::ALL.map(word).join(", ")))
}

/// How a law is named here.
#[cfg(feature = "roundtrip")]
pub(in crate::cli) fn word(law: crate::testing::Law) -> String {
    law.name().replace(' ', "-")
}
