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

#[derive(Serialize, Deserialize, JsonSchema, Default)]
#[serde(default, rename_all = "SCREAMING-KEBAB-CASE")]
pub struct AllDefaults {
    pub some_number: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    pub list: Vec<Option<i32>>,
    pub inner: DefaultInner,
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
#[serde(default)]
pub struct DefaultInner {
    pub ratio: f32,
    pub map: BTreeMap<String, Option<bool>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct OneWay {
    #[serde(skip_serializing, default)]
    pub read: i32,
    #[serde(skip_deserializing)]
    pub written: i32,
    #[serde(alias = "old")]
    pub new: i32,
}

/// Text with an equals sign.
#[derive(Serialize, Deserialize, JsonSchema, Clone)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "="))]
pub struct Assignment(String, String);

impl TryFrom<String> for Assignment {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (name, value) = text.split_once('=').ok_or("no equals sign")?;
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

impl From<Assignment> for String {
    fn from(Assignment(name, value): Assignment) -> Self {
        format!("{name}={value}")
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Bounded {
    #[schemars(range(min = 0.5, max = 1.5))]
    pub ratio: f32,
    #[schemars(range(min = 1, max = 3))]
    pub count: u64,
    #[schemars(length(min = 1, max = 2))]
    pub text: String,
    #[schemars(length(max = 1))]
    pub list: Vec<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedBoth {
    #[serde(flatten)]
    pub empty: Empty,
    #[serde(flatten)]
    pub skipping: Skipping,
    #[serde(flatten)]
    pub defaults: Defaults,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Generic<T> {
    pub items: [T; 2],
    pub first: Option<T>,
}

/// A type that holds itself, as far as the schema is deep.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Deep {
    pub name: String,
    #[schemars(extend("x-crd-conv-recursion-depth" = 2))]
    pub children: Vec<Deep>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct DeepChain {
    #[schemars(extend("x-crd-conv-recursion-depth" = 1))]
    pub next: Option<Box<DeepLink>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct DeepLink {
    pub name: String,
    pub back: BTreeMap<String, DeepChain>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Sum {
    Value(i32),
    Of(Vec<Sum>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct DeepSum {
    #[schemars(extend("x-crd-conv-recursion-depth" = 2))]
    pub sum: Sum,
}

fn deep(depth: usize) -> Deep {
    let children = if depth > 0 { vec![deep(depth - 1)] } else { Vec::new() };
    Deep { name: depth.to_string(), children }
}

fn deep_chain(depth: usize) -> DeepChain {
    let back = |depth| BTreeMap::from([("a".to_owned(), deep_chain(depth))]);
    let next = depth
        .checked_sub(1)
        .map(|depth| Box::new(DeepLink { name: depth.to_string(), back: back(depth) }));
    DeepChain { next }
}

fn deep_sum(depth: usize) -> Sum {
    depth.checked_sub(1).map_or(Sum::Value(1), |depth| Sum::Of(vec![deep_sum(depth)]))
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
    AllDefaults = [AllDefaults::default()];
    OneWay = [OneWay { read: 1, written: 2, new: 3 }];
    Assignment = [Assignment("a".to_owned(), String::new())];
    Bounded = [Bounded { ratio: 1.5, count: 1, text: "a".to_owned(), list: Vec::new() }];
    FlattenedBoth = [FlattenedBoth {
        empty: Empty {},
        skipping: Skipping { a: String::new(), cache: None },
        defaults: Defaults { list: Vec::new(), number: 1, option: None, color: Level::High },
    }];
    Generic<Empty> = [Generic { items: [Empty {}, Empty {}], first: None }];
    Deep = [deep(0), deep(1), deep(6)];
    DeepChain = [deep_chain(0), deep_chain(5)];
    DeepSum = [DeepSum { sum: deep_sum(0) }, DeepSum { sum: deep_sum(6) }];
    Option<DeepChain> = [None, Some(deep_chain(5))];
}
