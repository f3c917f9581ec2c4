//! Enums in each of serde's representations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shapes;
use super::structs::Plain;

/// An enum with documented names.
#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// At once.
    Now,
    Later,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Named {
    /// Any text.
    Text(String),
    Body {
        a: i32,
        b: Option<bool>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum One {
    Only { a: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Mixed {
    /// Nothing.
    Nothing,
    None,
    Text(String),
    Pair(i32, i32),
    Body {
        a: Option<i32>,
    },
    Many(Vec<Plain>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Optional {
    Some(Option<i32>),
    Empty {},
}

/// By its kind.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Internal {
    /// Without anything.
    Point,
    Circle {
        radius: f64,
        name: Option<String>,
    },
    Plain(Plain),
    Square {
        side: f64,
        #[serde(default)]
        name: Option<String>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum Clashing {
    Number { value: u8, same: bool },
    Text { value: String, same: bool },
    Body { value: Plain },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Closed {
    A { a: i32 },
    B { b: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum Nested {
    Inner(Internal),
    Other { a: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum WithDefaults {
    A {
        #[serde(default)]
        count: i32,
    },
    B,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum WithMetadata {
    A { metadata: Plain },
    B { other: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    /// Without anything.
    Empty,
    Text(String),
    Number(i64),
    Body {
        a: i32,
    },
    Pair(bool, bool),
    Maybe(Option<bool>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub enum AdjacentNames {
    A,
    B,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberOrText {
    Number(i64),
    Text(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PortOrName {
    Port(u16),
    Name(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CountOrShare {
    Count(i32),
    // Any text, as serde looks at none.
    Share(#[schemars(regex(pattern = "^"))] String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("pattern" = "^"))]
pub enum ShareOrCount {
    Share(String),
    Count(u16),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("minimum" = 0, "maximum" = 70_000))]
pub enum PercentOrPort {
    Percent(String),
    Port(u16),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    One(Plain),
    Many(Vec<Plain>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Anything {
    Nothing,
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<i32>),
    Body { a: i32, b: Option<bool> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Structs {
    Long { a: i32, b: String, c: Option<bool> },
    Short { a: i32 },
    Other { d: BTreeMap<String, i32> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberOrInteger {
    Whole(i32),
    Number(f64),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NamesOrText {
    Names(Names),
    Body { other: bool },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum WithUntagged {
    Known(i32),
    #[serde(untagged)]
    Other {
        name: String,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Holder {
    pub all: Vec<Mixed>,
    pub by_name: BTreeMap<String, Internal>,
    pub maybe: Option<Adjacent>,
    /// Documented here.
    pub named: Option<Named>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum WithOther {
    A {
        a: i32,
    },
    #[serde(other)]
    Other,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Renamed {
    FirstOne {
        some_field: i32,
        #[serde(default, alias = "old")]
        other_field: String,
    },
    #[serde(rename = "2nd", alias = "second")]
    Second,
    #[serde(skip)]
    Hidden,
    EmptyTuple(),
    Mixed(String, i32),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Maps {
    Numbers(BTreeMap<String, i32>),
    Texts(BTreeMap<String, String>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
pub enum AdjacentClosed {
    A(i32),
    B { b: bool },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Either<A, B> {
    Left(A),
    Right(B),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum Flattening {
    A {
        #[serde(flatten)]
        plain: Plain,
    },
    B {
        b: Vec<Names>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub enum WithMap {
    Map(BTreeMap<String, serde_json::Value>),
    Named { name: String },
}

fn plain() -> Plain {
    Plain { first_field: 1, second: None }
}

fn text() -> String {
    "a".to_owned()
}

shapes! { "enums":
    Names = [Names::Now, Names::Later];
    Named = [Named::Text(text()), Named::Body { a: 1, b: None }];
    Option<Named> = [None, Some(Named::Text(text()))];
    One = [One::Only { a: 1 }];
    Mixed = [
        Mixed::Nothing,
        Mixed::None,
        Mixed::Text(text()),
        Mixed::Pair(1, 2),
        Mixed::Body { a: None },
        Mixed::Many(vec![plain()]),
    ];
    Option<Mixed> = [None, Some(Mixed::Nothing)];
    Optional = [Optional::Some(None), Optional::Some(Some(1)), Optional::Empty {}];
    Internal = [
        Internal::Point,
        Internal::Circle { radius: 1.0, name: None },
        Internal::Plain(plain()),
        Internal::Square { side: 1.0, name: Some(text()) },
    ];
    Option<Internal> = [None, Some(Internal::Point)];
    Clashing = [
        Clashing::Number { value: 1, same: true },
        Clashing::Text { value: text(), same: true },
        Clashing::Body { value: plain() },
    ];
    Closed = [Closed::A { a: 1 }, Closed::B { b: 1 }];
    Nested = [
        Nested::Inner(Internal::Point),
        Nested::Inner(Internal::Plain(plain())),
        Nested::Other { a: 1 },
    ];
    WithDefaults = [WithDefaults::A { count: 1 }, WithDefaults::B];
    WithMetadata = [WithMetadata::A { metadata: plain() }, WithMetadata::B { other: 1 }];
    Adjacent = [
        Adjacent::Empty,
        Adjacent::Text(text()),
        Adjacent::Number(1),
        Adjacent::Body { a: 1 },
        Adjacent::Pair(true, false),
        Adjacent::Maybe(Some(true)),
    ];
    AdjacentNames = [AdjacentNames::A, AdjacentNames::B];
    NumberOrText = [NumberOrText::Number(1), NumberOrText::Text(text())];
    Option<NumberOrText> = [None, Some(NumberOrText::Number(1))];
    PortOrName = [PortOrName::Port(80), PortOrName::Name(text())];
    CountOrShare = [CountOrShare::Count(3), CountOrShare::Share("50%".to_owned())];
    Option<ShareOrCount> = [Some(ShareOrCount::Count(3)), Some(ShareOrCount::Share(text())), None];
    BTreeMap<String, ShareOrCount> = [[("cpu".to_owned(), ShareOrCount::Count(3))].into()];
    PercentOrPort = [PercentOrPort::Port(3), PercentOrPort::Percent(text())];
    OneOrMany = [OneOrMany::One(plain()), OneOrMany::Many(vec![plain()])];
    Anything = [
        Anything::Nothing,
        Anything::Flag(true),
        Anything::Whole(1),
        Anything::Number(1.5),
        Anything::Text(text()),
        Anything::List(vec![1]),
        Anything::Body { a: 1, b: None },
    ];
    Structs = [
        Structs::Long { a: 1, b: text(), c: None },
        Structs::Short { a: 1 },
        Structs::Other { d: BTreeMap::new() },
    ];
    NumberOrInteger = [NumberOrInteger::Whole(1), NumberOrInteger::Number(1.5)];
    NamesOrText = [NamesOrText::Names(Names::Now), NamesOrText::Body { other: true }];
    WithUntagged = [WithUntagged::Known(1), WithUntagged::Other { name: text() }];
    Holder = [Holder {
        all: vec![Mixed::Nothing, Mixed::Text(text())],
        by_name: [(text(), Internal::Point)].into(),
        maybe: None,
        named: Some(Named::Text(text())),
    }];
    WithOther = [WithOther::A { a: 1 }, WithOther::Other];
    Renamed = [
        Renamed::FirstOne { some_field: 1, other_field: text() },
        Renamed::Second,
        Renamed::EmptyTuple(),
        Renamed::Mixed(text(), 1),
    ];
    Maps = [Maps::Numbers([(text(), 1)].into()), Maps::Texts([(text(), text())].into())];
    AdjacentClosed = [AdjacentClosed::A(1), AdjacentClosed::B { b: true }];
    Either<u8, i64> = [Either::Left(1), Either::Right(-1)];
    Either<Option<bool>, String> = [Either::Left(None), Either::Right(text())];
    Either<Named, Plain> = [Either::Left(Named::Text(text())), Either::Right(plain())];
    Either<NumberOrText, bool> = [Either::Left(NumberOrText::Number(1)), Either::Right(true)];
    Either<(i32, bool), (bool, i32)> = [Either::Left((1, true)), Either::Right((true, 1))];
    Result<Either<bool, String>, Names> = [Ok(Either::Left(true)), Err(Names::Now)];
    Flattening = [Flattening::A { plain: plain() }, Flattening::B { b: vec![Names::Now] }];
    WithMap = [
        WithMap::Map([(text(), serde_json::Value::Null)].into()),
        WithMap::Named { name: text() },
    ];
}
