use crd_conv::Versioned;

mod v1beta1 {}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub host_port: String,
}

fn main() {}
