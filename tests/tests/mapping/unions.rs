//! Enums whose variants hold data, in each of serde's representations.

use crd_conv::cli::{Cli, Streams};
use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Unrestored, UnrestoredReason, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One set of variants, in two versions, in one of the representations.
macro_rules! versions {
    ($module:ident, older $older:meta, newer $newer:meta) => {
        mod $module {
            use super::*;

            pub(super) mod v1beta1 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[$older]
                pub(crate) enum Source {
                    Empty,
                    Git(GitSource),
                    Http { addr: String, timeout: Option<i64> },
                    Legacy { path: String },
                    Same(super::Same),
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub(crate) struct GitSource {
                    url: Option<String>,
                    depth: Option<i64>,
                    next: Option<Box<Source>>,
                    #[serde(default)]
                    pub(crate) mirrors: Vec<Source>,
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub(crate) struct Spec {
                    source: Option<Source>,
                    #[serde(default)]
                    sources: Vec<Source>,
                }
            }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            pub(crate) struct Same {
                a: String,
            }

            pub(super) mod v1 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[$newer]
                #[versioned(from = super::v1beta1::Source, removed(Legacy = Git))]
                pub(crate) enum Source {
                    #[versioned(renamed_from = Empty)]
                    Nothing,
                    Git(GitSource),
                    #[versioned(renamed_from = Http, removed(timeout))]
                    Url {
                        #[versioned(renamed_from = addr)]
                        address: String,
                        #[versioned(added(value = 3))]
                        retries: i32,
                    },
                    #[versioned(added(shown_as = Empty))]
                    Oci {
                        image: String,
                    },
                    Same(super::Same),
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[versioned(from = super::v1beta1::GitSource, removed(depth))]
                pub(crate) struct GitSource {
                    #[versioned(renamed_from = url)]
                    remote: Option<String>,
                    next: Option<Box<Source>>,
                    #[serde(default)]
                    pub(crate) mirrors: Vec<Source>,
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[versioned(from = super::v1beta1::Spec)]
                pub(crate) struct Spec {
                    source: Option<Source>,
                    sources: Vec<Source>,
                }
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "charts", scope = "Namespaced"))]
            pub(super) enum Chart {
                V1beta1 {
                    spec: v1beta1::Spec,
                },
                #[versioned(storage)]
                V1 {
                    spec: v1::Spec,
                },
            }
        }
    };
}

versions!(external, older serde(rename_all = "camelCase"), newer serde(rename_all = "kebab-case"));
versions!(internal, older serde(tag = "kind"), newer serde(tag = "type"));
versions!(adjacent, older serde(tag = "t", content = "c"), newer serde(tag = "type", content = "value"));

fn object(version: &str, annotations: &str, source: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Chart","metadata":{{"annotations":{annotations}}},"spec":{{"source":{source}}}}}"#
    )
}

/// The source after a conversion, the carrier, and what was lost.
fn convert(chart: &ResourceType, object: &str, version: &str) -> (String, String, Unrestored) {
    let converted = chart.convert(object.as_bytes(), version).expect(object);
    let tree = Tree::read(&converted.json);
    let at = |path: &[&str]| tree.at(path).map_or("{}".to_owned(), Tree::write);
    (at(&["spec", "source"]), at(&["metadata", "annotations"]), converted.unrestored)
}

/// There, what is shown, and back.
fn there_and_back(chart: &ResourceType, from: &str, source: &str, shown: &str) {
    let to = if from == "v1" { "v1beta1" } else { "v1" };
    let (there, carrier, unrestored) = convert(chart, &object(from, "{}", source), to);
    assert_eq!(there, Tree::read(shown).write(), "{source}");
    assert!(unrestored.is_empty());
    let (back, carrier, unrestored) = convert(chart, &object(to, &carrier, &there), from);
    assert_eq!(back, Tree::read(source).write(), "by {there}");
    assert!(unrestored.is_empty() && carrier == "{}", "{unrestored:?} {carrier}");
}

#[test]
fn external() {
    let chart = ResourceType::of::<external::Chart>();
    for (older, newer) in [
        (r#""empty""#, r#""nothing""#),
        (r#"{"git":{"url":"a","depth":3}}"#, r#"{"git":{"remote":"a"}}"#),
        (r#"{"http":{"addr":"a","timeout":5}}"#, r#"{"url":{"address":"a","retries":3}}"#),
        (r#"{"legacy":{"path":"/"}}"#, r#"{"git":{"mirrors":[]}}"#),
        (r#"{"same":{"a":"x"}}"#, r#"{"same":{"a":"x"}}"#),
        (
            r#"{"git":{"mirrors":["empty",{"legacy":{}}]}}"#,
            r#"{"git":{"mirrors":["nothing",{"git":{"mirrors":[]}}]}}"#,
        ),
        (r#"{"unknown":{"addr":1}}"#, r#"{"unknown":{"addr":1}}"#),
        (r#"{"http":{"addr":1},"git":{"url":2}}"#, r#"{"http":{"addr":1},"git":{"url":2}}"#),
        (r#"{"http":{"addr":1},"http":{"addr":2}}"#, r#"{"url":{"address":2,"retries":3}}"#),
        (r#"{"url":{"addr":1}}"#, r#"{"url":{"addr":1}}"#),
        ("{}", "{}"),
        (r#""git""#, r#""git""#),
        ("7", "7"),
    ] {
        if older.matches("http").count() < 2 {
            there_and_back(&chart, "v1beta1", older, newer);
        } else {
            assert_eq!(convert(&chart, &object("v1beta1", "{}", older), "v1").0, newer);
        }
    }
    there_and_back(&chart, "v1", r#"{"oci":{"image":"i","x":[1.0]}}"#, r#""empty""#);
    there_and_back(
        &chart,
        "v1",
        r#"{"url":{"address":"a","retries":4}}"#,
        r#"{"http":{"addr":"a"}}"#,
    );
}

#[test]
fn internal() {
    let chart = ResourceType::of::<internal::Chart>();
    for (older, newer) in [
        (r#"{"kind":"Empty"}"#, r#"{"type":"Nothing"}"#),
        (r#"{"url":"a","depth":3,"kind":"Git"}"#, r#"{"remote":"a","type":"Git"}"#),
        (
            r#"{"kind":"Http","addr":"a","timeout":5}"#,
            r#"{"type":"Url","address":"a","retries":3}"#,
        ),
        (r#"{"kind":"Legacy","path":"/"}"#, r#"{"mirrors":[],"type":"Git"}"#),
        (r#"{"a":"x","kind":"Same"}"#, r#"{"a":"x","type":"Same"}"#),
        (
            r#"{"mirrors":[{"kind":"Empty"},{"mirrors":[{"addr":1,"kind":"Http"}],"kind":"Git"}],"kind":"Git"}"#,
            r#"{"mirrors":[{"type":"Nothing"},{"mirrors":[{"address":1,"retries":3,"type":"Url"}],"type":"Git"}],"type":"Git"}"#,
        ),
        (r#"{"kind":"Unknown","addr":1}"#, r#"{"kind":"Unknown","addr":1}"#),
        (r#"{"type":"Git","kind":7}"#, r#"{"type":"Git","kind":7}"#),
        (r#"{"type":"Git","kind":"Http"}"#, r#"{"type":"Url","retries":3}"#),
        ("{}", "{}"),
        (r#""Git""#, r#""Git""#),
    ] {
        there_and_back(&chart, "v1beta1", older, newer);
    }
    there_and_back(&chart, "v1", r#"{"type":"Oci","image":"i"}"#, r#"{"kind":"Empty"}"#);
}

#[test]
fn adjacent() {
    let chart = ResourceType::of::<adjacent::Chart>();
    for (older, newer) in [
        (r#"{"t":"Empty"}"#, r#"{"type":"Nothing"}"#),
        (r#"{"c":{"url":"a","depth":3},"t":"Git"}"#, r#"{"value":{"remote":"a"},"type":"Git"}"#),
        (
            r#"{"c":{"addr":"a","timeout":5},"t":"Http"}"#,
            r#"{"value":{"address":"a","retries":3},"type":"Url"}"#,
        ),
        (r#"{"c":{"path":"/"},"t":"Legacy"}"#, r#"{"value":{"mirrors":[]},"type":"Git"}"#),
        (r#"{"c":{"a":"x"},"t":"Same"}"#, r#"{"value":{"a":"x"},"type":"Same"}"#),
        (r#"{"t":"Git"}"#, r#"{"type":"Git"}"#),
        (r#"{"t":"Git","value":7}"#, r#"{"type":"Git"}"#),
    ] {
        there_and_back(&chart, "v1beta1", older, newer);
    }
    there_and_back(&chart, "v1", r#"{"value":{"image":"i"},"type":"Oci"}"#, r#"{"t":"Empty"}"#);
}

/// The spec is the value itself.
mod untagged {
    use super::*;

    pub(super) mod v1beta1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(untagged)]
        pub(crate) enum Source {
            Url(String),
            Count(i64),
            On(bool),
            All(Vec<Source>),
            One { url: Option<String>, depth: Option<i64> },
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            source: Source,
        }
    }

    pub(super) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(untagged)]
        #[versioned(from = super::v1beta1::Source, removed(On = Only))]
        pub(crate) enum Source {
            Url(String),
            Count(i64),
            All(Vec<Source>),
            #[versioned(renamed_from = One, removed(depth))]
            Only {
                #[versioned(renamed_from = url)]
                remote: Option<String>,
                #[serde(default)]
                #[versioned(added)]
                retries: i64,
            },
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1beta1::Spec)]
        pub(crate) struct Spec {
            source: Source,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "charts", scope = "Namespaced"))]
    pub(super) enum Chart {
        V1beta1 {
            spec: v1beta1::Spec,
        },
        #[versioned(storage)]
        V1 {
            spec: v1::Spec,
        },
    }
}

#[test]
fn untagged() {
    let chart = ResourceType::of::<untagged::Chart>();
    for (older, newer) in [
        (r#""a""#, r#""a""#),
        ("7", "7"),
        ("7.5", "7.5"),
        ("null", "null"),
        ("true", r#"{"retries":0}"#),
        (r#"{"url":"a","depth":3}"#, r#"{"remote":"a","retries":0}"#),
        (
            r#"[true,false,true,7,[{"url":1}]]"#,
            r#"[{"retries":0},{"retries":0},{"retries":0},7,[{"remote":1,"retries":0}]]"#,
        ),
    ] {
        there_and_back(&chart, "v1beta1", older, newer);
    }
    // Of a key that stands there twice the last one counts, also where a value is as short as can be.
    let object = r#"{"apiVersion":"example.com/v1beta1","kind":"Chart","metadata":{},"spec":{"source":7,"source":true,"source":1}}"#;
    assert_eq!(convert(&chart, object, "v1").0, "1");
}

#[test]
fn edits_win() {
    let chart = ResourceType::of::<internal::Chart>();
    let old = object("v1", "{}", r#"{"type":"Oci","image":"i"}"#);
    let (shown, carrier, _) = convert(&chart, &old, "v1beta1");
    for (edited, expected, lost) in [
        // As the server may write it.
        (r#"{ "\u006bind" : "Empty" }"#, r#"{"image":"i","type":"Oci"}"#, None),
        (r#"{"kind":"Http"}"#, r#"{"retries":3,"type":"Url"}"#, Some(UnrestoredReason::Edited)),
        (
            r#"{"kind":"Empty","x":1}"#,
            r#"{"type":"Nothing","x":1}"#,
            Some(UnrestoredReason::Edited),
        ),
        (r#"{"kind":"Oci"}"#, r#"{"kind":"Oci"}"#, Some(UnrestoredReason::Edited)),
        ("null", "null", Some(UnrestoredReason::AnchorGone)),
        ("[]", "[]", Some(UnrestoredReason::AnchorGone)),
    ] {
        let (back, carrier, unrestored) =
            convert(&chart, &object("v1beta1", &carrier, edited), "v1");
        assert_eq!(back, expected, "{shown}");
        assert_eq!(unrestored.iter().map(|(reason, _)| reason).next(), lost, "{edited}");
        assert!(lost.is_some() || carrier == "{}", "{carrier}");
    }
}

/// What belongs to one variant never comes back in another one, though both have a field of that name.
#[test]
fn another_variant_has_no_entry() {
    let chart = ResourceType::of::<internal::Chart>();
    let old = object("v1beta1", "{}", r#"{"kind":"Git","depth":3}"#);
    let (_, carrier, _) = convert(&chart, &old, "v1");
    assert!(carrier.contains("example.com/v1beta1.spec.source.Git.depth"), "{carrier}");
    let edited = object("v1", &carrier, r#"{"type":"Url","address":"a","retries":3}"#);
    let (back, carrier, unrestored) = convert(&chart, &edited, "v1beta1");
    assert_eq!((&*back, &*carrier), (r#"{"addr":"a","kind":"Http"}"#, "{}"));
    assert_eq!(unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::AnchorGone, 1)]);
    // While an edit of one field leaves the others theirs.
    let (_, carrier, _) = convert(&chart, &old, "v1");
    let edited = object("v1", &carrier, r#"{"type":"Git","remote":"b"}"#);
    assert_eq!(convert(&chart, &edited, "v1beta1").0, r#"{"depth":3,"kind":"Git","url":"b"}"#);
}

/// A variant that one version doesn't know stays as it is, also where the other version has one of its name.
#[test]
fn unknown_here_and_known_there() {
    let internal = ResourceType::of::<internal::Chart>();
    for source in [
        r#"{"kind":"Nothing"}"#,
        r#"{"kind":"Oci","image":[]}"#,
        r#"{"kind":"Zzz","type":"Git","remote":1,"mirrors":[{"type":"Url"}]}"#,
        r#"{"type":"Oci","image":"i","kind":[]}"#,
    ] {
        there_and_back(&internal, "v1beta1", source, source);
    }
    let external = ResourceType::of::<external::Chart>();
    for source in [r#""nothing""#, r#"{"oci":1}"#, r#"{"url":{"address":1,"retries":2}}"#] {
        there_and_back(&external, "v1beta1", source, source);
    }
}

#[test]
fn odd_tags() {
    let chart = ResourceType::of::<internal::Chart>();
    let shown = |source: &str| convert(&chart, &object("v1beta1", "{}", source), "v1");
    // The last of equal keys counts, and the others are gone, as in the server.
    let (there, _, unrestored) = shown(r#"{"kind":"Git","url":"a","kind":"Http","addr":"b"}"#);
    assert_eq!(there, r#"{"address":"b","retries":3,"type":"Url","url":"a"}"#);
    assert_eq!(unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::DuplicateKey, 1)]);
    let twice = r#"{"kind":"Http","addr":"b","\u006bind":7}"#;
    assert_eq!(shown(twice).0, r#"{"addr":"b","kind":7}"#);
    let inside =
        r#"{"next":{"kind":"Http","x":{"kind":"Git"}},"mirrors":[{"kind":"Empty"}],"kind":"Git"}"#;
    assert_eq!(
        shown(inside).0,
        r#"{"mirrors":[{"type":"Nothing"}],"next":{"retries":3,"type":"Url","x":{"kind":"Git"}},"type":"Git"}"#
    );
    for broken in [r#"{"kind":"Git""#, r#"{"a":[1}"#, r#"{"kind":"Git","next":{"#] {
        let object = object("v1beta1", "{}", broken);
        chart.convert(object.as_bytes(), "v1").expect_err("not JSON");
    }
}

/// The tag stands behind all that is in the object, on each of many levels.
#[test]
fn many_levels_with_the_tag_last() {
    // Their entries have room in the annotations of a stored object.
    const LEVELS: usize = 1_500;
    let chart = ResourceType::of::<internal::Chart>();
    let nest =
        |open: &str, close: &str| format!("{}null{}", open.repeat(LEVELS), close.repeat(LEVELS));
    for (open, close, shown) in [
        (r#"{"depth":1,"next":"#, r#","kind":"Git"}"#, r#"{"next":"#),
        (r#"{"depth":1,"kind":"Git","kind":"Zzz","next":"#, r#","kind":"Git"}"#, r#"{"next":"#),
        (r#"{"depth":1,"next":"#, r#","kind":"Zzz"}"#, r#"{"depth":1,"next":"#),
    ] {
        let object = object("v1beta1", "{}", &nest(open, close));
        let there = chart.convert(object.as_bytes(), "v1").expect("an object");
        assert!(there.json.contains(&nest("", "")) && there.json.contains(&shown.repeat(LEVELS)));
        let back = chart.convert(there.json.as_bytes(), "v1beta1").expect("an object");
        assert!(back.unrestored.is_empty(), "{:?}", back.unrestored);
        let again = chart.convert(back.json.as_bytes(), "v1").expect("an object");
        assert_eq!(again.json.len(), there.json.len());
    }
    let items = vec![r#"{"addr":1,"kind":"Http"}"#; 50_000].join(",");
    let object = object("v1beta1", "{}", &format!(r#"{{"mirrors":[{items}],"kind":"Git"}}"#));
    let there = chart.convert(object.as_bytes(), "v1").expect("an object");
    assert_eq!(there.json.matches("retries").count(), 50_000);
}

/// Whoever may write annotations may not make an enum anything else than it can be.
#[test]
fn forged_entries() {
    let chart = ResourceType::of::<internal::Chart>();
    let key = "conversion.example.com/v1.spec.source";
    for (kept, expected, reason) in [
        (r#"{"type":"Oci"}"#, r#"{"type":"Oci"}"#, None),
        (r#"{"type":"Url"}"#, r#"{"type":"Url"}"#, None),
        (r#""Oci""#, r#"{"type":"Nothing"}"#, Some(UnrestoredReason::Mistyped)),
        ("[]", r#"{"type":"Nothing"}"#, Some(UnrestoredReason::Mistyped)),
    ] {
        let entry = format!(
            r#"{{"format":1,"peer":"v1beta1","keep":{{"source":{kept}}},"guard":{{"source":{{"kind":"Empty"}}}}}}"#
        );
        let carrier = serde_json::json!({ key: entry }).to_string();
        let forged = object("v1beta1", &carrier, r#"{"kind":"Empty"}"#);
        let (there, carrier, unrestored) = convert(&chart, &forged, "v1");
        assert_eq!(there, expected);
        assert_eq!(unrestored.iter().map(|(reason, _)| reason).next(), reason);
        // What was there comes back all the same.
        let (back, ..) = convert(&chart, &object("v1", &carrier, &there), "v1beta1");
        assert_eq!(back, r#"{"kind":"Empty"}"#);
    }
}

#[test]
fn values_of_rust() {
    use adjacent::{v1, v1beta1};

    let older = v1beta1::Source::Legacy { path: "/".to_owned() };
    let newer = crd_conv::upgrade::<v1::Source>(&older).expect("an upgrade");
    assert!(matches!(&newer.value, v1::Source::Git(git) if git.mirrors.is_empty()));
    let back = crd_conv::downgrade_with::<v1beta1::Source>(&newer.value, &newer.complement);
    let back = back.expect("a downgrade");
    assert!(matches!(&back.value, v1beta1::Source::Legacy { path } if path == "/"));

    let newer = v1::Source::Oci { image: "i".to_owned() };
    let older = crd_conv::downgrade::<v1beta1::Source>(&newer).expect("a downgrade");
    assert!(matches!(older.value, v1beta1::Source::Empty) && !older.complement.is_empty());
}

/// What Rust's value writes as null where it has nothing is no edit; anything else is.
#[test]
fn nulls_of_options_are_no_edits() {
    let chart = ResourceType::of::<internal::Chart>();
    let old = object("v1beta1", "{}", r#"{"kind":"Legacy","path":"/"}"#);
    let (shown, carrier, _) = convert(&chart, &old, "v1");
    assert_eq!(shown, r#"{"mirrors":[],"type":"Git"}"#);
    let edited = |source| convert(&chart, &object("v1", &carrier, source), "v1beta1");
    let (back, carrier, unrestored) =
        edited(r#"{"type":"Git","mirrors":[],"remote":null,"next":null}"#);
    assert_eq!((&*back, unrestored), (r#"{"kind":"Legacy","path":"/"}"#, Unrestored::default()));
    // And there they are again.
    let (again, ..) = convert(&chart, &object("v1beta1", &carrier, &back), "v1");
    assert_eq!(again, r#"{"mirrors":[],"next":null,"remote":null,"type":"Git"}"#);
    for edit in [r#"{"type":"Git","mirrors":[],"x":null}"#, r#"{"type":"Git","mirrors":null}"#] {
        let (_, _, unrestored) = edited(edit);
        assert_eq!(
            unrestored.iter().collect::<Vec<_>>(),
            [(UnrestoredReason::Edited, 1)],
            "{edit}"
        );
    }
}

#[test]
fn explain_goes_into_variants() {
    let explain = |resource: ResourceType, row: &str| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut std::io::empty(), stdout: &mut out, stderr: &mut err };
        let _ = Cli::new([resource]).run_with(["chart", "explain"], &mut streams);
        let text = String::from_utf8(out).expect("text");
        let squeezed: Vec<_> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert!(squeezed.iter().any(|line| line == row), "{row} of {}", squeezed.join("\n"));
    };
    let kept = "conversion.example.com";
    for row in [
        r#".spec.source = "empty" .spec.source = "nothing" renamed"#,
        ".spec.source.http .spec.source.url renamed",
        ".spec.source.http.addr: String .spec.source.url.address: String renamed",
        &format!(r#".spec.source.legacy removed, shown as "git" {kept}/v1beta1.spec.source"#),
        &format!(
            ".spec.source.git.depth: Option<i64> removed {kept}/v1beta1.spec.source.git.depth"
        ),
        ".spec.source.git.next: Option<Box<Source>> .spec.source.git.next: Option<Box<Source>> kept, mapped inside as above",
    ] {
        explain(ResourceType::of::<external::Chart>(), row);
    }
    for row in [
        r#".spec.source.kind = "Http" .spec.source.type = "Url" renamed"#,
        &format!(".spec.source(Url).retries: i32 added, value 3 {kept}/v1.spec.source.Url.retries"),
    ] {
        explain(ResourceType::of::<internal::Chart>(), row);
    }
    explain(
        ResourceType::of::<adjacent::Chart>(),
        &format!(
            ".spec.source(Git).c.depth: Option<i64> removed {kept}/v1beta1.spec.source.Git.c.depth"
        ),
    );
    explain(
        ResourceType::of::<untagged::Chart>(),
        &format!(r#".spec.source(On) removed, shown as "Only" {kept}/v1beta1.spec.source"#),
    );
}
