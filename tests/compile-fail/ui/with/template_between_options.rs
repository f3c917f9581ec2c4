use crd_conv::{Versioned, with::Template};

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct ProxySpec {
        pub listen: String,
        pub target: Option<String>,
        pub size: i64,
    }
}

#[derive(Versioned)]
#[versioned(
    from = v1beta1::ProxySpec,
    map(listen <=> (listen_host, listen_port), with = Template::new("{host}:{port}")),
    map(target <=> (target_host, target_port), with = Template::new("{host}:{port}")),
    map(size <=> (amount, unit), with = Template::new("{amount}{unit}")),
)]
pub struct ProxySpec {
    pub listen_host: Option<String>,
    pub listen_port: Option<u16>,
    pub target_host: String,
    pub target_port: Option<u16>,
    pub amount: i64,
    pub unit: String,
}

fn main() {}
