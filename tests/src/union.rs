//! Enums with data for [`Nest`](crate::nest::Nest), one in each of serde's representations, over its four versions.

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::nest::v1alpha1::{Fixed, Leaf, Part, Tree};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum Choice {
        Nothing,
        Gone,
        Old { size: i64, leaf: Option<Leaf> },
        Leafy(Leaf),
        Branch { text: Option<String>, spent: Option<String>, inner: Option<Box<Choice>> },
        Many(Vec<Shape>),
        Pair(i64, String),
        Fixed(Fixed),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    pub enum Shape {
        Point,
        Round { radius: i64, zone: Option<String> },
        Tree(Tree),
        Leafy(Box<Leaf>),
        Group { members: Vec<Shape>, named: BTreeMap<String, Shape> },
        Lost { part: Option<Part> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c", rename_all = "camelCase")]
    pub enum Event {
        Idle,
        Asleep,
        Start(Part),
        Stop { at: i64, cause: Option<Blob> },
        Batch(Vec<Event>),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Blob {
        Text(String),
        Size(i64),
        Flag(bool),
        Items(Vec<Leaf>),
        Body { text: Option<String>, leaf: Option<Leaf> },
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::nest::{
        v1alpha1::Fixed,
        v1beta1::{Leaf, Part, Tree},
    };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Choice, removed(Gone = Nothing, Old = Branch))]
    pub enum Choice {
        Nothing,
        #[versioned(renamed_from = Leafy)]
        Sheet(Leaf),
        #[versioned(removed(spent))]
        Branch {
            text: Option<String>,
            #[serde(default)]
            #[versioned(added)]
            grade: i64,
            inner: Option<Box<Choice>>,
        },
        Many(Vec<Shape>),
        Pair(i64, String),
        Fixed(Fixed),
        #[versioned(added(shown_as = Branch))]
        Fresh(Part),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[versioned(from = super::v1alpha1::Shape, removed(Lost = Point))]
    pub enum Shape {
        Point,
        #[versioned(renamed_from = Round, removed(zone))]
        Circle {
            radius: i64,
        },
        Tree(Tree),
        Leafy(Box<Leaf>),
        Group {
            members: Vec<Shape>,
            named: BTreeMap<String, Shape>,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c", rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::Event, removed(Asleep = Idle))]
    pub enum Event {
        Idle,
        Start(Part),
        #[versioned(renamed_from = Stop)]
        Halt {
            at: i64,
            cause: Option<Blob>,
            #[versioned(added)]
            grade: Option<i64>,
        },
        Batch(Vec<Event>),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[versioned(from = super::v1alpha1::Blob, removed(Flag = Body))]
    pub enum Blob {
        Text(String),
        Size(i64),
        Items(Vec<Leaf>),
        Body { text: Option<String>, leaf: Option<Leaf> },
    }
}

pub mod v1beta2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::gadget::converters::Scrambled;
    use crate::nest::v1beta2::{Fixed, Leaf, Part, Tree};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Choice, removed(Fresh = Void))]
    pub enum Choice {
        #[versioned(renamed_from = Nothing)]
        Void,
        Sheet(Leaf),
        Branch {
            #[versioned(renamed_from = text)]
            heading: Option<String>,
            #[serde(default)]
            grade: i64,
            inner: Option<Box<Choice>>,
        },
        Many(Vec<Shape>),
        Pair(i64, String),
        Fixed(Fixed),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[versioned(from = super::v1beta1::Shape)]
    pub enum Shape {
        #[versioned(renamed_from = Point)]
        Dot,
        Circle {
            #[versioned(with = Scrambled)]
            radius: String,
        },
        Tree(Tree),
        Leafy(Box<Leaf>),
        Group {
            #[serde(default)]
            members: Vec<Shape>,
            #[serde(default)]
            named: BTreeMap<String, Shape>,
        },
        #[versioned(added(shown_as = Point))]
        Star {
            points: i64,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "stage", content = "c", rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::Event)]
    pub enum Event {
        Idle,
        #[versioned(renamed_from = Start)]
        Go(Part),
        Halt {
            at: i64,
            cause: Option<Blob>,
            grade: Option<i64>,
        },
        Batch(Vec<Event>),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[versioned(from = super::v1beta1::Blob)]
    pub enum Blob {
        Text(String),
        Size(i64),
        #[versioned(renamed_from = Items)]
        List(Vec<Leaf>),
        Body {
            #[versioned(renamed_from = text)]
            heading: Option<String>,
            leaf: Option<Leaf>,
        },
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::nest::{
        v1::{Leaf, Part, Tree},
        v1beta2::Fixed,
    };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Choice, removed(Fixed = Void))]
    pub enum Choice {
        Void,
        Sheet(Leaf),
        Branch {
            heading: Option<String>,
            #[serde(default)]
            grade: i64,
            inner: Option<Box<Choice>>,
        },
        Many(Vec<Shape>),
        Pair(i64, String),
        #[versioned(added(shown_as = Void))]
        Named(BTreeMap<String, Event>),
        #[versioned(added(shown_as = Branch))]
        Repaired(Fixed),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[versioned(from = super::v1beta2::Shape, removed(Leafy = Group))]
    pub enum Shape {
        Dot,
        Circle {
            radius: String,
        },
        Tree(Tree),
        Group {
            #[serde(default)]
            members: Vec<Shape>,
            #[serde(default)]
            named: BTreeMap<String, Shape>,
        },
        #[versioned(renamed_from = Star)]
        Comet {
            points: i64,
            #[versioned(added(value = 1))]
            tails: i64,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "stage", content = "data", rename_all = "camelCase")]
    #[versioned(from = super::v1beta2::Event)]
    pub enum Event {
        Idle,
        Go(Part),
        #[versioned(removed(grade))]
        Halt {
            at: i64,
            cause: Option<Blob>,
        },
        Batch(Vec<Event>),
        #[versioned(added(shown_as = Idle))]
        Grow(Shape),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[versioned(from = super::v1beta2::Blob)]
    pub enum Blob {
        Text(String),
        Size(i64),
        List(Vec<Leaf>),
        Body {
            heading: Option<String>,
            leaf: Option<Leaf>,
        },
        #[versioned(added(shown_as = Body))]
        Flag(bool),
    }
}
