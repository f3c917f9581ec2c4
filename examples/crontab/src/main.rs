//! Prints the CRD, explains the mapping, converts objects, answers reviews.

use std::process::ExitCode;

use crd_conv::{ResourceType, cli::Cli, crd::Webhook};
use crontab::CronTab;

fn main() -> ExitCode {
    Cli::new([ResourceType::of::<CronTab>()])
        .webhook(
            Webhook::service("default", "example-conversion-webhook-server").path("/crdconvert"),
        )
        .run()
}
