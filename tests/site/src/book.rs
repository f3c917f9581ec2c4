//! The pages for mdBook.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::api::Api;
use crate::chapters::{PARTS, Page, pages};
use crate::markdown::{Link, deeper, edited, has_anchor, links, rust};
use crate::{REPOSITORY, file};

const CONFIG: &str = r#"[book]
title = "crd-conv"
description = "Lossless conversions between the versions of a Kubernetes custom resource"
language = "en"

[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
git-repository-url = "https://github.com/crd-conv/crd-conv"

[output.html.playground]
runnable = false

[output.html.search]
limit-results = 20
"#;

/// The script of the playground. mdBook copies it next to its page.
const SCRIPT: (&str, &str) = ("tests/playground/playground.js", "src/playground.js");

/// Writes the sources of the book into a folder. The output of rustdoc has to be called `book/api`
/// there.
///
/// # Errors
///
/// Returns a line for each link that leads nowhere, and for each page that can't be read or
/// written.
pub fn write(root: &Path, api: &Api, folder: &Path) -> Result<(), Vec<String>> {
    let mut files =
        vec![("book.toml".to_owned(), CONFIG.to_owned()), ("src/SUMMARY.md".to_owned(), summary())];
    let mut mistakes = Vec::new();
    for page in pages() {
        match fs::read_to_string(root.join(page.file)) {
            Err(error) => mistakes.push(format!("{}: {error}", page.file)),
            Ok(text) => match translated(root, api, page, &text) {
                Ok(text) => files.push((format!("src/{}.md", page.name), text)),
                Err(wrong) => mistakes.extend(wrong),
            },
        }
    }
    match fs::read_to_string(root.join(SCRIPT.0)) {
        Err(error) => mistakes.push(format!("{}: {error}", SCRIPT.0)),
        Ok(text) => files.push((SCRIPT.1.to_owned(), text)),
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let write = |(name, text): (String, String)| {
        let file = folder.join(name);
        file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, text))
    };
    let written: Result<Vec<()>, io::Error> = files.into_iter().map(write).collect();
    written.map_err(|error| vec![format!("{}: {error}", folder.display())])?;
    Ok(())
}

fn summary() -> String {
    let mut summary = "# Summary\n".to_owned();
    for part in PARTS {
        if let Some(title) = part.title {
            let _ = write!(summary, "\n# {title}\n");
        }
        summary.push('\n');
        for Page { title, name, .. } in part.pages {
            let bullet = if part.title.is_some() { "- " } else { "" };
            let _ = writeln!(summary, "{bullet}[{title}]({name}.md)");
        }
    }
    summary
}

fn translated(root: &Path, api: &Api, page: &Page, text: &str) -> Result<String, Vec<String>> {
    let (mut edits, mut mistakes) = (rust(text), Vec::new());
    let has_title = text.starts_with("# ");
    if !has_title {
        edits.extend(deeper(text));
    }
    for link in links(text) {
        match target(root, api, page, text, &link) {
            Ok(target) if target == link.to => {}
            Ok(target) => edits.push(link.redirected(text, &target)),
            Err(why) => mistakes.push(format!("{}: {}: {why}", page.file, link.to)),
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let title = if has_title { String::new() } else { format!("# {}\n\n", page.title) };
    Ok(title + &edited(text, edits))
}

/// Returns where a link leads in the book.
fn target(root: &Path, api: &Api, page: &Page, text: &str, link: &Link) -> Result<String, String> {
    let (path, anchor) = match link.to.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (&*link.to, None),
    };
    if path.is_empty() {
        return has_anchor(text, anchor).map(|()| link.to.clone());
    }
    if link.is_path || path.contains("::") || path.contains('@') {
        let item = path.split_once('@').map_or(path, |(_, path)| path);
        let in_book = pages()
            .find(|page| !page.path.is_empty() && item.strip_prefix("crate::") == Some(page.path));
        // The derive's page is also the page of its trait.
        let is_trait =
            in_book.is_some_and(|page| page.path == "Versioned") && !path.starts_with("derive@");
        if let Some(page) = in_book.filter(|_| !is_trait) {
            return in_book_at(root, page, anchor);
        }
        let module = if page.path == "with" { "with" } else { "" };
        let found = api.page(path, module, anchor);
        return found
            .map(|found| format!("api/{found}"))
            .ok_or_else(|| "rustdoc has no such item".to_owned());
    }
    let Some(file) = file(Path::new(page.file), path) else { return Ok(link.to.clone()) };
    if let Some(other) = pages().find(|page| Path::new(page.file) == file) {
        return in_book_at(root, other, anchor);
    }
    if !root.join(&file).exists() {
        return Err("there is no such file".to_owned());
    }
    Ok(format!("{REPOSITORY}{}{}", file.display(), after_hash(anchor)))
}

fn in_book_at(root: &Path, page: &Page, anchor: Option<&str>) -> Result<String, String> {
    let text = fs::read_to_string(root.join(page.file)).map_err(|error| error.to_string())?;
    has_anchor(&text, anchor)?;
    Ok(format!("{}.md{}", page.name, after_hash(anchor)))
}

fn after_hash(anchor: Option<&str>) -> String {
    anchor.map_or_else(String::new, |anchor| format!("#{anchor}"))
}
