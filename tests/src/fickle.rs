//! A resource with a converter that counts, and so returns another value each time.

use std::sync::atomic::{AtomicI64, Ordering};

use crd_conv::{ConvertError, Converter, Versioned};

static CALLS: AtomicI64 = AtomicI64::new(0);

pub struct Count;

impl Converter<i64, i64> for Count {
    fn upgrade(&self, _: i64) -> Result<i64, ConvertError> {
        Ok(CALLS.fetch_add(1, Ordering::Relaxed))
    }

    fn downgrade(&self, depth: i64) -> Result<i64, ConvertError> {
        Ok(depth)
    }
}

pub mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Buoy {
        depth: i64,
    }
}

pub mod v2 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::{Count, v1};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Buoy, map(depth <=> fathoms, with = Count))]
    pub struct Buoy {
        fathoms: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "buoys", scope = "Namespaced"))]
pub enum Buoy {
    V1 {
        spec: v1::Buoy,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Buoy,
    },
}
