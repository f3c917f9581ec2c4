//! Draws the resources that the tests are made for.

mod chance;
mod convert;
mod draw;
mod evolve;
mod holds;
mod model;
mod moves;
mod names;
mod values;
mod write;

use std::path::Path;
use std::{env, fs};

/// How many resources there are without `CRD_CONV_SHAPES`.
const SHAPES: u64 = 12;

/// What the first is drawn from without `CRD_CONV_SHAPES_SEED`. Each of the others is drawn from the next number.
const SEED: u64 = 0;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let count = setting("CRD_CONV_SHAPES", SHAPES);
    let first = setting("CRD_CONV_SHAPES_SEED", SEED);
    let shapes: String =
        (first..first + count).map(|seed| write::module(seed, &draw::resource(seed))).collect();
    let folder = env::var_os("OUT_DIR").expect("Cargo says where to write");
    fs::write(Path::new(&folder).join("shapes.rs"), shapes).expect("the folder can be written to");
}

/// A number from the environment.
fn setting(name: &str, otherwise: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text:?}")),
        Err(_) => otherwise,
    }
}
