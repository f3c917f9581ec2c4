//! The commands of the command line, and the arguments that several of them have.

#[cfg(feature = "kube")]
mod cluster;
mod document;
#[cfg(feature = "import")]
mod import;
mod objects;
mod reports;
#[cfg(feature = "serve")]
mod serve;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

#[cfg(feature = "migrate")]
pub(super) use cluster::MigrateArgs;
#[cfg(feature = "kube")]
pub(super) use cluster::{ClusterArgs, InstallArgs};
pub(super) use document::{CrdArgs, DocumentArgs, PolicyArgs, WebhookArgs};
#[cfg(feature = "import")]
pub(super) use import::{ImportArgs, NextArgs};
pub(super) use objects::{CheckArgs, ConvertArgs, ReviewArgs};
#[cfg(feature = "roundtrip")]
pub(super) use objects::{RoundtripArgs, word};
pub(super) use reports::{
    DiffArgs, DiffCommon, DiffFormat, ExplainArgs, ExplainFormat, PlainDiffArgs, VerifyArgs,
    VerifyFormat,
};
#[cfg(feature = "serve")]
pub(super) use serve::{LogFormat, Monitoring, MonitoringArgs, ServeArgs};

/// Where the sources of CustomResourceDefinitions are that aren't files.
#[derive(Debug, Default, clap::Args)]
pub(super) struct SourceArgs {
    #[cfg(feature = "kube")]
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
}

/// Work with the versions of this program's custom resources.
#[derive(Debug, Parser)]
#[command(name = "", max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: ProgramCommand,
}

/// What a program has that is nothing but this command line.
#[derive(Debug, Subcommand)]
pub(super) enum ProgramCommand {
    #[command(flatten)]
    Command(Box<Command>),
    Completions(CompletionsArgs),
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print the CustomResourceDefinitions, or compare a file with them.
    ///
    /// If the versions of a resource differ, give the options of the conversion webhook, unless the program declares the webhook itself.
    #[command(
        after_help = "Examples:\n  PROGRAM crd --write deploy/crd.yaml\n  PROGRAM crd --check deploy/crd.yaml     # in CI\n  PROGRAM crd | kubectl apply --server-side -f -"
    )]
    Crd(CrdArgs),
    /// Create or update the CustomResourceDefinitions in a cluster, and wait until they are served.
    ///
    /// This is a server-side apply: it keeps fields that others have set, such as an injected CA bundle. It changes nothing if objects may
    /// be stored in a version that this program doesn't have, if another manager has set a field to something else, or if the webhook doesn't
    /// answer a probe. The cluster is the one that kubectl uses.
    #[cfg(feature = "kube")]
    Install(InstallArgs),
    /// Convert objects to another version.
    ///
    /// Reads YAML or JSON: one or several documents, including lists of kind `List`. Prints them in their order and in the format of the
    /// first. Objects of other kinds are printed unchanged. If an object can't be converted, nothing is printed. Comments in YAML are lost, and
    /// a note says so. With `--in-place`, the files are rewritten, and comments stay.
    #[command(
        after_help = "Examples:\n  PROGRAM convert --to v1 manifests/\n  PROGRAM convert --to v1 --in-place manifests/\n  kubectl get PLURAL NAME -o yaml | PROGRAM convert --to v1beta1"
    )]
    Convert(ConvertArgs),
    /// Convert objects to every served version and back, and report kept values, failures and what the API server would refuse.
    ///
    /// This changes nothing. `kubectl get PLURAL --all-namespaces -o json` prints all objects of a cluster. The exit code is 1 if an object
    /// can't be converted, or if converting it there and back changes it. With `--strict`, it is also 1 if the API server would refuse a write.
    #[command(
        after_help = "Examples:\n  kubectl get PLURAL --all-namespaces -o json | PROGRAM check"
    )]
    Check(CheckArgs),
    /// Answer a `ConversionReview` as the conversion webhook does.
    ///
    /// Prints the answer as JSON. The exit code is 0 even if the answer says that a conversion failed.
    Review(ReviewArgs),
    /// Show what happens to each field between the versions.
    #[command(
        after_help = "Examples:\n  PROGRAM explain --from v1beta1 --to v1\n  PROGRAM explain --write api.html        # for reviewers\n  PROGRAM explain --check explain.txt     # in CI"
    )]
    Explain(ExplainArgs),
    /// Rewrite the objects of a cluster in the storage version, or remove a version.
    ///
    /// Writes every object once without a change. When all objects are stored in the version with `storage`, this makes
    /// `status.storedVersions` of the CustomResourceDefinition name only that version. After an interruption, the next run starts again. If an
    /// object can't be written, the others still are, and the exit code is 1.
    #[cfg(feature = "migrate")]
    Migrate(MigrateArgs),
    /// Serve the conversion webhook over HTTPS, with `/healthz`, `/readyz` and `/metrics`.
    ///
    /// Shuts down gracefully after SIGTERM or SIGINT, and at once after a second signal. Logs to standard error; the variable `RUST_LOG`
    /// says how much.
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Print alerts for Prometheus, or a dashboard for Grafana, for the metrics of `serve`.
    #[cfg(feature = "serve")]
    #[command(
        after_help = "Examples:\n  PROGRAM monitoring alerts --write chart/alerts.yaml\n  PROGRAM monitoring dashboard --check chart/dashboard.json     # in CI"
    )]
    Monitoring(MonitoringArgs),
    /// Check the laws of conversion on random objects, between all versions.
    ///
    /// Prints which laws hold. If a law is broken, this prints the smallest object found that breaks it, and the exit code is 1.
    #[cfg(feature = "roundtrip")]
    #[command(
        after_help = "Examples:\n  PROGRAM roundtrip --cases 10000\n  PROGRAM roundtrip --seed 7"
    )]
    Roundtrip(RoundtripArgs),
    /// Report what the API server would refuse in CustomResourceDefinitions, whichever program made them.
    #[command(
        after_help = "Examples:\n  PROGRAM verify crds/\n  kubectl kustomize config/crd | PROGRAM verify -"
    )]
    Verify(VerifyArgs),
    /// Report what changes mean for users of an earlier release's CustomResourceDefinitions.
    ///
    /// Each change is breaking, risky or safe, with the reason and what to do. Between two versions, this uses the program's mappings: a
    /// renamed field isn't lost.
    #[command(
        after_help = "Examples:\n  git show v1.2.0:crd.yaml | PROGRAM diff -\n  PROGRAM diff old.yaml new.yaml --deny risky --format markdown"
    )]
    Diff(DiffArgs),
}

/// Work with CustomResourceDefinitions, whichever program made them.
#[derive(Debug, Parser)]
#[command(name = "crd-conv", version, max_term_width = 100)]
pub(super) struct PlainArgs {
    #[command(subcommand)]
    pub(super) command: PlainCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlainCommand {
    /// Report what the API server would refuse in CustomResourceDefinitions.
    #[command(
        after_help = "Examples:\n  crd-conv verify crds/\n  kubectl kustomize config/crd | crd-conv verify -"
    )]
    Verify(VerifyArgs),
    /// Report what the changes between two files mean for users of the older CustomResourceDefinitions.
    ///
    /// Each change is breaking, risky or safe, with the reason and what to do. This program doesn't know what a conversion does between two
    /// versions; the command `diff` of the program with the types does.
    Diff(PlainDiffArgs),
    /// Write Rust types for every version of CustomResourceDefinitions, with the mapping between the versions.
    ///
    /// Prints the modules on standard output, or writes a file for each version. From these types, `crd` makes the same schemas again.
    /// Differences between two versions become `removed` and `added` fields. What can't be written becomes a comment and a note.
    #[cfg(feature = "import")]
    #[command(
        after_help = "Examples:\n  crd-conv import crd.yaml --out src\n  crd-conv import crd.yaml --crate operator-api\n  kubectl get crd NAME -o yaml | crd-conv import -"
    )]
    Import(ImportArgs),
    /// Write the module of a new version, from that of the version before.
    ///
    /// Copies the types that change and all that contain them, each with `from = …`, and takes the others from the version before. Comments and
    /// layout stay as they are. The program with the types can't do this, because it doesn't know the source.
    #[cfg(feature = "import")]
    #[command(
        after_help = "Examples:\n  crd-conv next-version v1beta2 --from src/v1beta1.rs --type Pool --out src/v1beta2.rs"
    )]
    NextVersion(NextArgs),
    Completions(CompletionsArgs),
}

/// Print a script that completes these commands in a shell.
///
/// In bash, `source <(PROGRAM completions bash)` loads it for the session.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(super) shell: Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Yaml,
    Json,
}

/// For whom a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}
