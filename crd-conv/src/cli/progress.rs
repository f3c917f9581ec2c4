//! A progress bar for long commands.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on a terminal. Shows nothing elsewhere.
pub(super) fn bar(is_wanted: bool) -> ProgressBar {
    if !is_wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} {msg} ({eta} left)");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
