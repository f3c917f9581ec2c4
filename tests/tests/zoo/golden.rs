//! The schemas, one file for each group.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crd_conv::crd::CrdOptions;
use crd_conv::schema::Schema;
use crd_conv_tests::zoo::{Shape, zoo};

/// The schema of the type, or the sentences that refuse it.
pub(crate) fn schema_of(shape: &Shape) -> Result<Schema, Vec<String>> {
    match (shape.resource)().crd(&CrdOptions::new()) {
        Ok(mut crd) => {
            let mut root = crd.spec.versions.remove(0).schema.open_api_v3_schema;
            let mut spec = root.properties.remove("spec").expect("a stanza");
            Ok(spec.properties.remove("value").expect("a field"))
        }
        Err(errors) => Err(errors.errors.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn schemas_are_as_they_were() {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for shape in zoo() {
        let file = files.entry(shape.group).or_default();
        match schema_of(&shape) {
            Ok(schema) => {
                if shape.group == "refused" {
                    wrong.push(format!("{} has a schema", shape.name));
                }
                let schema = serde_json::to_string(&schema).expect("JSON");
                writeln!(file, "{}\n    {schema}", shape.name).expect("a text");
            }
            Err(sentences) => {
                if shape.group != "refused" {
                    wrong.push(format!("{}: {sentences:?}", shape.name));
                }
                writeln!(file, "{}\n    {}", shape.name, sentences.join("\n    ")).expect("a text");
            }
        }
    }
    assert!(zoo().len() >= 80, "invalid test case: the zoo has {} types", zoo().len());
    for (group, text) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/zoo/{group}.txt"));
        if std::env::var_os("CRD_CONV_BLESS").is_some() {
            std::fs::write(&path, &text).expect("a file");
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(known, text, "{}", path.display());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
