//! The command `migrate`.

use super::*;

#[test]
fn a_cluster_that_is_not_there_is_one_error() {
    let missing = ["--kubeconfig", "/nonexistent/kubeconfig"];
    for command in [&["migrate"][..], &["check", "--cluster"]] {
        let said = fails(&[command, &missing].concat(), "");
        assert!(said.contains("the kubeconfig `/nonexistent/kubeconfig` can't be used"), "{said}");
    }
}

#[test]
fn several_clusters_that_are_not_there_are_named() {
    let line = ["check", "--cluster", "--context", "a", "--context", "b"];
    let missing = ["--kubeconfig", "/nonexistent/kubeconfig", "--format", "json"];
    let Ran { code, stdout, stderr } = run(&[&line[..], &missing].concat(), "");
    assert_eq!((code, stdout.as_str()), (1, "{}\n"));
    for (line, context) in stderr.lines().zip(["a", "b"]) {
        let start =
            format!("error: {context}: the kubeconfig `/nonexistent/kubeconfig` can't be used");
        assert!(line.starts_with(&start), "{stderr}");
    }
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
}

#[test]
fn one_version_is_removed_of_one_resource() {
    let both = Cli::new([cron_tab(), ResourceType::new(&FULL)]);
    let Ran { code, stderr, .. } = run_cli(both, &["migrate", "--remove", "v1beta1"], "");
    assert_eq!(code, 1);
    assert_eq!(
        stderr,
        "error: `--remove` needs `--resource`: this program has several resources\n"
    );
}

#[test]
fn options_of_the_cluster_go_with_it() {
    for args in [&["check", "--context", "a"][..], &["check", "--cluster", "file.yaml"]] {
        let Ran { code, stdout, .. } = run(args, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
    }
}
