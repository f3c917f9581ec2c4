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
    pub host_port: String,
    pub cron_spec: String,
    pub owner: Option<String>,
    #[versioned(renamed_from = host_port)]
    pub address: String,
}

fn main() {}
