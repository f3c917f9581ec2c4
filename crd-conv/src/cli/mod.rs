//! The command line of your own program.
//!
//! With one line, your program has the commands `crd`, `convert`, `check`, `review`, `explain`, `verify` and `diff`, for any
//! number of resources:
//!
//! ```no_run
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
//! use std::process::ExitCode;
//!
//! use crd_conv::ResourceType;
//!
//! fn main() -> ExitCode {
//!     crd_conv::cli::run([ResourceType::of::<Box>()])
//! }
//! ```
//!
//! Every command prints its result on standard output. If a command fails, it prints nothing there. Then one sentence on standard
//! error says why, and the exit code is 1. If the command line is invalid, the exit code is 2.
//!
//! On a terminal, the output has colors, unless the variable `NO_COLOR` is set. If the table of `explain` is wider than the terminal,
//! `explain` prints a list instead. All other output is plain text.
//!
//! These features add more commands:
//!
//! - `roundtrip` adds `roundtrip`, which checks the laws of conversion on random objects. An operator in production doesn't need it.
//! - `serve` adds `serve`, which serves the conversion webhook over HTTPS, and `monitoring`, which prints alerts and a dashboard for its
//!   metrics. See [the server](crate::server).
//! - `kube` adds `install`, which creates or updates the CustomResourceDefinitions in a cluster, and `serve --secret`, which keeps a
//!   certificate in a cluster.
//! - `migrate` adds `migrate`, which rewrites the objects of a cluster in the storage version and removes versions, and
//!   `check --cluster`. See [the guide](crate::guide::migrate).
//!
//! `completions` prints a script that completes the commands in a shell. If you parse the command line yourself, use `clap_complete`
//! for that.
//!
//! The commands that need no types are also in this crate's program `crd-conv`: `cargo install crd-conv --features import`. It also has
//! the command `import`, which writes the types of existing CustomResourceDefinitions.

mod accept;
mod args;
mod as_server;
mod check;
mod choice;
mod ci;
#[cfg(feature = "kube")]
mod cluster;
mod completions;
mod convert;
mod crds;
mod definitions;
mod diff;
mod explain;
mod files;
mod helm;
mod hints;
#[cfg(feature = "import")]
mod import;
mod in_place;
mod input;
#[cfg(feature = "kube")]
mod install;
mod listed;
#[cfg(feature = "migrate")]
mod migrate;
#[cfg(feature = "serve")]
mod monitoring;
#[cfg(feature = "import")]
mod next;
mod output;
mod policies;
#[cfg(feature = "migrate")]
mod progress;
#[cfg(feature = "migrate")]
mod references;
#[cfg(feature = "roundtrip")]
mod roundtrip;
#[cfg(feature = "serve")]
mod serve;
mod source;
mod status;
mod terminal;
#[cfg(test)]
mod tests;
mod verify;

use std::{ffi::OsString, io, path::Path, process::ExitCode};

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{ResourceType, Reviewer, crd::Webhook};
use args::{Args, Command, PlainArgs, PlainCommand, ProgramCommand};
use input::read;
use output::Output;
pub use output::Streams;
use terminal::Terminal;

/// Runs the command line of this process.
///
/// To declare the webhook in code, use [`Cli`].
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// fn main() -> std::process::ExitCode {
///     crd_conv::cli::run([crd_conv::ResourceType::of::<Box>()])
/// }
/// ```
pub fn run(resources: impl IntoIterator<Item = ResourceType>) -> ExitCode {
    Cli::new(resources).run()
}

/// Runs the command line of the program `crd-conv`, which has no types.
///
/// Its commands are `verify`, `diff` and `completions`, and `import` and `next-version` with the feature
/// `import`.
pub fn run_plain() -> ExitCode {
    let mut streams = Streams {
        stdin: &mut io::stdin().lock(),
        stdout: &mut io::stdout().lock(),
        stderr: &mut io::stderr().lock(),
    };
    ExitCode::from(plain(std::env::args_os(), &mut streams, Terminal::of_process()))
}

/// Runs the command line of the program `crd-conv` on the given streams, and returns the exit code.
///
/// The first argument is the program's name.
pub fn run_plain_with(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    streams: &mut Streams<'_>,
) -> u8 {
    plain(args, streams, Terminal::default())
}

fn plain(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    streams: &mut Streams<'_>,
    terminal: Terminal,
) -> u8 {
    let args = PlainArgs::try_parse_from(args);
    finish(args, streams, terminal, |args, streams| match args.command {
        PlainCommand::Verify(args) => verify::run(&args, streams.stdin),
        PlainCommand::Diff(args) => diff::run_plain(&args, streams.stdin),
        #[cfg(feature = "import")]
        PlainCommand::Import(args) => import::run(&args, streams.stdin),
        #[cfg(feature = "import")]
        PlainCommand::NextVersion(args) => next::run(&args),
        PlainCommand::Completions(args) => {
            Ok(completions::run(args, PlainArgs::command(), "crd-conv"))
        }
    })
}

/// A command line for some resources.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// use std::process::ExitCode;
///
/// use crd_conv::{ResourceType, cli::Cli, crd::Webhook};
///
/// fn main() -> ExitCode {
///     Cli::new([ResourceType::of::<Box>()])
///         .webhook(Webhook::service("default", "box-conversion"))
///         .run()
/// }
/// ```
#[derive(Debug)]
pub struct Cli {
    resources: Vec<ResourceType>,
    webhook: Option<Webhook>,
    version: Option<&'static str>,
    terminal: Terminal,
}

impl Cli {
    /// Creates a command line for these resources.
    pub fn new(resources: impl IntoIterator<Item = ResourceType>) -> Self {
        Self {
            resources: resources.into_iter().collect(),
            webhook: None,
            version: None,
            terminal: Terminal::default(),
        }
    }

    /// Declares the address of the conversion webhook, so that `crd` needs no options for it.
    ///
    /// Options on the command line override it.
    #[must_use]
    pub fn webhook(mut self, webhook: Webhook) -> Self {
        self.webhook = Some(webhook);
        self
    }

    /// Declares the version that `--version` prints. Usually this is `env!("CARGO_PKG_VERSION")`.
    ///
    /// ```
    /// use crd_conv::cli::{Cli, Streams};
    ///
    /// let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    /// let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    /// let code = Cli::new([]).version("1.2.3").run_with(["operator", "--version"], &mut streams);
    /// assert_eq!((code, &*stdout), (0, &b"operator 1.2.3\n"[..]));
    /// ```
    #[must_use]
    pub fn version(mut self, version: &'static str) -> Self {
        self.version = Some(version);
        self
    }

    /// Runs the command line of this process.
    pub fn run(self) -> ExitCode {
        self.in_process(|this, streams| this.run_with(std::env::args_os(), streams))
    }

    /// Runs a command that your own command line has parsed.
    ///
    /// ```no_run
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// use std::process::ExitCode;
    ///
    /// use clap::Parser;
    /// use crd_conv::{ResourceType, cli::{Cli, CliCommand}};
    ///
    /// #[derive(Parser)]
    /// enum Operator {
    ///     /// Run the controller.
    ///     Run,
    ///     #[command(flatten)]
    ///     Api(CliCommand),
    /// }
    ///
    /// fn main() -> ExitCode {
    ///     match Operator::parse() {
    ///         Operator::Run => ExitCode::SUCCESS,
    ///         Operator::Api(command) => Cli::new([ResourceType::of::<Box>()]).run_command(command),
    ///     }
    /// }
    /// ```
    pub fn run_command(self, command: CliCommand) -> ExitCode {
        self.in_process(|this, streams| {
            let terminal = this.terminal;
            finish(Ok(command), streams, terminal, |command, streams| {
                this.command(command.0, streams)
            })
        })
    }

    fn in_process(self, work: impl FnOnce(Self, &mut Streams<'_>) -> u8) -> ExitCode {
        let this = Self { terminal: Terminal::of_process(), ..self };
        // The streams aren't locked, because a long command has threads that write, too.
        let mut streams = Streams {
            stdin: &mut io::stdin(),
            stdout: &mut io::stdout(),
            stderr: &mut io::stderr(),
        };
        ExitCode::from(work(this, &mut streams))
    }

    /// Runs a command line on the given streams, and returns its exit code.
    ///
    /// The first argument is the program's name.
    ///
    /// ```
    /// use crd_conv::cli::{Cli, Streams};
    ///
    /// let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    /// let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    /// assert_eq!(Cli::new([]).run_with(["operator", "nonsense"], &mut streams), 2);
    /// assert!(String::from_utf8(stderr).unwrap().contains("unrecognized subcommand"));
    /// ```
    pub fn run_with(
        self,
        args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
        streams: &mut Streams<'_>,
    ) -> u8 {
        let args = args.into_iter().map(Into::into).collect::<Vec<_>>();
        let name = args.first().map(Path::new).and_then(Path::file_stem);
        let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let (parsed, terminal) = (self.parse(args, &name), self.terminal);
        finish(parsed, streams, terminal, |args, streams| match args.command {
            ProgramCommand::Command(command) => self.command(*command, streams),
            ProgramCommand::Completions(args) => Ok(completions::run(args, Args::command(), &name)),
        })
    }

    fn parse(&self, args: Vec<OsString>, name: &str) -> Result<Args, clap::Error> {
        let mut command = Args::command();
        if let Some(version) = self.version {
            // Other programs print `--version` in this form.
            command = command.version(version).display_name(name);
        }
        Args::from_arg_matches(&command.try_get_matches_from_mut(args)?)
    }

    fn command(self, command: Command, streams: &mut Streams<'_>) -> Result<Output, String> {
        let stdin = &mut *streams.stdin;
        match command {
            Command::Crd(args) => crds::run(&self.resources, self.webhook, &args),
            #[cfg(feature = "kube")]
            Command::Install(args) => install::run(&self.resources, self.webhook, &args),
            Command::Convert(args) => convert::run(&self.resources, &args, stdin),
            #[cfg(feature = "migrate")]
            Command::Check(args) if args.cluster => {
                check::run_on_cluster(&self.resources, &args, self.terminal.is_watched)
            }
            Command::Check(args) => check::run(&self.resources, &args, stdin),
            Command::Review(args) => {
                let request = read(args.file.as_deref(), stdin)?;
                let reviewed = Reviewer::new(self.resources)
                    .review(&request)
                    .map_err(|error| error.to_string())?;
                Ok(Output::from(reviewed.body + "\n"))
            }
            Command::Explain(args) => explain::run(&self.resources, &args, self.terminal.columns),
            #[cfg(feature = "migrate")]
            Command::Migrate(args) => {
                migrate::run(&self.resources, &args, self.terminal.is_watched, streams)
            }
            #[cfg(feature = "serve")]
            Command::Serve(args) => {
                serve::run(self.resources, self.webhook.as_ref(), &args, streams)
            }
            #[cfg(feature = "serve")]
            Command::Monitoring(args) => monitoring::run(&args),
            #[cfg(feature = "roundtrip")]
            Command::Roundtrip(args) => {
                roundtrip::run(&self.resources, &args, self.terminal.is_watched)
            }
            Command::Verify(args) => verify::run(&args, stdin),
            Command::Diff(args) => diff::run(&self.resources, self.webhook, &args, stdin),
        }
    }
}

/// One of the commands, for your own command line.
///
/// Add it with `#[command(flatten)]`, and run it with [`Cli::run_command`].
#[derive(Debug)]
pub struct CliCommand(Command);

impl FromArgMatches for CliCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Command::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl Subcommand for CliCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        Command::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Command::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Command::has_subcommand(name)
    }
}

/// Runs a command if the command line is valid, and writes the output.
fn finish<A>(
    args: Result<A, clap::Error>,
    streams: &mut Streams<'_>,
    terminal: Terminal,
    command: impl FnOnce(A, &mut Streams<'_>) -> Result<Output, String>,
) -> u8 {
    let outcome = match args {
        Ok(args) => command(args, streams),
        Err(error) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            let text = |has_colours| {
                let text = error.render();
                if has_colours { text.ansi().to_string() } else { text.to_string() }
            };
            if error.use_stderr() {
                let stderr = text(terminal.has_stderr_colours);
                Ok(Output { code, stderr, ..Output::default() })
            } else {
                let stdout = text(terminal.has_stdout_colours);
                Ok(Output { code, stdout, ..Output::default() })
            }
        }
    };
    let output = outcome.unwrap_or_else(|message| Output {
        code: 1,
        stderr: format!("error: {message}\n"),
        ..Output::default()
    });
    output.write(streams, terminal)
}
