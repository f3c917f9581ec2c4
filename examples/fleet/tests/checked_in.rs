//! What the program prints is what is checked in, so that a change of the API shows in review.

use std::process::{Command, Output};

#[track_caller]
fn prints(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_fleet"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let stdout = String::from_utf8(stdout).expect("UTF-8");
    assert!(status.success(), "{stdout}{}", String::from_utf8_lossy(&stderr));
    stdout
}

#[test]
fn the_crd() {
    assert_eq!(prints(&["crd", "--check", "crd.yaml"]), "");
}

#[test]
fn the_explanation() {
    assert_eq!(prints(&["explain", "--check", "explain.txt"]), "");
}
