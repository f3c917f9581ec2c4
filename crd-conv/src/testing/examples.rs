//! Your own objects as examples.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ground::Ground, subject::Subject};
use crate::folders::with_folders;
use crate::validation::Validator;
use crate::yaml;

/// Objects of your own to start from: a file, a folder of files, or a text in YAML or JSON.
///
/// A path means the file, or the files in the folder that end with .json, .yaml or .yml. A text
/// means itself.
///
/// ```
/// use std::path::Path;
/// use crd_conv::testing::Example;
///
/// let file: Example = Path::new("config/samples").into();
/// let text: Example = "apiVersion: example.com/v1\nkind: Box\nspec: {size: 3}".into();
/// let value: Example = serde_json::json!({"apiVersion": "example.com/v1", "kind": "Box"}).into();
/// ```
#[derive(Clone, Debug)]
pub struct Example(Source);

#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Text(String),
}

impl From<&Path> for Example {
    fn from(file: &Path) -> Self {
        Self(Source::File(file.to_owned()))
    }
}

impl From<PathBuf> for Example {
    fn from(file: PathBuf) -> Self {
        Self(Source::File(file))
    }
}

impl From<&str> for Example {
    fn from(text: &str) -> Self {
        Self(Source::Text(text.to_owned()))
    }
}

impl From<String> for Example {
    fn from(text: String) -> Self {
        Self(Source::Text(text))
    }
}

impl From<serde_json::Value> for Example {
    fn from(value: serde_json::Value) -> Self {
        Self(Source::Text(value.to_string()))
    }
}

/// The reason why an object can't be an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleError(String);

impl fmt::Display for ExampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExampleError {}

/// Returns the objects of each version, as the API server stores them, without entries.
pub(super) fn by_version(
    ground: &Ground<'_>,
    examples: impl Iterator<Item = Example>,
) -> Result<Vec<Vec<String>>, ExampleError> {
    let validator =
        Validator::of(ground.resource).map_err(|errors| ExampleError(errors.to_string()))?;
    let mut all = vec![Vec::new(); ground.schemas.len()];
    for Example(source) in examples {
        let texts = match source {
            Source::Text(text) => vec![("an example".to_owned(), text)],
            Source::File(file) => files(file)?,
        };
        for (name, text) in texts {
            for object in objects(&text).map_err(|error| at(&name, &error))? {
                let report =
                    validator.validate(&object).map_err(|error| at(&name, &error.to_string()))?;
                if !report.accepts() || !report.pruned.is_empty() {
                    return Err(at(
                        &name,
                        &format!("the API server refuses or prunes the object:\n{report}"),
                    ));
                }
                let versions = ground.resource.definition().versions;
                let version = versions.iter().position(|known| known.name == report.version);
                let version = version.unwrap_or_default();
                let subject = Subject::new(ground, version, version, None);
                all[version].push(subject.essence(&report.object).write());
            }
        }
    }
    Ok(all)
}

fn at(name: &str, error: &str) -> ExampleError {
    ExampleError(format!("{name}: {error}"))
}

fn files(file: PathBuf) -> Result<Vec<(String, String)>, ExampleError> {
    let given = [file];
    let files = with_folders(&given).map_err(ExampleError)?.by_argument;
    let read = |file: PathBuf| {
        let name = format!("`{}`", file.display());
        match std::fs::read_to_string(&file) {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(ExampleError(format!("can't read {name}: {error}"))),
        }
    };
    files.into_iter().flat_map(|(_, inside)| inside).map(read).collect()
}

/// Returns the objects of a text, including those in lists as `kubectl get` prints them.
fn objects(text: &str) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    struct List<'a> {
        #[serde(rename = "apiVersion")]
        api_version: String,
        kind: String,
        #[serde(borrow)]
        items: Vec<&'a RawValue>,
    }
    let documents = yaml::to_json(text).map_err(|error| error.to_string())?;
    if documents.is_empty() {
        return Err("the text has no object".to_owned());
    }
    let mut all = Vec::new();
    for document in documents {
        match serde_json::from_str::<List<'_>>(&document) {
            Ok(list) if list.kind == "List" && list.api_version == "v1" => {
                all.extend(list.items.into_iter().map(|item| item.get().to_owned()));
            }
            _ => all.push(document),
        }
    }
    Ok(all)
}
