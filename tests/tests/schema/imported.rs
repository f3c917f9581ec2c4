//! Types that were imported from a CustomResourceDefinition.
//!
//! `golden.yaml` has everything that a schema can say, in three versions. `BLESS=1 cargo test` writes `golden.rs`.

#[allow(clippy::pedantic, unreachable_pub, reason = "the text is as the import writes it")]
#[rustfmt::skip]
mod golden;

use std::{collections::BTreeMap, fs};

use crd_conv::{
    ResourceType,
    crd::{CrdOptions, Webhook},
    diff::diff,
    import::{ImportOptions, import},
    schema::Json,
};
use golden::options::OptionResource;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/imported");

fn document_value() -> serde_json::Value {
    let text = fs::read_to_string(format!("{FOLDER}/golden.yaml")).unwrap();
    serde_json::from_str(&crd_conv::yaml::to_json(&text).unwrap().remove(0)).unwrap()
}

fn document() -> Json {
    Json::from(&document_value())
}

#[test]
fn the_text_is_the_golden_one() {
    let imported = import(&[document()], &ImportOptions::new()).unwrap();
    assert_eq!(imported.notes, []);
    let file = format!("{FOLDER}/golden.rs");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, imported.to_text()).unwrap();
    }
    assert!(fs::read_to_string(file).unwrap() == imported.to_text(), "BLESS=1 writes the file");
}

#[test]
fn the_types_say_what_the_document_says() {
    let webhook = Webhook::service("example", "webhook").path("/conversions").port(8443);
    let options = CrdOptions::new().webhook(webhook.review_versions(["v1"])).types_only();
    let printed = ResourceType::of::<OptionResource>().crd(&options).unwrap();
    let printed =
        Json::from(&serde_json::from_str::<serde_json::Value>(&printed.to_json()).unwrap());
    for [older, newer] in [[&document(), &printed], [&printed, &document()]] {
        let report = diff(older, newer);
        assert!(report.changes.is_empty(), "{report}");
    }
    let descriptions = |document: &Json| -> BTreeMap<String, serde_json::Value> {
        let document = serde_json::from_str::<serde_json::Value>(&document.to_string()).unwrap();
        let versions = document["spec"]["versions"].as_array().unwrap().iter();
        let root = |version: &serde_json::Value| {
            version["schema"]["openAPIV3Schema"]["description"].clone()
        };
        versions.map(|version| (version["name"].to_string(), root(version))).collect()
    };
    assert!(descriptions(&document())["\"v1\""].is_string());
    assert_eq!(descriptions(&printed), descriptions(&document()));
}

mod laws {
    crd_conv::laws!(super::golden::options::OptionResource);
}

/// What could end a literal or a comment and begin an item.
const HOSTILE: [&str; 6] = [
    "\"#; mod injected {} //",
    "*/ mod injected {} /*",
    "\n}\nmod injected {}\n",
    "\")] mod injected {} //\r\u{0}\u{202e}\u{2028}",
    "\\\" mod injected {} \\",
    "Self",
];

/// Every place in a document, with other values.
fn changed(json: &serde_json::Value, seed: usize) -> Vec<serde_json::Value> {
    use serde_json::{Value, json};
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!([{}, "x", null]),
        json!({"a": {"type": "string"}}),
    ];
    let hostile = HOSTILE.map(Value::from);
    let mut all = vec![others[seed % others.len()].clone(), hostile[seed % hostile.len()].clone()];
    match json {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                all.extend(changed(item, seed + place).into_iter().map(|item| {
                    let mut items = items.clone();
                    items[place] = item;
                    Value::Array(items)
                }));
            }
        }
        Value::Object(members) => {
            for (place, (name, value)) in members.iter().enumerate() {
                all.extend(changed(value, seed + place).into_iter().map(|value| {
                    let mut members = members.clone();
                    members[name] = value;
                    Value::Object(members)
                }));
                let mut renamed = members.clone();
                renamed.remove(name);
                let hostile = HOSTILE[(seed + place) % HOSTILE.len()].to_owned();
                renamed.insert(hostile, value.clone());
                all.push(Value::Object(renamed));
            }
        }
        _ => {}
    }
    all
}

fn modules(items: &[syn::Item]) -> Vec<String> {
    let found = items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) => Some(module),
        _ => None,
    });
    found
        .flat_map(|module| {
            let inside = module.content.iter().flat_map(|(_, items)| modules(items));
            [module.ident.to_string()].into_iter().chain(inside).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn no_document_writes_code() {
    let mut document = document_value();
    // All kinds of places are in the versions before it.
    document["spec"]["versions"].as_array_mut().unwrap().pop();
    let all = changed(&document, 0);
    assert!(all.len() > 1000, "{}", all.len());
    // All of them take a minute.
    for document in all.into_iter().step_by(7) {
        let Ok(imported) = import(&[Json::from(&document)], &ImportOptions::new().package("a"))
        else {
            continue;
        };
        let text = imported.to_text();
        let parsed =
            syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {document}\n{text}"));
        assert!(!modules(&parsed.items).contains(&"injected".to_owned()), "{document}\n{text}");
        for file in imported.files {
            if file.path.extension().is_some_and(|end| end == "rs") {
                assert!(syn::parse_file(&file.text).is_ok(), "{document}\n{}", file.text);
            }
        }
    }
}
