//! Prints what the derive costs a build, beside those of serde and schemars.

mod generate;

use generate::{Size, library};

fn main() {
    let types = std::env::args().nth(1).unwrap().parse().unwrap();
    let versions = std::env::args().nth(2).unwrap().parse().unwrap();
    println!("{}", library(Size { types, versions }));
}
