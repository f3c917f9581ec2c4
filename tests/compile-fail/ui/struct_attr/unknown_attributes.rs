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
#[versioned(from = v1beta1::CronTabSpec, remove(owner))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(renamed_form = cron_spec)]
    pub schedule: String,
    #[versioned(new)]
    pub suspend: Option<bool>,
}

fn main() {}
