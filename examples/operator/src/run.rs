//! Webhook and controller in one process.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crd_conv::ResourceType;
use crd_conv::cluster::CertificateSecret;
use crd_conv::crd::Webhook;
use crd_conv::server::{Server, ServerError};
use kube::Client;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::{MaintenanceWindow, NAMESPACE, SERVICE, controller};

/// Serves the conversions and runs the controller.
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "operator run")]
#[command(group(clap::ArgGroup::new("certificate").args(["cert", "secret"]).required(true)))]
pub struct Run {
    /// Where to serve conversions.
    #[arg(long, default_value = "0.0.0.0:8443")]
    pub address: SocketAddr,
    /// Where to serve probes and metrics.
    #[arg(long, default_value = "0.0.0.0:8080")]
    pub probe_address: SocketAddr,
    /// A PEM file with the certificate, as cert-manager writes it.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// A PEM file with the certificate's key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    /// The Secret in which the replicas share a certificate of their own, in the namespace of the Service.
    #[arg(long, value_name = "NAME", conflicts_with = "cert")]
    pub secret: Option<String>,
    /// The Service of the certificate, if it isn't the one in `deploy`.
    #[arg(long, value_name = "NAMESPACE/NAME", requires = "secret", value_parser = service)]
    pub service: Option<(String, String)>,
    /// More names and addresses for that certificate.
    #[arg(long, value_name = "NAME", requires = "secret")]
    pub certificate_name: Vec<String>,
}

/// The command: logs to standard error as JSON, and works with the cluster of the pod, or of kubectl.
#[tokio::main]
pub async fn start(options: &Run) -> ExitCode {
    let filter =
        EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .init();
    let client = match Client::try_default().await {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "there is no cluster");
            return ExitCode::FAILURE;
        }
    };
    match run(client, options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "can't serve");
            ExitCode::FAILURE
        }
    }
}

/// Runs until the process is told to stop.
///
/// # Errors
///
/// If the webhook can't start.
pub async fn run(client: Client, options: &Run) -> Result<(), ServerError> {
    let mut server = Server::new([ResourceType::of::<MaintenanceWindow>()])
        .address(options.address)
        .probe_address(options.probe_address);
    if let (Some(certificate), Some(key)) = (&options.cert, &options.key) {
        server = server.certificate_files(certificate, key);
    }
    if let Some(secret) = &options.secret {
        let (namespace, name) = options
            .service
            .as_ref()
            .map_or((NAMESPACE, SERVICE), |(space, name)| (space.as_str(), name.as_str()));
        let secret = CertificateSecret::new(client.clone(), namespace, secret)
            .webhook(&Webhook::service(namespace, name))
            .names(options.certificate_name.iter().cloned());
        server = server.certificate_secret(secret);
    }
    // The controller lists at one version, for which the API server asks the webhook: that comes first.
    let webhook = server.bind().await?;
    let (served, ()) = tokio::join!(webhook.serve(), controller::run(client));
    served
}

fn service(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
            Ok((namespace.to_owned(), name.to_owned()))
        }
        _ => Err("write NAMESPACE/NAME".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::Run;

    #[test]
    fn a_service_has_a_namespace_and_a_name() {
        let with = |service| Run::try_parse_from(["run", "--secret=tls", "--service", service]);
        let run = with("space/name").expect("a service");
        assert_eq!(run.service, Some(("space".to_owned(), "name".to_owned())));
        for wrong in ["name", "/name", "space/"] {
            let error = with(wrong).expect_err(wrong).to_string();
            assert!(error.contains("write NAMESPACE/NAME"), "{error}");
        }
    }
}
