// A resource for the examples in the documentation, which include this file.
mod v1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Spec {
        pub size: i64,
        pub owner: Option<String>,
    }
}

mod v2 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[versioned(from = super::v1::Spec, removed(owner))]
    pub struct Spec {
        #[versioned(renamed_from = size)]
        pub replicas: i64,
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
enum Box {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}
