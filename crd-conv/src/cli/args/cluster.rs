//! The arguments of the commands that change a cluster.

use std::path::PathBuf;

#[cfg(feature = "migrate")]
use super::ReportFormat;
use super::document::DocumentArgs;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InstallArgs {
    /// Let the API server check everything, and change nothing.
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// The name under which the API server records the owner of these fields. Keep it the same in every release.
    #[arg(long, value_name = "NAME", default_value = "crd-conv")]
    pub(in crate::cli) field_manager: String,
    /// Take over fields that another manager, such as an earlier `kubectl apply` of a file, has set to something else.
    #[arg(long)]
    pub(in crate::cli) force_conflicts: bool,
    /// Remove what the cluster has and this program doesn't, such as v1alpha1, v1beta1.spec.owner, v1/scale or storage; can be repeated.
    ///
    /// Without this, a program changes nothing if it is older than the one that installed the CustomResourceDefinitions.
    #[arg(long, value_name = "WHAT")]
    pub(in crate::cli) take_away: Vec<String>,
    /// How many seconds the API server has to serve each CustomResourceDefinition.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(in crate::cli) timeout: u64,
    /// Before anything changes, ask the webhook for conversions at the name of its service. This works only inside the cluster.
    ///
    /// The webhook's certificate is checked against the given CA bundle, else against the one in the cluster.
    #[arg(long)]
    pub(in crate::cli) probe: bool,
    /// Like `--probe`, but at another URL, such as that of a forwarded port; the certificate is still the service's.
    #[arg(long, value_name = "URL", conflicts_with = "probe")]
    pub(in crate::cli) probe_url: Option<String>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,
    #[command(flatten)]
    pub(in crate::cli) cluster: ClusterArgs,
}

/// Which cluster.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(in crate::cli) struct ClusterArgs {
    /// The kubeconfig [default: what KUBECONFIG names, else ~/.kube/config, else that of the Pod].
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: its current one].
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) context: Option<String>,
}

#[cfg(feature = "migrate")]
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct MigrateArgs {
    /// Ask the API server to try each write, and to store nothing.
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Continue the removal of this version as far as it is safe, and say what to do next.
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) remove: Option<String>,
    /// How many objects may change in storage per second, or 0 for as many as the API server accepts.
    ///
    /// Objects that are already stored in the right form don't count. In a dry run, every object counts.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(in crate::cli) qps: u32,
    /// How many objects are sent to the API server at a time.
    #[arg(long, value_name = "N", default_value = "8")]
    pub(in crate::cli) concurrency: std::num::NonZeroU32,
    /// The output's format: a progress bar and a sentence, or a line of JSON for each event.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(in crate::cli) format: ReportFormat,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) cluster: ClusterArgs,
}
