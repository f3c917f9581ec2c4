//! The same program for the CronTab with defaults, rules and a scale subresource.

use std::process::ExitCode;

use crd_conv::{ResourceType, cli::Cli, crd::Webhook};
use crontab::stable::CronTab;

fn main() -> ExitCode {
    Cli::new([ResourceType::of::<CronTab>()])
        .webhook(Webhook::service("default", "stable-conversion-webhook-server"))
        .run()
}
