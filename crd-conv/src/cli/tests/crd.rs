//! The command `crd`.

use super::*;

#[test]
fn labels_and_annotations_are_those_of_the_command_line_too() {
    let plain = succeeds(&["crd"], "");
    let inject = "cert-manager.io/inject-ca-from=default/webhook";
    let options = ["--annotation", inject, "--label", "app=x", "--label", "app=boats"];
    let text = succeeds(&[&["crd"], &options[..]].concat(), "");
    let added: Vec<_> =
        text.lines().filter(|line| !plain.lines().any(|old| old == *line)).collect();
    for line in ["    app: boats", "    cert-manager.io/inject-ca-from: default/webhook"] {
        assert!(added.contains(&line), "{added:?}");
    }
    assert!(plain.lines().all(|line| text.contains(line)), "{text}");

    for (option, pair, said) in [
        ("--label", "-a=b", "metadata.labels"),
        ("--label", "a=b c", "metadata.labels"),
        ("--annotation", "a b=c", "metadata.annotations"),
        ("--annotation", "=c", "metadata.annotations"),
    ] {
        let option = format!("{option}={pair}");
        let Ran { code, stdout, stderr } = run(&["crd", &option], "");
        assert_eq!((code, stdout.as_str()), (1, ""), "{option}: {stderr}");
        assert!(stderr.contains(said), "{option}: {stderr}");
    }
    let Ran { code, stderr, .. } = run(&["crd", "--label", "app"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("write KEY=VALUE"), "{stderr}");
}

#[test]
fn options_win_over_what_the_program_declares() {
    let declared = succeeds(&["crd"], "");
    assert!(declared.contains("name: webhook\n"), "{declared}");
    let with = succeeds(
        &["crd", "--service-name", "other", "--service-port", "8443", "--review-version", "v1"],
        "",
    );
    for part in ["name: other\n", "namespace: default\n", "path: /convert\n", "port: 8443\n"] {
        assert!(with.contains(part), "{part}{with}");
    }
    assert!(!with.contains("  - v1beta1\n"));
    let url = succeeds(&["crd", "--url", "https://example.com/convert"], "");
    assert!(url.contains("url: https://example.com/convert\n") && !url.contains("service:"));
    assert!(fails(&["crd", "--url", "http://example.com"], "").contains("https://"));
}

#[test]
fn a_missing_webhook_and_several_resources() {
    let Ran { code, stdout, stderr } =
        run_cli(Cli::new([cron_tab(), ResourceType::new(&FULL)]), &["crd"], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(stderr.lines().filter(|line| line.starts_with("error: ")).count(), 2, "{stderr}");
    assert!(stderr.contains("crontabs.example.com: the versions differ"), "{stderr}");
    let two = || Cli::new([cron_tab(), cron_tab()]);
    let options = ["crd", "--service-name", "a", "--service-namespace", "b"];
    let both = run_cli(two(), &options, "");
    assert_eq!((both.code, both.stdout.matches("\n---\n").count()), (0, 1), "{}", both.stderr);
    // The command `serve` listens there.
    assert_eq!(both.stdout.matches("path: /convert\n").count(), 2, "{}", both.stdout);
    let missing = run_cli(two(), &options[..3], "");
    assert!(missing.stderr.contains("--service-namespace"), "{}", missing.stderr);
}

#[test]
fn only_what_the_types_say() {
    let plain = || Cli::new([cron_tab()]);
    let only = run_cli(plain(), &["crd", "--types-only"], "");
    assert_eq!(only.code, 0, "{}", only.stderr);
    assert!(only.stdout.contains("strategy: None\n"), "{}", only.stdout);
    // A declared webhook is in the document that the types come from, too.
    assert_eq!(succeeds(&["crd", "--types-only"], ""), succeeds(&["crd"], ""));

    let file = scratch("types-only").join("crd.yaml");
    fs::write(&file, &only.stdout).unwrap();
    let name = file.to_str().unwrap();
    let changes = |options: &[&str]| {
        let ran = run_cli(plain(), &[&["diff", "--deny", "risky", name], options].concat(), "");
        (ran.code, ran.stdout.contains("conversion-added"))
    };
    assert_eq!(changes(&["--types-only"]), (0, false));
    assert_eq!(changes(&["--format", "json"]), (1, true));
    let both = run(&["diff", name, name, "--types-only"], "");
    assert_eq!(both.code, 2, "{}", both.stderr);
}

#[test]
fn one_resource_and_json() {
    assert_eq!(succeeds(&["crd", "--resource", "crontab"], ""), succeeds(&["crd"], ""));
    let json = succeeds(&["crd", "--resource", "crontabs.example.com", "--format", "json"], "");
    assert!(json.starts_with("{\n  \"apiVersion\""), "{json}");
    assert!(fails(&["crd", "--resource", "x"], "").contains("CronTab in example.com"));
}

#[test]
fn a_file_is_written_and_checked() {
    let folder = scratch("check");
    let file = folder.join("crd.yaml");
    let name = file.to_str().unwrap();
    assert!(fails(&["crd", "--check", name], "").contains("--write"));
    assert_eq!(succeeds(&["crd", "--write", name], ""), "");
    assert_eq!(succeeds(&["crd", "--check", name], ""), "");
    let good = fs::read_to_string(&file).unwrap();
    assert_eq!(good, succeeds(&["crd"], ""));

    fs::write(&file, good.replacen("crontab\n", "crontap\n", 1)).unwrap();
    let Ran { code, stdout, stderr } = run(&["crd", "--check", name], "");
    assert_eq!(code, 1);
    assert!(stdout.contains("-    singular: crontap\n+    singular: crontab\n"), "{stdout}");
    assert!(stdout.contains("+++ generated"), "{stdout}");
    assert!(stderr.contains("--write") && stderr.trim_end().lines().count() == 1, "{stderr}");

    // A file that another tool has rewritten, and a file that isn't YAML any more.
    let documents = crate::yaml::to_json(&good).unwrap();
    fs::write(&file, format!("# Generated.\n---\n{}\n", documents[0])).unwrap();
    assert_eq!(succeeds(&["crd", "--check", name], ""), "");
    let edited = documents[0].replacen("\"crontab\"", "\"crontap\"", 1);
    fs::write(&file, format!("# Generated.\n---\n{edited}\n")).unwrap();
    let Ran { code, stdout, .. } = run(&["crd", "--check", name], "");
    let edits = stdout.lines().filter(|line| line.starts_with(['-', '+']));
    assert_eq!((code, edits.count()), (1, 4), "{stdout}");
    assert!(stdout.contains("-    singular: crontap\n+    singular: crontab\n"), "{stdout}");
    fs::write(&file, good.replacen("spec:", "spec: {", 1)).unwrap();
    let Ran { code, stdout, .. } = run(&["crd", "--check", name], "");
    assert!(code == 1 && stdout.contains("-spec: {\n+spec:\n"), "{stdout}");

    succeeds(&["crd", "--write", name], "");
    assert_eq!(fs::read_to_string(&file).unwrap(), good);
    let json = folder.join("crd.json");
    succeeds(&["crd", "--write", json.to_str().unwrap()], "");
    assert!(fs::read_to_string(&json).unwrap().starts_with('{'));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing temporary is left");
    let nowhere = folder.join("no/such/crd.yaml");
    assert!(fails(&["crd", "--write", nowhere.to_str().unwrap()], "").contains("can't write"));
    fs::remove_dir_all(folder).unwrap();
}
