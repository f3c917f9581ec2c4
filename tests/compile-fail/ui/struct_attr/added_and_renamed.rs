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
    #[versioned(added, renamed_from = cron_spec)]
    pub schedule: String,
    #[versioned(added, with = Upper)]
    pub suspend: Option<bool>,
}

struct Upper;

fn main() {}
