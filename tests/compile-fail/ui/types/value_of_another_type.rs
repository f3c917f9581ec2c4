use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, removed(owner))]
pub struct CronTabSpec {
    #[versioned(added(value = "three"))]
    pub limit: i32,
    #[versioned(added(value = 3))]
    pub ratio: f64,
    #[versioned(added(value = LIMIT))]
    pub other: i32,
    pub host_port: String,
    pub cron_spec: String,
}

const LIMIT: i64 = 3;

fn main() {}
