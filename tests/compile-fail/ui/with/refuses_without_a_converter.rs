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
#[versioned(from = v1beta1::CronTabSpec, refuses(upgrade = "a reason"))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(refuses(upgrade = "a reason"))]
    pub cron_spec: String,
    pub owner: Option<String>,
    #[versioned(added, refuses(upgrade = "a reason"))]
    pub limit: Option<i32>,
}

fn main() {}
