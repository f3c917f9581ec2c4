//! How much of the doc comments stands in the schemas.

use crd_conv::cli::{Cli, Streams};
use crd_conv::crd::CrdOptions;
use crd_conv::{ResourceType, Versioned, VersionedResource, definition::Descriptions};
use crd_conv_tests::served::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a box is.
///
/// And more of it.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Spec {
    /// How large it is
    /// in each direction.
    ///
    /// - not small
    size: i64,
    parts: Vec<Part>,
    named: std::collections::BTreeMap<String, Part>,
    source: Source,
}

/// A part.
///
/// Of it.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Part {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
enum Source {
    /// From a repository.
    Git {
        /// Where it is.
        url: String,
    },
    None,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "fulls", scope = "Namespaced"))]
enum Full {
    #[versioned(storage)]
    V1 { spec: Spec },
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "summaries",
    scope = "Namespaced",
    descriptions = "summary"
))]
enum Summary {
    #[versioned(
        storage,
        printer_column(
            name = "Size",
            type = "integer",
            json_path = ".spec.size",
            description = "How large it is.\n\nIn all."
        )
    )]
    V1 { spec: Spec },
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "nones",
    scope = "Namespaced",
    descriptions = "none"
))]
enum None {
    #[versioned(storage)]
    V1 { spec: Spec },
}

/// All descriptions in a schema.
fn all(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| match value {
                Value::String(text) if name == "description" => vec![text.as_str()],
                value => all(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(all).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_summary_is_the_first_paragraph() {
    let full = schema::<Full>("v1");
    let full = all(&full);
    assert!(full.contains(&"What a box is.\n\nAnd more of it."), "{full:?}");
    assert!(full.contains(&"Where it is."), "{full:?}");

    let summary = schema::<Summary>("v1");
    let summary = all(&summary);
    assert_eq!(summary.len(), full.len());
    assert!(full.iter().zip(&summary).all(|(full, summary)| full.starts_with(summary)));
    assert!(summary.contains(&"What a box is."), "{summary:?}");
    assert!(summary.contains(&"A part."), "{summary:?}");
    assert!(summary.iter().any(|text| text.ends_with("in each direction.")), "{summary:?}");

    assert_eq!(all(&schema::<None>("v1")), Vec::<&str>::new());
}

fn run(args: &[&str]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let cli = Cli::new([ResourceType::of::<Summary>()]);
    let code = cli.run_with(["boxes"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(stdout), text(stderr))
}

#[test]
fn the_command_line_has_the_last_word() {
    let declared = run(&["crd"]).1;
    assert!(declared.contains("What a box is.") && !declared.contains("And more of it."));
    assert!(run(&["crd", "--descriptions", "full"]).1.contains("And more of it."));
    assert!(!run(&["crd", "--descriptions", "none"]).1.contains("What a box is."));
    assert_eq!(run(&["crd", "--descriptions", "summary"]).1, declared);
    let (code, stdout, stderr) = run(&["crd", "--descriptions", "short"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("write `full`, `summary` or `none`"), "{stderr}");
}

#[test]
fn who_makes_the_document_has_the_last_word() {
    let size = |descriptions: Option<Descriptions>| {
        let options = CrdOptions::new();
        let options = match descriptions {
            Some(descriptions) => options.descriptions(descriptions),
            _ => options,
        };
        let crd = ResourceType::of::<Summary>().crd(&options).expect("a CRD");
        let columns = &crd.spec.versions[0].additional_printer_columns;
        // It is what the column says, not what the type does.
        assert_eq!(columns[0].description.as_deref(), Some("How large it is.\n\nIn all."));
        crd.to_json().len()
    };
    assert_eq!(Summary::DEFINITION.descriptions, Descriptions::Summary);
    assert_eq!(size(Option::None), size(Some(Descriptions::Summary)));
    assert!(size(Some(Descriptions::None)) < size(Option::None));
    assert!(size(Option::None) < size(Some(Descriptions::Full)));
}

/// What `kubectl explain` says of the object.
mod objects {
    use super::*;

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
    enum Stanzas {
        /// A box of old.
        ///
        /// It has no lid.
        V1beta1 { spec: Spec },
        #[versioned(storage)]
        V1 { spec: Spec },
    }

    #[derive(Versioned)]
    #[versioned(resource(
        group = "example.com",
        plural = "boxes",
        scope = "Namespaced",
        descriptions = "summary"
    ))]
    enum Roots {
        /// A box of old.
        ///
        /// It has no lid.
        V1beta1(Spec),
        #[versioned(storage)]
        V1(Spec),
    }

    #[test]
    fn a_variant_describes_the_object_or_the_type_at_its_root() {
        let description = |schema: Value| schema["description"].clone();
        assert_eq!(description(schema::<Stanzas>("v1beta1")), "A box of old.\n\nIt has no lid.");
        assert_eq!(description(schema::<Stanzas>("v1")), Value::Null);
        assert_eq!(description(schema::<Roots>("v1beta1")), "A box of old.");
        assert_eq!(description(schema::<Roots>("v1")), "What a box is.");
    }
}
