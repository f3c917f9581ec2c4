//! Compares checked-in files with the program's output, or updates them.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use similar::TextDiff;

use super::{output::Output, terminal::Colours};

/// Compares a file with its expected text. `meaning` returns the same text for all texts that mean
/// the same, if it can read them. `more` adds to the message about a file that differs.
pub(super) fn check(
    file: &Path,
    generated: &str,
    meaning: impl Fn(&str) -> Option<String>,
    more: impl FnOnce(&str) -> String,
) -> Result<Output, String> {
    let name = file.display().to_string();
    let found = match fs::read(file) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(format!(
                "`{name}` doesn't exist yet; create it with `--write` instead of `--check`"
            ));
        }
        Err(error) => return Err(format!("can't read `{name}`: {error}")),
    };
    if found == generated.as_bytes() {
        return Ok(Output::default());
    }
    let found = String::from_utf8_lossy(&found);
    let [before, now] = match [found.as_ref(), generated].map(&meaning) {
        [Some(before), Some(now)] if before == now => return Ok(Output::default()),
        [Some(before), Some(now)] => [before, now],
        _ => [found.clone().into_owned(), generated.to_owned()],
    };
    let diff = TextDiff::from_lines(&before, &now);
    let stdout = diff.unified_diff().context_radius(3).header(&name, "generated").to_string();
    Ok(Output {
        code: 1,
        stdout,
        colours: Colours::Diff,
        stderr: format!(
            "error: `{name}` isn't what this program generates; to update it, run the same command with `--write` instead of `--check`\n{}",
            more(&found)
        ),
    })
}

/// Writes a file, either completely or not at all.
pub(super) fn write(file: &Path, text: &str) -> Result<Output, String> {
    replace(file, text).map_err(|error| format!("can't write `{}`: {error}", file.display()))?;
    Ok(Output::default())
}

/// Replaces the file in one step, so that no reader and no crash ever sees half of it.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    Replacement::new(file, text)?.map_or(Ok(()), Replacement::finish)
}

/// Replaces files. All new texts are on the disk before the first file is replaced.
pub(super) fn write_all(files: &[(&Path, String)]) -> Result<(), String> {
    let failed = |file: &Path| {
        let name = file.display().to_string();
        move |error| format!("can't write `{name}`: {error}")
    };
    let mut ready = Vec::with_capacity(files.len());
    for (file, text) in files {
        ready.push((file, Replacement::new(file, text).map_err(failed(file))?));
    }
    ready.into_iter().try_for_each(|(file, replacement)| {
        replacement.map_or(Ok(()), Replacement::finish).map_err(failed(file))
    })
}

/// A new text for a file, in a temporary file next to it.
struct Replacement {
    file: PathBuf,
    temporary: Temporary,
}

impl Replacement {
    /// Returns nothing if the file has this text already.
    fn new(file: &Path, text: &str) -> io::Result<Option<Self>> {
        // This keeps a symbolic link.
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let old = fs::read(&file);
        if old.as_ref().is_ok_and(|old| old == text.as_bytes()) {
            return Ok(None);
        }
        let mut name = file.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = Temporary(file.with_file_name(name));
        let mut out = fs::OpenOptions::new().write(true).create_new(true).open(&temporary.0)?;
        out.write_all(text.as_bytes())?;
        if old.is_ok() {
            out.set_permissions(fs::metadata(&file)?.permissions())?;
        }
        out.sync_all()?;
        Ok(Some(Self { file, temporary }))
    }

    fn finish(self) -> io::Result<()> {
        fs::rename(&self.temporary.0, &self.file)
    }
}

/// Deletes the temporary file after a failure. After the rename, there is no file with this name.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // The user gets the message about the first failure.
        let _ = fs::remove_file(&self.0);
    }
}
