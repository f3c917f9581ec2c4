//! The table "to say this, write that" of the guide's page on schemas, row by row.

#![allow(dead_code, reason = "the fields are there for their schemas")]

use std::collections::{BTreeMap, BTreeSet};

use crd_conv::Versioned;
use crd_conv_tests::served::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const GUIDE: &str = include_str!("../../../crd-conv/guide/schema.md");

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Item {
    name: String,
}

/// A field for each row, and what its schema is.
macro_rules! rows {
    ($($name:ident: $ty:ty, #[$($attribute:tt)*] => $schema:tt;)*) => {
        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        struct Spec {
            $(#[$($attribute)*] $name: $ty,)*
        }

        fn rows() -> Vec<(&'static str, String, Value)> {
            vec![$((
                stringify!($name),
                without_spaces(concat!("#[", stringify!($($attribute)*), "]")),
                json!($schema),
            ),)*]
        }
    };
}

rows! {
    bounds: u8, #[schemars(range(min = 1, max = 10))]
        => { "type": "integer", "minimum": 1, "maximum": 10 };
    above: f64, #[schemars(extend("exclusiveMinimum" = 0))]
        => { "type": "number", "format": "double", "minimum": 0, "exclusiveMinimum": true };
    steps: i64, #[schemars(extend("multipleOf" = 5))]
        => { "type": "integer", "format": "int64", "multipleOf": 5 };
    text: String, #[schemars(length(min = 1, max = 63))]
        => { "type": "string", "minLength": 1, "maxLength": 63 };
    pattern: String, #[schemars(regex(pattern = "^[a-z]+$"))]
        => { "type": "string", "pattern": "^[a-z]+$" };
    email: String, #[schemars(email)]
        => { "type": "string", "format": "email" };
    url: String, #[schemars(url)]
        => { "type": "string", "format": "uri" };
    address: String, #[schemars(extend("format" = "ipv4"))]
        => { "type": "string", "format": "ipv4" };
    bytes: String, #[schemars(extend("x-crd-conv-format" = "byte"))]
        => { "type": "string", "format": "byte" };
    list: Vec<String>, #[schemars(length(max = 16))]
        => { "type": "array", "items": { "type": "string" }, "maxItems": 16 };
    each: Vec<String>, #[schemars(inner(length(max = 63)))]
        => { "type": "array", "items": { "type": "string", "maxLength": 63 } };
    map: BTreeMap<String, String>, #[schemars(extend("maxProperties" = 16))]
        => { "type": "object", "additionalProperties": { "type": "string" }, "maxProperties": 16 };
    set: Vec<String>, #[versioned(list_type = "set")]
        => { "type": "array", "items": { "type": "string" }, "x-kubernetes-list-type": "set" };
    whole: Vec<String>, #[versioned(list_type = "atomic")]
        => { "type": "array", "items": { "type": "string" }, "x-kubernetes-list-type": "atomic" };
    keyed: Vec<Item>, #[versioned(list_map_keys(name))]
        => {
            "type": "array",
            "items": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
        };
    selector: BTreeMap<String, String>, #[versioned(map_type = "atomic")]
        => { "type": "object", "additionalProperties": { "type": "string" }, "x-kubernetes-map-type": "atomic" };
    size: i64, #[versioned(default = 3)]
        => { "type": "integer", "format": "int64", "default": 3 };
    note: Option<String>, #[versioned(nullable = false)]
        => { "type": "string" };
    port: Value, #[versioned(int_or_string)]
        => { "x-kubernetes-int-or-string": true };
    anything: Item, #[versioned(preserve_unknown_fields)]
        => {
            "type": "object",
            "properties": { "name": { "type": "string" } },
            "required": ["name"],
            "x-kubernetes-preserve-unknown-fields": true,
        };
    template: Value, #[versioned(embedded_resource)]
        => {
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
        };
    either: Item, #[schemars(extend("oneOf" = [{"required": ["a"]}, {"required": ["b"]}]))]
        => {
            "type": "object",
            "properties": { "name": { "type": "string" } },
            "required": ["name"],
            "oneOf": [{ "required": ["a"] }, { "required": ["b"] }],
        };
    rule: String, #[versioned(validation("self.startsWith('a')", message = "it starts with an a"))]
        => {
            "type": "string",
            "x-kubernetes-validations": [{ "rule": "self.startsWith('a')", "message": "it starts with an a" }],
        };
    described: String, #[schemars(description = "For people.")]
        => { "type": "string", "description": "For people." };
    titled: String, #[schemars(title = "Title")]
        => { "type": "string", "title": "Title" };
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
enum Box {
    #[versioned(storage)]
    V1 { spec: Spec },
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn each_row_says_what_it_says() {
    let schema = schema::<Box>("v1");
    for (name, attribute, expected) in rows() {
        let found = &schema["properties"]["spec"]["properties"][name];
        assert_eq!(*found, expected, "{attribute}");
    }
}

/// What stands in backquotes in a cell.
fn codes(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_guide_has_these_rows() {
    let rows = rows();
    let (_, table) = GUIDE.split_once("| to say | write |").expect("the table");
    let mut seen = BTreeSet::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        let [_, write, keywords] = cells[..] else { panic!("not three cells: {row}") };
        let [write] = codes(write)[..] else { panic!("not one attribute: {row}") };
        let case = rows.iter().find(|(_, attribute, _)| *attribute == without_spaces(write));
        let (_, attribute, schema) = case.unwrap_or_else(|| panic!("no case: {row}"));
        seen.insert(attribute);
        for keyword in codes(keywords) {
            let place = if keyword == "items" { &schema["items"] } else { &schema[keyword] };
            assert!(!place.is_null() || row.contains("no `nullable`"), "no {keyword}: {row}");
        }
    }
    let missing = rows.iter().filter(|(_, attribute, _)| !seen.contains(attribute));
    assert_eq!(missing.map(|(name, ..)| name).collect::<Vec<_>>(), Vec::<&&str>::new());
}
