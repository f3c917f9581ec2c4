use super::pattern::{is_match, parse};

#[test]
fn what_go_takes() {
    for pattern in [
        "",
        "^a+$",
        "[[]",
        "[]a]",
        "a{,2}",
        "{",
        "a{1000}",
        "(a{10}){100}",
        "\\12",
        "\\_",
        "\\pL",
        "[[:^digit:]x]",
        "(?<n>a)",
        "(?P<1>a)",
        "\\Q(\\E",
        "a*(?i)*",
        "x{01}",
        "[a-\\x{e4}]",
        "(|a)*",
    ] {
        let parsed = parse(pattern);
        assert!(parsed.is_ok_and(|parsed| parsed.doubt.is_none()), "{pattern}");
    }
}

#[test]
fn what_go_refuses() {
    for (pattern, problem) in [
        ("(?=a)", "look-around"),
        ("(?<!a)", "look-around"),
        ("a**", "behind another operator"),
        ("a{2}{3}", "behind another operator"),
        ("a++", "behind another operator"),
        ("*a", "nothing to repeat"),
        ("(*a)", "nothing to repeat"),
        ("a{1001}", "more than 1000"),
        ("(a{50}){50}", "more than 1000"),
        ("a{3,2}", "less often"),
        ("(a", "no `)`"),
        ("a)", "no `(`"),
        ("[a", "no `]`"),
        ("[z-a]", "upside down"),
        ("[[:foo:]]", "unknown"),
        ("\\1", "back-references"),
        ("\\y", "means nothing"),
        ("a\\", "at the end"),
        ("(?x)a", "nothing that is known"),
        ("(?P<n-m>a)", "letters, digits and `_`"),
    ] {
        let found = parse(pattern).err().unwrap_or_default();
        assert!(found.contains(problem), "{pattern}: {found}");
    }
    assert!(parse("\\p{Vai}").is_ok_and(|parsed| parsed.doubt.is_some()));
}

#[test]
fn matching_is_gos() {
    for (pattern, text, matches) in [
        ("^\\d$", "\u{663}", false),
        ("^[\\w&&x]$", "&", true),
        ("^[[a]$", "[", true),
        ("^a{,2}$", "a{,2}", true),
        ("(?i)^\u{e4}$", "\u{c4}", true),
        ("^.$", "\n", false),
        ("\\bx", "\u{e4}x", true),
        ("^x{2}$", "xx", true),
        ("^\\Qx{2}\\E$", "x{2}", true),
    ] {
        assert_eq!(is_match(pattern, text), Some(matches), "{pattern} of {text}");
    }
}
