//! The command `convert`.

use super::*;

const OLD: &str = r#"{"apiVersion": "example.com/v1beta1", "kind":"CronTab","metadata":{},"big": 12345678901234567890123,"hostPort":"h:1"}"#;

#[test]
fn json_passes_byte_for_byte() {
    let out = succeeds(&["convert", "--to", "v1"], &format!("{OLD}\n {OLD}"));
    let new = r#"{"apiVersion": "example.com/v1", "kind":"CronTab","metadata":{},"big": 12345678901234567890123,"host":"h","port":"1"}"#;
    assert_eq!(out, format!("{new}\n{new}\n"));
    assert_eq!(succeeds(&["convert", "--to", "example.com/v1beta1"], OLD), format!("{OLD}\n"));
}

#[test]
fn yaml_in_several_documents_keeps_its_numbers() {
    let yaml = "apiVersion: example.com/v1beta1\nkind: CronTab\nf: 1.10\nmetadata: {}\nhostPort: on:1\n---\n---\nkind: CronTab\napiVersion: example.com/v1\nmetadata: {}\nhost: a\nport: '2'\n";
    assert_eq!(
        succeeds(&["convert", "--to", "v1"], yaml),
        "apiVersion: example.com/v1\nkind: CronTab\nf: 1.10\nmetadata: {}\nhost: \"on\"\nport: \"1\"\n---\nkind: CronTab\napiVersion: example.com/v1\nmetadata: {}\nhost: a\nport: \"2\"\n"
    );
    assert!(succeeds(&["convert", "--to", "v1", "--format", "json"], yaml).starts_with('{'));
    assert_eq!(
        succeeds(
            &["convert", "--to", "v1"],
            "{apiVersion: example.com/v1, kind: CronTab, metadata: {}}"
        ),
        "apiVersion: example.com/v1\nkind: CronTab\nmetadata: {}\n"
    );
}

#[test]
fn comments_that_are_lost_are_said() {
    for (more, is_said) in [
        ("# ours", true),
        ("f: 1 # ours", true),
        ("f:\n  # ours\n  g: 1", true),
        ("f: |\n  # a script's\n  run", false),
        ("f:\n- >-\n  # a text's", false),
        ("f: |\n  # a script's\ng: 1 # ours", true),
        ("f: '# none'", false),
        ("f: 'it''s # none'", false),
        (r#"f: "a\" # none""#, false),
        ("f: \"a\" # ours", true),
        ("f: it's # ours", true),
        ("f: [\"a\", 'b'] # ours", true),
        ("f: a#b  ", false),
    ] {
        let yaml = format!(
            "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {{}}\nhostPort: h:1\n{more}\n"
        );
        let Ran { code, stderr, .. } = run(&["convert", "--to", "v1"], &yaml);
        let said = if is_said { "note: the comments in standard input are lost\n" } else { "" };
        assert_eq!((code, &*stderr), (0, said), "{more}");
        succeeds(&["convert", "--to", "v1", "--format", "json"], &yaml);
    }
}

#[test]
fn a_folder_stands_for_the_objects_in_it() {
    let folder = scratch("folder");
    let name = folder.to_str().unwrap();
    fs::write(folder.join("notes.txt"), "nothing").unwrap();
    let error = fails(&["convert", "--to", "v1", name], "");
    assert!(error.contains("has no file that ends with .json, .yaml or .yml"), "{error}");
    fs::write(folder.join("b.json"), OLD.replace("h:1", "b:1")).unwrap();
    fs::write(folder.join("a.json"), OLD.replace("h:1", "a:1")).unwrap();
    let converted = succeeds(&["convert", "--to", "v1", name], "");
    let places = [r#""host":"a""#, r#""host":"b""#].map(|host| converted.find(host).unwrap());
    assert!(places[0] < places[1], "in the order of their names: {converted}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_items_of_a_list_are_converted_where_they_stand() {
    let list = |item: &str| {
        format!(
            r#"{{ "apiVersion":"v1", "items" : [ {item} ,{item}], "kind":"List","metadata":{{}} }}"#
        )
    };
    let new =
        OLD.replace("v1beta1", "v1").replace(r#""hostPort":"h:1""#, r#""host":"h","port":"1""#);
    assert_eq!(succeeds(&["convert", "--to", "v1"], &list(OLD)), list(&new) + "\n");
}

#[test]
fn export_takes_the_carrier_out() {
    let object = r#"{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a","annotations":{"conversion.example.com/v1beta1.x":"{}"}}}"#;
    let kept = succeeds(&["convert", "--to", "v1"], object);
    assert!(kept.contains("conversion.example.com"), "{kept}");
    let out = succeeds(&["convert", "--to", "v1", "--export"], object);
    assert!(!out.contains("conversion.example.com"), "{out}");
}

#[test]
fn a_failure_is_one_sentence_and_prints_nothing() {
    let bad = OLD.replace("h:1", "nonsense").replace("{}", r#"{"name":"a","namespace":"b"}"#);
    let error = fails(&["convert", "--to", "v1"], &format!("{OLD}{bad}"));
    assert!(error.contains("b/a") && error.contains("hostPort"), "{error}");
    for (input, part) in [
        ("", "no object"),
        ("{", "isn't JSON"),
        ("[]", "no object"),
        ("3", "isn't an object"),
        ("{}", "no `apiVersion`"),
        ("a: b: c", "not readable as YAML"),
        (r#"{"apiVersion":"v1","kind":"Pod"}"#, "CronTab in example.com"),
        (r#"{"apiVersion":"v1","kind":"List","items":3}"#, "items"),
        (r#"{"apiVersion":"v1","kind":"List","items":[3]}"#, "isn't an object"),
    ] {
        let error = fails(&["convert", "--to", "v1"], input);
        assert!(error.contains(part), "{input}: {error}");
    }
    assert!(fails(&["convert", "--to", "v7"], OLD).contains("v7"));
    assert!(fails(&["convert", "--to", "v1", "/no/such/file"], "").contains("/no/such/file"));
    let huge = OLD.replace("12345678901234567890123", "1e400");
    assert!(succeeds(&["convert", "--to", "v1"], &huge).contains("1e400"));
    assert!(fails(&["convert", "--to", "v1", "--format", "yaml"], &huge).contains("--format json"));
}

/// What the API server answers to `kubectl get --raw`: only the list has a version and a kind.
#[test]
fn items_have_the_version_and_kind_of_their_list() {
    let list = r#"{"kind":"CronTabList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"},"host":"h","port":"1"}, { }]}"#;
    assert_eq!(
        succeeds(&["convert", "--to", "v1beta1"], list).trim_end(),
        r#"{"kind":"CronTabList","apiVersion":"example.com/v1beta1","metadata":{"resourceVersion":"5"},"items":[{"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"hostPort":"h:1"}, {"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{} }]}"#
    );
    let checked = succeeds(&["check"], list);
    assert!(checked.starts_with("crontabs.example.com: 2 objects, 2 read in v1\n"), "{checked}");
}

#[test]
fn arrays_and_lists_in_lists() {
    let object = r#"{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a"},"host":"h","port":"1"}"#;
    let converted = r#"{"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"hostPort":"h:1"}"#;
    for (before, after) in
        [("[", "]"), ("[[", "]]"), (r#"{"apiVersion":"v1","kind":"List","items":["#, "]}")]
    {
        let text = format!("{before}{object},{object}{after}");
        let expected = format!("{before}{converted},{converted}{after}");
        assert_eq!(succeeds(&["convert", "--to", "v1beta1"], &text).trim_end(), expected);
        let checked = succeeds(&["check"], &text);
        assert!(checked.starts_with("crontabs.example.com: 2 objects"), "{checked}");
    }
    assert!(fails(&["check"], "[1]").contains("a document isn't an object of Kubernetes"));
}

#[test]
fn a_missing_line_between_documents_is_named() {
    let text =
        "apiVersion: example.com/v1\nkind: CronTab\napiVersion: example.com/v1\nkind: CronTab\n";
    assert!(fails(&["convert", "--to", "v1"], text).ends_with(
        "the key `apiVersion` in line 3 occurs twice in the same object; is the line `---` missing that begins a document?\n"
    ));
}
