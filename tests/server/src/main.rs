//! The command line of an author's binary.

use std::process::ExitCode;

use crd_conv::ResourceType;
use crd_conv::cli::Cli;
use crd_conv::crd::Webhook;
use crd_conv_server_tests::Gate;

fn main() -> ExitCode {
    Cli::new([ResourceType::of::<Gate>()])
        .webhook(Webhook::service("default", "gates").path("/gates"))
        .run()
}
