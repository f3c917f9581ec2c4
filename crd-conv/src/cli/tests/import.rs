//! The command `import`.

use super::*;
use crate::cli::run_plain_with;

const DOCUMENT: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.example.com}
spec:
  group: example.com
  names: {plural: crontabs, kind: CronTab}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, format: int64}, port: {x-kubernetes-int-or-string: true}}}
";

fn import(args: &[&str], stdin: &str) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let code = run_plain_with(["crd-conv", "import"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code, stdout: text(stdout), stderr: text(stderr) }
}

#[test]
fn one_text_for_standard_output() {
    let Ran { code, stdout, stderr } = import(&["-"], DOCUMENT);
    assert_eq!((code, &*stderr), (0, ""));
    for part in
        ["pub mod crontabs {", "    pub mod v1 {", "pub size: Option<i64>", "pub mod common {"]
    {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    let Ran { code, stderr, .. } = import(&["-", "--resource", "Other"], DOCUMENT);
    assert_eq!((code, &*stderr), (1, "error: there is no resource `Other`\n"));
}

#[test]
fn files_are_replaced_only_by_force() {
    let folder = scratch("import");
    let out = folder.to_str().unwrap();
    let Ran { code, stdout, stderr } = import(&["-", "--out", out], DOCUMENT);
    assert_eq!((code, &*stdout), (0, ""), "{stderr}");
    assert!(stderr.ends_with("next to each other:\n  mod crontabs;\n  mod common;\n"), "{stderr}");
    let file = folder.join("crontabs/v1.rs");
    assert!(fs::read_to_string(&file).unwrap().contains("use super::super::common::IntOrString;"));
    // The same text again.
    assert_eq!(import(&["-", "--out", out], DOCUMENT).code, 0);
    let newer = DOCUMENT.replace("size:", "count:");
    let Ran { code, stderr, .. } = import(&["-", "--out", out], &newer);
    assert!(code == 1 && stderr.contains("v1.rs` exists and has another text"), "{stderr}");
    assert!(fs::read_to_string(&file).unwrap().contains("size"));
    assert_eq!(import(&["-", "--out", out, "--force"], &newer).code, 0);
    assert!(fs::read_to_string(&file).unwrap().contains("count"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_whole_package() {
    let folder = scratch("package");
    let out = folder.to_str().unwrap();
    let Ran { code, stderr, .. } = import(&["-", "--crate", "tabs", "--out", out], DOCUMENT);
    assert_eq!(code, 0, "{stderr}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("Cargo.toml").contains("name = \"tabs\""));
    let main = read("src/main.rs");
    for part in ["ResourceType::of::<crontabs::CronTab>()", "fn crontabs_v1_is_released()"] {
        assert!(main.contains(part), "{part}\n{main}");
    }
    assert!(!main.contains("laws!"), "there is one version");
    assert!(read("released/crontabs/v1.json").contains("conversionEntries"));
    assert!(read("src/crontabs/mod.rs").contains("pub enum CronTab"));
    let Ran { code, stderr, .. } = import(&["-", "--crate", "a b"], DOCUMENT);
    assert!(code == 2 && stderr.contains("write letters, digits"), "{stderr}");
    fs::remove_dir_all(folder).unwrap();
}
