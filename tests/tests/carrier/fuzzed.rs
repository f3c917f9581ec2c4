//! The inputs that fuzzing starts from, and those that once broke something.

use std::fs;
use std::path::Path;

use crd_conv_tests::fuzz;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/inputs").join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("invalid test case: a folder of inputs") {
        let path = entry.expect("a folder's entry").path();
        run(&fs::read(path).expect("an input"));
        inputs += 1;
    }
    assert!(inputs > 0, "invalid test case: no input");
}

#[test]
fn scanner() {
    replay("scanner", fuzz::scanner);
}

#[test]
fn carrier() {
    replay("carrier", fuzz::carrier);
}

#[test]
fn review() {
    replay("review", fuzz::review);
}
