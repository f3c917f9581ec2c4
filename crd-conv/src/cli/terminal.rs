//! The abilities of the terminal that a command writes to.

use std::io;

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use clap::builder::styling::{AnsiColor, Style};

/// The terminal of this process. Without a terminal, all output is plain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terminal {
    /// The width of standard output in columns.
    pub(super) columns: Option<usize>,
    pub(super) has_stdout_colours: bool,
    pub(super) has_stderr_colours: bool,
    /// Whether standard error is a terminal, so that a user sees progress there.
    #[cfg(any(feature = "migrate", feature = "roundtrip"))]
    pub(super) is_watched: bool,
}

impl Terminal {
    /// Reads the usual variables that switch colors off and on: `NO_COLOR`, `CLICOLOR`,
    /// `CLICOLOR_FORCE`.
    pub(super) fn of_process() -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        Self {
            columns: terminal_size::terminal_size_of(&stdout).map(|(width, _)| width.0.into()),
            has_stdout_colours: has_colours(&stdout),
            has_stderr_colours: has_colours(&stderr),
            #[cfg(any(feature = "migrate", feature = "roundtrip"))]
            is_watched: io::IsTerminal::is_terminal(&stderr),
        }
    }
}

fn has_colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// The kind of a text, which decides its colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Colours {
    /// The text may be data, so it isn't colored.
    #[default]
    None,
    /// Lines that may begin with a severity, such as `error:`.
    Report,
    /// A unified diff.
    Diff,
}

impl Colours {
    pub(super) fn paint(self, text: &str) -> String {
        text.split_inclusive('\n').map(|line| self.line(line)).collect()
    }

    fn line(self, line: &str) -> String {
        let line_len = line.trim_end_matches('\n').len();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let (range, style) = match self {
            Self::None => (0..0, None),
            Self::Report => match line[indent..].split_once(':') {
                Some((word, _)) => (indent..indent + word.len(), of_word(word)),
                None => (0..0, None),
            },
            Self::Diff => (0..line_len, of_change(line)),
        };
        let Some(style) = style else { return line.to_owned() };
        let (before, after) = (&line[..range.start], &line[range.end..]);
        format!("{before}{style}{}{style:#}{after}", &line[range])
    }
}

fn of_word(word: &str) -> Option<Style> {
    let colour = match word {
        "error" | "breaking" => AnsiColor::Red,
        "warning" | "risky" => AnsiColor::Yellow,
        "note" | "safe" => AnsiColor::Green,
        _ => return None,
    };
    Some(colour.on_default().bold())
}

fn of_change(line: &str) -> Option<Style> {
    match line.as_bytes().first()? {
        _ if line.starts_with("---") || line.starts_with("+++") => Some(Style::new().bold()),
        b'-' => Some(AnsiColor::Red.on_default()),
        b'+' => Some(AnsiColor::Green.on_default()),
        b'@' => Some(AnsiColor::Cyan.on_default()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Colours;

    #[test]
    fn a_report_shows_how_bad_something_is() {
        let text =
            "crons.example.com: 1 breaking\n  breaking: v1: .spec: gone\n\nerror: 1 change\n";
        assert_eq!(
            Colours::Report.paint(text),
            "crons.example.com: 1 breaking\n  \x1b[1m\x1b[31mbreaking\x1b[0m: v1: .spec: gone\n\n\x1b[1m\x1b[31merror\x1b[0m: 1 change\n"
        );
    }

    #[test]
    fn a_diff_shows_what_goes_and_what_comes() {
        let text = "--- a\n+++ b\n@@ -1 +1 @@\n same\n-old\n+new";
        assert_eq!(
            Colours::Diff.paint(text),
            "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ b\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n same\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m"
        );
    }

    #[test]
    fn data_stays_as_it_is() {
        let text = "- error: x\n+1\nerror: y\n";
        assert_eq!(Colours::None.paint(text), text);
    }
}
