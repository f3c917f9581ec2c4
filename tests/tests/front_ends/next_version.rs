//! The command `next-version`.

use std::fs;

use crd_conv::cli::{Streams, run_plain_with};

const FLEET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/fleet/src/v1beta1.rs");

struct Ran {
    code: u8,
    stdout: String,
    stderr: String,
}

fn run(args: &[&str]) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let code = run_plain_with(["crd-conv", "next-version"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code, stdout: text(stdout), stderr: text(stderr) }
}

#[test]
fn a_type_and_those_that_contain_it_are_copied() {
    let printed = run(&["v1beta2", "--from", FLEET, "--type", "Pool"]);
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    for part in [
        "pub use super::v1beta1::{Checks, Condition, FleetStatus, Phase, Port, Protocol, Strategy, Toleration};\n",
        "#[versioned(from = super::v1beta1::FleetSpec)]\npub struct FleetSpec {\n",
        "    pub resync_seconds: Option<i64>,\n",
        "    #[versioned(list_map_keys(name))]\n    pub ports: Vec<Port>,\n",
        "/// A group of nodes.\n",
        "#[versioned(from = super::v1beta1::Pool)]\n",
    ] {
        assert!(printed.stdout.contains(part), "{part}\n{}", printed.stdout);
    }
    for part in ["GoDuration", "v1alpha1", "renamed_from", "added", "pub struct Port"] {
        assert!(!printed.stdout.contains(part), "{part}\n{}", printed.stdout);
    }
    assert!(printed.stderr.contains("with `FleetSpec` of `v1beta2`"), "{}", printed.stderr);

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("v1beta2.rs");
    let args = ["v1beta2", "--from", FLEET, "--type", "Pool", "--out", out.to_str().unwrap()];
    assert_eq!(run(&args).code, 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), printed.stdout);
    let again = run(&args);
    assert!(again.code == 1 && again.stderr.contains("remove it first"), "{}", again.stderr);
}

#[test]
fn mistakes_are_said() {
    for (args, code, said) in [
        (
            &["v1", "--from", FLEET, "--type", "Tool"][..],
            1,
            "there is no type `Tool`, only `Checks`",
        ),
        (&["v1beta1", "--from", FLEET], 1, "is the module of `v1beta1` itself"),
        (&["v 1", "--from", FLEET], 2, "write the name of a module"),
        (&["v1", "--from", "no/such.rs"], 1, "can't read `no/such.rs`"),
    ] {
        let ran = run(args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
}
