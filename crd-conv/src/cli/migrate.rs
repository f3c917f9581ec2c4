//! The command `migrate`.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use indicatif::ProgressBar;
use kube::Client;
use serde::Serialize;

use super::{
    args::{MigrateArgs, ReportFormat},
    choice::chosen,
    cluster,
    output::{Output, Streams},
    progress, references,
};
use crate::ResourceType;
use crate::migrate::{
    Event, Migration, MigrationError, MigrationReport, References, Removal, RemovalStep,
};

/// The number of objects between two lines of progress for programs.
const STRIDE: u64 = 100;

pub(super) fn run(
    resources: &[ResourceType],
    args: &MigrateArgs,
    bar_is_wanted: bool,
    streams: &mut Streams<'_>,
) -> Result<Output, String> {
    let chosen = chosen(resources, args.resource.as_deref())?;
    if args.remove.is_some() && chosen.len() > 1 {
        return Err("`--remove` needs `--resource`: this program has several resources".to_owned());
    }
    cluster::runtime()?.block_on(async {
        let client = cluster::connect(&args.cluster).await?;
        let mut code = 0;
        for resource in chosen {
            let bar = progress::bar(bar_is_wanted && args.format == ReportFormat::Text);
            let mut told = Told { format: args.format, bar, streams: &mut *streams };
            let outcome = one(&client, resource, args, &mut told).await;
            told.bar.finish_and_clear();
            code = code.max(told.finish(outcome));
        }
        Ok(Output { code, ..Output::default() })
    })
}

/// The outcome for a resource.
#[derive(Serialize)]
struct Done {
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<MigrationReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removal: Option<RemovalStep>,
    /// The references to the removed version.
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<References>,
}

async fn one(
    client: &Client,
    resource: &ResourceType,
    args: &MigrateArgs,
    told: &mut Told<'_, '_>,
) -> Result<Done, MigrationError> {
    let mut migration =
        Migration::new(ResourceType::new(resource.definition())).concurrency(args.concurrency);
    if let Some(rate) = NonZeroU32::new(args.qps) {
        migration = migration.rate(rate);
    }
    if args.dry_run {
        migration = migration.dry_run();
    }
    let observer = |event: Event<'_>| told.event(event);
    let Some(version) = &args.remove else {
        let report = Some(migration.run(client, observer).await?);
        return Ok(Done { report, removal: None, references: None });
    };
    let (step, report) = Removal::new(migration, version).run(client, observer).await?;
    let references = References::to_version(client, resource, version).await?;
    Ok(Done { report, removal: Some(step), references: Some(references) })
}

/// Reports events.
struct Told<'a, 'b> {
    format: ReportFormat,
    bar: ProgressBar,
    streams: &'a mut Streams<'b>,
}

/// The last line for programs.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Last<'a> {
    Finished(&'a Done),
    Error {
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        report: Option<&'a MigrationReport>,
    },
}

impl Told<'_, '_> {
    fn event(&mut self, event: Event<'_>) {
        if self.format == ReportFormat::Json {
            let is_between =
                matches!(event, Event::Progress { done, .. } if !done.is_multiple_of(STRIDE));
            if !is_between {
                self.json(&event);
            }
            return;
        }
        match event {
            Event::Started { resource, storage, .. } => {
                self.bar.set_message(format!("{resource} into {storage}"));
            }
            Event::Progress { done, total } => {
                if let Some(total) = total {
                    self.bar.set_length(total);
                }
                self.bar.set_position(done);
            }
            Event::Failed { object, reason, .. } => {
                let stderr = &mut self.streams.stderr;
                // If standard error is closed, the report and the exit code still tell the outcome.
                self.bar.suspend(|| drop(writeln!(stderr, "{object}: {reason}")));
            }
        }
    }

    /// Reports the outcome. Returns the exit code.
    fn finish(&mut self, outcome: Result<Done, MigrationError>) -> u8 {
        let failed = outcome.is_err();
        // A reader that closed standard output has read enough, and the exit code still tells the
        // outcome.
        match (self.format, outcome) {
            (ReportFormat::Json, Ok(done)) => self.json(&Last::Finished(&done)),
            (ReportFormat::Json, Err(error)) => {
                let report = match &error {
                    MigrationError::Objects { report, .. } => Some(&**report),
                    _ => None,
                };
                self.json(&Last::Error { message: error.to_string(), report });
            }
            (ReportFormat::Text, Ok(Done { report, removal, references })) => {
                let mut said = report.as_ref().map(text).unwrap_or_default();
                if let Some(found) = &references {
                    references::text(found, &mut said, "");
                }
                let _ = self.streams.stdout.write_all(said.as_bytes());
                if let Some(step) = removal {
                    let _ = writeln!(self.streams.stdout, "{step}");
                }
            }
            (ReportFormat::Text, Err(error)) => {
                let _ = writeln!(self.streams.stderr, "error: {error}");
            }
        }
        let _ = self.streams.stdout.flush();
        u8::from(failed)
    }

    fn json(&mut self, line: &impl Serialize) {
        if let Ok(line) = serde_json::to_string(line) {
            let stdout = &mut self.streams.stdout;
            let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        }
    }
}

fn text(report: &MigrationReport) -> String {
    let MigrationReport { resource, storage, objects, stored_versions, .. } = report;
    let mut text = format!("{resource}: {objects} objects, ");
    for (count, what) in [
        (report.rewritten_at_most.map(|count| format!("up to {count}")), "would be rewritten"),
        (report.rewritten.map(|count| count.to_string()), "rewritten, "),
        (report.unchanged.map(|count| count.to_string()), "already stored in the right form"),
    ] {
        // Writing to a string doesn't fail.
        let _ = count.map(|count| write!(text, "{count} {what}"));
    }
    text += "\n";
    let removed = if report.dry_run { "would be removed" } else { "removed" };
    for (count, what) in [
        (report.gone, "deleted in the meantime"),
        (report.managed_fields_cleaned, "with field owners in a version that is removed"),
        (report.annotations_removed, &*format!("annotations of that version {removed}")),
    ] {
        if count > 0 {
            let _ = writeln!(text, "  {count} {what}");
        }
    }
    let _ = if !report.dry_run {
        writeln!(text, "  all are stored in {storage}, and `status.storedVersions` says so")
    } else if stored_versions == std::slice::from_ref(storage) {
        writeln!(
            text,
            "  `status.storedVersions` names only {storage}; a write may still change an object, for example because of a new default or a failed \
             `StorageVersionMigration`\n  nothing was stored"
        )
    } else {
        writeln!(
            text,
            "  `status.storedVersions` names {}, and the API server doesn't show in which of them an object is stored\n  nothing was stored",
            stored_versions.join(", ")
        )
    };
    text
}
