use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Spec {
        pub size: i64,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Spec)]
pub struct Spec {
    pub size: i64,
    #[versioned(added(moved))]
    pub limit: Option<i64>,
    #[versioned(added(moved = 3))]
    pub owner: Option<String>,
    #[versioned(added(move = false))]
    pub note: Option<String>,
    #[versioned(added())]
    pub text: Option<String>,
}

mod resource {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        pub size: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub enum Thing {
        V1 { spec: Spec },
        #[versioned(storage)]
        V2 {
            spec: Spec,
            #[versioned(added(value = 3))]
            status: Option<Spec>,
        },
    }
}

fn main() {}
