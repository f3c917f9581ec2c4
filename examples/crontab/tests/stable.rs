//! What the program of the second CronTab prints is what is checked in.

use std::process::{Command, Output};

#[test]
fn the_crd() {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_stable"))
        .args(["crd", "--check", "stable.yaml"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let said = [stdout, stderr].concat();
    assert!(status.success() && said.is_empty(), "{}", String::from_utf8_lossy(&said));
}
