//! What works on CustomResourceDefinitions of any program.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_conv::cli::run_plain()
}
