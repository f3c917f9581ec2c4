//! The operator's program: `run` is what the Deployment starts, the other commands are for its developers and administrators.

use std::process::ExitCode;

use clap::Parser;
use crd_conv::{ResourceType, cli::Cli};
use operator::{MaintenanceWindow, Run, start, webhook};

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|command| command == "run") {
        return start(&Run::parse_from(std::env::args_os().skip(1)));
    }
    Cli::new([ResourceType::of::<MaintenanceWindow>()]).webhook(webhook()).run()
}
