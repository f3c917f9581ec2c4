use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
    }
}

mod by_attribute {
    #[derive(crd_conv::Versioned)]
    #[versioned(from = super::v1beta1::CronTabSpec)]
    pub struct CronTabSpec {
        pub host_port: String,
        #[versioned(renamed_from = expression)]
        pub schedule: String,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub host_port: String,
    pub cron_spec: String,
    pub suspend: Option<bool>,
}

fn main() {}
