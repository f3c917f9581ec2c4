//! The command `install`.

use std::fmt::Write as _;
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{Api, Client};

use super::{
    args::InstallArgs,
    choice::chosen,
    cluster::{connect, runtime},
    crds::{options, webhook},
    output::Output,
};
use crate::{
    ResourceType,
    cluster::{Install, InstallError, Probe, said},
    crd::Webhook,
};

pub(super) fn run(
    resources: &[ResourceType],
    declared: Option<Webhook>,
    args: &InstallArgs,
) -> Result<Output, String> {
    let webhook = webhook(declared, &args.document.webhook)?;
    let options = options(webhook.clone(), &args.document);
    let mut installs = Vec::new();
    let mut errors = Vec::new();
    for resource in chosen(resources, args.resource.as_deref())? {
        match Install::new(ResourceType::new(resource.definition()), &options) {
            Ok(install) => installs.push(with_args(install, args)),
            Err(error) => errors.push(error.to_string()),
        }
    }
    if !errors.is_empty() {
        return Err(errors.join("\nerror: "));
    }
    runtime()?.block_on(async {
        let client = connect(&args.cluster).await?;
        if args.probe || args.probe_url.is_some() {
            let webhook = webhook.unwrap_or_default();
            let mut probed = Vec::new();
            for install in installs {
                let probe = probe(&client, &webhook, install.name(), args).await?;
                probed.push(install.probe(probe));
            }
            installs = probed;
        }
        apply(&client, &installs, args).await
    })
}

fn with_args(install: Install, args: &InstallArgs) -> Install {
    let install =
        install.field_manager(&args.field_manager).patience(Duration::from_secs(args.timeout));
    let install = args.take_away.iter().fold(install, Install::take_away);
    if args.force_conflicts { install.take_over() } else { install }
}

async fn apply(
    client: &Client,
    installs: &[Install],
    args: &InstallArgs,
) -> Result<Output, String> {
    let notes = installs.iter().filter_map(|install| {
        let note = install.note()?;
        Some(format!("note: {}: {note}\n", install.name()))
    });
    let notes: String = notes.collect();
    // All installations are tried before the first one changes anything.
    let mut changes = Vec::new();
    for install in installs {
        changes.push(install.dry_run(client).await.map_err(in_words)?);
    }
    let mut done = String::new();
    for (install, change) in installs.iter().zip(changes) {
        if !args.dry_run
            && let Err(error) = install.apply(client).await
        {
            let before = done.lines().collect::<Vec<_>>().join(", ");
            let before =
                if before.is_empty() { before } else { format!("; done before that: {before}") };
            return Err(in_words(error) + &before);
        }
        let mark = if args.dry_run { " (dry run)" } else { "" };
        // Writing to a string doesn't fail.
        let _ = writeln!(done, "{} {change}{mark}", install.name());
    }
    Ok(Output { stderr: notes, ..Output::from(done) })
}

/// Describes an error, with the command line's options as remedies.
fn in_words(error: InstallError) -> String {
    match error {
        InstallError::Conflict { name, message } => format!(
            "another field manager has set fields of {name} to something else: {message}; let only one program own it, give the name of \
             that manager with `--field-manager`, or take over the fields with `--force-conflicts`"
        ),
        InstallError::TakesAway { ref taken, .. } => {
            let options = taken.iter().map(|taken| format!("--take-away {taken}"));
            let options = options.collect::<Vec<_>>().join(" ");
            let mut said = String::new();
            // Writing to a string doesn't fail.
            let _ = error.taken_away(&mut said, &options);
            said
        }
        InstallError::Probe(error) => format!(
            "{error}; from outside the cluster, forward a port of the service and give `--probe-url https://127.0.0.1:PORT/PATH`"
        ),
        error => error.to_string(),
    }
}

async fn probe(
    client: &Client,
    webhook: &Webhook,
    name: &str,
    args: &InstallArgs,
) -> Result<Probe, String> {
    let mut probe = Probe::of(webhook);
    if let Some(url) = &args.probe_url {
        probe = Probe::url(url);
        if let Some(bundle) = &webhook.ca_bundle {
            probe = probe.ca_bundle(bundle.clone());
        }
        if let Webhook { service_name: Some(name), service_namespace: Some(namespace), .. } =
            webhook
        {
            probe = probe.server_name(format!("{name}.{namespace}.svc"));
        }
    }
    if webhook.ca_bundle.is_some() {
        return Ok(probe);
    }
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let found = crds.get_opt(name).await;
    let found = found.map_err(|error| format!("can't read {name}: {}", said(&error)))?;
    let bundle = found.and_then(|crd| crd.spec.conversion?.webhook?.client_config?.ca_bundle);
    Ok(match bundle {
        Some(bundle) => probe.ca_bundle(bundle.0),
        None => probe,
    })
}
