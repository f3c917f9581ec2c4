//! The arguments of the command line.

#[cfg(feature = "serve")]
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::terminal::Colours;
use crate::{definition::Descriptions, diff::Level};

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
    /// a note says so.
    #[command(
        after_help = "Examples:\n  PROGRAM convert --to v1 manifests/\n  kubectl get PLURAL NAME -o yaml | PROGRAM convert --to v1beta1"
    )]
    Convert(ConvertArgs),
    /// Convert objects to every served version and back, and report kept values, failures and their reasons.
    ///
    /// This changes nothing. `kubectl get PLURAL --all-namespaces -o json` prints all objects of a cluster. The exit code is 1 if an object
    /// can't be converted, or if converting it there and back changes it.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ExplainFormat {
    #[default]
    Text,
    Json,
    Markdown,
    /// A diagram of the fields that change, in a format that GitHub draws.
    Mermaid,
    Html,
}

#[derive(Debug, clap::Args)]
pub(super) struct CrdArgs {
    /// The output's format [default: that of the file's extension, else YAML].
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Print only the differences from FILE, and exit with 1 if there are any.
    ///
    /// Comments, layout and the order of keys don't count as differences.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(super) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(super) write: Option<PathBuf>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
    /// Print admission policies instead of the CustomResourceDefinitions.
    ///
    /// They refuse changes to the annotations that conversions write, and other annotations that leave no room for those.
    #[arg(long)]
    pub(super) policies: bool,
    /// A user who may change those annotations, such as system:serviceaccount:backup:restore; can be repeated.
    #[arg(long = "carrier-writer", value_name = "USER", requires = "policies")]
    pub(super) carrier_writers: Vec<String>,
    #[command(flatten)]
    pub(super) document: DocumentArgs,
}

/// What a CustomResourceDefinition says beyond the resource.
#[derive(Debug, clap::Args)]
pub(super) struct DocumentArgs {
    /// How much of the types' doc comments to put into the schemas: `full`, `summary` or `none` [default: what the program declares].
    #[arg(long, value_name = "MUCH", value_parser = descriptions)]
    pub(super) descriptions: Option<Descriptions>,
    /// A label for the CustomResourceDefinitions, in addition to those that the program declares; can be repeated.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) labels: Vec<(String, String)>,
    /// An annotation for the CustomResourceDefinitions, such as cert-manager.io/inject-ca-from=NAMESPACE/CERTIFICATE; can be repeated.
    #[arg(long = "annotation", value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) annotations: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) webhook: WebhookArgs,
}

#[cfg(feature = "kube")]
#[derive(Debug, clap::Args)]
pub(super) struct InstallArgs {
    /// Let the API server check everything, and change nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// The name under which the API server records the owner of these fields. Keep it the same in every release.
    #[arg(long, value_name = "NAME", default_value = "crd-conv")]
    pub(super) field_manager: String,
    /// Take over fields that another manager, such as an earlier `kubectl apply` of a file, has set to something else.
    #[arg(long)]
    pub(super) force_conflicts: bool,
    /// Remove what the cluster has and this program doesn't, such as v1alpha1, v1beta1.spec.owner, v1/scale or storage; can be repeated.
    ///
    /// Without this, a program changes nothing if it is older than the one that installed the CustomResourceDefinitions.
    #[arg(long, value_name = "WHAT")]
    pub(super) take_away: Vec<String>,
    /// How many seconds the API server has to serve each CustomResourceDefinition.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(super) timeout: u64,
    /// Before anything changes, ask the webhook for conversions at the name of its service. This works only inside the cluster.
    ///
    /// The webhook's certificate is checked against the given CA bundle, else against the one in the cluster.
    #[arg(long)]
    pub(super) probe: bool,
    /// Like `--probe`, but at another URL, such as that of a forwarded port; the certificate is still the service's.
    #[arg(long, value_name = "URL", conflicts_with = "probe")]
    pub(super) probe_url: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
    #[command(flatten)]
    pub(super) document: DocumentArgs,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
}

/// Which cluster.
#[cfg(feature = "kube")]
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct ClusterArgs {
    /// The kubeconfig [default: what KUBECONFIG names, else ~/.kube/config, else that of the Pod].
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: its current one].
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Conversion webhook")]
pub(super) struct WebhookArgs {
    /// The name of the webhook's service.
    #[arg(long, value_name = "NAME", conflicts_with = "url")]
    pub(super) service_name: Option<String>,
    /// The namespace of the webhook's service.
    #[arg(long, value_name = "NAMESPACE", conflicts_with = "url")]
    pub(super) service_namespace: Option<String>,
    /// The port of the webhook's service; without this, the API server uses 443.
    #[arg(long, value_name = "PORT", conflicts_with = "url", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) service_port: Option<u16>,
    /// The path at the webhook's service; without this, the API server uses `/`.
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    pub(super) service_path: Option<String>,
    /// The webhook's URL, if it runs outside the cluster.
    #[arg(long)]
    pub(super) url: Option<String>,
    /// A PEM file with the certificates that the webhook's certificate is checked against.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_bundle: Option<PathBuf>,
    /// A version of `ConversionReview` that the webhook answers; can be repeated, the most preferred first [default: v1, v1beta1].
    #[arg(long = "review-version", value_name = "VERSION")]
    pub(super) review_versions: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// The version to convert to, such as v1 or example.com/v1.
    #[arg(long, value_name = "VERSION")]
    pub(super) to: String,
    /// Remove the annotations with kept values, for objects that leave the cluster.
    #[arg(long)]
    pub(super) export: bool,
    /// Print what a client reads in the other version after it has written the objects to an API server.
    ///
    /// The server prunes, fills in defaults, validates, converts to the storage version, stores, reads and converts again.
    /// Standard error says what it prunes and what wasn't checked. If it refuses an object, standard error has all reasons, and nothing is
    /// printed.
    #[arg(long)]
    pub(super) as_server: bool,
    /// The output's format [default: the input's].
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Files with objects, folders with such files, or `-` for standard input [default: standard input].
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// Check the objects of a cluster, page by page.
    #[cfg(feature = "migrate")]
    #[arg(long, conflicts_with = "files")]
    pub(super) cluster: bool,
    /// The kubeconfig [default: what KUBECONFIG names, else ~/.kube/config, else that of the Pod].
    #[cfg(feature = "migrate")]
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub(super) kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: its current one].
    #[cfg(feature = "migrate")]
    #[arg(long, value_name = "NAME", requires = "cluster")]
    pub(super) context: Option<String>,
    /// Files with objects as YAML or JSON, including lists, or `-` for standard input [default: standard input]. Objects of other kinds are
    /// skipped.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

/// For whom a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Report {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl Report {
    pub(super) fn colours(self) -> Colours {
        match self {
            Self::Text => Colours::Report,
            Self::Json => Colours::None,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct ReviewArgs {
    /// A file with the review as JSON [default: standard input].
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct ExplainArgs {
    /// The output's format [default: that of the file's extension, else text for a terminal].
    #[arg(long, value_enum)]
    pub(super) format: Option<ExplainFormat>,
    /// Print only the differences from FILE, and exit with 1 if there are any.
    ///
    /// Also names the annotations that are in FILE and that this program no longer reads: objects may still have them.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(super) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(super) write: Option<PathBuf>,
    /// The version to start from [default: the oldest].
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// The version to end at [default: the newest].
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// Name every place where something wasn't checked, as JSON does, and not only the first for each reason.
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Files with one or several YAML or JSON documents each, folders with such files, or `-` for standard input. Documents of other kinds are
    /// skipped. Folders in a folder are skipped, too, and a note names them.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    Text,
    Json,
    /// Tables, for the summary of a job or a comment on a pull request.
    Markdown,
}

#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    pub(super) common: DiffCommon,
    /// The CustomResourceDefinitions of this release [default: what the program generates].
    #[arg(value_name = "NEW")]
    pub(super) newer: Option<PathBuf>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct PlainDiffArgs {
    #[command(flatten)]
    pub(super) common: DiffCommon,
    /// The CustomResourceDefinitions of this release.
    #[arg(value_name = "NEW")]
    pub(super) newer: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct DiffCommon {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,
    /// Exit with 1 if a change is of this level or worse: `breaking` or `risky`.
    #[arg(long, value_name = "LEVEL", default_value = "breaking", value_parser = level)]
    pub(super) deny: Level,
    /// The CustomResourceDefinitions of the earlier release, as YAML or JSON, in a file or a folder, or `-` for standard input.
    #[arg(value_name = "OLD")]
    pub(super) older: PathBuf,
}

#[cfg(feature = "migrate")]
#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    /// Ask the API server to try each write, and to store nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Continue the removal of this version as far as it is safe, and say what to do next.
    #[arg(long, value_name = "VERSION")]
    pub(super) remove: Option<String>,
    /// How many objects may change in storage per second, or 0 for as many as the API server accepts.
    ///
    /// Objects that are already stored in the right form don't count. In a dry run, every object counts.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) qps: u32,
    /// How many objects are sent to the API server at a time.
    #[arg(long, value_name = "N", default_value = "8")]
    pub(super) concurrency: std::num::NonZeroU32,
    /// The output's format: a progress bar and a sentence, or a line of JSON for each event.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
}

#[cfg(feature = "serve")]
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("certificate").args(["cert", "self_signed"]).required(true)))]
pub(super) struct ServeArgs {
    /// Where to listen, such as [::]:8443 for IPv6.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8443")]
    pub(super) address: SocketAddr,
    /// Where to serve the probes and metrics over plain HTTP, too.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) probe_address: Option<SocketAddr>,
    /// The path of the conversions [default: the declared service's, else /convert].
    #[arg(long, value_name = "PATH")]
    pub(super) path: Option<String>,
    /// A PEM file with the certificate and its chain; changes are loaded while the server runs.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(super) cert: Option<PathBuf>,
    /// A PEM file with the certificate's key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(super) key: Option<PathBuf>,
    /// Make a certificate for these names and addresses, and print its authority's certificate. Use it for development, unless it is shared
    /// in a Secret.
    ///
    /// Without names, the certificate is for localhost and the declared service.
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with = "key")]
    pub(super) self_signed: Option<Vec<String>>,
    /// Share the certificate with the other replicas in a Secret, and keep the CA bundle of the CustomResourceDefinitions current.
    ///
    /// The first replica makes the certificate, and one of them replaces it before it expires. Without names, it is only for the declared
    /// service.
    #[cfg(feature = "kube")]
    #[arg(long, value_name = "NAMESPACE/NAME", requires = "self_signed", conflicts_with = "cert", value_parser = secret)]
    pub(super) secret: Option<(String, String)>,
    /// The largest review, in bytes [default: 33554432].
    #[arg(long, value_name = "BYTES")]
    pub(super) max_body: Option<usize>,
    /// How many conversions run at a time [default: twice the number of cores, at least 8].
    #[arg(long, value_name = "N")]
    pub(super) max_conversions: Option<usize>,
    /// How many seconds to keep serving after SIGTERM, while Kubernetes finds out that the server isn't ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(super) withdrawal: u64,
    /// How many seconds running requests then have to finish.
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub(super) drain: u64,
    /// The format of the log.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(super) log_format: LogFormat,
    // This comes last, because its heading applies to all options after it.
    #[cfg(feature = "kube")]
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
}

#[cfg(feature = "serve")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

#[cfg(feature = "roundtrip")]
#[derive(Debug, clap::Args)]
pub(super) struct RoundtripArgs {
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// How many objects to try for each law and each pair of versions.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) cases: u32,
    /// The seed of the random objects. The same seed gives the same objects, and another seed gives others.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// A file of your own objects to start from, or a folder of such files; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) examples: Vec<PathBuf>,
    /// Only this law, such as edits-win; can be repeated.
    #[arg(long = "law", value_name = "NAME", value_parser = law)]
    pub(super) laws: Vec<crate::testing::Law>,
    /// Only objects of this version.
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// Only conversions to this version.
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
}

/// Reads `KEY=VALUE`. Other mistakes in the key or the value are reported for the finished document.
fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(all(feature = "serve", feature = "kube"))]
fn secret(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
            Ok((namespace.to_owned(), name.to_owned()))
        }
        _ => Err("write NAMESPACE/NAME".to_owned()),
    }
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "breaking" => Ok(Level::Breaking),
        "risky" => Ok(Level::Risky),
        _ => Err("write `breaking` or `risky`".to_owned()),
    }
}

fn descriptions(text: &str) -> Result<Descriptions, String> {
    match text {
        "full" => Ok(Descriptions::Full),
        "summary" => Ok(Descriptions::Summary),
        "none" => Ok(Descriptions::None),
        _ => Err("write `full`, `summary` or `none`".to_owned()),
    }
}

#[cfg(feature = "roundtrip")]
fn law(text: &str) -> Result<crate::testing::Law, String> {
    use crate::testing::Law;

    let wanted = Law::ALL.into_iter().find(|law| word(*law) == text);
    wanted.ok_or_else(|| format!("the laws are {}", Law::ALL.map(word).join(", ")))
}

/// How a law is named here.
#[cfg(feature = "roundtrip")]
pub(super) fn word(law: crate::testing::Law) -> String {
    law.name().replace(' ', "-")
}
