//! Modules, as files or in one text.

use std::path::Path;

use super::{ImportedFile, text::indented};

/// A module and those inside of it.
pub(super) struct Module {
    pub(super) name: String,
    /// The inner attributes and documentation.
    pub(super) head: String,
    pub(super) text: String,
    pub(super) inside: Vec<Module>,
}

impl Module {
    /// A file for each module.
    pub(super) fn files(&self, folder: &Path, files: &mut Vec<ImportedFile>) {
        let (path, inside) = if self.inside.is_empty() {
            (folder.join(format!("{}.rs", self.name)), folder.to_owned())
        } else {
            let inside = folder.join(&self.name);
            (inside.join("mod.rs"), inside)
        };
        let mut text = self.head.clone();
        if !text.is_empty() && !self.inside.is_empty() {
            text.push('\n');
        }
        for module in &self.inside {
            text += &format!("pub mod {};\n", module.name);
        }
        if !text.is_empty() && !self.text.is_empty() {
            text.push('\n');
        }
        files.push(ImportedFile { path, text: text + &self.text });
        for module in &self.inside {
            module.files(&inside, files);
        }
    }

    /// One text for all modules.
    pub(super) fn in_one(&self) -> String {
        let mut body = self.head.clone();
        let parts = self.inside.iter().map(Self::in_one).chain([self.text.clone()]);
        for part in parts.filter(|part| !part.is_empty()) {
            if !body.is_empty() {
                body.push('\n');
            }
            body += &part;
        }
        format!("pub mod {} {{\n{}}}\n", self.name, indented(&body, 4))
    }
}
