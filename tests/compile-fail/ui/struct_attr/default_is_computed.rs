use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        pub owner: Vec<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, removed(owner = Vec::new()))]
pub struct CronTabSpec {
    #[versioned(added, default = vec!["a".to_owned()])]
    pub list: Vec<String>,
    #[versioned(added(value = Vec::new()))]
    pub empty: Vec<String>,
    #[versioned(added(value = "text".to_owned()))]
    pub text: String,
    #[versioned(added(value = [1, 2]))]
    pub array: Vec<i64>,
    #[versioned(added(value = &["a"]))]
    pub reference: Vec<String>,
    #[versioned(added(value = 60 * 60))]
    pub seconds: i64,
    #[versioned(added(value = Inner { size: 3 }))]
    pub inner: Inner,
    #[versioned(added(value = Default::default()))]
    pub map: std::collections::BTreeMap<String, String>,
    #[versioned(added(value = Some(3)))]
    pub some: Option<i64>,
    #[versioned(added(value = None))]
    pub none: Option<i64>,
    #[versioned(added, default = Some(3))]
    pub default_some: Option<i64>,
    #[versioned(added, default = Inner { size: 3 })]
    pub default_inner: Inner,
    #[versioned(added(value))]
    pub without: i64,
    #[versioned(added, default)]
    pub default_without: i64,
    #[versioned(added, default = "seven()")]
    pub function: i64,
    #[versioned(added, default = seven)]
    pub path: i64,
    #[versioned(added(value = seven))]
    pub path_added: i64,
    #[versioned(added(value = String::new))]
    pub path_text: String,
}

#[derive(Serialize, Deserialize)]
pub struct Inner {
    size: i64,
}

fn seven() -> i64 {
    7
}

fn main() {}
