//! Fields in which the API server keeps what no schema declares, where the versions don't agree: a converter keeps what it
//! doesn't know, and so do structs that are made of moved values or come apart into them.

use crd_conv::{ConvertError, Converter, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        #[versioned(preserve_unknown_fields)]
        checks: Option<Checks>,
        #[versioned(preserve_unknown_fields)]
        pool: Option<Pool>,
        late: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        url: Option<String>,
        time: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        pub(super) title: String,
        pub(super) size: Option<i64>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        moved(checks.url => url, checks.time => time, late => more.late),
    )]
    pub(super) struct Spec {
        url: Option<String>,
        time: Option<i64>,
        #[versioned(with = Titles)]
        pool: Option<Pool>,
        #[versioned(preserve_unknown_fields)]
        more: Option<More>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        pub(super) name: String,
        pub(super) size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct More {
        late: Option<i64>,
        other: Option<i64>,
    }
}

struct Titles;

impl Converter<v1::Pool, v2::Pool> for Titles {
    fn upgrade(&self, older: v1::Pool) -> Result<v2::Pool, ConvertError> {
        Ok(v2::Pool { name: older.title, size: older.size })
    }

    fn downgrade(&self, newer: v2::Pool) -> Result<v1::Pool, ConvertError> {
        Ok(v1::Pool { title: newer.name, size: newer.size })
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ponds", scope = "Namespaced"))]
enum Pond {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Pond);
