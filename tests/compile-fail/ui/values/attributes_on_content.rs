use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub enum Probe {
    Exec(#[serde(with = "codec")] String),
    Tcp(#[versioned(nullable)] Option<i32>),
    #[serde(alias = "Url")]
    Http {
        #[serde(rename(serialize = "a", deserialize = "b"))]
        path: String,
    },
    #[serde(with = "codec")]
    Grpc(String),
}

mod codec {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer)
    }
}

fn main() {}
