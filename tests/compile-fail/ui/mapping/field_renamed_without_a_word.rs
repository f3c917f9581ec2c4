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
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub host_ports: String,
    pub cron_spec: String,
    pub owner: Option<String>,
}

fn main() {}
