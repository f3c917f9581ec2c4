//! The library's converters, each by itself: nothing panics, and what is documented as exact comes back.
#![allow(clippy::needless_pass_by_value, reason = "a converter is a small constant")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use crd_conv::{Converter, with::*};
use proptest::{collection::vec, prelude::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// What goes up comes back.
#[track_caller]
fn exact_up<O: Clone + Debug + PartialEq, N>(by: impl Converter<O, N>, older: &O) {
    let newer = by.upgrade(older.clone()).expect("it upgrades");
    assert_eq!(by.downgrade(newer).expect("it downgrades"), *older);
}

/// What goes down comes back.
#[track_caller]
fn exact_down<O, N: Clone + Debug + PartialEq>(by: impl Converter<O, N>, newer: &N) {
    let older = by.downgrade(newer.clone()).expect("it downgrades");
    assert_eq!(by.upgrade(older).expect("it upgrades"), *newer);
}

/// What is shown stays what it is, whatever stood there before.
#[track_caller]
fn edits_win<O: Clone + Debug + PartialEq, N>(by: impl Converter<O, N>, older: &O, before: N) {
    if let Ok(newer) = by.upgrade_edited(older.clone(), before) {
        assert_eq!(by.downgrade(newer).expect("it downgrades"), *older);
    }
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Port {
    number: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Zone {
    name: String,
    weight: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Unnamed {
    weight: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
enum Plain {
    Git(Unnamed),
    Oci(Unnamed),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type")]
enum Tagged {
    Git(Unnamed),
    Oci(Unnamed),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", content = "value")]
enum Beside {
    Git(i64),
    Oci(String),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Text(String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Union {
    Git { weight: i64 },
    None {},
    Bare,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type")]
enum InTag {
    Git { weight: i64 },
    None {},
    Bare,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", content = "value")]
enum ByTag {
    Git { weight: i64 },
    None {},
    Bare,
}

/// One is the other, in both directions.
#[track_caller]
fn exact<O, N>(by: Retagged, older: &O, newer: &N)
where
    O: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
    N: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
{
    let upgraded: N = by.upgrade(older.clone()).expect("it upgrades");
    assert_eq!(upgraded, *newer);
    let downgraded: O = by.downgrade(newer.clone()).expect("it downgrades");
    assert_eq!(downgraded, *older);
}

fn ports() -> impl Strategy<Value = Vec<Port>> {
    vec((0..4, prop::option::of("[ab]")), 0..5)
        .prop_map(|all| all.into_iter().map(|(number, name)| Port { number, name }).collect())
}

fn zones() -> impl Strategy<Value = Vec<Zone>> {
    let all = vec(("[a-d]", any::<i64>()), 0..5);
    all.prop_map(|all| all.into_iter().map(|(name, weight)| Zone { name, weight }).collect())
}

fn distinct(mut zones: Vec<Zone>) -> Vec<Zone> {
    let mut seen = Vec::new();
    zones.retain(|zone| {
        let new = !seen.contains(&zone.name);
        seen.push(zone.name.clone());
        new
    });
    zones
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9:/.{}-]{0,6}".prop_map(Value::from),
        Just(json!("type")),
    ];
    leaf.prop_recursive(3, 12, 3, |inside| {
        prop_oneof![
            vec(inside.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("(name|type|git|matchLabels|value|a)", inside, 0..3)
                .prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// Every direction, with whatever the types read of a value.
fn try_all<O: DeserializeOwned, N: DeserializeOwned>(
    by: &impl Converter<O, N>,
    one: &Value,
    other: &Value,
) {
    let older = || serde_json::from_value::<O>(one.clone());
    let newer = || serde_json::from_value::<N>(other.clone());
    if let Ok(older) = older() {
        let _ = by.upgrade(older);
    }
    if let Ok(newer) = newer() {
        let _ = by.downgrade(newer);
    }
    if let (Ok(older), Ok(before)) = (older(), newer()) {
        let _ = by.upgrade_edited(older, before);
    }
    if let (Ok(newer), Ok(before)) = (newer(), older()) {
        let _ = by.downgrade_edited(newer, before);
    }
}

const SOURCE: OneOf<2> = OneOf::new(["git", "oci"]);
const TAGGED: OneOf<2> = OneOf::new(["Git", "Oci"]).tag("type");
const BESIDE: OneOf<2> = OneOf::new(["Git", "Oci"]).tag("type").content("value");
const TAGGINGS: [Tagging; 3] =
    [Tagging::External, Tagging::Internal("type"), Tagging::Adjacent("type", "value")];
const KINDS: ByKind = ByKind(&[("GitRepository", "git"), ("OCIRepository", "oci")]);
const LEVELS: Table<i64, &str> = Table(&[(0, "Low"), (1, "Low"), (2, "High")]);
const TYPES: Renamed = Renamed(&[("Ready", "Available"), ("Failed", "Degraded")]);
const ENDPOINT: Template<2> = Template::new("{host}:{port}");
const IMAGE: Template<3> = Template::new("img://{registry}/{name}@{version}!");
const SETTING: Template<2> = Template::new("{key}={value}").from_left();

proptest! {
    #[test]
    fn nothing_panics(one in anything(), other in anything()) {
        let (a, b) = (&one, &other);
        try_all::<Value, Vec<Value>>(&First, a, b);
        try_all::<Option<Value>, Vec<Value>>(&First, a, b);
        try_all::<Value, Value>(&Wrapped("name"), a, b);
        try_all::<BTreeMap<String, String>, Value>(&MatchLabels, a, b);
        try_all::<Vec<Value>, Vec<Value>>(&Each(Wrapped("name")), a, b);
        try_all::<Vec<Value>, BTreeMap<String, Value>>(&KeyedBy("name"), a, b);
        try_all::<BTreeMap<String, Value>, Vec<Value>>(&Inverse(KeyedBy("type")), a, b);
        try_all::<Vec<Value>, BTreeMap<String, Value>>(&Pairs("name", "value"), a, b);
        try_all::<i64, i32>(&Checked, a, b);
        try_all::<i64, u8>(&Clamped, a, b);
        try_all::<f64, i32>(&Rounded, a, b);
        try_all::<i64, String>(&IntText, a, b);
        try_all::<i64, Value>(&IntOrString, a, b);
        try_all::<String, Value>(&IntOrString, a, b);
        try_all::<Value, Value>(&LEVELS, a, b);
        try_all::<Value, Value>(&TYPES, a, b);
        try_all::<Value, Value>(&InField("type", TYPES), a, b);
        try_all::<Value, Option<Value>>(&ZeroAsAbsent, a, b);
        try_all::<Option<i64>, i64>(&AbsentIs(3), a, b);
        try_all::<Option<i64>, i64>(&AbsentBecomes(3), a, b);
        try_all::<bool, Option<Value>>(&Presence, a, b);
        try_all::<String, String>(&ApiGroup("v1"), a, b);
        try_all::<(Option<Value>, Option<Value>), Value>(&SOURCE, &json!([a, b]), b);
        try_all::<(Option<Value>, Option<Value>), Value>(&TAGGED, &json!([a, null]), b);
        try_all::<(Option<Value>, Option<Value>), Value>(&BESIDE, &json!([null, a]), b);
        try_all::<(Value, Value), Value>(&KINDS, &json!([a, b]), b);
        for from in TAGGINGS {
            for to in TAGGINGS {
                try_all::<Value, Value>(&Retagged(from, to), a, b);
            }
        }
        try_all::<(Option<String>, Option<i32>), Option<String>>(&Optional(Inverse(ENDPOINT)), &json!([a, b]), b);
        try_all::<Value, i64>(&Quantity::BYTES, a, b);
        try_all::<Value, i64>(&GoDuration::HOURS, a, b);
        try_all::<i64, Value>(&IntText, a, b);
        try_all::<Value, Value>(&ApiGroup("v1"), a, b);
        try_all::<Value, Value>(&JsonText, a, b);
        try_all::<Value, (String, i32)>(&ENDPOINT, a, &json!([a, b]));
        try_all::<String, i64>(&GoDuration::SECONDS, a, b);
        try_all::<String, i64>(&Quantity::MILLI, a, b);
        try_all::<String, (String, i32)>(&ENDPOINT, a, &json!([a, b]));
        try_all::<String, Value>(&JsonText, a, b);
        try_all::<String, Value>(&YamlText, a, b);
    }

    #[test]
    fn texts_never_panic(text in "\\PC{0,12}", likely in "[-+]?[0-9]{0,25}(\\.[0-9]{0,30})?(h|ms|s|µs|m|Ki|Ei|e[0-9]{1,3}|n|k|)") {
        for text in [text, likely] {
            let _ = Converter::<String, i64>::upgrade(&GoDuration::SECONDS, text.clone());
            let _ = Converter::<String, i64>::upgrade(&Quantity::BYTES, text.clone());
            let _ = Converter::<String, u8>::upgrade(&Quantity::MILLI, text.clone());
            let _ = Converter::<String, (String, String, u16)>::upgrade(&IMAGE, text.clone());
            let _ = Converter::<String, Value>::upgrade(&JsonText, text.clone());
            let _ = Converter::<String, Value>::upgrade(&YamlText, text.clone());
            let _ = Converter::<String, String>::upgrade(&ApiGroup("v1"), text);
        }
    }

    #[test]
    fn one_and_many(port in any::<i32>(), all in vec(any::<i32>(), 1..5), there in any::<bool>()) {
        exact_up::<i32, Vec<i32>>(First, &port);
        exact_up::<Option<i32>, Vec<i32>>(First, &there.then_some(port));
        exact_up::<Option<i32>, Option<Vec<i32>>>(First, &there.then_some(port));
        edits_win(First, &port, all.clone());
        edits_win::<Option<i32>, _>(First, &there.then_some(port), all.clone());
        edits_win::<Option<i32>, _>(First, &there.then_some(port), Some(all.clone()));
        let edited: Vec<i32> = First.upgrade_edited(port, all.clone()).expect("a list");
        assert_eq!(edited[1..], all[1..]);
    }

    #[test]
    fn wrapped(number in any::<i32>(), all in ports(), numbers in vec(0..4, 0..5)) {
        exact_up::<i32, Port>(Wrapped("number"), &number);
        exact_up::<Vec<i32>, Vec<Port>>(Each(Wrapped("number")), &numbers);
        edits_win::<Vec<i32>, _>(Each(Wrapped("number")), &numbers, all.clone());
        let both = || Then::<_, _, Port>::new(Wrapped("number"), First);
        exact_up::<i32, Vec<Port>>(both(), &number);
        edits_win::<i32, Vec<Port>>(both(), &number, all.clone());
        if let Some(first) = all.first() {
            let name = first.name.clone();
            let edited: Vec<Port> = both().upgrade_edited(number, all.clone()).expect("ports");
            assert_eq!(edited[0], Port { number, name });
            assert_eq!(edited[1..], all[1..]);
        }
    }

    /// An item that is edited, moved, added or deleted leaves the others what was kept of them.
    #[test]
    fn items_keep_their_own(all in ports(), at in 0..5_usize) {
        let by = Each(Wrapped("number"));
        let numbers: Vec<i32> = by.downgrade(all.clone()).expect("numbers");
        let same: Vec<Port> = by.upgrade_edited(numbers.clone(), all.clone()).expect("ports");
        assert_eq!(same, all);
        if let Some(old) = all.get(at) {
            let mut edited = numbers.clone();
            edited[at] = 9;
            let back: Vec<Port> = by.upgrade_edited(edited, all.clone()).expect("ports");
            // Whose name it was among several of the same number, nobody knows.
            let alone = numbers.iter().filter(|number| **number == old.number).count() == 1;
            let name = alone.then(|| old.name.clone()).flatten();
            assert_eq!(back[at], Port { number: 9, name });
            for (place, port) in back.iter().enumerate() {
                assert!(place == at || port.name.is_none() || *port == all[place]);
            }
        }
    }

    #[test]
    fn keyed(zones in zones(), others in zones()) {
        let by = KeyedBy("name");
        let distinct = distinct(zones.clone());
        let map: Result<BTreeMap<String, Unnamed>, _> = by.upgrade(zones.clone());
        assert_eq!(map.is_ok(), distinct == zones);
        let map: BTreeMap<String, Unnamed> = by.upgrade(distinct.clone()).expect("a map");
        exact_down::<Vec<Zone>, _>(by, &map);
        assert_eq!(by.downgrade_edited(map.clone(), distinct.clone()).expect("a list"), distinct);
        let list: Vec<Zone> = by.downgrade_edited(map.clone(), others).expect("a list");
        let again: BTreeMap<String, Unnamed> = by.upgrade(list).expect("a map");
        assert_eq!(again, map);

        let pairs = Pairs("name", "weight");
        let weights: BTreeMap<String, i64> = pairs.upgrade(distinct.clone()).expect("a map");
        exact_down::<Vec<Zone>, _>(pairs, &weights);
        assert_eq!(pairs.downgrade_edited(weights, distinct.clone()).expect("a list"), distinct);
    }

    #[test]
    fn numbers(large in any::<i64>(), small in any::<i32>(), byte in any::<u8>()) {
        exact_down::<i64, i32>(Checked, &small);
        exact_down::<i64, i32>(Clamped, &small);
        let narrow: Result<i32, _> = Checked.upgrade(large);
        assert_eq!(narrow.ok(), i32::try_from(large).ok());
        let clamped: u8 = Clamped.upgrade(small).expect("a number");
        assert_eq!(i32::from(clamped), small.clamp(0, 255));
        exact_up::<i64, String>(IntText, &large);
        exact_up::<u8, Value>(IntOrString, &byte);
        exact_down::<f64, i32>(Rounded, &small);
        exact_up::<String, Value>(IntOrString, &large.to_string());
    }

    #[test]
    fn absent(there in any::<bool>(), number in any::<i64>(), text in prop::option::of("[a-c]{0,2}")) {
        exact_up::<bool, _>(ZeroAsAbsent, &there);
        exact_up::<i64, _>(ZeroAsAbsent, &number);
        exact_up::<String, _>(ZeroAsAbsent, &text.clone().unwrap_or_default());
        exact_up::<bool, Option<Vec<i32>>>(Presence, &there);
        exact_down::<Option<i64>, i64>(AbsentIs(3), &number);
        exact_down::<Option<i64>, i64>(AbsentBecomes(3), &number);
        exact_down::<Option<String>, String>(AbsentIs("a"), &text.unwrap_or_default());
    }

    #[test]
    fn durations(number in any::<i32>(), small in -100_000_i64..100_000) {
        for by in [GoDuration::MILLISECONDS, GoDuration::SECONDS] {
            exact_down::<String, i32>(by, &number);
        }
        for by in [GoDuration::MINUTES, GoDuration::HOURS] {
            exact_down::<String, i64>(by, &small);
        }
    }

    #[test]
    fn quantities(number in any::<i64>()) {
        for by in [Quantity::BYTES, Quantity::WHOLE, Quantity::MILLI] {
            exact_down::<String, i64>(by, &number);
        }
    }

    #[test]
    fn templates(host in "[a-z:]{0,4}", port in any::<u16>(), key in "[a-z]{0,3}", value in "[a-z=]{0,3}", text in "[a-z:=/@0-9]{0,8}") {
        exact_down::<String, (String, u16)>(ENDPOINT, &(host.clone(), port));
        exact_down::<String, (String, String)>(SETTING, &(key.clone(), value));
        exact_down::<String, (String, String, u16)>(IMAGE, &(host, key, port));
        exact_down::<String, String>(Template::<1>::new("arn:{id}:x"), &text);
        // Whatever is parted is joined to the same text.
        for by in [Template::<2>::new("{a}:{b}"), Template::<2>::new("{a}:{b}").from_left()] {
            if Converter::<String, (String, String)>::upgrade(&by, text.clone()).is_ok() {
                exact_up::<String, (String, String)>(by, &text);
            }
        }
    }

    #[test]
    fn unions(weight in any::<i64>(), text in "[a-z]{0,3}", first in any::<bool>()) {
        let held = Unnamed { weight };
        let fields = |first: bool| (first.then(|| held.clone()), (!first).then(|| held.clone()));
        exact_up::<_, Plain>(SOURCE, &fields(first));
        exact_up::<_, Option<Plain>>(SOURCE, &fields(first));
        exact_up::<_, Tagged>(TAGGED, &fields(first));
        exact_up::<_, Beside>(BESIDE, &(first.then_some(weight), (!first).then_some(text)));
        exact_up::<_, Option<Plain>>(SOURCE, &(None::<Unnamed>, None::<Unnamed>));
        let kind = if first { "GitRepository" } else { "OCIRepository" };
        exact_up::<_, Plain>(KINDS, &(kind.to_owned(), held.clone()));
        let both = (Some(held.clone()), Some(held.clone()));
        let refused: Result<Plain, _> = SOURCE.upgrade(both);
        assert_eq!(refused.expect_err("two").to_string(), "only one of `git`, `oci` can be set");
        let refused: Result<Plain, _> = SOURCE.upgrade((None::<Unnamed>, None::<Unnamed>));
        assert_eq!(refused.expect_err("none").to_string(), "one of `git`, `oci` must be set");
    }

    /// Every form into every other one, and back.
    #[test]
    fn retagged(weight in any::<i64>(), which in 0..3) {
        let (plain, tagged, beside) = match which {
            0 => (Union::Git { weight }, InTag::Git { weight }, ByTag::Git { weight }),
            1 => (Union::None {}, InTag::None {}, ByTag::None {}),
            _ => (Union::Bare, InTag::Bare, ByTag::Bare),
        };
        let [external, internal, adjacent] = TAGGINGS;
        exact::<Union, InTag>(Retagged(external, internal), &plain, &tagged);
        exact::<Union, ByTag>(Retagged(external, adjacent), &plain, &beside);
        exact::<InTag, ByTag>(Retagged(internal, adjacent), &tagged, &beside);
        exact::<InTag, Union>(Retagged(internal, external), &tagged, &plain);
        exact::<ByTag, Union>(Retagged(adjacent, external), &beside, &plain);
        exact::<ByTag, InTag>(Retagged(adjacent, internal), &beside, &tagged);
        exact::<Option<Union>, Option<InTag>>(Retagged(external, internal), &Some(plain), &Some(tagged));
        exact_up::<Option<Union>, Option<InTag>>(Retagged(external, internal), &None);
    }

    /// All there, none there, and some there, which count as none.
    #[test]
    fn lifted(host in prop::option::of("[a-z:]{0,4}"), port in prop::option::of(any::<u16>())) {
        let by = Optional(ENDPOINT);
        let parts = (host.clone(), port);
        let text: Option<String> = by.downgrade(parts.clone()).expect("a text");
        assert_eq!(text, host.zip(port).map(|(host, port)| format!("{host}:{port}")));
        let whole = text.is_some();
        let back: (Option<String>, Option<u16>) = by.upgrade(text).expect("parts");
        assert_eq!(back, if whole { parts } else { (None, None) });
    }

    /// A text with a type of its own is converted as a `String` is.
    #[test]
    fn newtypes(number in any::<i64>(), text in "[a-z/:]{0,6}", port in any::<u16>()) {
        exact_down::<Text, i64>(Quantity::BYTES, &number);
        exact_up::<i64, Text>(IntText, &number);
        exact_up::<i64, Text>(Inverse(Quantity::MILLI), &number);
        exact_down::<Text, i32>(GoDuration::SECONDS, &i32::from(port));
        exact_down::<Text, Value>(JsonText, &json!({"a": number}));
        exact_down::<Text, (String, u16)>(ENDPOINT, &(text.clone(), port));
        if !text.contains('/') {
            exact_down::<Text, Text>(ApiGroup("v1"), &Text(text));
        }
    }

    /// A number that doesn't fit is refused, never another number.
    #[test]
    fn nothing_wraps(wide in any::<i128>(), exponent in 19..400_u32, number in any::<i64>(), float in any::<f64>()) {
        let read = |by: Quantity, text: String| -> Option<i64> { by.upgrade(text).ok() };
        assert_eq!(read(Quantity::WHOLE, wide.to_string()), i64::try_from(wide).ok());
        let milli = wide.checked_mul(1000).and_then(|milli| i64::try_from(milli).ok());
        assert_eq!(read(Quantity::MILLI, wide.to_string()), milli);
        assert_eq!(read(Quantity::WHOLE, format!("1e{exponent}")), None);
        assert_eq!(read(Quantity::WHOLE, format!("-1e{exponent}")), None);
        for (by, unit) in [
            (GoDuration::MILLISECONDS, 1_000_000_i64),
            (GoDuration::SECONDS, 1_000_000_000),
            (GoDuration::MINUTES, 60_000_000_000),
            (GoDuration::HOURS, 3_600_000_000_000),
        ] {
            let text: Result<String, _> = by.downgrade(number);
            assert_eq!(text.is_ok(), number.checked_mul(unit).is_some());
            if let Ok(text) = text {
                let back: i64 = by.upgrade(text).expect("a duration");
                assert_eq!(back, number);
            }
        }
        let small: Result<i8, _> = Rounded.upgrade(float);
        assert_eq!(small.is_ok(), (-128.0..=127.0).contains(&float.round()));
    }

    #[test]
    fn documents(value in anything()) {
        exact_down::<String, Value>(JsonText, &value);
    }
}

#[test]
fn a_text_that_is_no_document_is_never_empty_data() {
    for text in ["", " ", "{", "[1,", "nul", "{\"a\":1}x"] {
        let json: Result<BTreeMap<String, i64>, _> = JsonText.upgrade(text.to_owned());
        assert!(json.is_err(), "{text}");
    }
    for text in ["", " ", "# nothing", "a: [", "a: 1\n---\nb: 2\n"] {
        let yaml: Result<BTreeMap<String, i64>, _> = YamlText.upgrade(text.to_owned());
        assert!(yaml.is_err(), "{text}");
    }
}

#[test]
fn a_refusal_says_what_is_expected() {
    let why = |error: crd_conv::ConvertError| error.to_string();
    let refused = Converter::<i64, i32>::upgrade(&Checked, 5_000_000_000).map_err(why);
    assert_eq!(refused.expect_err("too large"), "5000000000 doesn't fit i32");
    let refused = Converter::<i64, String>::upgrade(&LEVELS, 7).map_err(why);
    assert_eq!(refused.expect_err("unknown"), "expected one of `0`, `1`, `2`, not `7`");
    let refused = Converter::<i64, String>::downgrade(&LEVELS, "No".to_owned()).map_err(why);
    assert_eq!(refused.expect_err("unknown"), r#"expected one of `"Low"`, `"High"`, not `"No"`"#);
    let twice = vec![json!({"name": "a"}), json!({"name": "a"})];
    let refused =
        Converter::<_, BTreeMap<String, Value>>::upgrade(&KeyedBy("name"), twice).map_err(why);
    assert_eq!(
        refused.expect_err("twice"),
        "the list has `a` twice, but a map can have it only once"
    );
    let refused =
        Converter::<Vec<i32>, Vec<String>>::downgrade(&Each(IntText), vec!["1".into(), "x".into()])
            .map_err(why);
    assert_eq!(
        refused.expect_err("no number"),
        "item 1: expected an integer that fits i32, not `x`"
    );
    let refused =
        Converter::<String, (String, i32)>::upgrade(&ENDPOINT, "host".into()).map_err(why);
    assert_eq!(refused.expect_err("no colon"), "expected `{host}:{port}`, not `host`");
    let refused =
        Converter::<String, String>::upgrade(&ApiGroup("v1"), "a/b/c".into()).map_err(why);
    assert_eq!(refused.expect_err("two slashes"), "expected `group/version`, not `a/b/c`");
}

/// Where a converter is generic over what has a form in JSON, an `Option` is such a type too.
#[test]
fn none_is_none() {
    exact_up::<Option<i32>, Option<Port>>(Wrapped("number"), &None);
    exact_down::<Option<i32>, Option<Port>>(Wrapped("number"), &None);
    let edited: Option<Port> = Wrapped("number").upgrade_edited(Some(3), None).expect("a port");
    assert_eq!(edited, Some(Port { number: 3, name: None }));
    exact_up::<Option<BTreeMap<String, String>>, Option<Value>>(MatchLabels, &None);
    exact_up::<Option<i64>, Option<String>>(LEVELS, &None);
    exact_up::<Option<String>, Option<String>>(TYPES, &None);
    exact_up::<Option<Port>, Option<Port>>(InField("name", TYPES), &None);
}

#[test]
fn limits_are_refused() {
    let quantity = |text: &str| -> Option<i64> { Quantity::WHOLE.upgrade(text.to_owned()).ok() };
    assert_eq!(quantity("9223372036854775807"), Some(i64::MAX));
    assert_eq!(quantity("-9223372036854775808"), Some(i64::MIN));
    for text in
        ["9223372036854775808", "-9223372036854775809", "8Ei", "1e300", "-1e300", "1e9999999999"]
    {
        assert_eq!(quantity(text), None, "{text}");
    }
    for number in [i64::MIN, i64::MAX, -1, 0] {
        for by in [Quantity::BYTES, Quantity::WHOLE, Quantity::MILLI] {
            exact_down::<String, i64>(by, &number);
        }
        exact_up::<i64, String>(IntText, &number);
        exact_up::<i64, Value>(IntOrString, &number);
    }
    exact_down::<String, u64>(Quantity::MILLI, &u64::MAX);
    exact_up::<u64, Value>(IntOrString, &u64::MAX);
    for by in
        [GoDuration::MILLISECONDS, GoDuration::SECONDS, GoDuration::MINUTES, GoDuration::HOURS]
    {
        for number in [i64::MIN, i64::MAX] {
            assert!(Converter::<String, i64>::downgrade(&by, number).is_err(), "{by:?}");
        }
        assert!(Converter::<String, u64>::downgrade(&by, u64::MAX).is_err(), "{by:?}");
        exact_down::<String, i32>(by, &-1);
    }
    let negative = Converter::<String, u32>::upgrade(&GoDuration::SECONDS, "-1s".into());
    assert_eq!(negative.expect_err("negative").to_string(), "-1 doesn't fit u32");
    for float in [9_223_372_036_854_775_808.0, 1e300, f64::NAN, f64::INFINITY] {
        assert!(Converter::<f64, i64>::upgrade(&Rounded, float).is_err(), "{float}");
        assert!(Converter::<f64, i64>::upgrade(&Rounded, -float * 1.5).is_err(), "{float}");
    }
    assert!(Converter::<f64, u64>::upgrade(&Rounded, 18_446_744_073_709_551_616.0).is_err());
    assert!(Converter::<i64, u64>::upgrade(&Checked, -1).is_err());
    assert!(Converter::<u64, i64>::upgrade(&Checked, u64::MAX).is_err());
}

/// A wrong name says which names there are.
#[test]
fn a_missing_field_is_named() {
    let why = |error: crd_conv::ConvertError| error.to_string();
    let port = Port { number: 80, name: Some("a".to_owned()) };
    let by = Each(Wrapped("nubmer"));
    let refused = Converter::<Vec<i32>, Vec<Port>>::downgrade(&by, vec![port]).map_err(why);
    assert_eq!(
        refused.expect_err("misspelt"),
        "item 0: the struct has no `nubmer`, only `name`, `number`"
    );
    let refused = Converter::<Vec<i32>, Vec<Port>>::upgrade(&by, vec![80]).map_err(why);
    assert_eq!(
        refused.expect_err("misspelt"),
        "item 0: no struct can be made with `nubmer`: missing field `number`"
    );
    let zones = vec![Zone { name: "a".into(), weight: 1 }];
    let refused =
        Converter::<_, BTreeMap<String, Value>>::upgrade(&KeyedBy("id"), zones).map_err(why);
    assert_eq!(refused.expect_err("renamed"), "an item has no key `id`, only `name`, `weight`");
}

#[test]
fn a_union_in_another_form_is_refused() {
    let retag = |from, to, value: Value| -> String {
        let refused: Result<Value, _> = Retagged(from, to).upgrade(value);
        refused.expect_err("refused").to_string()
    };
    let [external, internal, adjacent] = TAGGINGS;
    assert_eq!(
        retag(internal, external, json!({"a": 1, "b": 2})),
        "the union has no tag `type`, only `a`, `b`"
    );
    assert_eq!(
        retag(external, internal, json!({"a": {}, "b": {}})),
        "expected one variant, found `a`, `b`"
    );
    assert_eq!(retag(external, internal, json!({})), "expected one variant, found no fields");
    assert_eq!(
        retag(external, internal, json!({"a": {"type": "b"}})),
        "`a` already has a field `type`, which is for the tag"
    );
    assert_eq!(
        retag(external, internal, json!({"a": [1]})),
        "`a` has the value `[1]`, but next to the tag `type` only the fields of an object fit"
    );
    assert_eq!(
        retag(adjacent, external, json!({"type": "a", "value": 1, "b": 2})),
        "expected only `type` and `value`, but found `b`, too"
    );
    assert_eq!(
        retag(internal, external, json!({"type": 1})),
        "the tag `type` must be a string, not `1`"
    );
    assert_eq!(retag(external, adjacent, json!(7)), "expected a union, not `7`");
    let refused: Result<Union, _> = Retagged(internal, external).upgrade(json!({"type": "Svn"}));
    let refused = refused.expect_err("unknown").to_string();
    assert!(refused.contains("unknown variant `Svn`"), "{refused}");
}
