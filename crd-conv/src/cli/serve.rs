//! The command `serve`.

use std::io::{self, IsTerminal};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::{
    args::{LogFormat, ServeArgs},
    output::{Output, Streams},
};
use crate::{
    ResourceType,
    crd::Webhook,
    server::{Limits, SelfSigned, Server},
};

/// How long a conversion may still run after the server has stopped. Nothing waits for its result.
const REST: Duration = Duration::from_millis(100);

pub(super) fn run(
    resources: Vec<ResourceType>,
    declared: Option<&Webhook>,
    args: &ServeArgs,
    streams: &mut Streams<'_>,
) -> Result<Output, String> {
    let certificate = self_signed(declared, args)?;
    let server = server(resources, declared, args, certificate.as_ref());
    log_to_stderr(args.log_format);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime: Runtime = runtime.map_err(|error| format!("can't start threads: {error}"))?;
    let outcome = runtime.block_on(async {
        #[cfg(feature = "kube")]
        let server = shared(server, declared, args).await?;
        let bound = server.bind().await.map_err(|error| error.to_string())?;
        if let Some(certificate) = &certificate {
            print(certificate, streams);
        }
        bound.serve().await.map_err(|error| error.to_string())
    });
    // A conversion that never ends must not keep the process alive.
    runtime.shutdown_timeout(REST);
    outcome.map(|()| Output::default())
}

fn server(
    resources: Vec<ResourceType>,
    declared: Option<&Webhook>,
    args: &ServeArgs,
    certificate: Option<&SelfSigned>,
) -> Server {
    let mut limits = Limits::default();
    if let Some(bytes) = args.max_body {
        limits.body_bytes = bytes;
        limits.buffered_bytes = limits.buffered_bytes.max(bytes);
    }
    limits.conversions = args.max_conversions.unwrap_or(limits.conversions);
    let mut server = Server::new(resources)
        .address(args.address)
        .limits(limits)
        .withdrawal(Duration::from_secs(args.withdrawal))
        .drain_limit(Duration::from_secs(args.drain));
    if let Some(address) = args.probe_address {
        server = server.probe_address(address);
    }
    if let Some(path) = path(declared, args) {
        server = server.path(path);
    }
    if let (Some(certificate), Some(key)) = (&args.cert, &args.key) {
        server = server.certificate_files(certificate, key);
    }
    match certificate {
        Some(certificate) => server.self_signed(certificate),
        None => server,
    }
}

/// The path on the command line, otherwise the one in the declared webhook.
fn path<'a>(declared: Option<&'a Webhook>, args: &'a ServeArgs) -> Option<&'a str> {
    let declared = declared.and_then(|webhook| webhook.service_path.as_deref());
    args.path.as_deref().or(declared)
}

fn self_signed(declared: Option<&Webhook>, args: &ServeArgs) -> Result<Option<SelfSigned>, String> {
    let Some(names) = &args.self_signed else { return Ok(None) };
    #[cfg(feature = "kube")]
    if args.secret.is_some() {
        return Ok(None);
    }
    let mut names = names.clone();
    if names.is_empty() {
        names.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
        if let Some(Webhook {
            service_name: Some(name), service_namespace: Some(namespace), ..
        }) = declared
        {
            names.push(format!("{name}.{namespace}.svc"));
        }
    }
    SelfSigned::new(names).map(Some).map_err(|error| error.to_string())
}

/// Uses the certificate that all replicas share, if it is in a Secret.
#[cfg(feature = "kube")]
async fn shared(
    server: Server,
    declared: Option<&Webhook>,
    args: &ServeArgs,
) -> Result<Server, String> {
    let Some((namespace, name)) = &args.secret else { return Ok(server) };
    let client = super::cluster::connect(&args.cluster).await?;
    let mut secret = crate::cluster::CertificateSecret::new(client, namespace, name);
    let names = args.self_signed.clone().unwrap_or_default();
    if let (true, Some(declared)) = (names.is_empty(), declared) {
        secret = secret.webhook(declared);
    }
    Ok(server.certificate_secret(secret.names(names)))
}

/// Prints the certificate. A program that reads PEM ignores everything except the PEM.
fn print(certificate: &SelfSigned, streams: &mut Streams<'_>) {
    let authority = certificate.authority();
    let text = format!(
        "# The authority's certificate as PEM, for `crd --ca-bundle FILE`:\n{authority}\
         # The same for `spec.conversion.webhook.clientConfig` of a CustomResourceDefinition:\ncaBundle: {}\n",
        BASE64_STANDARD.encode(authority)
    );
    // The server runs even if nobody reads this.
    let _ = streams.stdout.write_all(text.as_bytes()).and_then(|()| streams.stdout.flush());
}

/// Logs to standard error, unless the author has installed a subscriber.
fn log_to_stderr(format: LogFormat) {
    let filter =
        EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    let _ = match format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().flatten_event(true).try_init(),
    };
}
