//! The commands that need a cluster.

use super::*;

#[test]
fn a_kubeconfig_that_is_not_there_is_named() {
    let said = fails(&["install", "--kubeconfig", "/nowhere/config"], "");
    assert!(said.contains("the kubeconfig `/nowhere/config` can't be used"), "{said}");
}

#[test]
fn what_the_definition_lacks_is_said_before_any_cluster_is_asked() {
    let cli = Cli::new([cron_tab()]);
    let Ran { code, stderr, .. } =
        run_cli(cli, &["install", "--kubeconfig", "/nowhere/config"], "");
    assert_eq!(code, 1);
    assert!(stderr.contains("crontabs.example.com: the versions differ"), "{stderr}");
}

#[cfg(feature = "serve")]
#[test]
fn a_secret_has_a_namespace_and_needs_a_certificate_of_our_own() {
    for (args, said) in [
        (&["--self-signed", "--secret", "tls"][..], "write NAMESPACE/NAME"),
        (&["--self-signed", "--secret", "/tls"], "write NAMESPACE/NAME"),
        (&["--cert", "a", "--key", "b", "--secret", "n/tls"], "cannot be used with"),
        (&["--secret", "n/tls"], "--self-signed"),
    ] {
        let Ran { code, stderr, .. } = run(&[&["serve"], args].concat(), "");
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
    }
    let args = ["--self-signed", "--secret", "n/tls", "--kubeconfig", "/nowhere/config"];
    let said = fails(&[&["serve"], &args[..]].concat(), "");
    assert!(said.contains("the kubeconfig `/nowhere/config` can't be used"), "{said}");
}
