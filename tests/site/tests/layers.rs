//! The modules of crd-conv are in layers: `lib.rs` lists them, and none imports a later one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crd_conv_site::root;

/// The modules in the order of the comment in `lib.rs`. Each line of the list names some of them in backquotes.
fn listed(library: &str) -> Vec<String> {
    let lines = library.lines().skip_while(|line| !line.contains("that come earlier in this list"));
    let list = lines.skip(2).map_while(|line| line.strip_prefix("//"));
    let names = list.flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned));
    // Its file is private, and the derive calls it by another name.
    names.map(|name| if name == "private" { "__private".to_owned() } else { name }).collect()
}

/// The modules that the library declares.
fn declared(library: &str) -> BTreeSet<String> {
    let names = library.lines().filter_map(|line| {
        let name = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "))?;
        name.strip_suffix(';').map(str::to_owned)
    });
    names.collect()
}

/// What a file imports from the crate's root, or names with a path from there.
fn imported(source: &str) -> BTreeSet<String> {
    let code: Vec<&str> =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let name = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let mut names = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        let is_word =
            code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let rest = &code[at + start.len()..];
        let Some(group) = rest.strip_prefix('{').filter(|_| !is_word) else {
            names.insert(name(rest));
            continue;
        };
        let mut depth = 0;
        names.insert(name(group));
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => drop(names.insert(name(&group[at + 1..]))),
                _ => {}
            }
        }
    }
    names
}

/// Adds what the files of a module import. Tests may use anything.
fn collect(path: &Path, module: &str, imports: &mut BTreeMap<String, BTreeSet<String>>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            let file = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if !["tests", "fixture", "mock"].contains(&file) {
                collect(&path, module, imports);
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let source = fs::read_to_string(path).expect("a source file");
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        imports.entry(module.to_owned()).or_default().extend(imported(code));
    }
}

#[test]
fn no_module_imports_a_later_one() {
    let source = root().join("crd-conv/src");
    let library = fs::read_to_string(source.join("lib.rs")).expect("the library");
    let listed = listed(&library);
    let declared = declared(&library);
    let unlisted: Vec<_> =
        declared.iter().filter(|name| !listed.contains(name) && *name != "guide").collect();
    assert_eq!(unlisted, [""; 0], "the list in `lib.rs` lacks modules");
    let mut imports = BTreeMap::new();
    for module in &listed {
        let name = module.trim_start_matches("__");
        for path in [source.join(name), source.join(format!("{name}.rs"))] {
            if path.exists() {
                collect(&path, module, &mut imports);
            }
        }
    }
    assert_eq!(imports.len(), listed.len(), "invalid test case: a listed module has no file");
    let place = |name: &String| listed.iter().position(|listed| listed == name);
    let mut wrong = Vec::new();
    for (module, imported) in &imports {
        for name in imported {
            if place(name) > place(module) {
                wrong.push(format!("`{module}` imports `{name}`"));
            }
        }
    }
    assert_eq!(wrong, [""; 0], "a module imports one that comes later in the list of `lib.rs`");
}

#[test]
fn paths_and_groups_are_imports() {
    let source = "use crate::json::{Json, Number};\nuse crate::{plan::{Branch, Kind}, yaml};\n// crate::cli\nfn a() { crate::with::b() }";
    let names: Vec<_> = imported(source).into_iter().collect();
    assert_eq!(names, ["json", "plan", "with", "yaml"]);
}
