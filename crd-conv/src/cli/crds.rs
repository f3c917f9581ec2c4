//! The command `crd`.

use std::{fmt::Write as _, fs, path::Path};

use serde::Serialize;
use serde_json::Value;

use super::{
    args::{CrdArgs, DocumentArgs, Format, WebhookArgs},
    choice::chosen,
    explain::mappings,
    files::{check, write},
    helm,
    hints::hints,
    input,
    output::Output,
    policies::policies,
    status,
    verify::STRICT,
};
use crate::{
    ResourceType,
    crd::{self, Crd, CrdOptions, Webhook},
    diff::refusals,
};

pub(super) fn run(
    resources: &[ResourceType],
    declared: Option<Webhook>,
    args: &CrdArgs,
) -> Result<Output, String> {
    let mut address = webhook(declared, &args.document.webhook)?;
    if args.helm {
        address = Some(helm::webhook(address));
    }
    let mut options = options(address.clone(), &args.document);
    options.types_only = args.types_only;
    let file = args.check.as_deref().or(args.write.as_deref());
    let is_json =
        |file: &Path| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let format = args
        .format
        .unwrap_or_else(|| if file.is_some_and(is_json) { Format::Json } else { Format::Yaml });
    let chosen = chosen(resources, args.resource.as_deref())?;
    let Generated { text, notes, doubted } = if args.policies.policies {
        let text = documents(&policies(&chosen, &args.policies)?, format)?;
        Generated { text, ..Generated::default() }
    } else {
        generate(&chosen, &options, |crds| match address.filter(|_| args.helm) {
            Some(webhook) => helm::template(crds, &webhook),
            None => documents(&crds, format),
        })?
    };
    let mut output = if args.strict && doubted > 0 {
        let all = chosen.len();
        let stderr = format!("error: {doubted} of {all} CustomResourceDefinitions {STRICT}\n");
        Output { code: 1, stderr, ..Output::default() }
    } else if let Some(file) = &args.check {
        // A template isn't YAML.
        let meaning = |text: &str| if args.helm { None } else { meaning(text, format) };
        check(file, &text, meaning, |_| String::new())?
    } else if let Some(file) = &args.write {
        write(file, &text)?
    } else {
        Output::from(text)
    };
    output.stderr.insert_str(0, &notes);
    Ok(output)
}

/// The options for the documents from the command line.
pub(super) fn options(webhook: Option<Webhook>, args: &DocumentArgs) -> CrdOptions {
    let mut options = CrdOptions { descriptions: args.descriptions, ..CrdOptions::new() };
    if let Some(webhook) = webhook {
        options = options.webhook(webhook);
    }
    options.labels.extend(args.labels.iter().cloned());
    options.annotations.extend(args.annotations.iter().cloned());
    options
}

#[derive(Default)]
struct Generated {
    text: String,
    /// Warnings, what wasn't checked, and possible mistakes in the mapping.
    notes: String,
    /// How many documents have warnings, or parts that weren't checked.
    doubted: usize,
}

fn generate(
    resources: &[&ResourceType],
    options: &CrdOptions,
    write: impl FnOnce(Vec<Crd>) -> Result<String, String>,
) -> Result<Generated, String> {
    let mut errors = Vec::new();
    let (mut crds, mut notes, mut doubted) = (Vec::new(), String::new(), 0);
    for resource in resources {
        let crd = match resource.crd(options) {
            Ok(crd) => crd,
            Err(error) => {
                errors.push(error.to_string());
                continue;
            }
        };
        let report = crd.verify();
        doubted += usize::from(!report.is_beyond_doubt());
        for warning in &report.warnings {
            // Writing to a string doesn't fail.
            let _ = writeln!(notes, "warning: {}: {warning}", report.name);
        }
        for unchecked in report.unchecked_in_short() {
            let _ = writeln!(notes, "note: {}: {unchecked}", report.name);
        }
        let tree = crd.to_tree();
        let known = |from: &str, to: &str| mappings(resource, from, to);
        let mut hints = hints(resource.definition());
        hints.extend(status::notes(resource));
        hints.extend(crd::notes(resource, &crd));
        hints.extend(crd::preference(resource.definition()));
        hints.extend(refusals(&tree, &known));
        for hint in hints {
            let _ = writeln!(notes, "note: {}: {hint}", report.name);
        }
        crds.push(crd);
    }
    if errors.is_empty() {
        Ok(Generated { text: write(crds)?, notes, doubted })
    } else {
        Err(errors.join("\nerror: "))
    }
}

/// The documents of a text without comments, in a fixed layout and with sorted keys.
fn meaning(text: &str, format: Format) -> Option<String> {
    let found = input::documents(text.as_bytes()).ok()?.0;
    let found: Result<Vec<Value>, _> =
        found.iter().map(|document| serde_json::from_str(document)).collect();
    let mut found = found.ok()?;
    found.retain(|document| !document.is_null());
    documents(&found, format).ok()
}

fn documents<T: Serialize>(all: &[T], format: Format) -> Result<String, String> {
    let texts = all.iter().map(|document| match format {
        Format::Yaml => crate::yaml::to_string(document).map_err(|error| error.to_string()),
        Format::Json => serde_json::to_string_pretty(document)
            .map(|text| text + "\n")
            .map_err(|error| error.to_string()),
    });
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    Ok(texts.join(if matches!(format, Format::Yaml) { "---\n" } else { "" }))
}

/// The webhook that the program declares, with the command line's options applied.
pub(super) fn webhook(
    declared: Option<Webhook>,
    args: &WebhookArgs,
) -> Result<Option<Webhook>, String> {
    let names_service = args.service_name.is_some()
        || args.service_namespace.is_some()
        || args.service_port.is_some()
        || args.service_path.is_some();
    let names_any = names_service
        || args.url.is_some()
        || args.ca_bundle.is_some()
        || !args.review_versions.is_empty();
    if declared.is_none() && !names_any {
        return Ok(None);
    }
    let mut webhook = declared.unwrap_or_default();
    if let Some(url) = &args.url {
        let Webhook { ca_bundle, review_versions, .. } = webhook;
        webhook =
            Webhook { url: Some(url.clone()), ca_bundle, review_versions, ..Webhook::default() };
    }
    if names_service {
        webhook.url = None;
    }
    let Webhook { service_name, service_namespace, service_path, service_port, .. } = &mut webhook;
    for (own, option) in [
        (service_name, &args.service_name),
        (service_namespace, &args.service_namespace),
        (service_path, &args.service_path),
    ] {
        if option.is_some() {
            own.clone_from(option);
        }
    }
    *service_port = args.service_port.or(*service_port);
    if let Some(file) = &args.ca_bundle {
        let pem = fs::read(file)
            .map_err(|error| format!("can't read the CA bundle `{}`: {error}", file.display()))?;
        webhook.ca_bundle = Some(pem);
    }
    if !args.review_versions.is_empty() {
        webhook.review_versions = Some(args.review_versions.clone());
    }
    Ok(Some(webhook))
}
