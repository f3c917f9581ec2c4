//! Builds of the generated crate, and the CPU time that they take.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::generate::{Size, library};

/// A command of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Build {
    Check,
    Debug,
    Release,
}

impl Build {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["check"],
            Self::Debug => &["build"],
            Self::Release => &["build", "--release"],
        }
    }
}

/// The derives. Each is measured together with those before it.
pub(crate) const DERIVES: [&str; 3] = ["serde", "schemars", "versioned"];

/// The generated crate.
pub(crate) struct Crate {
    folder: PathBuf,
    incremental: bool,
}

impl Crate {
    /// Creates the crate next to other files of builds.
    pub(crate) fn new(incremental: bool) -> io::Result<Self> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        let folder = workspace.join("target/cost");
        fs::create_dir_all(folder.join("src"))?;
        let library = workspace.join("crd-conv");
        let library = library.display();
        let manifest = format!(
            "[package]\nname = \"trees\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[features]\nserde = []\n\
             schemars = [\"serde\"]\nversioned = [\"schemars\"]\nused = []\n\n[dependencies]\n\
             crd-conv = {{ path = \"{library}\", features = [\"schema\"] }}\nschemars = \"1\"\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n\
             # As many units of code generation for every crate: what is compared takes no other time for that.\n\
             [profile.release]\ncodegen-units = 16\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        // The crate uses the same versions of its dependencies as this workspace.
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder, incremental })
    }

    pub(crate) fn write(&self, size: Size, edited: bool) -> io::Result<()> {
        fs::write(self.folder.join("src/lib.rs"), library(size, edited))
    }

    /// Returns the CPU seconds of a build of this crate alone. Its dependencies are built before.
    pub(crate) fn build(&self, build: Build, features: &str) -> io::Result<f64> {
        let before = children()?;
        let output = Command::new(env!("CARGO"))
            .args(build.arguments())
            .args(["--quiet", "--features", features])
            .current_dir(&self.folder)
            .env("CARGO_INCREMENTAL", if self.incremental { "1" } else { "0" })
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
        }
        Ok(children()? - before)
    }

    /// Returns the CPU seconds of a build of a crate that was built before.
    pub(crate) fn again(&self, build: Build, features: &str, runs: u32) -> io::Result<f64> {
        least(runs, |_| {
            let source = File::options().append(true).open(self.folder.join("src/lib.rs"))?;
            source.set_modified(SystemTime::now())?;
            self.build(build, features)
        })
    }
}

/// Returns what each derive adds to the seconds that the crate takes without it.
pub(crate) fn added(
    used: bool,
    mut seconds: impl FnMut(&str) -> io::Result<f64>,
) -> io::Result<[f64; 3]> {
    let mut before = seconds("")?;
    let mut added = [0.0; 3];
    for (derive, added) in DERIVES.into_iter().zip(&mut added) {
        let features = if used { format!("{derive},used") } else { derive.to_owned() };
        let now = seconds(&features)?;
        *added = now - before;
        before = now;
    }
    Ok(added)
}

/// Returns the least of some runs, after a run that builds what is missing.
pub(crate) fn least(runs: u32, mut run: impl FnMut(u32) -> io::Result<f64>) -> io::Result<f64> {
    run(0)?;
    (1..=runs).try_fold(f64::INFINITY, |least, number| Ok(least.min(run(number)?)))
}

/// Returns the CPU seconds of all programs that were started and have ended.
fn children() -> io::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = usage.user_time() + usage.system_time();
    #[expect(clippy::cast_precision_loss, reason = "seconds with some digits")]
    Ok(time.num_microseconds() as f64 / 1e6)
}
