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
#[versioned(from = v1beta1::CronTabSpec, removed(owner, cron_spec = ""))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(renamed_from = cron_spec)]
    pub schedule: String,
    #[versioned(renamed_from = owner)]
    pub contact: Option<String>,
}

fn main() {}
