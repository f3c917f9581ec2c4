//! What the program of the second CronTab prints is what is checked in.

use std::process::{Command, Output};

#[test]
fn the_crd() {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_stable"))
        .args(["crd", "--check", "stable.yaml"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success() && stdout.is_empty(), "{said}");
    // Nothing here knows the types in CEL rules. The older version is stored, and the newer one has a
    // rule that the older one hasn't.
    let notes = [
        "note: crontabs.stable.example.com: not checked: ",
        "note: crontabs.stable.example.com: `v1` is stored, and the API server prefers `v2`: ",
        "note: crontabs.stable.example.com: `v2` doesn't accept all objects that `v1` accepts: ",
    ];
    assert_eq!(said.lines().count(), notes.len(), "{said}");
    assert!(said.lines().zip(notes).all(|(line, note)| line.starts_with(note)), "{said}");
}
