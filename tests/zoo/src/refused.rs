//! Types for which the API server has no schema.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shapes;
use super::structs::Plain;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Unit;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Marked {
    pub marker: std::marker::PhantomData<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum TaggedMap {
    Map(BTreeMap<String, String>),
    Named { name: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedTexts {
    pub a: bool,
    #[serde(flatten)]
    pub rest: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    pub children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    pub next: Option<Box<Link>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub back: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Expression {
    Value(i32),
    Sum(Vec<Expression>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MapOrStruct {
    Struct(Plain),
    Map(BTreeMap<String, String>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Maps {
    Texts(BTreeMap<String, String>),
    Numbers(BTreeMap<String, i32>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum TwoMetadata {
    A { metadata: String },
    B { metadata: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Lists {
    Holes { list: Vec<Option<i32>> },
    Texts { list: Vec<String> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FlattenedTwice {
    pub a: String,
    #[serde(flatten)]
    pub choice: TwoMetadata,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Never {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(extend("type" = ["null"]))]
pub struct OnlyNull {}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct KeyedByText {
    #[schemars(extend("patternProperties" = {"^a": {"type": "string"}, "^b": {"type": "integer"}}))]
    pub map: BTreeMap<String, serde_json::Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Shallow {
    #[schemars(extend("x-crd-conv-recursion-depth" = 2))]
    pub plain: Plain,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct TooDeep {
    #[schemars(extend("x-crd-conv-recursion-depth" = 9))]
    pub next: Option<Box<TooDeep>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Wide {
    #[schemars(extend("x-crd-conv-recursion-depth" = 8))]
    pub a: Option<Box<Wide>>,
    #[schemars(extend("x-crd-conv-recursion-depth" = 8))]
    pub b: Vec<Wide>,
    #[schemars(extend("x-crd-conv-recursion-depth" = 8))]
    pub c: BTreeMap<String, Wide>,
}

shapes! { "refused":
    () = [()];
    Unit = [Unit];
    Option<()> = [Some(())];
    Result<(), String> = [Ok(())];
    Marked = [];
    TaggedMap = [];
    (Plain, BTreeMap<String, i32>) = [];
    (Vec<i32>, Vec<Option<i32>>) = [];
    JSONSchemaProps = [];
    FlattenedTexts = [];
    Tree = [];
    Chain = [];
    Expression = [];
    MapOrStruct = [];
    Maps = [];
    TwoMetadata = [];
    Lists = [];
    FlattenedTwice = [];
    Never = [];
    OnlyNull = [];
    KeyedByText = [];
    Shallow = [];
    TooDeep = [];
    Wide = [];
}
