//! How large a document may be.

use std::collections::BTreeMap;

use super::names::ANNOTATIONS;
use crate::apiserver::{finding::Kind, place::Place, report::About};
use crate::json::Json;

/// What etcd accepts in one request by default, without room for its own bytes.
const STORED: usize = 1_500_000;
/// What the API server accepts in one request.
const REQUEST: usize = 3 << 20;

pub(super) fn check(json: &Json, place: &mut Place) {
    let size = json.to_string().len();
    let (most, problem) = if size > REQUEST {
        (REQUEST, "the API server accepts at most 3 MiB in a request")
    } else if size > STORED {
        (STORED, "etcd accepts at most 1.5 MiB by default")
    } else if size > ANNOTATIONS {
        (
            ANNOTATIONS,
            "`kubectl apply` would write all of it into an annotation, which may have at most 256 KiB; use `kubectl apply --server-side`, `create` or `replace`",
        )
    } else {
        return;
    };
    let mut parts = vec![format!("the document has {size} bytes, but {problem}")];
    let versions = versions(json);
    let described: usize = versions.iter().map(|(_, schema)| schema.descriptions).sum();
    if described > 0 {
        parts.push(format!(
            "{described} of the bytes are descriptions: leave them out with `--descriptions none` or \
             `#[versioned(resource(descriptions = \"none\"))]`, or with `crd:maxDescLen=0` in controller-gen"
        ));
    }
    if let Some((version, schema)) = versions.iter().max_by_key(|(_, schema)| schema.bytes)
        && let Some((path, bytes)) = &schema.largest
    {
        parts.push(format!("the largest field is `{path}` in {version} with {bytes} bytes"));
        let left = size - described;
        if left > most && most > ANNOTATIONS {
            parts.push(format!(
                "{left} bytes aren't descriptions: `#[versioned(preserve_unknown_fields)]` on that field leaves out the schema of its content"
            ));
        }
    }
    let problem = parts.join("; ");
    if most == REQUEST {
        place.refuse_at("spec", Kind::TooLong, problem);
    } else {
        place.warn_at("spec", About::Size, problem);
    }
}

/// The versions' schemas, by the name of the version.
fn versions<'j>(json: &'j Json) -> Vec<(&'j str, Weight)> {
    let Some(Json::Array(versions)) = json.member("spec").and_then(|spec| spec.member("versions"))
    else {
        return Vec::new();
    };
    let of_version = |version: &'j Json| {
        let schema = version.member("schema").and_then(|schema| schema.member("openAPIV3Schema"));
        Some((version.member("name")?.as_str()?, weigh(schema?)))
    };
    versions.iter().filter_map(of_version).collect()
}

/// How many bytes a schema has in the document.
#[derive(Default)]
struct Weight {
    bytes: usize,
    /// Those of its descriptions.
    descriptions: usize,
    /// The field that takes most of the bytes: the largest one, and inside of it the field that takes more than half of its bytes, and so on.
    largest: Option<(String, usize)>,
}

impl Weight {
    /// Adds a field.
    fn add(&mut self, name: &str, field: Self) {
        self.bytes += field.bytes;
        self.descriptions += field.descriptions;
        if self.largest.as_ref().is_some_and(|(_, bytes)| *bytes >= field.bytes) {
            return;
        }
        self.largest = match field.largest {
            Some((path, bytes)) if bytes > field.bytes / 2 => {
                Some((format!(".{name}{path}"), bytes))
            }
            _ => Some((format!(".{name}"), field.bytes)),
        };
    }

    /// Adds the items of a list or the values of a map.
    fn add_each(&mut self, place: &str, each: Self) {
        self.bytes += each.bytes;
        self.descriptions += each.descriptions;
        self.largest = each.largest.map(|(path, bytes)| (format!("{place}{path}"), bytes));
    }
}

/// Goes through a schema once.
fn weigh(schema: &Json) -> Weight {
    let Json::Object(keywords) = schema else {
        return Weight { bytes: schema.to_string().len(), ..Weight::default() };
    };
    // Two braces, and two quotes, a colon and a comma for each member, but for the last one's comma.
    let braces = |members: &BTreeMap<String, Json>| 2 - usize::from(!members.is_empty());
    let mut weight = Weight { bytes: braces(keywords), ..Weight::default() };
    for (keyword, value) in keywords {
        let before = weight.bytes;
        weight.bytes += keyword.len() + 4;
        match (&**keyword, value) {
            ("properties", Json::Object(properties)) => {
                weight.bytes += braces(properties);
                for (name, property) in properties {
                    weight.bytes += name.len() + 4;
                    weight.add(name, weigh(property));
                }
            }
            ("items", Json::Object(_)) => weight.add_each("[*]", weigh(value)),
            ("additionalProperties", Json::Object(_)) => weight.add_each(".*", weigh(value)),
            _ => weight.bytes += value.to_string().len(),
        }
        if keyword == "description" {
            weight.descriptions += weight.bytes - before;
        }
    }
    weight
}
