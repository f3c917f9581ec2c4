//! Patches of kustomize.

use super::*;

#[test]
fn patches_of_kustomize_are_named_and_not_converted() {
    let object = "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {}\nhostPort: h:1\n";
    let part = "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {name: a}\n";
    let other = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n";
    let ops = "- op: replace\n  path: /hostPort\n  value: a:1\n";
    let with = |kustomization: &str| {
        vec![
            ("a.yaml", object.to_owned()),
            ("part.yaml", part.to_owned()),
            ("other.yaml", other.to_owned()),
            ("ops.yaml", ops.to_owned()),
            ("kustomization.yaml", format!("resources: [a.yaml]\n{kustomization}")),
        ]
    };
    for (name, kustomization, named) in [
        ("path", "patches: [{path: part.yaml}]", Some("`part.yaml`: this patch for CronTab")),
        (
            "target",
            "patches:\n- path: ops.yaml\n  target: {kind: CronTab}",
            Some("`ops.yaml`: this patch for CronTab"),
        ),
        (
            "pattern",
            "patches:\n- path: ops.yaml\n  target: {kind: Cron.*|Job, group: example.com}",
            Some("`ops.yaml`: this patch for CronTab"),
        ),
        (
            "version",
            "patches:\n- path: ops.yaml\n  target: {kind: CronTab, version: v1beta1}",
            Some("`ops.yaml`: this patch for CronTab"),
        ),
        (
            "merge",
            "patchesStrategicMerge: [part.yaml]",
            Some("`part.yaml`: this patch for CronTab"),
        ),
        (
            "inline",
            "patches:\n- patch: |-\n    apiVersion: example.com/v1beta1\n    kind: CronTab\n    metadata: {name: a}",
            Some("`kustomization.yaml`: the patch `patches[0]` for CronTab"),
        ),
        (
            "merge-inline",
            "patchesStrategicMerge:\n- other.yaml\n- |\n  apiVersion: example.com/v1beta1\n  kind: CronTab\n  metadata: {name: a}",
            Some("`kustomization.yaml`: the patch `patchesStrategicMerge[1]` for CronTab"),
        ),
        (
            "json",
            "patchesJson6902:\n- path: ops.yaml\n  target: {kind: CronTab, name: a}",
            Some("`ops.yaml`: this patch for CronTab"),
        ),
        (
            "replaced",
            "replacements:\n- source: {kind: Other}\n  targets: [{select: {kind: CronTab}, fieldPaths: [hostPort]}]",
            Some("`kustomization.yaml`: `replacements[0]`"),
        ),
        // These are for other objects, or are changed already.
        (
            "others",
            "patches: [{path: other.yaml}, {path: ops.yaml, target: {kind: Deployment}}]",
            None,
        ),
        ("changed", "patches:\n- path: ops.yaml\n  target: {kind: CronTab, version: v1}", None),
    ] {
        let mut files = with(kustomization);
        files.retain(|(file, _)| *file != "part.yaml" || kustomization.contains("part.yaml"));
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        let name = format!("patch-{name}");
        let Some(named) = named else {
            let folder = Folder::new(&name, &files);
            assert_eq!(folder.run(&[]).stderr, DONE);
            continue;
        };
        let stderr = refused(&name, &files);
        assert!(stderr.starts_with(&format!("error: {named}, which ")), "{name}: {stderr}");
        assert!(stderr.contains("isn't converted") && stderr.lines().count() == 2, "{stderr}");
        let folder = Folder::new(&name, &files);
        let Ran { code, stderr, .. } = folder.run(&["--force"]);
        assert!(code == 0 && stderr.starts_with("note: ") && stderr.ends_with(DONE), "{stderr}");
        if kustomization.contains("part.yaml") {
            assert_eq!(folder.text("part.yaml"), part);
        }
    }
    let patch = format!("{part}x:\n- $patch: delete\n  name: b\n");
    let stderr = refused("directive", &[("a.yaml", object), ("b.yaml", &patch)]);
    assert!(stderr.starts_with("error: `b.yaml`: this patch for CronTab, which "), "{stderr}");
}
