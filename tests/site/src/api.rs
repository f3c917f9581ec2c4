//! Finds items in rustdoc's output.

use std::fs;
use std::path::{Path, PathBuf};

const KINDS: [&str; 9] =
    ["struct", "enum", "trait", "fn", "macro", "derive", "constant", "type", "traitalias"];
const MEMBERS: [&str; 6] =
    ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype"];

/// The folder of rustdoc's output.
#[derive(Debug)]
pub struct Api {
    folder: PathBuf,
}

impl Api {
    /// Takes the folder, such as `target/doc`.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Returns the page of an item, such as `crd_conv/struct.ResourceType.html#method.convert`. The
    /// path starts at the root of `crd-conv`, or at a module that a page belongs to. An anchor must
    /// be on the page.
    pub fn page(&self, path: &str, module: &str, anchor: Option<&str>) -> Option<String> {
        let path =
            path.split_once('@').map_or(path, |(_, path)| path).trim_end_matches(['!', '(', ')']);
        let from_root = path.strip_prefix("crate::").or_else(|| path.strip_prefix("crd_conv::"));
        let starts = match from_root {
            Some(path) => vec![("crd_conv".to_owned(), path)],
            None if path == "crate" => vec![("crd_conv".to_owned(), "")],
            None => vec![(format!("crd_conv/{module}"), path), ("crd_conv".to_owned(), path)],
        };
        let page = starts.into_iter().find_map(|(start, path)| self.below(start, path))?;
        let Some(anchor) = anchor else { return Some(page) };
        let (file, _) = page.split_once('#').unwrap_or((&page, ""));
        self.has(file, anchor).then(|| format!("{file}#{anchor}"))
    }

    fn below(&self, start: String, path: &str) -> Option<String> {
        let mut folder = start;
        let mut names = path.split("::").filter(|name| !name.is_empty()).peekable();
        while let Some(name) = names.peek() {
            let inner = format!("{folder}/{name}");
            if !self.folder.join(&inner).join("index.html").is_file() {
                break;
            }
            folder = inner;
            names.next();
        }
        let Some(item) = names.next() else { return Some(format!("{folder}/index.html")) };
        let files = KINDS.iter().map(|kind| format!("{folder}/{kind}.{item}.html"));
        let file = { files }.find(|file| self.folder.join(file).is_file())?;
        let Some(member) = names.next() else { return Some(file) };
        let ids = MEMBERS.iter().map(|kind| format!("{kind}.{member}"));
        let id = { ids }.find(|id| self.has(&file, id))?;
        Some(format!("{file}#{id}"))
    }

    fn has(&self, file: &str, id: &str) -> bool {
        let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.contains(&format!("id=\"{id}\""))
    }
}
