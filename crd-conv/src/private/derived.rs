//! Tests the code that the derive writes, by calling it as the engine does.

use serde::{Deserialize, Serialize};

use super::{At, Codec, FieldOf, Shape, UpgradeFrom, input};
use crate::Versioned;
use crate::plan::{By, Fault, JsonType, Nested, Rule, Values};

/// Functions that write a number in quotes.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn serialize<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

fn seven() -> i32 {
    7
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(crate = crate)]
struct Older {
    a: String,
    #[serde(with = "text")]
    b: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    c: Vec<String>,
    #[serde(default = "seven", with = "text")]
    d: i32,
    e: Option<String>,
    #[serde(skip)]
    #[expect(dead_code, reason = "shows that a skipped field isn't part of the shape")]
    cache: Option<i32>,
}

const LIMIT: i32 = 9;

#[derive(Versioned, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[versioned(
    crate = crate,
    from = Older,
    removed(e, b = -4),
    map((a, c) <=> (the_a, n), with(upgrade = up, downgrade = down)),
)]
struct Newer {
    the_a: Option<String>,
    n: usize,
    #[serde(with = "text")]
    d: i32,
    #[serde(with = "text")]
    #[versioned(added(value = LIMIT))]
    limit: i32,
    #[versioned(added)]
    word: String,
}

impl Default for Newer {
    fn default() -> Self {
        Self { the_a: None, n: 5, d: 1, limit: 2, word: "w".to_owned() }
    }
}

fn up((a, c): (String, Vec<String>)) -> Result<(Option<String>, usize), String> {
    if a == "bad" { Err(format!("`{a}` it is")) } else { Ok((Some(a), c.len())) }
}

fn down((a, n): (Option<String>, usize)) -> (String, Vec<String>) {
    (a.unwrap_or_default(), vec![String::new(); n])
}

fn rules() -> &'static [Rule] {
    let Nested::Struct(plan) = <Newer as UpgradeFrom<Older>>::plan() else { panic!("a struct") };
    plan.rules
}

fn written(write: super::super::plan::WriteFn) -> (String, bool) {
    let mut out = String::new();
    let there = write(&mut out).expect("a constant can be written");
    (out, there)
}

#[test]
fn shapes() {
    let names: Vec<_> = Older::FIELDS.iter().map(|facts| facts.field.rust).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    assert_eq!(Older::NAME, "derived::Older");
    assert_eq!(Newer::FIELDS[0].field.wire, "the-a");
    let optional: Vec<_> = Older::FIELDS.iter().map(|facts| facts.field.optional).collect();
    assert_eq!(optional, [false, false, true, true, true]);
    let kinds: Vec<_> = Older::FIELDS.iter().map(|facts| (facts.field.kind)()).collect();
    let (string, array) = (JsonType::STRING, JsonType::ARRAY);
    assert_eq!(kinds, [string, string, array, string, string.or(JsonType::NULL)]);
    assert!(Newer::FIELDS.iter().all(|facts| facts.field.optional));
}

#[test]
fn defaults_are_written_by_the_fields_codec() {
    let default = |facts: &super::Facts| facts.field.default.map(written);
    let older: Vec<_> = Older::FIELDS.iter().map(default).collect();
    let nothing = (String::new(), false);
    assert_eq!(older, [None, None, Some(nothing.clone()), Some(("\"7\"".to_owned(), true)), None]);
    let newer: Vec<_> = Newer::FIELDS.iter().map(default).collect();
    let text = |text: &str| Some((text.to_owned(), true));
    assert_eq!(newer, [Some(nothing), text("5"), text("\"1\""), text("\"2\""), text("\"w\"")]);
}

fn read<S, At, T>(text: Option<&str>) -> Result<T, Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    input::<S, At, T>(&[text], 0)
}

#[test]
fn fields_are_read_by_their_codec() {
    assert_eq!(read::<Older, At<1>, i32>(Some("\"3\"")).expect("a number"), 3);
    read::<Older, At<1>, i32>(Some("3")).expect_err("not in quotes");
    read::<Older, At<1>, i32>(None).expect_err("required");
    assert_eq!(read::<Older, At<3>, i32>(None).expect("the default"), 7);
    assert_eq!(read::<Older, At<4>, Option<String>>(None).expect("none"), None);
    assert_eq!(read::<Newer, At<4>, String>(None).expect("the default"), "w");
    let fault = read::<Older, At<0>, String>(None).expect_err("required");
    assert!(
        matches!(&fault, Fault::Unreadable(0, error) if error.to_string() == "missing field `a`")
    );
}

#[test]
fn fills() {
    let mut fills = Vec::new();
    for rule in rules() {
        match rule {
            Rule::Added { newer, fill } => fills.push((newer.rust, fill.map(written))),
            Rule::Removed { older, fill } => fills.push((older.rust, fill.map(written))),
            Rule::Kept { .. } | Rule::Moved { .. } | Rule::Converted { .. } => {}
        }
    }
    let text = |text: &str| Some((text.to_owned(), true));
    fills.sort_unstable();
    assert_eq!(
        fills,
        [("b", text("\"-4\"")), ("e", None), ("limit", text("\"9\"")), ("word", text("\"w\""))]
    );
}

#[test]
fn groups() {
    let Some(Rule::Converted { older, newer, by: By { by, upgrade, downgrade } }) =
        rules().iter().find(|rule| matches!(rule, Rule::Converted { .. }))
    else {
        panic!("one group")
    };
    assert_eq!(*by, "up / down");
    assert_eq!((older.len(), newer.len()), (2, 2));

    let mut out = Values::default();
    (upgrade.convert)(&[Some("\"x\""), Some("[\"y\", \"z\"]")], None, &mut out)
        .expect("it upgrades");
    assert_eq!(out.texts().collect::<Vec<_>>(), [Some("\"x\""), Some("2")]);

    // An empty list is left out, and so is an absent value.
    let mut out = Values::default();
    (downgrade.convert)(&[None, Some("0")], None, &mut out).expect("it downgrades");
    assert_eq!(out.texts().collect::<Vec<_>>(), [Some("\"\""), None]);

    let fault = (upgrade.convert)(&[Some("\"x\""), Some("3")], None, &mut Values::default());
    assert!(matches!(fault, Err(Fault::Unreadable(1, _))), "{fault:?}");
    let fault = (upgrade.convert)(&[Some("\"bad\""), None], None, &mut Values::default());
    assert!(
        matches!(&fault, Err(Fault::Refused(error)) if error.to_string() == "`bad` it is"),
        "{fault:?}"
    );
}
