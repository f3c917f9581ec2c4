//! The command `verify`.

use super::*;
use crate::cli::run_plain_with;

const BAD: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n\
    apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boxes.example.com}\nspec: {}\n";
const REFUSED: &str = "the API server refuses 1 of 1 CustomResourceDefinitions\n";

#[test]
fn what_crd_prints_is_taken() {
    let printed = succeeds(&["crd"], "");
    assert_eq!(
        succeeds(&["verify", "-"], &printed),
        "crontabs.example.com: the API server accepts it\n"
    );
}

#[test]
fn accepted_is_only_what_was_checked() {
    let printed = succeeds(&["crd"], "");
    assert!(
        succeeds(&["verify", "--strict", "-"], &printed).ends_with("the API server accepts it\n")
    );
    let schema = "openAPIV3Schema:\n";
    let ruled = printed.replacen(
        schema,
        &format!(
            "{schema}        x-kubernetes-validations:\n        - {{rule: string(self.kind) != self.metadata.name}}\n"
        ),
        1,
    );
    let report = succeeds(&["verify", "-"], &ruled);
    assert!(
        report.starts_with(
            "crontabs.example.com: no fault found, but not everything was checked\n  not checked: spec.versions[0]."
        ),
        "{report}"
    );
    let Ran { code, stdout, stderr } = run(&["verify", "--strict", "-"], &ruled);
    assert_eq!((code, stdout), (1, report));
    assert!(stderr.contains("parts that weren't checked"), "{stderr}");
}

#[test]
fn refusals_and_files_without_any_definition() {
    let Ran { code, stdout, stderr } = run(&["verify", "-"], BAD);
    assert_eq!(code, 1);
    assert!(stdout.contains("\n  spec.group: required: write the API group"), "{stdout}");
    assert_eq!(stderr.strip_prefix("error: "), Some(REFUSED));
    assert!(fails(&["verify", "-"], "kind: Namespace\n").contains("no CustomResourceDefinition"));
    assert!(fails(&["verify", "-"], "{").contains("`-`"));
    assert!(fails(&["verify", "/nowhere"], "").contains("can't read `/nowhere`"));
    assert_eq!(run(&["verify"], "").code, 2);
}

#[test]
fn a_document_that_cant_be_read_hides_no_other() {
    let crd = succeeds(&["crd"], "");
    let other = crd.replace("crontabs", "jobtabs").replace("CronTab", "JobTab");
    let text = format!("{crd}---\na: [\n--- # a patch\n- op: add\n  path: /a\n---\n{other}");
    let broken = crd.lines().count() + 2;
    let Ran { code, stdout, stderr } = run(&["verify", "-"], &text);
    assert_eq!(code, 1);
    let taken = "crontabs.example.com: the API server accepts it\njobtabs.example.com: the API server accepts it\n";
    assert_eq!(stdout, taken);
    let errors: Vec<_> = stderr.lines().collect();
    assert_eq!(errors.len(), 2, "{stderr}");
    assert!(errors[0].starts_with("error: `-`: not readable as YAML: "), "{stderr}");
    assert!(errors[0].contains(&format!("line {broken}")), "line {broken}: {stderr}");
    assert_eq!(
        errors[1],
        "error: `-`: it is a JSON patch: pass on the output of `kubectl kustomize`"
    );
    let verdicts: serde_json::Value =
        serde_json::from_str(&run(&["verify", "-", "--format", "json"], &text).stdout).unwrap();
    assert_eq!(verdicts.as_array().map(Vec::len), Some(4));
    assert!(verdicts[2]["error"].as_str().is_some_and(|error| error.contains("not readable")));
    assert_eq!((&verdicts[0]["accepted"], &verdicts[2]["accepted"]), (&true.into(), &false.into()));
    let junit = run(&["verify", "-", "--format", "junit"], &text).stdout;
    assert!(junit.contains(r#"tests="4" skipped="0" errors="0" failures="2""#), "{junit}");
    // Where a document may be missing, nothing can be said.
    let error = fails(&["diff", "-"], &text);
    assert!(error.contains("not readable as YAML"), "{error}");
}

#[test]
fn a_folder_stands_for_the_definitions_in_it() {
    let folder = scratch("definitions");
    let name = folder.to_str().unwrap();
    fs::write(folder.join("values.yaml"), "replicas: 1\n").unwrap();
    let error = fails(&["verify", name], "");
    assert!(error.contains("definitions` holds no CustomResourceDefinition"), "{error}");
    fs::write(folder.join("crd.yaml"), BAD).unwrap();
    let Ran { code, stdout, stderr } = run(&["verify", "--format", "json", name], "");
    assert_eq!((code, stderr.contains("1 of 1")), (1, true), "{stderr}");
    assert!(stdout.contains("crd.yaml"), "{stdout}");
    assert_eq!(succeeds(&["diff", name, name], ""), succeeds(&["diff", "-", name], BAD));
    fs::write(folder.join("kustomization.yaml"), "kind: Kustomization\n").unwrap();
    let Ran { code, stdout, stderr } = run(&["verify", name], "");
    assert_eq!((code, stdout.contains("refuses it for")), (1, true), "{stdout}");
    assert!(stderr.contains("kustomization.yaml`: it is a Kustomization"), "{stderr}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn folders_in_a_folder_are_named() {
    let folder = scratch("nested");
    let inner = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (name, bases, patches) = (folder.to_str().unwrap(), inner("bases"), inner("patches"));
    for folder in ["bases/v1", "patches", ".git"] {
        fs::create_dir_all(inner(folder)).unwrap();
    }
    let why = "because subfolders are skipped";
    let both = format!("`{bases}` and `{patches}` aren't read, {why}: name them, too\n");
    let one = format!("`{bases}/v1` isn't read, {why}: name it, too\n");
    let error = fails(&["verify", name], "");
    assert!(error.ends_with(&format!("ends with .json, .yaml or .yml; {both}")), "{error}");
    fs::write(inner("values.yaml"), "replicas: 1\n").unwrap();
    let error = fails(&["verify", name], "");
    assert!(error.ends_with(&format!("no CustomResourceDefinition; {both}")), "{error}");

    for file in ["crd.yaml", "bases/crd.yaml", "patches/crd.yaml"] {
        fs::write(inner(file), BAD).unwrap();
    }
    let stderr = run(&["verify", name], "").stderr;
    assert_eq!(stderr.strip_prefix(&format!("note: {both}error: ")), Some(REFUSED), "{stderr}");
    let stderr = run(&["verify", name, &bases, &patches], "").stderr;
    assert!(stderr.starts_with(&format!("note: {one}error: ")), "{stderr}");
    assert!(run(&["verify", &patches], "").stderr.starts_with("error: "));
    let stderr = run(&["diff", name, &bases], "").stderr;
    assert_eq!(stderr, format!("note: {both}note: {one}"));
    fs::remove_file(inner("values.yaml")).unwrap();
    let error = fails(&["convert", "--to", "v1", name], "");
    assert!(error.ends_with(&format!("; {both}")), "{error}");

    for folder in ["c", "d", "e"] {
        fs::create_dir_all(inner(folder)).unwrap();
    }
    let stderr = run(&["verify", name], "").stderr;
    assert!(stderr.contains("/d` and 2 more folders aren't read, "), "{stderr}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn reports_for_ci() {
    let Ran { code, stdout, .. } = run(&["verify", "--format", "junit", "-"], BAD);
    let failure = r#"<failure message="write the API group"#;
    assert!(code == 1 && stdout.contains(failure), "{stdout}");
    let Ran { code, stdout, .. } = run(&["verify", "--format", "sarif", "-"], BAD);
    let log: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let group = results.iter().find(|result| {
        result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
            == "boxes.example.com: spec.group"
    });
    let group = group.unwrap_or_else(|| panic!("{stdout}"));
    assert_eq!(group["level"], "error");
    // Standard input is no file that a viewer has.
    assert_eq!((code, group["locations"][0].get("physicalLocation")), (1, None));
    let warned = succeeds(&["crd"], "").replacen("metadata:", "status: {}\nmetadata:", 1);
    let failures = |args: &[&str]| {
        let Ran { code, stdout, .. } =
            run(&[&["verify", "--format", "junit", "-"], args].concat(), &warned);
        (code, stdout.matches("<failure ").count())
    };
    assert_eq!(failures(&[]), (0, 0));
    assert_eq!(failures(&["--strict"]), (1, 1));
}

#[test]
fn lists_of_definitions() {
    let list = r#"{"kind":"List","items":[{"kind":"CustomResourceDefinition"},{"kind":"CustomResourceDefinition"}]}"#;
    let Ran { code, stderr, .. } = run(&["verify", "-"], list);
    assert_eq!((code, stderr.contains("2 of 2")), (1, true), "{stderr}");
}

/// As `kubectl get --raw` and `jq` print them: the items of a list don't say their kind.
#[test]
fn lists_whose_items_have_no_kind_and_arrays() {
    let list = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinitionList","items":[{},{"metadata":{}}]}"#;
    let nested = format!(r#"[{list}, {{"kind":"CustomResourceDefinition"}}, {{"kind":"Box"}}, 1]"#);
    for (input, said) in [(list, "2 of 2"), (&nested, "3 of 3")] {
        let Ran { code, stderr, .. } = run(&["verify", "-"], input);
        assert_eq!((code, stderr.contains(said)), (1, true), "{stderr}");
    }
    let Ran { stderr, .. } = run(&["verify", "-"], "[{}, 1]");
    assert!(stderr.contains("`-` holds no CustomResourceDefinition"), "{stderr}");
}

#[test]
fn without_any_types() {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut BAD.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    assert_eq!(run_plain_with(["crd-conv", "verify", "-"], &mut streams), 1);
    assert_eq!(String::from_utf8(stdout).unwrap(), run(&["verify", "-"], BAD).stdout);
}
