//! What a command reads, and what it has to say.

use std::io::{ErrorKind, Read, Write};

/// What a command reads and writes.
pub struct Streams<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output.
    pub stdout: &'a mut dyn Write,
    /// Standard error.
    pub stderr: &'a mut dyn Write,
}

/// What a command has to say, complete before the first byte is written.
#[derive(Default)]
pub(super) struct Output {
    pub(super) code: u8,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl From<String> for Output {
    fn from(stdout: String) -> Self {
        Self { stdout, ..Self::default() }
    }
}

impl Output {
    pub(super) fn write(&self, streams: &mut Streams<'_>) -> u8 {
        let written =
            streams.stdout.write_all(self.stdout.as_bytes()).and_then(|()| streams.stdout.flush());
        // If standard error is gone, the exit code still tells.
        let _ = streams.stderr.write_all(self.stderr.as_bytes());
        match written {
            // Who closed the pipe has read enough.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(streams.stderr, "error: can't write to standard output: {error}");
                1
            }
            _ => self.code,
        }
    }
}
