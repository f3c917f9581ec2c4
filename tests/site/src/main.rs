//! Writes the sources of the book for mdBook, and checks its links.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use crd_conv_site::{api::Api, book, root};

/// Writes the sources of the book for mdBook, and checks its links.
#[derive(Parser)]
struct Options {
    /// The folder of rustdoc's output
    #[arg(long, default_value = "target/doc")]
    doc: PathBuf,
    /// The folder to write to
    #[arg(long, default_value = "target/site")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let Options { doc, out } = Options::parse();
    match book::write(&root(), &Api::new(&doc), &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(mistakes) => {
            for mistake in &mistakes {
                eprintln!("error: {mistake}");
            }
            ExitCode::FAILURE
        }
    }
}
