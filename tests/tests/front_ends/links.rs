//! The links of all pages lead somewhere: to files of this repository, and to headings in them.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// What the pages call the files of this repository where they are read elsewhere, as the README on the page of a package.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// All Markdown files of the workspace, without those that builds have written.
fn pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            self::pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// Where the links of a page lead.
fn links(text: &str) -> Vec<String> {
    Parser::new(text)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.into_string())
            }
            _ => None,
        })
        .collect()
}

/// What the headings of a page are called in links, as GitHub and rustdoc make it of their texts.
fn anchors(text: &str) -> Vec<String> {
    let (mut anchors, mut heading) = (Vec::new(), None);
    for event in Parser::new(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => anchors.extend(heading.take()),
            (Event::Text(part) | Event::Code(part), Some(text)) => text.push_str(&part),
            _ => {}
        }
    }
    let anchor = |text: String| -> String {
        let text = text.to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    anchors.into_iter().map(anchor).collect()
}

/// What is wrong with a link of a page; links to other sites and to items of Rust, which rustdoc looks after, are taken for right.
fn wrong(root: &Path, page: &Path, link: &str) -> Option<String> {
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link, None),
    };
    let target = match file.strip_prefix(REPOSITORY) {
        Some(path) => root.join(path),
        None if file.contains("://") || file.contains("::") => return None,
        None if file.is_empty() => page.to_owned(),
        None => page.parent()?.join(file),
    };
    if !target.exists() {
        return Some("there is no such file".to_owned());
    }
    let anchor = anchor?;
    let text = fs::read_to_string(&target).ok()?;
    let known = anchors(&text);
    (!known.iter().any(|known| known == anchor)).then(|| format!("its headings are {known:?}"))
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let mut all = Vec::new();
    pages(&root, &mut all);
    let mut count = 0;
    let mut mistakes = Vec::new();
    for page in &all {
        for link in links(&fs::read_to_string(page).expect("a page")) {
            count += 1;
            let wrong = wrong(&root, page, &link);
            mistakes.extend(wrong.map(|why| format!("{}: {link}: {why}", page.display())));
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
    let relative: Vec<_> = links(&text).into_iter().filter(|link| !elsewhere(link)).collect();
    assert!(relative.is_empty(), "start with {REPOSITORY}: {relative:?}");
}
