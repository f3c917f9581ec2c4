//! The arguments of the command `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::ValueEnum;

#[cfg(feature = "kube")]
use super::ClusterArgs;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("certificate").args(["cert", "self_signed"]).required(true)))]
pub(in crate::cli) struct ServeArgs {
    /// Where to listen, such as [::]:8443 for IPv6.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8443")]
    pub(in crate::cli) address: SocketAddr,
    /// Where to serve the probes and metrics over plain HTTP, too.
    #[arg(long, value_name = "ADDRESS")]
    pub(in crate::cli) probe_address: Option<SocketAddr>,
    /// The path of the conversions [default: the declared service's, else /convert].
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) path: Option<String>,
    /// A PEM file with the certificate and its chain; changes are loaded while the server runs.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(in crate::cli) cert: Option<PathBuf>,
    /// A PEM file with the certificate's key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(in crate::cli) key: Option<PathBuf>,
    /// Make a certificate for these names and addresses, and print its authority's certificate. Use it for development, unless it is shared
    /// in a Secret.
    ///
    /// Without names, the certificate is for localhost and the declared service.
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with = "key")]
    pub(in crate::cli) self_signed: Option<Vec<String>>,
    /// Share the certificate with the other replicas in a Secret, and keep the CA bundle of the CustomResourceDefinitions current.
    ///
    /// The first replica makes the certificate, and one of them replaces it before it expires. Without names, it is only for the declared
    /// service.
    #[cfg(feature = "kube")]
    #[arg(long, value_name = "NAMESPACE/NAME", requires = "self_signed", conflicts_with = "cert", value_parser = secret)]
    pub(in crate::cli) secret: Option<(String, String)>,
    /// The largest review, in bytes [default: 33554432].
    #[arg(long, value_name = "BYTES")]
    pub(in crate::cli) max_body: Option<usize>,
    /// How many conversions run at a time [default: twice the number of cores, at least 8].
    #[arg(long, value_name = "N")]
    pub(in crate::cli) max_conversions: Option<usize>,
    /// How many seconds to keep serving after SIGTERM, while Kubernetes finds out that the server isn't ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(in crate::cli) withdrawal: u64,
    /// How many seconds running requests then have to finish.
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub(in crate::cli) drain: u64,
    /// The format of the log.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) log_format: LogFormat,
    // This comes last, because its heading applies to all options after it.
    #[cfg(feature = "kube")]
    #[command(flatten)]
    pub(in crate::cli) cluster: ClusterArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct MonitoringArgs {
    /// What to print: a rule file as YAML, or a dashboard as JSON.
    #[arg(value_enum)]
    pub(in crate::cli) what: Monitoring,
    /// Print only the differences from FILE, and exit with 1 if there are any.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(in crate::cli) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) write: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Monitoring {
    Alerts,
    Dashboard,
}

#[cfg(feature = "kube")]
fn secret(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
            Ok((namespace.to_owned(), name.to_owned()))
        }
        _ => Err("write NAMESPACE/NAME".to_owned()),
    }
}
