//! The command `import`.

use std::{
    fmt::Write as _,
    fs,
    io::{ErrorKind, Read, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{args::ImportArgs, files::write, output::Output, source::Sources};
use crate::import::{ImportOptions, Imported, import};

pub(super) fn run(args: &ImportArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    let mut sources = Sources::new(&args.sources, stdin);
    let documents = sources.read_all(&args.files)?;
    let mut notes = sources.notes;
    let imported = import(&documents, &options(args)).map_err(|error| error.to_string())?;
    for note in &imported.notes {
        // Writing to a string doesn't fail.
        let _ = writeln!(notes, "note: {note}");
    }
    let folder = args.out.clone().or_else(|| args.package.as_ref().map(PathBuf::from));
    let Some(folder) = folder else {
        let stdout = formatted(imported.to_text(), Path::new("."), &mut notes);
        return Ok(Output { stdout, stderr: notes, ..Output::default() });
    };
    fs::create_dir_all(&folder)
        .map_err(|error| format!("can't create `{}`: {error}", folder.display()))?;
    let mut files = Vec::new();
    for file in &imported.files {
        let is_rust = file.path.extension().is_some_and(|end| end == "rs");
        let text =
            if is_rust { formatted(&file.text, &folder, &mut notes) } else { file.text.clone() };
        files.push((folder.join(&file.path), text));
    }
    write_all(&files, args.force)?;
    if args.package.is_none() {
        notes += &declarations(&imported);
    }
    Ok(Output { stderr: notes, ..Output::default() })
}

fn options(args: &ImportArgs) -> ImportOptions {
    let mut options = ImportOptions::new();
    if let Some(name) = &args.resource {
        options = options.resource(name);
    }
    if let Some(name) = &args.package {
        options = options.package(name);
    }
    if let Some(path) = &args.crd_conv_path {
        options = options.library(path);
    }
    options
}

/// Writes all files, or none if one of them has another text.
fn write_all(files: &[(PathBuf, String)], force: bool) -> Result<(), String> {
    for (path, text) in files.iter().filter(|_| !force) {
        match fs::read(path) {
            Ok(before) if before != text.as_bytes() => {
                return Err(format!(
                    "`{}` exists and has another text; to replace it, give `--force`",
                    path.display()
                ));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(format!("can't read `{}`: {error}", path.display()));
            }
            _ => {}
        }
    }
    for (path, text) in files {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|error| format!("can't create `{}`: {error}", folder.display()))?;
        }
        write(path, text)?;
    }
    Ok(())
}

/// Formats a text as rustfmt does in this folder. If it can't, a note says why, once.
fn formatted(text: &str, folder: &Path, notes: &mut String) -> String {
    rustfmt(text, folder).unwrap_or_else(|note| {
        if !notes.contains(&note) {
            *notes += &note;
        }
        text.to_owned()
    })
}

fn rustfmt(text: &str, folder: &Path) -> Result<String, String> {
    let failed =
        |error: &dyn std::fmt::Display| format!("note: rustfmt can't format the text: {error}\n");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    // It reads everything before it writes anything.
    if let Some(mut stdin) = rustfmt.stdin.take() {
        stdin.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    }
    let output = rustfmt.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(&said.lines().next().unwrap_or("it says nothing")));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(&error))
}

/// The lines that a crate needs for the modules.
fn declarations(imported: &Imported) -> String {
    let mut names: Vec<_> =
        imported.resources.iter().map(|resource| resource.module.as_str()).collect();
    if imported.files.iter().any(|file| file.path == Path::new("common.rs")) {
        names.push("common");
    }
    let mut lines = "note: declare the modules next to each other:\n".to_owned();
    for name in names {
        // Writing to a string doesn't fail.
        let _ = writeln!(lines, "  mod {name};");
    }
    lines
}
