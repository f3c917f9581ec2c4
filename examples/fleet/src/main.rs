//! The program beside the controller: prints the CRD, explains the mapping, converts objects, answers reviews.

use std::process::ExitCode;

use crd_conv::{ResourceType, cli::Cli, crd::Webhook};
use fleet::Fleet;

fn main() -> ExitCode {
    Cli::new([ResourceType::of::<Fleet>()])
        .webhook(Webhook::service("fleet-system", "fleet-conversion"))
        .run()
}
