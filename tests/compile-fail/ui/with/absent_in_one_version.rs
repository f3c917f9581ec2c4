use crd_conv::{
    Versioned,
    with::{ApiGroup, IntText, Inverse, JsonText, Quantity, Renamed, Template, Wrapped},
};

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct DiskSpec {
        pub size: Option<String>,
        pub count: i32,
        pub owner: Option<String>,
        pub mode: String,
        pub address: Option<String>,
        pub config: Option<String>,
        pub port: i32,
        pub weight: Option<String>,
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
pub struct Port {
    pub number: i32,
}

#[derive(Versioned)]
#[versioned(
    from = v1::DiskSpec,
    map(address <=> (host, host_port), with = Template::new("{host}:{port}")),
)]
pub struct DiskSpec {
    #[versioned(with = Quantity::BYTES)]
    pub size: i64,
    #[versioned(with = IntText)]
    pub count: Option<String>,
    #[versioned(with = ApiGroup("v1"))]
    pub owner: String,
    #[versioned(with = Renamed(&[("a", "b")]))]
    pub mode: Option<String>,
    pub host: String,
    pub host_port: u16,
    #[versioned(with = JsonText)]
    pub config: Vec<String>,
    #[versioned(with = Wrapped("number"))]
    pub port: Option<Port>,
    #[versioned(with = Inverse(IntText))]
    pub weight: i32,
}

fn main() {}
