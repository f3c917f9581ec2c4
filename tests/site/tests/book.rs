//! The book has every page of the guide, and the links of all other pages of the repository lead somewhere, too.

use std::fs;
use std::path::{Path, PathBuf};

use crd_conv_site::markdown::{deeper, edited, has_anchor, links, rust};
use crd_conv_site::{REPOSITORY, chapters, file, root};

/// All Markdown files of the workspace, without those that builds have written.
fn files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            self::files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

/// What is wrong with a link of a page; links to other sites and to items of Rust, which rustdoc looks after, are taken for right.
fn wrong(root: &Path, page: &Path, link: &str) -> Option<String> {
    let (to, anchor) = match link.split_once('#') {
        Some((to, anchor)) => (to, Some(anchor)),
        None => (link, None),
    };
    if to.contains("::") {
        return None;
    }
    let target = if to.is_empty() { page.to_owned() } else { root.join(file(page, to)?) };
    if !target.exists() {
        return Some("there is no such file".to_owned());
    }
    anchor?;
    has_anchor(&fs::read_to_string(&target).ok()?, anchor).err()
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut count = 0;
    let mut mistakes = Vec::new();
    for page in &all {
        let text = fs::read_to_string(page).expect("a page");
        for link in links(&text).into_iter().filter(|link| !link.is_path) {
            count += 1;
            let wrong = wrong(&root, page, &link.to);
            mistakes.extend(wrong.map(|why| format!("{}: {}: {why}", page.display(), link.to)));
        }
    }
    assert!(all.len() > 15 && count > 100, "{} pages with {count} links", all.len());
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// On the page of a package there are no other files.
#[test]
fn the_readme_can_be_read_elsewhere() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README");
    let elsewhere = |link: &String| link.starts_with("https://") || link.starts_with('#');
    let relative: Vec<_> =
        links(&text).into_iter().map(|link| link.to).filter(|to| !elsewhere(to)).collect();
    assert!(relative.is_empty(), "start with {REPOSITORY}: {relative:?}");
}

#[test]
fn every_page_of_the_guide_is_in_the_book() {
    let guide = fs::read_dir(root().join("crd-conv/guide")).expect("the guide");
    for entry in guide {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        let file = format!("crd-conv/guide/{name}");
        assert!(chapters::pages().any(|page| page.file == file), "{file}: add it to chapters.rs");
    }
}

/// `.ci/scheduled` builds these crates.
#[test]
fn pages_have_the_code_that_is_built() {
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("a file");
    for (page, file) in [
        ("crd-conv/guide/generate.md", "tests/manifests/build.rs"),
        ("crd-conv/guide/generate.md", "tests/manifests/src/lib.rs"),
        ("tests/playground/page.md", "tests/playground/src/api.rs"),
    ] {
        let text = read(file);
        let (_, code) = text.split_once("\n\n").expect("code after the comment on the module");
        let code = code.split("\n\n#[test]").next().unwrap_or(code).trim_end();
        assert!(read(page).contains(code), "{file}");
    }
}

#[test]
fn links_of_every_kind_are_redirected() {
    let text = "[a](x) [b][r] [r][] [r] <https://a.b> [`c`](x \"t\") ![d](x) [`p::q`] [no]\n\n[r]: https://r\n";
    let edits = links(text).iter().map(|link| link.redirected(text, "new")).collect();
    let wanted = "[a](new) [b](new) [r](new) [r](new) [https://a.b](new) [`c`](new \"t\") ![d](new) [`p::q`](new) [no]\n\n[r]: https://r\n";
    assert_eq!(edited(text, edits), wanted);
}

#[test]
fn code_is_rust_unless_it_says_otherwise() {
    let text = "a\n\n# b\n\n```\nx\n```\n\n```no_run\ny\n```\n\n```yaml\n# z\n```\n";
    let edits = rust(text).into_iter().chain(deeper(text)).collect();
    let wanted = "a\n\n## b\n\n```rust\nx\n```\n\n```rust,no_run\ny\n```\n\n```yaml\n# z\n```\n";
    assert_eq!(edited(text, edits), wanted);
}
