use super::super::cel::parse;

#[test]
fn expressions() {
    for text in [
        "self.size > 0 && self.name.startsWith('a')",
        "!has(self.a) || has(self.b.c)",
        "self.?a.orValue(1) == 1",
        "self[?'a'].hasValue()",
        "{?'a': self.?b, 'c': 1}",
        "[1, 2,].all(x, x in [1, 2])",
        "self.all(i, v, v > i)",
        "a.b.C{d: 1}",
        "-1 + -self.a - 0x1Fu * 1.5e3",
        "r'\\d+' == '''a\n'b' ''' // a comment\n ? true : b'\\x00' == b\"\"",
        "!!true",
        "self.labels.`app.kubernetes.io/name` == self.?`a b`.orValue('')",
        "has(self.`a-b`) && C{`d`: 1} == self",
    ] {
        assert!(matches!(parse(text), Ok(Some(_))), "{text}: {:?}", parse(text).err());
    }
}

#[test]
fn mistakes() {
    for (text, problem) in [
        ("", "a value is missing at the end"),
        ("self.a = 1", "write `==`"),
        ("self.a & 1", "write `&&`"),
        ("self.a >", "a value is missing at the end"),
        ("(self.a", "`)` is missing at the end"),
        ("self.a self.b", "`self` follows a complete expression"),
        ("has(self)", "needs a field"),
        ("self.all(x.y, true)", "must begin with the name of a variable"),
        ("'\\d'", "means nothing in a string"),
        ("'a\n'", "line break"),
        ("'a", "no closing quote"),
        ("self.if == package", "`package` is a reserved word"),
        ("`a`", "a value is missing before `a`"),
        ("self.``", "means nothing here"),
        ("self.`a", "means nothing here"),
        ("self.`a(b)`", "means nothing here"),
        ("self.`a`(1)", "`(` follows a complete expression"),
        ("self.in", "the name of a field is missing before `in`"),
    ] {
        let found = parse(text).err().unwrap_or_default();
        assert!(found.contains(problem), "{text}: {found}");
    }
    assert!(parse(&"(".repeat(199)).is_err());
    // The server's limit is another one.
    assert!(matches!(parse(&"(".repeat(100_000)), Ok(None)));
}

#[test]
fn old_self() {
    let uses = |text| matches!(parse(text), Ok(Some(own)) if own.uses_old_self);
    assert!(uses("self == oldSelf"));
    assert!(uses("self.all(x, x in oldSelf)"));
    assert!(!uses("self.oldSelf == 1"));
    assert!(!uses("self.all(oldSelf, oldSelf > 1)"));
    assert!(!uses("'oldSelf' == self"));
}
