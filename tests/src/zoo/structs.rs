//! Structs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::enums::{Internal, Named};
use super::shapes;

/// A struct with documentation.
#[derive(Serialize, Deserialize, JsonSchema, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Plain {
    /// How many.
    pub first_field: i32,
    pub second: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Denying {
    pub a: String,
    pub inner: Plain,
}

fn seven() -> i64 {
    7
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Defaults {
    #[serde(default)]
    pub list: Vec<String>,
    #[serde(default = "seven")]
    pub number: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<bool>,
    #[serde(default)]
    pub color: Level,
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
pub enum Level {
    #[default]
    Low,
    High,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Flattened {
    pub a: bool,
    #[serde(flatten)]
    pub plain: Plain,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedOption {
    pub a: bool,
    #[serde(flatten)]
    pub plain: Option<Plain>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedValues {
    pub a: bool,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedTag {
    pub a: bool,
    #[serde(flatten)]
    pub choice: Internal,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedNamed {
    pub a: bool,
    #[serde(flatten)]
    pub choice: Named,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedTwo {
    #[serde(flatten)]
    pub choice: Internal,
    #[serde(flatten)]
    pub named: Named,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Wrapper<T>(pub T);

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Skipping {
    pub a: String,
    #[serde(skip)]
    pub cache: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Documented {
    /// The place wins.
    pub plain: Plain,
    pub other: Option<Plain>,
}

/// A type that holds itself, as far as the API server sees into it.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    pub name: String,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub children: Vec<Tree>,
}

fn plain() -> Plain {
    Plain { first_field: 1, second: None }
}

fn circle() -> Internal {
    Internal::Circle { radius: 1.5, name: None }
}

shapes! { "structs":
    Plain = [plain(), Plain { first_field: 1, second: Some("a".to_owned()) }];
    Empty = [Empty {}];
    Denying = [Denying { a: String::new(), inner: plain() }];
    Defaults = [Defaults { list: Vec::new(), number: 1, option: None, color: Level::High }];
    Flattened = [Flattened { a: true, plain: plain() }];
    FlattenedOption = [
        FlattenedOption { a: true, plain: Some(plain()) },
        FlattenedOption { a: true, plain: None },
    ];
    FlattenedValues = [FlattenedValues { a: true, rest: [("b".to_owned(), Value::Null)].into() }];
    FlattenedTag = [FlattenedTag { a: true, choice: circle() }];
    FlattenedNamed = [FlattenedNamed { a: true, choice: Named::Text("a".to_owned()) }];
    FlattenedTwo = [FlattenedTwo { choice: circle(), named: Named::Text("a".to_owned()) }];
    Wrapper<Plain> = [Wrapper(plain())];
    Wrapper<Wrapper<Option<bool>>> = [Wrapper(Wrapper(None)), Wrapper(Wrapper(Some(true)))];
    Skipping = [Skipping { a: String::new(), cache: None }];
    Tree = [Tree {
        name: String::new(),
        children: vec![Tree { name: "a".to_owned(), children: Vec::new() }],
    }];
    Documented = [Documented { plain: plain(), other: None }];
}
