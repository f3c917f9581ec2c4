//! The input and the output of a command.

use std::{
    borrow::Cow,
    io::{ErrorKind, Read, Write},
};

use super::terminal::{Colours, Terminal};

/// The streams that a command reads and writes.
pub struct Streams<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output.
    pub stdout: &'a mut dyn Write,
    /// Standard error.
    pub stderr: &'a mut dyn Write,
}

/// The output of a command, complete before the first byte is written.
#[derive(Default)]
pub(super) struct Output {
    pub(super) code: u8,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The kind of text on standard output. Standard error is always a report.
    pub(super) colours: Colours,
}

impl From<String> for Output {
    fn from(stdout: String) -> Self {
        Self { stdout, ..Self::default() }
    }
}

impl Output {
    pub(super) fn write(&self, streams: &mut Streams<'_>, terminal: Terminal) -> u8 {
        let painted = |text, colours: Colours, are_seen| {
            if are_seen { Cow::Owned(colours.paint(text)) } else { Cow::Borrowed(text) }
        };
        let stdout = painted(&*self.stdout, self.colours, terminal.has_stdout_colours);
        let stderr = painted(&*self.stderr, Colours::Report, terminal.has_stderr_colours);
        let written =
            streams.stdout.write_all(stdout.as_bytes()).and_then(|()| streams.stdout.flush());
        // If standard error is closed, the exit code still tells the outcome.
        let _ = streams.stderr.write_all(stderr.as_bytes());
        match written {
            // A reader that closed the pipe has read enough.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(streams.stderr, "error: can't write to standard output: {error}");
                1
            }
            _ => self.code,
        }
    }
}
