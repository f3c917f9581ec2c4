use crd_conv::Versioned;

pub mod v1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Spec {
        pub a: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "boxes",
    scope = "Namespaced",
    schema = "manual",
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
    schema = false,
))]
pub enum Rock {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "jars",
    scope = "Namespaced",
    schema,
    schema = "disabled",
))]
pub enum Jar {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "tins",
    scope = "Namespaced",
    schema = "disabled",
    schema = "disabled",
))]
pub enum Tin {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

fn main() {}
