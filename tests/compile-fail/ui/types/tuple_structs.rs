use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Name(pub String);

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Spec {
        pub name: Name,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Name)]
pub struct Name(#[versioned(with = Upper)] pub String);

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Spec)]
pub struct Spec {
    pub name: Name,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Range(pub i64, pub i64);

#[derive(Versioned, Serialize, Deserialize)]
pub struct Unit;

#[derive(Versioned, Serialize, Deserialize)]
pub struct Empty();

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
pub struct CronTab(pub v1::Spec);

fn main() {}
