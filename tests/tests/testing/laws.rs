//! The laws for resources with every kind of rule, and how many cases of them the environment asks for.

use std::{env, process::Command};

use crd_conv::testing::{Law, assert_holds};
use crd_conv_tests::fickle::Buoy;

mod gadget {
    crd_conv::laws!(crd_conv_tests::gadget::Gadget);
}

mod flat {
    crd_conv::laws!(crd_conv_tests::flat::Flat);
}

mod rack {
    crd_conv::laws!(crd_conv_tests::rack::Rack);
}

mod hotel {
    crd_conv::laws!(crd_conv_tests::hotel::Hotel);
}

mod pipe {
    crd_conv::laws!(crd_conv_tests::pipe::Pipe);
}

/// Runs one test of these in a process of its own, and says whether it passed and what it printed.
fn try_with(test: &str, variable: &str, value: &str) -> (bool, String) {
    let program = env::current_exe().expect("the path of this program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env_remove("RUST_BACKTRACE");
    let output = command.env(variable, value).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_number_of_cases_or_a_seed_that_is_none_fails() {
    for (variable, value, wanted) in [
        ("CRD_CONV_CASES", "100_000", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_CASES", "0", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_CASES", "", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_SEED", "-1", "a whole number from 0 to 18446744073709551615"),
    ] {
        let (holds, said) = try_with("laws::flat::total", variable, value);
        let wanted = format!("`{variable}` is {value:?}: set it to {wanted}, or unset it");
        assert!(!holds && said.contains(&wanted), "{said}");
    }
    let (holds, said) = try_with("laws::flat::total", "CRD_CONV_CASES", "2");
    assert!(holds && said.contains("1 passed"), "{said}");
}

#[test]
fn the_table_of_converters_is_printed_on_request() {
    const HEAD: &str = "converter  ";
    let (holds, said) = try_with("laws::gadget::total", "CRD_CONV_CONVERTERS", "1");
    assert!(holds && said.contains("Gadget\n") && said.contains(HEAD), "{said}");
    let (holds, said) = try_with("laws::gadget::room", "CRD_CONV_CONVERTERS", "1");
    assert!(holds && !said.contains(HEAD), "of *total* alone: {said}");
    let (holds, said) = try_with("laws::gadget::total", "CRD_CONV_CASES", "100");
    assert!(holds && !said.contains(HEAD), "not asked for: {said}");
}

#[test]
fn a_broken_law_says_what_to_do() {
    const INSIDE: &str = "CRD_CONV_TESTS_INSIDE";
    if env::var_os(INSIDE).is_some() {
        return assert_holds::<Buoy>(Law::EditsWin);
    }
    let (holds, said) = try_with("laws::a_broken_law_says_what_to_do", INSIDE, "1");
    assert!(!holds, "the premise: {said}");
    for part in [
        // Where the author's test is, and not where this crate's code is.
        "/testing/laws.rs:",
        "the law \"edits win\" is broken from v2 to v1 (seed 0, case ",
        "differing in\n  .spec.fathoms: ",
        "\n spec:\n-  fathoms: ",
        "\nThe law says: After an edit in another version, a round trip keeps every edit ",
        "\nLook at the converter of that field, ",
        "\n\nTo see it again:\n  CRD_CONV_SEED=0 CRD_CONV_CASES=",
        " cargo test laws::a_broken_law_says_what_to_do\n",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}
