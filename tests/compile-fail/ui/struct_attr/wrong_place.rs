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
#[versioned(from = v1beta1::CronTabSpec, added, removed(owner), resource(group = "example.com"))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(removed(cron_spec))]
    pub cron_spec: String,
}

fn main() {}
