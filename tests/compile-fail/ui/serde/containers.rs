use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transparent {
    pub value: String,
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(from = "String", into = "String")]
pub struct Text {
    pub value: String,
}

impl From<String> for Text {
    fn from(value: String) -> Self {
        Self { value }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.value
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(tag = "type")]
pub struct Tagged {
    pub value: String,
}

fn main() {}
