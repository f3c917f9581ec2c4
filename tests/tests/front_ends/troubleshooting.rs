//! The texts on the troubleshooting page are verbatim: each is in a source, or in a message that the compiler printed.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../crd-conv/guide/troubleshooting.md");

/// Marks a part of a text that differs from case to case.
const ELLIPSIS: char = '…';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// The texts of all files in a folder that end like this.
fn read(folder: &Path, ending: &str, texts: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, ending, texts);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            texts.push_str(&fs::read_to_string(&path).expect("a text"));
            texts.push('\n');
        }
    }
}

/// Joins the lines of Rust string literals that continue after a `\`, as they are printed.
fn printed(source: &str) -> String {
    let mut lines = source.lines();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        let mut line = line;
        while let Some(start) = line.strip_suffix('\\') {
            text.push_str(start);
            line = lines.next().unwrap_or_default().trim_start();
        }
        text.push_str(line);
        text.push('\n');
    }
    text.replace("\\\"", "\"").replace("{{", "{")
}

/// The code spans in the first column of a table row.
fn codes(row: &str) -> Vec<&str> {
    let mut rest =
        row.strip_prefix("| ").and_then(|row| row.split(" | ").next()).unwrap_or_default();
    let mut codes = Vec::new();
    while let Some(start) = rest.find('`') {
        rest = &rest[start..];
        let fence = &rest[..rest.len() - rest.trim_start_matches('`').len()];
        rest = &rest[fence.len()..];
        let mut end = 0;
        loop {
            end += rest[end..].find(fence).expect("a closing fence");
            let run = rest[end..].len() - rest[end..].trim_start_matches('`').len();
            if run == fence.len() {
                break;
            }
            end += run;
        }
        codes.push(&rest[..end]);
        rest = &rest[end + fence.len()..];
    }
    codes
}

#[test]
fn every_text_is_one_that_is_said() {
    let mut said = String::new();
    for (folder, ending) in
        [("crd-conv/src", "rs"), ("crd-conv-derive/src", "rs"), ("tests/compile-fail/ui", "stderr")]
    {
        read(&root().join(folder), ending, &mut said);
    }
    let mut said = printed(&said);
    // These pages have the recorded messages of the API server.
    said.push_str(include_str!("../../../crd-conv/guide/serve.md"));
    said.push_str(include_str!("../../../crd-conv/guide/migrate.md"));

    let rows = PAGE.lines().filter(|line| line.starts_with("| `") && !line.contains("k8s-openapi"));
    let codes: Vec<&str> = rows.flat_map(codes).collect();
    assert!(codes.len() > 80, "invalid test case: the page has {} texts", codes.len());
    let parts = codes.iter().flat_map(|code| code.split(ELLIPSIS));
    let parts = parts.map(|part| part.trim_matches([' ', '`']));
    let unknown: Vec<&str> = parts.filter(|part| !said.contains(part)).collect();
    assert!(unknown.is_empty(), "nothing says {unknown:#?}");
}
