//! Edits of texts as people write them.

use super::*;

/// Edits the only document of a text.
fn edited(yaml: &str, new: &str, is_forced: bool) -> Edited {
    let old = to_json(yaml).unwrap_or_else(|error| panic!("invalid test case: {error}\n{yaml}"));
    edit(yaml, &old, &[new.to_owned()], is_forced).unwrap()
}

#[track_caller]
fn becomes(yaml: &str, new: &str, expected: &str) {
    let Edited { text, obstacles } = edited(yaml, new, false);
    assert_eq!(obstacles, [], "{yaml}");
    assert_eq!(text, expected);
    let dos = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(edited(&dos(yaml), new, false).text, dos(expected));
    let cut = |text: &str| text.trim_end_matches('\n').to_owned();
    assert_eq!(edited(&cut(yaml), new, false).text, cut(expected));
}

/// Expects that the text stays as it is, and returns what would be lost in which line.
#[track_caller]
fn loses(yaml: &str, new: &str) -> Vec<String> {
    let Edited { text, obstacles } = edited(yaml, new, false);
    assert_eq!(text, yaml);
    let forced = edited(yaml, new, true);
    let value = to_json(&forced.text).unwrap();
    assert!(node(&value[0]).unwrap().same(&node(new).unwrap()), "{}", forced.text);
    assert!(!forced.obstacles.is_empty());
    obstacles.iter().map(|obstacle| format!("{}: {obstacle}", obstacle.line)).collect()
}

#[test]
fn scalars_change_between_their_quotes() {
    becomes(
        "a:   old  # c\nb: \"old\" # c\nc:   'old'\n\n# e\n",
        r#"{"a":"new","b":"say \"new\"","c":"it's"}"#,
        "a:   new  # c\nb: \"say \\\"new\\\"\" # c\nc:   'it''s'\n\n# e\n",
    );
    becomes("a: 1 # c\nb: x\n", r#"{"a":1.10,"b":"on"}"#, "a: 1.10 # c\nb: \"on\"\n");
    becomes("a: # c\nb:\n", r#"{"a":1,"b":null}"#, "a: 1 # c\nb:\n");
    becomes(
        "a: |  \n  x\n  # no comment\n\n\n# c\nb: 2\n",
        r#"{"a":"p","b":2}"#,
        "a: p\n# c\nb: 2\n",
    );
    becomes("a: x # c\nb: 2\n", r#"{"a":"l 1\nl 2\n","b":2}"#, "a: | # c\n  l 1\n  l 2\nb: 2\n");
}

#[test]
fn members_come_and_go_between_comments() {
    becomes(
        "# a\na: 1\n# b\nb: 2\n\n# c\nc: 3 # d\n",
        r#"{"a":1,"c":3,"d":{"e":[1,{"f":2}]}}"#,
        "# a\na: 1\n# b\n\n# c\nc: 3 # d\nd:\n  e:\n  - 1\n  - f: 2\n",
    );
    becomes(
        "a:\n    # x\n    x: 1\n\nb: 2\n",
        r#"{"a":{"x":1,"p":{"z":1}},"b":2}"#,
        "a:\n    # x\n    x: 1\n    p:\n      z: 1\n\nb: 2\n",
    );
    becomes("a: {}\nb: [] # c\n", r#"{"a":{"x":1},"b":["p"]}"#, "a:\n  x: 1\nb: # c\n  - p\n");
    becomes("a:\n  x: 1\n# c\nb: 2\n", r#"{"a":{},"b":2}"#, "a: {}\n# c\nb: 2\n");
    becomes(
        "a: {x: 1, \"p\": 2} # c\nb: {\n  x: 1, # d\n  p: 2\n}\n",
        r#"{"a":{"p":2,"z":[1]},"b":{"x":1,"w":2}}"#,
        "a: {\"p\": 2, z: [1]} # c\nb: {\n  x: 1, # d\n  w: 2\n}\n",
    );
    becomes("b: 2 # c\n", r#"{"a":1,"b":2}"#, "a: 1\nb: 2 # c\n");
}

#[test]
fn a_name_changes_in_its_place() {
    becomes(
        "a: 1\nold: # c\n  # d\n  - x: 1\n\n  - p: 2 # e\nz: 3\n",
        r#"{"a":1,"new":[{"x":1},{"p":2,"w":3}],"z":3}"#,
        "a: 1\nnew: # c\n  # d\n  - x: 1\n\n  - p: 2 # e\n    w: 3\nz: 3\n",
    );
    becomes("a: 60 # c\n", r#"{"b":"60s"}"#, "b: 60s # c\n");
    becomes("a: h:1 # c\n", r#"{"x":"h","p":1}"#, "x: h # c\np: 1\n");
}

#[test]
fn items_come_and_go_between_comments() {
    becomes(
        "a:\n# 1\n-   x: 1 # 2\n    p: 2\n# 3\n-   x: 3\n# 4\n-   x: 4\n",
        r#"{"a":[{"x":1,"p":3},{"x":4},{"x":5}]}"#,
        "a:\n# 1\n-   x: 1 # 2\n    p: 3\n# 3\n# 4\n-   x: 4\n- x: 5\n",
    );
    becomes(
        "a:\n  - x: 1\n    # c\n    p: 2\n  - - z\n    - w # d\n",
        r#"{"a":[{"p":2},["w","v"]]}"#,
        "a:\n  -\n    # c\n    p: 2\n  - - w # d\n    - v\n",
    );
}

#[test]
fn lists_and_objects_move_with_their_comments() {
    becomes(
        "a:\n  old:\n    x: 1 # d\n    p: [1] # e\n  z: 1\nb:\n    w: 1\n",
        r#"{"a":{"z":1},"b":{"w":1,"v":{"new":{"x":1,"p":[1]}}}}"#,
        "a:\n  z: 1\nb:\n    w: 1\n    v:\n      new:\n        x: 1 # d\n        p: [1] # e\n",
    );
    // A comment above the first member isn't inside of the value.
    assert_eq!(
        loses("old:\n  # c\n  x: 1\nb: 1\n", r#"{"b":{"new":{"x":1}}}"#),
        ["2: the comment `# c`"]
    );
}

#[test]
fn what_would_be_lost_is_named() {
    assert_eq!(
        loses("# a\na: 1\nb: 2 # b\nc:\n  # c\n  d: 1\n", r#"{"a":1}"#),
        ["3: the comment `# b`", "5: the comment `# c`"]
    );
    assert_eq!(
        loses("a: 1 # c\nb: &x 2 # c\n", r#"{"a":1}"#),
        ["1: the comment `# c`", "2: the anchor `&x`"]
    );
    assert_eq!(
        loses("a: &x 1\nb: 2\nc: *x\n", r#"{"a":1,"b":2,"c":3}"#),
        ["3: an alias of a value that changes"]
    );
    // The new member isn't what has become of the old one.
    assert_eq!(loses("a: 1 # c\nz: 2\n", r#"{"b":160,"z":2}"#), ["1: the comment `# c`"]);
    assert_eq!(
        loses("a: &x {p: 1}\nb: 2\nc:\n  <<: *x\n", r#"{"a":{"p":1},"b":2,"c":{"p":2}}"#),
        ["4: an alias of a value that changes"]
    );
}

#[test]
fn other_documents_stay() {
    let yaml = "%YAML 1.2\n---\na: 1 # c\n...\n# between\n---\n---\nb:   2\n--- # last\n{c: 3}\n";
    let old = to_json(yaml).unwrap();
    let new = [old[0].clone(), r#"{"b":3}"#.to_owned(), r#"{"d":3}"#.to_owned()];
    let Edited { text, obstacles } = edit(yaml, &old, &new, false).unwrap();
    assert_eq!(obstacles, []);
    assert_eq!(text, yaml.replace("b:   2", "b:   3").replace("{c: 3}", "{d: 3}"));
}
