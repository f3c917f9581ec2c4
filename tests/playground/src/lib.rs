//! Converts an object of an [example API](api), for a page of the book.
//!
//! The program reads the object from standard input, so the page runs it as it is, compiled for
//! WASI. That needs no generated bindings, and no `unsafe` function for JavaScript to call.

pub mod api;

use std::fmt::Display;

use api::CronTab;
use crd_conv::{ResourceType, yaml};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An object in another version, and what becomes of it on the way back.
#[derive(Debug, Serialize)]
pub struct Conversion {
    /// The version that the object had.
    pub from: String,
    /// The object in the other version, as YAML.
    pub converted: String,
    /// The converted object in the version that it had, as YAML.
    pub back: String,
    /// Whether the input and `back` mean the same. Comments and the order of keys may differ.
    pub unchanged: bool,
}

/// Converts an object, written as YAML or JSON, to a version and back.
///
/// # Errors
///
/// Returns one sentence that names the line or the field.
pub fn convert(object: &str, to: &str) -> Result<Conversion, String> {
    let json = json(object)?;
    let resource = ResourceType::of::<CronTab>();
    let converted = resource.convert(json.as_bytes(), to).map_err(text)?.json;
    // The engine has read it, so it is there.
    let Head { api_version: from } = serde_json::from_str(&json).map_err(text)?;
    let back = resource.convert(converted.as_bytes(), &from).map_err(text)?.json;
    let value = |json: &str| serde_json::from_str::<Value>(json).map_err(text);
    Ok(Conversion {
        from,
        unchanged: value(&json)? == value(&back)?,
        converted: yaml::from_json(&converted).map_err(text)?,
        back: yaml::from_json(&back).map_err(text)?,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    api_version: String,
}

fn json(object: &str) -> Result<String, String> {
    // The YAML reader reads JSON, too, but its errors are about YAML.
    if object.trim_start().starts_with('{') {
        let checked = serde_json::from_str::<Value>(object);
        return checked
            .map(|_| object.to_owned())
            .map_err(|error| format!("not readable as JSON: {error}"));
    }
    let documents = yaml::to_json(object).map_err(text)?;
    <[String; 1]>::try_from(documents)
        .map(|[json]| json)
        .map_err(|documents| format!("expected one object, found {}", documents.len()))
}

fn text(error: impl Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../page.md");

    const OBJECTS: [(&str, &str); 3] = [
        ("v1alpha1", "  hostPort: db:5432\n  cronSpec: 0 3 * * *\n  timeout: 90s\n  owner: ada\n"),
        (
            "v1beta1",
            "  hostPort: db:5432\n  cronSpec: 0 3 * * *\n  timeoutSeconds: 90\n  owner: ada\n",
        ),
        (
            "v1",
            "  host: db\n  port: 5432\n  schedule: 0 3 * * *\n  timeoutSeconds: 90\n  historyLimit: 5\n",
        ),
    ];

    fn object(version: &str, spec: &str) -> String {
        format!(
            "apiVersion: example.com/{version}\nkind: CronTab\nmetadata:\n  name: nightly\nspec:\n{spec}"
        )
    }

    #[test]
    fn every_version_is_converted_to_every_version_and_back() {
        for (from, spec) in OBJECTS {
            for (to, _) in OBJECTS {
                let object = object(from, spec);
                let conversion = convert(&object, to).unwrap();
                let Conversion { converted, back, unchanged, .. } = conversion;
                assert_eq!(conversion.from, format!("example.com/{from}"));
                assert!(converted.starts_with(&format!("apiVersion: example.com/{to}\n")));
                assert_eq!(back, object, "through {to}:\n{converted}");
                assert!(unchanged);
            }
        }
    }

    #[test]
    fn an_annotation_has_what_the_other_version_lacks() {
        let (from, spec) = OBJECTS[1];
        let v1 = convert(&object(from, spec), "v1").unwrap().converted;
        assert!(v1.contains("conversion.example.com/v1beta1.spec.owner: "), "{v1}");
        assert!(v1.contains("\n  host: db\n  port: 5432\n  schedule: 0 3 * * *\n"), "{v1}");
    }

    #[test]
    fn an_edit_wins() {
        let (from, spec) = OBJECTS[0];
        let v1 = convert(&object(from, spec), "v1").unwrap().converted;
        let edited = v1.replace("timeoutSeconds: 90\n", "timeoutSeconds: 60\n");
        let back = convert(&edited, from).unwrap().converted;
        assert!(back.contains("timeout: 1m0s\n  owner: ada\n"), "{back}");
    }

    #[test]
    fn json_is_read_too() {
        let (from, spec) = OBJECTS[0];
        let yaml = object(from, spec);
        let json = yaml::to_json(&yaml).unwrap().remove(0);
        assert_eq!(convert(&json, "v1").unwrap().back, yaml);
    }

    #[test]
    fn an_error_names_the_line_or_the_field() {
        let (from, spec) = OBJECTS[0];
        let good = object(from, spec);
        let cases = [
            (good.replace("90s", "soon"), "`spec.timeout`: expected a duration"),
            (good.replace("db:5432", "db"), "`spec.hostPort`: expected `{host}:{port}`"),
            (good.replace("cronSpec:", "cronSpec"), "line 7, column 3"),
            (good.replace("cronSpec", "hostPort"), "duplicate mapping key: hostPort"),
            (good.replace("v1alpha1", "v7"), "has CronTab in v1alpha1, v1beta1, v1, not in `v7`"),
            (good.replace("kind: CronTab", "kind: Job"), "its kind isn't `CronTab`"),
            (good.replace("apiVersion", "version"), "it has no `apiVersion`"),
            ("{\"kind\":\n}".to_owned(), "not readable as JSON: expected value at line 2 column 1"),
            (format!("{good}---\n{good}"), "expected one object, found 2"),
            (String::new(), "expected one object, found 0"),
        ];
        for (object, wanted) in cases {
            let error = convert(&object, "v1").unwrap_err();
            assert!(error.contains(wanted), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn the_page_offers_every_version_and_starts_with_an_object() {
        let versions = ResourceType::of::<CronTab>().definition().versions;
        let offered = versions.iter().map(|version| format!(">{}</option>", version.name));
        assert!(offered.into_iter().all(|option| PAGE.contains(&option)));
        assert_eq!(PAGE.matches("</option>").count(), versions.len());
        let (_, textarea) = PAGE.split_once("id=\"object\"").unwrap();
        let (_, textarea) = textarea.split_once('>').unwrap();
        let (object, _) = textarea.split_once("</textarea>").unwrap();
        assert!(convert(object, "v1").unwrap().unchanged);
    }
}
