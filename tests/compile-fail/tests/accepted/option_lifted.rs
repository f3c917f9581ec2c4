//! A converter of a value converts an `Option` of it too, and one that is written for the `Option` comes first.

use crd_conv::{ConvertError, Converter, Versioned};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        pub timeout: Option<String>,
        pub grace: Option<String>,
    }
}

#[derive(Versioned, serde::Serialize, serde::Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    #[versioned(with = Seconds)]
    pub timeout: Option<i64>,
    #[versioned(with = SecondsOrZero)]
    pub grace: Option<i64>,
}

struct Seconds;

impl Converter<String, i64> for Seconds {
    fn upgrade(&self, older: String) -> Result<i64, ConvertError> {
        Ok(older.trim_end_matches('s').parse()?)
    }
    fn downgrade(&self, newer: i64) -> Result<String, ConvertError> {
        Ok(format!("{newer}s"))
    }
}

struct SecondsOrZero;

impl Converter<String, i64> for SecondsOrZero {
    fn upgrade(&self, _: String) -> Result<i64, ConvertError> {
        unreachable!()
    }
    fn downgrade(&self, _: i64) -> Result<String, ConvertError> {
        unreachable!()
    }
}

impl Converter<Option<String>, Option<i64>> for SecondsOrZero {
    fn upgrade(&self, older: Option<String>) -> Result<Option<i64>, ConvertError> {
        Ok(Some(older.map_or(Ok(0), |older| Seconds.upgrade(older))?))
    }
    fn downgrade(&self, newer: Option<i64>) -> Result<Option<String>, ConvertError> {
        newer.map(|newer| Seconds.downgrade(newer)).transpose()
    }
}

#[test]
fn none_becomes_none() {
    let older =
        v1beta1::CronTabSpec { timeout: Some("90s".to_owned()), grace: Some("5s".to_owned()) };
    let newer = crd_conv::upgrade::<CronTabSpec>(&older).unwrap().value;
    assert_eq!((newer.timeout, newer.grace), (Some(90), Some(5)));
    let none = v1beta1::CronTabSpec { timeout: None, grace: None };
    assert_eq!(crd_conv::upgrade::<CronTabSpec>(&none).unwrap().value.timeout, None);
}
