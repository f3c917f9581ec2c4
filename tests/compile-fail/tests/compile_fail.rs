//! What the derive refuses, and what it says, as `cargo check` shows it.

use std::process::Command;

/// The messages are rustc's in part, so they are those of one release.
const PINNED: &str = "1.95.";

#[test]
fn ui() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if version.split(' ').nth(1).is_some_and(|version| version.starts_with(PINNED)) {
        // Without a file that has to compile trybuild checks and builds nothing: `tests/accepted` has those.
        let cases = trybuild::TestCases::new();
        cases.compile_fail("ui/*_attr/*.rs");
        cases.compile_fail("ui/mapping/*.rs");
        cases.compile_fail("ui/moved/*.rs");
        cases.compile_fail("ui/serde/*.rs");
        cases.compile_fail("ui/resource/*.rs");
        cases.compile_fail("ui/types/*.rs");
        cases.compile_fail("ui/values/*.rs");
        cases.compile_fail("ui/declared/*.rs");
        cases.compile_fail("ui/flatten/*.rs");
        cases.compile_fail("ui/with/*.rs");
        cases.compile_fail("ui/validation/*.rs");
    } else {
        println!(
            "messages aren't compared: they are those of rustc {PINNED}*, and this is {version}"
        );
    }
}
