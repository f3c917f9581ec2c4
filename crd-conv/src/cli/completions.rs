//! The command `completions`.

use super::{args::CompletionsArgs, output::Output};

/// Returns the script that completes the commands of a program with this name in a shell.
pub(super) fn run(
    CompletionsArgs { shell }: CompletionsArgs,
    mut command: clap::Command,
    name: &str,
) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    Output::from(String::from_utf8_lossy(&script).into_owned())
}
