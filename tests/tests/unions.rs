//! Enums whose variants hold data, in each of serde's representations.

use crd_conv::{Losses, Resource, Versioned};
use crd_conv_tests::tree::Tree;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One set of variants, in two versions, in one of the representations.
macro_rules! versions {
    ($module:ident, older $older:meta, newer $newer:meta) => {
        mod $module {
            use super::*;

            pub mod v1beta1 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[$older]
                pub enum Source {
                    Empty,
                    Git(GitSource),
                    Http { addr: String, timeout: Option<i64> },
                    Legacy { path: String },
                    Same(super::Same),
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub struct GitSource {
                    pub url: Option<String>,
                    pub depth: Option<i64>,
                    #[serde(default)]
                    pub mirrors: Vec<Source>,
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub struct Spec {
                    pub source: Option<Source>,
                    #[serde(default)]
                    pub sources: Vec<Source>,
                }
            }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            pub struct Same {
                a: String,
            }

            pub mod v1 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[$newer]
                #[versioned(from = super::v1beta1::Source, removed(Legacy = Git))]
                pub enum Source {
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
                pub struct GitSource {
                    #[versioned(renamed_from = url)]
                    pub remote: Option<String>,
                    #[serde(default)]
                    pub mirrors: Vec<Source>,
                }

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[versioned(from = super::v1beta1::Spec)]
                pub struct Spec {
                    pub source: Option<Source>,
                    pub sources: Vec<Source>,
                }
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "charts", scope = "Namespaced"))]
            pub enum Chart {
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
fn convert(chart: &Resource, object: &str, version: &str) -> (String, String, Losses) {
    let converted = chart.convert(object.as_bytes(), version).expect(object);
    let tree = Tree::read(&converted.json);
    let at = |path: &[&str]| tree.at(path).map_or("{}".to_owned(), Tree::write);
    (at(&["spec", "source"]), at(&["metadata", "annotations"]), converted.losses)
}

/// There, what is shown, and back.
fn there_and_back(chart: &Resource, from: &str, source: &str, shown: &str) {
    let to = if from == "v1" { "v1beta1" } else { "v1" };
    let (there, carrier, losses) = convert(chart, &object(from, "{}", source), to);
    assert_eq!(there, Tree::read(shown).write(), "{source}");
    assert!(losses.is_empty());
    let (back, carrier, losses) = convert(chart, &object(to, &carrier, &there), from);
    assert_eq!(back, Tree::read(source).write(), "by {there}");
    assert!(losses.is_empty() && carrier == "{}", "{losses:?} {carrier}");
}

#[test]
fn external() {
    let chart = Resource::of::<external::Chart>();
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
        (r#"{}"#, r#"{}"#),
        (r#""git""#, r#""git""#),
        (r#"7"#, r#"7"#),
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
    let chart = Resource::of::<internal::Chart>();
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
        (r#"{}"#, r#"{}"#),
        (r#""Git""#, r#""Git""#),
    ] {
        there_and_back(&chart, "v1beta1", older, newer);
    }
    there_and_back(&chart, "v1", r#"{"type":"Oci","image":"i"}"#, r#"{"kind":"Empty"}"#);
}

#[test]
fn adjacent() {
    let chart = Resource::of::<adjacent::Chart>();
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
