//! Finds the files in folders.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

/// The files that a command line names, directly or by their folder.
pub(crate) struct Files<'a> {
    /// Each argument with its files.
    pub(crate) by_argument: Vec<(&'a Path, Vec<PathBuf>)>,
    /// The folders inside those of the command line, which aren't read.
    unread: Vec<PathBuf>,
}

impl Files<'_> {
    /// All files, in the order of the command line.
    #[cfg(feature = "cli")]
    pub(crate) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.by_argument.iter().flat_map(|(_, files)| files)
    }

    /// A line that lists the folders that aren't read, or an empty text.
    #[cfg(feature = "cli")]
    pub(crate) fn note(&self) -> String {
        self.unread().map(|unread| format!("note: {unread}\n")).unwrap_or_default()
    }

    /// Adds to an error about something missing in the files that it may be in a folder that isn't
    /// read.
    pub(crate) fn missing(&self, error: String) -> String {
        match self.unread() {
            Some(unread) => format!("{error}; {unread}"),
            None => error,
        }
    }

    fn unread(&self) -> Option<String> {
        const NAMED: usize = 3;
        let why = "because subfolders are skipped";
        let mut names: Vec<_> =
            self.unread.iter().map(|folder| format!("`{}`", folder.display())).collect();
        if names.len() > NAMED + 1 {
            names.splice(NAMED.., [format!("{} more folders", self.unread.len() - NAMED)]);
        }
        let last = names.pop()?;
        Some(if names.is_empty() {
            format!("{last} isn't read, {why}: name it, too")
        } else {
            format!("{} and {last} aren't read, {why}: name them, too", names.join(", "))
        })
    }
}

/// Returns the files themselves, and for each folder its files with objects. These are the files
/// that `kubectl -f` would take, sorted by name.
pub(crate) fn with_folders(files: &[PathBuf]) -> Result<Files<'_>, String> {
    let mut found = Files { by_argument: Vec::new(), unread: Vec::new() };
    for file in files {
        if !file.is_dir() {
            found.by_argument.push((file, vec![file.clone()]));
            continue;
        }
        let name = file.display();
        let entries = std::fs::read_dir(file).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| format!("can't read `{name}`: {error}"))?;
        let mut entries: Vec<_> = entries.iter().map(DirEntry::path).collect();
        entries.sort();
        let is_hidden = |path: &Path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        };
        let (folders, mut inside): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.is_dir());
        inside.retain(|file| {
            let ending = file.extension().and_then(OsStr::to_str);
            matches!(ending, Some("json" | "yaml" | "yml")) && file.is_file()
        });
        found.unread.extend(
            folders.into_iter().filter(|folder| !is_hidden(folder) && !files.contains(folder)),
        );
        found.by_argument.push((file, inside));
    }
    match found.by_argument.iter().find(|(_, inside)| inside.is_empty()) {
        Some((folder, _)) => Err(found.missing(format!(
            "`{}` has no file that ends with .json, .yaml or .yml",
            folder.display()
        ))),
        None => Ok(found),
    }
}
