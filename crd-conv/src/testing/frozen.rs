//! Tests that released versions don't change.

use std::{fs, io::ErrorKind, path::Path};

use serde_json::{Map, Value};

use crate::crd::{CrdOptions, Webhook};
use crate::definition::Descriptions;
use crate::json::Json;
use crate::{ResourceType, VersionedResource, diff};

/// The variable that makes the tests write the files.
const FREEZE: &str = "CRD_CONV_FREEZE";

/// Checks that a version is the same as when it was released.
///
/// A file next to the test records what clients rely on: a JSON document with the schema of the
/// version. Its path is relative to the package's folder, as everywhere in tests.
///
/// `CRD_CONV_FREEZE=1 cargo test` writes the file. Run it once the version is released, and
/// whenever you intend a change. The change is then visible in the diff for all reviewers.
/// Descriptions aren't checked. Neither is whether the version is served or stored, nor another
/// form of the same schema.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// #[test]
/// fn v1_is_released() {
///     crd_conv::testing::assert_frozen::<Box>("v1", "released/v1.json");
/// }
/// # fn main() { crd_conv::testing::assert_frozen::<Box>("v1", "released/v1.json"); }
/// ```
///
/// # Panics
///
/// Panics in these cases:
///
/// - Something differs. The message has each change, with what it means and what to do, as
///   [`diff`](mod@crate::diff) reports it.
/// - The resource has no such version, or no CustomResourceDefinition.
/// - The file can't be read or written.
#[track_caller]
pub fn assert_frozen<T: VersionedResource>(version: &str, file: impl AsRef<Path>) {
    let (file, resource) = (file.as_ref(), ResourceType::of::<T>());
    let now = match promise(&resource, version) {
        Ok(now) => now,
        Err(error) => panic!("{error}"),
    };
    let name = file.display();
    if std::env::var_os(FREEZE).is_some() {
        let written = match file.parent() {
            Some(folder) => fs::create_dir_all(folder),
            None => Ok(()),
        };
        let written = written.and_then(|()| fs::write(file, format!("{now:#}\n")));
        return written.unwrap_or_else(|error| panic!("can't write `{name}`: {error}"));
    }
    let before = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("`{name}` doesn't exist yet: run this test once with `{FREEZE}=1`")
        }
        Err(error) => panic!("can't read `{name}`: {error}"),
    };
    let before: Value = serde_json::from_str(&before)
        .unwrap_or_else(|error| panic!("`{name}` isn't JSON: {error}"));
    let changes = diff::of_version(&Json::from(&before), &Json::from(&now));
    if changes.is_empty() {
        return;
    }
    let changes = changes.iter().map(|change| format!("\n  {}: {change}", change.level));
    panic!(
        "`{version}` of {} differs from its released form in `{name}`:{}\nIf you intend this change, run this test once with \
         `{FREEZE}=1`, and tell the users of `{version}`",
        resource.definition().kind,
        changes.collect::<String>(),
    );
}

/// Returns what clients of a version rely on.
fn promise(resource: &ResourceType, version: &str) -> Result<Value, String> {
    let options = CrdOptions { descriptions: Some(Descriptions::None), ..CrdOptions::new() };
    let options = options.webhook(Webhook::anywhere());
    let crd = resource.crd(&options).map_err(|errors| errors.to_string())?.to_value();
    let mut all = crd.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let Some(found) = all.find(|found| found["name"] == version) else {
        let definition = resource.definition();
        let names: Vec<_> = definition.versions.iter().map(|version| version.name).collect();
        return Err(format!(
            "{} has no version `{version}`; it has {}",
            definition.kind,
            names.join(", ")
        ));
    };
    let parts = ["name", "schema", "subresources", "selectableFields"].into_iter();
    let parts = parts.filter_map(|part| Some((part.to_owned(), found.get(part)?.clone())));
    Ok(Value::Object(parts.collect::<Map<_, _>>()))
}
