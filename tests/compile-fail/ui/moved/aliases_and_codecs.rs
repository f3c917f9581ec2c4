use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:?}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
        Ok(String::deserialize(deserializer)?.parse().ok())
    }
}

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        #[serde(alias = "deadline")]
        timeout: Option<i64>,
        retries: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    #[serde(with = "text", default)]
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => checks.timeout, retries => checks.retries))]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
