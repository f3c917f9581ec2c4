use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

use crd_conv::with::Template;

#[derive(Versioned)]
#[versioned(
    from = v1beta1::CronTabSpec,
    removed(owner),
    map(host_port <=> (host, port), with = Template::new("{scheme}://{host}:{port}")),
)]
pub struct CronTabSpec {
    pub host: String,
    pub port: u16,
    pub cron_spec: String,
}

fn main() {}
