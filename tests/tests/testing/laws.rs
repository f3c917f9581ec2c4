//! The laws for resources with every kind of rule, and how many cases of them the environment asks for.

use std::process::Command;

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

/// Runs one law of these in a process of its own, and says whether it held and what it printed.
fn try_with(variable: &str, value: &str) -> (bool, String) {
    let tests = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(tests);
    command.args(["--exact", "laws::flat::total", "--nocapture"]);
    let output = command.env(variable, value).output().expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_number_of_cases_or_a_seed_that_is_none_fails() {
    for (variable, value, wanted) in [
        ("CRD_CONV_CASES", "100_000", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_CASES", "0", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_CASES", "", "a whole number from 1 to 4294967295"),
        ("CRD_CONV_SEED", "-1", "a whole number from 0 to 18446744073709551615"),
    ] {
        let (holds, said) = try_with(variable, value);
        let wanted = format!("`{variable}` is {value:?}: it has to be {wanted}, or not set");
        assert!(!holds && said.contains(&wanted), "{said}");
    }
    let (holds, said) = try_with("CRD_CONV_CASES", "2");
    assert!(holds && said.contains("1 passed"), "{said}");
}
