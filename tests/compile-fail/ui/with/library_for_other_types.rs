use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

use crd_conv::with::{First, GoDuration, ZeroAsAbsent};

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    #[versioned(with = First)]
    pub host_port: Vec<i32>,
    #[versioned(with = GoDuration::SECONDS)]
    pub cron_spec: f64,
    #[versioned(with = ZeroAsAbsent)]
    pub owner: String,
}

fn main() {}
