use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: i64,
        retries: Option<i64>,
    }
}

#[derive(Clone, Copy)]
struct Same;

impl<T> crd_conv::Converter<T, T> for Same {
    fn upgrade(&self, older: T) -> Result<T, crd_conv::ConvertError> {
        Ok(older)
    }

    fn downgrade(&self, newer: T) -> Result<T, crd_conv::ConvertError> {
        Ok(newer)
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, map((timeout, retries) <=> (checks.timeout, checks.retries), with = Same))]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
