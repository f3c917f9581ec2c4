//! Imports CustomResourceDefinitions, builds their types, and compares what these print with the documents.
//!
//! ```console
//! $ cargo run -p crd-conv-imported -- --crds FOLDER --laws 60
//! ```
//!
//! Each document becomes a crate of its own in `target/imported`. A program that uses all crates which compile prints their
//! CustomResourceDefinitions and tries the laws. Without a folder, it takes the documents in `crds`, which have every keyword and
//! every shape.

mod compare;
mod documents;
mod package;
mod table;

use std::{collections::BTreeMap, io, path::PathBuf, process::ExitCode, time::Instant};

use clap::Parser;
use crd_conv::{
    import::{ImportOptions, import},
    schema::Json,
    verify::verify,
};

use documents::Document;
use package::{Package, Workspace};
use table::Row;

#[derive(Debug, Parser)]
struct Args {
    /// The folder with the documents, as JSON or YAML.
    #[arg(long, env = "CRD_CONV_CRDS", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/crds"))]
    crds: PathBuf,
    /// Only files with this in their names.
    #[arg(long, default_value = "")]
    only: String,
    /// Only import, and build nothing.
    #[arg(long)]
    import_only: bool,
    /// The number of cases for each law of each resource whose versions differ; 0 for none.
    #[arg(long, default_value_t = 0)]
    laws: u32,
    /// How many crates are compiled at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether everything that the API server accepts came back unchanged, and no law is broken.
fn run(args: &Args) -> io::Result<bool> {
    let documents = documents::read(&args.crds, &args.only)?;
    let mut rows: Vec<Row> = documents.iter().map(row).collect();
    let start = Instant::now();
    let mut packages = Vec::new();
    for (number, (document, row)) in documents.iter().zip(&mut rows).enumerate() {
        packages.extend(imported(number, document, row));
    }
    eprintln!("imported {} of {} in {:.1?}", packages.len(), documents.len(), start.elapsed());
    if !args.import_only {
        build(args, packages, &documents, &mut rows)?;
    }
    print!("{}", table::markdown(&rows, !args.import_only, args.laws > 0));
    Ok(rows.iter().all(|row| row.is_good(!args.import_only)))
}

fn row(document: &Document) -> Row {
    let report = verify(&Json::from(&document.value));
    let refused = report.violations.first().map(ToString::to_string);
    Row { file: document.file.clone(), refused, ..Row::default() }
}

fn imported(number: usize, document: &Document, row: &mut Row) -> Option<Package> {
    let json = [Json::from(&document.value)];
    // A panic is a mistake of `import`, and the others are still tried.
    let imported = std::panic::catch_unwind(|| import(&json, &ImportOptions::new()));
    match imported {
        Err(_) => row.problems.push("import: panics".to_owned()),
        Ok(Err(error)) => row.problems.push(format!("import: {error}")),
        Ok(Ok(imported)) => {
            row.imports = true;
            row.notes = imported.notes.iter().map(ToString::to_string).collect();
            row.lines = imported.files.iter().map(|file| file.text.lines().count()).sum();
            row.versions = imported.resources.iter().map(|one| one.versions.len()).sum();
            let has_webhook = document.value["spec"]["conversion"]["strategy"] == "Webhook";
            return Some(Package { number, imported, has_webhook });
        }
    }
    None
}

fn build(
    args: &Args,
    packages: Vec<Package>,
    documents: &[Document],
    rows: &mut [Row],
) -> io::Result<()> {
    let workspace = Workspace::new(packages)?;
    let start = Instant::now();
    let compiled = workspace.compile(args.jobs)?;
    eprintln!("compiled in {:.0?}", start.elapsed());
    let mut good = Vec::new();
    for package in &workspace.packages {
        let row = &mut rows[package.number];
        match compiled.get(&package.number) {
            Some(messages) if messages.errors.is_empty() => {
                row.compiles = true;
                row.problems.extend(messages.warnings.first().map(|text| format!("warns: {text}")));
                good.push(package);
            }
            Some(messages) => row.problems.push(format!("compile: {}", messages.errors[0])),
            None => row.problems.push("compile: not built".to_owned()),
        }
    }
    workspace.write_program(&good)?;
    workspace.compile_program(args.jobs)?;
    let mut printed: BTreeMap<usize, serde_json::Value> =
        workspace.run(&["crd"])?.into_iter().collect();
    for package in &good {
        let row = &mut rows[package.number];
        match printed.remove(&package.number) {
            Some(serde_json::Value::String(error)) => row.problems.push(format!("crd: {error}")),
            Some(new) => compare::compare(&documents[package.number].value, &new, row),
            None => row.problems.push("crd: printed nothing".to_owned()),
        }
    }
    if args.laws > 0 {
        let start = Instant::now();
        for (number, broken) in workspace.run(&["laws", &args.laws.to_string()])? {
            let broken = broken.as_array().into_iter().flatten();
            rows[number].laws =
                Some(broken.filter_map(|law| law.as_str().map(str::to_owned)).collect());
        }
        eprintln!("laws tried in {:.0?}", start.elapsed());
    }
    Ok(())
}
