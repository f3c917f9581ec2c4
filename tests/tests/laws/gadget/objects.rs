//! Objects of every version of the gadget: whole, in part, and odd.

use crd_conv_tests::served::reencoded;
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];
pub(crate) const CARRIER: &str = "conversion.example.com/";

/// What a field's value looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    HostPort,
    Name,
    Text,
    Integer,
    Percent,
    Ratio,
    Weight,
    Boolean,
    Texts,
    /// What `OneWay` can bring back.
    OneText,
    Anything,
    /// The struct of moved fields.
    Checks,
}

/// Fields of the three versions that belong together, because a rule converts them together.
pub(crate) struct Group {
    pub(crate) fields: [&'static [(&'static str, &'static str, Kind)]; 3],
}

const fn group(
    v1alpha1: &'static [(&'static str, &'static str, Kind)],
    v1beta1: &'static [(&'static str, &'static str, Kind)],
    v1: &'static [(&'static str, &'static str, Kind)],
) -> Group {
    Group { fields: [v1alpha1, v1beta1, v1] }
}

pub(crate) const GROUPS: &[Group] = &{
    use Kind::{
        Anything, Boolean, Checks, HostPort, Integer, Name, OneText, Percent, Ratio, Text, Texts,
        Weight,
    };
    [
        group(
            &[("spec", "hostPort", HostPort)],
            &[("spec", "host", Text), ("spec", "port", Text)],
            &[("spec", "address", HostPort)],
        ),
        group(
            &[("spec", "first", Name), ("spec", "last", Name)],
            &[("spec", "fullName", Name)],
            &[("spec", "fullName", Name)],
        ),
        group(
            &[("spec", "a", Integer), ("spec", "b", Integer)],
            &[("spec", "sum", Integer), ("spec", "difference", Integer)],
            &[("spec", "sum", Integer), ("spec", "difference", Integer)],
        ),
        group(&[("spec", "mode", Text)], &[("spec", "mode", Integer)], &[("spec", "level", Text)]),
        group(&[("spec", "size", Integer)], &[("spec", "size", Text)], &[("spec", "size", Text)]),
        group(&[("spec", "note", Text)], &[("spec", "note", Text)], &[("spec", "note", Text)]),
        group(
            &[("spec", "tags", Text)],
            &[("spec", "tags", OneText)],
            &[("spec", "tags", OneText)],
        ),
        group(
            &[("spec", "ratio", Ratio)],
            &[("spec", "percent", Percent)],
            &[("spec", "percent", Percent)],
        ),
        group(
            &[("spec", "weight", Weight), ("spec", "unit", Weight)],
            &[("spec", "load", Ratio)],
            &[("spec", "load", Ratio)],
        ),
        group(&[("spec", "owner", Text)], &[], &[]),
        group(&[("spec", "legacy", Text)], &[], &[]),
        group(&[("spec", "retries", Integer)], &[], &[]),
        group(
            &[("spec", "cronSpec", Anything)],
            &[("spec", "schedule", Anything)],
            &[("spec", "schedule", Anything)],
        ),
        group(
            &[("spec", "type", Anything)],
            &[("spec", "type", Anything)],
            &[("spec", "impl", Anything)],
        ),
        group(
            &[("spec", "swap", Anything)],
            &[("spec", "paws", Anything)],
            &[("spec", "paws", Anything)],
        ),
        group(
            &[("spec", "paws", Anything)],
            &[("spec", "swap", Anything)],
            &[("spec", "swap", Anything)],
        ),
        group(
            &[("spec", "timeout", Integer), ("spec", "attempts", Integer)],
            &[("spec", "checks", Checks)],
            &[("spec", "timeout", Integer), ("spec", "attempts", Integer)],
        ),
        group(&[], &[("spec", "suspend", Boolean)], &[]),
        group(&[], &[("spec", "history", Integer)], &[("spec", "history", Integer)]),
        group(&[], &[], &[("spec", "legacy", Texts)]),
        group(&[("", "extra", Text)], &[("", "extra", Text)], &[]),
    ]
};

/// Fields whose type is an `Option`: there an explicit `null` is a value.
pub(crate) const NULLABLE: [&str; 10] = [
    "last",
    "b",
    "difference",
    "note",
    "owner",
    "suspend",
    "burst",
    "timeout",
    "attempts",
    "checks",
];

pub(crate) fn value(kind: Kind) -> BoxedStrategy<String> {
    let quoted = |text: String| serde_json::to_string(&text).expect("a string");
    match kind {
        Kind::HostPort => {
            prop_oneof!["[a-c:]{0,3}:[ 0-9]{0,3}", Just("h:80".to_owned())].prop_map(quoted).boxed()
        }
        Kind::Name => "[ab]{0,2} {0,2}[ab]{0,2}".prop_map(quoted).boxed(),
        Kind::Text => prop_oneof![
            "[a-c,]{0,3}".prop_map(quoted),
            Just("\"none\"".to_owned()),
            Just("\"seven\"".to_owned()),
            Just(r#""\u0061\/""#.to_owned()),
            any::<String>().prop_map(quoted),
        ]
        .boxed(),
        Kind::Integer => {
            prop_oneof![any::<i64>(), -4..9_i64].prop_map(|integer| integer.to_string()).boxed()
        }
        Kind::Percent => any::<i32>().prop_map(|integer| integer.to_string()).boxed(),
        Kind::Ratio => prop_oneof![
            any::<f64>()
                .prop_filter("JSON has no such number", |float| float.is_finite())
                .prop_map(|float| format!("{float:?}")),
            select(vec!["0.5", "1", "1.0", "1e2", "0.10", "-0.0", "-0", "0.333"])
                .prop_map(str::to_owned),
        ]
        .boxed(),
        Kind::Weight => select(vec!["0", "2.50", "1e21", "1e-7", "kg", "-0", "NaN"])
            .prop_map(|text| format!("\"{text}\""))
            .boxed(),
        Kind::Boolean => any::<bool>().prop_map(|boolean| boolean.to_string()).boxed(),
        Kind::Texts => prop::collection::vec("[a-c]{0,2}", 0..3)
            .prop_map(|texts| serde_json::to_string(&texts).expect("an array"))
            .boxed(),
        Kind::OneText => "[a-c]{0,2}".prop_map(|text| format!("[\"{text}\"]")).boxed(),
        Kind::Anything => anything().boxed(),
        Kind::Checks => {
            let fields = vec![
                field("timeout", Kind::Integer),
                field("maxAttempts", Kind::Integer),
                field("url", Kind::Text),
                // The API server drops its null and fills it in.
                prop_oneof![Just(5), Just(7)]
                    .prop_map(|interval| Some(("interval".to_owned(), interval.to_string())))
                    .boxed(),
            ];
            object_of(fields).prop_map(|members| text_of(&members)).boxed()
        }
    }
}

/// A value in one of the spellings that JSON allows.
pub(crate) fn anything() -> impl Strategy<Value = String> {
    let plain = select(vec![
        "null",
        "true",
        "-0",
        "1.10",
        "1e400",
        "12345678901234567890123",
        "\"\"",
        r#""\ud800""#,
        r#""\u0041\/\n""#,
        "[]",
        "{}",
        "[ 1 , 2.0 ]",
        r#"{"b":1,"a":{"c":null}}"#,
        "\"ü\"",
    ]);
    let plain = plain.prop_map(str::to_owned).boxed();
    plain.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(" ,"))),
            inner.prop_map(|item| format!("{{ \"a\" :{item}}}")),
        ]
    })
}

/// Usually a value, sometimes `null`, often nothing.
pub(crate) fn field(name: &'static str, kind: Kind) -> BoxedStrategy<Option<(String, String)>> {
    let name = name.to_owned();
    prop_oneof![3 => Just(None), 1 => Just(Some("null".to_owned())), 6 => value(kind).prop_map(Some)]
        .prop_map(move |value| value.map(|value| (name.clone(), value)))
        .boxed()
}

pub(crate) type Members = Vec<(String, String)>;

pub(crate) fn object_of(
    fields: Vec<BoxedStrategy<Option<(String, String)>>>,
) -> BoxedStrategy<Members> {
    fields
        .prop_map(|members| members.into_iter().flatten().collect::<Members>())
        .prop_shuffle()
        .boxed()
}

pub(crate) fn text_of(members: &Members) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", serde_json::to_string(name).expect("a string")))
        .collect();
    format!("{{{}}}", members.join(","))
}

pub(crate) fn limits(version: usize) -> BoxedStrategy<Option<(String, String)>> {
    let names: [&[(&str, Kind)]; 3] = [
        &[
            ("cpu", Kind::Anything),
            ("memory", Kind::Anything),
            ("burst", Kind::Integer),
            ("other", Kind::Anything),
        ],
        &[
            ("cpu", Kind::Anything),
            ("ram", Kind::Anything),
            ("disk", Kind::Text),
            ("memory", Kind::Anything),
        ],
        &[
            ("cpu", Kind::Anything),
            ("ram", Kind::Anything),
            ("disk", Kind::Text),
            ("burst", Kind::Integer),
        ],
    ];
    let fields = names[version].iter().map(|(name, kind)| field(name, *kind)).collect();
    prop_oneof![
        1 => Just(None),
        1 => Just(Some("null".to_owned())),
        3 => object_of(fields).prop_map(|members| Some(text_of(&members))),
    ]
    .prop_map(|value| value.map(|value| ("limits".to_owned(), value)))
    .boxed()
}

pub(crate) fn fields_of(
    version: usize,
    stanza: &str,
) -> Vec<BoxedStrategy<Option<(String, String)>>> {
    GROUPS
        .iter()
        .flat_map(|group| group.fields[version])
        .filter(|(of, ..)| *of == stanza)
        .map(|(_, name, kind)| match *name {
            // The API server fills it in, and writes it in its own way, in every object that it sends.
            "load" => value(*kind)
                .prop_map(|value| reencoded(&reencoded(&value)))
                .prop_map(|value| Some(("load".to_owned(), value)))
                .boxed(),
            name => field(name, *kind),
        })
        .collect()
}

/// A stanza, sometimes absent or odd.
pub(crate) fn stanza(
    name: &'static str,
    odd: &[&'static str],
    fields: Vec<BoxedStrategy<Option<(String, String)>>>,
) -> BoxedStrategy<Option<(String, String)>> {
    prop_oneof![
        1 => Just(None),
        1 => select(odd.to_vec()).prop_map(|odd| Some(odd.to_owned())),
        8 => object_of(fields).prop_map(|members| Some(text_of(&members))),
    ]
    .prop_map(move |value| value.map(|value| (name.to_owned(), value)))
    .boxed()
}

/// Fields that no version, or only another version, knows.
pub(crate) fn unknown(version: usize) -> Vec<BoxedStrategy<Option<(String, String)>>> {
    let mut known: Vec<&str> = Vec::new();
    let mut names: Vec<&'static str> = vec!["unknown", "\u{fc}\"\\"];
    for group in GROUPS {
        known.extend(group.fields[version].iter().map(|(_, name, _)| name));
        names.extend(group.fields.iter().flat_map(|fields| fields.iter()).map(|(_, name, _)| name));
    }
    names.retain(|name| !known.contains(name));
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| prop_oneof![8 => Just(None), 1 => field(name, Kind::Anything)].boxed())
        .collect()
}

pub(crate) fn metadata() -> BoxedStrategy<Option<(String, String)>> {
    let annotations = prop_oneof![
        1 => Just(None),
        1 => Just(Some(("annotations".to_owned(), r#"{"other.example.com/a":"\u0062","b":""}"#.to_owned()))),
    ];
    let fields = vec![
        field("labels", Kind::Anything),
        Just(Some(("name".to_owned(), "\"a\"".to_owned()))).boxed(),
        annotations.boxed(),
        field("managedFields", Kind::Anything),
    ];
    prop_oneof![
        1 => Just(None),
        6 => object_of(fields).prop_map(|members| Some(text_of(&members))),
    ]
    .prop_map(|value| value.map(|value| ("metadata".to_owned(), value)))
    .boxed()
}

/// An object of a version, whole or in part.
pub(crate) fn object(version: usize) -> BoxedStrategy<String> {
    let mut spec = fields_of(version, "spec");
    spec.push(limits(version));
    spec.extend(unknown(version));
    let mut root = fields_of(version, "");
    root.push(stanza("spec", &["null", "[]", "7"], spec));
    root.push(metadata());
    root.push(prop_oneof![3 => Just(None), 1 => field("data", Kind::Anything)].boxed());
    if version > 0 {
        let phase = ["", "phase", "state"][version];
        // An entry restores only a value of a kind that its field takes, so an odd `status` stays lost.
        root.push(stanza("status", &["null"], vec![field(phase, Kind::Anything)]));
    }
    let identity =
        |name: &str, value: &str| Just(Some((name.to_owned(), format!("\"{value}\"")))).boxed();
    root.push(identity("apiVersion", &format!("example.com/{}", VERSIONS[version])));
    root.push(identity("kind", "Gadget"));
    object_of(root).prop_map(|members| text_of(&members)).boxed()
}

/// An object and its version, and another version.
pub(crate) fn case() -> impl Strategy<Value = (String, usize, usize)> {
    select(vec![(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)])
        .prop_flat_map(|(from, to)| object(from).prop_map(move |object| (object, from, to)))
}

pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let entry = (select(vec!["1", "2", "\"1\"", "null"]), anything(), prop::option::of(anything()));
    prop_oneof![
        any::<String>(),
        anything(),
        entry.prop_map(|(format, keep, guard)| {
            let guard =
                guard.map(|guard| format!(r#","guard":{{"NAME":{guard}}}"#)).unwrap_or_default();
            format!(r#"{{"format":{format},"peer":"PEER","keep":{{"NAME":{keep}}}{guard}}}"#)
        }),
    ]
}
