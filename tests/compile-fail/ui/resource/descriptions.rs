use crd_conv::Versioned;

pub mod v1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Spec {
        pub a: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "boxes",
    scope = "Namespaced",
    descriptions = "sumary",
))]
pub enum Box {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "rocks",
    scope = "Namespaced",
    descriptions = "no",
))]
pub enum Rock {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

fn main() {}
