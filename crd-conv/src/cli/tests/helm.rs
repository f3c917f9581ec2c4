//! `crd --helm`. Helm itself reads such templates in `tests/helm`.

use super::*;

/// Whether Helm does something in a line.
fn is_template(line: &str) -> bool {
    line.contains("{{")
}

#[test]
fn the_webhook_is_a_value_and_the_rest_is_the_document() {
    let document = succeeds(&["crd"], "");
    let template = succeeds(&["crd", "--helm"], "");
    assert!(document.contains("name: webhook\n"), "invalid test case: {document}");
    assert!(!template.contains("webhook\n") && !template.contains("default\n"), "{template}");
    let (_, after) = template.split_once("\napiVersion").expect("a document");
    let after = format!("apiVersion{after}");
    let ours = ["name: webhook", "namespace: default", "path: /convert"];
    let expected = document.lines().filter(|line| !ours.contains(&line.trim()));
    let headers = ["  labels:", "  annotations:"];
    let found = after.lines().filter(|line| !is_template(line) && !headers.contains(line));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    for value in ["$webhook.name", "$webhook.namespace", "$webhook.path", "$webhook.port"] {
        assert!(after.contains(value), "{value}\n{after}");
    }
}

#[test]
fn options_and_declarations_are_the_defaults() {
    let options = [
        "--service-port",
        "8443",
        "--service-path",
        "/conversions",
        "--annotation",
        "a={{ \"x\" }}",
    ];
    let template = succeeds(&[&["crd", "--helm"], &options[..]].concat(), "");
    for part in [
        "    port: 8443\n    path: \"/conversions\"\n",
        "\"port\" 8443 \"path\" \"/conversions\"",
        "($crd.annotations | default dict) (dict \"a\" \"{{ \\\"x\\\" }}\")",
    ] {
        assert!(template.contains(part), "{part}\n{template}");
    }
    let url = succeeds(&["crd", "--helm", "--url", "https://example.com/convert"], "");
    assert!(url.contains("    url: 'https://example.com/convert'\n"), "{url}");
    assert!(url.contains("\"url\" \"https://example.com/convert\""), "{url}");
    // A template needs no declared webhook, and a document that is refused has none.
    let undeclared = || Cli::new([cron_tab()]);
    assert_eq!(run_cli(undeclared(), &["crd"], "").code, 1, "invalid test case");
    assert_eq!(run_cli(undeclared(), &["crd", "--helm"], "").code, 0);
    assert!(fails(&["crd", "--helm", "--url", "http://example.com"], "").contains("https://"));
    for option in ["--policies", "--types-only", "--format=yaml", "--service-name=a"] {
        let Ran { code, stderr, .. } = run(&["crd", "--helm", option], "");
        assert!(code == 2 && stderr.contains("cannot be used with"), "{option}: {stderr}");
    }
}

#[test]
fn several_documents_are_one_template() {
    let cli = Cli::new([cron_tab(), cron_tab()]);
    let both = run_cli(cli, &["crd", "--helm"], "");
    assert_eq!((both.code, both.stdout.matches("\n---\n").count()), (0, 1), "{}", both.stderr);
    assert_eq!(both.stdout.matches("kind: CustomResourceDefinition\n").count(), 2);
    assert_eq!(both.stdout.matches("$webhook := ").count(), 1);
}

#[test]
fn a_template_is_checked_to_the_letter() {
    let folder = scratch("helm");
    let file = folder.join("crd.yaml");
    let name = file.to_str().unwrap();
    succeeds(&["crd", "--helm", "--write", name], "");
    assert_eq!(succeeds(&["crd", "--helm", "--check", name], ""), "");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"keep\" true", "\"keep\" false", 1)).unwrap();
    let Ran { code, stdout, .. } = run(&["crd", "--helm", "--check", name], "");
    assert!(code == 1 && stdout.contains("+{{- if ne (dig \"keep\" true $crd"), "{stdout}");
    fs::remove_dir_all(folder).unwrap();
}
