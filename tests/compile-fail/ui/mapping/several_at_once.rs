use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host: String,
        port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub host: String,
    pub port: u16,
    #[versioned(renamed_from = cron_spek)]
    pub schedule: String,
    #[versioned(added)]
    pub limit: i32,
    pub suspend: Option<bool>,
}

fn main() {}
