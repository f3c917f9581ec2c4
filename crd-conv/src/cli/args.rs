//! What the command line takes.

#[cfg(feature = "serve")]
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::terminal::Colours;
use crate::{definition::Descriptions, diff::Level};

/// Works with the versions of this program's custom resources.
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
    /// The webhook's options are needed for resources whose versions differ, unless the program declares them itself.
    #[command(
        after_help = "Examples:\n  PROGRAM crd --write deploy/crd.yaml\n  PROGRAM crd --check deploy/crd.yaml     # in CI\n  PROGRAM crd | kubectl apply --server-side -f -"
    )]
    Crd(CrdArgs),
    /// Create the CustomResourceDefinitions in a cluster or bring them up to date, and wait until they are served.
    ///
    /// It is a server-side apply: what others have set, such as an injected CA bundle, stays. Nothing changes if objects may be stored in a
    /// version that this program doesn't have, if another manager has set a field to something else, or if the webhook that is asked before
    /// doesn't answer. The cluster is that of kubectl.
    #[cfg(feature = "kube")]
    Install(InstallArgs),
    /// Convert objects to another version.
    ///
    /// Reads YAML or JSON, one or several documents, also lists of kind `List`, and prints them in the format of the first and in their
    /// order. Objects of other kinds stay as they are. If one can't be converted, nothing is printed. Comments of YAML are lost, and a note says so.
    #[command(
        after_help = "Examples:\n  PROGRAM convert --to v1 manifests/\n  kubectl get PLURAL NAME -o yaml | PROGRAM convert --to v1beta1"
    )]
    Convert(ConvertArgs),
    /// Convert objects to every served version and back, and say what would be kept, what would fail and why.
    ///
    /// Nothing is changed anywhere. `kubectl get PLURAL --all-namespaces -o json` gives all objects of a cluster. The exit code is 1 if an
    /// object can't be converted, or comes back otherwise than it was.
    #[command(
        after_help = "Examples:\n  kubectl get PLURAL --all-namespaces -o json | PROGRAM check"
    )]
    Check(CheckArgs),
    /// Answer a `ConversionReview` as the conversion webhook does.
    ///
    /// The answer is printed as JSON. The exit code is 0 also if the answer says that a conversion failed.
    Review(ReviewArgs),
    /// Show what happens to each field between the versions.
    #[command(
        after_help = "Examples:\n  PROGRAM explain --from v1beta1 --to v1\n  PROGRAM explain --write api.html        # for reviewers\n  PROGRAM explain --check explain.txt     # in CI"
    )]
    Explain(ExplainArgs),
    /// Move the objects of a cluster into the storage version, or take a version out.
    ///
    /// Every object is written once without a change, and once all of them are stored in the version with `storage`, `status.storedVersions`
    /// of the CustomResourceDefinition says so. Interrupted, it starts again. The exit code is 1 if an object couldn't be written; the others are.
    #[cfg(feature = "migrate")]
    Migrate(MigrateArgs),
    /// Serve the conversion webhook over HTTPS, with `/healthz`, `/readyz` and `/metrics`.
    ///
    /// It ends in order after SIGTERM or SIGINT, and at once after a second one. What happens is logged on standard error; the variable
    /// `RUST_LOG` says how much of it.
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Try the laws of conversion on random objects, between all versions.
    ///
    /// Prints what held. If a law is broken it prints the smallest object that was found to break it, and the exit code is 1.
    #[cfg(feature = "roundtrip")]
    #[command(
        after_help = "Examples:\n  PROGRAM roundtrip --cases 10000\n  PROGRAM roundtrip --seed 7"
    )]
    Roundtrip(RoundtripArgs),
    /// Say what the API server would refuse of CustomResourceDefinitions, also of those that another program made.
    #[command(
        after_help = "Examples:\n  PROGRAM verify crds/\n  kubectl kustomize config/crd | PROGRAM verify -"
    )]
    Verify(VerifyArgs),
    /// Say what changes mean for those who use the CustomResourceDefinitions of a release before.
    ///
    /// Each change is breaking, risky or safe, with the reason and what to do. Between two versions it knows this program's mappings: a
    /// field that is renamed isn't lost.
    #[command(
        after_help = "Examples:\n  git show v1.2.0:crd.yaml | PROGRAM diff -\n  PROGRAM diff old.yaml new.yaml --deny risky --format markdown"
    )]
    Diff(DiffArgs),
}

/// Works with CustomResourceDefinitions, whichever program made them.
#[derive(Debug, Parser)]
#[command(name = "crd-conv", version, max_term_width = 100)]
pub(super) struct PlainArgs {
    #[command(subcommand)]
    pub(super) command: PlainCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlainCommand {
    /// Say what the API server would refuse of CustomResourceDefinitions.
    #[command(
        after_help = "Examples:\n  crd-conv verify crds/\n  kubectl kustomize config/crd | crd-conv verify -"
    )]
    Verify(VerifyArgs),
    /// Say what changes between two files mean for those who use the older one's CustomResourceDefinitions.
    ///
    /// Each change is breaking, risky or safe, with the reason and what to do. What a conversion does between two versions isn't known here;
    /// the command `diff` of a program with its types knows it.
    Diff(PlainDiffArgs),
    Completions(CompletionsArgs),
}

/// Print a script with which a shell completes these commands.
///
/// For bash, `source <(PROGRAM completions bash)` has it for the session.
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
    /// A diagram of the fields that change, which GitHub draws.
    Mermaid,
    Html,
}

#[derive(Debug, clap::Args)]
pub(super) struct CrdArgs {
    /// The output's format; without this as the file's ending says, else YAML.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Print nothing but the differences from FILE, and exit with 1 if there are any.
    ///
    /// Comments, layout and the order of keys make none.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(super) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(super) write: Option<PathBuf>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
    /// Print admission policies in place of the CustomResourceDefinitions.
    ///
    /// They refuse changes of the annotations that conversions write, and annotations that leave no room for those.
    #[arg(long)]
    pub(super) policies: bool,
    /// A user who may change those annotations, such as system:serviceaccount:backup:restore; may be given again.
    #[arg(long = "carrier-writer", value_name = "USER", requires = "policies")]
    pub(super) carrier_writers: Vec<String>,
    #[command(flatten)]
    pub(super) document: DocumentArgs,
}

/// What a CustomResourceDefinition says beyond the resource.
#[derive(Debug, clap::Args)]
pub(super) struct DocumentArgs {
    /// How much of the types' doc comments the schemas have, `full`, `summary` or `none`; without this what the program
    /// declares.
    #[arg(long, value_name = "MUCH", value_parser = descriptions)]
    pub(super) descriptions: Option<Descriptions>,
    /// A label of the CustomResourceDefinitions, beside those that the program declares; may be given again.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = pair)]
    pub(super) labels: Vec<(String, String)>,
    /// An annotation of the CustomResourceDefinitions, such as cert-manager.io/inject-ca-from=NAMESPACE/CERTIFICATE; may be given again.
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
    /// The name under which the API server knows whose fields these are; the same from release to release.
    #[arg(long, value_name = "NAME", default_value = "crd-conv")]
    pub(super) field_manager: String,
    /// Take over fields that another manager has set to something else, as `kubectl apply` did with a file before.
    #[arg(long)]
    pub(super) force_conflicts: bool,
    /// Take away what the cluster has and this program doesn't, such as v1alpha1, v1beta1.spec.owner, v1/scale or storage; may be given again.
    ///
    /// Without this a program that is older than the one which installed them changes nothing.
    #[arg(long, value_name = "WHAT")]
    pub(super) take_away: Vec<String>,
    /// How many seconds the API server has to serve each of them.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(super) timeout: u64,
    /// Ask the webhook for conversions before anything changes, at the name of its service, so from inside of the cluster.
    ///
    /// Its certificate is checked against the CA bundle that is given, else against the one that the cluster has.
    #[arg(long)]
    pub(super) probe: bool,
    /// The same at another URL, such as that of a forwarded port; the certificate is still the service's.
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
    /// The kubeconfig; without this as kubectl finds it, else that of the pod.
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,
    /// The context in it; without this the current one.
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
    /// The port of the webhook's service; the API server takes 443 without this.
    #[arg(long, value_name = "PORT", conflicts_with = "url", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) service_port: Option<u16>,
    /// The path at the webhook's service; the API server takes `/` without this.
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    pub(super) service_path: Option<String>,
    /// The webhook's URL, if it runs outside the cluster.
    #[arg(long)]
    pub(super) url: Option<String>,
    /// A PEM file with the certificates that the webhook's own is checked against.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_bundle: Option<PathBuf>,
    /// A version of `ConversionReview` that the webhook answers; may be given again, the most preferred first [default: v1, v1beta1].
    #[arg(long = "review-version", value_name = "VERSION")]
    pub(super) review_versions: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// The version to convert to, such as v1 or example.com/v1.
    #[arg(long, value_name = "VERSION")]
    pub(super) to: String,
    /// Take out the annotations that keep what the version has no room for, for objects that leave the cluster.
    #[arg(long)]
    pub(super) export: bool,
    /// Print what a client reads who wrote the objects to an API server and asks for them in the other version.
    ///
    /// The server prunes, fills in defaults, validates, converts to the storage version, stores, reads and converts again.
    /// What it prunes and what wasn't checked is said on standard error. If it refuses an object, all reasons are said, and nothing is printed.
    #[arg(long)]
    pub(super) as_server: bool,
    /// The output's format; without this the input's.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Files with objects, folders of such files, or `-` for standard input, as without any.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// What the report is for.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// Take the objects of a cluster, page by page.
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
    /// Files with objects as YAML or JSON, also lists, or `-` for standard input, as without any. Objects of other kinds are passed
    /// over.
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
    /// The review as JSON; without this standard input.
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct ExplainArgs {
    /// The output's format; without this as the file's ending says, else text for a terminal.
    #[arg(long, value_enum)]
    pub(super) format: Option<ExplainFormat>,
    /// Print nothing but the differences from FILE, and exit with 1 if there are any.
    ///
    /// Annotations that FILE names and this program no longer reads are named by themselves: objects may have them.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(super) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(super) write: Option<PathBuf>,
    /// The version to start from; without this the oldest.
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// The version to end at; without this the newest.
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(super) resource: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// What the report is for.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// Name every place where something wasn't checked, not only the first one of each reason, as JSON does.
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Files with YAML or JSON, one or several documents each, folders with such files, or `-` for standard input. Documents of other kinds are
    /// passed over, and so are folders in a folder, which a note names.
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
    /// Those of this release; without this what the program generates.
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
    /// Those of this release.
    #[arg(value_name = "NEW")]
    pub(super) newer: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct DiffCommon {
    /// What the report is for.
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,
    /// Exit with 1 if a change is of this level or worse: `breaking` or `risky`.
    #[arg(long, value_name = "LEVEL", default_value = "breaking", value_parser = level)]
    pub(super) deny: Level,
    /// The CustomResourceDefinitions of the release before, as YAML or JSON, in a file or a folder, or `-` for standard input.
    #[arg(value_name = "OLD")]
    pub(super) older: PathBuf,
}

#[cfg(feature = "migrate")]
#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    /// Ask the API server to try each write, and to store nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Go on with the removal of this version, as far as it is safe, and say what to do next.
    #[arg(long, value_name = "VERSION")]
    pub(super) remove: Option<String>,
    /// How many objects may change in storage within a second, or 0 for as many as the API server takes.
    ///
    /// An object that is stored as it should be already doesn't count, but each one of a dry run does.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) qps: u32,
    /// How many objects are sent to the API server at a time.
    #[arg(long, value_name = "N", default_value = "8")]
    pub(super) concurrency: std::num::NonZeroU32,
    /// What the output is for: a bar and a sentence, or a line of JSON for each event.
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
    /// A PEM file with the certificate and its chain; a change is taken over.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(super) cert: Option<PathBuf>,
    /// A PEM file with the certificate's key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(super) key: Option<PathBuf>,
    /// Make a certificate for these names and addresses, and print its authority's: for development, unless it is shared in a Secret.
    ///
    /// Without names it is for localhost and the declared service.
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with = "key")]
    pub(super) self_signed: Option<Vec<String>>,
    /// Share the certificate with the other replicas in a Secret, and keep the CA bundle of the CustomResourceDefinitions current.
    ///
    /// The first replica makes it, and one of them makes a new one before it expires. Without names it is for the declared service alone.
    #[cfg(feature = "kube")]
    #[arg(long, value_name = "NAMESPACE/NAME", requires = "self_signed", conflicts_with = "cert", value_parser = secret)]
    pub(super) secret: Option<(String, String)>,
    /// The largest review, in bytes [default: 33554432].
    #[arg(long, value_name = "BYTES")]
    pub(super) max_body: Option<usize>,
    /// How many conversions run at a time [default: twice the number of cores, at least 8].
    #[arg(long, value_name = "N")]
    pub(super) max_conversions: Option<usize>,
    /// How many seconds to go on after SIGTERM, while Kubernetes finds out that the server isn't ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(super) withdrawal: u64,
    /// How many seconds requests then have to end.
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub(super) drain: u64,
    /// How to write the log.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(super) log_format: LogFormat,
    // Last, because its heading goes on to the end.
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
    /// What the report is for.
    #[arg(long, value_enum, default_value_t = Report::Text)]
    pub(super) format: Report,
    /// How many objects each law gets for each pair of versions.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) cases: u32,
    /// Another seed gives other objects, the same one the same.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// A file of your own objects to start from, or a folder of such files; may be given again.
    #[arg(long, value_name = "FILE")]
    pub(super) examples: Vec<PathBuf>,
    /// Only this law, such as edits-win; may be given again.
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

/// What is wrong with a key or a value beyond this is said of the finished document.
fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("it is KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(all(feature = "serve", feature = "kube"))]
fn secret(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
            Ok((namespace.to_owned(), name.to_owned()))
        }
        _ => Err("it is NAMESPACE/NAME".to_owned()),
    }
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "breaking" => Ok(Level::Breaking),
        "risky" => Ok(Level::Risky),
        _ => Err("it is `breaking` or `risky`".to_owned()),
    }
}

fn descriptions(text: &str) -> Result<Descriptions, String> {
    match text {
        "full" => Ok(Descriptions::Full),
        "summary" => Ok(Descriptions::Summary),
        "none" => Ok(Descriptions::None),
        _ => Err("it is `full`, `summary` or `none`".to_owned()),
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
