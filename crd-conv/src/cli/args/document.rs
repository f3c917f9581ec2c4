//! The arguments that describe CustomResourceDefinitions.

use std::path::PathBuf;

use super::Format;
use crate::definition::Descriptions;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CrdArgs {
    /// The output's format [default: that of the file's extension, else YAML].
    #[arg(long, value_enum)]
    pub(in crate::cli) format: Option<Format>,
    /// Print only the differences from FILE, and exit with 1 if there are any.
    ///
    /// Comments, layout and the order of keys don't count as differences.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    pub(in crate::cli) check: Option<PathBuf>,
    /// Write to FILE instead of standard output, completely or not at all.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) write: Option<PathBuf>,
    /// Only this resource, named by its kind or its plural.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
    /// Print a template for a Helm chart. Its first lines list the values that it reads.
    ///
    /// The webhook's service, its CA bundle and whether Helm may delete the documents are values. The values' defaults are those of the release
    /// and of the other options.
    #[arg(long, conflicts_with_all = ["format", "policies", "types_only", "service_name", "service_namespace", "ca_bundle"])]
    pub(in crate::cli) helm: bool,
    #[command(flatten)]
    pub(in crate::cli) policies: PolicyArgs,
    /// Print nothing and exit with 1 if there is a warning, or if something wasn't checked.
    #[arg(long, conflicts_with = "policies")]
    pub(in crate::cli) strict: bool,
    /// Print only what the types say, to compare with the file that they were imported from.
    ///
    /// Leaves out `status.conversionEntries` and, unless a webhook is declared, the conversion stanza. Don't apply such a document if the versions
    /// differ.
    #[arg(long, conflicts_with = "policies")]
    pub(in crate::cli) types_only: bool,
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,
}

/// Admission policies in place of the CustomResourceDefinitions.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PolicyArgs {
    /// Print admission policies instead of the CustomResourceDefinitions.
    ///
    /// They refuse changes to the annotations that conversions write, and other annotations that leave no room for those.
    #[arg(long)]
    pub(in crate::cli) policies: bool,
    /// A user who may change those annotations, such as system:serviceaccount:backup:restore; can be repeated.
    #[arg(long = "carrier-writer", value_name = "USER", requires = "policies")]
    pub(in crate::cli) carrier_writers: Vec<String>,
    /// Also print policies that warn clients who write fields that the newest version renames, moves or removes.
    ///
    /// The warning names the field of the newest version, and no write is refused. kubectl shows such warnings.
    #[arg(long, requires = "policies")]
    pub(in crate::cli) warn_fields: bool,
}

/// What a CustomResourceDefinition says beyond the resource.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DocumentArgs {
    /// How much of the types' doc comments to put into the schemas: `full`, `summary` or `none` [default: what the program declares].
    #[arg(long, value_name = "MUCH", value_parser = descriptions)]
    pub(in crate::cli) descriptions: Option<Descriptions>,
    /// A label for the CustomResourceDefinitions, in addition to those that the program declares; can be repeated.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = pair)]
    pub(in crate::cli) labels: Vec<(String, String)>,
    /// An annotation for the CustomResourceDefinitions, such as cert-manager.io/inject-ca-from=NAMESPACE/CERTIFICATE; can be repeated.
    #[arg(long = "annotation", value_name = "KEY=VALUE", value_parser = pair)]
    pub(in crate::cli) annotations: Vec<(String, String)>,
    #[command(flatten)]
    pub(in crate::cli) webhook: WebhookArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Conversion webhook")]
pub(in crate::cli) struct WebhookArgs {
    /// The name of the webhook's service.
    #[arg(long, value_name = "NAME", conflicts_with = "url")]
    pub(in crate::cli) service_name: Option<String>,
    /// The namespace of the webhook's service.
    #[arg(long, value_name = "NAMESPACE", conflicts_with = "url")]
    pub(in crate::cli) service_namespace: Option<String>,
    /// The port of the webhook's service; without this, the API server uses 443.
    #[arg(long, value_name = "PORT", conflicts_with = "url", value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) service_port: Option<u16>,
    /// The path at the webhook's service [default: /convert].
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    pub(in crate::cli) service_path: Option<String>,
    /// The webhook's URL, if it runs outside the cluster.
    #[arg(long)]
    pub(in crate::cli) url: Option<String>,
    /// A PEM file with the certificates that the webhook's certificate is checked against.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) ca_bundle: Option<PathBuf>,
    /// A version of `ConversionReview` that the webhook answers; can be repeated, the most preferred first [default: v1, v1beta1].
    #[arg(long = "review-version", value_name = "VERSION")]
    pub(in crate::cli) review_versions: Vec<String>,
}

/// Reads `KEY=VALUE`. Other mistakes in the key or the value are reported for the finished document.
fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

fn descriptions(text: &str) -> Result<Descriptions, String> {
    match text {
        "full" => Ok(Descriptions::Full),
        "summary" => Ok(Descriptions::Summary),
        "none" => Ok(Descriptions::None),
        _ => Err("write `full`, `summary` or `none`".to_owned()),
    }
}
