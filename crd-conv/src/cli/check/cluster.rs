//! The command `check --cluster`.

use std::{collections::BTreeMap, fmt::Write as _};

use kube::Client;
use serde_json::value::RawValue;

use super::{Check, Checked, json};
use crate::{
    ResourceType,
    cli::{
        args::{CheckArgs, ClusterArgs, ReportFormat},
        cluster,
        output::Output,
        progress,
    },
    migrate::{self, MigrationError, References},
};

/// Checks all objects in a cluster, or in the clusters of several contexts. Keeps at most one page
/// of them in memory.
pub(in crate::cli) fn run(
    resources: &[ResourceType],
    args: &CheckArgs,
    bar_is_wanted: bool,
) -> Result<Output, String> {
    let runtime = cluster::runtime()?;
    let one = |context: Option<&String>| {
        let context = context.cloned();
        let place = ClusterArgs { kubeconfig: args.kubeconfig.clone(), context };
        runtime.block_on(async {
            let client = cluster::connect(&place).await?;
            check(resources, &client, bar_is_wanted).await
        })
    };
    match &args.context[..] {
        contexts @ [_, _, ..] => {
            report(contexts.iter().map(|context| (context.as_str(), one(Some(context)))), args)
        }
        contexts => one(contexts.first())?.report(args),
    }
}

async fn check<'a>(
    resources: &'a [ResourceType],
    client: &Client,
    bar_is_wanted: bool,
) -> Result<Check<'a>, String> {
    let mut check = Check::new(resources);
    let bar = progress::bar(bar_is_wanted);
    for resource in resources {
        let name = resource.definition().crd_name();
        bar.set_message(name.clone());
        check.checked.entry(name.clone()).or_insert_with(|| Checked::new(resource));
        let pages = migrate::objects(client, resource).await;
        let mut pages = pages.map_err(|error| error.to_string())?;
        loop {
            let page = pages.next::<Box<RawValue>>().await;
            let page = page.map_err(|error| MigrationError::listing(&name, error).to_string());
            let Some(page) = page? else { break };
            bar.inc_length(page.items.len() as u64);
            if let Some(remaining) = page.remaining {
                bar.set_length(bar.position() + page.items.len() as u64 + remaining);
            }
            for item in page.items {
                check.document(&name, item.get());
                bar.inc(1);
            }
        }
        let found = References::to_old_versions(client, resource).await;
        let found = found.map_err(|error| error.to_string())?;
        if let Some(checked) = check.checked.get_mut(&name) {
            checked.references = Some(found).filter(|found| !found.versions.is_empty());
        }
    }
    bar.finish_and_clear();
    Ok(check)
}

/// The results for several clusters. One that can't be read hides no other.
fn report<'a>(
    checks: impl Iterator<Item = (&'a str, Result<Check<'a>, String>)>,
    args: &CheckArgs,
) -> Result<Output, String> {
    let mut all = Output::default();
    let mut checked = BTreeMap::new();
    for (context, check) in checks {
        let (code, said) = match check {
            Ok(check) => {
                // Writing to a string doesn't fail.
                let _ = write!(all.stdout, "context {context}\n\n{}\n", check.text());
                let verdict = check.verdict(args.strict);
                checked.insert(context, check.checked);
                verdict
            }
            Err(error) => (1, format!("error: {error}\n")),
        };
        all.code = all.code.max(code);
        for line in said.lines() {
            let _ = writeln!(all.stderr, "{}", line.replacen(": ", &format!(": {context}: "), 1));
        }
    }
    if args.format == ReportFormat::Json {
        all.stdout = json(&checked)?;
    }
    Ok(all)
}
