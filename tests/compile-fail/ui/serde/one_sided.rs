use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct CronTabSpec {
    #[serde(skip_serializing)]
    pub a: String,
    #[serde(skip_deserializing)]
    pub b: String,
    #[serde(serialize_with = "write")]
    pub c: String,
    #[serde(deserialize_with = "read")]
    pub d: String,
}

fn write<S: serde::Serializer>(value: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value)
}

fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer)
}

fn main() {}
