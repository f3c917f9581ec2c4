//! The laws of conversion, on objects generated for every version of a resource that has every kind of rule.
//!
//! `PROPTEST_CASES` says how many objects a law gets.

use crd_conv::{Loss, Resource};
use crd_conv_tests::gadget::Gadget;
use crd_conv_tests::tree::{Tree, members};
use proptest::prelude::*;
use proptest::sample::select;

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];
const CARRIER: &str = "conversion.example.com/";

/// What a field's value looks like.
#[derive(Clone, Copy, Debug)]
enum Kind {
    HostPort,
    Name,
    Text,
    Integer,
    Percent,
    Ratio,
    Boolean,
    Texts,
    /// What `OneWay` can bring back.
    OneText,
    Anything,
}

/// Fields of the three versions that belong together, because a rule converts them together.
struct Group {
    fields: [&'static [(&'static str, &'static str, Kind)]; 3],
}

const fn group(
    v1alpha1: &'static [(&'static str, &'static str, Kind)],
    v1beta1: &'static [(&'static str, &'static str, Kind)],
    v1: &'static [(&'static str, &'static str, Kind)],
) -> Group {
    Group { fields: [v1alpha1, v1beta1, v1] }
}

const GROUPS: &[Group] = &{
    use Kind::{Anything, Boolean, HostPort, Integer, Name, OneText, Percent, Ratio, Text, Texts};
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
        group(&[], &[("spec", "suspend", Boolean)], &[]),
        group(&[], &[("spec", "history", Integer)], &[("spec", "history", Integer)]),
        group(&[], &[], &[("spec", "legacy", Texts)]),
        group(&[("", "extra", Text)], &[("", "extra", Text)], &[]),
    ]
};

/// Fields whose type is an `Option`: there an explicit `null` is a value.
const NULLABLE: [&str; 7] = ["last", "b", "difference", "note", "owner", "suspend", "burst"];

fn value(kind: Kind) -> BoxedStrategy<String> {
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
        Kind::Boolean => any::<bool>().prop_map(|boolean| boolean.to_string()).boxed(),
        Kind::Texts => prop::collection::vec("[a-c]{0,2}", 0..3)
            .prop_map(|texts| serde_json::to_string(&texts).expect("an array"))
            .boxed(),
        Kind::OneText => "[a-c]{0,2}".prop_map(|text| format!("[\"{text}\"]")).boxed(),
        Kind::Anything => anything().boxed(),
    }
}

/// A value in one of the spellings that JSON allows.
fn anything() -> impl Strategy<Value = String> {
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
fn field(name: &'static str, kind: Kind) -> BoxedStrategy<Option<(String, String)>> {
    let name = name.to_owned();
    prop_oneof![3 => Just(None), 1 => Just(Some("null".to_owned())), 6 => value(kind).prop_map(Some)]
        .prop_map(move |value| value.map(|value| (name.clone(), value)))
        .boxed()
}

type Members = Vec<(String, String)>;

fn object_of(fields: Vec<BoxedStrategy<Option<(String, String)>>>) -> BoxedStrategy<Members> {
    fields
        .prop_map(|members| members.into_iter().flatten().collect::<Members>())
        .prop_shuffle()
        .boxed()
}

fn text_of(members: &Members) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", serde_json::to_string(name).expect("a string")))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn limits(version: usize) -> BoxedStrategy<Option<(String, String)>> {
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

fn fields_of(version: usize, stanza: &str) -> Vec<BoxedStrategy<Option<(String, String)>>> {
    GROUPS
        .iter()
        .flat_map(|group| group.fields[version])
        .filter(|(of, ..)| *of == stanza)
        .map(|(_, name, kind)| field(name, *kind))
        .collect()
}

/// A stanza, sometimes absent or odd.
fn stanza(
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
fn unknown(version: usize) -> Vec<BoxedStrategy<Option<(String, String)>>> {
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

fn metadata() -> BoxedStrategy<Option<(String, String)>> {
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
fn object(version: usize) -> BoxedStrategy<String> {
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
fn case() -> impl Strategy<Value = (String, usize, usize)> {
    select(vec![(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)])
        .prop_flat_map(|(from, to)| object(from).prop_map(move |object| (object, from, to)))
}

fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let resource = Resource::of::<Gadget>();
    let converted = resource.convert(object.as_bytes(), VERSIONS[to]);
    let converted = converted.map_err(|error| TestCaseError::fail(error.to_string()))?;
    for (loss, count) in converted.losses.iter() {
        prop_assert!(
            loss == Loss::Edited || loss == Loss::AnchorGone,
            "{count} × {loss}: {}",
            object
        );
    }
    Ok(converted.json)
}

/// What the law of exact return doesn't speak of: the carrier, empty annotations, missing `metadata`, and nulls of
/// fields that aren't nullable and that a rule names.
fn essence(object: &str, version: usize) -> Tree {
    let mut tree = Tree::read(object);
    let root = tree.members_mut().expect("an object");
    let metadata = root.entry("metadata".to_owned()).or_insert_with(|| Tree::read("{}"));
    if let Some(metadata) = metadata.members_mut()
        && let Some(Tree::Object(annotations)) = metadata.get_mut("annotations")
    {
        annotations.retain(|key, _| !key.starts_with(CARRIER));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    let null = Tree::Plain("null".to_owned());
    let strip = |stanza: Option<&mut Tree>, names: &[&str]| {
        if let Some(Tree::Object(members)) = stanza {
            members.retain(|name, value| {
                *value != null
                    || NULLABLE.contains(&name.as_str())
                    || !names.contains(&name.as_str())
            });
        }
    };
    let names: Vec<&str> = GROUPS
        .iter()
        .flat_map(|group| group.fields[version])
        .filter(|(_, _, kind)| !matches!(kind, Kind::Anything))
        .map(|(_, name, _)| *name)
        .collect();
    strip(Some(&mut tree), &["extra", "status"]);
    strip(tree.at_mut(&["spec"]), &names);
    strip(tree.at_mut(&["spec", "limits"]), &["disk", "burst"]);
    tree
}

fn carrier_of(object: &str) -> Vec<String> {
    let tree = Tree::read(object);
    match tree.at(&["metadata", "annotations"]) {
        Some(Tree::Object(annotations)) => {
            annotations.keys().filter(|key| key.starts_with(CARRIER)).cloned().collect()
        }
        _ => Vec::new(),
    }
}

fn without(object: &str, annotations: &[String]) -> String {
    let mut tree = Tree::read(object);
    if let Some(Tree::Object(members)) = tree.at_mut(&["metadata", "annotations"]) {
        members.retain(|key, _| !annotations.contains(key));
    }
    tree.write()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exact return: A→B→A gives back the object, and what no rule names byte for byte.
    #[test]
    fn exact_return((object, from, to) in case()) {
        let there = convert(&object, to)?;
        let back = convert(&there, from)?;
        prop_assert_eq!(essence(&back, from), essence(&object, from), "via {}", there);
        prop_assert_eq!(carrier_of(&back), Vec::<String>::new());
        let (before, after) = (members(&object), members(&back));
        for name in ["data", "kind"] {
            prop_assert_eq!(before.get(name), after.get(name));
        }
        if let (Some(before), Some(after)) = (before.get("spec"), after.get("spec"))
            && before.starts_with('{')
        {
            let (before, after) = (members(before), members(after));
            for (name, text) in before.iter().filter(|(name, _)| ["unknown", ["cronSpec", "schedule", "schedule"][from]].contains(&name.as_str())) {
                prop_assert_eq!(Some(text), after.get(name));
            }
        }
    }

    /// The same with the API server between the hops: it decodes and encodes the object each time.
    #[test]
    fn exact_return_through_the_server((object, from, to) in case()) {
        // Twice, since the server writes -0.0 as -0, which it then reads as 0.
        let object = Tree::read(&object).reencoded().reencoded().write();
        let there = Tree::read(&convert(&object, to)?).reencoded().write();
        let back = Tree::read(&convert(&there, from)?).reencoded().write();
        prop_assert_eq!(essence(&back, from), essence(&object, from), "via {}", there);
    }

    /// Idempotent store: read at any version and written back unchanged, the object is the same.
    #[test]
    fn idempotent_store((object, from, to) in case()) {
        let stored = convert(&object, to)?;
        let read = convert(&stored, from)?;
        let written = convert(&read, to)?;
        prop_assert_eq!(Tree::read(&written), Tree::read(&stored));
    }

    /// Edits win: what a client edits at B is there after B→A→B, what it doesn't edit is as it was at A.
    #[test]
    fn edits_win(
        (object, from, to) in case(),
        edited in prop::collection::vec(any::<bool>(), GROUPS.len()),
        other in select(vec![0_usize, 1, 2]).prop_flat_map(|version| (Just(version), object(version))),
    ) {
        let there = convert(&object, to)?;
        let source = Tree::read(&convert(&other.1, to)?);
        let mut changed = Tree::read(&there);
        if !matches!(changed.at(&["spec"]), Some(Tree::Object(_))) {
            return Ok(());
        }
        let mut touched = Vec::new();
        for (group, _) in GROUPS.iter().zip(&edited).filter(|(group, edit)| **edit && !group.fields[to].is_empty()) {
            let before = changed.clone();
            for (stanza, name, _) in group.fields[to] {
                let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                let value = source.at(&path).cloned();
                let parent = changed.at_mut(&path[..path.len() - 1]).and_then(Tree::members_mut).expect("a stanza");
                match value {
                    Some(value) => parent.insert((*name).to_owned(), value),
                    None => parent.remove(*name),
                };
            }
            if essence(&before.write(), to) != essence(&changed.write(), to) {
                touched.push(group);
            }
        }
        let changed = changed.write();
        let resource = Resource::of::<Gadget>();
        // A converter may refuse what the client wrote.
        let Ok(back) = resource.convert(changed.as_bytes(), VERSIONS[from]) else { return Ok(()) };
        let again = convert(&back.json, to)?;
        prop_assert_eq!(essence(&again, to), essence(&changed, to), "via {}", back.json);

        let (original, back) = (essence(&object, from), essence(&back.json, from));
        for group in GROUPS.iter().filter(|group| !touched.iter().any(|touched| std::ptr::eq(*touched, *group))) {
            for (stanza, name, _) in group.fields[from] {
                let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                prop_assert_eq!(back.at(&path), original.at(&path), "{} of {:?}", name, back);
            }
        }
        if from.abs_diff(to) == 1 {
            let fresh = resource.export(changed.as_bytes()).expect("an object");
            let Ok(fresh) = resource.convert(fresh.as_bytes(), VERSIONS[from]) else { return Ok(()) };
            let fresh = essence(&fresh.json, from);
            for group in touched {
                for (stanza, name, _) in group.fields[from] {
                    let path: Vec<&str> = [*stanza, *name].into_iter().filter(|part| !part.is_empty()).collect();
                    prop_assert_eq!(back.at(&path), fresh.at(&path), "{} of {:?}", name, back);
                }
            }
        }
    }

    /// Minimal: without any one of the entries, something would be lost.
    #[test]
    fn minimal((object, from, to) in case()) {
        let there = convert(&object, to)?;
        for key in carrier_of(&there) {
            let poorer = without(&there, std::slice::from_ref(&key));
            let back = Resource::of::<Gadget>().convert(poorer.as_bytes(), VERSIONS[from]);
            if let Ok(back) = back {
                prop_assert_ne!(essence(&back.json, from), essence(&object, from), "{} is of no use", key);
            }
        }
    }

    /// Deterministic: the same bytes in, the same bytes out, alone or after other objects.
    #[test]
    fn deterministic((object, _, to) in case(), (other, ..) in case()) {
        let alone = convert(&object, to)?;
        prop_assert_eq!(&convert(&object, to)?, &alone);
        let review = format!(
            r#"{{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"1","desiredAPIVersion":"example.com/{}","objects":[{other},{object}]}}}}"#,
            VERSIONS[to],
        );
        let answer = crd_conv::Reviewer::new([Resource::of::<Gadget>()]).review(review.as_bytes()).expect("an answer");
        prop_assert_eq!(&answer.failure, &None);
        prop_assert!(answer.body.contains(&format!(",{alone}],\"result\"")), "{}", answer.body);
    }

    /// Hands off: all of `metadata` but the carrier comes out as it went in.
    #[test]
    fn hands_off((object, _, to) in case()) {
        let there = convert(&object, to)?;
        let (before, after) = (members(&object), members(&there));
        prop_assert_eq!(before["kind"], after["kind"]);
        let before = before.get("metadata").map(|metadata| members(metadata)).unwrap_or_default();
        let after = members(after["metadata"]);
        for (name, value) in &before {
            if name == "annotations" {
                let (before, after) = (members(value), members(after[name]));
                for (key, text) in before {
                    prop_assert_eq!(after.get(&key), Some(&text));
                }
            } else {
                prop_assert_eq!(after.get(name), Some(value));
            }
        }
        prop_assert!(after.keys().all(|name| name == "annotations" || before.contains_key(name)));
    }

    /// Path independence: by way of a third version, the same object.
    #[test]
    fn path_independence((object, _, to) in case(), via in 0..3_usize) {
        let direct = convert(&object, to)?;
        let round = convert(&convert(&object, via)?, to)?;
        // The way round may leave an empty `annotations` away, and nulls that the API server drops.
        let clean = |text: &str| {
            let mut tree = essence(text, to);
            if let Some(metadata) = tree.at_mut(&["metadata"]).and_then(Tree::members_mut) {
                metadata.insert("carrier".to_owned(), Tree::Text(format!("{:?}", carrier_entries(text))));
            }
            tree
        };
        prop_assert_eq!(clean(&round), clean(&direct));
    }

    /// Total, on the carrier: whatever stands in the annotations, the conversion neither fails nor panics.
    #[test]
    fn hostile_carriers_are_harmless((object, from, to) in case(), text in hostile()) {
        let there = convert(&object, to)?;
        let mut tree = Tree::read(&there);
        if let Some(Tree::Object(annotations)) = tree.at_mut(&["metadata", "annotations"]) {
            for (key, value) in annotations.iter_mut().filter(|(key, _)| key.starts_with(CARRIER)) {
                let name = key.rsplit('.').next().expect("a name");
                *value = Tree::Text(text.replace("NAME", name).replace("PEER", VERSIONS[to]));
            }
        }
        let converted = Resource::of::<Gadget>().convert(tree.write().as_bytes(), VERSIONS[from]);
        if let Err(error) = converted {
            // Without its entry a value may be one that the converter refuses.
            let refused = ["more than one", "out of range", "expected `host:port`"];
            let error = error.to_string();
            prop_assert!(refused.iter().any(|reason| error.contains(reason)), "{}", error);
        }
    }
}

fn carrier_entries(object: &str) -> Vec<(String, Tree)> {
    let tree = Tree::read(object);
    let annotations = tree.at(&["metadata", "annotations"]).cloned();
    let Some(Tree::Object(annotations)) = annotations else { return Vec::new() };
    annotations.into_iter().filter(|(key, _)| key.starts_with(CARRIER)).collect()
}

fn hostile() -> impl Strategy<Value = String> {
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
