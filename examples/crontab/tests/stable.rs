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
    // The older version is stored, and the newer one has a rule that the older one hasn't. Whether the
    // types and costs of rules are checked depends on the features of the build.
    let notes = [
        "note: crontabs.stable.example.com: `v1` is stored, and the API server prefers `v2`: ",
        "note: crontabs.stable.example.com: `v2` doesn't accept all objects that `v1` accepts: ",
    ];
    let unchecked = "note: crontabs.stable.example.com: not checked: ";
    let lines: Vec<_> = said.lines().filter(|line| !line.starts_with(unchecked)).collect();
    assert_eq!(lines.len(), notes.len(), "{said}");
    assert!(lines.iter().zip(notes).all(|(line, note)| line.starts_with(note)), "{said}");
}
