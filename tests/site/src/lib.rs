//! Makes a book of the pages that rustdoc shows.
//!
//! The pages are written for rustdoc: they link to items and to each other by Rust's paths, and a
//! code block without a language is Rust. The [book](book::write) has the same pages for mdBook, in
//! the order of [`chapters`]. Their links lead to files and to rustdoc's output next to the book. A
//! link that leads nowhere is an error.

pub mod api;
pub mod book;
pub mod chapters;
pub mod markdown;

use std::path::{Path, PathBuf};

/// How the pages refer to files of the repository if they are read elsewhere, such as the README on
/// the page of a package.
pub const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Returns the file that a link of a page leads to, or `None` for other sites.
pub fn file(page: &Path, to: &str) -> Option<PathBuf> {
    match to.strip_prefix(REPOSITORY) {
        Some(file) => Some(file.into()),
        None if to.contains("://") => None,
        None => page.parent().map(|folder| folder.join(to)),
    }
}

/// Returns the folder of the workspace.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}
