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
    timeout: i64,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    map(
        (timeout, retries) <=> (checks.timeout, checks.retries),
        with(upgrade = up, downgrade = down),
        fallback(upgrade = (_, ONE)),
    ),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

const ONE: Option<i64> = Some(1);

type Two = (Option<i64>, Option<i64>);

fn up((timeout, retries): Two) -> Result<(i64, Option<i64>), crd_conv::ConvertError> {
    Ok((timeout.ok_or("no timeout")?, retries))
}

fn down((timeout, retries): (i64, Option<i64>)) -> Two {
    (Some(timeout), retries)
}

fn main() {}
