use crd_conv::{
    Versioned,
    with::{GoDuration, IntText, Inverse, JsonText, Template},
};

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct DiskSpec {
        pub size: i64,
        pub count: i32,
        pub timeout: Vec<String>,
        pub port: i64,
        pub config: u16,
    }
}

#[derive(Versioned)]
#[versioned(from = v1::DiskSpec, map(port <=> (name, number), with = Template::new("{name}:{number}")))]
pub struct DiskSpec {
    #[versioned(with = crd_conv::with::Quantity::BYTES)]
    pub size: i64,
    #[versioned(with = IntText)]
    pub count: i64,
    #[versioned(with = GoDuration::SECONDS)]
    pub timeout: i64,
    pub name: String,
    pub number: u16,
    #[versioned(with = Inverse(JsonText))]
    pub config: bool,
}

fn main() {}
