//! The crates with the imported types, and the program that uses them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crd_conv::import::Imported;
use serde_json::Value;

/// The crate of a document.
pub(crate) struct Package {
    /// The position of the document.
    pub(crate) number: usize,
    pub(crate) imported: Imported,
    pub(crate) has_webhook: bool,
}

impl Package {
    fn name(&self) -> String {
        format!("c{}", self.number)
    }
}

/// What the compiler says about a crate, without the rest of each message.
#[derive(Default)]
pub(crate) struct Messages {
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

pub(crate) struct Workspace {
    folder: PathBuf,
    pub(crate) packages: Vec<Package>,
}

const PROGRAM: &str = "all";

impl Workspace {
    /// Writes the crates. Files that are as before stay, so that nothing is compiled twice.
    pub(crate) fn new(packages: Vec<Package>) -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let folder = target.join("imported");
        let library = root.join("crd-conv").display().to_string();
        let mut members: Vec<String> = packages.iter().map(Package::name).collect();
        members.push(PROGRAM.to_owned());
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n\
             [workspace.dependencies]\n\
             crd-conv = {{ path = {library:?}, features = [\"testing\"] }}\n\
             schemars = {{ version = \"1.2\", default-features = false, features = [\"derive\", \"std\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\
             serde_json = \"1\"\n\n\
             [profile.dev]\ndebug = 0\nincremental = false\n\n\
             [profile.dev.package.crd-conv]\nopt-level = 1\n\n\
             [profile.dev.package.serde_json]\nopt-level = 3\n"
        );
        write(&folder.join("Cargo.toml"), &manifest)?;
        // The crates use the same versions of their dependencies as this workspace.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        for package in &packages {
            let source = folder.join(package.name()).join("src");
            let manifest = format!(
                "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\ndoctest = false\n\n[dependencies]\n\
                 crd-conv.workspace = true\nschemars.workspace = true\nserde.workspace = true\nserde_json.workspace = true\n",
                package.name()
            );
            write(&folder.join(package.name()).join("Cargo.toml"), &manifest)?;
            let mut modules = BTreeSet::new();
            for file in &package.imported.files {
                write(&source.join(&file.path), &file.text)?;
                let module = file.path.iter().next().map(Path::new).and_then(Path::file_stem);
                modules.extend(module.map(|module| module.to_string_lossy().into_owned()));
            }
            let library = modules.iter().map(|module| format!("pub mod {module};\n"));
            write(&source.join("lib.rs"), &library.collect::<String>())?;
        }
        let workspace = Self { folder, packages };
        workspace.write_program(&[])?;
        Ok(workspace)
    }

    /// Compiles all crates, and returns what the compiler says about each one that it came to.
    pub(crate) fn compile(&self, jobs: usize) -> io::Result<BTreeMap<usize, Messages>> {
        let output = self
            .cargo(&["build", "--workspace", "--exclude", PROGRAM, "--keep-going"], jobs)
            .args(["--message-format", "json"])
            .stderr(Stdio::inherit())
            .output()?;
        let mut found: BTreeMap<usize, Messages> = BTreeMap::new();
        let lines = String::from_utf8_lossy(&output.stdout);
        for message in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let manifest = message["manifest_path"].as_str().map(Path::new);
            let name = manifest.and_then(Path::parent).and_then(Path::file_name);
            let number = name.and_then(|name| name.to_str()?.strip_prefix('c')?.parse().ok());
            let Some(number) = number else { continue };
            let messages = found.entry(number).or_default();
            let message = &message["message"];
            let text = || {
                let span = &message["spans"][0];
                let message = message["message"].as_str().unwrap_or_default();
                let file = span["file_name"].as_str().unwrap_or_default();
                format!("{file}:{}: {message}", span["line_start"])
            };
            match message["level"].as_str() {
                Some("error") => messages.errors.push(text()),
                Some("warning") => messages.warnings.push(text()),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Writes the program that uses these packages.
    pub(crate) fn write_program(&self, packages: &[&Package]) -> io::Result<()> {
        let mut manifest = format!(
            "[package]\nname = {PROGRAM:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\ncrd-conv.workspace = true\nserde_json.workspace = true\n"
        );
        let mut calls = String::new();
        for package in packages {
            let name = package.name();
            // Writing to a string doesn't fail.
            let _ = writeln!(manifest, "{name} = {{ path = \"../{name}\" }}");
            for resource in &package.imported.resources {
                let _ = writeln!(
                    calls,
                    "    ({}, ResourceType::of::<{name}::{}::{}>, {}),",
                    package.number, resource.module, resource.item, package.has_webhook
                );
            }
        }
        let folder = self.folder.join(PROGRAM);
        write(&folder.join("Cargo.toml"), &manifest)?;
        let source = include_str!("program.rs").replace("// resources\n", &calls);
        write(&folder.join("src/main.rs"), &source)
    }

    pub(crate) fn compile_program(&self, jobs: usize) -> io::Result<()> {
        let status = self.cargo(&["build", "--quiet", "--package", PROGRAM], jobs).status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other("the program doesn't compile")) }
    }

    /// Runs the program. Each line is a package's number and JSON.
    pub(crate) fn run(&self, args: &[&str]) -> io::Result<Vec<(usize, Value)>> {
        let program = self.folder.join("target/debug").join(PROGRAM);
        let output = Command::new(program).args(args).stderr(Stdio::inherit()).output()?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let read = |line: &str| {
            let (number, json) = line.split_once(' ')?;
            Some((number.parse().ok()?, serde_json::from_str(json).ok()?))
        };
        Ok(lines.lines().filter_map(read).collect())
    }

    fn cargo(&self, args: &[&str], jobs: usize) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(args).args(["--jobs", &jobs.to_string()]).current_dir(&self.folder);
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target")).env_remove("CARGO_INCREMENTAL");
        cargo
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
