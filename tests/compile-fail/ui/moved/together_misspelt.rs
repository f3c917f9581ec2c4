use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<i64>,
        retries: Option<i64>,
    }
}

#[derive(Clone, Copy)]
struct Any;

impl<O, N> crd_conv::Converter<O, N> for Any {
    fn upgrade(&self, _: O) -> Result<N, crd_conv::ConvertError> {
        Err("never".into())
    }

    fn downgrade(&self, _: N) -> Result<O, crd_conv::ConvertError> {
        Err("never".into())
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, map((timeout, retrys) <=> (checks.timeuot, checks.retries), with = Any))]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
